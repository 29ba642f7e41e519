"""Transfer of a test's output out of the sandbox while the test runs."""

import select
import signal
import socket
import time
from dataclasses import replace
from io import FileIO
from types import TracebackType
from typing import Protocol, Self

from app.domain.errors import JudgeError
from workers.grading.sandbox.protocol import MAX_WALL_STRETCH, ProgramRun, SandboxBounds, Sink, Times

_CHUNK = 1 << 16
_GRACE_S = 1.0  # after the limits that init enforces, until this side ends the whole sandbox
_LAST_WORDS_S = 0.25  # left to a program whose output pipe was closed at the cap
_STDERR_TAIL = 4096


class RunningSandbox(Protocol):
    """The sandbox in which a test runs."""

    def ran_out_of_memory(self) -> bool:
        """Return whether the kernel has ended a process of the test for lack of memory."""

    def close(self) -> None:
        """End the sandbox and all that runs in it."""


class OutputPump:
    """The transfer of one test's outputs from its pipes to a sink, until the launcher reports the test's end."""

    def __init__(
        self,
        control: socket.socket,
        bounds: SandboxBounds,
        sink: Sink,
        output: FileIO,
        errors: FileIO,
        session: "RunningSandbox",
        stdin: FileIO | None = None,
    ) -> None:
        """Take over the streams, which are closed with the pump."""
        self.stdin = stdin
        self._control, self._sink, self._session = control, sink, session
        self._output, self._errors = output, errors
        self._started = time.monotonic()
        self._deadline = self._started + bounds.wall_ms * MAX_WALL_STRETCH / 1e3 + _GRACE_S
        self._room = bounds.output_bytes
        self._stderr = b""
        self.times = Times()  # of the test so far, as last reported

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for stream in (self._output, self._errors, self.stdin):
            if stream is not None:
                stream.close()

    @property
    def deadline(self) -> float:
        """The moment to give up, by the monotonic clock."""
        return self._deadline

    @property
    def output(self) -> int | None:
        """The descriptor of the test's output; None once it has ended."""
        return None if self._output.closed else self._output.fileno()

    @property
    def other_descriptors(self) -> list[int]:
        """The other descriptors to read from: control socket and stderr."""
        errors = [] if self._errors.closed else [self._errors.fileno()]
        return [self._control.fileno(), *errors]

    @property
    def _output_cut(self) -> bool:
        return self._room < 0

    def run(self) -> ProgramRun:
        """Pump until the report, or until the deadline. Raises JudgeError if the sandbox ended."""
        control = self._control.fileno()
        streams = {file.fileno(): file for file in (self._output, self._errors)}
        waiting = select.poll()
        for fd in (*streams, control):
            waiting.register(fd, select.POLLIN)
        while True:
            ready = waiting.poll(max(0.0, self._deadline - time.monotonic()) * 1e3)
            if not ready:
                return self.give_up()
            for fd, _ in ready:
                if fd == control:
                    run = self._read_message()
                    if run is not None:
                        return run
                    continue
                self._take(streams[fd])
                if streams[fd].closed:
                    waiting.unregister(fd)

    def read(self, fd: int) -> ProgramRun | None:
        """Read from a ready descriptor; return the run if the test's end was reported. Raises JudgeError."""
        if fd == self._control.fileno():
            return self._read_message()
        self._take(self._output if fd == self.output else self._errors)
        return None

    def shorten_deadline(self, seconds: float) -> None:
        """Bring the deadline forward to at most this many seconds from now."""
        self._deadline = min(self._deadline, time.monotonic() + seconds)

    def _take(self, stream: FileIO) -> bool:
        """Move one piece; return False if there is none now. A stream that has ended is closed."""
        piece = stream.read(_CHUNK)
        if not piece:
            if piece is not None:
                stream.close()
            return False
        if stream is self._errors:
            self._stderr = (self._stderr + piece)[-_STDERR_TAIL:]
            return True
        self._sink(piece[: self._room])
        self._room -= len(piece)
        if self._output_cut:
            # Its next write fails, since the pipe has no reader; a program that survives that has this long left.
            stream.close()
            self.shorten_deadline(_LAST_WORDS_S)
        return True

    def _read_message(self) -> ProgramRun | None:
        """Read a launcher's message: the run, or None while it goes on. Raises JudgeError if the sandbox ended."""
        try:
            reply = self._control.recv(128)
        except OSError:
            reply = b""
        times = ProgramRun.times_so_far(reply)
        if times is not None:
            self.times = times
            return None
        return self._reported(reply)

    def _reported(self, reply: bytes) -> ProgramRun:
        # All its processes are gone, so nothing more will come through the pipes.
        for stream in (self._output, self._errors):
            while not stream.closed and self._take(stream):
                pass
        short = self._session.ran_out_of_memory()
        try:
            run = ProgramRun.of_reply(reply, output_cut=self._output_cut, stderr=self._stderr)
        except JudgeError:
            if not short:
                raise
            return self._ended(memory_cut=True)  # the kernel ended the launcher itself
        return replace(run, memory_cut=run.memory_cut or short)

    def give_up(self) -> ProgramRun:
        """End the whole sandbox, after its own limits did not end the test in time."""
        return self._ended(wall_cut=not self._output_cut)

    def _ended(self, *, wall_cut: bool = False, memory_cut: bool = False) -> ProgramRun:
        """End the sandbox and return the run with the last reported CPU time and unknown memory."""
        self._session.close()
        return ProgramRun(
            status=signal.SIGKILL,
            cpu_ms=self.times.cpu_ms,
            wall_ms=(time.monotonic() - self._started) * 1e3,
            starved_ms=self.times.starved_ms,
            starved_by_others_ms=self.times.starved_by_others_ms,
            peak_kb=0,
            wall_cut=wall_cut,
            memory_cut=memory_cut,
            output_cut=self._output_cut,
            stderr=self._stderr,
        )
