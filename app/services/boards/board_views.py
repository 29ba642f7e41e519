"""Boards for the API, the command line and the page, from one set of functions."""

import hashlib
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

import numpy as np
from numpy.typing import NDArray
from structlog import get_logger

from app.db.boards import cells
from app.db.boards.cells import ProtocolFact
from app.db.boards.group_facts import group_facts
from app.db.kernel import revision as board_state
from app.db.kernel.session import Session
from app.db.runs import sample_failures
from app.domain.asking.protocols import ANY_LANGUAGE
from app.domain.boards.board import Board, BoardQuery, Rules, RunUsage
from app.domain.boards.entrants import choose_entrants
from app.domain.boards.facets import facets
from app.domain.boards.named_boards import board_of, boards
from app.domain.boards.named_boards._groups import group_tables
from app.domain.boards.named_boards._paired_gaps import BoardSource
from app.domain.boards.opening_window import opening_window, preset_windows
from app.domain.boards.ranking import EarlierAnswers, rank_board
from app.domain.boards.selection import Selection
from app.domain.cube.axes import Axes
from app.domain.errors import UnknownName
from app.domain.scenarios import Need, scenarios, shipped_protocols
from app.domain.windows import Window
from app.services.boards.cubes import CubeStore, LoadedProtocol
from app.services.boards.filter_values import check_filter_values
from app.services.boards.json_shape import board_json
from app.services.boards.own_columns import with_parts
from app.services.boards.query import parse_query, parse_reference, to_params
from app.services.runs.judge_state import GradingState, grading_state

log = get_logger(__name__)

__all__ = [
    "BoardView",
    "CubeStore",
    "board",
    "board_json",
    "board_view",
    "board_with_cube",
    "etag",
    "first_window",
    "load_protocol",
    "matches_etag",
    "page_state",
    "parse_query",
    "parse_reference",
    "protocols",
    "public_grading_state",
    "revision",
    "to_params",
]  # fmt: skip


# Bootstrap ranks of a thousand runs would take too long for a page; those of a hundred do not.
_REPLICATES, _FEW_REPLICATES, _MANY_RUNS = 1000, 200, 150


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board with the rest of its page.

    `days` holds (day, problems released on it) over all dates under the filters of problems. `boards` names every board
    that has rows under some protocol, and this one. `empty` says why there are no rows: no_runs, no_problems,
    unjudged or filtered.
    """

    board: Board
    protocol: ProtocolFact
    protocols: tuple[ProtocolFact, ...]
    boards: tuple[str, ...]
    days: tuple[tuple[date, int], ...]
    grading: GradingState
    open_work: int
    empty: str | None


def protocol_with_rows(session: Session, query: BoardQuery) -> str | None:
    """Return another protocol of a board that has rows; None if the asked one has some, or none has any."""
    if cells.has_rows(session, query.protocol):
        return None
    slugs = [fact.slug for fact in protocols(session).get(query.board, ())]
    return None if not slugs or query.protocol in slugs else slugs[0]


def protocols(session: Session) -> dict[str, list[ProtocolFact]]:
    """Return the protocols with public runs of every board, by board."""
    by_board: dict[str, list[ProtocolFact]] = {name: [] for name in boards()}
    for fact in cells.protocols(session):
        if (name := board_of(fact.protocol)) is not None:
            by_board[name].append(fact)
    return by_board


def public_grading_state(session: Session, now: datetime) -> GradingState:
    """Return the state of grading without the details of our machines."""
    return grading_state(session, now).public


def suggested_window(session: Session, protocol: str | None, cubes: CubeStore) -> tuple[str, Window] | None:
    """Return the board of a protocol and the window it suggests if most rows have no rank over all dates; else None."""
    fact = None if protocol is None else cells.protocol(session, protocol)
    name = None if fact is None else board_of(fact.protocol)
    if fact is None or name is None:
        return None
    window = board(session, BoardQuery(board=name, protocol=fact.slug), cubes).clean_window
    return None if window is None else (name, window)


def first_window(session: Session, query: BoardQuery, cubes: CubeStore, today: date) -> Window:
    """Return the window that a board opens on: the shortest preset that holds ten contests and half of whose rows are
    clean; all dates if there is none, and under LiveCodeBench's rules. Raises as `board` does.
    """
    if query.rules is Rules.LCB:
        return Window()
    loaded = load_protocol(session, query, cubes)
    cube, selection = loaded.cube, Selection.of(loaded.cube.axes, query)
    newest = date.fromordinal(int(selection.days[-1])) if selection.days.size else None
    everyone, _hidden = choose_entrants(cube, selection, loaded.lineup, query, loaded.wanted, loaded.samples)
    choices = [window for window, _end in preset_windows(today, newest).values()]
    return opening_window(cube, selection, everyone, choices) or Window()


def readiness(session: Session, cubes: CubeStore) -> list[str]:
    """Return why boards cannot be shown; empty when they can."""
    try:
        for facts in protocols(session).values():
            for fact in facts[:1]:
                cubes.load(session, fact)
    except Exception:  # any fault shows on every board, and only the log has details
        log.exception("boards.unready")
        return ["boards cannot be made"]
    return []


def revision(session: Session) -> int:
    """Return the revision of the boards' data."""
    return board_state.current(session)[0]


