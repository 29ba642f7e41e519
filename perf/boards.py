"""The cost of boards of 1,000 models and 20,000 problems: windows, filters, updates, and concurrent readers.

Twenty million cells are written to a PostgreSQL of their own; the cube is built from them, published and mapped as a
web process does, in a child process with a web process's environment. Up to ten of the filters are also computed by
SQL, which must return the same means.
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
from app.services.boards.fair_semaphore import RANKING_SLOTS, FairSemaphore
from app.supervise.process_environment import NUMPY_VARIABLES
from perf.cell_store import CellStore, cell_store
from perf.figures import PerfFigure, figure_at_most, figure_within, informative_figure

_MODELS, _PROBLEMS, _QUERIES, _UPDATES = 1000, 20_000, 200, 10
_FEW_MODELS, _FEW_QUERIES = 50, 60
_MAX_SQL_QUERIES, _READERS = 10, 8
_MIN_SQL_QUERIES, _SQL_BUDGET_S = 3, 30.0  # SQL takes 1 s on a fast machine, and 10 s on a slow one
_FIRST_DAY = date(2021, 1, 1)
_DAYS = 1826
# Problems per contest: an AtCoder beginner contest, a Codeforces round, a LeetCode weekly contest.
_CONTESTS = {"atcoder": 7, "codeforces": 5, "leetcode": 4}
# Models of three vendors set the tests, two for each problem: these vendors' rows also have a score without them.
_SETTERS = (("vendor 1", "vendor 2"), ("vendor 1", "vendor 3"), ("vendor 2", "vendor 3"))
_REPLICATES = 200
_REPEATS = 2
# Budgets of a board: passes over its counts, a fixed time, and a share of the time of the same query in SQL.
_PASSES_FILTERED, _PASSES_PLAIN, _PLAIN_FIXED_MS, _SQL_SHARE = 6, 10, 1.0, 1 / 30
_ONE_MORE_SHARE = 1 / 3  # of the time of building the cube
_LIMIT_S = 235
T = TypeVar("T")


def measure() -> list[PerfFigure]:
    """Return the figures, measured in a child process.

    Raises CalledProcessError if the child fails, with its output on stderr.
    """
    process = subprocess.run(
        [sys.executable, "-m", "perf.boards"],
        cwd=Path(__file__).resolve().parents[1],
        env={**os.environ, **NUMPY_VARIABLES},
        stdout=subprocess.PIPE,
        check=True,
        timeout=_LIMIT_S,
    )
    return [PerfFigure(**row) for row in json.loads(process.stdout)]


@dataclass(frozen=True)
class _BoardData:
    problems: Sequence[ProblemFact]
    runs: Lineup
    n: NDArray[np.int64]
    c: NDArray[np.int64]


def _make_data(rng: np.random.Generator) -> _BoardData:
    """Return twenty million results: some runs are unfinished, and a few answers are missing everywhere."""
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
            cutoff_on=_FIRST_DAY + timedelta(days=int(rng.integers(-900, 1500))),
            cutoff_basis=CutoffBasis.DECLARED,
        )
        for number in range(1, _MODELS + 1)
    ]
    ease, skill = rng.normal(0, 2, (_PROBLEMS, 1)), rng.normal(0, 1.5, _MODELS)
    n = rng.choice([1, 10], _MODELS)[None, :] * (rng.random((_PROBLEMS, _MODELS)) > 0.002)
    n[_PROBLEMS // 2 :, :: _MODELS // 20] = 0
    return _BoardData(problems, Lineup.of(runs), n, rng.binomial(n, 1 / (1 + np.exp(-ease - skill))))


def _problems() -> list[ProblemFact]:
    problems: list[ProblemFact] = []
    contests = _PROBLEMS * len(_CONTESTS) // sum(_CONTESTS.values()) + 1
    for contest in range(contests):
        platform = list(_CONTESTS)[contest % len(_CONTESTS)]
        released = datetime(_FIRST_DAY.year, _FIRST_DAY.month, _FIRST_DAY.day, 12, tzinfo=UTC) + timedelta(
            days=contest * _DAYS // contests
        )
        size = _CONTESTS[platform]
        for place in range(size):
            level = list(Level)[min(4, 5 * place // size)]
            slug, cluster = f"{platform}/{contest}-{place}", f"{platform}:{contest}"
            setters = _SETTERS[len(problems) % len(_SETTERS)]
            problems.append(ProblemFact(len(problems) + 1, slug, platform, released, cluster, level, setters=setters))
    return problems[:_PROBLEMS]


def _random_window(rng: np.random.Generator) -> Window:
    start, end = sorted(int(day) for day in rng.integers(0, _DAYS + 1, 2))
    return Window(_FIRST_DAY + timedelta(days=start), _FIRST_DAY + timedelta(days=end + 1))


def _random_query(rng: np.random.Generator) -> BoardQuery:
    """Return a random query: each part of it is present or absent."""

    def random_subset(values: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(value for value in values if rng.random() < 0.5)

    return BoardQuery(
        window=_random_window(rng) if rng.random() < 0.5 else Window(),
        platforms=random_subset(list(_CONTESTS)),
        levels=random_subset(list(Level)),
        models=tuple(f"model-{number}" for number in rng.integers(1, _MODELS, 20)) if rng.random() < 0.1 else (),
        cutoff_before=_FIRST_DAY + timedelta(days=int(rng.integers(0, _DAYS))) if rng.random() < 0.3 else None,
        exposure=list(Exposure)[int(rng.integers(0, len(Exposure)))],
    )


def _ms(call: Callable[[], object]) -> float:
    """Return the milliseconds of the best of a few calls, to leave out the machine's other work."""
    return min(timeit.repeat(call, number=1, repeat=_REPEATS)) * 1000


