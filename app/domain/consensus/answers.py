"""Answers of setters: each has a role and an ordinal, and its text holds one fenced block."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from app.domain.asking.extraction import answer_blocks, names_language
from app.domain.asking.markdown.blocks import FencedBlock
from app.domain.consensus.vendors import RESERVED_VENDORS, normalize_vendor
from app.domain.errors import BadRow

MAX_ANSWER_BYTES = 1 << 20  # of an answer; no readable one is longer
_MAX_PROBES, _MAX_ORDINALS = 60, 100


class SetterRole(StrEnum):
    """Part of a suite that a setter is asked for; each role is a prompt of its own."""

    VALIDATOR = "validator"
    GENERATOR = "generator"
    BRUTE = "brute"
    SOLUTION = "solution"
    PROBES = "probes"
    CHECKER = "checker"
    INTERACTOR = "interactor"
    HACK = "hack"

    __hash__ = str.__hash__


# Tags of a role's answers; blocks with other tags are not the answer. A hack may be any text.
_TAGS: Final[Mapping[SetterRole, tuple[str, ...]]] = {
    **{role: ("python",) for role in SetterRole if role is not SetterRole.HACK},
    SetterRole.SOLUTION: ("python", "cpp"),
    SetterRole.PROBES: ("json",),
}


@dataclass(frozen=True, slots=True, order=True)
class AnswerId:
    """Identity of a setter's answer. Setters of one vendor may share their mistakes, so vendors are counted."""

    vendor: str
    setter: str
    role: SetterRole
    ordinal: int = 0

    def __str__(self) -> str:
        return f"{self.setter} {self.role} {self.ordinal}"


@dataclass(frozen=True, slots=True)
class SetterAnswer:
    """Text of a setter's answer as it came."""

    answer_id: AnswerId
    text: str


def last_block(text: str, role: SetterRole | None = None) -> FencedBlock | None:
    """Return the last closed fenced block that is not empty; None without one. Text around it is ignored.

    If a role's answers are programs or JSON, the last block tagged as such comes first, then the last without a tag;
    without a role, the last with any of these tags. Blocks in reasoning are ignored. Linear in the length of the text.
    """
    forms = ("python", "cpp", "json") if role is None else _TAGS.get(role)
    best_by_rank: dict[int, FencedBlock] = {}
    for candidate in answer_blocks(text, forms or ()):
        if candidate.closed and candidate.code.strip():
            rank = (
                0
                if forms is None
                else 2
                if any(names_language(candidate.tag, form) for form in forms)
                else int(not candidate.tag)
            )
            best_by_rank[rank] = candidate
    return best_by_rank[max(best_by_rank)] if best_by_rank else None


def language_of(role: SetterRole, ordinal: int, tag: str) -> str:
    """Return the language of a program: a solution's by its tag, else by its ordinal; all other programs are Python."""
    if role is not SetterRole.SOLUTION or names_language(tag, "python"):
        return "python"
    return "cpp" if names_language(tag, "cpp") or ordinal % 2 else "python"


@dataclass(frozen=True, slots=True)
class Probes:
    """Inputs that a setter holds to be legal, and nearly legal inputs that it holds to be illegal."""

    legal: tuple[str, ...]
    illegal: tuple[str, ...]


def parse_probes(body: str) -> Probes | None:
    """Read `{"legal": [text], "illegal": [{"input": text, "why": text}]}`; None if the text has another form."""
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
    return Probes(tuple(_probe_texts(legal)), tuple(_probe_texts(refused)))


def _probe_texts(values: Iterable[Any]) -> list[str]:
    texts = (value if isinstance(value, str) or value is None else json.dumps(value) for value in values)
    return list(dict.fromkeys(text for text in texts if text is not None))[:_MAX_PROBES]


def split_lines(text: str) -> list[str]:
    r"""Return the lines of a file of rows, split at "\n" only: JSON texts may hold other line separators."""
    return text.removeprefix("\ufeff").split("\n")


def read_answers(text: str, problem: str) -> tuple[list[SetterAnswer], list[BadRow]]:
    """Return the recorded answers to a problem, and the bad rows of the file by line.

    A row is `{"problem", "setter", "vendor", "role", "ordinal", "text"}`. Rows of other problems are left out; titles
    are compared word by word, as prompts write them. of several rows for one answer the first counts.
    """
    title = problem.split()
    answers: dict[AnswerId, SetterAnswer] = {}
    bad: list[BadRow] = []
    for number, line in enumerate(split_lines(text), start=1):
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
            answer = _parse_answer(value)
            if isinstance(answer, str):
                bad.append(BadRow("", number, answer))
            else:
                answers.setdefault(answer.answer_id, answer)
    return list(answers.values()), bad


def _parse_answer(row: Mapping[str, Any]) -> SetterAnswer | str:
    """Return the row's answer, or the reason why it is bad."""
    ordinal, text = row.get("ordinal", 0), row.get("text")
    names = {name: row.get(name) for name in ("setter", "vendor")}
    for name, value in names.items():
        if not isinstance(value, str) or not value.strip():
            return f"{name} is not a name"
    if row.get("role") not in list(SetterRole):
        return f"role is none of {', '.join(SetterRole)}"
    if isinstance(ordinal, bool) or not isinstance(ordinal, int) or not 0 <= ordinal < _MAX_ORDINALS:
        return f"ordinal is not a number from 0 to {_MAX_ORDINALS - 1}"
    if not isinstance(text, str):
        return "text is not text"
    if len(text.encode(errors="replace")) > MAX_ANSWER_BYTES:
        return f"text has more than {MAX_ANSWER_BYTES >> 20} MiB"
    # Two names of one vendor would count as two voices.
    vendor = normalize_vendor(str(names["vendor"]))
    if vendor in RESERVED_VENDORS:
        return f"no setter's vendor is called {vendor}"
    return SetterAnswer(AnswerId(vendor, str(names["setter"]).strip(), SetterRole(row["role"]), ordinal), text)
