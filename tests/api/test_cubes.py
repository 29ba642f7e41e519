"""What a process keeps of a protocol follows the database, whatever was read before whatever was committed."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from factories import World

from app.db.boards import cells
from app.db.boards import cube_files as files
from app.db.boards.cells import ProtocolFact
from app.db.kernel.session import Session
from app.db.tables import DirtyCell
from app.domain.asking.protocols import HOUSE
from app.domain.boards.board import Board
from app.domain.cube.cube import Cube
from app.domain.judging.verdicts import Verdict
from app.services.boards import reading
from app.services.boards.cubes import CubeStore, Loaded


def test_a_protocol_read_before_its_first_run_was_committed_is_not_empty_for_ever(world: World, tmp_path: Path) -> None:
    store = CubeStore(tmp_path)
    world.answer(world.run("orion"), world.problem("a"))
    world.count()
    # As a request found it that asked for the protocol just before this commit, and for the revision just after.
    store.load(world.session, ProtocolFact(0, HOUSE.slug, HOUSE.title, HOUSE))
    known = cells.protocol(world.session, HOUSE.slug)
    assert known is not None
    assert [run.model for run in store.load(world.session, known).runs] == ["orion"]
    assert store.load(world.session, known._replace()) is store.load(world.session, known)


def test_a_whole_board_is_ranked_again_when_its_own_cells_change(world: World, tmp_path: Path) -> None:
    store, problem, later = CubeStore(tmp_path), world.problem("a"), world.problem("b")
    other = replace(HOUSE, slug="other")
    runs = [world.run("orion"), world.run("lyra", protocol=other)]
    for run in runs:
        world.answer(run, problem)
    world.count()

    def whole(slug: str) -> Board:
        known = cells.protocol(world.session, slug)
        assert known is not None
        return store.whole_board(store.load(world.session, known))

    board = whole(HOUSE.slug)
    assert [row.score for row in board.rows] == [100.0]
    world.answer(runs[1], later, Verdict.WRONG_ANSWER)
    world.session.add(DirtyCell(run_id=runs[1].id, problem_id=later.id, item=0))
    world.aggregate()
    assert [row.score for row in whole(other.slug).rows] == [50.0]
    assert whole(HOUSE.slug) is board, "nothing of it changed"
    world.answer(runs[0], later, Verdict.WRONG_ANSWER)
    world.session.add(DirtyCell(run_id=runs[0].id, problem_id=later.id, item=0))
    world.aggregate()
    assert [row.score for row in whole(HOUSE.slug).rows] == [50.0]


def test_all_cells_come_as_they_are_stored(world: World) -> None:
    """Read in binary, they must be what the rows say, to the last of them."""
    runs = [world.run(name) for name in ("orion", "lyra")]
    hidden = world.run("nova", public=False)
    for number in range(7):
        problem = world.problem(f"p{number}")
        world.answer(runs[0], problem, Verdict.ACCEPTED if number % 2 else Verdict.WRONG_ANSWER)
        world.answer(runs[1], problem, None if number == 3 else Verdict.ACCEPTED)
        world.answer(hidden, problem)
    world.count()
    known = cells.protocol(world.session, HOUSE.slug)
    assert known is not None
    [found] = cells.all_cells(world.session, known.id)
    rows = sorted(zip(*(each.tolist() for each in found), strict=True))
    assert rows == sorted(map(tuple, cells.changed_cells(world.session, known.id, 0)))
    assert len(rows) == 14
    problems, facts = (
        cells.problems(world.session, known),
        [run.fact for run in cells.public_runs(world.session, known)],
    )
    one = Cube.build(problems, facts, cells.changed_cells(world.session, known.id, 0), 5)
    other = Cube.of_all(problems, facts, cells.all_cells(world.session, known.id), 5)
    assert [shard.digest for shard in one.shards] == [shard.digest for shard in other.shards]
    assert [fault.tolist() for fault in one.faults] == [fault.tolist() for fault in other.faults]


def test_no_cells_are_no_rows(world: World) -> None:
    assert [cell.run.size for cell in cells.all_cells(world.session, 12345)] == [0]


def _zeros(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _noise(path: Path) -> None:
    path.write_bytes(b"\xff\x00[" * (path.stat().st_size // 3))


def _other_digits(path: Path) -> None:
    path.write_bytes(path.read_bytes().translate(bytes.maketrans(b"0123456789", b"1234567890")))


def _one_bit(path: Path) -> None:
    body = bytearray(path.read_bytes())
    body[-1] ^= 2
    path.write_bytes(body)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("name", ["current", "axes*", "shard*"])
@pytest.mark.parametrize("damage", [_zeros, _cut, _empty, _noise, _other_digits, _one_bit, _folder])
def test_damaged_files_are_made_anew(world: World, tmp_path: Path, name: str, damage: Callable[[Path], None]) -> None:
    """After a loss of power, or by whatever else: what is derived is disposable, and wrong bytes are no board."""
    runs, problem = [world.run(slug) for slug in ("orion", "lyra")], world.problem("a")
    world.answer(runs[0], problem)
    world.answer(runs[1], problem, Verdict.WRONG_ANSWER)
    world.count()
    known = cells.protocol(world.session, HOUSE.slug)
    assert known is not None
    clean = CubeStore(tmp_path).load(world.session, known)
    [path] = tmp_path.rglob(name)
    damage(path)
    again = CubeStore(tmp_path).load(world.session, known)
    assert [shard.c.tolist() for shard in again.cube.shards] == [shard.c.tolist() for shard in clean.cube.shards]
    published = files.load(path.parent)
    assert published.revision == clean.revision, "and published again"
    assert [shard.c.tolist() for shard in published.shards] == [shard.c.tolist() for shard in clean.cube.shards]


def test_a_cube_that_cannot_be_made_is_a_reason_not_to_be_ready(world: World, tmp_path: Path) -> None:
    world.answer(world.run("orion"), world.problem("a"))
    world.count()
    assert reading.readiness(world.session, CubeStore(tmp_path)) == []

    class Broken(CubeStore):
        def load(self, session: Session, protocol: ProtocolFact) -> Loaded:
            raise ValueError("a secret")

    assert reading.readiness(world.session, Broken(tmp_path)) == ["boards cannot be made"]
