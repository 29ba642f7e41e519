"""What a bundle holds is enough to compute its board again, and a changed cell is found."""

import ast
import io
import json
import subprocess
import sys
import zipfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.board_worlds import FIRST, World, problem, queries, run, worlds
from support.examples import examples
from support.recomputing import recomputed, unpacked

from app.domain.boards.board import Board, BoardQuery, Exposure, Rules
from app.domain.boards.ranking import rank_board
from app.domain.cube.cube import Cube
from app.domain.cube.facts import Cell, StartedBy
from app.domain.errors import InvalidInput
from app.domain.metrics import clustered_mean
from app.domain.problems import Level
from app.domain.windows import Window
from app.services.boards import bundle, recompute, recompute_intervals, recompute_parquet

Tables = tuple[dict[str, Any], dict[str, list[Any]], dict[str, list[Any]]]


def packed(world: World, query: BoardQuery, wanted: dict[int, frozenset[int]]) -> tuple[Board, bytes]:
    cube = Cube.build(world.problems, world.runs, world.cells, revision=1)
    found = rank_board(cube, world.runs, query, wanted=wanted, samples=world.samples)
    return found, bundle.pack(found, cube, wanted, world.samples)


def opened(archive: bytes) -> Tables:
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        problems, cells = (
            recompute_parquet.read_parquet(files.read(f"{name}.parquet")) for name in ("problems", "cells")
        )
        board = {**json.loads(files.read("board.json")), "declared": json.loads(files.read("filters.json"))}
        return board, problems, cells


def differences(board: dict[str, Any], problems: dict[str, list[Any]], cells: dict[str, list[Any]]) -> list[str]:
    return list(recompute.compare(board, problems, recompute.recompute(board, problems, cells)))


@st.composite
def asked(draw: st.DrawFn) -> tuple[World, BoardQuery, dict[int, frozenset[int]]]:
    """A world, a question, and what some of the runs want."""
    world = draw(worlds())
    ids = [each.id for each in world.problems]
    wanted = {
        each.id: frozenset(ids[:: draw(st.integers(1, 3))]) for each in world.runs if draw(st.integers(0, 3)) == 0
    }
    return world, draw(queries()), wanted


@given(asked(), st.randoms(use_true_random=False))
@settings(max_examples=examples(40))
def test_any_board_is_computed_again_and_any_changed_cell_is_found(given: Any, random: Any) -> None:
    found, archive = packed(*given)
    board, problems, cells = opened(archive)
    assert [row["run"] for row in board["rows"]] == [row.run for row in found.rows]
    assert differences(board, problems, cells) == []
    shown = {row.run for row in found.rows}
    judged = [place for place, n in enumerate(cells["n"]) if n and cells["run"][place] in shown]
    if judged:
        place = random.choice(judged)
        cells["c"][place] = 0 if cells["c"][place] else cells["n"][place]
        assert differences(board, problems, cells) != []


def a_world(names: tuple[str, ...] = ("orion", "lyra")) -> World:
    """Forty problems in as many contests; the models' answers differ."""
    problems = [problem(n, day=n, level=(Level.EASY, Level.HARD, None)[n % 3]) for n in range(40)]
    runs = [run(n, model=name, cutoff=FIRST + timedelta(days=4 * n - 1)) for n, name in enumerate(names)]
    cells = [Cell(each.id, one.id, 3, (one.id * (each.id + 2)) % 4) for each in runs for one in problems]
    return World(problems, runs, cells, ("made",))


def ran(folder: Path, archive: bytes) -> subprocess.CompletedProcess[str]:
    """The script of an archive, run as its reader would, without anything of this project on its path."""
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        files.extractall(folder)
    command = [sys.executable, "-I", str(folder / "recompute.py")]
    return subprocess.run(command, capture_output=True, cwd=folder, text=True, encoding="utf-8", check=False)


def test_the_script_runs_alone_and_says_what_it_found(tmp_path: Path) -> None:
    hostile = ("\x1b[31mred\r\n\u202e", "'; DROP--", "../../evil", "名前" * 30, "=1+1")
    world = a_world(hostile)
    _, archive = packed(world, BoardQuery(rules=Rules.LCB), {0: frozenset(range(30))})
    done = ran(tmp_path, archive)
    assert (done.returncode, done.stderr) == (0, "")
    *rows, last = done.stdout.splitlines()
    assert last == "5 rows, 0 differences"
    assert len(rows) == 5
    assert "?[31mred???" in done.stdout
    assert "\x1b" not in done.stdout
    board = tmp_path / "board.json"
    text = board.read_text(encoding="utf-8")
    changed = text.replace('"wanted":30', '"wanted":31', 1)
    assert changed != text
    board.write_text(changed, encoding="utf-8")
    wrong = subprocess.run(
        [sys.executable, str(tmp_path / "recompute.py")], capture_output=True, text=True, check=False
    )
    assert wrong.returncode == 1


