"""Judging of a code review by the categories of faults it names, their lines, and their corrections. Pure.

CoCo-Bench (arXiv 2504.20673, section 3.4) judges a review by its choice of categories; its sets name the faulty lines,
too. A review is right if it names the true categories and no others, has in each a true line with a correction that
changes it, and its corrections leave code that can be read as Python. The message says how close it is: F1 of the
categories, and how many true categories have a right line.
"""

import ast
import json
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

CATEGORIES: Final = ("performance_issues", "security_issues", "syntax_errors", "logical_errors", "irregular_naming")
MAX_REVIEW_CHARS: Final = 50_000  # characters of an answer that is read
_COMMENT: Final = re.compile(r"(?:^|\s)#.*$")
_TRAILING: Final = re.compile(r",(\s*[}\]])")
_QUOTES: Final = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'"})
_UNREADABLE: Final = (ValueError, SyntaxError, TypeError, RecursionError, MemoryError)


class ReviewFinding(NamedTuple):
    """Line as it stands in the code, and its correction."""

    line: str
    fix: str


Review = Mapping[str, Sequence[ReviewFinding]]  # findings by category


@dataclass(frozen=True, slots=True)
class ReviewFaults:
    """Faulty lines of each category; `optional` categories may be named or not."""

    lines: Mapping[str, Sequence[str]]
    optional: Sequence[str] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the faults as they are stored."""
        return {"lines": {name: list(lines) for name, lines in self.lines.items()}, "optional": list(self.optional)}

    @classmethod
    def of(cls, stored: Any) -> "ReviewFaults":
        """Read faults from what `as_json` returned. Raises ValueError for anything else."""
        match stored:
            case {"lines": dict(lines), "optional": list(optional)} if lines and set(lines) <= set(CATEGORIES):
                return cls(lines, optional)
        raise ValueError("this is no truth of a review")


class ParsedReview(NamedTuple):
    """Review as an answer gives it; `strict`: it is JSON of the requested form without any repair."""

    review: Review
    strict: bool


def read_review(text: str) -> ParsedReview | None:
    """Return the review that a text holds; None without one.

    Text that is no JSON of the form is repaired once: text around the object is dropped, quotes and trailing commas are
    repaired, Python's spelling is read, and a string stands for its correction. Linear in the text's length.
    """
    text = text.strip()
    if len(text) > MAX_REVIEW_CHARS:
        return None
    try:
        return ParsedReview(_parse_review(json.loads(text), strict=True), strict=True)
    except _UNREADABLE:
        pass
    start, end = text.find("{"), text.rfind("}")
    body = _TRAILING.sub(r"\1", text[start : end + 1].translate(_QUOTES))
    for read in (json.loads, _parse_literal):
        try:
            return ParsedReview(_parse_review(read(body), strict=False), strict=False)
        except _UNREADABLE:
            continue
    return None


def _parse_literal(text: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.literal_eval(text)


def _parse_review(value: Any, *, strict: bool) -> dict[str, tuple[ReviewFinding, ...]]:
    """Return the findings by category. Raises ValueError for another form; without `strict`, keep what can be read."""
    if not (isinstance(value, dict) and set(value) <= set(CATEGORIES)):
        raise ValueError("no object of categories")
    by_category = {name: tuple(_parse_findings(value[name], strict=strict)) for name in CATEGORIES if name in value}
    return {name: findings for name, findings in by_category.items() if findings}


def _parse_findings(value: Any, *, strict: bool) -> list[ReviewFinding]:
    if not strict:
        value = [] if value is None else value
    elif not isinstance(value, list):
        raise TypeError("no list of findings")
    findings = []
    for part in value if isinstance(value, list) else [value]:
        match part:
            case {"line": str(line), "fix": str(fix)} if len(part) == 2 or not strict:
                findings.append(ReviewFinding(line, fix))
            case str(fix) if not strict:
                if fix.strip():
                    findings.append(ReviewFinding("", fix))
            case _:
                raise ValueError("no finding")
    return findings


def normalize_line(line: str) -> str:
    """Return a line without its comment and indentation, each run of white space as one blank."""
    return " ".join(_COMMENT.sub("", line).split())


def normalized_lines(code: str) -> frozenset[str]:
    """Return the normalised lines of code."""
    return frozenset(filter(None, map(normalize_line, code.splitlines())))


class ReviewVerdict(NamedTuple):
    """Verdict on a review: right or not, F1 of its categories, number of true categories with a right line, fault."""

    right: bool
    f1: float
    matched: int
    fault: str


def judge_review(review: Review, truth: ReviewFaults, code: str) -> ReviewVerdict:
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
    elif not _parses(apply_fixes(code, review)):
        fault = "the corrected code is no Python"
    return ReviewVerdict(not fault, f1, matched, fault)


def _has_line(findings: Sequence[ReviewFinding], lines: Sequence[str]) -> bool:
    """Return whether a finding is about one of these lines and changes it."""
    known = set(map(normalize_line, lines))
    return any(
        normalize_line(finding.line) in known and normalize_line(finding.fix) != normalize_line(finding.line)
        for finding in findings
    )


def apply_fixes(code: str, review: Review) -> str:
    """Return the code with the corrections in the places of their lines."""
    fixes = {
        normalize_line(finding.line): finding.fix
        for findings in review.values()
        for finding in findings
        if normalize_line(finding.line)
    }
    lines = []
    for line in code.splitlines():
        fix = fixes.get(normalize_line(line))
        if fix is None:
            lines.append(line)
            continue
        fix_lines = fix.strip("\n").splitlines()
        indent, base = line[: len(line) - len(line.lstrip())], min((_indent(part) for part in fix_lines), default=0)
        lines += [indent + part[base:] for part in fix_lines]
    return "\n".join(lines) + "\n"


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _parses(code: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(code)
    except _UNREADABLE:
        return False
    return True
