"""Pieces that a person adds to the making of a problem's tests, converted to setters' answers. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app.domain.consensus.answers import Piece, SetterAnswer, SetterRole
from app.domain.consensus.result import ProvingProgram
from app.domain.consensus.vendors import OPERATOR
from app.domain.errors import InvalidInput

ADDITION_LANGUAGES: Final = ("python", "cpp")
MAX_ADDITION_BYTES: Final = 256 << 10


class AddedPieceKind(StrEnum):
    """Kind of an added piece: a right or a wrong program, an input, or a checker (Python, Kattis protocol)."""

    REFERENCE = "reference"
    WRONG = "wrong"
    INPUT = "input"
    CHECKER = "checker"


@dataclass(frozen=True, slots=True)
class AddedPiece:
    """Piece that a person added; `language` is a program's."""

    kind: AddedPieceKind
    language: str
    body: str


def parse_added_piece(kind: str, language: str, body: str) -> AddedPiece:
    """Check the fields of a piece and return it. Raises InvalidInput."""
    if kind not in list(AddedPieceKind):
        raise InvalidInput(f"unknown kind {kind!r:.40}; known: {', '.join(AddedPieceKind)}", pointer="/kind")
    if language not in ADDITION_LANGUAGES:
        raise InvalidInput(f"a program must be in {' or '.join(ADDITION_LANGUAGES)}", pointer="/language")
    if kind == AddedPieceKind.CHECKER and language != "python":
        raise InvalidInput("a checker must be in python", pointer="/language")
    text = body.replace("\r\n", "\n")
    if not text.strip() or "\0" in text:
        raise InvalidInput("the file is empty or is not text", pointer="/body")
    if len(text.encode("utf-8", "replace")) > MAX_ADDITION_BYTES:
        raise InvalidInput(f"the file has more than {MAX_ADDITION_BYTES >> 10} KiB", pointer="/body")
    return AddedPiece(AddedPieceKind(kind), language, text if text.endswith("\n") else f"{text}\n")


_ROLES: Final = {
    AddedPieceKind.REFERENCE: SetterRole.SOLUTION,
    AddedPieceKind.CHECKER: SetterRole.CHECKER,
    AddedPieceKind.INPUT: SetterRole.HACK,
}


def as_answers(pieces: Sequence[AddedPiece]) -> tuple[SetterAnswer, ...]:
    """Return the pieces that are weighed against setters' answers, as answers of the vendor `operator`."""
    counts: dict[SetterRole, int] = {}
    answers = []
    for piece in pieces:
        if piece.kind in _ROLES:
            role = _ROLES[piece.kind]
            ordinal = counts[role] = counts.get(role, -1) + 1
            fence = "~" * (3 + max((len(run) for run in re.findall("~+", piece.body)), default=0))
            tag = "text" if piece.kind is AddedPieceKind.INPUT else piece.language
            answers.append(
                SetterAnswer(Piece(OPERATOR, OPERATOR, role, ordinal), f"{fence}{tag}\n{piece.body}{fence}\n")
            )
    return tuple(answers)


def as_wrong_programs(pieces: Sequence[AddedPiece]) -> tuple[ProvingProgram, ...]:
    """Return the programs that the suite must reject."""
    wrong = [piece for piece in pieces if piece.kind is AddedPieceKind.WRONG]
    return tuple(
        ProvingProgram(f"{OPERATOR} wrong {place}", piece.language, piece.body, right=False)
        for place, piece in enumerate(wrong)
    )
