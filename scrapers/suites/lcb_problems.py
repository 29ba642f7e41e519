"""LiveCodeBench's problems, one JSON object a line, in the form of its code generation sets.

question_title, question_content, platform, question_id, contest_date, starter_code, difficulty, public_test_cases,
private_test_cases (plain or packed) and func_name of metadata are read; func_name marks the function form. contest_id
only makes an address: the set knows only the day of a contest, and a site knows its times.

A problem without hidden tests is held, because its examples alone prove nothing. So is one whose statement allows
several answers or talks to a judge: the set compares outputs and marks neither.
"""

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from bs4 import BeautifulSoup

from app.domain.imports import ImportedProblem, ImportedSource, ImportedStatement
from app.domain.problems import Checker, Entry, Form, Test
from app.domain.publishing.stated_checkers import stated_checker
from app.domain.slugs import slugify
from scrapers.sites._atcoder import flags as atcoder_flags
from scrapers.sites._codeforces import flags as codeforces_flags
from scrapers.suite import Suite
from scrapers.suites._common import fields
from scrapers.suites._common.asserts import read_entry
from scrapers.suites._common.lcb import PLATFORMS
from scrapers.suites._common.lcb_tests import read_tests, unpack_tests
from scrapers.suites._common.leetcode import LIMITS, checker_of
from scrapers.suites._common.rows import ProblemAndNote, problems_reader

_KEYS: Final = frozenset(
    {"question_title", "question_content", "platform", "question_id", "contest_id", "contest_date", "starter_code",
     "difficulty", "public_test_cases", "private_test_cases", "metadata.func_name"}
)  # fmt: skip
_LEVELS: Final = {"easy": 1.0, "medium": 2.0, "hard": 3.0}


def _problem(row: fields.Row, now: datetime) -> ProblemAndNote:
    platform = fields.one_of(row, "platform", {name: name for name in PLATFORMS})
    number, title = fields.identifier(row, "question_id"), fields.label(row, "question_title")
    text = fields.text(row, "question_content").replace("\r\n", "\n").strip()
    starter = fields.text(row, "starter_code")
    entry = _entry(row, starter)
    name, url = _names(platform, number, title, fields.identifier(row, "contest_id"))
    tests = _tests(row, entry)
    checker, flags = _rules(platform, text, entry, tests)
    problem = ImportedProblem(
        source=platform,
        external_id=name,
        title=title.replace("-", " ").title() if platform == "leetcode" else title,
        released_on=fields.instant(row, "contest_date", now),
        aliases=(number,) if number != name else (),
        url=url,
        flags=flags,
        difficulty=("level", fields.one_of(row, "difficulty", _LEVELS)),
        statements={"en": ImportedStatement(title, text, {"python": starter} if starter.strip() else {})},
        form=Form.STDIN if entry is None else Form.FUNCTION,
        entry=entry,
        limits=LIMITS,  # the set has none; these are generous, so that only a wrong growth order fails
        checker=checker,
        tests=tests,
    )
    return problem, "" if tests else "no hidden tests"


def _names(platform: str, number: str, title: str, contest: str) -> tuple[str, str]:
    """Return (our name of the problem, its address), both the sites' own: the set numbers LeetCode's problems and joins
    the names of others."""
    if platform == "leetcode":
        return slugify(title), f"https://leetcode.com/problems/{slugify(title)}/"
    if platform == "codeforces":
        name = "/".join(number.split("_", 1))
        return name, f"https://codeforces.com/problemset/problem/{name}"
    return number, f"https://atcoder.jp/contests/{contest}/tasks/{number}"


def _entry(row: fields.Row, starter: str) -> Entry | None:
    """Return the function that metadata names, as the starter code declares it; None if it names none."""
    metadata = fields.as_object(json.loads(fields.text(row, "metadata") or "{}"))
    if metadata.get("func_name") is None:
        return None
    name, entry = fields.label(metadata, "func_name"), read_entry(starter)
    if entry.name != name:
        raise ValueError(f"func_name is {name}, the starter code defines {entry.name}")
    return entry


def _rules(platform: str, text: str, entry: Entry | None, tests: Sequence[Test]) -> tuple[Checker, tuple[str, ...]]:
    if entry is not None:
        return checker_of(entry, text, tests)
    if platform == "atcoder":
        flags = frozenset(atcoder_flags.flags_of([text], BeautifulSoup("", "html.parser")))
    else:
        flags = codeforces_flags.flags_of(text)
    return stated_checker(text, flags), tuple(sorted(flags))


def _tests(row: fields.Row, entry: Entry | None) -> tuple[Test, ...]:
    """Return public tests, then hidden ones, each once; none at all without hidden ones."""
    public = read_tests(fields.text(row, "public_test_cases"), entry, visible=True)
    hidden = read_tests(unpack_tests(fields.text(row, "private_test_cases")), entry, visible=False)
    return tuple(_drop_duplicates([*public, *hidden])) if hidden else ()


def _drop_duplicates(tests: Sequence[Test]) -> list[Test]:
    by_digest: dict[bytes, Test] = {}
    for test in tests:
        by_digest.setdefault(hashlib.sha256(repr(test.input).encode()).digest(), test)
    return list(by_digest.values())


SUITE = Suite(
    "lcb-problems",
    "LiveCodeBench problems",
    problems_reader(
        "lcb-problems", tuple(ImportedSource(slug, name) for slug, name in PLATFORMS.items()), _problem, _KEYS
    ),
    {},
)
