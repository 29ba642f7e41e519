"""How large the things are that a board is made of: tests of its problems, and the code and run of derived items."""

from collections.abc import Sequence

from sqlalchemy import Integer, case, cast, func, select

from app.db.kernel.session import Session
from app.db.tables import DerivedItem, Problem, ProblemVersion, TestRow
from app.domain.problems import Form


def tests(session: Session, problem_ids: Sequence[int]) -> list[int]:
    """How many tests each problem has; of one whose test is a source of unittests, how many test functions, at least
    one."""
    functions = func.greatest(func.regexp_count(TestRow.input, r"\mdef test"), 1)
    rows = session.execute(
        select(func.sum(case((ProblemVersion.form == Form.UNITTEST, functions), else_=1)))
        .select_from(Problem)
        .join(TestRow, TestRow.test_set_id == Problem.current_test_set_id)
        .join(ProblemVersion, ProblemVersion.id == Problem.current_version_id)
        .where(Problem.id.in_(problem_ids))
        .group_by(Problem.id)
    )
    return [int(count) for (count,) in rows]


def derived(session: Session, problem_ids: Sequence[int], kind: str) -> tuple[list[int], list[int]]:
    """(characters of the code, bytecode steps of the run) of the items of a kind, of those that have them."""
    code, steps = DerivedItem.facts["code"].astext, cast(DerivedItem.measured["steps"].astext, Integer)
    rows = session.execute(
        select(func.length(code), steps)
        .join(Problem, Problem.current_test_set_id == DerivedItem.test_set_id)
        .where(Problem.id.in_(problem_ids), DerivedItem.kind == kind)
    ).all()
    return [length for length, _ in rows if length is not None], [count for _, count in rows if count is not None]
