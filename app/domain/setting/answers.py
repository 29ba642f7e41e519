"""What setters answer: a role, an ordinal, and in the text one fenced block."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from app.domain.asking.extraction import blocks, names
from app.domain.asking.markdown.blocks import Block
from app.domain.errors import BadRow
from app.domain.setting.vendors import RESERVED, one_spelling

MOST_BYTES = 1 << 20  # of an answer; none is longer that a person would read
_MOST_PROBES, _ORDINALS = 60, 100


class Role(StrEnum):
    """What a setter is asked for; each role is answered apart from the others."""

    VALIDATOR = "validator"
    GENERATOR = "generator"
    BRUTE = "brute"
    SOLUTION = "solution"
    PROBES = "probes"
    CHECKER = "checker"
    INTERACTOR = "interactor"
    HACK = "hack"

    __hash__ = str.__hash__


# How a role's answers may be named; whatever else has a name stands beside the answer. A hack may be any text.
_FORMS: Final[Mapping[Role, tuple[str, ...]]] = {
    **{role: ("python",) for role in Role if role is not Role.HACK},
    Role.SOLUTION: ("python", "cpp"),
    Role.PROBES: ("json",),
}


@dataclass(frozen=True, slots=True, order=True)
class Piece:
    """Whose answer it is, and to what: setters of one vendor may share their mistakes, so the vendor counts."""

    vendor: str
    setter: str
    role: Role
    ordinal: int = 0

    def __str__(self) -> str:
        return f"{self.setter} {self.role} {self.ordinal}"


@dataclass(frozen=True, slots=True)
class Answer:
    """A setter's answer as it came."""

    piece: Piece
    text: str


def block(text: str, role: Role | None = None) -> Block | None:
    """The last fenced block that is closed and not empty; None without one. Whatever stands around it is ignored.

    Where a role's answers are programs or JSON, the last that is named so comes first, then the last without a name;
    without a role, of any of these names. None is taken from reasoning. Linear in the length of the text.
    """
    forms = ("python", "cpp", "json") if role is None else _FORMS.get(role)
    found: dict[int, Block] = {}
    for one in blocks(text, forms or ()):
        if one.closed and one.code.strip():
            rank = 0 if forms is None else 2 if any(names(one.tag, form) for form in forms) else int(not one.tag)
            found[rank] = one
    return found[max(found)] if found else None


def language_of(role: Role, ordinal: int, tag: str) -> str:
    """The language of a program: a solution's by its tag, else by its ordinal; all other programs are Python."""
    if role is not Role.SOLUTION or names(tag, "python"):
        return "python"
    return "cpp" if names(tag, "cpp") or ordinal % 2 else "python"


@dataclass(frozen=True, slots=True)
class Probes:
    """Inputs that a setter holds to be legal, and nearly legal ones that it holds not to be."""

    legal: tuple[str, ...]
    illegal: tuple[str, ...]


def probes(body: str) -> Probes | None:
    """Read `{"legal": [text], "illegal": [{"input": text, "why": text}]}`; None when it is nothing of the kind."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    legal, illegal = value.get("legal", []), value.get("illegal", [])
    if not isinstance(legal, list) or not isinstance(illegal, list):
        return None
    refused = [probe.get("input") if isinstance(probe, dict) else probe for probe in illegal]
    return Probes(tuple(_texts(legal)), tuple(_texts(refused)))


def _texts(values: Iterable[Any]) -> list[str]:
    texts = (value if isinstance(value, str) or value is None else json.dumps(value) for value in values)
    return list(dict.fromkeys(text for text in texts if text is not None))[:_MOST_PROBES]


def lines_of(text: str) -> list[str]:
    """The lines of a file of rows: JSON texts may hold what other readers take for the end of one."""
    return text.removeprefix("\ufeff").split("\n")


def read_rows(text: str, problem: str) -> tuple[list[Answer], list[BadRow]]:
    """The recorded answers to a problem: rows `{"problem", "setter", "vendor", "role", "ordinal", "text"}`.

    Rows of other problems are left out; titles are told apart as prompts name them, whatever white space they hold. Of
    several rows for one piece the first stands. What cannot be read is told by its line.
    """
    title = problem.split()
    answers: dict[Piece, Answer] = {}
    bad: list[BadRow] = []
    for number, line in enumerate(lines_of(text), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            bad.append(BadRow("", number, "not JSON"))
            continue
        if not isinstance(value, dict):
            bad.append(BadRow("", number, "not an object"))
        elif str(value.get("problem")).split() == title:
            answer = _answer(value)
            if isinstance(answer, str):
                bad.append(BadRow("", number, answer))
            else:
                answers.setdefault(answer.piece, answer)
    return list(answers.values()), bad


def _answer(row: Mapping[str, Any]) -> Answer | str:
    """The row's answer, or what is wrong with it."""
    ordinal, text = row.get("ordinal", 0), row.get("text")
    names = {name: row.get(name) for name in ("setter", "vendor")}
    for name, value in names.items():
        if not isinstance(value, str) or not value.strip():
            return f"{name} is not a name"
    if row.get("role") not in list(Role):
        return f"role is none of {', '.join(Role)}"
    if isinstance(ordinal, bool) or not isinstance(ordinal, int) or not 0 <= ordinal < _ORDINALS:
        return f"ordinal is not a number from 0 to {_ORDINALS - 1}"
    if not isinstance(text, str):
        return "text is not text"
    if len(text.encode(errors="replace")) > MOST_BYTES:
        return f"text has more than {MOST_BYTES >> 20} MiB"
    # Two names of one vendor would be two voices.
    vendor = one_spelling(str(names["vendor"]))
    if vendor in RESERVED:
        return f"no setter's vendor is called {vendor}"
    return Answer(Piece(vendor, str(names["setter"]).strip(), Role(row["role"]), ordinal), text)
