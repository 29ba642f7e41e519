"""Who took part in contests and with which rating, as the newest captures say."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import distinct_on

from app.db.kernel import blobs
from app.db.kernel.session import Session
from app.db.tables import Contest, ContestStanding, Difficulty, Problem, ProblemAlias, Source

_STANDING, _CHANGE = "standing", "rating_change"


@dataclass(frozen=True, slots=True)
class RatedContest:
    """A contest whose standings and ratings are here. `people` are rows of (points, penalty, displayed rating before
    it); `unmatched` counts ratings without a standing. `problems` maps each problem's id to its points, if it has any.
    """

    external_id: str
    title: str
    kind: str | None
    division: str | None
    starts_at: datetime | None
    captured_at: datetime
    people: tuple[tuple[float, float, float], ...]
    unmatched: int
    problems: Mapping[int, float | None]


def rated_contests(session: Session, source: str, problem_ids: Collection[int]) -> list[RatedContest]:
    """The contests of a source with both standings and rating changes, in the order they were held.

    Only those all of whose problems are in `problem_ids`: standings are long, and others are of no use.
    """
    rows = session.execute(
        select(Contest, ContestStanding)
        .join(ContestStanding, ContestStanding.contest_id == Contest.id)
        .join(Source, Source.id == Contest.source_id)
        .where(Source.slug == source)
        .ext(distinct_on(ContestStanding.contest_id, ContestStanding.kind))
        .order_by(ContestStanding.contest_id, ContestStanding.kind, ContestStanding.captured_at.desc())
    ).all()
    by_contest: dict[int, tuple[Contest, dict[str, ContestStanding]]] = {}
    for contest, standing in rows:
        by_contest.setdefault(contest.id, (contest, {}))[1][standing.kind] = standing
    whole = [value for value in by_contest.values() if {_STANDING, _CHANGE} <= value[1].keys()]
    problems = _problems(session, source, {contest.external_id for contest, _ in whole})
    usable = {name: worth for name, worth in problems.items() if all(problem in problem_ids for problem in worth)}
    contests = [
        _read(session, contest, lists, usable[contest.external_id])
        for contest, lists in whole
        if contest.external_id in usable
    ]
    return sorted(contests, key=lambda contest: (contest.starts_at is None, contest.starts_at, contest.external_id))


def _read(
    session: Session, contest: Contest, lists: Mapping[str, ContestStanding], problems: Mapping[int, float | None]
) -> RatedContest:
    # Neither list has names: people of one place have one score, and that is all a rating is compared with.
    scores: dict[Any, tuple[float, float]] = {}
    for rank, _rating, points, penalty, _solved in json.loads(blobs.get(session, lists[_STANDING].blob_sha256)):
        if rank is not None and points is not None:
            scores[rank] = float(points), float(penalty or 0)
    changes = json.loads(blobs.get(session, lists[_CHANGE].blob_sha256))
    rated = [(rank, old) for rank, old, _new in changes if old is not None]
    people = tuple((*scores[rank], float(old)) for rank, old in rated if rank in scores)
    return RatedContest(
        external_id=contest.external_id,
        title=contest.title,
        kind=contest.kind,
        division=contest.division,
        starts_at=contest.starts_at,
        captured_at=min(value.captured_at for value in lists.values()),
        people=people,
        unmatched=len(rated) - len(people),
        problems=problems,
    )


def _problems(session: Session, source: str, contests: Collection[str]) -> dict[str, dict[int, float | None]]:
    """Contest -> problem id -> points; a problem that two contests share is a problem of both."""
    own = (
        select(Problem.external_id, Problem.id)
        .join(Source, Source.id == Problem.source_id)
        .where(Source.slug == source)
    )
    other = (
        select(ProblemAlias.alias, ProblemAlias.problem_id)
        .join(Source, Source.id == ProblemAlias.source_id)
        .where(Source.slug == source)
    )
    pairs = [(name.rpartition("/")[0], problem) for query in (own, other) for name, problem in session.execute(query)]
    wanted = [(contest, problem) for contest, problem in pairs if contest in contests]
    points = session.execute(
        select(Difficulty.problem_id, Difficulty.value)
        .where(Difficulty.scale == "points", Difficulty.problem_id.in_([problem for _, problem in wanted]))
        .ext(distinct_on(Difficulty.problem_id))
        .order_by(Difficulty.problem_id, Difficulty.observed_at.desc())
    )
    worth = {row.problem_id: row.value for row in points}
    by_contest: dict[str, dict[int, float | None]] = {}
    for contest, problem in wanted:
        by_contest.setdefault(contest, {})[problem] = worth.get(problem)
    return by_contest
