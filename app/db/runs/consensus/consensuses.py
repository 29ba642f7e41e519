"""Consensus of setters on a problem's tests, one for each text: its queue and its progress."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, ColumnElement, Select, and_, any_, func, literal, or_, select, update
from sqlalchemy.dialects.postgresql import distinct_on, insert

from app.db.kernel.instant import NOW
from app.db.kernel.leases import Lease
from app.db.kernel.session import Session
from app.db.runs.consensus.asking_order import UNDER_WAY, is_awake, is_open
from app.db.runs.consensus.setters import present_vendors
from app.db.tables import ConsensusRow, Problem, ProblemVersion, ProofState, Run, Sample, Setter, Source, TestSet
from app.domain.asking.urgency import FRESH_FOR
from app.domain.consensus.agreement import LEAST_VENDORS
from app.domain.problems import Form
from app.domain.states import ConsensusState, ProblemState, RunState, SampleState

FORMS = (Form.STDIN, Form.FUNCTION, Form.INTERACTIVE)  # forms for which a suite can be built
LOCALE = "en"  # the locale in which setters are asked
PATIENCE = timedelta(hours=2)  # then the suite is built without the setters that are still silent
MAX_CONSENSUS_ATTEMPTS = 3
_PLANNED_AFTER = timedelta(minutes=10)  # older texts have been through some plans


class SetterResponse(NamedTuple):
    """A setter's newest answer to one item, and its sample."""

    sample: int
    vendor: str
    setter: str
    item: int
    text: str


def has_enough_vendors(session: Session, *, demo: bool) -> bool:
    """Return whether there are setters of enough vendors to make tests of demo sources, or of the others, at all."""
    return len(present_vendors(session, demo=demo)) >= LEAST_VENDORS


def of_text(session: Session, version_id: int) -> ConsensusRow | None:
    """Return the consensus for a text; None if it has not begun."""
    return session.scalar(select(ConsensusRow).where(ConsensusRow.problem_version_id == version_id))


def begin(session: Session, now: datetime, day: datetime, most: int) -> None:
    """Start a consensus for checked problems that have no tests and may be sent to models, newest first.

    At most `most` problems since `day` began, not counting those published since.
    """
    started = (
        select(func.count(ConsensusRow.problem_id.distinct()))
        .join(Problem, Problem.id == ConsensusRow.problem_id)
        .where(ConsensusRow.since >= day, Problem.state != ProblemState.PUBLISHED)
    )
    texts = (
        select(Problem.id, ProblemVersion.id, literal(ConsensusState.ASKING.value), literal(now))
        .join(ProblemVersion, ProblemVersion.problem_id == Problem.id)
        .join(Source, Source.id == Problem.source_id)
        .where(_may_begin())
        .order_by(Problem.released_on.desc(), Problem.id)
        .limit(max(most - (session.scalar(started) or 0), 0))
    )
    new = insert(ConsensusRow).from_select(["problem_id", "problem_version_id", "state", "since"], texts)
    session.execute(new.on_conflict_do_nothing())


def _may_begin() -> ColumnElement[bool]:
    """Return the condition that setters could be asked about a problem's text, and have not been."""
    known = select(ConsensusRow.id).where(ConsensusRow.problem_version_id == ProblemVersion.id)
    return and_(
        Problem.state == ProblemState.CHECKED, Problem.current_test_set_id.is_(None), Problem.canary.is_(False),
        Source.send_statements, ProblemVersion.in_use, ProblemVersion.locale == LOCALE,
        ProblemVersion.form.in_(FORMS), ~known.exists(),
    )  # fmt: skip