@pytest.mark.parametrize("rules", list(Rules))
def test_midnight_of_the_last_day_is_where_the_rules_put_it(rules: Rules) -> None:
    world = a_world()
    early = [replace(each, released_on=each.released_on.replace(hour=0)) for each in world.problems]
    query = BoardQuery(window=Window(FIRST + timedelta(days=3), FIRST + timedelta(days=30)), rules=rules)
    for problems in (early, world.problems):
        found, archive = packed(World(problems, world.runs, world.cells, ()), query, {})
        assert found.problems in (27, 28)
        assert differences(*opened(archive)) == []


@pytest.mark.parametrize("rules", list(Rules))
def test_what_a_row_lacks_is_in_the_bundle(rules: Rules) -> None:
    """A problem that its vendor was sent and it never answered, and what its own file has beside what is judged."""
    sent = run(1, started_by=StartedBy.VENDOR, served={5})
    cells = [*(Cell(1, n, 1, n % 2) for n in range(10) if n != 5), *(Cell(2, n, 1, 1) for n in range(4))]
    world = World([problem(n, day=n) for n in range(10)], [sent, run(2)], cells, ())
    found, archive = packed(world, BoardQuery(rules=rules), {2: frozenset(range(8))})
    expected = {Rules.LCB: {1: (10, 0), 2: (8, 0)}, Rules.TIDEMARK: {1: (10, 1), 2: (10, 0)}}[rules]
    assert {row.run: (row.wanted, row.served) for row in found.rows} == expected
    assert differences(*opened(archive)) == []


def test_the_script_needs_numpy_alone() -> None:
    tree = ast.parse(bundle.script())
    names = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in names} - set(sys.stdlib_module_names) == {"numpy"}


def test_what_a_bundle_cannot_hide() -> None:
    _, archive = packed(a_world(), BoardQuery(exposure=Exposure.HIDE, models=("orion",)), {})
    board, problems, cells = opened(archive)
    assert differences(board, problems, cells) == []

    def wrong(changed: dict[str, Any]) -> str:
        return "\n".join(differences(board | changed, problems, cells))

    [row] = board["rows"]
    assert "exposed is 2" in wrong({"rows": [row | {"exposed": 2}]})
    assert "rank_hi is 7" in wrong({"rows": [row | {"rank_hi": 7}]})
    assert "score is None" in wrong({"rows": [row | {"score": None}]})
    assert "cutoff: date is None" in wrong({"rows": [row | {"cutoff": {"date": None, "basis": "declared"}}]})
    assert "stands only in the cells" in wrong({"rows": []})
    assert "filters of the board do not" in wrong({"filters": board["filters"] | {"language": ["cpp"]}})
    assert "problems is 3" in wrong({"problems": 3})
    assert "by_platform: atcoder is 1" in wrong({"by_platform": {"atcoder": 1}})


def test_a_forged_board_is_told_whatever_it_adds() -> None:
    """A row beside the true one, another order or name, true for 1: a reader of the board takes them as they stand."""
    _, archive = packed(a_world(), BoardQuery(window=Window(FIRST + timedelta(days=5))), {})
    board, problems, cells = opened(archive)
    first, second = board["rows"]
    forged = second | {"score": 100.0, "rank": 1, "rank_lo": 1, "rank_hi": 1}
    for rows, words in (
        ([forged, first, second], f"run {second['run']} stands 2 times"),
        ([second, first], "not stand in the order"),
        ([first | {"name": "GPT-9"}, second], "name is GPT-9"),
        ([first | {"organisation": "Acme"}, second], "organisation is Acme"),
        ([first | {"registered_at": "2020-01-01"}, second], "registered_at is 2020-01-01"),
        ([first | {"rank": True}, second], "rank is True"),
    ):
        assert words in "\n".join(differences(board | {"rows": rows}, problems, cells))
    _, archive = packed(a_world(), BoardQuery(), {})
    board, problems, cells = opened(archive)
    ranked, without = board["rows"]
    assert without["rank"] is None
    assert differences(board | {"rows": [without, ranked]}, problems, cells) != []


def test_a_chance_of_more_than_one_is_told() -> None:
    world = a_world()
    cells_of_both = [
        Cell(each.id, one.id, 3, (7 * one.id + each.id) % 4) for each in world.runs for one in world.problems
    ]
    cube = Cube.build(world.problems, world.runs, cells_of_both, revision=1)
    query = BoardQuery(window=Window(FIRST + timedelta(days=5)))
    archive = bundle.pack(rank_board(cube, world.runs, query, replicates=50), cube, {}, {})
    board, problems, cells = opened(archive)
    first, second = board["rows"]
    assert 0 < first["p_first"] < 1, "either may be first"
    assert differences(board, problems, cells) == []
    for chance in (7.5, -0.1):
        assert differences(board | {"rows": [first | {"p_first": chance}, second]}, problems, cells) != []


def test_a_filter_that_nothing_compares_is_told() -> None:
    """Else a board of all problems would say that it is of one platform alone."""
    _, archive = packed(a_world(), BoardQuery(), {})
    board, problems, cells = opened(archive)
    said = board | {
        "filters": board["filters"] | {"platform": ["leetcode"]},
        "declared": [entry for entry in board["declared"] if entry["name"] != "platform"],
    }
    assert "nothing compares the filter platform" in differences(said, problems, cells)


