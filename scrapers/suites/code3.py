"""Problems in the format of SuperCLUE-Code3: asked in Chinese, in three levels, checked by asserts.

The set itself was never published; its published examples show what an item has. One JSON object a line, or one
JSON list, with these fields:

| field | what |
|---|---|
| task_id | the item's name |
| title | its title; the name where there is none |
| prompt | what is asked, in Chinese, between the set's markers of the requirement |
| entry_point | the function that is called |
| level | 1, 2 or 3; where there is none, by the lines of code of the reference: up to 5, up to 15, more |
| task_type | one of `TASK_TYPES`, which becomes its topic; it may be missing |
| test | source with `def check(candidate)` and its asserts |
| starter_code | code to begin with; none where there is none |
| canonical_solution | a whole program known to be right; without one the tests are admitted as unproven |
| released_on | the day it was out; where there is none, the day the set was described |

The set's README describes its levels by lengths of about 5, up to 10 and above 15 lines; what lies between two of them
goes to the lower. It says that there are eight types, from handling strings to data analysis, and does not name them:
the names here are ours.

A problem that imports what the sandbox does not have comes without tests and with a flag `needs:NAME`: it is held.
"""

import ast
from bisect import bisect_left
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from app.domain.errors import InvalidProblem
from app.domain.imports import ImportedProblem, ImportedProgram, ImportedSource, ImportedStatement
from app.domain.problems import Entry, Form, Test
from app.domain.publishing.tags import Topic
from app.domain.unittests.assertions import read_tests
from scrapers.suite import Suite
from scrapers.suites._shared import fields
from scrapers.suites._shared.leetcode import LIMITS
from scrapers.suites._shared.needs import flags_of, missing, note_of, parsed
from scrapers.suites._shared.rows import Made, problems_reader

SOURCE: Final = ImportedSource(
    "code3", "SuperCLUE-Code3", kind="suite", base_url="https://github.com/CLUEbenchmark/SuperCLUE-Code3"
)
RELEASED: Final = datetime(2024, 4, 11, tzinfo=UTC)
TASK_TYPES: Final = (
    Topic.STRINGS, Topic.ARRAYS, Topic.HASHING, Topic.SORTING, Topic.MATH, Topic.RECURSION, Topic.SIMULATION,
    Topic.DATA_ANALYSIS,
)  # fmt: skip
_LONGEST: Final = (5, 15)  # lines of code of the references of levels 1 and 2


def _problem(row: fields.Row, now: datetime) -> Made:
    name = fields.identifier(row, "task_id")
    title = fields.label(row, "title") if row.get("title") else name
    entry = Entry(fields.label(row, "entry_point"))
    if not entry.name.isidentifier():
        raise ValueError(f"entry_point {fields.shown(entry.name)} is not a function name")
    prompt = fields.text(row, "prompt").strip()
    if not prompt:
        raise ValueError("prompt is empty")
    starter = fields.text(row, "starter_code") if row.get("starter_code") else f"def {entry.name}("
    programs, test = _programs(row, entry), fields.text(row, "test")
    needs = missing(test, *(program.code for program in programs))
    problem = ImportedProblem(
        source=SOURCE.slug,
        external_id=name,
        title=title,
        released_on=fields.instant(row, "released_on", now) if row.get("released_on") else RELEASED,
        titles={"zh": title},
        flags=flags_of(needs),
        difficulty=("level", _level(row, programs)),
        tags=_tags(row),
        statements={"zh": ImportedStatement(title, prompt, {"python": starter})},
        form=Form.UNITTEST,
        entry=entry,
        limits=LIMITS,
        tests=() if needs else (_test(test, entry),),
        programs=programs,
    )
    return problem, note_of(needs) or ("" if programs else "no reference, so its tests are unproven")


def _tags(row: fields.Row) -> tuple[str, ...]:
    kinds = {str(kind): str(kind) for kind in TASK_TYPES}
    return (fields.one_of(row, "task_type", kinds),) if row.get("task_type") else ()


def _level(row: fields.Row, programs: Sequence[ImportedProgram]) -> float:
    level = row.get("level")
    if level is None and programs:
        return 1.0 + bisect_left(_LONGEST, _lines(programs[0].code))
    if isinstance(level, bool) or level not in (1, 2, 3):
        raise ValueError(f"level is {fields.shown(level)}, not 1, 2 or 3")
    return float(level)


def _test(source: str, entry: Entry) -> Test:
    """The asserts, read once now: what nobody could run is refused here, not on every program."""
    try:
        read_tests(source, entry)
    except InvalidProblem as unfit:
        raise ValueError(f"test: {unfit}") from unfit
    return Test(source, None)


def _programs(row: fields.Row, entry: Entry) -> tuple[ImportedProgram, ...]:
    if not row.get("canonical_solution"):
        return ()
    code = fields.text(row, "canonical_solution")
    if entry.name not in {node.name for node in parsed(code).body if isinstance(node, ast.FunctionDef)}:
        raise ValueError(f"canonical_solution does not define {entry.name}")
    return (ImportedProgram("canonical_solution", "python", code),)


def _lines(program: str) -> int:
    """The lines of a program as Python itself writes it: without comments, docstrings and blank lines, however it was
    broken."""
    tree = parsed(program)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            node.body = [line for line in node.body if not _is_text(line)] or [ast.Pass()]
    return sum(bool(line) for line in ast.unparse(tree).splitlines())


def _is_text(line: ast.stmt) -> bool:
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and isinstance(line.value.value, str)


SUITE = Suite("code3", "SuperCLUE-Code3 problems", problems_reader("code3", (SOURCE,), _problem), {})
