"""LeetCode contest problems of DeepSeek-Coder's evaluation: dated by their contest, tests, no reference."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from app.domain.imports import ImportedContest, ImportedProblem, ImportedStatement
from app.domain.problems import Form
from scrapers.suite import Suite
from scrapers.suites._asserts import read_entry
from scrapers.suites._leetcode import LEVELS, LIMITS, SOURCE, checker_of, lines_reader, tests_of

_DOCSTRING = re.compile(r'^\s*"""(.*?)"""\s*', re.DOTALL)
_EXAMPLE = re.compile(r"^\s*Example \d+:", re.MULTILINE)
_DURATION = timedelta(minutes=90)


def _problem(row: Mapping[str, Any]) -> tuple[ImportedProblem, tuple[str, ...]]:
    slug, meta = str(row["title"]), row["meta"]
    found = _DOCSTRING.match(row["prompt"])
    if found is None:
        raise ValueError("the prompt has no statement")
    text, starter = found.group(1).strip(), row["prompt"][found.end() :]
    entry = read_entry(starter)
    checker, flags = checker_of(entry, text)
    tests, left_out = tests_of(row["test"], entry, examples=len(_EXAMPLE.findall(text)))
    starts_at = datetime.fromtimestamp(int(row["start_time"]), UTC)
    contest = str(row["task_id"]).removesuffix(f"-{slug}")
    problem = ImportedProblem(
        source=SOURCE.slug,
        external_id=slug,
        title=str(meta["title"]),
        released_on=starts_at,
        contest=ImportedContest(contest, contest.replace("-", " ").title(), starts_at, starts_at + _DURATION),
        url=f"{SOURCE.base_url}/problems/{slug}/",
        flags=flags,
        difficulty=("level", LEVELS[meta["difficulty"]]),
        statements={"en": ImportedStatement(str(meta["title"]), text, {"python": starter})},
        form=Form.FUNCTION,
        entry=entry,
        limits=LIMITS,
        checker=checker,
        tests=tests,
    )
    return problem, left_out


SUITE = Suite(
    "deepseek-contests", "DeepSeek-Coder's LeetCode contests", lines_reader("deepseek-contests", _problem), {}
)
