"""What setters answer: a role, an ordinal, and in the text one fenced block."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from app.domain.asking.reasoning import without_reasoning
from app.domain.errors import BadRow
from app.domain.setting.vendors import RESERVED, one_spelling

MOST_BYTES = 1 << 20  # of an answer; none is longer that a person would read
_FENCE = re.compile(r"(`{3,}+|~{3,}+)([^`]*+)")
_CPP_TAGS = frozenset({"cpp", "c++", "cc", "cxx"})
_PYTHON_TAGS = frozenset({"python", "python3", "py"})
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


class Block(NamedTuple):
    """The fenced block of an answer with its language tag, which may be empty."""

    tag: str
    body: str


def block(text: str) -> Block | None:
    """The last fenced block that is closed and not empty; None without one. Whatever stands around it is ignored.

    None is taken from reasoning. Linear in the length of the text.
    """
    last: Block | None = None
    fence, tag, lines = "", "", list[str]()
    for line in without_reasoning(text.replace("\r\n", "\n")).split("\n"):
        if not fence:
            opening = _FENCE.fullmatch(line)
            if opening is not None:
                fence, tag, lines = opening[1], opening[2].strip().lower(), []
        elif line.rstrip().startswith(fence) and not line.strip().strip(fence[0]):
            body = "".join(f"{inner}\n" for inner in lines)
            last = Block(tag, body) if body.strip() else last
            fence = ""
        else:
            lines.append(line)
    return last


def language_of(role: Role, ordinal: int, tag: str) -> str:
    """The language of a program: a solution's by its tag, else by its ordinal; all other programs are Python."""
    if role is not Role.SOLUTION or tag in _PYTHON_TAGS:
        return "python"
    if tag in _CPP_TAGS:
        return "cpp"
    return "cpp" if ordinal % 2 else "python"


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


def read_rows(lines: Iterable[str], problem: str) -> tuple[list[Answer], list[BadRow]]:
    """The recorded answers to a problem: rows `{"problem", "setter", "vendor", "role", "ordinal", "text"}`.

    Rows of other problems are left out. Of several rows for one piece the first stands. What cannot be read is told
    by its line.
    """
    answers: dict[Piece, Answer] = {}
    bad: list[BadRow] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            bad.append(BadRow("", number, "not JSON"))
            continue
        if not isinstance(value, dict):
            bad.append(BadRow("", number, "not an object"))
        elif str(value.get("problem")) == problem:
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
