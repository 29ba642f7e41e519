"""Compilation in a sandbox of its own, with a cache of the results by content.

The compiler reads hostile source, so it may do no more than a judged program. Its output leaves through a pipe; no
sandbox can write the cache. Workers share the cache folder, and lock it to write or drop a program. A program that
does not match the SHA-256 beside it, as after a loss of power, is compiled again.
"""

import contextlib
import fcntl
import hashlib
import os
import struct
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from app.domain.reasons import Reason
from workers.grading.host_lock import Host
from workers.grading.run_verdict import printable
from workers.grading.sandbox.protocol import ProgramRun, SandboxBounds
from workers.grading.sandbox.session import Session
from workers.grading.starvation import MachineBusy, busy_reason, starved_by_others
from workers.grading.toolchains import Toolchain

_CACHE_BYTES = 512 << 20
_BLOCK_BYTES = 4096  # of a disk: the size that the smallest file takes there
_LISTINGS_PER_FILL = 64  # while sources fill the cache once: a listing for each would take longer than judging
_MAX_REASON_CHARS = 2000
_MAX_COMPILER_BYTES = 4000  # of a compiler's messages, of which the first are the useful ones
# The header of a 64 bit ELF file: offset, size and number of its program headers. A program header: type, memory size.
_ELF, _ELF_HEADER, _ELF_PART = b"\x7fELF\x02\x01", struct.Struct("<32xQ14xHH6x"), struct.Struct("<I36xQ8x")
_LOADED, _MAX_ELF_PARTS = 1, 64


@dataclass(frozen=True, slots=True)
class CompiledProgram:
    """A program that can be run, or the reason why it could not be compiled."""

    path: Path | None
    message: str = ""

    @property
    def mapped_kb(self) -> int:
        """KiB that the program maps before it begins, mostly static data; 0 if that is not known."""
        if self.path is None:
            return 0
        with contextlib.suppress(OSError, struct.error), self.path.open("rb") as file:
            head = file.read(_ELF_HEADER.size)
            place, size, count = _ELF_HEADER.unpack(head)
            if head.startswith(_ELF) and size == _ELF_PART.size and count <= _MAX_ELF_PARTS:
                file.seek(place)
                parts = _ELF_PART.iter_unpack(file.read(size * count))
                return sum(int(mapped) for kind, mapped in parts if kind == _LOADED) >> 10
        return 0


class CompileCache:
    """Compiled programs in `folder`, by language, toolchain and source; the least recently used are dropped."""

    def __init__(self, folder: Path, bounds: SandboxBounds, limit_bytes: int = _CACHE_BYTES) -> None:
        """Use `folder`, and compile each program within `bounds`."""
        self._folder, self._bounds = folder, bounds
        self._limit_bytes = limit_bytes
        self._unlisted = limit_bytes  # bytes that may have been written since this process listed the folder

    def get(self, toolchain: Toolchain, source: bytes, start: Callable[[], Session], host: Host) -> CompiledProgram:
        """Return the program of a `source`, compiled in a session from `start` unless it is in the cache.

        The limits of compiling follow the host's slowness. In a language without a compiler the program is the source.

        Raises JudgeError or SandboxUnavailable if the sandbox fails; a source that does not compile raises nothing.
        """
        key = hashlib.sha256(f"{toolchain.version}\n{toolchain.compile!r}\n".encode() + source).hexdigest()
        path = self._folder / f"{toolchain.language.name}-{key}"
        if _is_whole(path):
            return CompiledProgram(path)
        if not toolchain.compile:
            self._unlisted += _disk_bytes(len(source)) + _BLOCK_BYTES
            self._keep(path, source, makes_room=self._unlisted * _LISTINGS_PER_FILL >= self._limit_bytes)
            return CompiledProgram(path)
        bounds = replace(self._bounds, reserve_mb=max(self._bounds.reserve_mb, toolchain.language.reserve_mb))
        bounds = bounds.scale(host.slowness.of(toolchain.language))
        program, reason = _compile(toolchain, source, start, bounds, host)
        if toolchain.repair(thoroughly=not program):  # a result of damaged headers does not count
            program, reason = _compile(toolchain, source, start, bounds, host)
        if not program:
            return CompiledProgram(None, reason)
        self._keep(path, program, makes_room=True)
        return CompiledProgram(path)

    def _keep(self, path: Path, program: bytes, *, makes_room: bool) -> None:
        with self._locked_folder():
            if makes_room:
                self._make_room()
                self._unlisted = 0
            self._store(path, program)

    @contextlib.contextmanager
    def _locked_folder(self) -> Iterator[None]:
        """Lock the folder, so that no other worker drops a file between listing and reading it."""
        folder = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            yield
        finally:
            os.close(folder)

    def _store(self, path: Path, program: bytes) -> None:
        for name, body in ((_sum_of(path), hashlib.sha256(program).hexdigest().encode()), (path, program)):
            fd, temporary = tempfile.mkstemp(prefix=".new-", dir=self._folder)
            try:
                with os.fdopen(fd, "wb") as file:
                    file.write(body)
                    os.fchmod(file.fileno(), 0o555)
                Path(temporary).rename(name)
            except OSError:
                Path(temporary).unlink(missing_ok=True)
                raise

    def _make_room(self) -> None:
        files = sorted(
            ((entry.stat(), Path(entry.path)) for entry in os.scandir(self._folder)),
            key=lambda file: file[0].st_mtime,
            reverse=True,
        )
        total = 0
        for facts, path in files:
            total += _disk_bytes(facts.st_size)
            if total > self._limit_bytes:
                path.unlink(missing_ok=True)


