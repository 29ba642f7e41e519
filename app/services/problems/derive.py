"""Derivation of items from a published problem, once no standing run is still to solve it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.db.kernel.leases import Lease, Leased, new_lease
from app.db.kernel.session import Session
from app.db.problems import derived
from app.db.problems import problems as store
from app.db.problems.derived import Shown
from app.db.runs import samples
from app.db.sources.scope import in_any_scope
from app.db.tables import Problem, TestSet
from app.domain.asking.protocols import Covers
from app.domain.deriving.items import Derived, Kind
from app.domain.judging.hacks import Source
from app.domain.problems import ProblemSpec
from app.domain.scenarios import solving

LANGUAGE = "python"  # items show programs in this language, to be executed by hand


@dataclass(frozen=True, slots=True)
class DeriveJob:
    """A problem to derive items from, the programs that may be shown, and a validator of inputs."""

    test_set_id: int
    lease: Lease
    problem: ProblemSpec
    programs: tuple[Shown, ...]
    wrong: tuple[str, ...] = ()
    validator: Source | None = None

    @property
    def references(self) -> list[Source]:
        """Right programs that came with the problem."""
        return [Source(LANGUAGE, program.code) for program in self.programs if program.program_id is not None]

    @property
    def numbered(self) -> list[tuple[int, str]]:
        """Programs with the numbers by which items name them."""
        return [(number, program.code) for number, program in enumerate(self.programs)]


def begin(session: Session, covers: Iterable[Covers], now: datetime) -> None:
    """Queue derivations for covered problems that no standing run is still to solve."""
    derived.begin(session, solving(), in_any_scope(covers), now)


def waiting(session: Session, now: datetime) -> int:
    """Return the number of problems that wait for their derivation."""
    return derived.waiting(session, now)


def claim(session: Session, now: datetime, duration: timedelta) -> DeriveJob | None:
    """Lease the next problem to derive items from; None when there is none."""
    lease = new_lease(now, duration, Leased.DERIVATIONS)
    test_set_id = derived.claim(session, lease, now)
    if test_set_id is None:
        return None
    problem = session.get_one(Problem, session.get_one(TestSet, test_set_id).problem_id)
    assert problem.current_version_id is not None  # a published problem has a text
    spec = store.problem_spec(session, test_set_id, problem.current_version_id)
    return DeriveJob(
        test_set_id,
        lease,
        spec,
        tuple(derived.shown(session, problem.id, LANGUAGE)),
        tuple(derived.wrong(session, problem.id, LANGUAGE)),
        derived.validator(session, problem.id),
    )


def record(session: Session, job: DeriveJob, items: Sequence[Derived], now: datetime) -> bool:
    """Store the derived items; False when the lease no longer holds.

    Answers to items of earlier tests, which could not be compared meanwhile, are judged again.
    """
    if not derived.record(session, job.test_set_id, job.lease.token, items, job.programs, now):
        return False
    samples.judge_stuck(session, session.get_one(TestSet, job.test_set_id).problem_id, list(Kind))
    return True
