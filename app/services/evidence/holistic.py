"""The holistic board: scores of one model in every scenario, their correlations, and comparisons with other boards."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from app.db.boards import cells
from app.db.boards.cells import ProtocolFact
from app.db.kernel.session import Session
from app.db.sources import external_scores
from app.domain.boards.board import Board, BoardQuery, BoardRow
from app.domain.boards.named_boards import board_of
from app.domain.boards.ranking import rank_board
from app.domain.cube.facts import RunFact
from app.domain.errors import InvalidInput
from app.domain.known_models import identity_of
from app.domain.metrics import paired_difference
from app.domain.metrics.correlation import CorrelationValue, pearson, spearman
from app.domain.problems import Level
from app.domain.ratings.holistic import (
    FAMILIES,
    Ability,
    ScenarioPair,
    TrendGroup,
    TrendLine,
    abilities,
    correlate_scores,
    group_by_trend,
    lead_ability,
    trend,
)
from app.domain.slugs import model_slug
from app.services.boards import board_views
from app.services.boards.cubes import CubeStore, LoadedProtocol
from app.services.boards.query import Params, parse_query, take_parameter
from app.services.evidence.ratings import outcome_matrix

BOARD_FILTERS = ("from", "to", "platform", "difficulty")  # parameters of a board's URL that all scenarios have
MAX_COMPARED_ROWS = 40  # rows compared in two languages; on 20,000 problems more would be too much for a request


@dataclass(frozen=True, slots=True)
class HolisticRow:
    """A model in one configuration, and its score in each scenario, by board; None if it has none.

    A score from too few answers is left out of every comparison: it is in `provisional`.
    """

    fact: RunFact
    scores: Mapping[str, float | None]
    provisional: frozenset[str]

    @property
    def compared_scores(self) -> dict[str, float | None]:
        """Scores that are compared; None for a provisional one."""
        return {name: None if name in self.provisional else score for name, score in self.scores.items()}


@dataclass(frozen=True, slots=True)
class ExternalPoint:
    """A model's score in an external table and here; `group` places it relative to the trend; None without one."""

    fact: RunFact
    name: str
    elsewhere: float
    here: float
    group: TrendGroup | None


@dataclass(frozen=True, slots=True)
class ExternalComparison:
    """Comparison of one external table with code generation here, on all problems or on easy ones alone.

    `unmatched` are the table's models that match no row here.
    """

    table: str
    level: Level | None
    spots: tuple[ExternalPoint, ...]
    trend: TrendLine | None
    spearman: CorrelationValue | None
    pearson: CorrelationValue | None
    unmatched: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LanguageComparison:
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
class HolisticBoard:
    """Content of the page; `problems` counts those of each ability."""

    family: str
    query: BoardQuery
    revision: int
    abilities: Mapping[str, Ability]
    problems: Mapping[str, int]
    rows: tuple[HolisticRow, ...]
    together: tuple[ScenarioPair, ...]
    elsewhere: tuple[ExternalComparison, ...]
    languages: tuple[LanguageComparison, ...]


def parse(params: Params) -> tuple[str, BoardQuery]:
    """Return the family, and the window and filters of its boards. Raises InvalidInput."""
    pairs = [pair for pair in params if pair[1]]
    for name, _value in pairs:
        if name not in ("family", *BOARD_FILTERS):
            raise InvalidInput(
                f"unknown field {name!r:.80}; known: family, {', '.join(BOARD_FILTERS)}", pointer=f"/{name}"
            )
    family, rest = take_parameter(pairs, "family", FAMILIES)
    return family or FAMILIES[0], parse_query(rest, "codegen")


def holistic(session: Session, family: str, query: BoardQuery, cubes: CubeStore) -> HolisticBoard:
    """Return the holistic board of a family of protocols over a window.

    Raises InvalidInput for a filter with no match.
    """
    family_abilities = abilities(family)
    queries = {name: replace(query, board=one.board, protocol=one.protocol) for name, one in family_abilities.items()}
    first = lead_ability(family_abilities)
    boards = {
        name: _rank_protocol(board_views.load_protocol(session, one, cubes), one, cubes)
        for name, one in queries.items()
    }
    rows = tuple(_holistic_rows(boards))
    return HolisticBoard(
        family,
        queries[first],
        board_views.revision(session),
        family_abilities,
        {name: board.problems for name, board in boards.items()},
        rows,
        tuple(correlate_scores([row.compared_scores for row in rows], list(family_abilities))),
        tuple(_external_comparisons(session, boards[first])),
        tuple(_language_comparisons(session, queries[first], cubes)) if first == "codegen" else (),
    )


def _rank_protocol(loaded: LoadedProtocol, query: BoardQuery, cubes: CubeStore) -> Board:
    """Return a board without the parts that only its own page shows: usage, facets, and chances of being first."""
    with cubes.ranking_slot():
        return rank_board(loaded.cube, loaded.lineup, query, wanted=loaded.wanted, samples=loaded.samples)


def _holistic_rows(boards: Mapping[str, Board]) -> Iterator[HolisticRow]:
    """Yield the rows of every board, those of the first one first."""
    by_name: dict[tuple[str, str], dict[str, BoardRow]] = {}
    for name, board in boards.items():
        for row in board.rows:
            by_name.setdefault((row.model, row.configuration), {})[name] = row
    for by_board in by_name.values():
        yield HolisticRow(
            next(iter(by_board.values())).fact,
            {name: by_board[name].score if name in by_board else None for name in boards},
            frozenset(name for name, row in by_board.items() if row.provisional),
        )


