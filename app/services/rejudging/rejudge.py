"""Rejudging of stored answers: proposed, judged, predicted, approved, and only then counted."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from app.db.kernel import logs
from app.db.kernel.leases import LeaseKind, new_lease
from app.db.kernel.session import Session
from app.db.problems import problems as problem_store
from app.db.rejudging import flips as rejudged
from app.db.rejudging import proposals as store
from app.db.runs import runs as run_store
from app.db.runs import verdicts
from app.db.tables import Problem, ProtocolRow, Rejudging, Run, Sample, TestSet
from app.domain.audit_reason import check_reason
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.domain.judging.verdicts import GradeResult, Verdict
from app.domain.reasons import cut_reason
from app.domain.rejudging.scope import (
    APPROVALS,
    RejudgingScope,
    ScopeKind,
    confirmation_phrase,
    digest_of,
    flips_of,
    lost_of,
)
from app.domain.states import (
    MAX_GRADING_ATTEMPTS,
    REJUDGING_MOVES,
    RejudgedState,
    RejudgingState,
    check_move,
)
from app.services.boards.cubes import CubeStore
from app.services.problems import publishing
from app.services.rejudging import moves
from app.services.runs import items
from app.services.runs.grade import JUDGE_ERROR_PAUSE, GradingJob
from app.services.runs.models import refuse_rivals

_MAX_ROWS = 100  # rows of one board in a public line
LARGEST_ID = 2**63 - 1


class CommitRule(StrEnum):
    """Requirement of a commit: no approval, one maintainer's typed confirmation, or two maintainers."""

    FREE = "free"
    WORDS = "words"
    TWO = "two"


@dataclass(frozen=True, slots=True)
class CommitRequirement:
    """Requirement of a commit, and the approvals it has.

    `words` are to be typed if `rule` asks for them, and on a command line.
    """

    rule: CommitRule
    approvals: tuple[rejudged.Approval, ...]
    words: str

    @property
    def is_met(self) -> bool:
        """True if no further approval is needed."""
        return self.rule is not CommitRule.TWO or len(self.approvals) >= APPROVALS


def propose(session: Session, scope: RejudgingScope, reason: str, actor: str, now: datetime) -> int:
    """Propose a rejudging; nothing is judged yet. Raises NotFound, or Conflict if there is nothing to judge again."""
    check_reason(reason)
    _check_scope(session, scope)
    rejudging = store.add(session, scope, reason, actor, now)
    logs.write_audit(session, now, actor, "rejudging.propose", str(rejudging.id), reason, after=str(scope))
    return rejudging.id


def count_in_scope(session: Session, scope: RejudgingScope) -> int:
    """Return the number of stored answers that a scope takes now; 0 if nothing has its name any more."""
    condition = store.in_scope(session, scope)
    return 0 if condition is None else store.count_in_scope(session, condition)


def _check_scope(session: Session, scope: RejudgingScope) -> None:
    condition = store.in_scope(session, scope)
    if condition is None:
        raise NotFound(f"there is no {scope}")
    # Other tests may be wanted even if a new text has left no answers for them to judge.
    if scope.test_set is None and not store.count_in_scope(session, condition):
        raise Conflict(f"{scope}: no stored answer has a verdict that counts under the current tests")


def _problem_for(session: Session, test_set_id: int) -> Problem:
    """Return the problem that a test set is for; its answers are not judged until the transaction ends.

    Raises Conflict when it has these tests already.
    """
    rejudged.lock_commits(session)
    problem = problem_store.lock_problem(session, session.get_one(TestSet, test_set_id).problem_id)
    if problem.current_test_set_id == test_set_id:
        raise Conflict(f"test set {test_set_id} is already in use; drop this rejudging")
    return problem


def scope_of(row: Rejudging) -> RejudgingScope:
    """Return the scope of a rejudging."""
    return RejudgingScope.from_json(row.scope)


def begin(session: Session, rejudging_id: int, reason: str, actor: str, now: datetime) -> int:
    """Take the answers in a proposal's scope, to be judged again; return their number. Raises Conflict."""
    row = _locked(session, rejudging_id, RejudgingState.JUDGING, reason)
    if row.state != RejudgingState.PROPOSED:
        raise Conflict(f"rejudging {row.id} is {row.state}")
    scope = scope_of(row)
    _check_scope(session, scope)
    if scope.test_set is not None:
        _problem_for(session, scope.test_set)
    count = store.take_answers(session, row.id, scope)
    _move(row, RejudgingState.JUDGING, now)
    logs.write_audit(session, now, actor, "rejudging.begin", str(row.id), reason, after={"answers": count})
    return count


