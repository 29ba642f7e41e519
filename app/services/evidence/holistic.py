"""The holistic board: one model's scores in every scenario, how they go together, and how they compare elsewhere."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from app.db.boards import cells
from app.db.boards.cells import ProtocolFact
from app.db.kernel.session import Session
from app.db.sources import external
from app.domain.boards.board import Board, BoardQuery, BoardRow
from app.domain.boards.named import board_of
from app.domain.boards.ranking import rank_board
from app.domain.cube.facts import RunFact
from app.domain.errors import InvalidInput
from app.domain.known_models import identity_of
from app.domain.metrics import paired_difference
from app.domain.metrics.correlation import Correlation, pearson, spearman
from app.domain.problems import Level
from app.domain.ratings.holistic import (
    FAMILIES,
    Ability,
    Group,
    Together,
    Trend,
    abilities,
    grouped,
    lead,
    together,
    trend,
)
from app.domain.slugs import model_slug
from app.services.boards import reading
from app.services.boards.cubes import CubeStore, Loaded
from app.services.boards.query import Params, parse_query, taken
from app.services.evidence.ratings import outcomes_of

WORDS = ("from", "to", "platform", "difficulty")  # the names of a board's URL that all scenarios have
MOST_ROWS = 40  # that are compared in two languages: of 20,000 problems more would be too much for a request


@dataclass(frozen=True, slots=True)
class Row:
    """A model in one configuration, and its score in each scenario, by board; None where it has none.

    A score of too few answers is left out of every comparison: it is in `provisional`.
    """

    fact: RunFact
    scores: Mapping[str, float | None]
    provisional: frozenset[str]

    @property
    def settled(self) -> dict[str, float | None]:
        """The scores that are compared."""
        return {name: None if name in self.provisional else score for name, score in self.scores.items()}


@dataclass(frozen=True, slots=True)
class Spot:
    """A model's score in a table of others and here; its group where some stand apart."""

    fact: RunFact
    name: str
    elsewhere: float
    here: float
    group: Group | None


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """One table of others against code generation here, on all problems or on easy ones alone.

    `unmatched` are the table's models that no row here is named like.
    """

    table: str
    level: Level | None
    spots: tuple[Spot, ...]
    trend: Trend | None
    spearman: Correlation | None
    pearson: Correlation | None
    unmatched: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InTwo:
    """One model on the same problems in two languages: both scores in percent, and the gap in points, first minus
    second, paired by problem and clustered by contest, with its interval."""

    fact: RunFact
    protocols: tuple[str, str]
    languages: tuple[str, str]
    scores: tuple[float, float]
    gap: float
    lo: float
    hi: float
    n: int
    clusters: int


@dataclass(frozen=True, slots=True)
class Holistic:
    """Everything the page shows; `problems` counts those of each ability."""

    family: str
    query: BoardQuery
    revision: int
    abilities: Mapping[str, Ability]
    problems: Mapping[str, int]
    rows: tuple[Row, ...]
    together: tuple[Together, ...]
    elsewhere: tuple[Elsewhere, ...]
    languages: tuple[InTwo, ...]


def parse(params: Params) -> tuple[str, BoardQuery]:
    """The family asked for, and the window and filters of its boards. Raises InvalidInput."""
    pairs = [pair for pair in params if pair[1]]
    for name, _value in pairs:
        if name not in ("family", *WORDS):
            raise InvalidInput(f"this board takes family, {', '.join(WORDS)}, and not {name}", pointer=f"/{name}")
    family, rest = taken(pairs, "family", FAMILIES)
    return family or FAMILIES[0], parse_query(rest, "codegen")


def holistic(session: Session, family: str, query: BoardQuery, cubes: CubeStore) -> Holistic:
    """The holistic board of a family of protocols over a window. Raises InvalidInput for a filter with no match."""
    named = abilities(family)
    asked = {name: replace(query, board=one.board, protocol=one.protocol) for name, one in named.items()}
    first = lead(named)
    boards = {name: _ranked(reading.load(session, one, cubes), one, cubes) for name, one in asked.items()}
    rows = tuple(_rows(boards))
    return Holistic(
        family,
        asked[first],
        reading.revision(session),
        named,
        {name: board.problems for name, board in boards.items()},
        rows,
        tuple(together([row.settled for row in rows], list(named))),
        tuple(_elsewhere(session, boards[first])),
        tuple(_in_two(session, asked[first], cubes)) if first == "codegen" else (),
    )


def _ranked(loaded: Loaded, query: BoardQuery, cubes: CubeStore) -> Board:
    """A board without what only its own page shows: usage, facets, and the chances of being first."""
    with cubes.turn():
        return rank_board(loaded.cube, loaded.lineup, query, wanted=loaded.wanted, samples=loaded.samples)


def _rows(boards: Mapping[str, Board]) -> Iterator[Row]:
    """Rows of every board, those of the first one first."""
    by_name: dict[tuple[str, str], dict[str, BoardRow]] = {}
    for name, board in boards.items():
        for row in board.rows:
            by_name.setdefault((row.model, row.configuration), {})[name] = row
    for found in by_name.values():
        yield Row(
            next(iter(found.values())).fact,
            {name: found[name].score if name in found else None for name in boards},
            frozenset(name for name, row in found.items() if row.provisional),
        )


