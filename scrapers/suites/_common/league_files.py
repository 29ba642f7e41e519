"""Files of the house league: text, tables in TOML, and proofs of its problems."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from app.domain.errors import InvalidProblem

PROOFS_FILE: Final = "proofs.json"


def text(path: Path) -> str:
    """Return a file's text. Raises InvalidProblem if it is empty or has CR line ends."""
    try:
        body = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        raise InvalidProblem(f"{path}: {wrong}") from wrong
    if not body.strip() or "\r" in body:
        raise InvalidProblem(f"{path}: the file is empty or has CR line ends")
    return body


def table(path: Path) -> dict[str, Any]:
    """Return a file's table. Raises InvalidProblem."""
    try:
        return tomllib.loads(text(path))
    except tomllib.TOMLDecodeError as wrong:
        raise InvalidProblem(f"{path}: {wrong}") from wrong


def read_proofs(path: Path) -> Mapping[str, Mapping[str, object]]:
    """Return the proofs by problem; nothing if there is no such file. Raises InvalidProblem naming it."""
    if not path.exists():
        return {}
    try:
        proofs = json.loads(text(path))
    except ValueError as wrong:
        raise InvalidProblem(f"{path}: {wrong}") from wrong
    if not isinstance(proofs, dict) or not all(isinstance(proof, dict) for proof in proofs.values()):
        raise InvalidProblem(f"{path}: not an object of objects")
    return proofs
