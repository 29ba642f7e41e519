"""Public lists: problems by release, models by registration, both newest first."""

from collections.abc import Collection
from datetime import date, datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, collate, column, exists, func, literal_column, or_, select
from sqlalchemy.orm import InstrumentedAttribute

from app.db.kernel.session import Session
from app.db.runs.catalogue import is_public
from app.db.runs.runs import is_ranked
from app.db.tables import Contest, Model, Problem, ProtocolRow, Run, Source, TestSet

_NEVER: ColumnElement[datetime] = literal_column("'-infinity'::timestamptz")  # undated problems come last


class DirectoryProblem(NamedTuple):
    """A problem with its date and the origin of its tests."""

    id: int
    source: str
    source_name: str
    demo: bool
    external_id: str
    title: str
    titles: dict[str, str]
    contest: str | None
    released_on: datetime | None
    state: str
    tests_origin: str | None


class DirectoryModel(NamedTuple):
    """A model with the facts behind its cutoff, and the number of its public runs."""

    id: int
    slug: str
    name: str
    organisation: str
    demo: bool
    open_weights: bool | None
    size_b: float | None
    released_on: date | None
    cutoff_on: date | None
    created_at: datetime
    runs: int


def problems(
    session: Session, before: int | None, limit: int, *, source: str | None, text: str | None
) -> list[DirectoryProblem]:
    """Return public problems after the one with id `before`, of a source, and with a text in a title or name."""
    query = _problems().where(is_public()).order_by(_day(Problem.released_on).desc(), Problem.id.desc()).limit(limit)
    if before is not None:
        # The cursor must not reveal the release day of a problem that is not public.
        last = select(_day(Problem.released_on)).where(Problem.id == before, is_public())
        day = last.correlate(None).scalar_subquery()
        older = _day(Problem.released_on) < day
        query = query.where(or_(older, and_(_day(Problem.released_on) == day, Problem.id < before)))
    if source is not None:
        query = query.where(Source.slug == source)
    if text is not None:
        named = func.jsonb_each_text(Problem.titles).table_valued("key", "value")
        other = exists(select(1).select_from(named).where(_contains(session, text, column("value"))))
        query = query.where(or_(_contains(session, text, Problem.title, Problem.external_id), other))
    return [DirectoryProblem(*row) for row in session.execute(query)]


def problems_by_id(session: Session, problem_ids: Collection[int]) -> dict[int, DirectoryProblem]:
    """Return some problems by their ids."""
    lines = (DirectoryProblem(*row) for row in session.execute(_problems().where(Problem.id.in_(problem_ids))))
    return {line.id: line for line in lines}


def _problems() -> Select[*tuple[Any, ...]]:
    return (
        select(
            Problem.id, Source.slug, Source.name, Source.demo, Problem.external_id, Problem.title, Problem.titles,
            Contest.title, Problem.released_on, Problem.state, TestSet.origin,
        )
        .join(Source, Source.id == Problem.source_id)
        .outerjoin(Contest, Contest.id == Problem.contest_id)
        .outerjoin(TestSet, TestSet.id == Problem.current_test_set_id)
    )  # fmt: skip


def _day(released_on: InstrumentedAttribute[datetime | None]) -> ColumnElement[datetime]:
    return func.coalesce(released_on, _NEVER)


def _contains(
    session: Session, text: str, *columns: ColumnElement[str] | InstrumentedAttribute[str]
) -> ColumnElement[bool]:
    # A database's own collation may fold only ASCII letters; version 17 brought one for all alphabets.
    version = session.connection().dialect.server_version_info or ()
    text_columns = [collate(text_column, "pg_c_utf8") for text_column in columns] if version >= (17,) else columns
    return or_(*(text_column.icontains(text.lower(), autoescape=True) for text_column in text_columns))


def sources(session: Session) -> dict[str, str]:
    """Return the names of the sources that have public problems, by slug."""
    public = exists().where(Problem.source_id == Source.id, is_public())
    return {
        row.slug: row.name
        for row in session.execute(select(Source.slug, Source.name).where(public).order_by(Source.slug))
    }


def models(session: Session, before: int | None, limit: int, *, text: str | None) -> list[DirectoryModel]:
    """Return models with public runs under ranked protocols, with ids below `before`."""
    count = (
        select(func.count(Run.id))
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .where(Run.model_id == Model.id, Run.public, is_ranked())
        .scalar_subquery()
    )
    query = (
        select(
            Model.id, Model.slug, Model.name, Model.organisation_name, Model.demo, Model.open_weights, Model.size_b,
            Model.released_on, Model.cutoff_on, Model.created_at, count,
        )
        .where(count > 0)
        .order_by(Model.id.desc())
        .limit(limit)
    )  # fmt: skip
    if before is not None:
        query = query.where(Model.id < before)
    if text is not None:
        query = query.where(_contains(session, text, Model.name, Model.slug, Model.organisation_name))
    return [DirectoryModel(*row) for row in session.execute(query)]


def problem_names(session: Session, limit: int) -> list[tuple[str, str]]:
    """Return (source slug, external id) of public problems, newest first."""
    query = select(Source.slug, Problem.external_id).join(Problem, Problem.source_id == Source.id).where(is_public())
    rows = session.execute(query.order_by(_day(Problem.released_on).desc(), Problem.id.desc()).limit(limit))
    return [(row.slug, row.external_id) for row in rows]