def _elsewhere(session: Session, board: Board) -> Iterator[Elsewhere]:
    by_slug: dict[str, BoardRow] = {}
    by_identity: dict[str, BoardRow] = {}
    for row in board.rows:  # of several configurations the one that is highest on the board
        by_slug.setdefault(row.model, row)
        by_identity.setdefault(identity_of(row.fact.name), row)
    for table in external.tables(session):
        matched = [
            (by_slug.get(model_slug(score.model)) or by_identity.get(identity_of(score.model)), score)
            for score in table.scores
        ]
        unmatched = tuple(score.model for row, score in matched if row is None)
        for level in (None, Level.EASY):
            pairs = [
                (row.fact, score.model, score.score, here)
                for row, score in matched
                if row is not None and not row.provisional and (here := _score(row, level)) is not None
            ]
            points = [(there, here) for _fact, _name, there, here in pairs]
            groups = grouped(points)
            sides = [there for *_, there, _here in pairs], [here for *_, here in pairs]
            yield Elsewhere(
                table.name,
                level,
                tuple(Spot(*pair, None if groups is None else groups[place]) for place, pair in enumerate(pairs)),
                trend(points),
                spearman(*sides),
                pearson(*sides),
                unmatched,
            )


def _score(row: BoardRow, level: Level | None) -> float | None:
    if level is None:
        return row.score
    part = row.by_difficulty.get(level)
    return None if part is None else part.score


def _in_two(session: Session, query: BoardQuery, cubes: CubeStore) -> Iterator[InTwo]:
    """Each model under every two protocols that are alike but for their language."""
    for one, other in _alike(cells.protocols(session)):
        loaded = [cubes.load(session, fact) for fact in (one, other)]
        boards = []
        for each in loaded:
            name, slug = board_of(each.protocol.protocol) or query.board, each.protocol.slug
            boards.append(_ranked(each, replace(query, board=name, protocol=slug), cubes))
        seconds = {(row.model, row.configuration): row for row in boards[1].rows}
        both = [
            (row, seconds[row.model, row.configuration])
            for row in boards[0].rows
            if (row.model, row.configuration) in seconds
        ][:MOST_ROWS]
        yield from _compared((one, other), loaded, boards, both)


def _alike(facts: Sequence[ProtocolFact]) -> Iterator[tuple[ProtocolFact, ProtocolFact]]:
    def rest(fact: ProtocolFact) -> dict[str, Any]:
        body = fact.protocol.body()
        return {name: value for name, value in body.items() if name not in ("slug", "title", "language")}

    solving = [fact for fact in facts if fact.protocol.scenario == "codegen"]
    for place, one in enumerate(solving):
        for other in solving[place + 1 :]:
            if one.protocol.language != other.protocol.language and rest(one) == rest(other):
                yield one, other


def _compared(
    facts: tuple[ProtocolFact, ProtocolFact],
    loaded: Sequence[Loaded],
    boards: Sequence[Board],
    both: Sequence[tuple[BoardRow, BoardRow]],
) -> Iterator[InTwo]:
    sides = [
        outcomes_of(each, board.query, [pair[side] for pair in both])
        for side, (each, board) in enumerate(zip(loaded, boards, strict=True))
    ]
    ids = [each.cube.axes.ids[rows] for each, (_rates, rows) in zip(loaded, sides, strict=True)]
    _common, first, second = np.intersect1d(ids[0], ids[1], return_indices=True)
    clusters = loaded[0].cube.axes.cluster[sides[0][1][first]]
    for place, (row, _other) in enumerate(both):
        a, b = sides[0][0][place, first], sides[1][0][place, second]
        gap = paired_difference(a, b, clusters)
        judged = ~np.isnan(a) & ~np.isnan(b)
        if judged.any():
            yield InTwo(
                row.fact,
                (facts[0].slug, facts[1].slug),
                (facts[0].protocol.language, facts[1].protocol.language),
                (100 * float(a[judged].mean()), 100 * float(b[judged].mean())),
                100 * gap.mean,
                100 * gap.lo,
                100 * gap.hi,
                gap.n,
                gap.clusters,
            )


def as_json(board: Holistic) -> dict[str, Any]:
    """The board as the API and the command line give it: scores 0 to 100, gaps in points, correlations -1 to 1."""
    return {
        "family": board.family,
        "window": {"from": _day(board.query.window.start), "to": _day(board.query.window.end)},
        "revision": board.revision,
        "scenarios": [
            {"name": name, "board": one.board, "protocol": one.protocol, "problems": board.problems[name]}
            for name, one in board.abilities.items()
        ],
        "rows": [
            {**_model(row.fact), "scores": dict(row.scores), "provisional": sorted(row.provisional)}
            for row in board.rows
        ],
        "correlations": [
            {"one": pair.one, "other": pair.other, "spearman": _correlation(pair.spearman),
             "pearson": _correlation(pair.pearson)}
            for pair in board.together
        ],
        "external": [
            {
                "table": one.table,
                "difficulty": one.level,
                "rows": [
                    {**_model(spot.fact), "named": spot.name, "elsewhere": spot.elsewhere, "here": spot.here,
                     "group": spot.group}
                    for spot in one.spots
                ],
                "trend": None if one.trend is None else one.trend._asdict(),
                "spearman": _correlation(one.spearman),
                "pearson": _correlation(one.pearson),
                "unmatched": list(one.unmatched),
            }
            for one in board.elsewhere
        ],
        "languages": [
            {
                **_model(pair.fact),
                "protocols": list(pair.protocols),
                "languages": list(pair.languages),
                "scores": list(pair.scores),
                "gap": pair.gap,
                "ci_lo": pair.lo,
                "ci_hi": pair.hi,
                "n_problems": pair.n,
                "clusters": pair.clusters,
            }
            for pair in board.languages
        ],
    }  # fmt: skip


def _model(fact: RunFact) -> dict[str, Any]:
    return {"model": fact.model, "configuration": fact.configuration, "demo": fact.demo}


def _correlation(found: Correlation | None) -> dict[str, Any] | None:
    return None if found is None else {"value": found.value, "lo": found.lo, "hi": found.hi, "n": found.n}


def _day(day: Any) -> str | None:
    return None if day is None else day.isoformat()
