"""Small imports to test with: a contest of tiny problems, whose answers are easy to make right or wrong."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from app.domain.imports import (
    ImportBatch,
    ImportedContest,
    ImportedProblem,
    ImportedProgram,
    ImportedSource,
    ImportedStatement,
)
from app.domain.problems import Checker, Entry, Form, Limits, Param, Test

SUM = "a, b = map(int, input().split())\nprint(a + b)\n"
WRONG = "a, b = map(int, input().split())\nprint(a - b)\n"
COUNTING = """class Solution:
    def total(self, xs: List[int]) -> int:
        found = 0  # the sum so far
        for value in xs:
            while value > 0:
                found += 1
                value -= 1
        return found
"""
_STARTER = "class Solution:\n    def total(self, xs: List[int]) -> int:\n        ...\n"
START = datetime(2026, 3, 1, 12, tzinfo=UTC)


def _source(slug: str) -> ImportedSource:
    """The house league, a demo, or a site."""
    is_house = slug == "house"
    return ImportedSource(slug, slug.title(), kind="suite" if is_house else "site", demo=is_house)


def sum_tests(count: int = 3) -> tuple[Test, ...]:
    """Tests of adding two numbers; the first is public."""
    return tuple(Test(f"{i} {i + 1}\n", f"{2 * i + 1}\n", visible=i == 0) for i in range(count))


def problem(number: int, *, source: str = "house", shipped: bool = True, count: int = 3) -> ImportedProblem:
    """The number-th problem, one contest a week."""
    starts = START + timedelta(weeks=number)
    title = f"Sum {number}"
    return ImportedProblem(
        source=source,
        external_id=f"sum-{number}",
        title=title,
        released_on=starts,
        contest=ImportedContest(f"week-{number}", f"Week {number}", starts, starts + timedelta(hours=2)),
        difficulty=("level", float(number % 3 + 1)),
        statements={
            "en": ImportedStatement(title, f"Add two numbers ({number})."),
            "zh": ImportedStatement(title, f"把两个数相加（{number}）。"),
        },
        limits=Limits(time_ms=1000, memory_mb=128, output_kb=1024),
        checker=Checker(),
        tests=sum_tests(count),
        shipped_proof={"by": "tests"} if shipped else None,
        programs=(
            ImportedProgram("ref_1", "python", SUM),
            ImportedProgram("wrong_1", "python", WRONG, reference=False),
        ),
    )


def batch(*problems: ImportedProblem, source: str = "house") -> ImportBatch:
    """An import of these problems."""
    return ImportBatch(
        kind="package",
        file_sha256="0" * 64,
        file_name="batch.json",
        sources=(_source(source),),
        problems=problems,
    )


def counting(number: int = 0) -> ImportedProblem:
    """A problem of one function, whose first two tests are public. Some defects planted in its program never end."""
    statement = ImportedStatement(f"Total {number}", "Return the sum of natural numbers.", {"python": _STARTER})
    return replace(
        problem(number), form=Form.FUNCTION, statements={"en": statement},
        limits=Limits(time_ms=150, memory_mb=128, output_kb=1024),
        entry=Entry("total", "Solution", (Param("xs", "integer[]"),), "integer"),
        tests=(Test([[1, 2]], 3, visible=True), Test([[0, 2, 1]], 3, visible=True), Test([[3]], 3)),
        programs=(ImportedProgram("ref_1", "python", COUNTING),),
    )  # fmt: skip
