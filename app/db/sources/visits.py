"""The newest visits of each source, found without reading older ones."""

from sqlalchemy import ColumnElement, select, true, tuple_
from sqlalchemy.orm import aliased

from app.db.tables import ScrapeRun


def newest(*which: ColumnElement[bool]) -> type[ScrapeRun]:
    """Return an alias of the newest visit of each source and purpose that meets these conditions.

    A recursive query steps from one source and purpose to the next by the index, so that years of visits are not read.
    """
    pair = (ScrapeRun.source_id, ScrapeRun.purpose)
    visited = select(*pair).order_by(*pair).limit(1).cte(recursive=True)
    following = select(*pair).where(tuple_(*pair) > tuple_(*visited.c)).order_by(*pair).limit(1).lateral()
    visited = visited.union_all(select(*following.c).select_from(visited).join(following, true()))
    last = (
        select(ScrapeRun)
        .where(ScrapeRun.source_id == visited.c.source_id, ScrapeRun.purpose == visited.c.purpose, *which)
        .order_by(ScrapeRun.id.desc())
        .limit(1)
        .lateral()
    )
    return aliased(ScrapeRun, select(last).select_from(visited).join(last, true()).subquery())
