"""LeetCodeDataset: LeetCode contest problems with many tests and a reference solution each."""

import re
from datetime import datetime

from app.domain.imports import ImportedProblem, ImportedProgram, ImportedStatement
from app.domain.problems import Entry, Form
from scrapers.suite import Suite
from scrapers.suites._common import fields
from scrapers.suites._common.asserts import read_entry
from scrapers.suites._common.leetcode import LEVELS, LIMITS, SOURCE, checker_of, lines_reader, tests_of

# Of these, question_id, entry_point, input_output, query and response are not read: the others say the same.
_KEYS = frozenset(
    {"task_id", "question_id", "difficulty", "tags", "problem_description", "starter_code", "estimated_date", "prompt",
     "completion", "entry_point", "test", "input_output", "query", "response"}
)  # fmt: skip
# Marks of the leading tests that the statement itself shows.
_EXAMPLE = re.compile(r"^Example \d+:", re.MULTILINE)


def _problem(row: fields.Row, now: datetime) -> tuple[ImportedProblem, tuple[str, ...]]:
    slug = fields.slug(row, "task_id")
    text, starter = fields.text(row, "problem_description"), fields.text(row, "starter_code")
    entry = read_entry(starter)
    tests, reasons = tests_of(fields.text(row, "test"), entry, examples=len(_EXAMPLE.findall(text)))
    checker, flags = checker_of(entry, text, tests)
    title = slug.replace("-", " ").title()
    problem = ImportedProblem(
        source=SOURCE.slug,
        external_id=slug,
        title=title,
        released_on=fields.instant(row, "estimated_date", now),
        url=f"{SOURCE.base_url}/problems/{slug}/",
        tags=tuple(tag for tag in fields.texts(row, "tags") if tag) if row.get("tags") else (),
        flags=flags,
        difficulty=("level", fields.one_of(row, "difficulty", LEVELS)),
        statements={"en": ImportedStatement(title, text, {"python": starter})},
        form=Form.FUNCTION,
        entry=entry,
        limits=LIMITS,
        checker=checker,
        tests=tests,
        programs=(_reference(row, entry),),
    )
    return problem, reasons


def _reference(row: fields.Row, entry: Entry) -> ImportedProgram:
    # The set's prelude defines names that its solutions use (inf, node classes); it is part of the program.
    code = f"{fields.text(row, 'prompt')}\n\n{fields.text(row, 'completion')}"
    if entry.name not in code:
        raise ValueError(f"the reference does not define {entry.name}")
    return ImportedProgram("completion", "python", code)


SUITE = Suite("leetcode-dataset", "LeetCodeDataset", lines_reader("leetcode-dataset", _problem, _KEYS), {})
