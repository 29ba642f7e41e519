"""One view of a board as a zip archive that anybody can check: its JSON, the cells behind its rows, the problems of its
protocol, and a script that computes the rows again with Python and numpy alone."""

import io
import json
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

from app.db.kernel.session import Session
from app.domain.boards.board import Board, BoardQuery, Rules
from app.domain.boards.entrants import WantedAnswers, WantedProblems
from app.domain.boards.filters import BoardFilter, FilterScope, filters, text_of
from app.domain.boards.groups import MAX_RESULTS_READ
from app.domain.boards.selection import Selection
from app.domain.cube.cube import Cube
from app.domain.cube.facts import RunFact
from app.domain.errors import InvalidInput
from app.domain.exports import ColumnKind
from app.domain.problems import ProblemFact
from app.services.boards import parquet
from app.services.boards.board_views import CubeStore, board_with_cube
from app.services.boards.json_shape import board_bytes

# More would take too long for a page, and has an export of its own. Up to this size rows are compared by contest, as
# the script does.
MAX_CELLS: Final = MAX_RESULTS_READ

_PROBLEM_KINDS: Final = {
    "problem": ColumnKind.TEXT,
    "released_on": ColumnKind.TEXT,
    "platform": ColumnKind.TEXT,
    "level": ColumnKind.TEXT,
    "cluster": ColumnKind.TEXT,
    "setters": ColumnKind.TEXT,
}
_RUN_KINDS: Final = {
    "run": ColumnKind.INTEGER,
    "model": ColumnKind.TEXT,
    "name": ColumnKind.TEXT,
    "organisation": ColumnKind.TEXT,
    "configuration": ColumnKind.TEXT,
    "trial": ColumnKind.INTEGER,
    "language": ColumnKind.TEXT,
    "cutoff_on": ColumnKind.TEXT,
    "cutoff_basis": ColumnKind.TEXT,
    "limited": ColumnKind.FLAG,
    "samples": ColumnKind.INTEGER,
    "run_vendors": ColumnKind.TEXT,
    "started_by": ColumnKind.TEXT,
    "registered_at": ColumnKind.TEXT,
    "extra": ColumnKind.FLAG,
}
_CELL_KINDS: Final = {
    "item": ColumnKind.INTEGER,
    "n": ColumnKind.INTEGER,
    "c": ColumnKind.INTEGER,
    "wanted": ColumnKind.FLAG,
    "served": ColumnKind.FLAG,
}

_SIBLING_IMPORT: Final = re.compile(rf"^from {re.escape(__package__)}\.(\w+) import .+\n", re.MULTILINE)

_README: Final = """\
What stands behind one view of a board of Tidemark, and a script that computes it again.

    python3 recompute.py        needs Python 3.11 or later, and numpy

prints every row with what it found, and ends with 1 if anything differs from board.json by more than a millionth of
a point; ends of intervals by more than a ten-thousandth, for the service sums squares in single precision. It reads
nothing but the files beside it.

board.json        the view, byte for byte as GET /api/v1/boards/{board} gave it
filters.json      what the filters of board.json ask: which column of the problems or rows, and how
cells.parquet     every cell of the rows shown: run, problem, item, answers judged (n) and accepted (c); and of those
                  ranked rows that filters of rows leave out, for ranks are among these too
problems.parquet  every problem of the protocol, also those outside the window and the filters
recompute.py      scores, counts, coverage, exposure, intervals, ranks and tiers from these cells

A problem's pass rate is the mean of c/n over its items with n > 0; a score is the mean over problems. pass@k
puts 1 - C(n-c, k)/C(n, k) in the place of c/n, and is null where an item with n > 0 has n < k. `cluster` is the
contest, on a site without one the day, in a fixed set the problem itself: intervals are clustered by it. Of every run
all problems that the view selects are wanted, with as many answers to each item as `samples` says; `coverage` is the
mean over problems, and over their items, of the part of these that is judged.
Cells with n = 0 are not judged. A row that covers less than 95 % has no rank; where the others stand,
what they lack counts as failed. Days are UTC. A model may have seen what came out on or before the day `cutoff_on`,
and, where `started_by` is `vendor`, the problems with `served`: its vendor had been sent them before the run was
registered. Under the rules `lcb` a problem counts as of 24 hours later, the first moment of the window's end belongs to
it, nothing was sent before, every row may have a rank, and of a run that is `limited` the problems with `wanted` alone
are wanted, with one answer each. Under any other rules a row that is `extra` has no rank: eight other configurations of
its model were registered before. A row is prospective if `registered_at` is earlier than every problem of the view, and
none of them is `served`.
`setters` are the vendors whose models made a problem's tests, and `run_vendors` the names of the row's own, as JSON:
`without_own` is the score over the problems where these are not the same, if three vendors or more made tests.
`groups` are pass@k over the problems of a group, which `group_...` of problems.parquet names, a line each.
Two rows are told apart by their paired difference over all problems of the view, what they lack counted as failed,
clustered by contest, t of G-1 degrees of freedom; p = 2 (1 + difference)^-G where all contests agree; G is (sum n)^2 /
sum n^2 of the contests' sizes n, and below 2 nothing is told apart; Holm over all pairs at 5 %. `rank_lo` is 1 + the
rows surely better, `rank_hi` the number of ranked rows less those surely worse. A tier ends where every row above is
surely better than every row below.
Not computed again: estimates, `p_first` but for its bounds, differences, what answers cost, the board's own `columns`,
`paired` gaps to other protocols, and runs that are hidden.
"""


