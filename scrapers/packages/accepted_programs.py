"""A folder of accepted programs, whose paths name their problems by a folder or by the file's name."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from app.domain.errors import BadRow, InvalidImport
from scrapers.packages.archive import MAX_PROGRAM_BYTES, InvalidPackage, open_package
from scrapers.suite import refusal


@dataclass(frozen=True, slots=True)
class AcceptedFile:
    """An accepted program; `problems` are the names that its path may mean, the most likely first."""

    path: str
    problems: tuple[str, ...]
    code: str


def read_accepted_programs(root: Path) -> list[AcceptedFile]:
    """Return every file below a folder. Raises InvalidImport, naming all that are not the text of a program."""
    if not root.is_dir():
        raise InvalidImport(f"{root}: no such folder")
    files: list[AcceptedFile] = []
    bad: list[BadRow] = []
    try:
        with open_package(root) as package:
            for path in sorted(package.sizes):
                try:
                    files.append(AcceptedFile(path, tuple(_names(path)), package.text(path, MAX_PROGRAM_BYTES)))
                except InvalidPackage as refused:
                    bad.append(BadRow(refused.path or path, refused.line, refused.reason))
    except InvalidPackage as refused:
        bad.append(BadRow(refused.path or root.name, refused.line, refused.reason))
    if bad:
        raise refusal(*bad)
    return files


def _names(path: str) -> Iterator[str]:
    """Yield the problems that a path may mean: `1550/B.cpp` 1550/B; `1550/B/mine.cpp` 1550/B/mine, then 1550/B."""
    pure = PurePosixPath(path)
    yield str(pure.with_suffix(""))
    yield from (str(parent) for parent in pure.parents if parent.name)
