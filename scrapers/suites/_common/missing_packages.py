"""Imports of programs and tests that the sandbox does not have."""

import ast
import warnings
from typing import Final

from app.domain.unittests.assertions import OFFERED_PACKAGES
from app.domain.unittests.discovery import imported_packages

_FLAG: Final = "needs:"


def missing_packages(*sources: str) -> tuple[str, ...]:
    """Return the packages that these sources import anywhere and no sandbox has. Raises SyntaxError if one is not
    Python."""
    return tuple(
        sorted(set().union(*(imported_packages(parse_source(source)) for source in sources)) - OFFERED_PACKAGES - {""})
    )


def parse_source(source: str) -> ast.Module:
    """Return a source as a tree, without warnings about its style. Raises SyntaxError."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about a backslash in a string
        try:
            return ast.parse(source)
        except (MemoryError, RecursionError) as deep:
            raise SyntaxError("nested too deep") from deep


def flags_of(packages: tuple[str, ...]) -> tuple[str, ...]:
    """Return a flag for each of these packages."""
    return tuple(f"{_FLAG}{package}" for package in packages)


def note_of(packages: tuple[str, ...]) -> str:
    """Return the note about them; "" if nothing is missing."""
    return f"held, needs {', '.join(packages)}, which the sandbox does not have" if packages else ""