def bundle(session: Session, query: BoardQuery, cubes: CubeStore, reference: str | None = None) -> bytes:
    """Return the archive; equal boards have equal bytes. Raises InvalidInput when it would be too large."""
    board, loaded = board_with_cube(session, query, cubes, reference)
    return pack(board, loaded.cube, loaded.wanted, loaded.samples)


def pack(board: Board, cube: Cube, wanted: WantedProblems, samples: WantedAnswers) -> bytes:
    """Return the archive of a board made from `cube`; `wanted` and `samples` are as `rank_board` takes them."""
    wanted, samples = (wanted, {}) if board.query.rules is Rules.LCB else ({}, samples)
    rows = np.flatnonzero(Selection.of(cube.axes, board.query).chosen)
    facts = [row.fact for row in (*board.rows, *board.beside)]
    if int(cube.items[rows].sum()) * len(facts) > MAX_CELLS:
        message = (
            f"the board has more than {MAX_CELLS:,} cells: choose fewer problems, or use `./tidemark export cells`"
        )
        raise InvalidInput(message)
    cells = _cell_columns(cube, facts, wanted, samples, rows)
    groups = {
        f"group_{name}": {slug: "\n".join(names) for slug, names in table.problems.items()}
        for name, table in board.groups.items()
    }
    problem, run = (
        kinds | dict.fromkeys(_filter_columns(over), ColumnKind.TEXT)
        for kinds, over in ((_PROBLEM_KINDS, FilterScope.PROBLEMS), (_RUN_KINDS, FilterScope.ROWS))
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        _add_file(archive, "README.txt", lambda out: out.write(_README.encode()))
        _add_file(archive, "board.json", lambda out: out.write(board_bytes(board)))
        _add_file(archive, "filters.json", lambda out: out.write(_filters_json()))
        _add_file(archive, "cells.parquet", lambda out: _write_parquet(out, run | problem | _CELL_KINDS, cells))
        _add_file(
            archive,
            "problems.parquet",
            lambda out: _write_parquet(
                out,
                problem | dict.fromkeys(groups, ColumnKind.TEXT),
                _problem_columns(cube.axes.problems) | _group_columns(cube, groups),
            ),
        )
        _add_file(archive, "recompute.py", lambda out: out.write(script().encode()))
    return packed.getvalue()


def script() -> str:
    """Return the script that computes a board again as one file, with the modules that it imports from here inlined."""
    return _SIBLING_IMPORT.sub(lambda match: _source_text(f"{match[1]}.py"), _source_text("recompute.py"))


def _source_text(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _filters_json() -> bytes:
    """Return the filters as JSON; `recompute.py` has predicates of its own."""
    entries = [
        {"name": entry.name, "over": entry.over, "kind": entry.kind, "column": _column(entry)}
        for entry in filters()
        if entry.over is not FilterScope.BOARD
    ]
    return json.dumps(entries, indent=1).encode()


def _column(entry: BoardFilter) -> str:
    """Return the column of the fact that a filter asks; problems and runs may have facts of one name."""
    return f"run_{entry.fact}" if entry.over is FilterScope.ROWS and entry.fact not in _RUN_KINDS else entry.fact


def _filter_columns(over: FilterScope) -> dict[str, str]:
    """Return the columns that only filters need, with the facts they hold."""
    columns = {_column(entry): entry.fact for entry in filters() if entry.over is over}
    return {column: fact for column, fact in columns.items() if column not in _RUN_KINDS | _PROBLEM_KINDS}


def _add_file(archive: zipfile.ZipFile, name: str, fill: Callable[[Any], object]) -> None:
    entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))  # the earliest date: equal every time
    entry.compress_type, entry.external_attr, entry.create_system = zipfile.ZIP_DEFLATED, 0o644 << 16, 3
    with archive.open(entry, "w") as out:
        fill(out)


