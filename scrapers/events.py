"""Events that a walk through a site yields."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from app.domain.states import ScrapeState
from scrapers.records import Record
from scrapers.site import Classification, PageFinding


@dataclass(frozen=True, slots=True)
class PageCaptured:
    """One answer and its records. `status` is None if no answer came. With status 304 `body` is empty and the records
    are those of the stored body, parsed again. `contest` is the one that the page was requested for."""

    url: str
    kind: str
    status: int | None
    classification: Classification
    body: bytes
    headers: Mapping[str, str]
    fetched_at: datetime
    records: tuple[Record, ...] = ()
    findings: tuple[PageFinding, ...] = ()
    contest: str | None = None
    shape: str | None = None


@dataclass(frozen=True, slots=True)
class CalendarListed:
    """The calendar was read: external ids of the contests whose problems we want, upcoming ones included."""

    contests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ContestVisited:
    """A contest was read: all of the expected data came, or something is missing that may still come.

    A reason beside `met` says why what was read looks incomplete.
    """

    contest: str
    met: bool
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class CursorMoved:
    """All contests up to this point were read. `backfill` marks the backfill's own cursor."""

    cursor: str
    backfill: bool = False


@dataclass(frozen=True, slots=True)
class CrawlFinished:
    """Outcome of the walk; the last event of every walk. `reason` is None only for succeeded.

    `cut_short` marks a walk that did not come to its end. `refused` says that the site ended it, by refusing or by not
    answering; `again_after_s` is the pause that the site asked for, in seconds.
    """

    state: ScrapeState
    reason: str | None
    counts: Mapping[str, int]
    findings: tuple[PageFinding, ...] = ()
    cut_short: bool = False
    refused: bool = False
    again_after_s: float | None = None


CrawlEvent = PageCaptured | CalendarListed | ContestVisited | CursorMoved | CrawlFinished
