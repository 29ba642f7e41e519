"""The request and the reply of the launchers for one test. zygote.py and launcher.c use the same layout."""

import os
import struct
from collections.abc import Callable
from dataclasses import dataclass, replace

from app.domain.errors import JudgeError
from app.domain.reasons import Reason

_REQUEST = struct.Struct("<IIQQQIII")
_REPLY = struct.Struct("<iiiIQQQQQ")
_WALL, _CPU, _MEMORY, _STARVED = 1, 2, 4, 8
_RUNNING = -1  # the stage of a message with the times so far, while the test goes on
_STAGES = {1: "namespaces", 2: "mounts", 3: "init", 4: "limits or exec", 5: "files"}
MAX_WALL_STRETCH = 100  # the launchers let wall time grow this far while the program waits for a CPU
_TIGHT_MB = 64  # instead of a larger `reserve_mb` if init cannot see touched memory

Sink = Callable[[bytes], None]


@dataclass(frozen=True, slots=True)
class SandboxBounds:
    """The limits of one test. `memory_mb` is touched memory; `reserve_mb` more may be mapped but not touched."""

    cpu_ms: int
    wall_ms: int
    memory_mb: int
    output_bytes: int
    reserve_mb: int = 512
    processes: int = 64
    descriptors: int = 256
    disk_mb: int = 64

    def scale(self, factor: float) -> "SandboxBounds":
        """Return the bounds with both time limits multiplied by `factor`, for a host that is so many times as slow."""
        return replace(self, cpu_ms=round(self.cpu_ms * factor), wall_ms=round(self.wall_ms * factor))

    def pack(self, *, seen: bool) -> bytes:
        """Return the head of a request. `seen`: init can see how much memory is touched, which needs a /proc."""
        space = (self.memory_mb + (self.reserve_mb if seen else min(self.reserve_mb, _TIGHT_MB))) << 20
        disk = self.disk_mb << 20
        return _REQUEST.pack(
            self.cpu_ms, self.wall_ms, space, self.memory_mb << 10, disk, self.processes, self.descriptors, self.disk_mb
        )


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds since a test began: CPU time of all its tasks, wall time, and time that they waited for a CPU.

    `starved_ms` is the upper bound of the wall time that other work on the host cost it, `starved_by_others_ms` the
    lower bound.
    """

    cpu_ms: float = 0.0
    wall_ms: float = 0.0
    starved_ms: float = 0.0
    starved_by_others_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class ProgramRun:
    """The result of one test run as the kernel and init report it. Its output went to the sinks."""

    status: int  # as os.wait gives it
    cpu_ms: float
    wall_ms: float
    peak_kb: int
    starved_ms: float = 0.0  # upper bound of the time lost while tasks were ready to run and others had the CPUs
    starved_by_others_ms: float = 0.0  # lower bound of it: for the rest its own tasks may have waited for each other
    cpu_cut: bool = False
    wall_cut: bool = False
    memory_cut: bool = False
    output_cut: bool = False
    starved_cut: bool = False  # ended because the machine was busy for too long to tell anything
    stderr: bytes = b""

    @property
    def exit_code(self) -> int | None:
        """The exit code; None if a signal ended the program."""
        return os.WEXITSTATUS(self.status) if os.WIFEXITED(self.status) else None

    @property
    def signal(self) -> int | None:
        """The signal that ended the program, or None."""
        return os.WTERMSIG(self.status) if os.WIFSIGNALED(self.status) else None

    @property
    def times(self) -> Times:
        """The times of the whole run."""
        return Times(self.cpu_ms, self.wall_ms, self.starved_ms, self.starved_by_others_ms)

    @staticmethod
    def times_so_far(message: bytes) -> "Times | None":
        """Return the times of a run that goes on; None for any other message."""
        if len(message) != _REPLY.size:
            return None
        stage, _, _, _, *times, _ = _REPLY.unpack(message)
        return Times(*(us / 1e3 for us in times)) if stage == _RUNNING else None

    @classmethod
    def of_reply(cls, reply: bytes, *, output_cut: bool, stderr: bytes) -> "ProgramRun":
        """Read a launcher's reply. Raises JudgeError if it reports that the sandbox failed, or is no reply."""
        if len(reply) != _REPLY.size:
            raise JudgeError(Reason("sandbox_ended"))
        stage, number, status, enforced, cpu_us, wall_us, starved_us, by_others_us, peak_kb = _REPLY.unpack(reply)
        if stage:
            raise JudgeError(Reason("sandbox_failed", {"what": _STAGES.get(stage, str(stage))}, os.strerror(number)))
        return cls(
            status=status,
            cpu_ms=cpu_us / 1e3,
            wall_ms=wall_us / 1e3,
            starved_ms=starved_us / 1e3,
            starved_by_others_ms=by_others_us / 1e3,
            peak_kb=peak_kb,
            cpu_cut=bool(enforced & _CPU),
            wall_cut=bool(enforced & _WALL),
            memory_cut=bool(enforced & _MEMORY),
            starved_cut=bool(enforced & _STARVED),
            output_cut=output_cut,
            stderr=stderr,
        )
