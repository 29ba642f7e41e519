"""The form for interactive problems: program and interactor, each in a sandbox of its own, and a pump between them.

Both always end: each has its limits, bytes without a reader are dropped, and a side whose partner has ended reads the
end of its input.
"""

import contextlib
import select
import shlex
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from io import FileIO
from pathlib import Path

from app.domain.errors import JudgeError
from app.domain.judging.verdicts import Verdict
from app.domain.problems import CheckerKind, Test
from app.domain.reasons import Reason
from workers.grading.checker_programs import FEEDBACK_FOLDER, Helper, helper_files, read_verdict
from workers.grading.graders import HelperFailed, JudgedTest
from workers.grading.host_lock import Host
from workers.grading.run_verdict import ProgramLimits, decide
from workers.grading.runner import AnyRunner, Runner
from workers.grading.sandbox.protocol import MAX_WALL_STRETCH, ProgramRun, SandboxBounds, Times
from workers.grading.sandbox.pump import OutputPump
from workers.grading.settings import HelperLimits
from workers.grading.starvation import apply_cpu_limit, is_borderline, widen_cpu_limit

_TALK = 1.75  # of the wall limit: the interactor may work for so long on the program's output, and afterwards
_CHECK_S = 0.1  # between two checks of the program's time
_IDLE = 0.5  # of the CPU limit: a program that ran out of time with less was waiting
_LAST_WORDS_S, _WRAP_UP_S = 0.25, 2.0


class _StdinQueue:
    """The bytes on their way to a program's stdin, dropped once it does not read them any more."""

    def __init__(self) -> None:
        self._pipe: FileIO | None = None
        self._waiting = b""
        self._ended = False

    def open(self, pipe: FileIO | None) -> None:
        """Send the bytes to `pipe` from now on, which must not block."""
        self._pipe = pipe

    @property
    def backlog(self) -> int | None:
        """The descriptor that must accept waiting bytes before more may come; None if none wait."""
        if self._pipe is None or self._pipe.closed or not self._waiting:
            return None
        return self._pipe.fileno()

    def take(self, piece: bytes) -> None:
        """Add bytes for the program to read."""
        self._waiting += piece
        self.flush()

    def flush(self) -> None:
        """Write as many waiting bytes as the pipe takes."""
        if self._pipe is None:
            return
        try:
            count = 0 if self._pipe.closed else self._pipe.write(self._waiting)
        except OSError:  # it has closed its stdin
            self._pipe.close()
        if self._pipe.closed:
            self._waiting = b""
            return
        self._waiting = self._waiting[count or 0 :]
        if self._ended and not self._waiting:
            self._pipe.close()

    def end(self) -> None:
        """Close the pipe once all waiting bytes are written."""
        self._ended = True
        self.flush()

    def close(self) -> None:
        """Close the pipe, since its reader has ended."""
        if self._pipe is not None:
            self._pipe.close()


@dataclass(slots=True)
class _DialogueSide:
    """Program or interactor: its pump, the bytes on their way to it, and its run once it has ended."""

    pump: OutputPump
    inbox: _StdinQueue
    run: ProgramRun | None = field(default=None)

    @property
    def times(self) -> Times:
        """The times of this side, as last reported."""
        return self.pump.times if self.run is None else self.run.times

    def awaits(self, partner: "_DialogueSide") -> list[tuple[int, int]]:
        """Return the (descriptor, event) pairs to poll; its output is not read while its partner's inbox is full."""
        backlog = [] if self.inbox.backlog is None else [(self.inbox.backlog, select.POLLOUT)]
        if self.run is not None:
            return backlog
        heard = [] if self.pump.output is None or partner.inbox.backlog is not None else [self.pump.output]
        return backlog + [(fd, select.POLLIN) for fd in (*heard, *self.pump.other_descriptors)]


