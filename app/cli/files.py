"""Files that a verb reads or writes, and what it says where one cannot be read or written."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from app.domain.errors import InvalidInput, NotFound, Unavailable


def text_of(path: Path) -> str:
    """What a text file holds, without the mark that some editors put before it. Raises InvalidInput."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as wrong:
        raise unreadable(path, wrong) from wrong


def unreadable(path: Path, wrong: OSError | ValueError) -> InvalidInput:
    """The error that names the file and says why it cannot be read."""
    if isinstance(wrong, OSError):
        why = wrong.strerror or str(wrong)
    else:
        why = "it is not UTF-8 text" if isinstance(wrong, UnicodeError) else str(wrong)
    return InvalidInput(f"cannot read {path}: {why}")


@contextmanager
def output(out: Path | None) -> Iterator[BinaryIO]:
    """Standard output, or a file that takes its name when it is whole. Raises InvalidInput, NotFound or Unavailable.

    A link stays one: the file that it names is written. What is no file, such as a pipe or a device, is written into.
    """
    if out is None:
        try:
            yield sys.stdout.buffer
            sys.stdout.flush()
        except BrokenPipeError:  # who reads has enough, as `head` does; what is left goes nowhere
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return
    if not out.name:  # as of an unset shell variable
        raise InvalidInput("--out names no file")
    place = out.resolve() if out.is_symlink() else out
    as_it_is = place.exists() and not place.is_file()
    part = place if as_it_is else place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as stream:
            yield stream
        if not as_it_is:
            part.replace(place)
    except OSError as broken:
        if not place.parent.exists():
            raise NotFound(f"{place.parent}: no such folder") from broken
        raise Unavailable(f"{out}: cannot be written: {broken.strerror or broken}") from broken
    finally:
        if not as_it_is:
            part.unlink(missing_ok=True)
