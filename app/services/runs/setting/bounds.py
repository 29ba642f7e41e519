"""Limits of consensus: enforced when a setter's sample may be asked and when its answers may be judged."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from app.db.kernel.session import Session
from app.db.runs.setting import bounds as store
from app.db.runs.setting import settings
from app.db.tables import Setting
from app.domain.setting.bounds import Account, Amounts, Answer, Bounds
from app.domain.states import SettingState


def open_day(session: Session, bounds: Bounds, now: datetime, token: str = "") -> Account:
    """Return today's account, locked against other workers until the transaction ends.

    Samples taken under the lease of this token are not counted yet.
    """
    store.take_turn(session)
    return Account(bounds.day, *store.of_day(session, day_of(now), token))


def day_of(now: datetime) -> datetime:
    """Return the beginning of an instant's day (UTC)."""
    return now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def rest(setting: Setting, now: datetime) -> None:
    """Let a problem's test making wait for the next day."""
    setting.not_before = day_of(now) + timedelta(days=1)


@dataclass(slots=True)
class Till:
    """Budget of setters' samples, by problem and for today, while an endpoint's samples are taken on a lease."""

    session: Session
    bounds: Bounds
    token: str
    now: datetime
    _day: Account | None = None
    _problems: dict[int, Account] = field(default_factory=dict)  # by text
    _tokens: dict[int, int] = field(default_factory=dict)  # by sample
    _ended: dict[int, str] = field(default_factory=dict)  # reasons by text
    _resting: set[int] = field(default_factory=set)  # texts that wait for tomorrow

    def take(self, sample_id: int, version_id: int, need: Amounts) -> bool:
        """Reserve the cost of a setter's claimed sample; return True if it may be asked."""
        if self._day is None:
            self._day = open_day(self.session, self.bounds, self.now, self.token)
        if version_id not in self._problems:
            counted = store.of_text(self.session, version_id, self.token)
            self._problems[version_id] = Account(self.bounds.problem, *counted)
        problem = self._problems[version_id]
        of_problem, of_day = problem.ask(need), self._day.ask(need)
        if of_problem is Answer.REACHED:
            self._ended.setdefault(version_id, problem.reason(need))
        elif of_day is Answer.REACHED:
            self._resting.add(version_id)
        if {of_problem, of_day} != {Answer.LEAVES}:
            return False
        problem.take(need)
        self._day.take(need)
        self._tokens[sample_id] = need.tokens
        return True

    def keep(self) -> None:
        """Store the outcome: the tokens that calls may take, and which test making ends or waits for tomorrow.

        Ended problems are held at the next planning.
        """
        store.reserve(self.session, self._tokens)
        for version_id in sorted({*self._ended, *self._resting}):
            setting = store.free_of_text(self.session, version_id, self.now)
            if setting is None or setting.state != SettingState.ASKING:
                continue
            if version_id not in self._ended:
                rest(setting, self.now)
                continue
            before = f"{setting.rounds[-1]['reason']}; " if setting.rounds else ""
            reason = f"{before}{self._ended[version_id]}"
            settings.end(self.session, setting, SettingState.HELD, self.now, reason=reason)


def judging(session: Session, setting: Setting, bounds: Bounds, most_s: float, now: datetime) -> float | str | None:
    """Reserve at most `most_s` seconds of judging for a problem and return them, or why there will never be any.

    None if it waits: for judging under way, or for the next day. A job that ended its worker used all it had reserved.
    """
    setting.judge_s += setting.reserved_s
    setting.reserved_s = 0
    session.flush()
    remaining_s = bounds.problem.judge_s - setting.judge_s
    if remaining_s <= 0:
        return Account(bounds.problem, Amounts(judge_s=setting.judge_s)).reason(Amounts(judge_s=1))
    need = Amounts(judge_s=min(most_s, remaining_s, bounds.day.judge_s))
    answer = open_day(session, bounds, now).ask(need)
    if answer is Answer.LEAVES:
        setting.reserved_s, setting.played_at = need.judge_s, now
        return need.judge_s
    if answer is Answer.REACHED:
        rest(setting, now)
    return None


def judged(setting: Setting, judge_s: float) -> None:
    """Count the seconds that judging took in place of the reserved ones."""
    setting.judge_s += judge_s
    setting.reserved_s = 0
