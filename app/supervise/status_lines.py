"""Status lines for the person at the terminal."""

import contextlib
import sys


def print_status(line: str) -> None:
    """Write a status line to stderr, never a result. A full disk or a closed terminal is ignored."""
    with contextlib.suppress(OSError):
        sys.stderr.write(f"tidemark: {line}\n")
        sys.stderr.flush()