def claim(session: Session, now: datetime, duration: timedelta, languages: Collection[str]) -> GradingJob | None:
    """Lease the next answer that is to be judged again in one of the languages, or None."""
    lease = new_lease(now, duration, LeaseKind.REJUDGED_SAMPLES)
    claimed = store.claim(session, lease, now, items.gradable_answers(languages))
    if claimed is None:
        return None
    sample = session.get_one(Sample, claimed.sample_id)
    run = session.get_one(Run, sample.run_id)
    protocol = run_store.read_protocol(session.get_one(ProtocolRow, run.protocol_id).body)
    desk = items.PromptBuilder(session)
    return GradingJob(
        sample_id=sample.id,
        lease=lease,
        test_set_id=claimed.test_set_id,
        version_id=sample.problem_version_id,
        answer=sample.answer,
        language=desk.language(protocol, sample),
        time_factor=protocol.time_factor,
        attempts=claimed.attempts,
        rejudging_id=claimed.rejudging_id,
        truth=desk.truth(protocol, sample.id),
        calibrated=protocol.calibrated,
    )


def record(session: Session, job: GradingJob, result: GradeResult, now: datetime) -> bool:
    """Store a verdict beside the one that counts; False when the lease no longer holds.

    A judge error is no verdict: it is tried again, and after the last try the answer is left over.
    """
    assert job.rejudging_id is not None  # claimed above
    if result.verdict is Verdict.JUDGE_ERROR:
        exhausted = job.attempts >= MAX_GRADING_ATTEMPTS
        state = RejudgedState.LEFT_OVER if exhausted else RejudgedState.WAITING
        until = None if exhausted else now + JUDGE_ERROR_PAUSE
        values = {"error": cut_reason(result.message, 2000), "lease_until": until}
        return store.record(session, job.rejudging_id, job.sample_id, job.lease.token, state, values)
    moved = store.record(
        session, job.rejudging_id, job.sample_id, job.lease.token, RejudgedState.JUDGED, {"error": None}
    )
    if moved:
        verdict_id = verdicts.add_rejudged(session, job.sample_id, job.test_set_id, result, now, job.rejudging_id)
        store.set_new_verdict(session, job.rejudging_id, job.sample_id, verdict_id)
    return moved


def predict_all(session: Session, cubes: CubeStore, now: datetime) -> int:
    """Predict the moves of rejudgings whose answers are all judged; return their number."""
    count = 0
    while (row := store.lock_next_judged(session)) is not None:
        if not _take_more(session, row):
            row.predicted = moves.predict_moves(session, cubes, row.id, scope_of(row).test_set)
            _move(row, RejudgingState.PREDICTED, now)
            session.flush()
            count += 1
    return count


def _take_more(session: Session, row: Rejudging) -> bool:
    """Take answers that the present tests judged meanwhile, if other tests are wanted; return True if any now wait."""
    scope = scope_of(row)
    if scope.test_set is None:
        return False
    rejudged.lock_commits(session)
    problem_store.lock_problem(session, session.get_one(TestSet, scope.test_set).problem_id)
    return store.take_answers(session, row.id, scope) > 0


def predict_again(
    session: Session, cubes: CubeStore, rejudging_id: int, reason: str, actor: str, now: datetime
) -> None:
    """Predict from what counts now, and drop approvals of the earlier prediction. Raises Conflict.

    Answers that have come to wait for the other tests are judged by them first.
    """
    row = _locked(session, rejudging_id, RejudgingState.COMMITTED, reason)
    if _take_more(session, row):
        row.predicted = None
        _move(row, RejudgingState.JUDGING, now)
    else:
        row.predicted = moves.predict_moves(session, cubes, row.id, scope_of(row).test_set)
    rejudged.delete_approvals(session, row.id)
    logs.write_audit(session, now, actor, "rejudging.predict", str(row.id), reason)


def approve(session: Session, rejudging_id: int, user_id: int, actor: str, reason: str, now: datetime) -> None:
    """Approve the predicted moves: once for each maintainer, and not for a rival. Raises Conflict."""
    refuse_rivals(session, actor)
    row = _locked(session, rejudging_id, RejudgingState.COMMITTED, reason)
    if not rejudged.approve(session, row.id, user_id, reason, now):
        raise Conflict(f"{actor} has already approved rejudging {row.id}; another maintainer must approve it")
    logs.write_audit(session, now, actor, "rejudging.approve", str(row.id), reason, after=_digest(row))


def drop(session: Session, rejudging_id: int, reason: str, actor: str, now: datetime) -> None:
    """End a rejudging without effect: its verdicts stay as facts that never count. Raises Conflict, also for rivals."""
    refuse_rivals(session, actor)
    row = _locked(session, rejudging_id, RejudgingState.DROPPED, reason)
    before = row.state
    _move(row, RejudgingState.DROPPED, now)
    logs.write_audit(session, now, actor, "rejudging.drop", str(row.id), reason, before, row.state)


def demand(session: Session, row: Rejudging) -> CommitRequirement:
    """Return the requirement of a commit of a predicted rejudging."""
    slugs = [board["protocol"] for board in (row.predicted or {}).get("boards", ())]
    if not rejudged.any_published(session, slugs):
        rule = CommitRule.FREE
    else:
        rule = CommitRule.TWO if rejudged.count_maintainers(session) > 1 else CommitRule.WORDS
    return CommitRequirement(
        rule, tuple(rejudged.approvals(session, row.id)), confirmation_phrase(row.id, _digest(row))
    )


