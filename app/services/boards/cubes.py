"""The cubes of one host: built once, kept as files that all its processes map, brought up to date by revision."""

import fcntl
import os
import shutil
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

from structlog import get_logger

from app.db.boards import absences, cells
from app.db.boards import cube_files as files
from app.db.boards.cells import ProtocolFact
from app.db.kernel import revision as board_state
from app.db.kernel.revision import BoardRevision
from app.db.kernel.session import Session
from app.domain.boards.board import Board, BoardQuery, HiddenRow, RunUsage
from app.domain.boards.lineup import Lineup
from app.domain.boards.named import board_of
from app.domain.boards.ranking import rank_board
from app.domain.cube.cube import Cube
from app.domain.cube.facts import RunFact
from app.domain.errors import NotFound
from app.domain.problems import ProblemFact
from app.services.boards.turns import SEATS, Turns
from app.services.runs import usage

log = get_logger(__name__)
T = TypeVar("T")

# Between two writes of a cube's files: another process starts from the last one and reads what came since.
SAVE_EVERY_S = 20.0
# Sums and medians over answers are shown beside scores, never ranked by, so they may lag: while answers come they are
# kept this many times as long as they took to read, a second where there are a hundred thousand.
KEPT_TIMES = 50
# Answers that took long to make, and may be asked for again.
MOST_ANSWERS = 32


@dataclass(frozen=True)
class Loaded:
    """One protocol as its boards need it, at one revision.

    `wanted` holds the problems of each run's file, where it is of one (`Rules.LCB`); `retired` the
    public runs that no board shows any more; `absent` counts problems that no board shows, by the reason; since
    `changed_at`, a revision, none of its cells changed, though those of other protocols may have; since
    `whole_revision` no cell vanished.
    """

    protocol: ProtocolFact
    axes_revision: int
    lineup: Lineup
    wanted: Mapping[int, frozenset[int]]
    unpublished: Mapping[str, int]
    retired: tuple[HiddenRow, ...]
    absent: Mapping[str, int]
    cube: Cube
    changed_at: int = 0
    whole_revision: int = 0

    @cached_property
    def samples(self) -> Mapping[int, int]:
        """How many answers to each item are wanted of each run: those of its protocol; of a file as many as any file of
        the protocol has of any item, where these are more. A file that has rates alone is measured by itself, and
        others are not measured by it: it says of no answer that it is there."""
        least = self.protocol.protocol.sampling.n
        columns = self.cube.axes.columns_of(self.lineup.ids).tolist()
        most = [max(least, int(self.cube.most[column])) for column in columns]
        told = (count for run, count in zip(self.runs, most, strict=True) if run.of_file and not run.n_inferred)
        of_files = max(told, default=least)
        counts = {
            run.id: least if not run.of_file else count if run.n_inferred else of_files
            for run, count in zip(self.runs, most, strict=True)
        }
        return {run: count for run, count in counts.items() if count > 1}

    @property
    def whole(self) -> BoardQuery:
        """The default view of the protocol's board."""
        protocol = self.protocol.protocol
        return BoardQuery(board=board_of(protocol) or protocol.scenario, protocol=self.protocol.slug)

    @property
    def of(self) -> tuple[int, int]:
        """The protocol's id, and the revision of problems, runs and models."""
        return self.protocol.id, self.axes_revision

    @property
    def runs(self) -> Sequence[RunFact]:
        """The public runs."""
        return self.lineup.runs

    @property
    def revision(self) -> int:
        """The revision of the cells."""
        return self.cube.revision

    @property
    def problems(self) -> tuple[ProblemFact, ...]:
        """Every problem of the protocol, in order of release."""
        return self.cube.axes.problems

    @property
    def open_work(self) -> int:
        """Answers that are planned or on their way."""
        return int(self.cube.faults.pending.sum())


@dataclass(frozen=True)
class _Usage:
    """What answers under a protocol took, at which revision, and until when that may be shown at later ones."""

    protocol: int
    by_run: Mapping[int, RunUsage]
    revision: int
    until: float


