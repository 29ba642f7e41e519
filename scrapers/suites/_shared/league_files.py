"""Files of the house league: text, and tables in TOML."""

import tomllib
from pathlib import Path
from typing import Any

from app.domain.errors import InvalidProblem


def text(path: Path) -> str:
    """The file's text. Raises InvalidProblem where it is empty or has CR line ends."""
    try:
        body = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        raise InvalidProblem(f"{path}: {wrong}") from wrong
    if not body.strip() or "\r" in body:
        raise InvalidProblem(f"{path}: the file is empty or has CR line ends")
    return body


def table(path: Path) -> dict[str, Any]:
    """The file's table. Raises InvalidProblem."""
    try:
        return tomllib.loads(text(path))
    except tomllib.TOMLDecodeError as wrong:
        raise InvalidProblem(f"{path}: {wrong}") from wrong
