"""Sizes of a board's material: tests of its problems, and code and steps of derived items."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Integer, case, cast, func, select

from app.db.kernel.session import Session
from app.db.tables import DerivedItem, Problem, ProblemVersion, Source, TestRow, TestSet
from app.domain.problems import Form
from app.domain.unittests.reference import COVERAGE_KEY

_FUNCTION_COUNT = func.greatest(func.regexp_count(TestRow.input, r"\mdef test"), 1)


def count_tests(session: Session, problem_ids: Sequence[int]) -> list[int]:
    """Return the number of tests of each problem; a unittest source counts its test functions, at least one."""
    rows = session.execute(
        select(func.sum(case((ProblemVersion.form == Form.UNITTEST, _FUNCTION_COUNT), else_=1)))
        .select_from(Problem)
        .join(TestRow, TestRow.test_set_id == Problem.current_test_set_id)
        .join(ProblemVersion, ProblemVersion.id == Problem.current_version_id)
        .where(Problem.id.in_(problem_ids))
        .group_by(Problem.id)
    )
    return [int(count) for (count,) in rows]


def count_unittests(session: Session, problem_ids: Sequence[int]) -> list[tuple[str, str, int, dict[str, Any] | None]]:
    """Return (source slug, external id, test functions, coverage found by the proof) of unittest problems."""
    measured = TestSet.proof_detail[COVERAGE_KEY]
    rows = session.execute(
        select(Source.slug, Problem.external_id, func.sum(_FUNCTION_COUNT), measured)
        .select_from(Problem)
        .join(Source, Source.id == Problem.source_id)
        .join(TestSet, TestSet.id == Problem.current_test_set_id)
        .join(TestRow, TestRow.test_set_id == TestSet.id)
        .join(ProblemVersion, ProblemVersion.id == Problem.current_version_id)
        .where(Problem.id.in_(problem_ids), ProblemVersion.form == Form.UNITTEST)
        .group_by(Source.slug, Problem.external_id, measured)
    )
    return [(source, name, int(functions), coverage) for source, name, functions, coverage in rows]


def derived_sizes(session: Session, problem_ids: Sequence[int], kind: str) -> tuple[list[int], list[int]]:
    """Return (characters of the code, bytecode steps of the run) of the items of a kind that have them."""
    code, steps = DerivedItem.facts["code"].astext, cast(DerivedItem.measured["steps"].astext, Integer)
    rows = session.execute(
        select(func.length(code), steps)
        .join(Problem, Problem.current_test_set_id == DerivedItem.test_set_id)
        .where(Problem.id.in_(problem_ids), DerivedItem.kind == kind)
    ).all()
    return [length for length, _ in rows if length is not None], [count for _, count in rows if count is not None]
