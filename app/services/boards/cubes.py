"""Cubes of one host: built once, kept as files that all its processes map, and updated by revision."""

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

from app.db.boards import cells, left_out_problems
from app.db.boards import cube_files as files
from app.db.boards.cells import ProtocolFact
from app.db.kernel import revision as board_state
from app.db.kernel.revision import BoardRevision
from app.db.kernel.session import Session
from app.domain.boards.board import Board, BoardQuery, HiddenRow, RunUsage
from app.domain.boards.lineup import Lineup
from app.domain.boards.named_boards import board_of
from app.domain.boards.ranking import rank_board
from app.domain.cube.cube import Cube
from app.domain.cube.facts import RunFact
from app.domain.errors import NotFound
from app.domain.problems import ProblemFact
from app.services.boards.fair_semaphore import RANKING_SLOTS, FairSemaphore
from app.services.runs import usage

log = get_logger(__name__)
T = TypeVar("T")

# Between two writes of a cube's files: another process starts from the last write and reads later changes.
SAVE_EVERY_S = 20.0
# Usage is shown beside scores and never ranked by, so it may lag: while answers come it is kept this many times as
# long as it took to read, which is a second for a hundred thousand answers.
USAGE_LAG_FACTOR = 50
# Results that took long to compute, and may be asked for again.
MAX_CACHED_RESULTS = 32


@dataclass(frozen=True)
class LoadedProtocol:
    """One protocol as its boards need it, at one revision.

    `wanted` holds the problems of each run's file, for runs imported from one (`Rules.LCB`). `retired` are public runs
    that boards no longer show. `absent` counts problems that no board shows, by reason. None of the protocol's cells
    changed since the revision `changed_at`, and none vanished since `whole_revision`.
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
        """Number of answers wanted to each item, by run, if more than one.

        A run of ours wants those of its protocol. A run from a file wants as many as any file of the protocol has of
        any item, if these are more. A file with rates alone (`n_inferred`) is measured by itself and does not count for
        others: it does not say which answers exist.
        """
        minimum = self.protocol.protocol.sampling.n
        columns = self.cube.axes.columns_of(self.lineup.ids).tolist()
        per_run = [max(minimum, int(self.cube.max_answers[column])) for column in columns]
        file_counts = (
            count for run, count in zip(self.runs, per_run, strict=True) if run.of_file and not run.n_inferred
        )
        file_count = max(file_counts, default=minimum)
        counts = {
            run.id: minimum if not run.of_file else count if run.n_inferred else file_count
            for run, count in zip(self.runs, per_run, strict=True)
        }
        return {run: count for run, count in counts.items() if count > 1}

    @property
    def default_query(self) -> BoardQuery:
        """Query for the default view of the protocol's board."""
        protocol = self.protocol.protocol
        return BoardQuery(board=board_of(protocol) or protocol.scenario, protocol=self.protocol.slug)

    @property
    def axes_key(self) -> tuple[int, int]:
        """The protocol's id, and the revision of problems, runs and models."""
        return self.protocol.id, self.axes_revision

    @property
    def runs(self) -> Sequence[RunFact]:
        """The public runs."""
        return self.lineup.runs

    @property
    def revision(self) -> int:
        """Revision of the cells."""
        return self.cube.revision

    @property
    def problems(self) -> tuple[ProblemFact, ...]:
        """Every problem of the protocol, in order of release."""
        return self.cube.axes.problems

    @property
    def open_work(self) -> int:
        """Number of answers that are planned or under way."""
        return int(self.cube.incomplete_cells.pending.sum())


@dataclass(frozen=True)
class _Usage:
    """Usage of a protocol's answers at one revision, and until when it may be shown at later ones."""

    protocol: int
    by_run: Mapping[int, RunUsage]
    revision: int
    until: float


