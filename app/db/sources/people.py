"""Rating distributions of all people of a site, and the links from rewritten problems to originals."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from app.db.kernel import blobs
from app.db.kernel.session import Session
from app.db.tables import HumanRatings, Problem, Rewrite, Source
from app.domain.asking.protocols import PRIVATE_SOURCE


class People(NamedTuple):
    """Total number of people, import time, and pairs of (rating, people)."""

    total: int
    stored_at: datetime
    ratings: tuple[tuple[float, int], ...]


def keep(session: Session, file_sha256: str, ratings: Sequence[tuple[float, int]], now: datetime) -> None:
    """Store the ratings of a file, the newest from now on."""
    body = json.dumps([list(rating) for rating in ratings], separators=(",", ":")).encode()
    values = {"people": sum(count for _, count in ratings), "blob_sha256": blobs.store_blob(session, body)}
    new = insert(HumanRatings).values(file_sha256=file_sha256, stored_at=now, **values)
    session.execute(new.on_conflict_do_update(index_elements=["file_sha256"], set_={"stored_at": now}))


def newest(session: Session) -> People | None:
    """Return the ratings imported last."""
    row = session.scalar(
        select(HumanRatings).order_by(HumanRatings.stored_at.desc(), HumanRatings.file_sha256).limit(1)
    )
    if row is None:
        return None
    ratings = json.loads(blobs.get(session, row.blob_sha256))
    return People(row.people, row.stored_at, tuple((rating, count) for rating, count in ratings))


def set_rewrite(session: Session, problem_id: int, original_id: int) -> None:
    """Record that a problem rewrites another one; the last record holds."""
    new = insert(Rewrite).values(problem_id=problem_id, original_id=original_id)
    session.execute(new.on_conflict_do_update(index_elements=["problem_id"], set_={"original_id": original_id}))


def rewrites(session: Session) -> list[tuple[int, int]]:
    """Return every (original, rewriting problem), by id."""
    rows = session.execute(select(Rewrite.original_id, Rewrite.problem_id).order_by(Rewrite.problem_id))
    return [(row.original_id, row.problem_id) for row in rows]


def private_problems(session: Session) -> frozenset[int]:
    """Return the problems that are nowhere public: those of the private source while no page shows its texts."""
    rules = Source.slug == PRIVATE_SOURCE, Source.show_statements.is_(False)
    return frozenset(
        session.scalars(select(Problem.id).join(Source, Source.id == Problem.source_id).where(*rules)).all()
    )