@dataclass
class _Slot:
    """What one process keeps of a protocol."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    loaded: Loaded | None = None
    saved_at: float = 0.0
    usage: _Usage | None = None
    whole: tuple[Hashable, Board] | None = None  # of which cells


class CubeStore:
    """Hands out the newest cube of a protocol; builds or refreshes it only when the revision has moved."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._slots: dict[str, _Slot] = {}
        self._guard = threading.Lock()
        self._turns = Turns(SEATS)
        self._long = Turns(SEATS)
        self._answers: OrderedDict[Hashable, Any] = OrderedDict()

    def turn(self) -> AbstractContextManager[None]:
        """A turn at ranking a board, in the order of asking."""
        return self._turns.turn()

    def answer(self, question: Hashable, make: Callable[[], T]) -> T:
        """What a question is answered with: made in turn, and once for all who ask it while it is among the last ones.
        A question names the revisions of what its answer is made from."""
        # A line of their own: boards take a tenth as long, and would wait behind them.
        with self._long.turn():
            if question not in self._answers:
                self._answers[question] = make()
            self._answers.move_to_end(question)
            while len(self._answers) > MOST_ANSWERS:
                self._answers.popitem(last=False)
            found: T = self._answers[question]
            return found

    def load(self, session: Session, protocol: ProtocolFact) -> Loaded:
        """The protocol at the database's present revision."""
        slot = self._slot(protocol.slug)
        # Read before the cells: what is committed in between is fetched again next time, never missed.
        now = board_state.current(session)
        # The protocol was read before it: one that nobody had run then may have runs by this revision.
        key = (protocol.id, now.axes)
        loaded = slot.loaded
        if loaded is not None and (loaded.revision, *loaded.of) == (now.cells, *key):
            return loaded
        with slot.lock:
            loaded = slot.loaded
            if loaded is None or loaded.of != key:
                loaded = self._open(session, protocol, now, slot)
            elif loaded.revision < now.cells:
                changed = cells.changed_cells(session, protocol.id, loaded.revision)
                some = list(islice(changed, 1))
                cube = loaded.cube.with_cells(chain(some, changed), now.cells)
                loaded = replace(loaded, cube=cube, changed_at=now.cells if some else loaded.changed_at)
                self._save(session, loaded, slot)
            slot.loaded = loaded
            return loaded

    def whole_board(self, loaded: Loaded) -> Board:
        """The default view of a protocol's board, ranked again when its cells have changed; what answers took is left
        out, and its revision may be an older one."""
        slot, of = self._slot(loaded.protocol.slug), (*loaded.of, loaded.changed_at)
        if slot.whole is None or slot.whole[0] != of:
            board = rank_board(loaded.cube, loaded.lineup, loaded.whole, wanted=loaded.wanted, samples=loaded.samples)
            slot.whole = of, board
            return board
        return slot.whole[1]

    def usage(self, session: Session, loaded: Loaded, *, may_lag: bool = True) -> Mapping[int, RunUsage]:
        """What the answers of each run took, by run id, over all of them."""
        slot = self._slot(loaded.protocol.slug)
        kept, begun = slot.usage, time.monotonic()
        # A protocol that was revised has its name from another one, whose runs say nothing of its own.
        if (
            kept is None
            or kept.protocol != loaded.protocol.id
            or (kept.revision != loaded.revision and (begun >= kept.until or not may_lag))
        ):
            by_run = usage.of_runs(session, [run.id for run in loaded.runs], loaded.protocol.protocol.language)
            ended = time.monotonic()
            slot.usage = kept = _Usage(
                loaded.protocol.id, by_run, loaded.revision, ended + KEPT_TIMES * (ended - begun)
            )
        return kept.by_run

    def _slot(self, slug: str) -> _Slot:
        with self._guard:
            return self._slots.setdefault(slug, _Slot())

    def _open(self, session: Session, protocol: ProtocolFact, now: BoardRevision, slot: _Slot) -> Loaded:
        problems = cells.problems(session, protocol)
        public = cells.public_runs(session, protocol)
        runs = tuple(run.fact for run in public if not run.gone)
        folder = self._place(session, protocol, now.whole)
        with _one_builder(folder):
            known = (
                _mapped(folder),
                slot.loaded.cube if slot.loaded and _is_kept(slot.loaded, protocol, now) else None,
            )
            cube = _caught_up(session, protocol, now.cells, known, problems, runs)
            if cube is None:
                cube = Cube.of_all(problems, runs, cells.all_cells(session, protocol.id), now.cells)
            loaded = Loaded(
                protocol=protocol,
                axes_revision=now.axes,
                lineup=Lineup.of(runs),
                wanted=cells.file_problems(session, protocol),
                unpublished=cells.unpublished_variants(session, protocol.id),
                retired=tuple(
                    HiddenRow(run.fact.model, run.fact.configuration, run.gone) for run in public if run.gone
                ),
                absent=absences.absent(session, protocol),
                cube=cube,
                changed_at=now.cells,
                whole_revision=now.whole,
            )
            _write(cube, folder)
        slot.saved_at = time.monotonic()
        return loaded

    def _save(self, session: Session, loaded: Loaded, slot: _Slot) -> None:
        if time.monotonic() - slot.saved_at < SAVE_EVERY_S:
            return
        folder = self._place(session, loaded.protocol, loaded.whole_revision)
        with _one_builder(folder):
            _write(loaded.cube, folder)
        slot.saved_at = time.monotonic()

    def _place(self, session: Session, protocol: ProtocolFact, whole_revision: int) -> Path:
        # By the revision at which cells vanished, so that a file from before is never caught up from.
        return self._folder / f"{cells.database_id(session)}-{protocol.id}" / str(whole_revision)


