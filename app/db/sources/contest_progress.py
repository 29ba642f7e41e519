"""Progress of ended contests' problems towards the boards."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import and_, exists, func, or_, select

from app.db.kernel.session import Session
from app.db.tables import (
    CellRow,
    ConsensusRow,
    Contest,
    ExpectedDataRow,
    LedgerEntry,
    Problem,
    ProblemVersion,
    ProofState,
    Run,
    Sample,
    Source,
    TestSet,
    VerdictRow,
)
from app.domain.sources.contest_progress import ContestStep, FinishedContest, ProblemProgress
from app.domain.sources.kinds import SourceKind
from app.domain.sources.schedule import PROBLEMS
from app.domain.states import ConsensusState, ExpectedDataState, ProblemState, RunOrigin

_ADDED = "problem.added"


class _ProblemRow(NamedTuple):
    problem_id: int
    contest_id: int
    name: str
    state: str
    reason: str | None
    found_at: datetime
    proof: str | None
    proven_at: str | None
    tested_at: datetime | None


def ended_contests(session: Session, now: datetime, limit: int) -> list[FinishedContest]:
    """Return the last ended contests of sites, newest first, with the progress of their problems.

    Contests without problems, from which none are expected, are left out.
    """
    for_problems = and_(ExpectedDataRow.contest_id == Contest.id, ExpectedDataRow.purpose == PROBLEMS)
    has_some = exists().where(Problem.contest_id == Contest.id, Problem.canary.is_(False))
    contests = session.execute(
        select(Contest.id, Source.slug + "/" + Contest.external_id, Contest.ends_at, ExpectedDataRow.state,
               ExpectedDataRow.settled_at)
        .join(Source, Source.id == Contest.source_id)
        .outerjoin(ExpectedDataRow, for_problems)
        .where(Source.kind == SourceKind.SITE, Contest.ends_at <= now)
        .where(or_(ExpectedDataRow.contest_id.is_not(None), has_some))
        .order_by(Contest.ends_at.desc(), Contest.id.desc())
        .limit(limit)
    ).all()  # fmt: skip
    lines = _problem_rows(session, [row[0] for row in contests])
    progress = _problem_progress(session, [line for group in lines.values() for line in group])
    result = []
    for contest_id, name, at, state, settled_at in contests:
        group = lines.get(contest_id, [])
        first = min((line.found_at for line in group), default=None)
        visited = settled_at if state == ExpectedDataState.MET else first
        assert at is not None  # it is over
        result.append(FinishedContest(name, at, visited, [progress[line.problem_id] for line in group]))
    return result


class ContestCounts(NamedTuple):
    """A contest with how many of its problems are listed, read, published and held."""

    source: str
    demo: bool
    name: str
    title: str
    ended_at: datetime
    listed: int
    read: int
    published: int
    held: int


def newest_contest(session: Session, since: datetime, now: datetime) -> ContestCounts | None:
    """Return the contest of a site that ended last since a moment and has problems here; None without any."""
    row = session.execute(
        select(
            Source.slug, Source.demo, Contest.external_id, Contest.title, Contest.ends_at,
            func.count(),
            func.count().filter(Problem.current_version_id.is_not(None)),
            func.count().filter(Problem.state == ProblemState.PUBLISHED),
            func.count().filter(Problem.state == ProblemState.HELD),
        )
        .join(Source, Source.id == Contest.source_id)
        .join(Problem, Problem.contest_id == Contest.id)
        .where(Source.kind == SourceKind.SITE, Contest.ends_at > since, Contest.ends_at <= now)
        .where(Problem.canary.is_(False), Problem.state.not_in((ProblemState.CATALOGUED, ProblemState.WITHDRAWN)))
        .group_by(Contest.id, Source.id)
        .order_by(Contest.ends_at.desc(), Contest.id.desc())
        .limit(1)
    ).one_or_none()  # fmt: skip
    return None if row is None else ContestCounts._make(row)


def _problem_rows(session: Session, contest_ids: Sequence[int]) -> dict[int, list[_ProblemRow]]:
    rows = session.execute(
        select(
            Problem.id, Problem.contest_id, Source.slug + "/" + Problem.external_id, Problem.state,
            Problem.hold_reason, Problem.found_at, TestSet.proof, TestSet.proof_detail["at"].astext,
            TestSet.created_at,
        )
        .join(Source, Source.id == Problem.source_id)
        .outerjoin(TestSet, TestSet.id == Problem.current_test_set_id)
        .where(Problem.contest_id.in_(contest_ids), Problem.canary.is_(False))
        .where(Problem.state.not_in((ProblemState.CATALOGUED, ProblemState.WITHDRAWN)))
        .order_by(Problem.contest_id, Problem.external_id)
    )  # fmt: skip
    by_contest: dict[int, list[_ProblemRow]] = {}
    for line in (_ProblemRow(*row) for row in rows):
        by_contest.setdefault(line.contest_id, []).append(line)
    return by_contest


def _problem_progress(session: Session, lines: Sequence[_ProblemRow]) -> dict[int, ProblemProgress]:
    ids = [line.problem_id for line in lines]
    answers = _answer_times(session, ids)
    texts = _first_texts(session, ids)
    consensus = _consensus_times(session, ids)
    published = session.execute(
        select(LedgerEntry.subject, func.min(LedgerEntry.at))
        .where(LedgerEntry.kind == _ADDED, LedgerEntry.subject.in_([line.name for line in lines]))
        .group_by(LedgerEntry.subject)
    )
    added = {row[0]: row[1] for row in published}
    progress = {}
    for line in lines:
        answered, judged, shown = answers.get(line.problem_id, (None, None, False))
        published_at = added.get(line.name, line.tested_at) if line.state == ProblemState.PUBLISHED else None
        moments = {
            ContestStep.STATEMENT: texts.get(line.problem_id),
            ContestStep.ANSWERS: answered,
            ContestStep.PROOF: _proven(line, published_at),
            ContestStep.PUBLICATION: published_at,
            ContestStep.JUDGED: judged,
            ContestStep.BOARD: max(judged, published_at) if shown and judged and published_at else None,
        }
        # A problem that was published without a stored consensus has its tests from elsewhere.
        by_setters = line.problem_id in consensus and (published_at is None or consensus[line.problem_id] is not None)
        if by_setters:
            moments[ContestStep.SETTING] = consensus[line.problem_id]
        reached = {step: moment for step, moment in moments.items() if moment is not None}
        leaves_out = frozenset[ContestStep]() if by_setters else frozenset((ContestStep.SETTING,))
        progress[line.problem_id] = ProblemProgress(line.name, reached, line.reason, leaves_out)
    return progress


def _proven(line: _ProblemRow, published_at: datetime | None) -> datetime | None:
    """Return when the tests were proven, at most the publication time: better tests may come weeks later."""
    if line.proof in (ProofState.WAITING, ProofState.REFUTED):
        return published_at
    at = line.tested_at if line.proven_at is None else datetime.fromisoformat(line.proven_at)
    return at if at is None or published_at is None else min(at, published_at)


def _first_texts(session: Session, ids: Sequence[int]) -> dict[int, datetime]:
    """Return when a text of each problem was first read."""
    first = func.min(func.least(ProblemVersion.created_at, ProblemVersion.seen_at))
    rows = session.execute(
        select(ProblemVersion.problem_id, first)
        .where(ProblemVersion.problem_id.in_(ids))
        .group_by(ProblemVersion.problem_id)
    )
    return {row[0]: row[1] for row in rows}


def _consensus_times(session: Session, ids: Sequence[int]) -> dict[int, datetime | None]:
    """Return when setters last completed each problem's tests, or None while they have not."""
    rows = session.execute(
        select(
            ConsensusRow.problem_id, func.max(ConsensusRow.ended_at).filter(ConsensusRow.state == ConsensusState.STORED)
        )
        .where(ConsensusRow.problem_id.in_(ids))
        .group_by(ConsensusRow.problem_id)
    )
    return {row[0]: row[1] for row in rows}