@pytest.mark.parametrize(
    "change",
    [{"c": [4], "item": [9]}, {"c": [-1], "item": [9]}, {"n": [-1], "item": [9]}, {"item": [0]},
     {"model": ["another"], "item": [9]}],
)  # fmt: skip
def test_cells_that_contradict_one_another_are_no_bundle(change: dict[str, list[Any]]) -> None:
    _, archive = packed(a_world(), BoardQuery(), {})
    board, problems, cells = opened(archive)
    # Each is one contradiction: only what stands twice has an item that is there already.
    more = {name: values + change.get(name, values[:1]) for name, values in cells.items()}
    with pytest.raises(ValueError, match="contradict one another"):
        differences(board, problems, more)
    with pytest.raises(ValueError, match="twice"):
        differences(board, {name: values + values[:1] for name, values in problems.items()}, cells)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("board.json", lambda body: body.replace(b'"score":', b'"score":100.0,"score":', 1)),
        ("board.json", lambda body: body.replace(b'"revision":1', b'"revision":NaN', 1)),
        ("board.json", lambda body: body.decode().encode("utf-16")),
        ("board.json", lambda _: b"[" * 100_000),
        ("board.json", lambda body: body.replace(b'"rows":', b'"lines":', 1)),
        ("cells.parquet", lambda body: body[:40]),
        ("cells.parquet", lambda body: body[:-60] + b"\xff" * 48 + body[-12:]),
        ("filters.json", lambda _: b"7"),
    ],
)
def test_what_cannot_be_read_is_said_in_a_line(
    tmp_path: Path, name: str, change: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    _, archive = packed(a_world(), BoardQuery(), {})
    script = unpacked(archive, tmp_path)
    (tmp_path / name).write_bytes(change((tmp_path / name).read_bytes()))
    code, said = recomputed(script)
    assert (code, capsys.readouterr().err) == (1, "")
    assert said.startswith("UNREADABLE: ")
    assert len(said.splitlines()) == 1


def test_a_few_bytes_claim_no_million_lines() -> None:
    out = io.BytesIO()
    pyarrow.parquet.write_table(
        pyarrow.table({"n": pyarrow.nulls(2_000_000, pyarrow.string())}), out,
        compression="none", use_dictionary=False, write_statistics=False, data_page_version="1.0",
    )  # fmt: skip
    assert len(out.getvalue()) < 20_000
    with pytest.raises(ValueError, match="lines are not read here"):
        recompute_parquet.read_parquet(out.getvalue())


def test_a_page_that_leads_back_to_itself_ends() -> None:
    out = io.BytesIO()
    schema = pyarrow.schema([pyarrow.field("n", pyarrow.int64(), nullable=False)])
    pyarrow.parquet.write_table(
        pyarrow.table({"n": [1, 2, 3]}, schema), out,
        compression="none", use_dictionary=False, write_statistics=False, data_page_version="1.0",
    )  # fmt: skip
    data = bytearray(out.getvalue())
    head = data.index((1).to_bytes(8, "little")) - 4  # of the page, behind the file's own four letters
    assert bytes(data[8:13]) == b"\x15\x30\x2c\x15\x06", "24 bytes; three lines"
    data[9], data[12] = 2 * head - 1, 0  # as many bytes back as the head has; no line
    with pytest.raises(ValueError, match="a page has no lines"):
        recompute_parquet.read_parquet(bytes(data))


def test_equal_boards_have_equal_bytes_and_huge_ones_none() -> None:
    query = BoardQuery()
    assert packed(a_world(), query, {})[1] == packed(a_world(), query, {})[1]
    problems = [problem(n, day=n) for n in range(510)]
    runs = [run(n) for n in range(510)]
    ones = np.ones((510, 510), dtype=np.uint16)
    cube = Cube.of_counts(problems, runs, ones, ones, revision=1)
    found = rank_board(cube, runs, query, replicates=10)
    with pytest.raises(InvalidInput, match="export cells"):
        bundle.pack(found, cube, {}, {})
    narrow = rank_board(
        cube, runs, replace(query, window=Window(None, FIRST + timedelta(days=5)), models=("model-1",)), replicates=10
    )
    assert differences(*opened(bundle.pack(narrow, cube, {}, {}))) == []


@pytest.mark.parametrize("data", [b"", b"PAR1", b"x" * 40])
def test_what_is_no_parquet_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="not a Parquet file"):
        recompute_parquet.read_parquet(data)


def test_halves_of_contests_are_rounded_as_the_board_rounds_them() -> None:
    """Of 42 problems in twelve contests, which say as much as 11.025 of one size."""
    contests = [place for place, size in enumerate([1, 3, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5]) for _ in range(size)]
    rates = np.array([1.0 if number % 6 else 0.0 for number in range(42)])
    found = clustered_mean(rates, contests)
    assert recompute_intervals.interval(rates, [str(contest) for contest in contests]) == pytest.approx(
        (found.lo, found.hi), abs=1e-9
    )
