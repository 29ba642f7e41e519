"""When a source is asked: its contests say when, and what is not there yet is asked for ever more rarely."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from app.domain.publishing.holds import CONTEST_MARGIN

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
class Reception:
    """How a source received us last, whatever the visit was for.

    `blocked_at` is when it blocked a visit that none has succeeded after; None where it does not block us.
    """

    blocked_at: datetime | None = None
    under_way: bool = False

    @property
    def rests_until(self) -> datetime | None:
        """Until when the source is left alone; None where it did not block us."""
        return None if self.blocked_at is None else self.blocked_at + BLOCKED_WAIT


def is_due(every: timedelta, last: datetime | None, now: datetime) -> bool:
    """Whether a round that repeats, and began last at a moment, is due.

    One that began far ahead of now did so while the time was set ahead.
    """
    return last is None or abs(now - last) >= every


def in_turn(due: Mapping[str, datetime | None], received: Reception, now: datetime) -> list[str]:
    """What to visit one source for now, of the purposes that are due, each with when its last visit began.

    Problems come first. A source that blocked us is left alone for a day, whatever it was asked for; then one visit
    tries whether it still does, for what has waited longest: so a source that refuses one thing only cannot keep the
    others from us. Once a visit succeeds, everything that is due has its turn again.
    """
    if received.rests_until is None:
        return sorted(due, key=lambda purpose: (purpose != PROBLEMS, purpose))
    if received.under_way or now < received.rests_until:
        return []
    never = datetime.min.replace(tzinfo=UTC)
    return sorted(due, key=lambda purpose: (due[purpose] or never, purpose != PROBLEMS, purpose))[:1]
