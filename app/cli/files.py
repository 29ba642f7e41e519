"""Files that verbs read or write, and errors that name the file."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from app.domain.errors import InvalidInput, NotFound, Unavailable


def read_text_file(path: Path) -> str:
    """Return the content of a text file, without a byte order mark. Raises InvalidInput."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise unreadable_error(path, error) from error


def unreadable_error(path: Path, error: OSError | ValueError) -> InvalidInput:
    """Return the error that names the file and says why it cannot be read."""
    if isinstance(error, OSError):
        why = error.strerror or str(error)
    else:
        why = "it is not UTF-8 text" if isinstance(error, UnicodeError) else str(error)
    return InvalidInput(f"cannot read {path}: {why}")


@contextmanager
def open_output(out: Path | None) -> Iterator[BinaryIO]:
    """Open standard output, or a file that gets its name once it is complete.

    A symbolic link is kept, and the file it names is written. A pipe or device is written directly. Raises
    InvalidInput, NotFound or Unavailable.
    """
    if out is None:
        try:
            yield sys.stdout.buffer
            sys.stdout.flush()
        except BrokenPipeError:  # the reader has enough, as `head` does; discard the rest
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return
    if not out.name:  # from an unset shell variable
        raise InvalidInput("--out must name a file")
    target = out.resolve() if out.is_symlink() else out
    in_place = target.exists() and not target.is_file()
    temporary = target if in_place else target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with temporary.open("wb") as stream:
            yield stream
        if not in_place:
            temporary.replace(target)
    except OSError as error:
        if not target.parent.exists():
            raise NotFound(f"{target.parent}: no such folder") from error
        raise Unavailable(f"{out}: cannot be written: {error.strerror or error}") from error
    finally:
        if not in_place:
            temporary.unlink(missing_ok=True)
