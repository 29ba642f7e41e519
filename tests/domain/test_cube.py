"""A cube brought up to date has the bytes of one built anew, in memory and on disk."""

import os
import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.board_worlds import FIRST, World, problem, run, worlds
from support.examples import examples

from app.db.boards.cube_files import load, save
from app.domain.boards.board import BoardQuery
from app.domain.boards.ranking import rank_board
from app.domain.cube.cube import Cube
from app.domain.cube.facts import Cell
from app.domain.errors import NotFound


def contents(cube: Cube) -> list[tuple[str, str, tuple[int, ...], bytes]]:
    """Every array of a cube, as bytes."""
    named: list[tuple[str, np.ndarray[Any, Any]]] = [("items", cube.items), *cube.incomplete_cells._asdict().items()]
    for place, shard in enumerate(cube.shards):
        fields = shard._asdict() | shard.running._asdict() | shard.rollup._asdict()
        named += [(f"{place}.{name}", field) for name, field in fields.items() if isinstance(field, np.ndarray)]
    named += [
        (f"{place}.before.{name}", each)
        for place, row in enumerate(cube.before)
        for name, each in row._asdict().items()
    ]
    named += [(f"rollups.{name}", each) for name, each in cube.rollups._asdict().items()]
    return [(name, str(each.dtype), each.shape, each.tobytes()) for name, each in named]


@settings(max_examples=examples(60))
@given(worlds(), st.integers(1, 4), st.randoms(use_true_random=False))
def test_rebuild_equals_incremental_to_the_byte(world: World, steps: int, random: Random) -> None:
    cells = list(world.cells)
    random.shuffle(cells)
    cube = Cube.build(world.problems, world.runs, [], revision=0)
    for step in range(steps):
        part = cells[step::steps]
        # A first, wrong state of every cell, then the true one.
        wrong = (
            Cell(each.run, each.problem, each.n + 1, each.c, each.pending + 1, each.judge_errors, each.item)
            for each in part
        )
        cube = cube.with_cells(wrong, step)
        cube = cube.with_cells(part, step)
    built = Cube.build(world.problems, world.runs, world.cells, revision=steps - 1)
    assert contents(cube) == contents(built)
    assert [shard.digest for shard in cube.shards] == [shard.digest for shard in built.shards]
    assert cube.revision == built.revision


@settings(max_examples=examples(60))
@given(worlds(), st.randoms(use_true_random=False))
def test_a_cube_over_other_axes_has_the_bytes_of_one_built_anew(world: World, random: Random) -> None:
    there = {each.id for each in world.problems if random.random() < 0.7}
    others = [replace(each, level=None, released_on=each.released_on + timedelta(days=random.randrange(9)))
              for each in world.problems if each.id in there]  # fmt: skip
    stayed = [each for each in world.problems if random.random() < 0.7]
    runs = [each for each in world.runs if random.random() < 0.7]
    known = {each.id for each in runs}
    old = Cube.build(others, runs, [each for each in world.cells if each.run in known], revision=3)
    before = contents(old)
    held, came = list[Cell](), list[Cell]()
    for each in world.cells:
        (held if each.run in known and each.problem in there else came).append(each)
    over = old.with_axes(stayed, world.runs)
    assert contents(over) == contents(Cube.build(stayed, world.runs, held, revision=3))
    assert over.revision == 3
    cube = over.with_cells(came, 4)
    assert contents(cube) == contents(Cube.build(stayed, world.runs, world.cells, revision=4))
    assert (cube.axes.problems, cube.axes.runs) == (Cube.build(stayed, world.runs, [], 4).axes.problems, cube.axes.runs)
    assert contents(old) == before


def test_a_cube_over_its_own_axes_is_itself_and_over_fewer_runs_none() -> None:
    cube = Cube.build([problem(1), problem(2)], [run(1), run(2)], [Cell(2, 1, 1, 1, item=1)], 1)
    assert cube.with_axes([problem(2), problem(1)], [run(2), run(1)]) is cube
    with pytest.raises(ValueError, match="a run is gone"):
        cube.with_axes([problem(1)], [run(1)])


