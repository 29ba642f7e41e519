"""What a process keeps of a protocol follows the database, whatever was read before whatever was committed."""

from dataclasses import replace
from datetime import date
from itertools import product
from pathlib import Path
from random import Random

import pytest
from factories import World
from sqlalchemy import delete, select, text
from support.thinned import thinned

from app.db.boards import cells
from app.db.boards import cube_files as files
from app.db.boards.cells import ProtocolFact
from app.db.kernel import revision
from app.db.kernel.session import Session
from app.db.tables import DirtyCell, Problem, Run, Sample, VerdictRow
from app.domain.asking.protocols import HOUSE
from app.domain.boards.board import Board
from app.domain.cube.cube import Cube
from app.domain.judging.verdicts import Verdict
from app.domain.states import ProblemState
from app.services.boards import board_views
from app.services.boards.cubes import CubeStore, LoadedProtocol


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
        return store.default_board(store.load(world.session, known))

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


def _known(world: World) -> ProtocolFact:
    known = cells.protocol(world.session, HOUSE.slug)
    assert known is not None
    return known


def _of(loaded: LoadedProtocol) -> tuple[object, ...]:
    """All that a cube is made of; `digest` stands for its counts."""
    cube = loaded.cube
    faults = [values.tolist() for values in cube.incomplete_cells]
    return cube.axes, cube.revision, cube.items.tolist(), faults, [shard.digest for shard in cube.shards]


class _Changing:
    """Runs, problems and answers that come and go at random."""

    def __init__(self, world: World, random: Random) -> None:
        self.world, self.session, self.random = world, world.session, random
        self.runs = [world.run(f"m{number}") for number in range(3)]
        self.problems = [world.problem(f"p{number}", day=date(2026, 6, 1 + number)) for number in range(3)]
        for run, problem in product(self.runs, self.problems):
            self._answer(run, problem)

    def change(self) -> None:
        """One change or a few, each said as the services say it; not all is counted at once."""
        of_axes = [self.more_runs, self.more_problems, self.hide_or_show, self.withdraw_or_publish]
        of_cells = [self.judge, self.judge, self.lose]
        for change in self.random.choices([*of_axes, *of_cells], k=self.random.randrange(1, 4)):
            change()
            self.session.flush()
            if change in of_axes:
                revision.mark_axes_changed(self.session)
        if self.random.random() < 0.7:
            self.world.aggregate()

    def more_runs(self) -> None:
        self.runs.append(self.world.run(f"m{len(self.runs)}"))
        for problem in self.random.sample(self.problems, 2):
            self._answer(self.runs[-1], problem)

    def more_problems(self) -> None:
        day = date(2026, 6, self.random.randrange(1, 28))
        self.problems.append(self.world.problem(f"p{len(self.problems)}", day=day))
        for run in self.random.sample(self.runs, 2):
            self._answer(run, self.problems[-1])

    def hide_or_show(self) -> None:
        run = self.random.choice(self.runs)
        run.public = not run.public

    def withdraw_or_publish(self) -> None:
        problem = self.random.choice(self.problems)
        out = problem.state == ProblemState.WITHDRAWN
        problem.state = ProblemState.PUBLISHED if out else ProblemState.WITHDRAWN

    def judge(self) -> None:
        self._answer(self.random.choice(self.runs), self.random.choice(self.problems))

    def lose(self) -> None:
        sample = self.random.choice(self.session.scalars(select(Sample).order_by(Sample.id)).all())
        self.session.add(DirtyCell(run_id=sample.run_id, problem_id=sample.problem_id, item=0))
        self.session.execute(delete(VerdictRow).where(VerdictRow.sample_id == sample.id))
        self.session.delete(sample)

    def _answer(self, run: Run, problem: Problem) -> None:
        there = select(Sample.id).where(Sample.run_id == run.id, Sample.problem_id == problem.id)
        if self.session.scalar(there) is None:
            verdict = self.random.choice([Verdict.ACCEPTED, Verdict.WRONG_ANSWER, None])
            self.world.answer(run, problem, verdict)
        self.session.add(DirtyCell(run_id=run.id, problem_id=problem.id, item=0))


@pytest.mark.parametrize("seed", thinned(range(6), 3))
def test_a_cube_follows_what_comes_and_goes_as_one_made_anew(world: World, tmp_path: Path, seed: int) -> None:
    changing, living = _Changing(world, Random(seed)), CubeStore(tmp_path / "living")
    for step in range(20):
        changing.change()
        if step % 3 == 0:  # another process, begun from its files
            living = CubeStore(tmp_path / "living")
        anew = CubeStore(tmp_path / str(step))
        assert _of(living.load(world.session, _known(world))) == _of(anew.load(world.session, _known(world)))


