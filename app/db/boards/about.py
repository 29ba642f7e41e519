"""What tables by groups of problems ask of these."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import distinct_on

from app.db.kernel.session import Session
from app.db.tables import Contest, Difficulty, Problem
from app.domain.boards.named import About


def about(session: Session, problem_ids: Sequence[int]) -> dict[int, About]:
    """Of each of these problems, by id."""
    newest = (
        select(Difficulty.problem_id, Difficulty.value)
        .where(Difficulty.scale == "codeforces", Difficulty.problem_id.in_(problem_ids))
        .ext(distinct_on(Difficulty.problem_id))
        .order_by(Difficulty.problem_id, Difficulty.observed_at.desc())
    )
    ratings = {row.problem_id: row.value for row in session.execute(newest)}
    rows = session.execute(
        select(Problem.id, Problem.contest_id.is_not(None), Contest.division)
        .outerjoin(Contest, Contest.id == Problem.contest_id)
        .where(Problem.id.in_(problem_ids))
    )
    return {problem: About(ratings.get(problem), held, division) for problem, held, division in rows}
