"""The bounds of settings: kept where a setter's sample may be asked and where what setters answered may be played."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from app.db.kernel.session import Session
from app.db.runs.setting import bounds as store
from app.db.runs.setting import settings
from app.db.tables import Setting
from app.domain.setting.bounds import Account, Amounts, Answer, Bounds
from app.domain.states import SettingState


def open_day(session: Session, bounds: Bounds, now: datetime, token: str = "") -> Account:
    """What may be used today; whoever has it is alone with the bounds until the transaction ends.

    What was taken under the lease of this token is not counted yet.
    """
    store.take_turn(session)
    return Account(bounds.day, *store.of_day(session, day_of(now), token))


def day_of(now: datetime) -> datetime:
    """When the day of an instant began (UTC)."""
    return now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def rest(setting: Setting, now: datetime) -> None:
    """Let a setting wait for the next day."""
    setting.not_before = day_of(now) + timedelta(days=1)


@dataclass(slots=True)
class Till:
    """What setters may still be asked, of each problem and today, while an endpoint's samples are taken on a lease."""

    session: Session
    bounds: Bounds
    token: str
    now: datetime
    _day: Account | None = None
    _problems: dict[int, Account] = field(default_factory=dict)  # by text
    _tokens: dict[int, int] = field(default_factory=dict)  # by sample
    _ended: dict[int, str] = field(default_factory=dict)  # by text: why
    _resting: set[int] = field(default_factory=set)  # texts

    def take(self, sample_id: int, version_id: int, need: Amounts) -> bool:
        """Whether a setter's sample may be asked; then what it may take is reserved. It was claimed already."""
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
        """Write it down: what calls may take, which settings end, and which rest.

        Whoever plans next holds the problems of those that ended.
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
    """Seconds that a play of this setting may take, at most `most_s`, reserved from now on; or why it never will.

    None where it waits: for plays under way, or for the next day. A play that ended its worker took what it might.
    """
    setting.judge_s += setting.reserved_s
    setting.reserved_s = 0
    session.flush()
    left = bounds.problem.judge_s - setting.judge_s
    if left <= 0:
        return Account(bounds.problem, Amounts(judge_s=setting.judge_s)).reason(Amounts(judge_s=1))
    need = Amounts(judge_s=min(most_s, left, bounds.day.judge_s))
    answer = open_day(session, bounds, now).ask(need)
    if answer is Answer.LEAVES:
        setting.reserved_s, setting.played_at = need.judge_s, now
        return need.judge_s
    if answer is Answer.REACHED:
        rest(setting, now)
    return None


def judged(setting: Setting, judge_s: float) -> None:
    """Count what a play took in place of what it might have taken."""
    setting.judge_s += judge_s
    setting.reserved_s = 0
