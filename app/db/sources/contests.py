"""Contests: storing the facts that lists and pages state, and finding contests."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import func, or_, select
from sqlalchemy.dialects.postgresql import insert

from app.db.kernel.session import Session
from app.db.tables import Contest


def upsert(session: Session, source_id: int, external_id: str, values: Mapping[str, Any]) -> Contest:
    """Store the facts of a contest and return it; facts that are None leave the known values."""
    facts = {name: value for name, value in values.items() if value is not None}
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


def upsert_all(session: Session, source_id: int, facts_by_name: Mapping[str, Mapping[str, Any]]) -> None:
    """Store the facts of a list's contests, all with the same keys; facts that are None leave the known values."""
    rows = [{"source_id": source_id, "external_id": name, **values} for name, values in sorted(facts_by_name.items())]
    if not rows:
        return
    new = insert(Contest)
    facts = {
        name: func.coalesce(new.excluded[name], getattr(Contest, name)) for name in next(iter(facts_by_name.values()))
    }
    changed = or_(*(getattr(Contest, name).is_distinct_from(fact) for name, fact in facts.items()))
    session.flush()
    session.execute(
        new.on_conflict_do_update(index_elements=["source_id", "external_id"], set_=facts, where=changed), rows
    )
    session.expire_all()


class ListedContest(NamedTuple):
    """A contest as the source's lists show it."""

    external_id: str
    title: str
    kind: str | None
    starts_at: datetime | None
    ends_at: datetime | None


def begun_since(session: Session, source_id: int, since: datetime) -> list[ListedContest]:
    """Return the contests of a source that began at or after `since`, oldest first."""
    rows = session.execute(
        select(Contest.external_id, Contest.title, Contest.kind, Contest.starts_at, Contest.ends_at)
        .where(Contest.source_id == source_id, Contest.starts_at >= since)
        .order_by(Contest.starts_at, Contest.id)
    )
    return [ListedContest(*row) for row in rows]


def titles(session: Session, source_id: int) -> dict[str, str]:
    """Return the titles of a source's contests by external id."""
    rows = session.execute(select(Contest.external_id, Contest.title).where(Contest.source_id == source_id))
    return {row[0]: row[1] for row in rows}


def find(session: Session, source_id: int, external_id: str) -> Contest | None:
    """Return the contest with that external id."""
    return session.scalar(select(Contest).where(Contest.source_id == source_id, Contest.external_id == external_id))