def _answer_times(session: Session, ids: Sequence[int]) -> dict[int, tuple[datetime | None, datetime | None, bool]]:
    """Return by problem: first answer and first verdict of our public runs, and whether a cell has a result.

    A verdict that no longer counts was followed by one of other tests or of a later judge.
    """
    own = select(Run.id).where(Run.public, Run.origin == RunOrigin.OWN)
    rows = session.execute(
        select(Sample.problem_id, func.min(Sample.answered_at), func.min(VerdictRow.judged_at))
        .outerjoin(VerdictRow, VerdictRow.sample_id == Sample.id)
        .where(Sample.problem_id.in_(ids), Sample.run_id.in_(own))
        .group_by(Sample.problem_id)
    )
    counted = set(
        session.scalars(
            select(CellRow.problem_id)
            .where(CellRow.problem_id.in_(ids), CellRow.run_id.in_(own), CellRow.n > 0)
            .distinct()
        )
    )
    return {problem: (answered, judged, problem in counted) for problem, answered, judged in rows}


def published_by_week(session: Session, since: datetime) -> dict[datetime, int]:
    """Return how many problems of sites were published in each week (by its Monday, UTC) since `since`."""
    week = func.date_trunc("week", LedgerEntry.at, "UTC")
    of_site = exists().where(
        Source.slug == func.split_part(LedgerEntry.subject, "/", 1), Source.kind == SourceKind.SITE
    )
    rows = session.execute(
        select(week, func.count()).where(LedgerEntry.kind == _ADDED, LedgerEntry.at >= since, of_site).group_by(week)
    )
    return {row[0]: row[1] for row in rows}