def _p95(values: Sequence[float]) -> float:
    return sorted(values)[int(0.95 * len(values))]


def _measure_here() -> list[PerfFigure]:
    rng = np.random.default_rng(7)
    data = _make_data(rng)
    rates = (data.c / np.maximum(data.n, 1)).astype(np.float32)
    queries = [_random_query(rng) for _ in range(_QUERIES)]
    few_models_p95 = _few_models_p95(data, queries[:_FEW_QUERIES])
    with tempfile.TemporaryDirectory() as name, cell_store(data.problems, data.runs.runs) as store:
        load_s, _ = _timed(lambda: store.load(data.n, data.c))
        data = _BoardData(data.problems, data.runs, data.n[:0], data.c[:0])
        build_s, built = _timed(store.cube)
        folder = Path(name)
        save(built, folder)
        del built
        cube = load(folder)
        rank_board(cube, data.runs, queries[0])  # computes the sums that all queries share
        grouped_ms = _sql_times(store, cube, data, queries)
        update_ms, bare_update_ms = _update_times(rng, store, cube, data, folder)
        more_s = _one_problem_more(cube, data, folder / "more")
        plain_queries = [BoardQuery(window=_random_window(rng)) for _ in range(_QUERIES)]
        plain_ms, window_passes_ms = _times_beside_passes(cube, data, rates, plain_queries, 0)
        filtered_ms, passes_ms = _times_beside_passes(cube, data, rates, queries, _REPLICATES)
        together_ms, per_s = _concurrent_boards(cube, data, queries)
    one_reader_ms, sql_ms = _p95(filtered_ms), float(np.median(grouped_ms))
    return [
        figure_at_most("boards.filtered.p95_ms", one_reader_ms, "ms", _p95(passes_ms), _PASSES_FILTERED),
        informative_figure("boards.filtered.p50_ms", float(np.median(filtered_ms)), "ms", float(np.median(passes_ms))),
        figure_at_most(
            "boards.plain.p95_ms", _p95(plain_ms), "ms", _p95(window_passes_ms), _PASSES_PLAIN, plus=_PLAIN_FIXED_MS
        ),
        informative_figure("boards.plain.p50_ms", float(np.median(plain_ms)), "ms", float(np.median(window_passes_ms))),
        figure_at_most("boards.readers8.p95_ms", together_ms, "ms", one_reader_ms, _READERS / usable_cores() * 1.3),
        informative_figure("boards.readers8.per_s", per_s, "/s"),
        informative_figure("boards.sql.p50_ms", sql_ms, "ms"),
        figure_at_most("boards.filtered.beside_sql_ms", float(np.median(filtered_ms)), "ms", sql_ms, _SQL_SHARE),
        figure_within("boards.update_ms", max(update_ms), "ms", 1000, max(bare_update_ms)),
        informative_figure("boards.1m_cells.filtered.p95_ms", few_models_p95, "ms"),
        informative_figure("boards.load_s", load_s, "s"),
        informative_figure("boards.build_s", build_s, "s"),
        figure_at_most("boards.one_problem_more_s", more_s, "s", build_s, _ONE_MORE_SHARE),
        figure_within("boards.peak_mb", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "MB", 3000),
        PerfFigure("boards.models", _MODELS, "models", None, None, len(data.runs.runs) == _MODELS),
        PerfFigure("boards.problems", _PROBLEMS, "problems", None, None, len(data.problems) == _PROBLEMS),
    ]