def test_with_cells_leaves_the_cube_it_came_from_as_it_was() -> None:
    cube = Cube.build([problem(1)], [run(1)], [Cell(1, 1, 2, 1)], 1)
    before = contents(cube)
    after = cube.with_cells([Cell(1, 1, 4, 4, item=1)], 2)
    assert contents(cube) == before
    assert after.shards[0].n.tolist() == [[2], [4]]


def test_a_change_shares_the_shards_it_does_not_touch() -> None:
    problems = [problem(number, day=number) for number in range(300)]
    cube = Cube.build(problems, [run(1)], [], 1)
    assert len(cube.shards) > 2
    after = cube.with_cells([Cell(1, 200, 1, 1)], 2)
    shared = [one is other for one, other in zip(cube.shards, after.shards, strict=True)]
    assert shared.count(False) == 1


def test_cells_of_others_are_left_out_and_the_last_of_two_counts() -> None:
    cube = Cube.build(
        [problem(1)], [run(1)], [Cell(1, 1, 9, 9), Cell(2, 1, 1, 1), Cell(1, 7, 1, 1), Cell(1, 1, 3, 2)], 1
    )
    assert (cube.shards[0].n.tolist(), cube.shards[0].c.tolist()) == ([[3]], [[2]])


@pytest.mark.parametrize("cell", [Cell(1, 1, 1, 2), Cell(1, 1, 1, -1), Cell(1, 1, 70000, 1), Cell(1, 1, 1, 1, item=-1)])
def test_counts_that_cannot_be_are_refused(cell: Cell) -> None:
    with pytest.raises(ValueError, match=r"counts must|numbered from 0"):
        Cube.build([problem(1)], [run(1)], [cell], 1)


@pytest.mark.parametrize(("problems", "runs"), [([problem(1), problem(1, day=3)], [run(1)]), ([], [run(1), run(1)])])
def test_doubled_ids_are_refused(problems: Sequence[object], runs: Sequence[object]) -> None:
    with pytest.raises(ValueError, match="unique"):
        Cube.build(problems, runs, [], 1)  # type: ignore[arg-type]


def test_whole_arrays_make_the_same_cube_as_cells() -> None:
    problems = [problem(3, day=2), problem(1, day=5), problem(2, day=0)]
    runs = [run(5), run(4)]
    n = np.array([[2, 1], [0, 3], [4, 4]])
    c = np.array([[1, 1], [0, 2], [0, 4]])
    cells = [Cell(each.id, one.id, n[i, j], c[i, j]) for i, one in enumerate(problems) for j, each in enumerate(runs)]
    assert contents(Cube.of_counts(problems, runs, n, c, 1)) == contents(Cube.build(problems, runs, cells, 1))
    with pytest.raises(ValueError, match="counts must"):
        Cube.of_counts(problems, runs, n, n + 1, 1)


