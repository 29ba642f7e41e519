"""Judging a review of code: which categories of faults it names, in which lines, and how it corrects them. Pure.

CoCo-Bench (arXiv 2504.20673, section 3.4) takes a review for a choice of categories; its sets name the faulty lines,
too. A review is right that names the categories of the truth and no others, in each a line of the truth with a
correction that changes it, and whose corrections leave code that can be read as Python. By how far it is, its message
says: F1 of the categories, and how many of the truth's have a right line.
"""

import ast
import json
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

CATEGORIES: Final = ("performance_issues", "security_issues", "syntax_errors", "logical_errors", "irregular_naming")
LONGEST: Final = 50_000  # characters of an answer that is read
_COMMENT: Final = re.compile(r"(?:^|\s)#.*$")
_TRAILING: Final = re.compile(r",(\s*[}\]])")
_QUOTES: Final = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'"})
_UNREAD: Final = (ValueError, SyntaxError, TypeError, RecursionError, MemoryError)


class Finding(NamedTuple):
    """A line as it stands in the code, and what it is to be."""

    line: str
    fix: str


Review = Mapping[str, Sequence[Finding]]  # findings by category


@dataclass(frozen=True, slots=True)
class Faults:
    """The faulty lines of each category; `optional` categories may be named or not."""

    lines: Mapping[str, Sequence[str]]
    optional: Sequence[str] = ()

    def as_json(self) -> dict[str, Any]:
        """As it is stored."""
        return {"lines": {name: list(lines) for name, lines in self.lines.items()}, "optional": list(self.optional)}

    @classmethod
    def of(cls, stored: Any) -> "Faults":
        """From what `as_json` made. Raises ValueError for anything else."""
        match stored:
            case {"lines": dict(lines), "optional": list(optional)} if lines and set(lines) <= set(CATEGORIES):
                return cls(lines, optional)
        raise ValueError("this is no truth of a review")


class Read(NamedTuple):
    """A review as an answer gives it, and whether it is JSON of the form asked for without any repair."""

    review: Review
    strict: bool


def read_review(text: str) -> Read | None:
    """The review that a text holds; None where it holds none.

    What is no JSON of the form is repaired once: what stands around the object is left out, quotes and trailing commas
    are mended, Python's spelling is read, and a text stands for its correction. Linear in the text's length.
    """
    text = text.strip()
    if len(text) > LONGEST:
        return None
    try:
        return Read(_review(json.loads(text), strict=True), strict=True)
    except _UNREAD:
        pass
    start, end = text.find("{"), text.rfind("}")
    body = _TRAILING.sub(r"\1", text[start : end + 1].translate(_QUOTES))
    for read in (json.loads, _literal):
        try:
            return Read(_review(read(body), strict=False), strict=False)
        except _UNREAD:
            continue
    return None


def _literal(text: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.literal_eval(text)


def _review(value: Any, *, strict: bool) -> dict[str, tuple[Finding, ...]]:
    """Raises ValueError for what is no review; one that is not `strict` has only what can be read."""
    if not (isinstance(value, dict) and set(value) <= set(CATEGORIES)):
        raise ValueError("no object of categories")
    found = {name: tuple(_findings(value[name], strict=strict)) for name in CATEGORIES if name in value}
    return {name: findings for name, findings in found.items() if findings}


def _findings(value: Any, *, strict: bool) -> list[Finding]:
    if not strict:
        value = [] if value is None else value
    elif not isinstance(value, list):
        raise TypeError("no list of findings")
    found = []
    for part in value if isinstance(value, list) else [value]:
        match part:
            case {"line": str(line), "fix": str(fix)} if len(part) == 2 or not strict:
                found.append(Finding(line, fix))
            case str(fix) if not strict:
                if fix.strip():
                    found.append(Finding("", fix))
            case _:
                raise ValueError("no finding")
    return found


def bare(line: str) -> str:
    """A line without its comment and its indentation, each run of white space one blank."""
    return " ".join(_COMMENT.sub("", line).split())


def lines_of(code: str) -> frozenset[str]:
    """The bare lines of code."""
    return frozenset(filter(None, map(bare, code.splitlines())))


class Judged(NamedTuple):
    """Whether a review is right, F1 of its categories, how many of the truth's categories have a right line, and why
    it is wrong."""

    right: bool
    f1: float
    matched: int
    fault: str


def judge_review(review: Review, truth: Faults, code: str) -> Judged:
    """Judge a review of `code`, which is Python."""
    named, wanted = set(review) - set(truth.optional), set(truth.lines)
    hits = len(named & wanted)
    f1 = 2 * hits / (len(named) + len(wanted))
    matched = sum(_has_line(review.get(name, ()), lines) for name, lines in truth.lines.items())
    fault = ""
    if named != wanted:
        fault = "categories"
    elif matched < len(wanted):
        fault = "lines"
    elif not _parses(mended(code, review)):
        fault = "the corrected code is no Python"
    return Judged(not fault, f1, matched, fault)


def _has_line(findings: Sequence[Finding], lines: Sequence[str]) -> bool:
    """Whether a finding is about one of these lines, and changes it."""
    known = set(map(bare, lines))
    return any(bare(one.line) in known and bare(one.fix) != bare(one.line) for one in findings)


def mended(code: str, review: Review) -> str:
    """The code with the corrections in the places of their lines."""
    fixes = {bare(one.line): one.fix for findings in review.values() for one in findings if bare(one.line)}
    lines = []
    for line in code.splitlines():
        fix = fixes.get(bare(line))
        if fix is None:
            lines.append(line)
            continue
        own = fix.strip("\n").splitlines()
        indent, first = line[: len(line) - len(line.lstrip())], min((_indent(part) for part in own), default=0)
        lines += [indent + part[first:] for part in own]
    return "\n".join(lines) + "\n"


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _parses(code: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(code)
    except _UNREAD:
        return False
    return True
