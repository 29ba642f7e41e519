"""Boards for the API, the command line and the page: one question, one answer, three faces."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.db import board_state, cells
from app.db.cells import ProtocolFact, UsageFact
from app.db.session import Session
from app.domain.bands import levels_shown
from app.domain.boards import Board, BoardQuery, BoardRow, Interval, Precision, RunUsage, Tokens
from app.domain.cube_axes import Axes
from app.domain.errors import InvalidInput
from app.domain.problems import Level
from app.domain.protocols import BUILT_IN
from app.domain.ranking import rank_board
from app.domain.windows import Window
from app.services import ops
from app.services.board_query import BOARDS, parse_query, parse_reference, to_params
from app.services.cubes import CubeStore, Loaded

__all__ = [
    "BOARDS", "BoardView", "CubeStore", "Facet", "board", "board_json", "board_view", "etag", "grading", "is_known",
    "parse_query", "parse_reference", "protocols", "revision", "to_params",
]  # fmt: skip


# Bootstrap ranks of a thousand runs would keep a reader waiting, of a hundred nobody notices.
_REPLICATES, _FEW_REPLICATES, _MANY_RUNS = 1000, 200, 150


@dataclass(frozen=True, slots=True)
class Facet:
    """A value a filter may take, and how many problems of the window it would leave."""

    value: str
    count: int


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board and what stands around it on the page.

    `weeks` holds (Monday, problems by level) over all dates under the platform and level filters.
    `boards` names every board that has rows under some protocol, and this one. `empty` says why there are no rows:
    no_runs, no_problems, unjudged or filtered.
    """

    board: Board
    protocol: ProtocolFact
    protocols: tuple[ProtocolFact, ...]
    boards: tuple[str, ...]
    platforms: tuple[Facet, ...]
    levels: tuple[Facet, ...]
    weeks: tuple[tuple[date, Mapping[Level | None, int]], ...]
    grading: ops.GradingState
    open_work: int
    empty: str | None


def protocols(session: Session) -> dict[str, list[ProtocolFact]]:
    """Of every board, the protocols with public runs."""
    shown = cells.protocols(session)
    return {
        name: [each for each in shown if each.protocol.scenario == given.scenario] for name, given in BOARDS.items()
    }


def grading(session: Session, now: datetime) -> ops.GradingState:
    """Whether answers are being judged."""
    return ops.grading_state(session, now)


def revision(session: Session) -> int:
    """The revision of what boards show."""
    return board_state.current(session)[0]


def etag(session: Session, query: BoardQuery, reference: str | None, face: str) -> str:
    """A tag that changes whenever the board or its face may: the revision, the question, and `face`."""
    parts = [query.board, *(f"{name}={value}" for name, value in to_params(query, reference)), face]
    now = "-".join(str(each) for each in board_state.current(session))
    return f'W/"{hashlib.sha256(chr(0).join([now, *parts]).encode()).hexdigest()[:32]}"'


def is_known(tag: str, if_none_match: str | None) -> bool:
    """Whether an If-None-Match header names this tag, or any."""
    return if_none_match is not None and bool({tag, "*"} & {each.strip() for each in if_none_match.split(",")})


def board(session: Session, query: BoardQuery, cubes: CubeStore, reference: str | None = None) -> Board:
    """The board a query asks for. Raises InvalidInput when its protocol or reference is not there."""
    return _board(session, query, cubes, reference)[0]


def _board(session: Session, query: BoardQuery, cubes: CubeStore, reference: str | None) -> tuple[Board, Loaded]:
    protocol = cells.protocol(session, query.protocol) or _not_run_yet(query.protocol)
    if protocol is None or protocol.protocol.scenario != BOARDS[query.board].scenario:
        raise InvalidInput(f"no protocol {query.protocol!r} on board {query.board}", pointer="/protocol")
    loaded = cubes.load(session, protocol)
    _check_reference(loaded, reference)
    found = rank_board(
        loaded.cube,
        loaded.lineup,
        query,
        usage={each.run: _usage(each) for each in cubes.usage(session, loaded)},
        wanted=loaded.wanted,
        unpublished=loaded.unpublished,
        reference=reference,
        replicates=_FEW_REPLICATES if len(loaded.runs) > _MANY_RUNS else _REPLICATES,
    )
    return replace(found, hidden=(*found.hidden, *loaded.retired)), loaded