@settings(max_examples=examples(20))
@given(world=worlds())
def test_a_cube_read_back_has_the_same_bytes(world: World, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("cube")
    cube = Cube.build(world.problems, world.runs, world.cells, revision=7)
    save(cube, folder)
    read = load(folder)
    assert contents(read) == contents(cube)
    assert (read.axes.problems, read.axes.runs, read.revision) == (cube.axes.problems, cube.axes.runs, 7)
    assert rank_board(read, world.runs, BoardQuery()) == rank_board(cube, world.runs, BoardQuery())


def test_publishing_writes_only_what_changed(tmp_path: Path) -> None:
    problems = [problem(number, day=number) for number in range(300)]
    cube = Cube.build(problems, [run(1)], [], 1)
    save(cube, tmp_path)
    old = load(tmp_path)
    kept = {path.name: path.stat().st_ino for path in tmp_path.iterdir()}
    save(cube.with_cells([Cell(1, 150, 1, 1)], 2), tmp_path)
    now = {path.name: path.stat().st_ino for path in tmp_path.iterdir()}
    assert len(now) == len(kept) + 1
    assert len(now.items() - kept.items()) == 2  # one shard, and the list
    assert load(tmp_path).revision == 2
    save(cube.with_cells([Cell(1, 151, 1, 1)], 3), tmp_path)
    assert len(list(tmp_path.iterdir())) == len(kept) + 1
    assert int(old.shards[2].n.sum()) == 0  # its map outlives the file


def test_a_cube_with_other_axes_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    save(Cube.build([problem(1)], [run(1)], [], 1), tmp_path)
    save(Cube.build([problem(1), problem(2, level=None)], [run(1)], [Cell(1, 2, 1, 1)], 2), tmp_path)
    assert [each.id for each in load(tmp_path).axes.problems] == [1, 2]
    problems = [problem(number, day=number) for number in range(9)]
    for cut in (64, 2):
        cube = Cube.build(problems, [run(1)], [Cell(1, 2, 1, 1)], 3, shard_blocks=cut)
        save(cube, tmp_path)
        assert contents(load(tmp_path)) == contents(cube)


def test_a_shard_that_lost_its_bytes_is_written_again(tmp_path: Path) -> None:
    """A machine without power keeps the names of files whose bytes it had not written yet."""
    cube = Cube.build([problem(1)], [run(1)], [Cell(1, 1, 2, 1)], 1)
    save(cube, tmp_path)
    (shard,) = tmp_path.glob("shard*")
    shard.write_bytes(shard.read_bytes()[:100])
    with pytest.raises(NotFound, match="sum"):
        load(tmp_path)
    save(cube, tmp_path)
    assert contents(load(tmp_path)) == contents(cube)


def test_a_folder_without_a_cube_or_with_one_of_another_format_holds_none(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        load(tmp_path / "absent")
    listed = b'{"format": 99}'
    (tmp_path / "current").write_bytes(sha256(listed).hexdigest().encode() + b"\n" + listed)
    with pytest.raises(NotFound, match="format"):
        load(tmp_path)


def test_a_failed_publication_leaves_the_old_cube(tmp_path: Path) -> None:
    cube = Cube.build([problem(1)], [run(1)], [], 1)
    save(cube, tmp_path)
    after = cube.with_cells([Cell(1, 1, 1, 1)], 2)
    broken = replace(after, incomplete_cells=after.incomplete_cells._replace(item=[object()]))  # type: ignore[arg-type]
    with pytest.raises(AttributeError):
        save(broken, tmp_path)
    assert load(tmp_path).revision == 1


def test_what_is_listed_is_on_the_disk_before_it_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a loss of power would leave names without bytes: `current` comes last, and is itself on the disk first."""
    written: list[int] = []  # in this order, by their inodes
    fsync = os.fsync

    def noted(file: int) -> None:
        fsync(file)
        written.append(os.fstat(file).st_ino)

    monkeypatch.setattr(os, "fsync", noted)
    cube = Cube.build([problem(1)], [run(1)], [Cell(1, 1, 2, 1)], 1)
    for each in (cube, cube.with_cells([Cell(1, 1, 2, 2)], 2)):
        written.clear()
        before = {path.stat().st_ino for path in tmp_path.iterdir()}
        save(each, tmp_path)
        fresh = {path.stat().st_ino for path in tmp_path.iterdir()} - before
        assert len(fresh) >= 2
        assert sorted(written) == sorted(fresh)
        assert written[-1] == (tmp_path / "current").stat().st_ino


def test_readers_see_the_old_cube_or_the_new_one_whole(tmp_path: Path) -> None:
    runs = [run(1), run(2)]
    problems = [problem(number, day=number) for number in range(200)]
    cube = Cube.build(problems, runs, [], 0)
    save(cube, tmp_path)
    seen: list[tuple[int, int]] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            got = load(tmp_path)
            seen.append((got.revision, sum(int(shard.n.sum()) for shard in got.shards)))

    reader = threading.Thread(target=read)
    reader.start()
    for revision in range(1, 16):
        cube = cube.with_cells([Cell(1, place, revision, 0) for place in range(0, 200, 50)], revision)
        save(cube, tmp_path)
    done.set()
    reader.join()
    assert seen
    assert all(total == 4 * revision for revision, total in seen)


def test_days_are_utc() -> None:
    late = problem(1)
    shifted = replace(late, released_on=late.released_on + timedelta(hours=11, minutes=59))
    cube = Cube.build([shifted], [run(1)], [], 0)
    assert cube.axes.day.tolist() == [FIRST.toordinal()]
