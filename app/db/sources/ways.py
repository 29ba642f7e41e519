"""Contests that are over with what is stored of their problems' way to the board."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import and_, exists, func, or_, select

from app.db.kernel.session import Session
from app.db.tables import (
    CellRow,
    Contest,
    LedgerEntry,
    Obligation,
    Problem,
    ProblemVersion,
    Proof,
    Run,
    Sample,
    Setting,
    Source,
    TestSet,
    VerdictRow,
)
from app.domain.sources.kinds import SourceKind
from app.domain.sources.schedule import PROBLEMS
from app.domain.sources.way import Ended, ProblemWay, Step
from app.domain.states import ObligationState, ProblemState, RunOrigin, SettingState

_ADDED = "problem.added"


class _Line(NamedTuple):
    problem_id: int
    contest_id: int
    name: str
    state: str
    reason: str | None
    found_at: datetime
    proof: str | None
    proven_at: str | None
    tested_at: datetime | None


def ended(session: Session, now: datetime, limit: int) -> list[Ended]:
    """The contests of sites that ended last, the newest first; those that owe no problems and have none aside."""
    owes = and_(Obligation.contest_id == Contest.id, Obligation.purpose == PROBLEMS)
    has_some = exists().where(Problem.contest_id == Contest.id, Problem.canary.is_(False))
    contests = session.execute(
        select(Contest.id, Source.slug + "/" + Contest.external_id, Contest.ends_at, Obligation.state,
               Obligation.settled_at)
        .join(Source, Source.id == Contest.source_id)
        .outerjoin(Obligation, owes)
        .where(Source.kind == SourceKind.SITE, Contest.ends_at <= now)
        .where(or_(Obligation.contest_id.is_not(None), has_some))
        .order_by(Contest.ends_at.desc(), Contest.id.desc())
        .limit(limit)
    ).all()  # fmt: skip
    lines = _lines(session, [row[0] for row in contests])
    ways = _ways(session, [line for group in lines.values() for line in group])
    found = []
    for contest_id, name, at, state, settled_at in contests:
        group = lines.get(contest_id, [])
        first = min((line.found_at for line in group), default=None)
        visited = settled_at if state == ObligationState.MET else first
        assert at is not None  # it is over
        found.append(Ended(name, at, visited, [ways[line.problem_id] for line in group]))
    return found


def _lines(session: Session, contest_ids: Sequence[int]) -> dict[int, list[_Line]]:
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
    found: dict[int, list[_Line]] = {}
    for line in (_Line(*row) for row in rows):
        found.setdefault(line.contest_id, []).append(line)
    return found


def _ways(session: Session, lines: Sequence[_Line]) -> dict[int, ProblemWay]:
    ids = [line.problem_id for line in lines]
    asked = _asked(session, ids)
    texts = _read(session, ids)
    made = _made(session, ids)
    published = session.execute(
        select(LedgerEntry.subject, func.min(LedgerEntry.at))
        .where(LedgerEntry.kind == _ADDED, LedgerEntry.subject.in_([line.name for line in lines]))
        .group_by(LedgerEntry.subject)
    )
    added = {row[0]: row[1] for row in published}
    ways = {}
    for line in lines:
        answered, judged, shown = asked.get(line.problem_id, (None, None, False))
        out = added.get(line.name, line.tested_at) if line.state == ProblemState.PUBLISHED else None
        moments = {
            Step.STATEMENT: texts.get(line.problem_id),
            Step.ANSWERS: answered,
            Step.PROOF: _proven(line, out),
            Step.PUBLICATION: out,
            Step.JUDGED: judged,
            Step.BOARD: max(judged, out) if shown and judged and out else None,
        }
        # What is published though setters made nothing of it has its tests from elsewhere.
        is_made = line.problem_id in made and (out is None or made[line.problem_id] is not None)
        if is_made:
            moments[Step.SETTING] = made[line.problem_id]
        taken = {step: moment for step, moment in moments.items() if moment is not None}
        leaves_out = frozenset[Step]() if is_made else frozenset((Step.SETTING,))
        ways[line.problem_id] = ProblemWay(line.name, taken, line.reason, leaves_out)
    return ways


def _proven(line: _Line, published_at: datetime | None) -> datetime | None:
    """When the tests that it was published by were proven, or those it has now: better ones may come weeks later."""
    if line.proof in (Proof.WAITING, Proof.REFUTED):
        return published_at
    at = line.tested_at if line.proven_at is None else datetime.fromisoformat(line.proven_at)
    return at if at is None or published_at is None else min(at, published_at)


def _read(session: Session, ids: Sequence[int]) -> dict[int, datetime]:
    """When a text of each problem was read first."""
    first = func.min(func.least(ProblemVersion.created_at, ProblemVersion.seen_at))
    rows = session.execute(
        select(ProblemVersion.problem_id, first)
        .where(ProblemVersion.problem_id.in_(ids))
        .group_by(ProblemVersion.problem_id)
    )
    return {row[0]: row[1] for row in rows}


def _made(session: Session, ids: Sequence[int]) -> dict[int, datetime | None]:
    """Of problems whose tests setters make: when they had made them last, None where they have not."""
    rows = session.execute(
        select(Setting.problem_id, func.max(Setting.ended_at).filter(Setting.state == SettingState.STORED))
        .where(Setting.problem_id.in_(ids))
        .group_by(Setting.problem_id)
    )
    return {row[0]: row[1] for row in rows}


def _asked(session: Session, ids: Sequence[int]) -> dict[int, tuple[datetime | None, datetime | None, bool]]:
    """By problem: the first answer of a public run of ours, the first verdict on one, whether a cell has one.

    A verdict that counts no more was followed by a later one, of other tests or of a later judge.
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
    """How many problems of sites were published in each week (by its Monday, UTC) since then, empty weeks aside."""
    week = func.date_trunc("week", LedgerEntry.at, "UTC")
    of_site = exists().where(
        Source.slug == func.split_part(LedgerEntry.subject, "/", 1), Source.kind == SourceKind.SITE
    )
    rows = session.execute(
        select(week, func.count()).where(LedgerEntry.kind == _ADDED, LedgerEntry.at >= since, of_site).group_by(week)
    )
    return {row[0]: row[1] for row in rows}
