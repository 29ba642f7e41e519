"""One line to the person at the terminal."""

import sys


def say(line: str) -> None:
    """Write a line to stderr: what is going on, never a result."""
    sys.stderr.write(f"tidemark: {line}\n")
    sys.stderr.flush()
