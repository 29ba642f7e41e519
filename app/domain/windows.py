"""Windows of release dates: half-open ranges `[start, end)` of UTC days."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from app.domain.errors import InvalidInput, WindowReversed

# Days beyond these cannot be compared with instants in every time zone.
FIRST_DAY, LAST_DAY = date(1970, 1, 2), date(9998, 12, 31)

_DAY_FORMAT = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Window:
    """All instants from the start of day `start` up to, not including, the start of day `end` (UTC).

    None means open on that side.
    """

    start: date | None = None
    end: date | None = None

    def __post_init__(self) -> None:
        if self.start is not None and self.end is not None and self.end < self.start:
            raise WindowReversed

    def contains(self, instant: datetime) -> bool:
        """Return whether `instant` (aware) lies inside."""
        if self.start is not None and instant < midnight(self.start):
            return False
        return self.end is None or instant < midnight(self.end)


def parse_window(start: str | None, end: str | None) -> Window | None:
    """Return a window of days given as text; None unless both are given. Raises InvalidInput."""
    if start is None or end is None:
        return None
    try:
        return Window(date.fromisoformat(start), date.fromisoformat(end))
    except ValueError:
        raise InvalidInput(f"{start}..{end} is not a range such as 2026-01-01..2026-02-01") from None


def midnight(day: date) -> datetime:
    """Return the first instant of a UTC day."""
    return datetime.combine(day, time.min, tzinfo=UTC)


def is_exposed(released_on: datetime, cutoff_on: date | None) -> bool:
    """Return whether a model with this cutoff may have seen the problem: it was released on or before the cutoff day.

    Every model has a cutoff (`app.domain.cutoffs`); without one nothing is exposed here.
    """
    return cutoff_on is not None and released_on.astimezone(UTC).date() <= cutoff_on


def read_day(text: str) -> date:
    """Return the day written as YYYY-MM-DD, from FIRST_DAY to LAST_DAY. Raises ValueError for every other text."""
    day = date.fromisoformat(text) if _DAY_FORMAT.fullmatch(text) else None
    if day is None or not FIRST_DAY <= day <= LAST_DAY:
        raise ValueError("give a day such as 2026-01-31")
    return day
