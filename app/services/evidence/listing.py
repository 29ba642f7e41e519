"""The lists of problems and models that pages show: chosen, sorted, and with what boards say of each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final

import numpy as np

from app.db.boards import cells
from app.db.evidence import listing as store
from app.db.evidence.directory import ListedProblem
from app.db.evidence.listing import ProblemChoice, ProblemSort
from app.db.kernel.session import Session
from app.db.runs.models import ListedModel
from app.domain.boards.board import Board, BoardRow
from app.domain.boards.named_boards import boards
from app.domain.errors import InvalidInput, UnknownName
from app.domain.problems import Level
from app.domain.publishing.tags import Topic
from app.services.boards import board_views
from app.services.boards.cubes import CubeStore, LoadedProtocol
from app.services.evidence import directory

MAX_TAGS: Final = 20
_MAX_MODELS: Final = 10_000
_LEVEL_ORDER: Final = {level: place for place, level in enumerate(Level)}


class ModelSort(StrEnum):
    """Columns that models are sorted by."""

    SCORE = "score"
    NAME = "name"
    ORGANISATION = "organisation"
    CUTOFF = "cutoff"
    RELEASED = "released"


@dataclass(frozen=True, slots=True)
class ProblemListQuery:
    """Request for a list of problems: their filters and the column that they are sorted by."""

    text: str | None = None
    source: str | None = None
    level: Level | None = None
    topic: Topic | None = None
    tag: str | None = None
    sort: ProblemSort = ProblemSort.RELEASED
    descending: bool = True


@dataclass(frozen=True, slots=True)
class ProblemLine:
    """A listed problem with the mean pass rate of the rows of the first board, 0 to 1; None if it is on no row."""

    problem: ListedProblem
    solved: float | None


@dataclass(frozen=True, slots=True)
class ProblemList:
    """Part of the chosen problems, and their whole number."""

    lines: tuple[ProblemLine, ...]
    total: int


@dataclass(frozen=True, slots=True)
class ModelLine:
    """A listed model, and its best row on the first board as it opens; None if it has none."""

    model: ListedModel
    row: BoardRow | None


@dataclass(frozen=True, slots=True)
class ModelList:
    """Part of the chosen models and their whole number; `board` is where scores and ranks are from, None if nowhere.

    `organisations` are those of all models that the text finds.
    """

    lines: tuple[ModelLine, ...]
    total: int
    board: Board | None
    organisations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SearchResults:
    """Models and problems with a text in their names, the first ones and how many there are, and tags with it."""

    models: Sequence[ListedModel]
    problems: ProblemList
    total_models: int
    topics: Mapping[str, int]
    tags: Sequence[tuple[str, int]]


def list_problems(session: Session, cubes: CubeStore, search: ProblemListQuery, skip: int, limit: int) -> ProblemList:
    """Return the problems of a search. Raises InvalidInput for an impossible text, UnknownName for a source."""
    text = directory.check_text(search.text)
    if search.source is not None and search.source not in (names := directory.platforms(session)):
        raise UnknownName("platform", search.source, names)
    choice = ProblemChoice(search.source, search.topic, search.tag, text)
    ids = store.problem_ids(session, choice, search.sort, descending=search.descending)
    loaded = _first_protocol(session, cubes)
    rates = {} if loaded is None else _solved(loaded)
    if search.level is not None or search.sort is ProblemSort.LEVEL:
        levels = cells.levels(session)
        if search.level is not None:
            ids = [problem for problem in ids if levels.get(problem) is search.level]
        if search.sort is ProblemSort.LEVEL:
            places = {problem: _LEVEL_ORDER[level] for problem, level in levels.items()}
            ids = _sort_known(ids, places.get, descending=search.descending)
    if search.sort is ProblemSort.SOLVED:
        ids = _sort_known(ids, rates.get, descending=search.descending)
    shown = ids[skip:][:limit]
    lines = directory.problems_in_order(session, shown)
    return ProblemList(tuple(ProblemLine(line, rates.get(line.id)) for line in lines), len(ids))


def _sort_known(ids: Sequence[int], key: Callable[[int], float | None], *, descending: bool) -> list[int]:
    """Return the ids by a key, in the order that they have where it is the same; those without one come last."""
    known = [problem for problem in ids if key(problem) is not None]
    unknown = [problem for problem in ids if key(problem) is None]
    return sorted(known, key=lambda problem: key(problem) or 0, reverse=descending) + unknown


def _first_protocol(session: Session, cubes: CubeStore) -> LoadedProtocol | None:
    """Return the default protocol of the first board, or its first one with runs; None if nothing is on it."""
    name, board = next(iter(boards().items()))
    facts = board_views.protocols(session)[name]
    fact = next((fact for fact in facts if fact.slug == board.protocol), next(iter(facts), None))
    return None if fact is None else cubes.load(session, fact)


def _solved(loaded: LoadedProtocol) -> dict[int, float]:
    """Return the mean pass rate of each judged problem of a protocol over its runs."""
    ease = loaded.cube.ease
    judged = np.flatnonzero(ease.graded > 0)
    shares = (ease.rates[judged] / ease.graded[judged]).tolist()
    return dict(zip(loaded.cube.axes.ids[judged].tolist(), shares, strict=True))


def list_models(
    session: Session,
    cubes: CubeStore,
    *,
    text: str | None,
    organisation: str | None,
    open_only: bool,
    sort: ModelSort,
    descending: bool,
    skip: int,
    limit: int,
    today: date,
) -> ModelList:
    """Return the models with public results of a search; those without a value to sort by come last.

    Raises InvalidInput for an impossible text.
    """
    models = directory.models(session, None, _MAX_MODELS, text=text)
    organisations = sorted({model.organisation for model in models if model.organisation}, key=str.casefold)
    if organisation is not None:
        models = [model for model in models if model.organisation == organisation]
    if open_only:
        models = [model for model in models if model.open_weights]
    loaded = _first_protocol(session, cubes)
    board = None if loaded is None else board_views.opening_board(session, loaded, cubes, today)
    best: dict[str, tuple[int, BoardRow]] = {}
    for place, row in enumerate(() if board is None else board.rows):
        best.setdefault(row.model, (place, row))
    keys: dict[ModelSort, Callable[[ListedModel], float | str | date | None]] = {
        # The order of the board, ranked rows first: the best one is the highest value.
        ModelSort.SCORE: lambda model: -best[model.slug][0] if model.slug in best else None,
        ModelSort.NAME: lambda model: model.name.casefold(),
        ModelSort.ORGANISATION: lambda model: model.organisation.casefold() or None,
        ModelSort.CUTOFF: lambda model: model.cutoff_on,
        ModelSort.RELEASED: lambda model: model.released_on,
    }
    key = keys[sort]
    known = sorted((model for model in models if key(model) is not None), key=key, reverse=descending)  # type: ignore[arg-type]  # none is None
    ordered = [*known, *(model for model in models if key(model) is None)]
    lines = tuple(
        ModelLine(model, best[model.slug][1] if model.slug in best else None) for model in ordered[skip:][:limit]
    )
    return ModelList(lines, len(ordered), board, tuple(organisations))


def topic_counts(session: Session) -> dict[str, int]:
    """Return the number of public problems of each topic."""
    return store.topic_counts(session)


def search(session: Session, text: str, topics: Sequence[Topic], limit: int) -> SearchResults:
    """Return what a text finds: `topics` are those that the reader's language calls so. Raises InvalidInput."""
    checked = directory.check_text(text)
    if checked is None:
        raise InvalidInput("q is empty", pointer="/q")
    models = directory.models(session, None, _MAX_MODELS, text=checked)
    ids = store.problem_ids(session, ProblemChoice(text=checked), ProblemSort.RELEASED, descending=True)
    lines = directory.problems_in_order(session, ids[:limit])
    counts = store.topic_counts(session)
    return SearchResults(
        models=models[:limit],
        problems=ProblemList(tuple(ProblemLine(line, None) for line in lines), len(ids)),
        total_models=len(models),
        topics={topic: counts[topic] for topic in topics if topic in counts},
        tags=store.tags(session, checked, MAX_TAGS),
    )
