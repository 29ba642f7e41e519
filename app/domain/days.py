"""Days as people write them."""

import re
from datetime import date

# Days beyond these cannot be compared with instants in every time zone.
FIRST_DAY, LAST_DAY = date(1970, 1, 2), date(9998, 12, 31)

_WRITTEN = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def read_day(text: str) -> date:
    """The day written as YYYY-MM-DD, from FIRST_DAY to LAST_DAY. Raises ValueError for every other text."""
    day = date.fromisoformat(text) if _WRITTEN.fullmatch(text) else None
    if day is None or not FIRST_DAY <= day <= LAST_DAY:
        raise ValueError("give a day such as 2026-01-31")
    return day
