"""When a source is asked: its contests say when, and what is not there yet is asked for ever more rarely."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from app.domain.publishing import CONTEST_MARGIN

PROBLEMS: Final = "problems"  # what a contest owes us before anything else, and what a visit is for unless said
COUNT: Final = "count"  # a visit that only counts what a backfill would ask for

# A source that refuses us is not asked again before this long: it is never pressed, nor left for good.
BLOCKED_WAIT: Final = timedelta(days=1)

# The longest Retry-After that is believed.
MOST_WAIT: Final = timedelta(days=7)

# Some problems truly have no samples or no limits: what looks incomplete so often, in five hours, is as it is.
LOOKS_AT_ODD: Final = 6
ODD: Final = "looks incomplete"


@dataclass(frozen=True, slots=True)
class Owed:
    """Something every contest of a source owes us once it has ended, and how it is asked for.

    First `first` after the end; where it is not there yet, after `wait`, twice that, and so on to `longest`. It is late
    `grace` after the end, or after we heard of it where that was later, and given up `patience` after the same moment.
    """

    purpose: str = PROBLEMS
    first: timedelta = CONTEST_MARGIN
    wait: timedelta = timedelta(minutes=10)
    longest: timedelta = timedelta(hours=6)
    grace: timedelta = timedelta(hours=4)
    patience: timedelta = timedelta(days=14)

    def pause(self, attempts: int) -> timedelta:
        """How long to wait after so many attempts in vain."""
        # Twenty doublings of a minute are years; a larger number would only overflow.
        doublings: int = min(max(attempts, 1) - 1, 20)
        return min(self.wait * (1 << doublings), self.longest)

    def given_up(self, late_at: datetime, now: datetime) -> bool:
        """Whether what is still missing is not to be asked for any more, by when it was late."""
        return now > late_at - self.grace + self.patience


@dataclass(frozen=True, slots=True)
class Rounds:
    """How often a source is asked for what has no contest: its calendar, and facts by name."""

    source: str
    calendar: timedelta
    facts: tuple[tuple[str, timedelta], ...] = ()


@dataclass(frozen=True, slots=True)
class LastVisit:
    """The newest visit to a source for one purpose."""

    started_at: datetime
    blocked: bool

    def again(self, every: timedelta) -> datetime:
        """When a round that repeats is due; after a refusal it waits the longer of the two."""
        return self.started_at + (max(every, BLOCKED_WAIT) if self.blocked else every)


def is_due(every: timedelta, last: LastVisit | None, now: datetime) -> bool:
    """Whether a round that repeats is due."""
    return last is None or last.again(every) <= now
