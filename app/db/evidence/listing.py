"""The public problems that a list shows, chosen and ordered by what they are."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Text, column, func, literal_column, select

from app.db.evidence import directory
from app.db.kernel.session import Session
from app.db.runs.results import is_public
from app.db.tables import Problem, Source


class ProblemSort(StrEnum):
    """Columns that problems are sorted by; `solved` is the mean pass rate."""

    RELEASED = "released"
    TITLE = "title"
    SOURCE = "source"
    LEVEL = "level"
    SOLVED = "solved"


@dataclass(frozen=True, slots=True)
class ProblemChoice:
    """The problems to list: of a source, with a topic, with a tag of their site, or with a text in a title or name."""

    source: str | None = None
    topic: str | None = None
    tag: str | None = None
    text: str | None = None


def problem_ids(session: Session, choice: ProblemChoice, sort: ProblemSort, *, descending: bool) -> list[int]:
    """Return the ids of the chosen public problems, sorted; those without a release date count as the oldest.

    Levels and pass rates are no columns of a problem: under these the order is that of release.
    """
    keys: dict[ProblemSort, ColumnElement[Any]] = {
        ProblemSort.TITLE: func.lower(Problem.title),
        ProblemSort.SOURCE: func.lower(Source.name),
    }
    column_key = keys.get(sort, directory.release())
    key = column_key.desc() if descending else column_key.asc()
    query = select(Problem.id).join(Source, Source.id == Problem.source_id).where(is_public())
    if choice.source is not None:
        query = query.where(Source.slug == choice.source)
    if choice.topic is not None:
        query = query.where(Problem.topics.contains([choice.topic]))
    if choice.tag is not None:
        query = query.where(Problem.tags.contains([choice.tag]))
    if choice.text is not None:
        query = query.where(directory.is_named(session, choice.text))
    newest = directory.release().desc(), Problem.id.desc()
    return list(session.scalars(query.order_by(key, *newest)))


def topic_counts(session: Session) -> dict[str, int]:
    """Return the number of public problems of each topic."""
    topic = func.unnest(Problem.topics).label("topic")
    rows = select(topic).where(is_public()).subquery()
    query = select(rows.c.topic, func.count()).group_by(rows.c.topic)
    return {row[0]: row[1] for row in session.execute(query)}


def tags(session: Session, text: str, limit: int) -> list[tuple[str, int]]:
    """Return the sites' tags that contain a text, with their numbers of public problems, the most frequent first."""
    each = select(func.unnest(Problem.tags).label("tag")).where(is_public()).subquery()
    number = func.count()
    found = directory.contains(session, text, column("tag", Text))
    query = select(each.c.tag, number).where(found).group_by(each.c.tag)
    rows = session.execute(query.order_by(literal_column("2").desc(), each.c.tag).limit(limit))
    return [(row[0], row[1]) for row in rows]
