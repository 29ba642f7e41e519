"""Limits of consensus: enforced when a setter's sample may be asked and when its answers may be judged."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from app.db.kernel.session import Session
from app.db.runs.consensus import consensuses
from app.db.runs.consensus import usage as store
from app.db.tables import ConsensusRow
from app.domain.consensus.limits import CallDecision, ConsensusLimits, ConsensusUsage, UsageAccount
from app.domain.reasons import Reason, join_reasons, text_reason
from app.domain.states import ConsensusState
from app.services.runs.consensus import rounds

_MAX_REASON_CHARS = 1000


def lock_day(session: Session, bounds: ConsensusLimits, now: datetime, token: str = "") -> UsageAccount:
    """Return today's account, locked against other workers until the transaction ends.

    Samples taken under the lease of this token are not counted yet.
    """
    store.lock_bounds(session)
    return UsageAccount(bounds.day, *store.of_day(session, day_of(now), token))


def day_of(now: datetime) -> datetime:
    """Return the beginning of an instant's day (UTC)."""
    return now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def wait_until_tomorrow(consensus: ConsensusRow, now: datetime) -> None:
    """Let a problem's test making wait for the next day."""
    consensus.not_before = day_of(now) + timedelta(days=1)


@dataclass(slots=True)
class TestBudget:
    """Budget of setters' samples, by problem and for today, while an endpoint's samples are taken on a lease."""

    session: Session
    bounds: ConsensusLimits
    token: str
    now: datetime
    _day: UsageAccount | None = None
    _problems: dict[int, UsageAccount] = field(default_factory=dict)  # by text
    _tokens: dict[int, int] = field(default_factory=dict)  # by sample
    _ended: dict[int, Reason] = field(default_factory=dict)  # reasons by text
    _resting: set[int] = field(default_factory=set)  # texts that wait for tomorrow

    def take(self, sample_id: int, version_id: int, need: ConsensusUsage) -> bool:
        """Reserve the cost of a setter's claimed sample; return True if it may be asked."""
        if self._day is None:
            self._day = lock_day(self.session, self.bounds, self.now, self.token)
        if version_id not in self._problems:
            counted = store.of_text(self.session, version_id, self.token)
            self._problems[version_id] = UsageAccount(self.bounds.problem, *counted)
        problem = self._problems[version_id]
        of_problem, of_day = problem.check_call(need), self._day.check_call(need)
        if of_problem is CallDecision.REACHED:
            self._ended.setdefault(version_id, problem.reason(need))
        elif of_day is CallDecision.REACHED:
            self._resting.add(version_id)
        if {of_problem, of_day} != {CallDecision.LEAVES}:
            return False
        problem.reserve(need)
        self._day.reserve(need)
        self._tokens[sample_id] = need.tokens
        return True

    def save(self) -> None:
        """Store the outcome: the tokens that calls may take, and which test making ends or waits for tomorrow.

        Ended problems are held at the next planning.
        """
        store.reserve(self.session, self._tokens)
        for version_id in sorted({*self._ended, *self._resting}):
            consensus = store.lock_free_consensus(self.session, version_id, self.now)
            if consensus is None or consensus.state != ConsensusState.ASKING:
                continue
            if version_id not in self._ended:
                wait_until_tomorrow(consensus, self.now)
                continue
            reasons = [reason for reason in (rounds.last_reason(consensus), self._ended[version_id]) if reason]
            reason = text_reason(join_reasons(reasons, _MAX_REASON_CHARS))
            consensuses.end(self.session, consensus, ConsensusState.HELD, self.now, reason=reason)


def reserve_judging(
    session: Session, consensus: ConsensusRow, bounds: ConsensusLimits, most_s: float, now: datetime
) -> float | Reason | None:
    """Reserve at most `most_s` seconds of judging for a problem and return them, or why there will never be any.

    None if it waits: for judging under way, or for the next day. A job that ended its worker used all it had reserved.
    """
    consensus.judge_s += consensus.reserved_s
    consensus.reserved_s = 0
    session.flush()
    remaining_s = bounds.problem.judge_s - consensus.judge_s
    if remaining_s <= 0:
        return UsageAccount(bounds.problem, ConsensusUsage(judge_s=consensus.judge_s)).reason(ConsensusUsage(judge_s=1))
    need = ConsensusUsage(judge_s=min(most_s, remaining_s, bounds.day.judge_s))
    answer = lock_day(session, bounds, now).check_call(need)
    if answer is CallDecision.LEAVES:
        consensus.reserved_s, consensus.played_at = need.judge_s, now
        return need.judge_s
    if answer is CallDecision.REACHED:
        wait_until_tomorrow(consensus, now)
    return None


def count_judging(consensus: ConsensusRow, judge_s: float) -> None:
    """Count the seconds that judging took in place of the reserved ones."""
    consensus.judge_s += judge_s
    consensus.reserved_s = 0
