"""Problems sent to endpoints, and reports over cells."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, exists, func, select, tuple_
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import aliased

from app.db.kernel.session import Session
from app.db.runs.results import is_public
from app.db.tables import (
    CellRow,
    Contest,
    ContestStanding,
    DirtyCell,
    Endpoint,
    ExposureRow,
    HumanRatings,
    Model,
    Problem,
    ProtocolRow,
    ReportRow,
    Run,
    Source,
)
from app.domain.addresses import host_of
from app.domain.states import ProblemState, RunOrigin


@dataclass(frozen=True, slots=True)
class SentProblemAnswer:
    """A problem that was sent to a model's endpoint."""

    model: str
    organisation: str
    endpoint: int
    problem: str  # source/name
    sent_at: datetime


class SentSummary(NamedTuple):
    """Number of problems sent to a model's endpoints, and when the first was sent."""

    problems: int
    first: datetime


class GradedProblem(NamedTuple):
    """One problem of a run: release day, cluster and graded answers."""

    day: date
    cluster: str
    n: int
    c: int


class ModelExposure(NamedTuple):
    """Numbers of problems sent to a model's endpoints, and to others of its organisation before its release."""

    model: str
    name: str
    organisation: str
    sent: int
    first: datetime | None
    last: datetime | None
    before: int


class ReportMetadata(NamedTuple):
    """Board revision of a report, when it was made, and how long that took."""

    revision: int
    made_at: datetime
    took_s: float


def record_sent(session: Session, endpoint: Endpoint, problems: Iterable[int], now: datetime) -> None:
    """Record that these problems are sent to an endpoint now; every sending is stored."""
    address = "" if endpoint.trusted else host_of(endpoint.base_url)
    rows = [
        {"endpoint_id": endpoint.id, "problem_id": problem, "sent_at": now, "address": address}
        for problem in sorted(set(problems))
    ]
    if rows:
        session.execute(insert(ExposureRow).on_conflict_do_nothing(), rows)


def sent_problems(
    session: Session, model: str | None, after: tuple[datetime, int, int] | None, limit: int
) -> list[tuple[int, SentProblemAnswer]]:
    """Return problems sent after `after` = (instant, endpoint, problem), in order, with ids; `model` is a slug."""
    rules = [] if model is None else [Model.slug == model]
    place = tuple_(ExposureRow.sent_at, ExposureRow.endpoint_id, ExposureRow.problem_id)
    if after is not None:
        rules.append(place > after)
    rows = session.execute(
        select(
            ExposureRow.problem_id, Model.slug, Model.organisation_name, ExposureRow.endpoint_id,
            Source.slug + "/" + Problem.external_id, ExposureRow.sent_at,
        )
        .join(Endpoint, Endpoint.id == ExposureRow.endpoint_id)
        .join(Model, Model.id == Endpoint.model_id)
        .join(Problem, Problem.id == ExposureRow.problem_id)
        .join(Source, Source.id == Problem.source_id)
        .where(is_public(), _has_public_run(), *rules)
        .order_by(ExposureRow.sent_at, ExposureRow.endpoint_id, ExposureRow.problem_id)
        .limit(limit)
    )  # fmt: skip
    return [(row[0], SentProblemAnswer(row[1], row[2], row[3], row[4], row[5])) for row in rows]


def sent_summary(session: Session, model: str) -> SentSummary | None:
    """Return the number of public problems sent to a model's endpoints, or None for no problem; `model` is a slug."""
    count, first = session.execute(
        select(func.count(ExposureRow.problem_id.distinct()), func.min(ExposureRow.sent_at))
        .join(Endpoint, Endpoint.id == ExposureRow.endpoint_id)
        .join(Model, Model.id == Endpoint.model_id)
        .join(Problem, Problem.id == ExposureRow.problem_id)
        .where(Model.slug == model, is_public(), _has_public_run())
    ).one()
    return SentSummary(count, first) if first is not None else None


def model_exposures(session: Session) -> list[ModelExposure]:
    """Return the exposure of every model with a public run to which problems were sent, by slug."""
    rows = session.execute(
        select(
            Model.id, Model.slug, Model.name, Model.organisation_name,
            func.count(ExposureRow.problem_id.distinct()), func.min(ExposureRow.sent_at), func.max(ExposureRow.sent_at),
        )
        .join(Endpoint, Endpoint.model_id == Model.id)
        .join(ExposureRow, ExposureRow.endpoint_id == Endpoint.id)
        .where(_has_public_run())
        .group_by(Model.id)
        .order_by(Model.slug)
    ).all()  # fmt: skip
    before = _sent_before(session)
    return [ModelExposure(row[1], row[2], row[3], row[4], row[5], row[6], before.get(row[0], 0)) for row in rows]


