"""Schedule of fetches: contests set the times, and what is missing is fetched at growing intervals."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from app.domain.publishing.holds import CONTEST_MARGIN

PROBLEMS: Final = "problems"  # the first data expected from a contest, and the default purpose of a visit
COUNT: Final = "count"  # a visit that only counts what a backfill would fetch

# Wait before a source that blocked us is visited again: it is neither pressed nor abandoned.
BLOCKED_WAIT: Final = timedelta(days=1)

# Longest Retry-After that is obeyed.
MAX_RETRY_AFTER: Final = timedelta(days=7)

# Some problems really have no samples or no limits: one that looks incomplete this often is complete.
MAX_INCOMPLETE_LOOKS: Final = 6


@dataclass(frozen=True, slots=True)
class ExpectedData:
    """Data expected from every contest of a source once it has ended, with the times of its fetches.

    The first fetch is `first` after the end; if the data is missing, after `wait`, twice that, and so on up to
    `longest`. It is late `grace` after the end, or after the contest became known if that was later, and given up
    `patience` after the same moment.
    """

    purpose: str = PROBLEMS
    first: timedelta = CONTEST_MARGIN
    wait: timedelta = timedelta(minutes=10)
    longest: timedelta = timedelta(hours=6)
    grace: timedelta = timedelta(hours=4)
    patience: timedelta = timedelta(days=14)

    def pause(self, attempts: int) -> timedelta:
        """Return the wait after so many failed attempts."""
        # Twenty doublings of a minute are two years; more would only overflow.
        doublings: int = min(max(attempts, 1) - 1, 20)
        return min(self.wait * (1 << doublings), self.longest)

    def is_given_up(self, late_at: datetime, now: datetime) -> bool:
        """Return whether missing data is no longer fetched, by the time at which it was late."""
        return now > late_at - self.grace + self.patience


@dataclass(frozen=True, slots=True)
class PollingIntervals:
    """Intervals at which a source is fetched for what has no contest: its calendar, and facts by name."""

    source: str
    calendar: timedelta
    facts: tuple[tuple[str, timedelta], ...] = ()


@dataclass(frozen=True, slots=True)
class SourceAccess:
    """Outcome of the last visits to a source, whatever they were for.

    `blocked_at` is when it blocked a visit and none has succeeded since; None if it does not block us.
    """

    blocked_at: datetime | None = None
    under_way: bool = False

    @property
    def rests_until(self) -> datetime | None:
        """Time until which the source is left alone; None if it did not block us."""
        return None if self.blocked_at is None else self.blocked_at + BLOCKED_WAIT


def is_due(every: timedelta, last: datetime | None, now: datetime) -> bool:
    """Return whether a repeated fetch, last begun at a moment, is due.

    One that began far ahead of now did so while the clock was set ahead.
    """
    return last is None or abs(now - last) >= every


def choose_visits(due: Mapping[str, datetime | None], access: SourceAccess, now: datetime) -> list[str]:
    """Return the purposes to visit one source for now, of those that are due, each with the start of its last visit.

    Problems come first. A source that blocked us is left alone for a day, whatever the visit was for; then one visit
    tries again, for the purpose that has waited longest, so that a source that refuses one purpose cannot keep the
    others from us. Once a visit succeeds, everything that is due is visited again.
    """
    if access.rests_until is None:
        return sorted(due, key=lambda purpose: (purpose != PROBLEMS, purpose))
    if access.under_way or now < access.rests_until:
        return []
    never = datetime.min.replace(tzinfo=UTC)
    return sorted(due, key=lambda purpose: (due[purpose] or never, purpose != PROBLEMS, purpose))[:1]