def _not_run_yet(slug: str) -> ProtocolFact | None:
    """A protocol this version ships and nobody has run: its board is empty, not unknown."""
    shipped = next((each for each in BUILT_IN if each.slug == slug), None)
    return None if shipped is None else ProtocolFact(0, shipped.slug, shipped.title, shipped)


def _check_reference(loaded: Loaded, reference: str | None) -> None:
    names = {each.model for each in loaded.runs} | {f"{each.model}:{each.configuration}" for each in loaded.runs}
    if reference is not None and reference not in names:
        raise InvalidInput(f"no row {reference!r} to compare with", pointer="/ref")


def _usage(found: UsageFact) -> RunUsage:
    def each(total: float | None) -> float | None:
        return None if total is None else float(total) / found.problems

    return RunUsage(
        tokens=Tokens(each(found.input), each(found.cached), each(found.reasoning), each(found.answer)),
        seconds_per_problem=None if found.latency_ms is None else found.latency_ms / 1000 / found.problems,
        cost_per_problem=None if found.cost_usd is None else float(found.cost_usd) / found.problems,
    )


def board_view(
    session: Session, query: BoardQuery, cubes: CubeStore, now: datetime, reference: str | None = None
) -> BoardView:
    """A board with the facets, tideline and health its page shows."""
    found, loaded = _board(session, query, cubes, reference)
    shown = protocols(session)
    axes = loaded.cube.axes
    inside = _inside(axes, query.window)
    platform = _among(axes.platform, axes.platforms, query.platforms)
    level = _among(axes.level, axes.levels, query.levels)
    by_platform = np.bincount(axes.platform[inside & level], minlength=len(axes.platforms))
    by_level = np.bincount(axes.level[inside & platform], minlength=len(axes.levels))
    count = dict(zip(axes.levels, by_level.tolist(), strict=True))
    return BoardView(
        board=found,
        protocol=loaded.protocol,
        protocols=tuple(shown[query.board]),
        boards=tuple(name for name, those in shown.items() if those or name == query.board),
        platforms=tuple(Facet(name, each) for name, each in zip(axes.platforms, by_platform.tolist(), strict=True)),
        levels=tuple(Facet(level, count.get(level, 0)) for level in levels_shown(axes.levels)),
        weeks=tuple(_weeks(axes, platform & level)),
        grading=ops.grading_state(session, now),
        open_work=loaded.open_work,
        empty=_why_empty(found, loaded),
    )


def _inside(axes: Axes, window: Window) -> NDArray[np.bool_]:
    start = window.start.toordinal() if window.start else 0
    end = window.end.toordinal() if window.end else date.max.toordinal()
    return (axes.day >= start) & (axes.day < end)


def _among(codes: NDArray[np.int64], names: Sequence[object], wanted: Sequence[object]) -> NDArray[np.bool_]:
    """Which problems a filter takes; all of them when it names nothing."""
    places = [place for place, name in enumerate(names) if not wanted or name in wanted]
    return np.isin(codes, places)


def _weeks(axes: Axes, chosen: NDArray[np.bool_]) -> Iterator[tuple[date, Mapping[Level | None, int]]]:
    """(Monday, chosen problems by level) of every week that has some; day 1 of the calendar is a Monday."""
    week = (axes.day[chosen] - 1) // 7
    distinct, place = np.unique(week, return_inverse=True)
    counts = np.zeros((distinct.size, len(axes.levels)), dtype=np.int64)
    np.add.at(counts, (place, axes.level[chosen]), 1)
    for number, row in zip(distinct.tolist(), counts.tolist(), strict=True):
        yield date.fromordinal(number * 7 + 1), dict(zip(axes.levels, row, strict=True))


