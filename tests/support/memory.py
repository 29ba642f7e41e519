"""What another process of this user was started with, and what it holds in its memory; nothing of one that ended."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_GONE = (FileNotFoundError, ProcessLookupError)


def held(pid: int) -> Iterator[bytes]:
    """What lies in a process's own writable memory, part by part."""
    with suppress(*_GONE), Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            span, rights = line.split()[:2]
            begin, end = (int(part, 16) for part in span.split("-"))
            if rights == "rw-p":
                memory.seek(begin)
                with suppress(OSError):
                    yield memory.read(end - begin)


def started_with(pid: int) -> bytes:
    """A process's first environment, as the kernel keeps it."""
    with suppress(*_GONE):
        return Path(f"/proc/{pid}/environ").read_bytes()
    return b""


def family(pid: int) -> Iterator[int]:
    """A process and all that it started."""
    yield pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(*_GONE):
            for child in children.read_text().split():
                yield from family(int(child))
