"""Pieces that a person adds to the making of a problem's tests, converted to setters' answers. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app.domain.consensus.answers import AnswerId, SetterAnswer, SetterRole
from app.domain.consensus.result import ProvingProgram
from app.domain.consensus.vendors import OPERATOR
from app.domain.errors import InvalidInput

ADDITION_LANGUAGES: Final = ("python", "cpp")
MAX_ADDITION_BYTES: Final = 256 << 10


class AdditionKind(StrEnum):
    """Kind of an added addition: a right or a wrong program, an input, or a checker (Python, Kattis protocol)."""

    REFERENCE = "reference"
    WRONG = "wrong"
    INPUT = "input"
    CHECKER = "checker"


@dataclass(frozen=True, slots=True)
class Addition:
    """AnswerId that a person added; `language` is a program's."""

    kind: AdditionKind
    language: str
    body: str


def parse_addition(kind: str, language: str, body: str) -> Addition:
    """Check the fields of an addition and return it. Raises InvalidInput."""
    if kind not in list(AdditionKind):
        raise InvalidInput(f"unknown kind {kind!r:.40}; known: {', '.join(AdditionKind)}", pointer="/kind")
    if language not in ADDITION_LANGUAGES:
        raise InvalidInput(f"a program must be in {' or '.join(ADDITION_LANGUAGES)}", pointer="/language")
    if kind == AdditionKind.CHECKER and language != "python":
        raise InvalidInput("a checker must be in python", pointer="/language")
    text = body.replace("\r\n", "\n")
    if not text.strip() or "\0" in text:
        raise InvalidInput("the file is empty or is not text", pointer="/body")
    if len(text.encode("utf-8", "replace")) > MAX_ADDITION_BYTES:
        raise InvalidInput(f"the file has more than {MAX_ADDITION_BYTES >> 10} KiB", pointer="/body")
    return Addition(AdditionKind(kind), language, text if text.endswith("\n") else f"{text}\n")


_ROLES: Final = {
    AdditionKind.REFERENCE: SetterRole.SOLUTION,
    AdditionKind.CHECKER: SetterRole.CHECKER,
    AdditionKind.INPUT: SetterRole.HACK,
}


def as_answers(additions: Sequence[Addition]) -> tuple[SetterAnswer, ...]:
    """Return the additions that are weighed against setters' answers, as answers of the vendor `operator`."""
    counts: dict[SetterRole, int] = {}
    answers = []
    for addition in additions:
        if addition.kind in _ROLES:
            role = _ROLES[addition.kind]
            ordinal = counts[role] = counts.get(role, -1) + 1
            fence = "~" * (3 + max((len(run) for run in re.findall("~+", addition.body)), default=0))
            tag = "text" if addition.kind is AdditionKind.INPUT else addition.language
            answers.append(
                SetterAnswer(AnswerId(OPERATOR, OPERATOR, role, ordinal), f"{fence}{tag}\n{addition.body}{fence}\n")
            )
    return tuple(answers)


def as_wrong_programs(additions: Sequence[Addition]) -> tuple[ProvingProgram, ...]:
    """Return the programs that the suite must reject."""
    wrong = [addition for addition in additions if addition.kind is AdditionKind.WRONG]
    return tuple(
        ProvingProgram(f"{OPERATOR} wrong {place}", addition.language, addition.body, right=False)
        for place, addition in enumerate(wrong)
    )
