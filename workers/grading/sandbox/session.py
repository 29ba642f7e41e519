"""One bubblewrap per program, and in it one fresh set of namespaces per test.

This is the trusted side of launcher.c and zygote.py. It passes descriptors in, reads bytes out, and trusts only the
control socket, which no judged program ever holds.
"""

import array
import contextlib
import fcntl
import os
import re
import select
import signal
import socket
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Self

from app.domain.errors import JudgeError, SandboxUnavailable
from app.domain.reasons import Reason
from workers.grading.sandbox.bubblewrap import ENVIRONMENT, Sandbox, bwrap_arguments
from workers.grading.sandbox.protocol import ProgramRun, SandboxBounds, Sink
from workers.grading.sandbox.pump import OutputPump

_START_S = 20.0
_LAST_WORDS = 4096
_FIRST_PROCESS = re.compile(rb'"child-pid": (\d+)\D')
_NO_FILES: Mapping[str, int] = {}


def create_sealed_file(data: bytes) -> int:
    """Return the descriptor, at its start, of a memory file with `data` that no process can change."""
    fd = create_memory_file()
    try:
        append(fd, data)
        seal(fd)
    except BaseException:
        os.close(fd)
        raise
    return fd


def create_memory_file() -> int:
    """Return the descriptor of an empty memory file that can be sealed."""
    return os.memfd_create("input", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)