def test_a_cube_outlives_its_axes_until_a_cell_vanishes(world: World, tmp_path: Path) -> None:
    """Twenty million cells take half a minute to read; one problem more must not."""
    runs, problem = [world.run(name) for name in ("orion", "lyra")], world.problem("a")
    for run in runs:
        world.answer(run, problem)
    world.count()
    store = CubeStore(tmp_path)
    store.load(world.session, _known(world))
    world.session.execute(text("UPDATE cells SET c = 0"))  # as nobody does: who reads all cells again sees it
    later = world.problem("b", day=date(2026, 6, 2))
    world.answer(world.run("nova"), later)
    world.session.add(DirtyCell(run_id=runs[-1].id + 1, problem_id=later.id, item=0))
    world.aggregate()
    revision.mark_axes_changed(world.session)
    for each in (store, CubeStore(tmp_path)):
        [shard] = each.load(world.session, _known(world)).cube.shards
        assert shard.c.tolist() == [[1, 1, 0], [0, 0, 1]]
    revision.mark_cells_removed(world.session)
    for each in (store, CubeStore(tmp_path)):
        [shard] = each.load(world.session, _known(world)).cube.shards
        assert shard.c.tolist() == [[0, 0, 0], [0, 0, 1]]


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
    other = Cube.of_arrays(problems, facts, cells.all_cells(world.session, known.id), 5)
    assert [shard.digest for shard in one.shards] == [shard.digest for shard in other.shards]
    assert [fault.tolist() for fault in one.incomplete_cells] == [fault.tolist() for fault in other.incomplete_cells]


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


DAMAGES = (_zeros, _cut, _empty, _noise, _other_digits, _one_bit, _folder)


def test_damaged_files_are_made_anew(world: World, tmp_path: Path) -> None:
    """After a loss of power, or by whatever else: what is derived is disposable, and wrong bytes are no board."""
    runs, problem = [world.run(slug) for slug in ("orion", "lyra")], world.problem("a")
    world.answer(runs[0], problem)
    world.answer(runs[1], problem, Verdict.WRONG_ANSWER)
    world.count()
    known = cells.protocol(world.session, HOUSE.slug)
    assert known is not None
    for damage, name in product(DAMAGES, ("current", "axes*", "shard*")):
        case = f"{damage.__name__} {name}"
        folder = tmp_path / case
        clean = CubeStore(folder).load(world.session, known)
        counts = [shard.c.tolist() for shard in clean.cube.shards]
        [path] = folder.rglob(name)
        damage(path)
        again = CubeStore(folder).load(world.session, known)
        assert [shard.c.tolist() for shard in again.cube.shards] == counts, case
        published = files.load(path.parent)
        assert published.revision == clean.revision, f"{case}: and published again"
        assert [shard.c.tolist() for shard in published.shards] == counts, case


def test_of_the_files_from_before_a_cell_vanished_none_is_left(world: World, tmp_path: Path) -> None:
    world.answer(world.run("orion"), world.problem("a"))
    world.count()
    store = CubeStore(tmp_path)
    store.load(world.session, _known(world))
    [before] = tmp_path.glob("*/*/current")
    revision.mark_cells_removed(world.session)
    store.load(world.session, _known(world))
    [after] = tmp_path.glob("*/*/current")
    assert before.parent != after.parent


def test_a_disk_that_cannot_be_written_costs_no_board(world: World, tmp_path: Path) -> None:
    """Where the folder should be there is a file: nobody can lock, read or write there."""
    world.answer(world.run("orion"), world.problem("a"))
    world.count()
    (tmp_path / "cubes").write_text("")
    loaded = CubeStore(tmp_path / "cubes").load(world.session, _known(world))
    assert [shard.c.tolist() for shard in loaded.cube.shards] == [[[1]]]


def test_a_cube_that_cannot_be_made_is_a_reason_not_to_be_ready(world: World, tmp_path: Path) -> None:
    world.answer(world.run("orion"), world.problem("a"))
    world.count()
    assert board_views.readiness(world.session, CubeStore(tmp_path)) == []

    class Broken(CubeStore):
        def load(self, session: Session, protocol: ProtocolFact) -> LoadedProtocol:
            raise ValueError("a secret")

    assert board_views.readiness(world.session, Broken(tmp_path)) == ["boards cannot be made"]
