"""What is known of a source's contests and problems, to tell whether something changed it."""

from collections import defaultdict

from sqlalchemy import func, select

from app.db.kernel.session import Session
from app.db.tables import Contest, ContestStanding, Difficulty, Problem, ProblemVersion
from app.db.tables.base import Base

# Where and when something was seen is no fact; the digest of a text stands for it.
_SEEN = {"seen_at", "capture_id", "origin", "created_at", "flag_words", "found_at", "named_by", "statement"}


def facts(session: Session, source_id: int) -> dict[tuple[str, str], list[str]]:
    """The facts of each contest and problem of a source, by what it is and its external id."""
    of_problem = (Problem.id == ProblemVersion.problem_id) & ProblemVersion.in_use
    queries = (
        ("contest", select(Contest.external_id, *_facts(Contest)).where(Contest.source_id == source_id)),
        ("problem", select(Problem.external_id, *_facts(Problem)).where(Problem.source_id == source_id)),
        (
            "contest",
            select(Contest.external_id, func.count(), func.max(ContestStanding.captured_at))
            .join(ContestStanding, ContestStanding.contest_id == Contest.id)
            .where(Contest.source_id == source_id)
            .group_by(Contest.external_id),
        ),
        (
            "problem",
            select(Problem.external_id, func.count(), func.sum(Difficulty.value))
            .join(Difficulty, Difficulty.problem_id == Problem.id)
            .where(Problem.source_id == source_id)
            .group_by(Problem.external_id),
        ),
        (
            "problem",
            select(Problem.external_id, *_facts(ProblemVersion))
            .join(ProblemVersion, of_problem)
            .where(Problem.source_id == source_id)
            .order_by(ProblemVersion.locale),
        ),
    )
    known: dict[tuple[str, str], list[str]] = defaultdict(list)
    for what, query in queries:
        for name, *values in session.execute(query):
            known[what, name].append(repr(values))
    return known


def _facts(table: type[Base]) -> list[object]:
    return [column for column in table.__table__.columns if column.name not in _SEEN]
