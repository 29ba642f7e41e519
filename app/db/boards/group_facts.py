"""Facts of problems for the tables that group problems."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import distinct_on

from app.db.kernel.session import Session
from app.db.tables import Contest, Difficulty, Problem, ProblemVersion
from app.domain.boards.named_boards import GroupingFacts
from app.domain.problems import CHANGE, FAILURE


def group_facts(session: Session, problem_ids: Sequence[int], *, texts: bool = False) -> dict[int, GroupingFacts]:
    """Return the facts of each problem by id; text lengths only with `texts`."""
    newest = (
        select(Difficulty.problem_id, Difficulty.value)
        .where(Difficulty.scale == "codeforces", Difficulty.problem_id.in_(problem_ids))
        .ext(distinct_on(Difficulty.problem_id))
        .order_by(Difficulty.problem_id, Difficulty.observed_at.desc())
    )
    ratings = {row.problem_id: row.value for row in session.execute(newest)}
    rows = session.execute(
        select(Problem.id, Problem.contest_id.is_not(None), Contest.division, Problem.tags)
        .outerjoin(Contest, Contest.id == Problem.contest_id)
        .where(Problem.id.in_(problem_ids))
    )
    lengths = _lengths(session, problem_ids) if texts else {}
    return {
        problem: GroupingFacts(ratings.get(problem), has_contest, division, tuple(tags), lengths.get(problem))
        for problem, has_contest, division, tags in rows
    }


def _lengths(session: Session, problem_ids: Sequence[int]) -> dict[int, int]:
    """Return the number of characters in each problem's statement and starter code."""
    code = func.jsonb_each_text(ProblemVersion.starter_code).table_valued("key", "value").lateral()
    code_length = select(func.coalesce(func.sum(func.length(code.c.value)), 0)).where(
        code.c.key.not_in((FAILURE, CHANGE))
    )
    rows = session.execute(
        select(Problem.id, func.length(ProblemVersion.statement) + code_length.scalar_subquery())
        .join(ProblemVersion, ProblemVersion.id == Problem.current_version_id)
        .where(Problem.id.in_(problem_ids))
    )
    return {problem: int(length) for problem, length in rows}