def append(fd: int, data: bytes) -> None:
    """Write all of `data` to a descriptor."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


def seal(fd: int) -> None:
    """Make a memory file unchangeable, and go to its start."""
    fcntl.fcntl(fd, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW)
    os.lseek(fd, 0, os.SEEK_SET)


class Session:
    """A started sandbox that runs tests one at a time. Closing it ends all that it started."""

    def __init__(self, sandbox: Sandbox, command: Sequence[str], mounts: Mapping[Path, str] | None = None) -> None:
        """Start bubblewrap with `command` (zygote or launcher) in it; the control descriptor's number is appended.

        Raises SandboxUnavailable with bubblewrap's stderr if it does not start.
        """
        self._sandbox = sandbox
        self._pidfd: int | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._group = None if sandbox.groups is None else sandbox.groups.create_group()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        info, info_theirs = os.pipe()
        begin_theirs, begin = os.pipe()
        try:
            with theirs, _closed_after(info_theirs, begin_theirs):
                command = [*command, str(theirs.fileno())]
                arguments = bwrap_arguments(sandbox, mounts or {}, info_theirs, begin_theirs, command)
                self._spawn(arguments, (theirs.fileno(), info_theirs, begin_theirs))
            self._begin(info, begin)
        except BaseException:
            self.close()
            raise
        finally:
            os.close(info)
            os.close(begin)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def alive(self) -> bool:
        """True if another test can run in the sandbox."""
        return self._process is not None

    @property
    def pid(self) -> int:
        """The pid, on this side, of the sandbox's first process."""
        return self._pid

    def ran_out_of_memory(self) -> bool:
        """Return whether the kernel reports that it ended a process of the present test for lack of memory."""
        return self._group is not None and self._group.ran_out_of_memory()

    def close(self) -> None:
        """End every process of the sandbox, and return once they are gone."""
        self._control.close()
        process, self._process = self._process, None
        if process is not None:
            self._end(process)
        group, self._group = self._group, None
        if group is not None:
            group.remove()

    def _end(self, process: "subprocess.Popen[bytes]") -> None:
        if self._pidfd is not None:
            # All other processes end with its first one, and bubblewrap ends after it: after `wait` all are gone.
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
            os.close(self._pidfd)
            self._pidfd = None
        else:
            process.kill()
        process.wait()
        if process.stderr is not None:
            process.stderr.close()

    def run(
        self,
        bounds: SandboxBounds,
        sink: Sink,
        *,
        stdin: bytes | int | None = b"",
        argv: Sequence[str] = (),
        files: Mapping[str, int] = _NO_FILES,
        program: bytes | None = None,
        call: bytes | None = None,
    ) -> ProgramRun:
        """Run one test to its end, with the parameters of `start`. Raises JudgeError if the sandbox itself fails."""
        with self.start(bounds, sink, stdin=stdin, argv=argv, files=files, program=program, call=call) as pump:
            return pump.run()

    def start(
        self,
        bounds: SandboxBounds,
        sink: Sink,
        *,
        stdin: bytes | int | None = b"",
        argv: Sequence[str] = (),
        files: Mapping[str, int] = _NO_FILES,
        program: bytes | None = None,
        call: bytes | None = None,
    ) -> OutputPump:
        """Start one test; `sink` gets the output in pieces as it comes, at most `bounds.output_bytes` in all.

        The test reads `stdin`, bytes or a descriptor; with None it reads what is written to the pump's `stdin`.
        Descriptors stay with the caller. The launcher execs `argv`; the zygote runs the source `program` with the
        arguments `argv`. Both do so in a folder with `files`, copies of memory files by name (a name that ends in / is
        an empty folder). With a `call` the zygote calls into the program instead, without arguments and files: then
        the output is the call's result, and stdout is discarded.
        No other test may start before the pump has reported the end of this one.
        Raises JudgeError if the sandbox itself fails.
        """
        if self._process is None:
            raise JudgeError(Reason("sandbox_closed"))
        if self._group is not None:
            self._group.limit(bounds)
        strings = (*files, *argv)
        message = bounds.pack(seen=self._sandbox.proc) + b"".join(os.fsencode(string) + b"\0" for string in strings)
        with contextlib.ExitStack() as ours, contextlib.ExitStack() as theirs:
            output, output_end = self._pipe(ours, theirs)
            errors, errors_end = self._pipe(ours, theirs)
            inward = None
            if stdin is None:
                stdin, inward = self._pipe_in(ours, theirs)
            elif not isinstance(stdin, int):
                stdin = _closing(theirs, create_sealed_file(stdin))
            passed = [stdin, output_end, errors_end]
            if program is not None:
                passed.append(_closing(theirs, create_sealed_file(program)))
            if call is not None:
                passed[1] = _closing(theirs, os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC))
                passed += [_closing(theirs, create_sealed_file(call)), output_end]
            passed += files.values()
            self._send(message, passed)
            ours.pop_all()
            return OutputPump(self._control, bounds, sink, output, errors, self, inward)

    # --- starting ---

    def _spawn(self, arguments: Sequence[str], passed: tuple[int, ...]) -> None:
        sandbox = self._sandbox
        try:
            self._process = subprocess.Popen(
                arguments,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env={**ENVIRONMENT, **sandbox.environment},
                cwd="/",
                pass_fds=passed,
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise SandboxUnavailable(f"cannot start {sandbox.bwrap}: {error}") from error

    def _begin(self, info: int, begin: int) -> None:
        """Find the sandbox's first process, put it into its group, then let it run until it is ready."""
        assert self._process is not None
        self._pid = self._first_process(info)
        try:
            self._pidfd = os.pidfd_open(self._pid)
            if self._group is not None:
                self._group.admit(self._process.pid, self._pid)
            os.write(begin, b"\0")
        except (ProcessLookupError, BrokenPipeError) as error:  # it has ended already
            raise SandboxUnavailable(f"the sandbox did not start: {self._last_words()}") from error
        self._control.settimeout(_START_S)
        try:
            word = self._control.recv(64)
        except TimeoutError:
            word = b""
        if word != b"ready":
            raise SandboxUnavailable(f"the sandbox did not start: {self._last_words()}")

    def _first_process(self, info: int) -> int:
        data = b""
        while select.select([info], [], [], _START_S)[0] and (piece := os.read(info, 4096)):
            data += piece
            if match := _FIRST_PROCESS.search(data):
                return int(match[1])
        raise SandboxUnavailable(f"the sandbox did not start: {self._last_words()}")

    def _last_words(self) -> str:
        process = self._process
        if process is None or process.stderr is None:
            return ""
        process.kill()
        process.wait()
        os.set_blocking(process.stderr.fileno(), False)
        return (process.stderr.read(_LAST_WORDS) or b"").decode(errors="replace").strip() or "no reason given"

    # --- running ---

    def _pipe(self, ours: contextlib.ExitStack, theirs: contextlib.ExitStack) -> tuple[FileIO, int]:
        read, write = os.pipe2(os.O_CLOEXEC)
        stream = ours.enter_context(FileIO(read))
        _closing(theirs, write)
        os.set_blocking(read, False)
        if self._sandbox.uid is not None:
            os.fchown(write, self._sandbox.uid, -1)  # so that the program may open /dev/stdout
        return stream, write

    def _pipe_in(self, ours: contextlib.ExitStack, theirs: contextlib.ExitStack) -> tuple[int, FileIO]:
        read, write = os.pipe2(os.O_CLOEXEC)
        stream = ours.enter_context(FileIO(write, "w"))
        _closing(theirs, read)
        os.set_blocking(write, False)
        if self._sandbox.uid is not None:
            os.fchown(read, self._sandbox.uid, -1)
        return read, stream

    def _send(self, message: bytes, fds: Sequence[int]) -> None:
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))]
        try:
            self._control.sendmsg([message], rights)
        except OSError as error:
            raise JudgeError(Reason("sandbox_ended_by", cause=str(error.strerror))) from error


@contextlib.contextmanager
def _closed_after(*fds: int) -> Iterator[None]:
    try:
        yield
    finally:
        for fd in fds:
            os.close(fd)


def _closing(stack: contextlib.ExitStack, fd: int) -> int:
    stack.callback(os.close, fd)
    return fd