class _Dialogue:
    """The exchange between two started sides, until both have ended.

    The program's clock stands still while it waits for a CPU, and while the interactor or this process works or waits
    for one. It follows the reports of both sandboxes, and stops while one of them does not report.
    """

    def __init__(
        self,
        program: _DialogueSide,
        interactor: _DialogueSide,
        wall_ms: float,
        afterwards_ms: float,
        ended: Callable[["_Dialogue"], None],
    ) -> None:
        """Give the program `wall_ms` by its clock, and the interactor `afterwards_ms` after the program's end.

        `ended` is called when a side has ended.
        """
        self.program, self.interactor, self._tell = program, interactor, ended
        self._wall_ms, self._afterwards_ms = wall_ms, afterwards_ms
        self._ended_at_ms = 0.0  # by the interactor's clock, when the program had ended
        self.first: _DialogueSide | None = None  # the side that closed its output before the other did
        self._waited_before = _waited_ms()

    @property
    def others_ms(self) -> float:
        """The milliseconds that the program may have waited for the interactor and for this process."""
        times = self.interactor.times
        return times.cpu_ms + times.starved_ms + _waited_ms() - self._waited_before

    def _is_late(self) -> bool:
        times, theirs = self.program.times, self.interactor.times
        heard_ms = times.wall_ms if self.interactor.run is not None else min(times.wall_ms, theirs.wall_ms)
        return heard_ms - times.starved_ms - self.others_ms > self._wall_ms

    def _lingers(self) -> bool:
        times = self.interactor.times
        return times.wall_ms - times.starved_ms - self._ended_at_ms > self._afterwards_ms

    def run(self) -> None:
        """Pump until both have ended. Raises JudgeError if a sandbox fails."""
        # If both ends are found at once, the interactor's counts as first: the program's may follow from it.
        pairs = ((self.interactor, self.program), (self.program, self.interactor))
        next_check = time.monotonic() + _CHECK_S
        while unfinished := [side for side, _ in pairs if side.run is None]:
            waiting, moves = select.poll(), {}
            for side, partner in pairs:
                for fd, event in side.awaits(partner):
                    waiting.register(fd, event)
                    moves[fd] = side.inbox.flush if event == select.POLLOUT else partial(self._take, side, partner, fd)
            next_up = min(unfinished, key=lambda side: side.pump.deadline)
            left_s = next_up.pump.deadline - time.monotonic()
            for fd, _ in waiting.poll(min(max(0.0, left_s), _CHECK_S) * 1e3):
                moves[fd]()
            moment = time.monotonic()
            if next_up.run is None and left_s <= 0:
                partner = self.interactor if next_up is self.program else self.program
                self._end(next_up, partner, next_up.pump.give_up())
            if moment < next_check and self.program.run is None:
                continue  # a check takes longer than passing one message on, and there are thousands
            next_check = moment + _CHECK_S
            if self.program.run is None and self._is_late():
                self._end(self.program, self.interactor, self.program.pump.give_up())
            if self.program.run is not None and self.interactor.run is None and self._lingers():
                self._end(self.interactor, self.program, self.interactor.pump.give_up())

    def _take(self, side: _DialogueSide, partner: _DialogueSide, fd: int) -> None:
        if side.run is not None:
            return
        run = side.pump.read(fd)
        if side.pump.output is None:
            self._silent(side, partner)
        if run is not None:
            self._end(side, partner, run)

    def _silent(self, side: _DialogueSide, partner: _DialogueSide) -> None:
        partner.inbox.end()
        if self.first is None:
            self.first = side

    def _end(self, side: _DialogueSide, partner: _DialogueSide, run: ProgramRun) -> None:
        side.run = run
        side.inbox.close()
        if side is self.program:
            self._ended_at_ms = self.interactor.times.wall_ms - self.interactor.times.starved_ms
        self._silent(side, partner)
        self._tell(self)


