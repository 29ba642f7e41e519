"""Directory of public problems and models, newest first, searched by name."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from app.db.evidence import directory as store
from app.db.kernel.session import Session
from app.db.problems import difficulties
from app.domain.cube.facts import CutoffBasis
from app.domain.cutoffs import cutoff_of
from app.domain.errors import InvalidInput, UnknownName
from app.domain.problems import Level, TestsOrigin
from app.domain.publishing.bands import level_of
from app.domain.states import ProblemState

_MAX_QUERY_CHARS = 200


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


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model with public runs; `cutoff_on` is the day that exposure is decided by, `size_b` billions of parameters."""

    id: int
    slug: str
    name: str
    organisation: str
    demo: bool
    open_weights: bool | None
    size_b: float | None
    released_on: date | None
    cutoff_on: date
    cutoff_basis: CutoffBasis
    runs: int


def problems(
    session: Session, before: int | None, limit: int, *, platform: str | None = None, text: str | None = None
) -> list[ListedProblem]:
    """Return problems by release, undated ones last, after the one with the number `before`.

    `text` is searched in titles, in any language, and in problems' names, ignoring case. Raises InvalidInput for an
    impossible text, and UnknownName for a platform without problems.
    """
    text = _check_text(text)
    if platform is not None and platform not in (names := platforms(session)):
        raise UnknownName("platform", platform, names)
    rows = store.problems(session, before, limit, source=platform, text=text)
    newest = difficulties.newest(session, [row.id for row in rows])
    return [
        ListedProblem(
            id=row.id,
            source=row.source,
            source_name=row.source_name,
            demo=row.demo,
            external_id=row.external_id,
            title=row.title,
            titles=row.titles,
            contest=row.contest,
            released_on=row.released_on,
            state=ProblemState(row.state),
            level=level_of(newest.get(row.id, {}), row.source),
            tests_origin=None if row.tests_origin is None else TestsOrigin(row.tests_origin),
        )
        for row in rows
    ]


def platforms(session: Session) -> dict[str, str]:
    """Return the names of the sources of public problems, by slug."""
    return store.sources(session)


def models(session: Session, before: int | None, limit: int, *, text: str | None = None) -> list[ListedModel]:
    """Return models by registration, newest first, before the one with the number `before`.

    `text` is searched in names and organisations, ignoring case. Raises InvalidInput for an impossible text.
    """
    text, listed = _check_text(text), []
    for row in store.models(session, before, limit, text=text):
        cutoff, basis = cutoff_of(row.cutoff_on, row.released_on, row.created_at)
        listed.append(
            ListedModel(
                id=row.id,
                slug=row.slug,
                name=row.name,
                organisation=row.organisation,
                demo=row.demo,
                open_weights=row.open_weights,
                size_b=row.size_b,
                released_on=row.released_on,
                cutoff_on=cutoff,
                cutoff_basis=basis,
                runs=row.runs,
            )
        )
    return listed


def addresses(session: Session, limit: int) -> list[str]:
    """Return the paths of everything that has a page, without a language: models, then the newest problems."""
    paths = [f"/models/{model.slug}" for model in store.models(session, None, limit, text=None)]
    problems = store.problem_names(session, limit - len(paths))
    return paths + [f"/problems/{source}/{name}" for source, name in problems]


def _check_text(text: str | None) -> str | None:
    """Return a search text without surrounding spaces, which some keyboards leave; None if it is empty."""
    # Titles in Chinese and Japanese use the wide space, which counts as unprintable.
    if text is not None and (len(text) > _MAX_QUERY_CHARS or not text.replace("\u3000", " ").isprintable()):
        raise InvalidInput("q is too long or has characters that are not allowed", pointer="/q")
    return text.strip() or None if text else None