def _why_empty(found: Board, loaded: Loaded) -> str | None:
    if found.rows:
        return None
    if not loaded.runs:
        return "no_runs"
    if not found.problems:
        return "no_problems"
    return "unjudged" if any(each.reason == "unjudged" for each in found.hidden) else "filtered"


def board_json(found: Board) -> dict[str, Any]:
    """The documented shape of a board: scores 0..100 with full precision, absent facts null."""
    query = found.query
    return {
        "board": query.board,
        "protocol": query.protocol,
        "window": {"from": _iso(query.window.start), "to": _iso(query.window.end)},
        "filters": {
            "platform": list(query.platforms),
            "difficulty": list(query.levels),
            "language": list(query.languages),
            "model": list(query.models),
            "cutoff_before": _iso(query.cutoff_before),
            "exposure": query.exposure,
            "rules": query.rules,
        },
        "revision": found.revision,
        "snapshot": None,
        "problems": found.problems,
        "by_difficulty": {str(level): count for level, count in found.by_level.items()},
        "by_platform": dict(found.by_platform),
        "clusters": found.clusters,
        "resolution": found.resolution,
        "first_separated": found.first_separated,
        "precision": None if found.precision is None else _precision_json(found.precision),
        "rows": [_row_json(row) for row in found.rows],
        "hidden": [
            {"model": each.model, "configuration": each.configuration, "reason": each.reason} for each in found.hidden
        ],
    }


def _row_json(row: BoardRow) -> dict[str, Any]:
    usage, share = row.usage, None if row.score is None else row.score / 100
    cost = usage.cost_per_problem / share if usage.cost_per_problem is not None and share else None
    return {
        "model": row.model,
        "name": row.name,
        "organisation": row.organisation,
        "configuration": row.configuration,
        "run": row.run,
        "trials": row.trials,
        "rank": row.rank,
        "rank_lo": row.rank_lo,
        "rank_hi": row.rank_hi,
        "tier": row.tier,
        "score": row.score,
        "ci_lo": row.ci_lo,
        "ci_hi": row.ci_hi,
        "n_problems": row.n_problems,
        "wanted": row.wanted,
        "coverage": row.coverage,
        "pending": row.pending,
        "judge_errors": row.judge_errors,
        "exposed": row.exposed,
        "by_difficulty": {str(level): {"score": each.score, "n": each.n} for level, each in row.by_difficulty.items()},
        "split": None if row.split is None else _split_json(row.split),
        "cutoff": {"date": _iso(row.cutoff_on), "basis": row.cutoff_basis},
        "provisional": row.provisional,
        "estimate": None if row.estimate is None else _interval_json(row.estimate),
        "demo": row.demo,
        "imported": row.imported,
        "n_inferred": row.n_inferred,
        "tokens": {
            "input": usage.tokens.input,
            "cached": usage.tokens.cached,
            "reasoning": usage.tokens.reasoning,
            "answer": usage.tokens.answer,
        },
        "seconds_per_problem": usage.seconds_per_problem,
        "cost_per_solve": cost,
        "speed_vs_reference": None,
        "unpublished_variants": row.unpublished_variants,
        "difference": None if row.difference is None else row.difference._asdict(),
        "rank_resampled": None if row.resampled is None else row.resampled._asdict(),
    }


def _interval_json(found: Interval) -> dict[str, float]:
    return {"score": found.score, "ci_lo": found.lo, "ci_hi": found.hi}


def _precision_json(found: Precision) -> dict[str, Any]:
    return {
        "half_width": found.half_width,
        "problems_for": {f"{points:g}": problems for points, problems in found.problems_for.items()},
        "widen_to": _iso(found.widen_to),
    }


def _split_json(split: Sequence[Any]) -> dict[str, Any]:
    names = ("clean", "exposed")
    return {name: {"score": each.score, "n": each.n} for name, each in zip(names, split, strict=True)}


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()
