"""Problems that an order would ask, counted before it has a run, and the tokens that earlier answers took."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, func, or_, select

from app.db.kernel.session import Session
from app.db.runs.forecasts import TokenSums
from app.db.runs.planning import CoveredProblem
from app.db.sources.scope import in_scope
from app.db.tables import Endpoint, ExposureRow, Model, Problem, ProblemVersion, Run, Sample, Source
from app.domain.asking.protocols import Protocol
from app.domain.states import ProblemState

# Runs and answers of a protocol whose tokens are averaged: the newest ones say enough, and more would take long.
_MAX_RUNS, _MAX_ANSWERS = 10, 2000


class ReleaseWindow(NamedTuple):
    """Release times `[start, end)` of the problems of an order; None for an open end."""

    start: datetime | None = None
    end: datetime | None = None


def count_covered(session: Session, protocol: Protocol, window: ReleaseWindow) -> int:
    """Return the number of published problems that an order under a protocol asks."""
    return session.scalar(_covered(select(func.count()), protocol, window)) or 0


def covered_problems(session: Session, protocol: Protocol, window: ReleaseWindow) -> list[CoveredProblem]:
    """Return the published problems that an order under a protocol asks."""
    columns: list[Any] = [Problem.id, ProblemVersion.id, Problem.current_test_set_id, Problem.released_on]
    rows: Any = session.execute(_covered(select(*columns), protocol, window))
    return [CoveredProblem(*row) for row in rows]


def _covered(
    query: Select[*tuple[object, ...]], protocol: Protocol, window: ReleaseWindow
) -> Select[*tuple[object, ...]]:
    """Restrict a query to the problems that `planning` plans for an order: those are published."""
    released: list[ColumnElement[bool]] = [Problem.released_on.is_not(None)]
    if window.start is not None:
        released.append(Problem.released_on >= window.start)
    if window.end is not None:
        released.append(Problem.released_on < window.end)
    return (
        query.select_from(ProblemVersion)
        .join(Problem, Problem.id == ProblemVersion.problem_id)
        .join(Source, Source.id == Problem.source_id)
        .where(*released, Problem.state == ProblemState.PUBLISHED, Problem.canary.is_(False))
        .where(ProblemVersion.in_use, ProblemVersion.locale == protocol.locale, Source.send_statements)
        .where(ProblemVersion.form.in_(protocol.covers.forms), in_scope(protocol.covers))
    )


def count_released(problems: Sequence[CoveredProblem], since: datetime) -> int:
    """Return how many of these problems came out since `since`."""
    return sum(problem.released >= since for problem in problems)


def count_served(session: Session, organisation_id: int, problem_ids: Collection[int]) -> int:
    """Return how many of these problems were sent to any endpoint of an organisation."""
    query = (
        select(func.count(ExposureRow.problem_id.distinct()))
        .join(Endpoint, Endpoint.id == ExposureRow.endpoint_id)
        .join(Model, Model.id == Endpoint.model_id)
        .where(Model.organisation_id == organisation_id, ExposureRow.problem_id.in_(problem_ids))
    )
    return session.scalar(query) or 0


def tokens_of_newest(session: Session, protocol_id: int, organisation_id: int) -> TokenSums:
    """Return the tokens of the newest answers under a protocol: of public runs and of an organisation's own."""
    runs = (
        select(Run.id)
        .join(Model, Model.id == Run.model_id)
        .where(Run.protocol_id == protocol_id, Run.sent_at.is_not(None))
        .where(or_(Run.public, Model.organisation_id == organisation_id))
        .order_by(Run.id.desc())
        .limit(_MAX_RUNS)
    )
    written = Sample.tokens_answer + func.coalesce(Sample.tokens_reasoning, 0)
    answers = (
        select(Sample.tokens_input.label("read"), Sample.tokens_cached.label("cached"), written.label("written"))
        .where(Sample.run_id.in_(runs), Sample.answered_at.is_not(None))
        .where(Sample.tokens_input.is_not(None), Sample.tokens_answer.is_not(None))
        .limit(_MAX_ANSWERS)
        .subquery()
    )
    sums = (func.coalesce(func.sum(column), 0) for column in (answers.c.read, answers.c.cached, answers.c.written))
    row = session.execute(select(func.count(), *sums).select_from(answers)).one()
    return TokenSums(*(int(number) for number in row))