@dataclass
class _Slot:
    """State that one process keeps of a protocol."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    loaded: LoadedProtocol | None = None
    saved_at: float = 0.0
    usage: _Usage | None = None
    whole: tuple[Hashable, Board] | None = None  # with the key of its cells


class CubeStore:
    """Store of the newest cube of each protocol; builds or refreshes one only when the revision has moved."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._slots: dict[str, _Slot] = {}
        self._guard = threading.Lock()
        self._turns = FairSemaphore(RANKING_SLOTS)
        self._long = FairSemaphore(RANKING_SLOTS)
        self._answers: OrderedDict[Hashable, Any] = OrderedDict()

    def ranking_slot(self) -> AbstractContextManager[None]:
        """Return a context that holds one of the slots for ranking, granted in order of arrival."""
        return self._turns.slot()

    def compute_once(self, question: Hashable, make: Callable[[], T]) -> T:
        """Return the result of `make`, computed once while `question` is among the last ones asked.

        A question names the revisions of the data that its result is made from.
        """
        # A queue of its own: boards take a tenth as long, and would wait behind these.
        with self._long.slot():
            if question not in self._answers:
                self._answers[question] = make()
            self._answers.move_to_end(question)
            while len(self._answers) > MAX_CACHED_RESULTS:
                self._answers.popitem(last=False)
            result: T = self._answers[question]
            return result

    def load(self, session: Session, protocol: ProtocolFact) -> LoadedProtocol:
        """Return the protocol at the database's present revision."""
        slot = self._slot(protocol.slug)
        # Read before the cells: changes committed in between are fetched again next time, never missed.
        current = board_state.current(session)
        # The protocol was read before the revision: one without runs then may have runs by this revision.
        key = (protocol.id, current.axes)
        loaded = slot.loaded
        if loaded is not None and (loaded.revision, *loaded.axes_key) == (current.cells, *key):
            return loaded
        with slot.lock:
            loaded = slot.loaded
            if loaded is None or loaded.axes_key != key:
                loaded = self._build(session, protocol, current, slot)
            elif loaded.revision < current.cells:
                changed = cells.changed_cells(session, protocol.id, loaded.revision)
                first = list(islice(changed, 1))
                cube = loaded.cube.with_cells(chain(first, changed), current.cells)
                loaded = replace(loaded, cube=cube, changed_at=current.cells if first else loaded.changed_at)
                self._save(session, loaded, slot)
            slot.loaded = loaded
            return loaded

    def default_board(self, loaded: LoadedProtocol) -> Board:
        """Return the default view of a protocol's board, ranked again only when its cells have changed.

        It has no usage, and its revision may be an older one.
        """
        slot, key = self._slot(loaded.protocol.slug), (*loaded.axes_key, loaded.changed_at)
        if slot.whole is None or slot.whole[0] != key:
            board = rank_board(
                loaded.cube, loaded.lineup, loaded.default_query, wanted=loaded.wanted, samples=loaded.samples
            )
            slot.whole = key, board
            return board
        return slot.whole[1]

    def usage(self, session: Session, loaded: LoadedProtocol, *, may_lag: bool = True) -> Mapping[int, RunUsage]:
        """Return the usage of each run over all its answers, by run id."""
        slot = self._slot(loaded.protocol.slug)
        cached, begun = slot.usage, time.monotonic()
        # A revised protocol has the name of an earlier one, whose usage is not its own.
        if (
            cached is None
            or cached.protocol != loaded.protocol.id
            or (cached.revision != loaded.revision and (begun >= cached.until or not may_lag))
        ):
            by_run = usage.usage_by_run(session, [run.id for run in loaded.runs], loaded.protocol.protocol.language)
            ended = time.monotonic()
            slot.usage = cached = _Usage(
                loaded.protocol.id, by_run, loaded.revision, ended + USAGE_LAG_FACTOR * (ended - begun)
            )
        return cached.by_run

    def _slot(self, slug: str) -> _Slot:
        with self._guard:
            return self._slots.setdefault(slug, _Slot())

    def _build(self, session: Session, protocol: ProtocolFact, now: BoardRevision, slot: _Slot) -> LoadedProtocol:
        problems = cells.problems(session, protocol)
        public = cells.public_runs(session, protocol)
        runs = tuple(run.fact for run in public if not run.gone)
        folder = self._cube_folder(session, protocol, now.whole)
        with _builder_lock(folder):
            known_cubes = (
                _load_mapped(folder),
                slot.loaded.cube if slot.loaded and _is_reusable(slot.loaded, protocol, now) else None,
            )
            cube = _update_known(session, protocol, now.cells, known_cubes, problems, runs)
            if cube is None:
                cube = Cube.of_arrays(problems, runs, cells.all_cells(session, protocol.id), now.cells)
            loaded = LoadedProtocol(
                protocol=protocol,
                axes_revision=now.axes,
                lineup=Lineup.of(runs),
                wanted=cells.file_problems(session, protocol),
                unpublished=cells.unpublished_variants(session, protocol.id),
                retired=tuple(
                    HiddenRow(run.fact.model, run.fact.configuration, run.gone) for run in public if run.gone
                ),
                absent=left_out_problems.count_absent(session, protocol),
                cube=cube,
                changed_at=now.cells,
                whole_revision=now.whole,
            )
            _save_cube(cube, folder)
        slot.saved_at = time.monotonic()
        return loaded

    def _save(self, session: Session, loaded: LoadedProtocol, slot: _Slot) -> None:
        if time.monotonic() - slot.saved_at < SAVE_EVERY_S:
            return
        folder = self._cube_folder(session, loaded.protocol, loaded.whole_revision)
        with _builder_lock(folder):
            _save_cube(loaded.cube, folder)
        slot.saved_at = time.monotonic()

    def _cube_folder(self, session: Session, protocol: ProtocolFact, whole_revision: int) -> Path:
        # By the revision at which cells vanished, so that an older file is never updated.
        return self._folder / f"{cells.database_id(session)}-{protocol.id}" / str(whole_revision)


