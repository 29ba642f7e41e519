"""What a board costs: 1,000 models by 20,000 problems, plain windows, any filter, one verdict or problem more, readers.

Twenty million cells are written to a PostgreSQL of their own; the cube is built from them, published and mapped as a
web process does, in a child process of its own with a web process's environment. Up to ten of the filters are asked of
SQL, too, and must come to the same means.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import timeit
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime, timedelta
from multiprocessing import get_context
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from app.config import Settings
from app.cores import usable_cores
from app.db.boards.cube_files import load, save
from app.domain.boards.board import BoardQuery, Exposure
from app.domain.boards.lineup import Lineup
from app.domain.boards.ranking import rank_board
from app.domain.boards.selection import Selection
from app.domain.cube.cube import Cube
from app.domain.cube.facts import CutoffBasis, RunFact
from app.domain.problems import Level, ProblemFact
from app.domain.windows import Window
from app.services.boards.turns import SEATS, Turns
from app.supervise.told import NUMBERS
from perf.cell_store import CellStore, cell_store
from perf.rows import Row, at_most, told, within

_MODELS, _PROBLEMS, _QUERIES, _UPDATES = 1000, 20_000, 200, 10
_FEW_MODELS, _FEW_QUERIES = 50, 60
_GROUPED, _READERS = 10, 8
_FEW_GROUPED, _GROUPED_S = 3, 30.0  # SQL takes a second on a quick machine, and ten on a slow one
_FIRST = date(2021, 1, 1)
_DAYS = 1826
# Problems a contest: an AtCoder beginner contest, a Codeforces round, a LeetCode weekly.
_CONTESTS = {"atcoder": 7, "codeforces": 5, "leetcode": 4}
# Models of three vendors set the tests, two drawn for each problem: rows of theirs have a score without these, too.
_SETTERS = (("vendor 1", "vendor 2"), ("vendor 1", "vendor 3"), ("vendor 2", "vendor 3"))
_REPLICATES = 200
_REPEATS = 2
# At most so many passes over the counts that a board is about, and so much of the same question asked in SQL.
_PASSES_FILTERED, _PASSES_PLAIN, _PLAIN_FIXED_MS, _SQL_SHARE = 6, 10, 1.0, 1 / 30
_ONE_MORE = 1 / 3  # of the time in which the cube is built anew
_LIMIT_S = 235
T = TypeVar("T")


def measure() -> list[Row]:
    """Measure in a child process. Raises CalledProcessError with the child's words on stderr when it fails."""
    process = subprocess.run(
        [sys.executable, "-m", "perf.boards"],
        cwd=Path(__file__).resolve().parents[1],
        env={**os.environ, **NUMBERS},
        stdout=subprocess.PIPE,
        check=True,
        timeout=_LIMIT_S,
    )
    return [Row(**row) for row in json.loads(process.stdout)]


@dataclass(frozen=True)
class _League:
    problems: Sequence[ProblemFact]
    runs: Lineup
    n: NDArray[np.int64]
    c: NDArray[np.int64]