def count_deferred(session: Session, now: datetime) -> int:
    """Return how many problems wait for the next day because a limit of this one is reached.

    They are those with a resting consensus, and those without one whose text has been there for a while: newer texts
    begin with the next plan.
    """
    resting = select(func.count()).select_from(ConsensusRow).where(is_open(), ~is_awake(now))
    waiting = (
        select(func.count(Problem.id.distinct()))
        .join(ProblemVersion, ProblemVersion.problem_id == Problem.id)
        .join(Source, Source.id == Problem.source_id)
        .where(_may_begin(), ProblemVersion.created_at <= now - _PLANNED_AFTER)
    )
    return (session.scalar(resting) or 0) + (session.scalar(waiting) or 0)


def lock_untested(session: Session) -> list[Problem]:
    """Return held problems without tests, locked; those locked by another transaction are skipped."""
    held = (Problem.state == ProblemState.HELD, Problem.current_test_set_id.is_(None))
    return list(session.scalars(select(Problem).where(*held).order_by(Problem.id).with_for_update(skip_locked=True)))


def _ready_query(now: datetime | BindParameter[datetime]) -> Select[int]:
    """Select each consensus that can be built, newest problems first: fresh ones do not wait for a backlog.

    Every setter that was asked has answered, given up or run out of time.
    """
    of_setters = (
        select(Sample.id)
        .join(Run, Run.id == Sample.run_id)
        .join(Setter, Setter.run_id == Run.id)
        .where(Sample.problem_version_id == ConsensusRow.problem_version_id, Setter.removed_at.is_(None))
        .where(Setter.vendor == any_(ConsensusRow.drawn))
    )
    waits = of_setters.where(Sample.state.in_(UNDER_WAY), Run.state == RunState.ACTIVE)
    voices = of_setters.with_only_columns(func.count(Setter.vendor.distinct())).scalar_subquery()
    released = select(Problem.released_on).where(Problem.id == ConsensusRow.problem_id).scalar_subquery()
    # A vendor that was just drawn has no samples yet, so voices are counted too.
    all_answered = (voices >= LEAST_VENDORS) & ~waits.exists()
    return (
        select(ConsensusRow.id)
        .where(is_open(), is_awake(now), or_(all_answered, _asked_since() <= now - PATIENCE))
        .where(or_(ConsensusRow.lease_until.is_(None), ConsensusRow.lease_until <= now))
        .order_by(released.desc(), ConsensusRow.id)
    )


def _asked_since() -> ColumnElement[datetime]:
    """Return when setters could first be asked in the last round; while a consensus rests, none can be."""
    return func.greatest(ConsensusRow.since, ConsensusRow.asked_again_at, ConsensusRow.not_before)  # ignores NULLs


def count_ready(session: Session, now: datetime) -> int:
    """Return the number of consensus builds that can start."""
    return session.scalar(_ready_count(), {NOW.key: now}) or 0


def is_fresh_waiting(session: Session, now: datetime) -> bool:
    """Return whether a fresh problem's suite should be built before other work.

    One is built at a time, and one that was built is proven first.
    """
    leased = select(ConsensusRow.id).where(ConsensusRow.lease_until > now)
    fresh_problems = select(Problem.id).where(Problem.released_on >= now - FRESH_FOR)
    unproven = select(TestSet.id).where(
        TestSet.proof == ProofState.WAITING, TestSet.attempts == 0, TestSet.problem_id.in_(fresh_problems),
    )  # fmt: skip
    ready = _ready_query(now).where(ConsensusRow.problem_id.in_(fresh_problems))
    first = session.scalar(select(or_(leased.exists(), unproven.exists())))
    return not first and session.scalar(ready.limit(1)) is not None


@cache
def _ready_count() -> Select[int]:
    return select(func.count()).select_from(_ready_query(NOW).subquery())


def claim(session: Session, lease: Lease, now: datetime) -> ConsensusRow | None:
    """Lease the next consensus that can be built, whatever its attempts, and count this one."""
    picked = _ready_query(now).limit(1).with_for_update(skip_locked=True).cte("picked")
    return session.scalar(
        update(ConsensusRow)
        .where(ConsensusRow.id.in_(select(picked.c.id)))
        .values(lease_token=lease.token, lease_until=lease.until, attempts=ConsensusRow.attempts + 1)
        .returning(ConsensusRow)
    )


