"""Pieces that a person adds to the making of a problem's tests, converted to setters' answers. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app.domain.errors import InvalidInput
from app.domain.setting.answers import Answer, Piece, Role
from app.domain.setting.made import Proving
from app.domain.setting.vendors import OPERATOR

LANGUAGES: Final = ("python", "cpp")
MOST_BYTES: Final = 256 << 10


class GivenKind(StrEnum):
    """Kind of an added piece: a right or a wrong program, an input, or a checker (Python, Kattis protocol)."""

    REFERENCE = "reference"
    WRONG = "wrong"
    INPUT = "input"
    CHECKER = "checker"


@dataclass(frozen=True, slots=True)
class Given:
    """Piece that a person added; `language` is a program's."""

    kind: GivenKind
    language: str
    body: str


def given(kind: str, language: str, body: str) -> Given:
    """Check the fields of a piece and return it. Raises InvalidInput."""
    if kind not in list(GivenKind):
        raise InvalidInput(f"what is added is one of {', '.join(GivenKind)}", pointer="/kind")
    if language not in LANGUAGES:
        raise InvalidInput(f"a program is in {' or '.join(LANGUAGES)}", pointer="/language")
    if kind == GivenKind.CHECKER and language != "python":
        raise InvalidInput("a checker is in python", pointer="/language")
    text = body.replace("\r\n", "\n")
    if not text.strip() or "\0" in text:
        raise InvalidInput("it is empty, or no text", pointer="/body")
    if len(text.encode("utf-8", "replace")) > MOST_BYTES:
        raise InvalidInput(f"it has more than {MOST_BYTES >> 10} KiB", pointer="/body")
    return Given(GivenKind(kind), language, text if text.endswith("\n") else f"{text}\n")


_ROLES: Final = {GivenKind.REFERENCE: Role.SOLUTION, GivenKind.CHECKER: Role.CHECKER, GivenKind.INPUT: Role.HACK}


def as_answers(pieces: Sequence[Given]) -> tuple[Answer, ...]:
    """Return the pieces that are weighed against setters' answers, as answers of the vendor `operator`."""
    counts: dict[Role, int] = {}
    answers = []
    for piece in pieces:
        if piece.kind in _ROLES:
            role = _ROLES[piece.kind]
            ordinal = counts[role] = counts.get(role, -1) + 1
            fence = "~" * (3 + max((len(run) for run in re.findall("~+", piece.body)), default=0))
            tag = "text" if piece.kind is GivenKind.INPUT else piece.language
            answers.append(Answer(Piece(OPERATOR, OPERATOR, role, ordinal), f"{fence}{tag}\n{piece.body}{fence}\n"))
    return tuple(answers)


def as_wrong(pieces: Sequence[Given]) -> tuple[Proving, ...]:
    """Return the programs that the suite must reject."""
    wrong = [piece for piece in pieces if piece.kind is GivenKind.WRONG]
    return tuple(
        Proving(f"{OPERATOR} wrong {place}", piece.language, piece.body, right=False)
        for place, piece in enumerate(wrong)
    )