def _write_parquet(out: BinaryIO, kinds: dict[str, ColumnKind], columns: dict[str, NDArray[Any]]) -> None:
    parquet.write_groups(out, kinds, [[columns[name] for name in kinds]], plain=True)


def _problem_columns(problems: Sequence[ProblemFact]) -> dict[str, NDArray[Any]]:
    return {
        "problem": _object_array(problem.slug for problem in problems),
        "released_on": _object_array(problem.released_on.astimezone(UTC).isoformat() for problem in problems),
        "platform": _object_array(problem.platform for problem in problems),
        "level": _object_array(None if problem.level is None else problem.level.value for problem in problems),
        "cluster": _object_array(problem.cluster for problem in problems),
        "setters": _object_array(json.dumps(problem.setters, ensure_ascii=False) for problem in problems),
        **_fact_columns(_filter_columns(FilterScope.PROBLEMS), problems),
    }


def _group_columns(cube: Cube, groups: Mapping[str, Mapping[str, str]]) -> dict[str, NDArray[Any]]:
    """Return the group of each problem that the view selects, by column."""
    slugs = [problem.slug for problem in cube.axes.problems]
    return {
        column: _object_array(group_by_slug.get(slug) for slug in slugs) for column, group_by_slug in groups.items()
    }


def _fact_columns(
    columns: Mapping[str, str], things: Sequence[ProblemFact] | Sequence[RunFact]
) -> dict[str, NDArray[Any]]:
    """Return facts as filters compare them, by column; None for a missing fact."""
    facts = {column: [getattr(thing, fact) for thing in things] for column, fact in columns.items()}
    return {
        column: _object_array(None if fact is None else text_of(fact) for fact in values)
        for column, values in facts.items()
    }


def _cell_columns(
    cube: Cube, runs: Sequence[RunFact], wanted: WantedProblems, samples: WantedAnswers, rows: NDArray[np.int64]
) -> dict[str, NDArray[Any]]:
    """Return the columns of cells, run by run: all items of selected problems that the run was judged on or that were
    sent to its vendor, and those wanted of a limited run."""
    axes = cube.axes
    lines = cube.lines(rows, axes.columns_of(np.array([run.id for run in runs], dtype=np.int64)))
    limited = np.array([run.id in wanted for run in runs], dtype=bool)
    mask = np.ones((len(axes.problems), len(runs)), dtype=bool)
    for place in np.flatnonzero(limited).tolist():
        mask[:, place] = False
        mask[axes.rows_of(wanted[runs[place].id]), place] = True
    mask = mask[lines.problem]
    # Missing items of a problem with several also count: it is covered in part.
    partly = np.repeat(lines.by_problem()[0] > 0, cube.items[rows], axis=0)
    served = np.zeros((len(axes.problems), len(runs)), dtype=bool)
    for place, fact in enumerate(runs):
        positions = axes.rows_or_none(np.array(sorted(fact.served), dtype=np.int64))
        served[positions[positions >= 0], place] = True
    served = served[lines.problem]
    run, line = np.nonzero((partly | served | (mask & limited)).T)
    of_run = {
        "run": np.array([run.id for run in runs], dtype=np.int64),
        "model": _object_array(run.model for run in runs),
        "name": _object_array(run.name for run in runs),
        "organisation": _object_array(run.organisation for run in runs),
        "configuration": _object_array(run.configuration for run in runs),
        "trial": np.array([run.trial for run in runs], dtype=np.int64),
        "language": _object_array(run.language for run in runs),
        "cutoff_on": _object_array(None if run.cutoff_on is None else run.cutoff_on.isoformat() for run in runs),
        "cutoff_basis": _object_array(run.cutoff_basis.value for run in runs),
        "limited": limited,
        "samples": np.array([samples.get(run.id, 1) for run in runs], dtype=np.int64),
        "run_vendors": _object_array(json.dumps(run.vendors, ensure_ascii=False) for run in runs),
        "started_by": _object_array(run.started_by.value for run in runs),
        "registered_at": _object_array(
            None if run.registered_at is None else run.registered_at.astimezone(UTC).isoformat() for run in runs
        ),
        "extra": np.array([run.extra for run in runs], dtype=bool),
        **_fact_columns(_filter_columns(FilterScope.ROWS), runs),
    }
    problem = _problem_columns(axes.problems)
    return {
        **{name: values[run] for name, values in of_run.items()},
        **{name: values[lines.problem[line]] for name, values in problem.items()},
        "item": lines.item[line],
        "n": lines.n[line, run],
        "c": lines.c[line, run],
        "wanted": mask[line, run],
        "served": served[line, run],
    }


def _object_array(values: Any) -> NDArray[Any]:
    listed = list(values)
    array = np.empty(len(listed), dtype=object)
    array[:] = listed
    return array
