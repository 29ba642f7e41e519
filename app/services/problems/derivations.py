"""Derivation of items from a published problem, once no standing run is still to solve it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.db.kernel.leases import Lease, LeaseKind, new_lease
from app.db.kernel.session import Session
from app.db.problems import derivations
from app.db.problems import problems as store
from app.db.problems.derivations import PublicProgram
from app.db.runs import samples
from app.db.sources.scope import in_any_scope
from app.db.tables import Problem, TestSet
from app.domain.asking.protocols import ProtocolScope
from app.domain.deriving.items import DerivedItemKind, DerivedItemSpec
from app.domain.judging.hacks import SourceCode
from app.domain.problems import ProblemSpec
from app.domain.scenarios import solving_scenarios

LANGUAGE = "python"  # items show programs in this language, to be executed by hand


@dataclass(frozen=True, slots=True)
class DerivationJob:
    """A problem to derive items from, the programs that may be shown, and a validator of inputs."""

    test_set_id: int
    lease: Lease
    problem: ProblemSpec
    programs: tuple[PublicProgram, ...]
    wrong: tuple[str, ...] = ()
    validator: SourceCode | None = None

    @property
    def references(self) -> list[SourceCode]:
        """Right programs that came with the problem."""
        return [SourceCode(LANGUAGE, program.code) for program in self.programs if program.program_id is not None]

    @property
    def numbered_programs(self) -> list[tuple[int, str]]:
        """Programs with the numbers by which items name them."""
        return [(number, program.code) for number, program in enumerate(self.programs)]


def begin(session: Session, covers: Iterable[ProtocolScope], now: datetime) -> None:
    """Queue derivations for covered problems that no standing run is still to solve."""
    derivations.begin_derivations(session, solving_scenarios(), in_any_scope(covers), now)


def count_waiting(session: Session, now: datetime) -> int:
    """Return the number of problems that wait for their derivation."""
    return derivations.count_waiting(session, now)


def claim(session: Session, now: datetime, duration: timedelta) -> DerivationJob | None:
    """Lease the next problem to derive items from; None when there is none."""
    lease = new_lease(now, duration, LeaseKind.DERIVATIONS)
    test_set_id = derivations.claim(session, lease, now)
    if test_set_id is None:
        return None
    problem = session.get_one(Problem, session.get_one(TestSet, test_set_id).problem_id)
    assert problem.current_version_id is not None  # a published problem has a text
    spec = store.problem_spec(session, test_set_id, problem.current_version_id)
    return DerivationJob(
        test_set_id,
        lease,
        spec,
        tuple(derivations.public_programs(session, problem.id, LANGUAGE)),
        tuple(derivations.wrong_programs(session, problem.id, LANGUAGE)),
        derivations.validator(session, problem.id),
    )


def record(session: Session, job: DerivationJob, items: Sequence[DerivedItemSpec], now: datetime) -> bool:
    """Store the derived items; False when the lease no longer holds.

    Answers to items of earlier tests, which could not be compared meanwhile, are judged again.
    """
    if not derivations.record(session, job.test_set_id, job.lease.token, items, job.programs, now):
        return False
    samples.judge_stuck(session, session.get_one(TestSet, job.test_set_id).problem_id, list(DerivedItemKind))
    return True