def page_state(session: Session, now: datetime) -> tuple[Hashable, ...]:
    """Return the state that every board, as a page or a file, depends on: revisions, grading and the day."""
    return board_state.current(session), public_grading_state(session, now).reason, now.date()


def etag(session: Session, query: BoardQuery, reference: str | None, face: str) -> str:
    """Return a tag that changes whenever the board may: it covers the revisions, the query, and `face`, its form."""
    parts = [query.board, *(f"{name}={value}" for name, value in to_params(query, reference)), face]
    revisions = "-".join(str(number) for number in board_state.current(session))
    return f'W/"{hashlib.sha256(chr(0).join([revisions, *parts]).encode()).hexdigest()[:32]}"'


def matches_etag(tag: str, if_none_match: str | None) -> bool:
    """Return True if an If-None-Match header names this tag, or any; weak and strong tags count as equal (RFC 9110)."""
    tags = {part.strip().removeprefix("W/") for part in (if_none_match or "").split(",")}
    return bool({tag.removeprefix("W/"), "*"} & tags)


def board(
    session: Session, query: BoardQuery, cubes: CubeStore, reference: str | None = None, *, may_lag: bool = True
) -> Board:
    """Return the board that a query asks for; with `may_lag`, usage may be a little older than the scores.

    Raises InvalidInput when its protocol or reference is unknown.
    """
    return board_with_cube(session, query, cubes, reference, may_lag=may_lag)[0]


def board_with_cube(
    session: Session, query: BoardQuery, cubes: CubeStore, reference: str | None = None, *, may_lag: bool = True
) -> tuple[Board, LoadedProtocol]:
    """Return the board that a query asks for, and the protocol it was made from. Raises as `board` does."""
    loaded = load_protocol(session, query, cubes)
    usage = cubes.usage(session, loaded, may_lag=may_lag)
    earlier = earlier_answers(loaded, lambda slug: _load_by_slug(session, slug, cubes))
    failing = sample_failures.failing_runs(session)
    with cubes.ranking_slot():
        board = rank_loaded(loaded, query, reference, usage, earlier, failing)
    board = with_parts(session, BoardSource(board, loaded.cube, loaded.lineup), cubes)
    groupings = boards()[query.board].groupings
    if not groupings:
        return board, loaded
    ids = loaded.cube.axes.ids[Selection.of(loaded.cube.axes, query).chosen].tolist()
    problem_facts = group_facts(session, ids, texts=any(grouping.by_text for grouping in groupings))
    return replace(board, groups=group_tables(board, loaded.cube, loaded.lineup, groupings, problem_facts)), loaded


def opening_board(session: Session, loaded: LoadedProtocol, cubes: CubeStore, today: date) -> Board:
    """Return the view that a protocol's board opens with, without usage and without columns of its own."""
    query = replace(loaded.default_query, window=first_window(session, loaded.default_query, cubes, today))
    earlier = earlier_answers(loaded, lambda slug: _load_by_slug(session, slug, cubes))
    failing = sample_failures.failing_runs(session)
    with cubes.ranking_slot():
        return rank_loaded(loaded, query, None, {}, earlier, failing)


def earlier_answers(
    loaded: LoadedProtocol, find: Callable[[str], LoadedProtocol | None]
) -> list[EarlierAnswers] | None:
    """Return the answers that those of a protocol continue, earliest first, of the same trials of the same models;
    `find` loads a protocol by its slug.

    None if the missing answers depend on more than which earlier ones failed: items made of solved problems, answers
    that go back only if an example failed, languages that each answer chooses (a judge may lack one), and recorded
    answers.
    """
    protocol, links = loaded.protocol.protocol, list[EarlierAnswers]()
    while (scenario := scenarios().get(protocol.scenario)) is not None:
        if Need.DERIVED in scenario.needs or protocol.language == ANY_LANGUAGE or protocol.recorded:
            return None
        if protocol.prerequisite is None:
            return links[::-1]
        before = None if protocol.style in scenario.by_examples else find(protocol.prerequisite)
        if before is None:
            return None
        runs = {(run.model, run.configuration, run.trial): run.id for run in before.runs}
        names = {run.id: (run.model, run.configuration, run.trial) for run in loaded.runs}
        links.append(EarlierAnswers(before.cube, {run: runs[name] for run, name in names.items() if name in runs}))
        protocol = before.protocol.protocol
    return None


