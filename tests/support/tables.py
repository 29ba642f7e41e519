"""What a database holds, as values that can be compared."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import select

from app.db.kernel.session import SessionMaker
from app.db.tables.base import Base


def rows_of(sessions: SessionMaker, *tables: type[Base], without: Collection[str] = ()) -> dict[str, list[Any]]:
    """Every row of these tables, in a fixed order; `without` names columns that may differ.

    When and where a page last said what it said before is no fact.
    """
    left_out = {*without, "flag_words", "seen_at", "capture_id"}
    found: dict[str, list[Any]] = {}
    with sessions() as session:
        for table in tables:
            columns = [column for column in table.__table__.columns if column.name not in left_out]
            found[table.__tablename__] = sorted(repr(tuple(row)) for row in session.execute(select(*columns)))
    return found
