"""What tables by groups of problems ask of these."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import distinct_on

from app.db.kernel.session import Session
from app.db.tables import Contest, Difficulty, Problem, ProblemVersion
from app.domain.boards.named import About
from app.domain.problems import CHANGE, FAILURE


def about(session: Session, problem_ids: Sequence[int], *, texts: bool = False) -> dict[int, About]:
    """Of each of these problems, by id; the length of its text where `texts` are read."""
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
        problem: About(ratings.get(problem), held, division, tuple(tags), lengths.get(problem))
        for problem, held, division, tags in rows
    }


def _lengths(session: Session, problem_ids: Sequence[int]) -> dict[int, int]:
    """The characters of what each problem says and of the code that it shows."""
    code = func.jsonb_each_text(ProblemVersion.starter_code).table_valued("key", "value").lateral()
    shown = select(func.coalesce(func.sum(func.length(code.c.value)), 0)).where(code.c.key.not_in((FAILURE, CHANGE)))
    rows = session.execute(
        select(Problem.id, func.length(ProblemVersion.statement) + shown.scalar_subquery())
        .join(ProblemVersion, ProblemVersion.id == Problem.current_version_id)
        .where(Problem.id.in_(problem_ids))
    )
    return {problem: int(length) for problem, length in rows}
