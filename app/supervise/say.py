"""One line to the person at the terminal."""

import contextlib
import sys


def say(line: str) -> None:
    """Write a line to stderr: what is going on, never a result. A full disk or a closed terminal ends nobody."""
    with contextlib.suppress(OSError):
        sys.stderr.write(f"tidemark: {line}\n")
        sys.stderr.flush()
