"""LeetCodeDataset: LeetCode contest problems with many tests and a reference solution each."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from app.domain.imports import ImportedProblem, ImportedProgram, ImportedStatement
from app.domain.problems import Entry, Form
from scrapers.suite import Suite
from scrapers.suites._asserts import read_entry
from scrapers.suites._leetcode import LEVELS, LIMITS, SOURCE, checker_of, lines_reader, tests_of

# How many leading tests the statement itself shows.
_EXAMPLE = re.compile(r"^Example \d+:", re.MULTILINE)


def _problem(row: Mapping[str, Any]) -> tuple[ImportedProblem, tuple[str, ...]]:
    slug, text = str(row["task_id"]), str(row["problem_description"])
    entry = read_entry(row["starter_code"])
    checker, flags = checker_of(entry, text)
    tests, left_out = tests_of(row["test"], entry, examples=len(_EXAMPLE.findall(text)))
    title = slug.replace("-", " ").title()
    problem = ImportedProblem(
        source=SOURCE.slug,
        external_id=slug,
        title=title,
        released_on=datetime.fromisoformat(row["estimated_date"]).replace(tzinfo=UTC),
        url=f"{SOURCE.base_url}/problems/{slug}/",
        tags=tuple(str(tag) for tag in row.get("tags") or ()) if isinstance(row.get("tags"), list) else (),
        flags=flags,
        difficulty=("level", LEVELS[row["difficulty"]]),
        statements={"en": ImportedStatement(title, text, {"python": row["starter_code"]})},
        form=Form.FUNCTION,
        entry=entry,
        limits=LIMITS,
        checker=checker,
        tests=tests,
        programs=(_reference(row, entry),),
    )
    return problem, left_out


def _reference(row: Mapping[str, Any], entry: Entry) -> ImportedProgram:
    # The set's prelude defines names its solutions lean on (inf, node classes); it is part of the program.
    code = f"{row['prompt']}\n\n{row['completion']}"
    if entry.name not in code:
        raise ValueError(f"the reference does not define {entry.name}")
    return ImportedProgram("completion", "python", code)


SUITE = Suite("leetcode-dataset", "LeetCodeDataset", lines_reader("leetcode-dataset", _problem), {})
