"""Compiling in a sandbox of its own, and keeping the results by content.

The compiler reads hostile source, so it gets no more than a judged program does. What it makes leaves through a
pipe; the cache is written on this side only, and no sandbox can write it. Workers share the folder: who writes or
drops a program has it for itself meanwhile. A program that does not match the sum beside it, as after a loss of power,
is made anew.
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

from workers.grading.outcome import Busy, busy, printable, robbed
from workers.grading.sandbox.protocol import Bounds, Run
from workers.grading.sandbox.session import Session
from workers.grading.toolchains import Toolchain
from workers.grading.turns import Host

_CACHE_BYTES = 512 << 20
_BLOCK = 4096  # of a disk: what the smallest file takes there
_LOOKS = 64  # while sources fill it once: to list it for each of them would take longer than to judge it
_MESSAGE = 2000
_WORDS_BYTES = 4000  # of a compiler: the first are the ones that help
# Of a 64 bit ELF file: where its program headers are, how long one is and how many; of one: its kind, its size.
_ELF, _ELF_HEADER, _ELF_PART = b"\x7fELF\x02\x01", struct.Struct("<32xQ14xHH6x"), struct.Struct("<I36xQ8x")
_LOADED, _PARTS = 1, 64


@dataclass(frozen=True, slots=True)
class Compiled:
    """A program that can be run, or the reason why there is none."""

    path: Path | None
    message: str = ""

    @property
    def mapped_kb(self) -> int:
        """What the program maps before it begins, static data above all; 0 where that cannot be told."""
        if self.path is None:
            return 0
        with contextlib.suppress(OSError, struct.error), self.path.open("rb") as file:
            head = file.read(_ELF_HEADER.size)
            place, size, count = _ELF_HEADER.unpack(head)
            if head.startswith(_ELF) and size == _ELF_PART.size and count <= _PARTS:
                file.seek(place)
                parts = _ELF_PART.iter_unpack(file.read(size * count))
                return sum(int(mapped) for kind, mapped in parts if kind == _LOADED) >> 10
        return 0


class CompileCache:
    """Compiled programs under `folder`, by language, toolchain and source; the least used are dropped."""

    def __init__(self, folder: Path, bounds: Bounds, limit_bytes: int = _CACHE_BYTES) -> None:
        """`bounds`: what compiling one program may take."""
        self._folder, self._bounds = folder, bounds
        self._limit_bytes = limit_bytes
        self._unlisted = limit_bytes  # what may have been written since this process listed all there is

    def get(self, toolchain: Toolchain, source: bytes, start: Callable[[], Session], host: Host) -> Compiled:
        """The program made from `source`; compiled in a session from `start` unless it is known.

        What compiling may take follows the host's slowness.

        Where the language compiles nothing it is the source itself.

        Raises JudgeError or SandboxUnavailable when the sandbox fails; whatever the source does is an answer.
        """
        key = hashlib.sha256(f"{toolchain.version}\n{toolchain.compile!r}\n".encode() + source).hexdigest()
        path = self._folder / f"{toolchain.language.name}-{key}"
        if _is_whole(path):
            return Compiled(path)
        if not toolchain.compile:
            self._unlisted += _taken(len(source)) + _BLOCK
            self._keep(path, source, makes_room=self._unlisted * _LOOKS >= self._limit_bytes)
            return Compiled(path)
        bounds = replace(self._bounds, reserve_mb=max(self._bounds.reserve_mb, toolchain.language.reserve_mb))
        bounds = bounds.slowed(host.slowness.of(toolchain.language))
        made, reason = _compiled(toolchain, source, start, bounds, host)
        if toolchain.mend(thoroughly=not made):  # nothing counts that came of damaged headers
            made, reason = _compiled(toolchain, source, start, bounds, host)
        if not made:
            return Compiled(None, reason)
        self._keep(path, made, makes_room=True)
        return Compiled(path)

    def _keep(self, path: Path, program: bytes, *, makes_room: bool) -> None:
        with self._turn():
            if makes_room:
                self._make_room()
                self._unlisted = 0
            self._store(path, program)

    @contextlib.contextmanager
    def _turn(self) -> Iterator[None]:
        """The folder alone: without it a name that one worker has listed is gone when it looks at the file."""
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
            total += _taken(facts.st_size)
            if total > self._limit_bytes:
                path.unlink(missing_ok=True)


def _compiled(
    toolchain: Toolchain, source: bytes, start: Callable[[], Session], bounds: Bounds, host: Host
) -> tuple[bytes, str]:
    """The program, or nothing and why. Raises JudgeError or SandboxUnavailable when the sandbox fails."""

    pieces: list[bytes] = []

    def attempt(until: Bounds) -> Run:
        pieces.clear()
        with start() as session:
            return session.run(until, pieces.append, stdin=source, argv=("/bin/sh", "-c", _script(toolchain)))

    run = host.ran(attempt, bounds)
    if robbed(run):
        raise Busy(f"compiling: {busy(run)}")
    program = b"".join(pieces)
    if run.status != 0 or run.cpu_cut or run.output_cut or not program:
        return b"", _reason(run, bounds)
    return program, ""


def _taken(size: int) -> int:
    """What a file takes of a disk."""
    return -(-size // _BLOCK) * _BLOCK


def _sum_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.sum")


def _is_whole(path: Path) -> bool:
    """Whether the program is there as it was written; then it counts as used now."""
    try:
        with path.open("rb") as file:
            whole = hashlib.file_digest(file, "sha256").hexdigest().encode() == _sum_of(path).read_bytes()
        for each in (path, _sum_of(path)):
            os.utime(each)
    except OSError:
        return False
    return whole


def _script(toolchain: Toolchain) -> str:
    """Source in on stdin, program out on stdout; the beginning of what the last attempt says goes to stderr.

    Some compilers say what is wrong on stdout, which is the program's way out.
    """
    *others, last = toolchain.compile
    attempts = "".join(f"{{ {command}\n}} >/dev/null 2>&1 || " for command in others) + f"{{ {last}\n}} >.words 2>&1"
    source = f"main.{toolchain.language.extension}"
    return f"cat >{source} && {{ {attempts}; }} && exec cat main\nhead -c {_WORDS_BYTES} .words >&2; exit 1"


def _reason(run: Run, bounds: Bounds) -> str:
    if run.cpu_cut or run.wall_cut or run.starved_cut:
        return f"compilation took longer than {bounds.cpu_ms / 1000:g} s"
    if run.memory_cut:
        return f"compilation needed more than {bounds.memory_mb} MiB"
    if run.output_cut:
        return f"the compiled program is larger than {bounds.output_bytes >> 20} MiB"
    return printable(run.stderr)[:_MESSAGE] or "the compiler failed without a word"