def _timed(call: Callable[[], T]) -> tuple[float, T]:
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def _board_times(cube: Cube, data: _BoardData, queries: Sequence[BoardQuery], replicates: int) -> list[float]:
    """Return the milliseconds of each board, one at a time."""

    def ask(query: BoardQuery) -> Callable[[], object]:
        return lambda: rank_board(cube, data.runs, query, replicates=replicates)

    return [_ms(ask(query)) for query in queries]


def _few_models_p95(data: _BoardData, queries: Sequence[BoardQuery]) -> float:
    """Return the p95 milliseconds of the same filters over a twentieth of the models."""
    runs = Lineup.of(data.runs.runs[:_FEW_MODELS])
    n, c = (counts[:, :_FEW_MODELS] for counts in (data.n, data.c))
    cube = Cube.of_counts(data.problems, runs.runs, n, c, revision=1)
    return _p95(_board_times(cube, _BoardData(data.problems, runs, data.n[:0], data.c[:0]), queries, _REPLICATES))


def _concurrent_boards(cube: Cube, data: _BoardData, queries: Sequence[BoardQuery]) -> tuple[float, float]:
    """Return (p95 in milliseconds, boards per second) with eight readers at once, as the site serves them.

    The processes are forked over the cube's files and have equally many readers, each of which requests the next board
    as soon as the last one is there. Each board's time is the best of as many repeats as for a single reader.
    """
    rounds = [_timed(lambda: _concurrent_times(cube, data, queries)) for _ in range(_REPEATS)]
    times = [min(of_one) for of_one in zip(*(times for _, times in rounds), strict=True)]
    return _p95(times), len(queries) / min(span for span, _ in rounds)


def _concurrent_times(cube: Cube, data: _BoardData, queries: Sequence[BoardQuery]) -> list[float]:
    """Return the milliseconds of each board, including the time its reader waited in line."""
    context = get_context("fork")
    position, times = context.Value("i", 0), context.Array("d", len(queries), lock=False)

    def serve(readers: int) -> None:
        turns = FairSemaphore(RANKING_SLOTS)

        def read() -> None:
            while (place := _take_next(position)) < len(queries):
                began = time.perf_counter()
                with turns.slot():
                    rank_board(cube, data.runs, queries[place], replicates=_REPLICATES)
                times[place] = (time.perf_counter() - began) * 1000

        with ThreadPoolExecutor(readers) as threads:
            for future in [threads.submit(read) for _ in range(readers)]:
                future.result()

    processes = Settings().web_processes
    shares = [len(range(number, _READERS, processes)) for number in range(min(processes, _READERS))]
    servers = [context.Process(target=serve, args=(readers,)) for readers in shares]
    for server in servers:
        server.start()
    for server in servers:
        server.join()
        if server.exitcode:
            raise RuntimeError("a process that served boards has failed")
    return list(times)


def _take_next(number: "Synchronized[int]") -> int:
    with number.get_lock():
        number.value += 1
        return number.value - 1


