"""What waits instead of being published: problems of contests that ended, and problems that are held."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, Text, and_, case, cast, exists, func, or_, select

from app.db.kernel.session import Session
from app.db.tables import Contest, LedgerEntry, Problem, Source
from app.domain.sources.kinds import SourceKind
from app.domain.states import ProblemState

NO_STATEMENT = "no statement"


class EndedContest(NamedTuple):
    """A contest whose problems are known: how many of them wait, and how many are published."""

    source: str
    external_id: str
    contest_id: int
    waiting: int
    published: int


class Held(NamedTuple):
    """How many problems of a source are held, and the reason that most of them have."""

    source: str
    name: str
    problems: int
    reason: str


def ended(session: Session, since: datetime, until: datetime) -> list[EndedContest]:
    """Contests that ended in a time, the newest first, of sites whose statements are fetched."""
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
    """The reason that most held problems of a contest have; None where none is held."""
    return session.scalar(select(_usual()).where(Problem.contest_id == contest_id, Problem.state == ProblemState.HELD))


def _usual() -> ColumnElement[str]:
    return func.mode().within_group(Problem.hold_reason)


def held(session: Session, since: datetime) -> list[Held]:
    """Problems that are held and were found, or taken off the boards, since then; by source.

    That a problem has no statement is the operator's wish where statements are not fetched.
    """
    taken_off = exists().where(
        LedgerEntry.kind == "problem.quarantined",
        LedgerEntry.subject == Source.slug + "/" + cast(Problem.external_id, Text),
        LedgerEntry.at >= since,
    )
    wanted = and_(~Source.fetch_statements, Problem.hold_reason == NO_STATEMENT)
    rows = session.execute(
        select(Source.slug, Source.name, func.count(), _usual())
        .join(Problem, Problem.source_id == Source.id)
        .where(
            Source.enabled, Problem.state == ProblemState.HELD, ~wanted,
            or_(Problem.found_at >= since, taken_off),
        )
        .group_by(Source.slug, Source.name)
        .order_by(Source.slug)
    )  # fmt: skip
    return [Held(*row) for row in rows]
