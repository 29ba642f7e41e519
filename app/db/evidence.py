"""Which problems were sent to which endpoints, and reports over cells."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import func, select, tuple_
from sqlalchemy.dialects.postgresql import insert

from app.db.session import Session
from app.db.tables import Endpoint, Exposure, Model, Organisation, Problem, Report, Source


class Sent(NamedTuple):
    """A problem that was sent to an endpoint, first at that instant."""

    endpoint: int
    problem_id: int
    model: str
    organisation: str
    source: str
    external_id: str
    sent_at: datetime


class Exposed(NamedTuple):
    """How many problems were sent to a model's endpoints, and to others of its organisation before it came out."""

    model: str
    name: str
    organisation: str
    sent: int
    first: datetime | None
    last: datetime | None
    before: int


class Made(NamedTuple):
    """Of which cells a report is, when it was made, and how long that took."""

    revision: int
    made_at: datetime
    took_s: float


def note_sent(session: Session, endpoint_id: int, problems: Iterable[int], now: datetime) -> None:
    """Say that these problems leave for an endpoint now; the first time counts."""
    rows = [{"endpoint_id": endpoint_id, "problem_id": each, "sent_at": now} for each in sorted(set(problems))]
    if rows:
        session.execute(insert(Exposure).on_conflict_do_nothing(), rows)


def sent(session: Session, model: str | None, after: tuple[datetime, int, int] | None, limit: int) -> list[Sent]:
    """Problems sent, in the order they were, later than `after` = (instant, endpoint, problem); `model` is a slug."""
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
        .where(Problem.canary.is_(False), *rules)
        .order_by(Exposure.sent_at, Exposure.endpoint_id, Exposure.problem_id)
        .limit(limit)
    )  # fmt: skip
    return [Sent(*row) for row in rows]


def exposed(session: Session) -> list[Exposed]:
    """Every model that problems were sent to, by slug."""
    rows = session.execute(
        select(
            Model.slug, Model.name, Model.organisation_name, Model.organisation_id, Model.released_on,
            func.count(Exposure.problem_id.distinct()), func.min(Exposure.sent_at), func.max(Exposure.sent_at),
        )
        .join(Endpoint, Endpoint.model_id == Model.id)
        .join(Exposure, Exposure.endpoint_id == Endpoint.id)
        .group_by(Model.id)
        .order_by(Model.slug)
    ).all()  # fmt: skip
    return [
        Exposed(slug, name, called, count, first, last, _before(session, slug, organisation, released_on))
        for slug, name, called, organisation, released_on, count, first, last in rows
    ]


def _before(session: Session, slug: str, organisation: int | None, released_on: Any) -> int:
    """Problems that other models of an organisation were sent before this one came out."""
    if organisation is None or released_on is None:
        return 0
    others = (
        select(func.count(Exposure.problem_id.distinct()))
        .join(Endpoint, Endpoint.id == Exposure.endpoint_id)
        .join(Model, Model.id == Endpoint.model_id)
        .join(Organisation, Organisation.id == Model.organisation_id)
        .where(Organisation.id == organisation, Model.slug != slug, Exposure.sent_at < released_on)
    )
    return int(session.scalar(others) or 0)


def keep_report(
    session: Session, kind: str, protocol_id: int, revision: int, body: dict[str, Any], now: datetime, took_s: float
) -> None:
    """The newest report of a kind over a protocol; the older one goes."""
    values = {"revision": revision, "made_at": now, "took_s": took_s, "body": body}
    new = insert(Report).values(kind=kind, protocol_id=protocol_id, **values)
    session.execute(new.on_conflict_do_update(index_elements=["kind", "protocol_id"], set_=values))


def report(session: Session, kind: str, protocol_id: int) -> Report | None:
    """The newest report of a kind over a protocol."""
    return session.get(Report, (kind, protocol_id))


def reported(session: Session, kind: str, protocols: Collection[int]) -> dict[int, Made]:
    """Protocol -> what is known of its newest report of a kind."""
    rows = session.execute(
        select(Report.protocol_id, Report.revision, Report.made_at, Report.took_s).where(
            Report.kind == kind, Report.protocol_id.in_(protocols)
        )
    )
    return {row.protocol_id: Made(row.revision, row.made_at, row.took_s) for row in rows}
