"""The demo setters: recorded answers about problems that are held back, one file for each setter."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.domain.errors import InvalidProblem

SETTERS_FOLDER: Final = "setters"


@dataclass(frozen=True, slots=True)
class DemoSetter:
    """A setter, its vendor, and the file of its answers."""

    name: str
    vendor: str
    file: Path


def load_demo_setters(folder: Path) -> tuple[DemoSetter, ...]:
    """Return the setters of a league's folder by file name, if any. Raises InvalidProblem naming the file."""
    return tuple(_setters(sorted((folder / SETTERS_FOLDER).glob("*.jsonl"))))


def _setters(files: list[Path]) -> Iterator[DemoSetter]:
    for file in files:
        try:
            with file.open(encoding="utf-8") as lines:
                first = json.loads(next(lines))
            yield DemoSetter(str(first["setter"]), str(first["vendor"]), file)
        except (OSError, ValueError, TypeError, KeyError, StopIteration) as wrong:
            raise InvalidProblem(f"{file}: {type(wrong).__name__}: {wrong}") from wrong
