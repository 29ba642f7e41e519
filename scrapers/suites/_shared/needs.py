"""What programs and tests import that the sandbox does not have."""

import ast
import warnings
from typing import Final

from app.domain.unittests.assertions import OFFERED
from app.domain.unittests.reading import imported

_FLAG: Final = "needs:"


def missing(*sources: str) -> tuple[str, ...]:
    """The packages these sources import, wherever they do, and no sandbox has. Raises SyntaxError for no Python."""
    return tuple(sorted(set().union(*(imported(parsed(source)) for source in sources)) - OFFERED - {""}))


def parsed(source: str) -> ast.Module:
    """A source as a tree, without a word about its style. Raises SyntaxError."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about a backslash in a string
        try:
            return ast.parse(source)
        except (MemoryError, RecursionError) as deep:
            raise SyntaxError("nested too deep") from deep


def flags_of(packages: tuple[str, ...]) -> tuple[str, ...]:
    """A flag for each of these packages."""
    return tuple(f"{_FLAG}{package}" for package in packages)


def note_of(packages: tuple[str, ...]) -> str:
    """What a person is told of them; nothing where nothing is missing."""
    return f"held, needs {', '.join(packages)}, which the sandbox does not have" if packages else ""
