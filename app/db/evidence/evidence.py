"""Problems sent to endpoints, and reports over cells."""

from collections.abc import Collection, Iterable
from datetime import date, datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, exists, func, select, tuple_
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import aliased

from app.db.kernel.session import Session
from app.db.runs.catalogue import is_public
from app.db.tables import (
    CellRow,
    Contest,
    ContestStanding,
    DirtyCell,
    Endpoint,
    Exposure,
    HumanField,
    Model,
    Problem,
    ProtocolRow,
    Report,
    Run,
    Source,
)
from app.domain.addresses import host_of
from app.domain.states import ProblemState, RunOrigin


class Sent(NamedTuple):
    """A sending of a problem to an endpoint."""

    endpoint: int
    problem_id: int
    model: str
    organisation: str
    source: str
    external_id: str
    sent_at: datetime


class SentTo(NamedTuple):
    """Number of problems sent to a model's endpoints, and when the first was sent."""

    problems: int
    first: datetime


class Graded(NamedTuple):
    """One problem of a run: release day, cluster and graded answers."""

    day: date
    cluster: str
    n: int
    c: int


class Exposed(NamedTuple):
    """Numbers of problems sent to a model's endpoints, and to others of its organisation before its release."""

    model: str
    name: str
    organisation: str
    sent: int
    first: datetime | None
    last: datetime | None
    before: int


class Made(NamedTuple):
    """Board revision of a report, when it was made, and how long that took."""

    revision: int
    made_at: datetime
    took_s: float


def note_sent(session: Session, endpoint: Endpoint, problems: Iterable[int], now: datetime) -> None:
    """Record that these problems are sent to an endpoint now; every sending is stored."""
    address = "" if endpoint.trusted else host_of(endpoint.base_url)
    rows = [
        {"endpoint_id": endpoint.id, "problem_id": problem, "sent_at": now, "address": address}
        for problem in sorted(set(problems))
    ]
    if rows:
        session.execute(insert(Exposure).on_conflict_do_nothing(), rows)


def sent(session: Session, model: str | None, after: tuple[datetime, int, int] | None, limit: int) -> list[Sent]:
    """Return sendings after `after` = (instant, endpoint, problem), in order; `model` is a slug."""
    rules = [] if model is None else [Model.slug == model]
    place = tuple_(Exposure.sent_at, Exposure.endpoint_id, Exposure.problem_id)
    if after is not None:
        rules.append(place > after)
    rows = session.execute(
        select(
            Exposure.endpoint_id, Exposure.problem_id, Model.slug, Model.organisation_name, Source.slug,
            Problem.external_id, Exposure.sent_at,
        )
        .join(Endpoint, Endpoint.id == Exposure.endpoint_id)
        .join(Model, Model.id == Endpoint.model_id)
        .join(Problem, Problem.id == Exposure.problem_id)
        .join(Source, Source.id == Problem.source_id)
        .where(is_public(), _has_public_run(), *rules)
        .order_by(Exposure.sent_at, Exposure.endpoint_id, Exposure.problem_id)
        .limit(limit)
    )  # fmt: skip
    return [Sent(*row) for row in rows]


def sent_to(session: Session, model: str) -> SentTo | None:
    """Return the number of public problems sent to a model's endpoints, or None for no problem; `model` is a slug."""
    count, first = session.execute(
        select(func.count(Exposure.problem_id.distinct()), func.min(Exposure.sent_at))
        .join(Endpoint, Endpoint.id == Exposure.endpoint_id)
        .join(Model, Model.id == Endpoint.model_id)
        .join(Problem, Problem.id == Exposure.problem_id)
        .where(Model.slug == model, is_public(), _has_public_run())
    ).one()
    return SentTo(count, first) if first is not None else None


def exposed(session: Session) -> list[Exposed]:
    """Return the exposure of every model with a public run to which problems were sent, by slug."""
    rows = session.execute(
        select(
            Model.id, Model.slug, Model.name, Model.organisation_name,
            func.count(Exposure.problem_id.distinct()), func.min(Exposure.sent_at), func.max(Exposure.sent_at),
        )
        .join(Endpoint, Endpoint.model_id == Model.id)
        .join(Exposure, Exposure.endpoint_id == Endpoint.id)
        .where(_has_public_run())
        .group_by(Model.id)
        .order_by(Model.slug)
    ).all()  # fmt: skip
    before = _sent_before(session)
    return [Exposed(row[1], row[2], row[3], row[4], row[5], row[6], before.get(row[0], 0)) for row in rows]


def _has_public_run() -> ColumnElement[bool]:
    """Return the condition that a model has a public run; private and embargoed ones stay undisclosed."""
    return exists().where(Run.model_id == Model.id, Run.public)


def _sent_before(session: Session) -> dict[int, int]:
    """Return model -> number of problems that its organisation's other models were sent before its release."""
    sibling = aliased(Model)
    rows = session.execute(
        select(Model.id, func.count(Exposure.problem_id.distinct()))
        .join(sibling, and_(sibling.organisation_id == Model.organisation_id, sibling.id != Model.id))
        .join(Endpoint, Endpoint.model_id == sibling.id)
        .join(Exposure, and_(Exposure.endpoint_id == Endpoint.id, Exposure.sent_at < Model.released_on))
        .group_by(Model.id)
    )
    return {row[0]: row[1] for row in rows}


def keep_report(
    session: Session, kind: str, protocol_id: int, revision: int, body: dict[str, Any], now: datetime, took_s: float
) -> None:
    """Store the newest report of a kind over a protocol, in place of the older one."""
    values = {"revision": revision, "made_at": now, "took_s": took_s, "body": body}
    new = insert(Report).values(kind=kind, protocol_id=protocol_id, **values)
    session.execute(new.on_conflict_do_update(index_elements=["kind", "protocol_id"], set_=values))


def report(session: Session, kind: str, protocol_id: int) -> Report | None:
    """Return the newest report of a kind over a protocol."""
    return session.get(Report, (kind, protocol_id))


def reported(session: Session, kind: str, protocols: Collection[int]) -> dict[int, Made]:
    """Return protocol -> metadata of its newest report of a kind."""
    rows = session.execute(
        select(Report.protocol_id, Report.revision, Report.made_at, Report.took_s).where(
            Report.kind == kind, Report.protocol_id.in_(protocols)
        )
    )
    return {row.protocol_id: Made(row.revision, row.made_at, row.took_s) for row in rows}


def requested_revisions(session: Session) -> dict[int, int]:
    """Return protocol -> the revision at which reports over it were requested."""
    rows = session.execute(select(ProtocolRow.id, ProtocolRow.reports_asked))
    return {row.id: row.reports_asked for row in rows}


def people_heard_at(session: Session) -> datetime | None:
    """Return when people's ratings or standings were last imported."""
    moments = select(
        func.greatest(
            select(func.max(HumanField.stored_at)).scalar_subquery(),
            select(func.max(ContestStanding.captured_at)).scalar_subquery(),
        )
    )
    return session.scalar(moments)


def uncounted(session: Session) -> set[int]:
    """Return the protocols with imported results that are in no cell yet."""
    protocol_ids = select(Run.protocol_id).join(DirtyCell, DirtyCell.run_id == Run.id)
    return set(session.scalars(protocol_ids.where(Run.origin == RunOrigin.IMPORTED).distinct()))


def graded(session: Session, run_id: int) -> list[Graded]:
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
        Graded(released_on.date(), f"{source}:{contest or released_on.date()}", int(n), int(c))
        for released_on, source, contest, n, c in rows
        if released_on is not None
    ]