def _sql_times(store: CellStore, cube: Cube, data: _BoardData, queries: Sequence[BoardQuery]) -> list[float]:
    """Return the milliseconds of GROUP BY for a few of the filters, fewer if it is slow.

    Raises ValueError if its means differ from the board's.
    """
    times = []
    for query in _problem_queries(queries):
        seconds, means = _timed(lambda query=query: store.sql_means(query))  # type: ignore[misc]
        times.append(seconds * 1000)
        scores = {row.run: row.score for row in rank_board(cube, data.runs, query).rows}
        if scores.keys() != means.keys() or any(abs(100 * means[run] - (scores[run] or 0)) > 1e-9 for run in means):
            raise ValueError("the board and SQL do not agree")
        if len(times) >= _MIN_SQL_QUERIES and sum(times) > 1000 * _SQL_BUDGET_S:
            break
    return times


def _problem_queries(queries: Sequence[BoardQuery]) -> Iterator[BoardQuery]:
    """Yield a few filters of problems alone, which SQL answers in one statement."""
    for query in queries[:_MAX_SQL_QUERIES]:
        yield BoardQuery(window=query.window, platforms=query.platforms, levels=query.levels)


def _update_times(
    rng: np.random.Generator, store: CellStore, cube: Cube, data: _BoardData, folder: Path
) -> tuple[list[float], list[float]]:
    """Return the milliseconds of each update, and of writing one shard's bytes beside it.

    An update lasts from the committed cell of one more verdict to the board of a process that has the cube and writes
    it to files for others.
    """
    times, writes = [], []
    for _ in range(_UPDATES):
        store.count_verdict(int(rng.integers(1, _MODELS)), int(rng.integers(1, _PROBLEMS)))
        start = time.perf_counter()
        changed, revision = store.changed_cells(cube.revision)
        cube = cube.with_cells(changed, revision)
        save(cube, folder)
        rank_board(cube, data.runs, BoardQuery())
        times.append((time.perf_counter() - start) * 1000)
        size = max(path.stat().st_size for path in folder.iterdir())
        writes.append(_ms(lambda size=size: (folder / "bare").write_bytes(bytes(size))))  # type: ignore[misc]
    return times, writes


def _one_problem_more(cube: Cube, data: _BoardData, folder: Path) -> float:
    """Return the seconds from one more problem to its board, in a process that has the cube and writes the next one."""
    last = data.problems[-1]
    problems = [*data.problems, replace(last, id=last.id + 1, slug=f"{last.slug}-more")]

    def board() -> None:
        more = cube.with_axes(problems, data.runs.runs)
        save(more, folder)
        rank_board(more, data.runs, BoardQuery())

    return _timed(board)[0]


def _times_beside_passes(
    cube: Cube, data: _BoardData, rates: NDArray[np.float32], queries: Sequence[BoardQuery], replicates: int
) -> tuple[list[float], list[float]]:
    """Return the milliseconds of each board, and of the mean of every model over the board's problems.

    The mean is one pass over the rates of its window, as one matrix product. Both are measured one right after the
    other: a machine that others use is half as fast a minute later.
    """
    boards, passes = [], []
    for query, (part, mask) in zip(queries, _window_rates(cube, rates, queries), strict=True):
        boards += _board_times(cube, data, [query], replicates)
        passes.append(_ms(lambda part=part, mask=mask: mask @ part))  # type: ignore[misc]
    return boards, passes


def _window_rates(
    cube: Cube, rates: NDArray[np.float32], queries: Sequence[BoardQuery]
) -> Iterator[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """Yield for each query the rates of its window, and 1.0 or 0.0 for each of their problems: chosen or not."""
    for query in queries:
        mask = Selection.of(cube.axes, query).chosen
        rows = np.flatnonzero(mask)
        window = slice(int(rows[0]), int(rows[-1]) + 1) if rows.size else slice(0, 0)
        yield rates[window], mask[window].astype(np.float32)


if __name__ == "__main__":
    print(json.dumps([asdict(row) for row in _measure_here()]))
