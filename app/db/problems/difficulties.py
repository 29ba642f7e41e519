"""Difficulties of problems as dated facts: ratings arrive late and change."""

from collections.abc import Collection, Mapping
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import distinct_on, insert

from app.db.kernel import revision
from app.db.kernel.session import Session
from app.db.tables import Difficulty, Problem, ProblemAlias
from app.domain.composites.ease import EASE_SCALE_PREFIX


def add_first(session: Session, scale: str, values: Mapping[int, float], observed_at: datetime) -> None:
    """Add difficulties on one scale to the problems that have none on it."""
    existing_ids = set(
        session.scalars(
            select(Difficulty.problem_id).where(Difficulty.scale == scale, Difficulty.problem_id.in_(list(values)))
        )
    )
    rows = [
        {"problem_id": problem_id, "scale": scale, "observed_at": observed_at, "value": value}
        for problem_id, value in values.items()
        if problem_id not in existing_ids
    ]
    if rows:
        session.execute(insert(Difficulty).on_conflict_do_nothing(), rows)


def add_many(session: Session, source_id: int, scale: str, values: Mapping[str, float], observed_at: datetime) -> None:
    """Add difficulties of a source's problems by external id, where they differ from the last value."""
    named = select(Problem.external_id, Problem.id).where(
        Problem.source_id == source_id, Problem.external_id.in_(list(values))
    )
    aliased = select(ProblemAlias.alias, ProblemAlias.problem_id).where(
        ProblemAlias.source_id == source_id, ProblemAlias.alias.in_(list(values))
    )
    # A problem's own name comes last, so that it has precedence over its aliases.
    values_by_id = {problem_id: values[name] for ids in (aliased, named) for name, problem_id in session.execute(ids)}
    newest = (
        select(Difficulty.problem_id, Difficulty.value)
        .where(
            Difficulty.problem_id.in_(list(values_by_id)),
            Difficulty.scale == scale,
            Difficulty.observed_at <= observed_at,
        )
        .ext(distinct_on(Difficulty.problem_id))
        .order_by(Difficulty.problem_id, Difficulty.observed_at.desc())
    )
    last_values = {row.problem_id: row.value for row in session.execute(newest)}
    rows = [
        {"problem_id": problem_id, "scale": scale, "observed_at": observed_at, "value": value}
        for problem_id, value in values_by_id.items()
        if last_values.get(problem_id) != value
    ]
    if rows:
        session.execute(insert(Difficulty).on_conflict_do_nothing(), rows)
        revision.mark_axes_changed(session)


def add(session: Session, problem_id: int, scale: str, value: float, observed_at: datetime) -> None:
    """Add a dated difficulty, unless the newest one on that scale at that time is equal."""
    newest = session.scalar(
        select(Difficulty.value)
        .where(Difficulty.problem_id == problem_id, Difficulty.scale == scale, Difficulty.observed_at <= observed_at)
        .order_by(Difficulty.observed_at.desc())
        .limit(1)
    )
    if newest != value:
        session.execute(
            insert(Difficulty)
            .values(problem_id=problem_id, scale=scale, observed_at=observed_at, value=value)
            .on_conflict_do_nothing()
        )


def newest(session: Session, problem_ids: Collection[int] | None = None) -> dict[int, dict[str, float]]:
    """Return the newest external difficulty of each problem on each scale; of all problems if none are given."""
    query = (
        select(Difficulty.problem_id, Difficulty.scale, Difficulty.value)
        .where(~Difficulty.scale.startswith(EASE_SCALE_PREFIX))
        .ext(distinct_on(Difficulty.problem_id, Difficulty.scale))
        .order_by(Difficulty.problem_id, Difficulty.scale, Difficulty.observed_at.desc())
    )
    if problem_ids is not None:
        query = query.where(Difficulty.problem_id.in_(problem_ids))
    values: dict[int, dict[str, float]] = {}
    for problem_id, scale, value in session.execute(query):
        values.setdefault(problem_id, {})[scale] = value
    return values


def frozen_values(session: Session, scale: str) -> dict[int, float]:
    """Return the measured values of one scale by problem."""
    query = select(Difficulty.problem_id, Difficulty.value).where(Difficulty.scale == scale)
    return {row.problem_id: row.value for row in session.execute(query)}


def freeze(session: Session, scale: str, values: Mapping[int, float], after: int, frozen_at: datetime) -> int:
    """Store measured values of problems that have none on that scale, and return their number.

    `after` is how many problems had a value when these were measured. If that number has changed since, the scale may
    no longer fit, and nothing is stored.
    """
    session.execute(select(func.pg_advisory_xact_lock(func.hashtext(scale))))
    count = session.scalar(select(func.count()).select_from(Difficulty).where(Difficulty.scale == scale))
    if count != after or not values:
        return 0
    rows = [{"problem_id": value, "scale": scale, "observed_at": frozen_at, "value": values[value]} for value in values]
    session.execute(insert(Difficulty).on_conflict_do_nothing(), rows)
    return len(rows)