def _is_reusable(loaded: LoadedProtocol, protocol: ProtocolFact, now: BoardRevision) -> bool:
    """Return True if a cube is of this protocol, and no cell vanished since."""
    return loaded.protocol.id == protocol.id and loaded.whole_revision == now.whole


def _load_mapped(folder: Path) -> Cube | None:
    """Return the cube that another process, or an earlier life of this one, left in the folder."""
    try:
        return files.load(folder)
    except (NotFound, OSError) as unusable:
        log.info("cube.rebuilt", reason=str(unusable))
        files.clear(folder)
        return None


def _update_known(
    session: Session, protocol: ProtocolFact, revision: int, cubes: Iterable[Cube | None],
    problems: Sequence[ProblemFact], runs: Sequence[RunFact],
) -> Cube | None:  # fmt: skip
    """Return the newest usable cube, extended to these problems and runs and updated with changed cells.

    None if no cube is usable: each is from the future, has a run that is gone, or has less than half of the problems or
    runs.
    """
    ids, run_ids = {problem.id for problem in problems}, {run.id for run in runs}
    usable = [
        cube
        for cube in cubes
        if cube is not None
        and cube.revision <= revision
        and run_ids.issuperset(cube.axes.runs)
        and len(run_ids) <= 2 * len(cube.axes.runs)
        and len(ids) <= 2 * len(ids & cube.axes.row.keys())
    ]
    if not usable:
        return None
    cube = max(usable, key=lambda cube: cube.revision)
    added = cells.cells_of(session, protocol.id, ids - cube.axes.row.keys(), run_ids - cube.axes.column.keys())
    changed = cells.changed_cells(session, protocol.id, cube.revision)
    return cube.with_axes(problems, runs).with_cells(chain(added, changed), revision)


def _save_cube(cube: Cube, folder: Path) -> None:
    try:
        files.save(cube, folder)
        for old in folder.parent.iterdir():
            if old.is_dir() and old != folder:
                shutil.rmtree(old, ignore_errors=True)
    except OSError as full:  # the cube in memory still works; only the next start is slower
        log.warning("cube.not_saved", error=str(full))


@contextmanager
def _builder_lock(folder: Path) -> Iterator[None]:
    """Admit one process of this host at a time; if the disk cannot be written, each process builds alone."""
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
