"""Contests: storing the facts that lists and pages state, and finding contests."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, or_, select
from sqlalchemy.dialects.postgresql import insert

from app.db.kernel.session import Session
from app.db.tables import Contest, Source
from app.domain.asking.protocols import PRIVATE_SOURCE
from app.domain.sources.records import ScrapedContest
from app.domain.states import ContestState


@dataclass(frozen=True, slots=True)
class ContestFacts:
    """Facts of a contest to be stored; None leaves the known value."""

    title: str | None = None
    kind: str | None = None
    division: str | None = None
    url: str | None = None
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    state: ContestState | None = None


def upsert(session: Session, source_id: int, external_id: str, new_facts: ContestFacts) -> Contest:
    """Store the facts of a contest and return it."""
    facts = {name: value for name, value in asdict(new_facts).items() if value is not None}
    contest = find(session, source_id, external_id)
    if contest is None:
        new = insert(Contest).values(source_id=source_id, external_id=external_id, **facts)
        added = session.scalar(new.on_conflict_do_nothing().returning(Contest))
        contest = added or find(session, source_id, external_id)
        assert contest is not None  # it existed, or was just added
    for name, value in facts.items():
        setattr(contest, name, value)
    session.flush()
    return contest


def upsert_all(session: Session, source_id: int, facts_by_name: Mapping[str, ContestFacts]) -> None:
    """Store the facts of a list's contests."""
    rows = [
        {"source_id": source_id, "external_id": name, **asdict(contest)}
        for name, contest in sorted(facts_by_name.items())
    ]
    if not rows:
        return
    new = insert(Contest)
    facts = {
        slot.name: func.coalesce(new.excluded[slot.name], getattr(Contest, slot.name)) for slot in fields(ContestFacts)
    }
    changed = or_(*(getattr(Contest, name).is_distinct_from(fact) for name, fact in facts.items()))
    session.flush()
    session.execute(
        new.on_conflict_do_update(index_elements=["source_id", "external_id"], set_=facts, where=changed), rows
    )
    session.expire_all()


def begun_since(session: Session, source_id: int, since: datetime) -> list[ScrapedContest]:
    """Return the contests of a source that began at or after `since`, oldest first."""
    rows = session.execute(
        select(Contest.external_id, Contest.title, Contest.kind, Contest.starts_at, Contest.ends_at)
        .where(Contest.source_id == source_id, Contest.starts_at >= since)
        .order_by(Contest.starts_at, Contest.id)
    )
    return [
        ScrapedContest(name, title, kind, starts_at=starts_at, ends_at=ends_at)
        for name, title, kind, starts_at, ends_at in rows
    ]


class ContestDates(NamedTuple):
    """A contest with its source and its dates."""

    source: str
    source_title: str
    external_id: str
    title: str
    starts_at: datetime
    ends_at: datetime


def dated_between(session: Session, start: datetime, end: datetime) -> list[ContestDates]:
    """Return the contests of public sources that begin in [start, end), oldest first."""
    rows = session.execute(
        select(Source.slug, Source.name, Contest.external_id, Contest.title, Contest.starts_at, Contest.ends_at)
        .join(Source, Source.id == Contest.source_id)
        .where(Contest.starts_at >= start, Contest.starts_at < end)
        .where(Source.slug != PRIVATE_SOURCE)
        .order_by(Contest.starts_at, Contest.id)
    )
    return [
        ContestDates(slug, name, external_id, title, starts_at, ends_at)
        for slug, name, external_id, title, starts_at, ends_at in rows
        if starts_at is not None and ends_at is not None
    ]


def titles(session: Session, source_id: int) -> dict[str, str]:
    """Return the titles of a source's contests by external id."""
    rows = session.execute(select(Contest.external_id, Contest.title).where(Contest.source_id == source_id))
    return {row[0]: row[1] for row in rows}


def find(session: Session, source_id: int, external_id: str) -> Contest | None:
    """Return the contest with that external id."""
    return session.scalar(select(Contest).where(Contest.source_id == source_id, Contest.external_id == external_id))
