"""Participants of contests and their ratings: storing those of captures, and reading the newest."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import distinct_on, insert

from app.db.kernel import blobs
from app.db.kernel.session import Session
from app.db.tables import Contest, ContestStanding, Difficulty, Problem, ProblemAlias, Source
from app.domain.sources.records import ScrapedRatingChange, ScrapedStanding

_STANDING, _CHANGE = ScrapedStanding.type, ScrapedRatingChange.type


def store_standings(
    session: Session, contest_id: int, standings: Sequence[ScrapedStanding], captured_at: datetime
) -> None:
    """Store a contest's standings without names, unless the newest earlier capture has the same."""
    rows = [[row.rank, row.rating, row.points, row.penalty, row.solved] for row in standings]
    _store_rows(session, contest_id, _STANDING, rows, captured_at)


def store_rating_changes(
    session: Session, contest_id: int, changes: Sequence[ScrapedRatingChange], captured_at: datetime
) -> None:
    """Store a contest's rating changes, unless the newest earlier capture has the same."""
    _store_rows(session, contest_id, _CHANGE, [[row.rank, row.old, row.new] for row in changes], captured_at)


def _read_standings(session: Session, stored: ContestStanding) -> Iterator[ScrapedStanding]:
    for rank, rating, points, penalty, solved in json.loads(blobs.get(session, stored.blob_sha256)):
        yield ScrapedStanding(rank, None, rating, points, penalty, tuple(solved))


def _read_rating_changes(session: Session, stored: ContestStanding) -> Iterator[ScrapedRatingChange]:
    for rank, old, new in json.loads(blobs.get(session, stored.blob_sha256)):
        yield ScrapedRatingChange(rank, old, new)


def _store_rows(session: Session, contest_id: int, kind: str, rows: Sequence[Any], captured_at: datetime) -> None:
    body = json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode()
    digest = blobs.store_blob(session, body)
    newest = session.scalar(
        select(ContestStanding.blob_sha256)
        .where(
            ContestStanding.contest_id == contest_id,
            ContestStanding.kind == kind,
            ContestStanding.captured_at <= captured_at,
        )
        .order_by(ContestStanding.captured_at.desc())
        .limit(1)
    )
    if newest == digest:
        return
    session.execute(
        insert(ContestStanding)
        .values(contest_id=contest_id, kind=kind, captured_at=captured_at, rows=len(rows), blob_sha256=digest)
        .on_conflict_do_nothing()
    )


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
    scores: dict[int | None, tuple[float, float]] = {}
    rated: list[tuple[int | None, int]] = []
    solved: set[str] = set()
    if not lacking:
        for row in _read_standings(session, lists[_STANDING]):
            solved.update(row.solved)
            if row.rank is not None and row.points is not None:
                scores[row.rank] = float(row.points), float(row.penalty or 0)
        changes = _read_rating_changes(session, lists[_CHANGE])
        rated = [(change.rank, change.old) for change in changes if change.old is not None]
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