def changes_something(session: Session, row: Rejudging) -> bool:
    """Return True if a commit would replace a verdict or put tests in use; else it is refused."""
    tests = scope_of(row).test_set
    if tests is None:
        return bool((row.predicted or {}).get("answers"))
    return session.get_one(Problem, session.get_one(TestSet, tests).problem_id).current_test_set_id != tests


def commit(
    session: Session, cubes: CubeStore, rejudging_id: int, reason: str, actor: str, now: datetime,
    confirm: str | None = None,
) -> Mapping[str, Any]:  # fmt: skip
    """Let the new verdicts count, and record the moves in the public ledger, the audit log and the rejudging.

    Answers in `LEFT_OVER` keep their verdict, or wait for other tests if these are in use now. Raises Conflict when it
    is not predicted, was committed, lacks an approval, would change something else than predicted, or is a rival's to
    commit; InvalidInput when the words are not typed.
    """
    refuse_rivals(session, actor)
    row = _locked(session, rejudging_id, RejudgingState.COMMITTED, reason)
    _check_demand(demand(session, row), row, confirm)
    tests = scope_of(row).test_set
    if tests is None:
        rejudged.lock_commits_and_tests(session, row.id)
    problem = None if tests is None else _problem_for(session, tests)
    before = list(rejudged.facts(session, row.id, tests))
    flips = flips_of(before)
    if not flips and problem is None:
        raise Conflict(f"rejudging {row.id}: no verdict would change; drop it")
    stale = f"rejudging {row.id} would not change what was predicted any more: predict it again"
    if digest_of(flips, lost_of(before)) != _digest(row):
        raise Conflict(stale)
    if problem is not None and tests is not None:
        rejudged.count_verdicts_under(session, flips, tests)
        publishing.switch_tests(session, problem, tests, row.reason, now)
    elif rejudged.flip(session, flips) != 2 * len(flips):
        raise Conflict(stale)
    row.actual = moves.measure_moves(session, cubes, row.id, before, list(rejudged.facts(session, row.id, tests)))
    _move(row, RejudgingState.COMMITTED, now)
    _announce(session, row, now)
    facts = {name: row.actual[name] for name in (*_COUNTS, "left_over", "outdated")}
    logs.write_audit(session, now, actor, "rejudging.commit", str(row.id), reason, str(scope_of(row)), facts)
    return row.actual


_COUNTS = ("answers", "changed", "accepted_to_other", "other_to_accepted")


def _check_demand(need: CommitRequirement, row: Rejudging, confirm: str | None) -> None:
    if not need.is_met:
        raise Conflict(
            f"rejudging {row.id} moves a published board: {APPROVALS} maintainers must approve it on its page, "
            f"{len(need.approvals)} did so far"
        )
    typed = None if confirm is None else " ".join(confirm.split())
    if (need.rule is CommitRule.WORDS or typed is not None) and typed != need.words:
        raise InvalidInput("type the rejudging's number and the word shown with its prediction", pointer="/confirm")


def _announce(session: Session, row: Rejudging, now: datetime) -> None:
    """Add a public line if a board's shown cells changed: each row that moved, before and after."""
    assert row.actual is not None  # measured just now
    boards = [board for board in row.actual["boards"] if board["shown_cells"]]
    if not boards:
        return
    before, after = (
        {name: place for board in boards for name, place in _row_places(board, side)} for side in ("before", "after")
    )
    totals = {name: sum(board[name] for board in boards) for name in _COUNTS}
    moved = sum(len(board["rows"]) for board in boards)
    logs.write_ledger(
        session, now, "rescored", _subject(scope_of(row)), row.reason, before,
        {**after, **totals, "rows_moved": moved, "rejudging": row.id},
    )  # fmt: skip


def _subject(scope: RejudgingScope) -> str:
    """Return a problem's or a model's own name, so that its lines are found together; a wider scope in words."""
    return scope.name if scope.kind in (ScopeKind.PROBLEM, ScopeKind.MODEL) else str(scope)


def _row_places(board: Mapping[str, Any], side: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for row in board["rows"][:_MAX_ROWS]:
        name = ":".join(part for part in (row["model"], row["configuration"]) if part)
        rank, score = row[side]["rank"], row[side]["score"]
        yield f"{board['protocol']} {name}", {"rank": rank, "score": None if score is None else round(score, 4)}


def _digest(row: Rejudging) -> str:
    return str((row.predicted or {}).get("digest", "0"))


def _locked(session: Session, rejudging_id: int, new: RejudgingState, reason: str) -> Rejudging:
    """Return the rejudging, locked, if it may become `new`.

    Raises NotFound, Conflict, and InvalidInput without a reason.
    """
    check_reason(reason)
    row = store.lock_rejudging(session, rejudging_id) if 0 < rejudging_id <= LARGEST_ID else None
    if row is None:
        raise NotFound(f"there is no rejudging {rejudging_id}")
    old = RejudgingState(row.state)
    try:
        check_move(REJUDGING_MOVES, old, new)
    except Conflict:
        raise Conflict(f"rejudging {row.id} is {old}") from None
    return row


def _move(row: Rejudging, new: RejudgingState, now: datetime) -> None:
    row.state, row.state_since = new, now