def _is_kept(loaded: Loaded, protocol: ProtocolFact, now: BoardRevision) -> bool:
    """Whether a cube is of this protocol, and nothing vanished since."""
    return loaded.protocol.id == protocol.id and loaded.whole_revision == now.whole


def _mapped(folder: Path) -> Cube | None:
    """The cube another process left, or this one before its last end."""
    try:
        return files.load(folder)
    except (NotFound, OSError) as unusable:
        log.info("cube.rebuilt", reason=str(unusable))
        files.clear(folder)
        return None


def _caught_up(
    session: Session, protocol: ProtocolFact, revision: int, known: Iterable[Cube | None],
    problems: Sequence[ProblemFact], runs: Sequence[RunFact],
) -> Cube | None:  # fmt: skip
    """The newest of the known cubes, over these problems and runs and with what changed; None where none is of use:
    it is from the future, has a run that is gone, or less than half of what there is."""
    ids, run_ids = {problem.id for problem in problems}, {run.id for run in runs}
    of_use = [
        cube
        for cube in known
        if cube is not None
        and cube.revision <= revision
        and run_ids.issuperset(cube.axes.runs)
        and len(run_ids) <= 2 * len(cube.axes.runs)
        and len(ids) <= 2 * len(ids & cube.axes.row.keys())
    ]
    if not of_use:
        return None
    cube = max(of_use, key=lambda cube: cube.revision)
    came = cells.cells_of(session, protocol.id, ids - cube.axes.row.keys(), run_ids - cube.axes.column.keys())
    changed = cells.changed_cells(session, protocol.id, cube.revision)
    return cube.over(problems, runs).with_cells(chain(came, changed), revision)


def _write(cube: Cube, folder: Path) -> None:
    try:
        files.save(cube, folder)
        for old in folder.parent.iterdir():
            if old.is_dir() and old != folder:
                shutil.rmtree(old, ignore_errors=True)
    except OSError as full:  # the cube in memory serves on; only the next start is slower
        log.warning("cube.not_saved", error=str(full))


@contextmanager
def _one_builder(folder: Path) -> Iterator[None]:
    """One process of this host at a time; on a disk that cannot be written everybody builds alone."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder.parent / "lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    except OSError as refused:
        log.warning("cube.no_lock", error=str(refused))
        yield
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
