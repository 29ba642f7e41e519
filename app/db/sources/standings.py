"""Participants of contests and their ratings, from the newest captures."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
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
    """A contest with standings and ratings.

    `people` are rows of (points, penalty, displayed rating before it); `unmatched` counts ratings without a standing.
    `problems` maps each problem's id to its points, if it has any. `lacking` counts its problems that are not among
    those asked for; then `people` may be empty, because standings are long. `invented` marks people of a demo source.
    """

    source: str
    external_id: str
    title: str
    kind: str | None
    division: str | None
    starts_at: datetime | None
    captured_at: datetime
    people: tuple[tuple[float, float, float], ...]
    unmatched: int
    problems: Mapping[int, float | None]
    lacking: int = 0
    invented: bool = False


def rated_contests(session: Session, source: str, problem_ids: Collection[int]) -> list[RatedContest]:
    """Return the contests of a source with both standings and rating changes, in the order of their starts.

    `problem_ids` are the problems that were asked. Contests without a known problem are left out.
    """
    rows = session.execute(
        select(Contest, ContestStanding, Source.demo)
        .join(ContestStanding, ContestStanding.contest_id == Contest.id)
        .join(Source, Source.id == Contest.source_id)
        .where(Source.slug == source)
        .ext(distinct_on(ContestStanding.contest_id, ContestStanding.kind))
        .order_by(ContestStanding.contest_id, ContestStanding.kind, ContestStanding.captured_at.desc())
    ).all()
    by_contest: dict[int, tuple[Contest, dict[str, ContestStanding]]] = {}
    for contest, standing, _ in rows:
        by_contest.setdefault(contest.id, (contest, {}))[1][standing.kind] = standing
    whole = [value for value in by_contest.values() if {_STANDING, _CHANGE} <= value[1].keys()]
    problems = _problems(session, source, {contest.external_id for contest, _ in whole})
    contests = [
        _rated_contest(session, source, contest, lists, worth, sum(problem not in problem_ids for problem in worth))
        for contest, lists in whole
        if (worth := problems.get(contest.external_id)) is not None
    ]
    invented = any(demo for *_, demo in rows)
    in_order = sorted(contests, key=lambda contest: (contest.starts_at is None, contest.starts_at, contest.external_id))
    return [replace(contest, invented=invented) for contest in in_order]


def _rated_contest(
    session: Session,
    source: str,
    contest: Contest,
    lists: Mapping[str, ContestStanding],
    problems: Mapping[int, float | None],
    lacking: int,
) -> RatedContest:
    # Neither list has names. People of one rank have one score, and ratings are compared only with the score.
    scores: dict[Any, tuple[float, float]] = {}
    changes, solved = [], set()
    if not lacking:
        for rank, _rating, points, penalty, names in json.loads(blobs.get(session, lists[_STANDING].blob_sha256)):
            solved.update(names)
            if rank is not None and points is not None:
                scores[rank] = float(points), float(penalty or 0)
        changes = json.loads(blobs.get(session, lists[_CHANGE].blob_sha256))
    rated = [(rank, old) for rank, old, _new in changes if old is not None]
    people = tuple((*scores[rank], float(old)) for rank, old in rated if rank in scores)
    return RatedContest(
        source=source,
        external_id=contest.external_id,
        title=contest.title,
        kind=contest.kind,
        division=contest.division,
        starts_at=contest.starts_at,
        captured_at=min(value.captured_at for value in lists.values()),
        people=people,
        unmatched=len(rated) - len(people),
        problems=problems,
        # People may have solved problems that are unknown here.
        lacking=lacking or max(0, len(solved) - len(problems)),
    )


def _problems(session: Session, source: str, contests: Collection[str]) -> dict[str, dict[int, float | None]]:
    """Return contest -> problem id -> points; a problem that two contests share belongs to both.

    A problem belongs to the contest that dates it, and to those with which its names begin.
    """
    own = (
        select(Problem.external_id, Problem.id)
        .join(Source, Source.id == Problem.source_id)
        .where(Source.slug == source)
    )
    dated = (
        select(Contest.external_id, Problem.id)
        .join(Problem, Problem.contest_id == Contest.id)
        .join(Source, Source.id == Contest.source_id)
        .where(Source.slug == source)
    )
    other = (
        select(ProblemAlias.alias, ProblemAlias.problem_id)
        .join(Source, Source.id == ProblemAlias.source_id)
        .where(Source.slug == source)
    )
    pairs = [(name.rpartition("/")[0], problem) for query in (own, other) for name, problem in session.execute(query)]
    pairs += [(contest, problem) for contest, problem in session.execute(dated)]
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
