"""CoCo-Bench's items, JSON lines or one JSON list; which of the four tasks an item is, its fields tell.

| task | told by | read besides task_id, description and metadata (programming_language, difficulty, test_aspect) |
|---|---|---|
| CR, review | issue_categories | code |
| CM, bug_fix | bug_code | corrected_code |
| CG, completion | incomplete_code | complete_code, input, expected_output |
| CU, understanding | code, input, expected_output | code |

Every item's text and code are kept. A CG item in Python whose input and expected value are literals that fit its
function has a test of them, with complete_code as the reference that has to pass it: the set's own values hold
mistakes, and what is wrong in them holds the item. Everything else comes without tests and is held: CM ships none
(its two programs can prove some that are made), and CU and CR ask for other answers than a program, which a flag
`needs:NAME-scenario` says. The expected values of CU, which a run of the code gives better, and the findings of CR
are not kept.
"""

import ast
import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from app.domain.imports import ImportedProblem, ImportedProgram, ImportedSource, ImportedStatement
from app.domain.problems import Entry, Form, Test
from scrapers.suite import Suite
from scrapers.suites._shared import fields
from scrapers.suites._shared.asserts import read_entry
from scrapers.suites._shared.leetcode import LEVELS, LIMITS
from scrapers.suites._shared.rows import Made, problems_reader

SOURCE: Final = ImportedSource(
    "coco", "CoCo-Bench", kind="suite", base_url="https://github.com/ameliayinn/cocobench_eval"
)
# No item has a date of its own: all were out on the day of the set's release.
RELEASED: Final = datetime(2025, 2, 25, tzinfo=UTC)
_LANGUAGES: Final = {"python": "python", "numpy": "python", "c++": "cpp", "cpp": "cpp", "java": "java", "sql": "sql"}
_BLANK: Final = re.compile(r"(?<!\w)_{3,}(?!\w)")
_LACKING: Final = {
    "CR": "it asks for a review, which nothing here grades yet",
    "CU": "it asks what code does, which nothing here grades yet",
    "CM": "the set has no tests for its fix",
}
_NEEDS: Final = {"CR": ("needs:review-scenario",), "CU": ("needs:execution-scenario",)}


def _problem(row: fields.Row, _now: datetime) -> Made:
    task = _task(row)
    name = f"{task}/{fields.label(row, 'task_id')}"
    metadata = fields.as_object(row.get("metadata") or {})
    language = _language(row, metadata)
    starter, programs = _code(task, row, language)
    entry, test, reason = None, None, _LACKING.get(task, "")
    if task in ("CG", "CM") and language == "python":
        entry, reason = _entry(programs[0].code, reason)
    if task == "CG" and entry is not None:
        test, reason = _test(row, entry)
    elif task == "CG" and not reason:
        reason = "calls are judged in Python only"
    problem = ImportedProblem(
        source=SOURCE.slug,
        external_id=name,
        title=name,
        released_on=RELEASED,
        tags=tuple(tag for tag in (task, language, metadata.get("test_aspect")) if isinstance(tag, str)),
        flags=_NEEDS.get(task, ()),
        difficulty=("level", fields.one_of(metadata, "difficulty", LEVELS)) if "difficulty" in metadata else None,
        statements={"en": ImportedStatement(name, fields.text(row, "description"), {language: starter})},
        form=Form.FUNCTION,
        entry=entry,
        limits=LIMITS,
        tests=() if test is None else (test,),
        programs=programs,
    )
    return problem, f"held, {reason}" if reason else ""


def _task(row: fields.Row) -> str:
    for task, name in (("CR", "issue_categories"), ("CM", "bug_code"), ("CG", "incomplete_code"), ("CU", "code")):
        if name in row:
            return task
    raise ValueError("no issue_categories, bug_code, incomplete_code or code: this is not an item of CoCo-Bench")


def _language(row: fields.Row, metadata: fields.Row) -> str:
    """Named in the metadata, else by the item's id (`python/1`)."""
    language = metadata.get("programming_language") or fields.label(row, "task_id").partition("/")[0]
    return fields.one_of({"language": str(language).lower()}, "language", _LANGUAGES)


def _code(task: str, row: fields.Row, language: str) -> tuple[str, tuple[ImportedProgram, ...]]:
    """(the code an item shows, programs of known verdict)."""
    if task == "CM":
        bug, fixed = fields.text(row, "bug_code"), fields.text(row, "corrected_code")
        return bug, (
            ImportedProgram("corrected_code", language, fixed.strip() + "\n"),
            ImportedProgram("bug_code", language, bug.strip() + "\n", reference=False),
        )
    if task == "CG":
        blank, whole = fields.text(row, "incomplete_code"), fields.text(row, "complete_code")
        programs = [ImportedProgram("complete_code", language, whole.strip() + "\n")]
        if _BLANK.search(blank):
            programs.append(ImportedProgram("incomplete_code", language, blank.strip() + "\n", reference=False))
        return blank, tuple(programs)
    return fields.text(row, "code"), ()


def _entry(code: str, reason: str) -> tuple[Entry | None, str]:
    try:
        return read_entry(code), reason
    except ValueError:
        return None, reason or "it defines no function, and no Solution, that could be called"


def _test(row: fields.Row, entry: Entry) -> tuple[Test | None, str]:
    """An item's one test, or why it has none."""
    try:
        value, expected = _literal(row.get("input")), _literal(row.get("expected_output"))
    except ValueError as unfit:
        return None, str(unfit)
    names = [param.name for param in entry.params]
    if isinstance(value, dict):
        if set(value) != set(names):
            return None, f"its input names {', '.join(map(str, value))}, not {', '.join(names)}"
        return Test([value[name] for name in names], expected), ""
    if len(names) == 1:
        return Test([value], expected), ""
    if isinstance(value, list) and len(value) == len(names):
        return Test(value, expected), ""
    return None, f"its input is not {len(names)} arguments"


def _literal(value: Any) -> Any:
    """A value, written out or as Python or JSON writes it. Raises ValueError for another text."""
    if not isinstance(value, str):
        return _plain(value)
    for read in (json.loads, ast.literal_eval):
        try:
            return _plain(read(value.strip()))
        except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            continue
    raise ValueError(f"{fields.shown(value)} is not a literal")


def _plain(value: Any) -> Any:
    """A value as JSON holds it, tuples as lists. Raises ValueError for what JSON cannot hold."""
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping) and all(isinstance(name, str) for name in value):
        return {name: _plain(item) for name, item in value.items()}
    if value is None or isinstance(value, bool | int | str) or (isinstance(value, float) and abs(value) < float("inf")):
        return value
    raise ValueError(f"{fields.shown(value)} is not a JSON value")


SUITE = Suite("coco", "CoCo-Bench items", problems_reader("coco", (SOURCE,), _problem), {})