def _external_comparisons(session: Session, board: Board) -> Iterator[ExternalComparison]:
    by_slug: dict[str, BoardRow] = {}
    by_identity: dict[str, BoardRow] = {}
    for row in board.rows:  # of several configurations the highest on the board
        by_slug.setdefault(row.model, row)
        by_identity.setdefault(identity_of(row.fact.name), row)
    for table in external_scores.tables(session):
        matched = [
            (by_slug.get(model_slug(score.model)) or by_identity.get(identity_of(score.model)), score)
            for score in table.scores
        ]
        unmatched = tuple(score.model for row, score in matched if row is None)
        for level in (None, Level.EASY):
            pairs = [
                (row.fact, score.model, score.score, here)
                for row, score in matched
                if row is not None and not row.provisional and (here := _level_score(row, level)) is not None
            ]
            points = [(there, here) for _fact, _name, there, here in pairs]
            groups = group_by_trend(points)
            sides = [there for *_, there, _here in pairs], [here for *_, here in pairs]
            yield ExternalComparison(
                table.name,
                level,
                tuple(
                    ExternalPoint(*pair, None if groups is None else groups[place]) for place, pair in enumerate(pairs)
                ),
                trend(points),
                spearman(*sides),
                pearson(*sides),
                unmatched,
            )


def _level_score(row: BoardRow, level: Level | None) -> float | None:
    if level is None:
        return row.score
    part = row.by_difficulty.get(level)
    return None if part is None else part.score


def _language_comparisons(session: Session, query: BoardQuery, cubes: CubeStore) -> Iterator[LanguageComparison]:
    """Yield each model under every two protocols that differ only in their language."""
    for one, other in _language_pairs(cells.protocols(session)):
        loaded = [cubes.load(session, fact) for fact in (one, other)]
        boards = []
        for entry in loaded:
            name, slug = board_of(entry.protocol.protocol) or query.board, entry.protocol.slug
            boards.append(_rank_protocol(entry, replace(query, board=name, protocol=slug), cubes))
        seconds = {(row.model, row.configuration): row for row in boards[1].rows}
        both = [
            (row, seconds[row.model, row.configuration])
            for row in boards[0].rows
            if (row.model, row.configuration) in seconds
        ][:MAX_COMPARED_ROWS]
        yield from _compare_pair((one, other), loaded, boards, both)


def _language_pairs(facts: Sequence[ProtocolFact]) -> Iterator[tuple[ProtocolFact, ProtocolFact]]:
    def rest(fact: ProtocolFact) -> dict[str, Any]:
        body = fact.protocol.body()
        return {name: value for name, value in body.items() if name not in ("slug", "title", "language")}

    solving = [fact for fact in facts if fact.protocol.scenario == "codegen"]
    for place, one in enumerate(solving):
        for other in solving[place + 1 :]:
            if one.protocol.language != other.protocol.language and rest(one) == rest(other):
                yield one, other


def _compare_pair(
    facts: tuple[ProtocolFact, ProtocolFact],
    loaded: Sequence[LoadedProtocol],
    boards: Sequence[Board],
    both: Sequence[tuple[BoardRow, BoardRow]],
) -> Iterator[LanguageComparison]:
    sides = [
        outcome_matrix(entry, board.query, [pair[side] for pair in both])
        for side, (entry, board) in enumerate(zip(loaded, boards, strict=True))
    ]
    ids = [entry.cube.axes.ids[rows] for entry, (_rates, rows) in zip(loaded, sides, strict=True)]
    _common, first, second = np.intersect1d(ids[0], ids[1], return_indices=True)
    clusters = loaded[0].cube.axes.cluster[sides[0][1][first]]
    for place, (row, _other) in enumerate(both):
        a, b = sides[0][0][place, first], sides[1][0][place, second]
        gap = paired_difference(a, b, clusters)
        judged = ~np.isnan(a) & ~np.isnan(b)
        if judged.any():
            yield LanguageComparison(
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


def as_json(board: HolisticBoard) -> dict[str, Any]:
    """Return the JSON of API and command line: scores 0 to 100, gaps in points, correlations -1 to 1."""
    return {
        "family": board.family,
        "window": {"from": _iso_day(board.query.window.start), "to": _iso_day(board.query.window.end)},
        "revision": board.revision,
        "scenarios": [
            {"name": name, "board": one.board, "protocol": one.protocol, "problems": board.problems[name]}
            for name, one in board.abilities.items()
        ],
        "rows": [
            {**_model_json(row.fact), "scores": dict(row.scores), "provisional": sorted(row.provisional)}
            for row in board.rows
        ],
        "correlations": [asdict(pair) for pair in board.together],
        "external": [
            {
                "table": one.table,
                "difficulty": one.level,
                "rows": [
                    {**_model_json(spot.fact), "named": spot.name, "elsewhere": spot.elsewhere, "here": spot.here,
                     "group": spot.group}
                    for spot in one.spots
                ],
                "trend": None if one.trend is None else asdict(one.trend),
                "spearman": None if one.spearman is None else asdict(one.spearman),
                "pearson": None if one.pearson is None else asdict(one.pearson),
                "unmatched": list(one.unmatched),
            }
            for one in board.elsewhere
        ],
        "languages": [
            {
                **_model_json(pair.fact),
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


def _model_json(fact: RunFact) -> dict[str, Any]:
    return {"model": fact.model, "configuration": fact.configuration, "demo": fact.demo}


def _iso_day(day: Any) -> str | None:
    return None if day is None else day.isoformat()
