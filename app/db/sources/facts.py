"""Stored facts of a source's contests and problems, for detecting changes."""

from collections import defaultdict

from sqlalchemy import func, select

from app.db.kernel.session import Session
from app.db.tables import Contest, ContestStanding, Difficulty, Problem, ProblemVersion
from app.db.tables.base import Base

# Columns of sightings are no facts; a text is compared by its digest.
_SIGHTING_COLUMNS = {"seen_at", "capture_id", "origin", "created_at", "flag_words", "found_at", "named_by", "statement"}


def facts(session: Session, source_id: int) -> dict[tuple[str, str], list[str]]:
    """Return the facts of each contest and problem of a source, by (kind, external id)."""
    of_problem = (Problem.id == ProblemVersion.problem_id) & ProblemVersion.in_use
    queries = (
        ("contest", select(Contest.external_id, *_fact_columns(Contest)).where(Contest.source_id == source_id)),
        ("problem", select(Problem.external_id, *_fact_columns(Problem)).where(Problem.source_id == source_id)),
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
            select(Problem.external_id, *_fact_columns(ProblemVersion))
            .join(ProblemVersion, of_problem)
            .where(Problem.source_id == source_id)
            .order_by(ProblemVersion.locale),
        ),
    )
    by_subject: dict[tuple[str, str], list[str]] = defaultdict(list)
    for kind, query in queries:
        for name, *values in session.execute(query):
            by_subject[kind, name].append(repr(values))
    return by_subject


def _fact_columns(table: type[Base]) -> list[object]:
    return [column for column in table.__table__.columns if column.name not in _SIGHTING_COLUMNS]
