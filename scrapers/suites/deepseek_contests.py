"""LeetCode contest problems of DeepSeek-Coder's evaluation: dated by their contest, tests, no reference."""

import re
from datetime import datetime, timedelta

from app.domain.imports import ImportedContest, ImportedProblem, ImportedStatement
from app.domain.problems import Form
from scrapers.suite import Suite
from scrapers.suites._common import fields
from scrapers.suites._common.asserts import read_entry
from scrapers.suites._common.leetcode import LEVELS, LIMITS, SOURCE, checker_of, lines_reader, tests_of

# Of these, url and prompt_sft are not read, nor is anything of meta but its title and difficulty.
_KEYS = frozenset(
    {"task_id", "url", "title", "prompt", "prompt_sft", "test", "start_time", "meta.questionId",
     "meta.questionFrontendId", "meta.title", "meta.titleSlug", "meta.isPaidOnly", "meta.difficulty", "meta.likes",
     "meta.dislikes", "meta.categoryTitle"}
)  # fmt: skip
_DOCSTRING = re.compile(r'^\s*"""(.*?)"""\s*', re.DOTALL)
_EXAMPLE = re.compile(r"^\s*Example \d+:", re.MULTILINE)
_DURATION = timedelta(minutes=90)


def _problem(row: fields.Row, now: datetime) -> tuple[ImportedProblem, tuple[str, ...]]:
    slug, meta, prompt = fields.slug(row, "title"), fields.child(row, "meta"), fields.text(row, "prompt")
    title = fields.label(meta, "title")
    match = _DOCSTRING.match(prompt)
    if match is None:
        raise ValueError("the prompt has no statement")
    text, starter = match.group(1).strip(), prompt[match.end() :]
    entry = read_entry(starter)
    tests, reasons = tests_of(fields.text(row, "test"), entry, examples=len(_EXAMPLE.findall(text)))
    checker, flags = checker_of(entry, text, tests)
    starts_at = fields.epoch(row, "start_time", now)
    contest = fields.slug(row, "task_id").removesuffix(f"-{slug}")
    problem = ImportedProblem(
        source=SOURCE.slug,
        external_id=slug,
        title=title,
        released_on=starts_at,
        contest=ImportedContest(contest, contest.replace("-", " ").title(), starts_at, starts_at + _DURATION),
        url=f"{SOURCE.base_url}/problems/{slug}/",
        flags=flags,
        difficulty=("level", fields.one_of(meta, "difficulty", LEVELS)),
        statements={"en": ImportedStatement(title, text, {"python": starter})},
        form=Form.FUNCTION,
        entry=entry,
        limits=LIMITS,
        checker=checker,
        tests=tests,
    )
    return problem, reasons


SUITE = Suite(
    "deepseek-contests", "DeepSeek-Coder's LeetCode contests", lines_reader("deepseek-contests", _problem, _KEYS), {}
)
