"""Common parts of both LeetCode sets: tests from asserts, the limits, and the checker for a statement."""

import json
import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from app.domain.errors import BadRow
from app.domain.imports import ImportBatch, ImportedProblem, ImportedSource
from app.domain.problems import Checker, CheckerKind, Entry, Limits, Test
from scrapers.suite import SourceFile, check_not_empty, check_storable, json_lines
from scrapers.suites._common import fields
from scrapers.suites._common.asserts import AssertCase, read_asserts

SOURCE = ImportedSource("leetcode", "LeetCode", base_url="https://leetcode.com")
LEVELS = {"Easy": 1.0, "Medium": 2.0, "Hard": 3.0}
MAX_TESTS = 100

# LeetCode publishes no limits; these are generous, so that only a wrong growth order fails.
LIMITS = Limits(time_ms=6000, memory_mb=512, output_kb=16384)

# Errors of reading a row, which is then listed as bad.
ROW_ERRORS = (TypeError, ValueError, AttributeError, SyntaxError, OverflowError, RecursionError)

_ANY_ORDER = re.compile(r"\bin any order\b", re.IGNORECASE)
_ANY_ANSWER = re.compile(r"\b(?:return|output) any (?:of them|one of them|valid|such|possible)\b", re.IGNORECASE)


_INNER_TOO = re.compile(
    r"\border of (?:the )?(?:output|answer|result)\b[^.]{0,40}\band (?:the order (?:of|in|within)|of)\b[^.]{0,60}"
    r"\bdo(?:es)?(?: not|n't) matter|\b(?:each|every) (?:\w+ ){1,3}(?:\w+ ){0,4}in any order\b",
    re.IGNORECASE,
)
_NESTED = re.compile(r"list\[.*list\[", re.IGNORECASE)
INNER_ORDER = "inner_order"  # flag of a question for a person


def checker_of(entry: Entry, statement: str, tests: Sequence[Test] = ()) -> tuple[Checker, tuple[str, ...]]:
    """Return (checker, flags): any-order answers compare unordered; several right answers are flagged.

    For a list of lists, "any order" often includes the inner lists. If neither the statement nor an answer tells, that
    is flagged.
    """
    if _ANY_ANSWER.search(statement):
        return Checker(), ("multiple_answers",)
    if _ANY_ORDER.search(statement) and entry.returns.lower().startswith("list"):
        if not _NESTED.match(entry.returns) or _order_matters(tests):
            return Checker(CheckerKind.UNORDERED), ()
        inner_too = bool(_INNER_TOO.search(statement))
        return Checker(CheckerKind.UNORDERED, inner=inner_too), () if inner_too else (INNER_ORDER,)
    if "float" in entry.returns:
        return Checker(CheckerKind.FLOAT, abs=1e-5, rel=1e-5), ("float_tolerance",)
    return Checker(), ()


def _order_matters(tests: Sequence[Test]) -> bool:
    """Return whether an expected answer holds two lists of the same elements in another order, as for permutations."""
    for test in tests:
        rows = [row for row in test.expected if isinstance(row, list)] if isinstance(test.expected, list) else []
        plain = {json.dumps(row) for row in rows}
        if len({json.dumps(sorted(map(json.dumps, row))) for row in rows}) < len(plain):
            return True
    return False


def tests_of(source: str, entry: Entry, examples: int) -> tuple[tuple[Test, ...], tuple[str, ...]]:
    """Return (tests, why others were left out). An assert that is no literal cannot be judged outside the program.

    Raises SyntaxError if the source is not Python, ValueError if no test is left.
    """
    names = [param.name for param in entry.params]
    tests: list[Test] = []
    reasons: list[str] = []
    keys: set[str] = set()
    for case in read_asserts(source):
        if not isinstance(case, AssertCase):
            reasons.append(f"assert at line {case.line}: {case.reason}")
            continue
        if set(case.arguments) != set(names):
            reasons.append(f"assert at line {case.line}: its arguments are {', '.join(case.arguments)}")
            continue
        try:
            arguments, expected = [_plain_value(case.arguments[name]) for name in names], _plain_value(case.expected)
        except ValueError as unfit:
            reasons.append(f"assert at line {case.line}: {unfit}")
            continue
        key = json.dumps(arguments)
        if key not in keys and len(tests) < MAX_TESTS:
            keys.add(key)
            tests.append(Test(arguments, expected, visible=len(tests) < examples))
    if not tests:
        raise ValueError("no test could be read")
    return tuple(tests), tuple(reasons)


def _plain_value(value: Any) -> Any:
    """Return a literal as JSON holds it. Raises ValueError for what JSON cannot hold."""
    if isinstance(value, int) or value is None:  # nearly all values, booleans included
        return value
    if isinstance(value, tuple | list):
        return [_plain_value(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("an infinite number is not a JSON value")
    if isinstance(value, str):
        check_storable(value)
    if isinstance(value, float | str):
        return value
    raise ValueError(f"a {type(value).__name__} is not a JSON value")


def bad_row(file: str, line: int, broken: Exception) -> BadRow:
    """Return a row that could not be read, with a reason for the person who imports it."""
    reason = str(broken) or type(broken).__name__
    if isinstance(broken, json.JSONDecodeError):
        reason = f"{broken.msg} (column {broken.colno})"
    return BadRow(file, line, reason)


def lines_reader(
    kind: str,
    problem: Callable[[Mapping[str, Any], datetime], tuple[ImportedProblem, tuple[str, ...]]],
    known: Collection[str],
) -> Callable[[SourceFile, Mapping[str, str], datetime], ImportBatch]:
    """Return the `read` of a suite with one problem a line. `problem` makes one and says which of its asserts were left
    out. Keys that are not `known` are named in the notes."""

    def read(file: SourceFile, _options: Mapping[str, str], now: datetime) -> ImportBatch:
        problems, bad, notes = [], [], []
        unknown = fields.UnknownKeys(known)
        lines: dict[str, int] = {}
        for line, row in json_lines(file):
            try:
                if isinstance(row, Exception):
                    raise row
                check_storable(row)
                unknown.note_keys(f"{file.name}:{line}", fields.as_object(row))
                item, reasons = problem(row, now)
                first = lines.setdefault(item.external_id, line)
                if first != line:
                    raise ValueError(f"{item.external_id} appears twice; first in line {first}")
            except ROW_ERRORS as broken:
                bad.append(bad_row(file.name, line, broken))
                continue
            problems.append(item)
            if reasons:
                notes.append(f"{item.external_id}: {len(reasons)} asserts left out ({reasons[0]})")
        check_not_empty(problems, bad, file, "the file holds no problem")
        return ImportBatch(
            kind=kind,
            file_sha256=file.sha256,
            file_name=file.name,
            sources=(SOURCE,),
            problems=tuple(problems),
            bad_rows=tuple(bad),
            notes=(*unknown.notes, *notes),
        )

    return read
