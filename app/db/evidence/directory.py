"""Public lists: problems by release, models by registration, both newest first."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, collate, column, exists, func, literal_column, or_, select
from sqlalchemy.orm import InstrumentedAttribute

from app.db.kernel.session import Session
from app.db.problems import difficulties
from app.db.runs.models import ListedModel, listed_model
from app.db.runs.results import is_public
from app.db.runs.runs import is_ranked
from app.db.tables import Contest, Model, Problem, ProtocolRow, Run, Source, TestSet
from app.domain.problems import Level, TestsOrigin
from app.domain.publishing.bands import level_of
from app.domain.states import ProblemState

_NEVER: ColumnElement[datetime] = literal_column("'-infinity'::timestamptz")  # undated problems come last


@dataclass(frozen=True, slots=True)
class ListedProblem:
    """A public problem. `title` is the source's own, `titles` those that it has in other languages."""

    id: int
    source: str
    source_name: str
    demo: bool
    external_id: str
    title: str
    titles: Mapping[str, str]
    contest: str | None
    released_on: datetime | None
    state: ProblemState
    level: Level | None
    tests_origin: TestsOrigin | None


class DirectoryTotals(NamedTuple):
    """Numbers of public problems and of models with public runs, and the release of the oldest and newest problem."""

    problems: int
    oldest: datetime | None
    newest: datetime | None
    models: int


def totals(session: Session) -> DirectoryTotals:
    """Return how much the public lists hold."""
    released = func.count(), func.min(Problem.released_on), func.max(Problem.released_on)
    problems, oldest, newest = session.execute(select(*released).where(is_public())).one()
    run = select(Run.id).join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
    shown = run.where(Run.model_id == Model.id, Run.public, is_ranked()).exists()
    models = session.scalar(select(func.count()).select_from(Model).where(shown))
    return DirectoryTotals(problems, oldest, newest, models or 0)


def problems(
    session: Session, before: int | None, limit: int, *, source: str | None, text: str | None
) -> list[ListedProblem]:
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
        query = query.where(is_named(session, text))
    return _listed_problems(session, query)


def is_named(session: Session, text: str) -> ColumnElement[bool]:
    """Return the condition that a problem has a text in its name or in a title, in any language."""
    named = func.jsonb_each_text(Problem.titles).table_valued("key", "value")
    other = exists(select(1).select_from(named).where(contains(session, text, column("value"))))
    return or_(contains(session, text, Problem.title, Problem.external_id), other)


def problems_by_id(session: Session, problem_ids: Collection[int]) -> dict[int, ListedProblem]:
    """Return some problems by their ids."""
    listed = _listed_problems(session, _problems().where(Problem.id.in_(problem_ids)))
    return {problem.id: problem for problem in listed}


def _listed_problems(session: Session, query: Select[*tuple[Any, ...]]) -> list[ListedProblem]:
    rows = session.execute(query).mappings().all()
    newest = difficulties.newest(session, [row["id"] for row in rows])
    return [
        ListedProblem(
            **dict(row)
            | {
                "state": ProblemState(row["state"]),
                "level": level_of(newest.get(row["id"], {}), row["source"]),
                "tests_origin": None if row["tests_origin"] is None else TestsOrigin(row["tests_origin"]),
            }
        )
        for row in rows
    ]


def _problems() -> Select[*tuple[Any, ...]]:
    return (
        select(
            Problem.id, Source.slug.label("source"), Source.name.label("source_name"), Source.demo,
            Problem.external_id, Problem.title, Problem.titles, Contest.title.label("contest"), Problem.released_on,
            Problem.state, TestSet.origin.label("tests_origin"),
        )
        .join(Source, Source.id == Problem.source_id)
        .outerjoin(Contest, Contest.id == Problem.contest_id)
        .outerjoin(TestSet, TestSet.id == Problem.current_test_set_id)
    )  # fmt: skip


def _day(released_on: InstrumentedAttribute[datetime | None]) -> ColumnElement[datetime]:
    return func.coalesce(released_on, _NEVER)


def release() -> ColumnElement[datetime]:
    """Return a problem's release, before all dates if it has none."""
    return _day(Problem.released_on)


def contains(
    session: Session, text: str, *columns: ColumnElement[str] | InstrumentedAttribute[str]
) -> ColumnElement[bool]:
    """Return the condition that any of the columns contains a text, in any case."""
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


def models(session: Session, before: int | None, limit: int, *, text: str | None) -> list[ListedModel]:
    """Return models with public runs under ranked protocols, with ids below `before`."""
    count = (
        select(func.count(Run.id))
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .where(Run.model_id == Model.id, Run.public, is_ranked())
        .scalar_subquery()
    )
    query = select(Model, count).where(count > 0).order_by(Model.id.desc()).limit(limit)
    if before is not None:
        query = query.where(Model.id < before)
    if text is not None:
        query = query.where(contains(session, text, Model.name, Model.slug, Model.organisation_name))
    return [listed_model(model, runs) for model, runs in session.execute(query)]


def problem_names(session: Session, limit: int) -> list[tuple[str, str]]:
    """Return (source slug, external id) of public problems, newest first."""
    query = select(Source.slug, Problem.external_id).join(Problem, Problem.source_id == Source.id).where(is_public())
    rows = session.execute(query.order_by(_day(Problem.released_on).desc(), Problem.id.desc()).limit(limit))
    return [(row.slug, row.external_id) for row in rows]