def _compile(
    toolchain: Toolchain, source: bytes, start: Callable[[], Session], bounds: SandboxBounds, host: Host
) -> tuple[bytes, str]:
    """Return (program, ""), or (b"", reason). Raises JudgeError or SandboxUnavailable if the sandbox fails."""

    pieces: list[bytes] = []

    def attempt(until: SandboxBounds) -> ProgramRun:
        pieces.clear()
        with start() as session:
            return session.run(until, pieces.append, stdin=source, argv=("/bin/sh", "-c", _script(toolchain)))

    run = host.run_with_retry(attempt, bounds)
    if starved_by_others(run):
        raise MachineBusy(Reason("compiling_waits", cause=busy_reason(run)))
    program = b"".join(pieces)
    if run.status != 0 or run.cpu_cut or run.output_cut or not program:
        return b"", _reason(run, bounds)
    return program, ""


def _disk_bytes(size: int) -> int:
    """Return the bytes that a file of this size takes on a disk."""
    return -(-size // _BLOCK_BYTES) * _BLOCK_BYTES


def _sum_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.sum")


def _is_whole(path: Path) -> bool:
    """Return whether the program is there as it was written, and mark it as used now."""
    try:
        with path.open("rb") as file:
            whole = hashlib.file_digest(file, "sha256").hexdigest().encode() == _sum_of(path).read_bytes()
        for file_path in (path, _sum_of(path)):
            os.utime(file_path)
    except OSError:
        return False
    return whole


def _script(toolchain: Toolchain) -> str:
    """Return a script that reads the source on stdin and writes the program to stdout.

    The beginning of the last attempt's messages goes to stderr. Some compilers write theirs to stdout, so both of a
    compiler's streams go into a file.
    """
    *others, last = toolchain.compile
    attempts = "".join(f"{{ {command}\n}} >/dev/null 2>&1 || " for command in others) + f"{{ {last}\n}} >.words 2>&1"
    source = f"main.{toolchain.language.extension}"
    return f"cat >{source} && {{ {attempts}; }} && exec cat main\nhead -c {_MAX_COMPILER_BYTES} .words >&2; exit 1"


def _reason(run: ProgramRun, bounds: SandboxBounds) -> str:
    if run.cpu_cut or run.wall_cut or run.starved_cut:
        return f"compilation took longer than {bounds.cpu_ms / 1000:g} s"
    if run.memory_cut:
        return f"compilation needed more than {bounds.memory_mb} MiB"
    if run.output_cut:
        return f"the compiled program is larger than {bounds.output_bytes >> 20} MiB"
    return printable(run.stderr)[:_MAX_REASON_CHARS] or "the compiler failed without a word"