def setter_responses(session: Session, version_id: int) -> list[SetterResponse]:
    """Return the answers about a text by drawn setters, to each item in its last round, in a fixed order.

    Answers of removed setters are left out.
    """
    return _read(session, _answers(version_id).ext(distinct_on(Setter.name, Sample.item)))


def returned_answers(session: Session, consensus: ConsensusRow) -> list[SetterResponse]:
    """Return the answers that went back in its rounds, the newest of each item first."""
    sample_ids = [back["sample"] for entry in consensus.rounds for back in entry["back"]]
    return _read(session, _answers(consensus.problem_version_id).where(Sample.id.in_(sample_ids)))


def _answers(version_id: int) -> Select[int, str, str, int, str | None]:
    return (
        select(Sample.id, Setter.vendor, Setter.name, Sample.item, Sample.response)
        .join(Run, Run.id == Setter.run_id)
        .join(Sample, Sample.run_id == Run.id)
        .join(ConsensusRow, ConsensusRow.problem_version_id == Sample.problem_version_id)
        .where(Sample.problem_version_id == version_id, Setter.removed_at.is_(None))
        .where(Setter.vendor == any_(ConsensusRow.drawn))
        .where(Sample.state == SampleState.ANSWERED, Sample.response.is_not(None))
        .order_by(Setter.name, Sample.item, Sample.ordinal.desc())
    )


def _read(session: Session, rows: Select[int, str, str, int, str | None]) -> list[SetterResponse]:
    rows_found = session.execute(rows)
    return [
        SetterResponse(sample, vendor, setter, item, text or "") for sample, vendor, setter, item, text in rows_found
    ]


def release(session: Session, consensus: ConsensusRow, evidence: Mapping[str, Any]) -> None:
    """Release the lease of a consensus, and store its evidence for the next worker."""
    consensus.evidence = dict(evidence)
    consensus.lease_token = consensus.lease_until = None
    session.flush()


def end(session: Session, consensus: ConsensusRow, state: ConsensusState, now: datetime, **facts: Any) -> None:
    """Record the end of a consensus, and release its lease."""
    consensus.state, consensus.ended_at = state, now
    consensus.lease_token = consensus.lease_until = None
    for name, value in facts.items():
        setattr(consensus, name, value)
    session.flush()


def retry_held(session: Session, consensus: ConsensusRow) -> None:
    """Let a held consensus be built again, without asking its setters anew."""
    consensus.state, consensus.reason, consensus.ended_at, consensus.attempts = ConsensusState.ASKING, None, None, 0
    session.flush()


def held_consensuses(session: Session, limit: int = 100) -> list[ConsensusRow]:
    """Return every held consensus whose text is in use and whose problem is still held, newest first."""
    rows = (
        select(ConsensusRow)
        .join(Problem, Problem.current_version_id == ConsensusRow.problem_version_id)
        .where(ConsensusRow.state == ConsensusState.HELD, Problem.state == ProblemState.HELD)
        .where(Problem.current_test_set_id.is_(None))
        .order_by(ConsensusRow.ended_at.desc(), ConsensusRow.id.desc())
    )
    return list(session.scalars(rows.limit(limit)))


def allows_setters(problem: Problem, version: ProblemVersion) -> bool:
    """Return whether a problem's text allows tests made by setters."""
    return version.locale == LOCALE and version.form in FORMS and not problem.canary


def lock_leased(session: Session, setting_id: int, token: str) -> ConsensusRow | None:
    """Return the consensus, locked, if the lease token still holds."""
    return session.scalar(
        select(ConsensusRow).where(ConsensusRow.id == setting_id, ConsensusRow.lease_token == token).with_for_update(),
        execution_options={"populate_existing": True},
    )
