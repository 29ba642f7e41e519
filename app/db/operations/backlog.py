"""Waiting work: problems of ended contests, held problems, and answers that no judge takes."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, Text, and_, case, cast, exists, func, or_, select
from sqlalchemy.orm import aliased

from app.db.kernel.session import Session
from app.db.runs.due_work import GradingFilter, is_due
from app.db.tables import Contest, LedgerEntry, Problem, ProtocolRow, Run, Sample, Source, TestSet
from app.domain.publishing.holds import NO_STATEMENT
from app.domain.sources.kinds import SourceKind
from app.domain.states import ProblemState, SampleState


class EndedContest(NamedTuple):
    """A contest with known problems: how many wait, and how many are published."""

    source: str
    external_id: str
    contest_id: int
    waiting: int
    published: int


class HoldCount(NamedTuple):
    """Number of a source's held problems, and their most common reason."""

    source: str
    name: str
    problems: int
    reason: str


@dataclass(frozen=True, slots=True)
class JudgingBacklog:
    """Number of answers that have waited for a judge too long, and the start of the longest wait."""

    answers: int
    since: datetime | None


def ended_contests(session: Session, since: datetime, until: datetime) -> list[EndedContest]:
    """Return contests that ended in (since, until], newest first, of sites whose statements are fetched."""
    waits = Problem.state.in_((ProblemState.FOUND, ProblemState.CHECKED, ProblemState.HELD))
    rows = session.execute(
        select(
            Source.slug, Contest.external_id, Contest.id,
            func.count(case((waits, 1))), func.count(case((Problem.state == ProblemState.PUBLISHED, 1))),
        )
        .join(Contest, Contest.source_id == Source.id)
        .join(Problem, Problem.contest_id == Contest.id)
        .where(
            Source.kind == SourceKind.SITE, Source.enabled, Source.fetch_statements,
            Contest.ends_at > since, Contest.ends_at <= until,
        )
        .group_by(Source.slug, Contest.id)
        .order_by(Source.slug, Contest.ends_at.desc(), Contest.id.desc())
    )  # fmt: skip
    return [EndedContest(*row) for row in rows]


def usual_reason(session: Session, contest_id: int) -> str | None:
    """Return the most common reason of a contest's held problems, or None if none is held."""
    return session.scalar(
        select(_most_common_reason()).where(Problem.contest_id == contest_id, Problem.state == ProblemState.HELD)
    )


def _most_common_reason() -> ColumnElement[str]:
    return func.mode().within_group(Problem.hold_reason)


def count_held(session: Session, since: datetime) -> list[HoldCount]:
    """Return the counts by source of held problems that were found, or taken off the boards, since `since`.

    A missing statement is not counted where the operator has turned statements off.
    """
    taken_off = exists().where(
        LedgerEntry.kind == "problem.quarantined",
        LedgerEntry.subject == Source.slug + "/" + cast(Problem.external_id, Text),
        LedgerEntry.at >= since,
    )
    wanted = and_(~Source.fetch_statements, Problem.hold_reason == NO_STATEMENT)
    rows = session.execute(
        select(Source.slug, Source.name, func.count(), _most_common_reason())
        .join(Problem, Problem.source_id == Source.id)
        .where(
            Source.enabled, Problem.state == ProblemState.HELD, ~wanted,
            or_(Problem.found_at >= since, taken_off),
        )
        .group_by(Source.slug, Source.name)
        .order_by(Source.slug)
    )  # fmt: skip
    return [HoldCount(*row) for row in rows]


def judging_backlog(session: Session, now: datetime, late: datetime, gradable: GradingFilter) -> JudgingBacklog:
    """Return the answers in any language that were free for judging since `late` or earlier and are unclaimed.

    If an answer came before its problem had tests or was public, its wait starts then.
    """
    tests = aliased(TestSet)
    answered = func.coalesce(Sample.answered_at, Run.created_at)
    rows = session.execute(
        select(
            Source.slug + "/" + cast(Problem.external_id, Text), tests.created_at,
            tests.proof_detail["at"].astext, func.count(), func.min(answered),
        )
        .select_from(Sample)
        .join(Run, Run.id == Sample.run_id)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .join(Problem, Problem.id == Sample.problem_id)
        .join(Source, Source.id == Problem.source_id)
        .join(tests, tests.id == Problem.current_test_set_id)
        .where(Sample.state == SampleState.ANSWERED, gradable.has_tests(), is_due(now), answered <= late)
        .where(tests.created_at <= late)
        .group_by(Problem.id, Source.slug, tests.id)
    ).all()  # fmt: skip
    last_changes = select(LedgerEntry.subject, func.max(LedgerEntry.at)).where(
        LedgerEntry.subject.in_([row[0] for row in rows])
    )
    public = {row[0]: row[1] for row in session.execute(last_changes.group_by(LedgerEntry.subject))}
    overdue = []
    for name, created_at, proven, answers, first in rows:
        ready = max(created_at, datetime.fromisoformat(proven) if proven else created_at, public.get(name, created_at))
        if ready <= late:
            overdue.append((answers, max(first, ready)))
    return JudgingBacklog(sum(answers for answers, _ in overdue), min((since for _, since in overdue), default=None))