def _has_public_run() -> ColumnElement[bool]:
    """Return the condition that a model has a public run; private and embargoed ones stay undisclosed."""
    return exists().where(Run.model_id == Model.id, Run.public)


def _sent_before(session: Session) -> dict[int, int]:
    """Return model -> number of problems that its organisation's other models were sent before its release."""
    sibling = aliased(Model)
    rows = session.execute(
        select(Model.id, func.count(ExposureRow.problem_id.distinct()))
        .join(sibling, and_(sibling.organisation_id == Model.organisation_id, sibling.id != Model.id))
        .join(Endpoint, Endpoint.model_id == sibling.id)
        .join(ExposureRow, and_(ExposureRow.endpoint_id == Endpoint.id, ExposureRow.sent_at < Model.released_on))
        .group_by(Model.id)
    )
    return {row[0]: row[1] for row in rows}


def keep_report(
    session: Session, kind: str, protocol_id: int, revision: int, body: dict[str, Any], now: datetime, took_s: float
) -> None:
    """Store the newest report of a kind over a protocol, in place of the older one."""
    values = {"revision": revision, "made_at": now, "took_s": took_s, "body": body}
    new = insert(ReportRow).values(kind=kind, protocol_id=protocol_id, **values)
    session.execute(new.on_conflict_do_update(index_elements=["kind", "protocol_id"], set_=values))


def report(session: Session, kind: str, protocol_id: int) -> ReportRow | None:
    """Return the newest report of a kind over a protocol."""
    return session.get(ReportRow, (kind, protocol_id))


def report_metadata(session: Session, kind: str, protocols: Collection[int]) -> dict[int, ReportMetadata]:
    """Return protocol -> metadata of its newest report of a kind."""
    rows = session.execute(
        select(ReportRow.protocol_id, ReportRow.revision, ReportRow.made_at, ReportRow.took_s).where(
            ReportRow.kind == kind, ReportRow.protocol_id.in_(protocols)
        )
    )
    return {row.protocol_id: ReportMetadata(row.revision, row.made_at, row.took_s) for row in rows}


def requested_revisions(session: Session) -> dict[int, int]:
    """Return protocol -> the revision at which reports over it were requested."""
    rows = session.execute(select(ProtocolRow.id, ProtocolRow.reports_asked))
    return {row.id: row.reports_asked for row in rows}


def people_imported_at(session: Session) -> datetime | None:
    """Return when people's ratings or standings were last imported."""
    moments = select(
        func.greatest(
            select(func.max(HumanRatings.stored_at)).scalar_subquery(),
            select(func.max(ContestStanding.captured_at)).scalar_subquery(),
        )
    )
    return session.scalar(moments)


def uncounted_protocols(session: Session) -> set[int]:
    """Return the protocols with imported results that are in no cell yet."""
    protocol_ids = select(Run.protocol_id).join(DirtyCell, DirtyCell.run_id == Run.id)
    return set(session.scalars(protocol_ids.where(Run.origin == RunOrigin.IMPORTED).distinct()))


def graded_problems(session: Session, run_id: int) -> list[GradedProblem]:
    """Return the dated problems of a run with graded answers, without withdrawn or held ones and canaries."""
    rows = session.execute(
        select(
            Problem.released_on, Source.slug, Contest.external_id, func.sum(CellRow.n), func.sum(CellRow.c),
        )
        .join(Problem, Problem.id == CellRow.problem_id)
        .join(Source, Source.id == Problem.source_id)
        .outerjoin(Contest, Contest.id == Problem.contest_id)
        .where(
            CellRow.run_id == run_id, CellRow.n > 0, Problem.canary.is_(False), Problem.released_on.is_not(None),
            Problem.state.not_in((ProblemState.WITHDRAWN, ProblemState.HELD)),
        )
        .group_by(Problem.id, Source.slug, Contest.external_id)
        .order_by(Problem.released_on, Problem.id)
    )  # fmt: skip
    return [
        GradedProblem(released_on.date(), f"{source}:{contest or released_on.date()}", int(n), int(c))
        for released_on, source, contest, n, c in rows
        if released_on is not None
    ]