def _league(rng: np.random.Generator) -> _League:
    """Twenty million results: some runs unfinished, and a few answers missing everywhere."""
    problems = _problems()
    runs = [
        RunFact(
            id=number,
            model=f"model-{number}",
            name=f"Model {number}",
            organisation=f"Vendor {number % 40}",
            vendors=(f"vendor {number % 40}",),
            configuration="",
            trial=1,
            language="python",
            imported=False,
            demo=False,
            cutoff_on=_FIRST + timedelta(days=int(rng.integers(-900, 1500))),
            cutoff_basis=CutoffBasis.DECLARED,
        )
        for number in range(1, _MODELS + 1)
    ]
    ease, skill = rng.normal(0, 2, (_PROBLEMS, 1)), rng.normal(0, 1.5, _MODELS)
    n = rng.choice([1, 10], _MODELS)[None, :] * (rng.random((_PROBLEMS, _MODELS)) > 0.002)
    n[_PROBLEMS // 2 :, :: _MODELS // 20] = 0
    return _League(problems, Lineup.of(runs), n, rng.binomial(n, 1 / (1 + np.exp(-ease - skill))))


def _problems() -> list[ProblemFact]:
    problems: list[ProblemFact] = []
    contests = _PROBLEMS * len(_CONTESTS) // sum(_CONTESTS.values()) + 1
    for contest in range(contests):
        platform = list(_CONTESTS)[contest % len(_CONTESTS)]
        released = datetime(_FIRST.year, _FIRST.month, _FIRST.day, 12, tzinfo=UTC) + timedelta(
            days=contest * _DAYS // contests
        )
        size = _CONTESTS[platform]
        for place in range(size):
            level = list(Level)[min(4, 5 * place // size)]
            slug, cluster = f"{platform}/{contest}-{place}", f"{platform}:{contest}"
            setters = _SETTERS[len(problems) % len(_SETTERS)]
            problems.append(ProblemFact(len(problems) + 1, slug, platform, released, cluster, level, setters=setters))
    return problems[:_PROBLEMS]


def _window(rng: np.random.Generator) -> Window:
    start, end = sorted(int(day) for day in rng.integers(0, _DAYS + 1, 2))
    return Window(_FIRST + timedelta(days=start), _FIRST + timedelta(days=end + 1))


def _filtered(rng: np.random.Generator) -> BoardQuery:
    """Any combination: each part of the query is there or not."""

    def some(values: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(value for value in values if rng.random() < 0.5)

    return BoardQuery(
        window=_window(rng) if rng.random() < 0.5 else Window(),
        platforms=some(list(_CONTESTS)),
        levels=some(list(Level)),
        models=tuple(f"model-{number}" for number in rng.integers(1, _MODELS, 20)) if rng.random() < 0.1 else (),
        cutoff_before=_FIRST + timedelta(days=int(rng.integers(0, _DAYS))) if rng.random() < 0.3 else None,
        exposure=list(Exposure)[int(rng.integers(0, len(Exposure)))],
    )


def _ms(call: Callable[[], object]) -> float:
    """Milliseconds of the best of a few calls: the cost of the work, not of the machine's other tenants."""
    return min(timeit.repeat(call, number=1, repeat=_REPEATS)) * 1000


def _p95(values: Sequence[float]) -> float:
    return sorted(values)[int(0.95 * len(values))]


def _measure_here() -> list[Row]:
    rng = np.random.default_rng(7)
    league = _league(rng)
    rates = (league.c / np.maximum(league.n, 1)).astype(np.float32)
    filtered = [_filtered(rng) for _ in range(_QUERIES)]
    few = _few(league, filtered[:_FEW_QUERIES])
    with tempfile.TemporaryDirectory() as name, cell_store(league.problems, league.runs.runs) as store:
        load_s, _ = _timed(lambda: store.load(league.n, league.c))
        league = _League(league.problems, league.runs, league.n[:0], league.c[:0])
        build_s, built = _timed(store.cube)
        folder = Path(name)
        save(built, folder)
        del built
        cube = load(folder)
        rank_board(cube, league.runs, filtered[0])  # sums shared by all queries are made once
        grouped_ms = _grouped(store, cube, league, filtered)
        update_ms, bare_update_ms = _updates(rng, store, cube, league, folder)
        more_s = _one_more(cube, league, folder / "more")
        plain = [BoardQuery(window=_window(rng)) for _ in range(_QUERIES)]
        plain_ms, window_passes_ms = _beside_passes(cube, league, rates, plain, 0)
        filtered_ms, passes_ms = _beside_passes(cube, league, rates, filtered, _REPLICATES)
        together_ms, per_s = _together(cube, league, filtered)
    one_reader_ms, sql_ms = _p95(filtered_ms), float(np.median(grouped_ms))
    return [
        at_most("boards.filtered.p95_ms", one_reader_ms, "ms", _p95(passes_ms), _PASSES_FILTERED),
        told("boards.filtered.p50_ms", float(np.median(filtered_ms)), "ms", float(np.median(passes_ms))),
        at_most(
            "boards.plain.p95_ms", _p95(plain_ms), "ms", _p95(window_passes_ms), _PASSES_PLAIN, plus=_PLAIN_FIXED_MS
        ),
        told("boards.plain.p50_ms", float(np.median(plain_ms)), "ms", float(np.median(window_passes_ms))),
        at_most("boards.readers8.p95_ms", together_ms, "ms", one_reader_ms, _READERS / usable_cores() * 1.3),
        told("boards.readers8.per_s", per_s, "/s"),
        told("boards.sql.p50_ms", sql_ms, "ms"),
        at_most("boards.filtered.beside_sql_ms", float(np.median(filtered_ms)), "ms", sql_ms, _SQL_SHARE),
        within("boards.update_ms", max(update_ms), "ms", 1000, max(bare_update_ms)),
        told("boards.1m_cells.filtered.p95_ms", few, "ms"),
        told("boards.load_s", load_s, "s"),
        told("boards.build_s", build_s, "s"),
        at_most("boards.one_problem_more_s", more_s, "s", build_s, _ONE_MORE),
        within("boards.peak_mb", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "MB", 3000),
        Row("boards.models", _MODELS, "models", None, None, len(league.runs.runs) == _MODELS),
        Row("boards.problems", _PROBLEMS, "problems", None, None, len(league.problems) == _PROBLEMS),
    ]


def _timed(call: Callable[[], T]) -> tuple[float, T]:
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def _board_times(cube: Cube, league: _League, queries: Sequence[BoardQuery], replicates: int) -> list[float]:
    """Milliseconds of each board alone."""

    def ask(query: BoardQuery) -> Callable[[], object]:
        return lambda: rank_board(cube, league.runs, query, replicates=replicates)

    return [_ms(ask(query)) for query in queries]


def _few(league: _League, queries: Sequence[BoardQuery]) -> float:
    """The same filters over a twentieth of the models: what a board costs as cells grow twentyfold."""
    runs = Lineup.of(league.runs.runs[:_FEW_MODELS])
    n, c = (counts[:, :_FEW_MODELS] for counts in (league.n, league.c))
    cube = Cube.of_counts(league.problems, runs.runs, n, c, revision=1)
    return _p95(_board_times(cube, _League(league.problems, runs, league.n[:0], league.c[:0]), queries, _REPLICATES))


def _together(cube: Cube, league: _League, queries: Sequence[BoardQuery]) -> tuple[float, float]:
    """(p95 in milliseconds, boards a second) with eight readers at once, as the site serves them.

    Its processes are forked over the cube's files and have equally many readers, each of whom asks for the next board
    as soon as there is the last one. Of each board the best of as many times as of one that is asked for alone.
    """
    rounds = [_timed(lambda: _asked_together(cube, league, queries)) for _ in range(_REPEATS)]
    times = [min(of_one) for of_one in zip(*(times for _, times in rounds), strict=True)]
    return _p95(times), len(queries) / min(span for span, _ in rounds)


def _asked_together(cube: Cube, league: _League, queries: Sequence[BoardQuery]) -> list[float]:
    """Milliseconds of each board, with the time that its reader stood in line."""
    context = get_context("fork")
    asked, times = context.Value("i", 0), context.Array("d", len(queries), lock=False)

    def serve(readers: int) -> None:
        turns = Turns(SEATS)

        def read() -> None:
            while (place := _next(asked)) < len(queries):
                began = time.perf_counter()
                with turns.turn():
                    rank_board(cube, league.runs, queries[place], replicates=_REPLICATES)
                times[place] = (time.perf_counter() - began) * 1000

        with ThreadPoolExecutor(readers) as threads:
            for done in [threads.submit(read) for _ in range(readers)]:
                done.result()

    processes = Settings().web_processes
    shares = [len(range(number, _READERS, processes)) for number in range(min(processes, _READERS))]
    children = [context.Process(target=serve, args=(readers,)) for readers in shares]
    for child in children:
        child.start()
    for child in children:
        child.join()
        if child.exitcode:
            raise RuntimeError("a process that served boards has failed")
    return list(times)


def _next(number: "Synchronized[int]") -> int:
    with number.get_lock():
        number.value += 1
        return number.value - 1


def _grouped(store: CellStore, cube: Cube, league: _League, queries: Sequence[BoardQuery]) -> list[float]:
    """Milliseconds of GROUP BY for a few of the filters, fewer where it is slow. Raises ValueError where its means are
    not the board's."""
    times = []
    for query in _unnamed(queries):
        seconds, means = _timed(lambda query=query: store.grouped(query))  # type: ignore[misc]
        times.append(seconds * 1000)
        scores = {row.run: row.score for row in rank_board(cube, league.runs, query).rows}
        if scores.keys() != means.keys() or any(abs(100 * means[run] - (scores[run] or 0)) > 1e-9 for run in means):
            raise ValueError("the board and SQL do not agree")
        if len(times) >= _FEW_GROUPED and sum(times) > 1000 * _GROUPED_S:
            break
    return times


def _unnamed(queries: Sequence[BoardQuery]) -> Iterator[BoardQuery]:
    """A few filters of problems alone, which SQL is asked in one statement."""
    for query in queries[:_GROUPED]:
        yield BoardQuery(window=query.window, platforms=query.platforms, levels=query.levels)


def _updates(
    rng: np.random.Generator, store: CellStore, cube: Cube, league: _League, folder: Path
) -> tuple[list[float], list[float]]:
    """One more verdict, from the committed cell to the board of a process that has the cube and writes it down for
    others; beside it, writing one shard's bytes."""
    times, writes = [], []
    for _ in range(_UPDATES):
        store.answer(int(rng.integers(1, _MODELS)), int(rng.integers(1, _PROBLEMS)))
        start = time.perf_counter()
        changed, revision = store.changed(cube.revision)
        cube = cube.with_cells(changed, revision)
        save(cube, folder)
        rank_board(cube, league.runs, BoardQuery())
        times.append((time.perf_counter() - start) * 1000)
        size = max(path.stat().st_size for path in folder.iterdir())
        writes.append(_ms(lambda size=size: (folder / "bare").write_bytes(bytes(size))))  # type: ignore[misc]
    return times, writes


def _one_more(cube: Cube, league: _League, folder: Path) -> float:
    """Seconds from one problem more to its board, for a process that has the cube and writes the next one down."""
    last = league.problems[-1]
    problems = [*league.problems, replace(last, id=last.id + 1, slug=f"{last.slug}-more")]

    def board() -> None:
        more = cube.over(problems, league.runs.runs)
        save(more, folder)
        rank_board(more, league.runs, BoardQuery())

    return _timed(board)[0]


def _beside_passes(
    cube: Cube, league: _League, rates: NDArray[np.float32], queries: Sequence[BoardQuery], replicates: int
) -> tuple[list[float], list[float]]:
    """Milliseconds of each board alone, and of the mean of every model over its problems: one pass over the counts of
    its window, as a matrix product and no more.

    One right after the other: a machine that others use is half as fast a minute later.
    """
    boards, passes = [], []
    for query, (part, mask) in zip(queries, _parts(cube, rates, queries), strict=True):
        boards += _board_times(cube, league, [query], replicates)
        passes.append(_ms(lambda part=part, mask=mask: mask @ part))  # type: ignore[misc]
    return boards, passes


def _parts(
    cube: Cube, rates: NDArray[np.float32], queries: Sequence[BoardQuery]
) -> Iterator[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """For each query the rates of its window and which of their problems are chosen."""
    for query in queries:
        mask = Selection.of(cube.axes, query).chosen
        rows = np.flatnonzero(mask)
        window = slice(int(rows[0]), int(rows[-1]) + 1) if rows.size else slice(0, 0)
        yield rates[window], mask[window].astype(np.float32)


if __name__ == "__main__":
    print(json.dumps([asdict(row) for row in _measure_here()]))