class InteractiveGrader:
    """The form for a program that talks to the problem's interactor, which decides."""

    def __init__(
        self,
        helper: Helper,
        interactor: AnyRunner,
        limits: ProgramLimits,
        room: HelperLimits,
        host: Host,
        *,
        proven: bool,
    ) -> None:
        """Take the interactor; `proven`: it is known to end normally with right programs."""
        self._host = host
        self._helper, self._interactor, self._limits, self._proven = helper, interactor, limits, proven
        # The wall limits of both sides are far larger than needed: the program's own clock ends them.
        wall_ms = round(limits.wall_ms * MAX_WALL_STRETCH)
        self._bounds = replace(limits.bounds, wall_ms=wall_ms)
        self._talk_ms = round(limits.wall_ms * _TALK) + room.afterwards_ms
        # A program may keep the interactor busy for as long as it may talk, which is no fault of the interactor.
        cpu_ms = max(room.bounds.cpu_ms, self._talk_ms)
        its_wall_ms = wall_ms + room.afterwards_ms
        self._alone = replace(room.bounds, wall_ms=self._talk_ms, output_bytes=room.talk_bytes)
        self._its_bounds = replace(room.bounds, wall_ms=its_wall_ms, cpu_ms=cpu_ms, output_bytes=room.talk_bytes)

    def judge(self, runner: Runner, test: Test) -> JudgedTest:
        """Let the two talk. A limit that the program breaks by itself precedes the interactor's verdict."""
        try:
            talk = partial(self._talk, runner, test)
            dialogue = self._host.try_with_retry(talk, self._was_cut, partial(self._renew, runner))[-1]
            try:
                return self._verdict(dialogue)
            except HelperFailed as failure:
                if not (self._proven or self.ends_by_itself(test)):
                    raise
                note = f"the interactor fails with this program, and not with right ones: {failure}"
                return JudgedTest(Verdict.WRONG_ANSWER, self._broke(dialogue).run, note, checker_failed=True)
        except BaseException:
            self._renew(runner)  # in the middle of a test
            raise

    def _renew(self, runner: Runner) -> None:
        runner.renew()
        self._interactor.renew()

    def _was_cut(self, dialogue: _Dialogue) -> bool:
        """Return whether the interactor decides and may have had no CPU for it."""
        assert dialogue.interactor.run is not None
        program_decides = dialogue.first is dialogue.program and self._broke(dialogue).verdict is not Verdict.ACCEPTED
        return not program_decides and is_borderline(dialogue.interactor.run, self._its_bounds.cpu_ms)

    def ends_by_itself(self, test: Test) -> bool:
        """Return whether the interactor ends normally with a program that prints nothing."""
        with self._files(test) as (arguments, files):

            def attempt(until: SandboxBounds) -> ProgramRun:
                with self._interactor.start(until, lambda _: None, stdin=b"", arguments=arguments, files=files) as pump:
                    return pump.run()

            run = self._host.run_with_retry(attempt, self._alone, self._interactor.renew)
        try:
            read_verdict(self._helper, run)
        except HelperFailed:
            return False
        return True

    @contextlib.contextmanager
    def _files(self, test: Test) -> Iterator[tuple[tuple[str, ...], Mapping[str, int]]]:
        """Yield the interactor's arguments, and its files by name."""
        kattis = self._helper.protocol is CheckerKind.KATTIS
        arguments = (
            ("input.txt", "answer.txt", FEEDBACK_FOLDER) if kattis else ("input.txt", "output.txt", "answer.txt")
        )
        with helper_files(test) as files:
            spare = files.pop("output.txt")  # a testlib interactor makes that file itself
            if kattis:
                files[FEEDBACK_FOLDER] = spare
            yield (*arguments, *shlex.split(self._helper.flags)), files

    def _talk(self, runner: Runner, test: Test) -> _Dialogue:
        to_program, to_interactor = _StdinQueue(), _StdinQueue()
        with self._files(test) as (arguments, files), contextlib.ExitStack() as both:
            bounds = widen_cpu_limit(self._its_bounds)
            starting = self._interactor.start(bounds, to_program.take, arguments=arguments, files=files)
            interactor = _DialogueSide(both.enter_context(starting), to_interactor)
            to_interactor.open(interactor.pump.stdin)
            program = _DialogueSide(both.enter_context(runner.start(self._bounds, to_interactor.take)), to_program)
            to_program.open(program.pump.stdin)
            program.pump.shorten_deadline(self._bounds.wall_ms / 1e3 + _WRAP_UP_S)
            dialogue = _Dialogue(program, interactor, self._limits.wall_ms, self._talk_ms, self._ended)
            dialogue.run()
            return dialogue

    def _ended(self, dialogue: _Dialogue) -> None:
        """Shorten the other side's time to what may still matter for the verdict."""
        program, interactor = dialogue.program, dialogue.interactor
        if program.run is not None and interactor.run is None and self._broke(dialogue).verdict is not Verdict.ACCEPTED:
            interactor.pump.shorten_deadline(_WRAP_UP_S)
        decided = interactor.run if dialogue.first is interactor else None
        if decided is not None and program.run is None and self._refuses(decided):
            program.pump.shorten_deadline(_LAST_WORDS_S)

    def _refuses(self, interactor: ProgramRun) -> bool:
        try:
            return not read_verdict(self._helper, apply_cpu_limit(interactor, self._its_bounds)).right
        except JudgeError:
            return True

    def _broke(self, dialogue: _Dialogue) -> JudgedTest:
        """Return the verdict on the program's run alone, less the time that it waited for the interactor and us."""
        run = dialogue.program.run
        assert run is not None
        run = replace(run, starved_ms=run.starved_ms + dialogue.others_ms)
        return JudgedTest(decide(run, right=True, limits=self._limits), run)

    def _verdict(self, dialogue: _Dialogue) -> JudgedTest:
        interactor = dialogue.interactor.run
        assert interactor is not None
        verdict, run, *_ = self._broke(dialogue)
        # The program's own CPU time does not count as CPU time that other work on the host took from the interactor.
        interactor = replace(interactor, starved_by_others_ms=max(0.0, interactor.starved_by_others_ms - run.cpu_ms))
        interactor = apply_cpu_limit(interactor, self._its_bounds)
        if dialogue.first is dialogue.program and verdict is not Verdict.ACCEPTED:
            if verdict is Verdict.TIME_LIMIT and run.wall_cut:
                _blame(interactor)
            return JudgedTest(verdict, run, self._idle(verdict, run))
        right, note = read_verdict(self._helper, interactor)
        if not right:
            return JudgedTest(Verdict.WRONG_ANSWER, run, note)  # the program's end after that does not matter
        return JudgedTest(verdict, run, note if verdict is Verdict.ACCEPTED else self._idle(verdict, run))

    def _idle(self, verdict: Verdict, run: ProgramRun) -> str:
        """Return a note if the program used up its time with waiting, else ""."""
        if verdict is not Verdict.TIME_LIMIT or not run.wall_cut or run.cpu_ms > _IDLE * self._limits.cpu_ms:
            return ""
        return f"idle for {run.wall_ms:.0f} ms, with {run.cpu_ms:.0f} ms of CPU: it waited, or did not flush its output"


def _blame(interactor: ProgramRun) -> None:
    """Raise HelperFailed if the interactor kept the program waiting."""
    if interactor.wall_cut or interactor.cpu_cut:
        raise HelperFailed(Reason("interactor", cause=Reason("no_end")))


def _waited_ms() -> float:
    """Return the milliseconds that this thread was ready to run without a CPU."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text(encoding="ascii").split()[1]) / 1e6
    except (OSError, IndexError, ValueError):
        return 0.0