def _load_by_slug(session: Session, slug: str, cubes: CubeStore) -> LoadedProtocol | None:
    protocol = cells.protocol(session, slug)
    return None if protocol is None else cubes.load(session, protocol)


def rank_loaded(
    loaded: LoadedProtocol,
    query: BoardQuery,
    reference: str | None,
    usage: Mapping[int, RunUsage],
    earlier: Sequence[EarlierAnswers] | None,
    failing: Collection[int] = (),
) -> Board:
    """Return the board of a loaded protocol; `earlier` and `failing` are as `rank_board` takes them.

    Raises InvalidInput when the reference is unknown.
    """
    _check_reference(loaded, reference)
    board = rank_board(
        loaded.cube,
        loaded.lineup,
        query,
        usage=usage,
        wanted=loaded.wanted,
        samples=loaded.samples,
        unpublished=loaded.unpublished,
        reference=reference,
        replicates=_FEW_REPLICATES if len(loaded.runs) > _MANY_RUNS else _REPLICATES,
        earlier=earlier,
        failing=failing,
    )
    counts = facets(loaded.cube, loaded.lineup, loaded.wanted, board, loaded.samples)
    hidden, left_out = (*board.hidden, *loaded.retired), {**board.left_out, **loaded.absent}
    return replace(board, hidden=hidden, facets=counts, left_out=left_out)


def load_protocol(session: Session, query: BoardQuery, cubes: CubeStore) -> LoadedProtocol:
    """Return the protocol of a query, loaded. Raises UnknownName when it is unknown, or a filter's value is."""
    protocol = cells.protocol(session, query.protocol) or _not_run_yet(query.protocol)
    if protocol is None or board_of(protocol.protocol) != query.board:
        slugs = [fact.slug for fact in protocols(session)[query.board]]
        raise UnknownName("protocol", query.protocol, slugs, where=f"on board {query.board}")
    loaded = cubes.load(session, protocol)
    check_filter_values(loaded, query)
    return loaded


def _not_run_yet(slug: str) -> ProtocolFact | None:
    """Return a shipped protocol that has no run yet: its board is empty, not unknown."""
    protocol = shipped_protocols().get(slug)
    return None if protocol is None else ProtocolFact(0, protocol.slug, protocol.title, protocol)


def _check_reference(loaded: LoadedProtocol, reference: str | None) -> None:
    names = {run.model for run in loaded.runs} | {f"{run.model}:{run.configuration}" for run in loaded.runs}
    if reference is not None and reference not in names:
        raise UnknownName(
            "ref", reference, sorted(name.removesuffix(":") for name in names), where="on this board", noun="row"
        )


def board_view(
    session: Session, query: BoardQuery, cubes: CubeStore, now: datetime, reference: str | None = None
) -> BoardView:
    """Return a board with the facets, weeks and health that its page shows."""
    board, loaded = board_with_cube(session, query, cubes, reference)
    by_board = protocols(session)
    axes = loaded.cube.axes
    return BoardView(
        board=board,
        protocol=loaded.protocol,
        protocols=tuple(by_board[query.board]),
        boards=tuple(name for name, facts in by_board.items() if facts or name == query.board),
        days=tuple(_days(axes, Selection.of(axes, query).matching)),
        grading=public_grading_state(session, now),
        open_work=loaded.open_work,
        empty=_why_empty(board, loaded),
    )


def _days(axes: Axes, chosen: NDArray[np.bool_]) -> Iterator[tuple[date, int]]:
    """Yield (day, chosen problems released on it) of every day that has some, in order."""
    days, counts = np.unique(axes.day[chosen], return_counts=True)
    for day, problems in zip(days.tolist(), counts.tolist(), strict=True):
        yield date.fromordinal(day), problems


def _why_empty(board: Board, loaded: LoadedProtocol) -> str | None:
    if board.rows:
        return None
    if not loaded.runs:
        return "no_runs"
    if not board.problems:
        return "no_problems"
    return "unjudged" if any(row.reason == "unjudged" for row in board.hidden) else "filtered"
