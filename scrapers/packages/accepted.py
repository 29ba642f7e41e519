"""A folder of accepted programs: files whose paths name their problems, by a folder or by what they are called."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from app.domain.errors import BadRow, InvalidImport
from scrapers.packages.archive import LARGEST_PROGRAM, Refused, open_package
from scrapers.suite import refusal


@dataclass(frozen=True, slots=True)
class AcceptedFile:
    """A program as it lies there; `problems` are the names that its path may mean, the nearest first."""

    path: str
    problems: tuple[str, ...]
    code: str


def accepted(root: Path) -> list[AcceptedFile]:
    """Every file below a folder. Raises InvalidImport, naming all that are no text of a program."""
    if not root.is_dir():
        raise InvalidImport(f"{root}: no such folder")
    found: list[AcceptedFile] = []
    bad: list[BadRow] = []
    try:
        with open_package(root) as package:
            for path in sorted(package.sizes):
                try:
                    found.append(AcceptedFile(path, tuple(_names(path)), package.text(path, LARGEST_PROGRAM)))
                except Refused as refused:
                    bad.append(BadRow(refused.path or path, refused.line, refused.reason))
    except Refused as refused:
        bad.append(BadRow(refused.path or root.name, refused.line, refused.reason))
    if bad:
        raise refusal(*bad)
    return found


def _names(path: str) -> Iterator[str]:
    """`1550/B.cpp` means problem 1550/B; `1550/B/mine.cpp` that or 1550/B/mine."""
    pure = PurePosixPath(path)
    yield str(pure.with_suffix(""))
    yield from (str(parent) for parent in pure.parents if parent.name)
