"""One walk through a site's contests, as the storage asks for it and the crawler makes it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.domain.windows import Window


@dataclass(frozen=True, slots=True)
class CrawlJob:
    """Starting point and contests of one walk. Contests are named by external id.

    `now` and `margin` decide which contests have ended: nothing of a contest is fetched before its end plus `margin`.
    `cursor` is the last point that an earlier walk reached. `backfill` reads the contests that start in a window
    instead of those after the cursor, and a cursor then is the backfill's own.

    `finished_contests` need no second visit, and `postponed_contests` are not to be asked yet. `expected_contests` are
    read wherever the cursor is; the first of them began at `expected_since`. A contest that is not in `known_contests`
    is read too, if it is no older than the site's horizon; with None the cursor alone decides.

    `last_counts` are the counts of the last walk. `count_only` reads the lists alone and counts the `contests` and the
    approximate `requests_to_come` of a whole walk.
    """

    now: datetime
    margin: timedelta
    fetch_statements: bool
    cursor: str | None = None
    backfill: Window | None = None
    finished_contests: frozenset[str] = frozenset()
    postponed_contests: frozenset[str] = frozenset()
    expected_contests: tuple[str, ...] = ()
    expected_since: datetime | None = None
    known_contests: frozenset[str] | None = None
    last_counts: Mapping[str, int] | None = None
    count_only: bool = False
    max_requests: int = 400
