"""Events of a walk through a site, each recorded as it comes; a saved page is recorded as one too."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.domain.sources.records import Classification, PageFinding, Records
from app.domain.states import ScrapeState


@dataclass(frozen=True, slots=True)
class PageCaptured:
    """One answer and its records. `contest` is the one that the page was requested for.

    `status` and `body` are None if no answer came; a page that a person saved has no status. With status 304 `body` is
    empty and the records are those of the stored body, parsed again. `shape` is a digest of the body's structure.
    """

    url: str
    kind: str
    status: int | None
    classification: Classification
    body: bytes | None
    headers: Mapping[str, str]
    fetched_at: datetime
    records: Records = ()
    findings: Sequence[PageFinding] = ()
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
    answering; `retry_after_s` is the pause that the site asked for, in seconds.
    """

    state: ScrapeState
    reason: str | None
    counts: Mapping[str, int]
    findings: Sequence[PageFinding] = ()
    cut_short: bool = False
    refused: bool = False
    retry_after_s: float | None = None


CrawlEvent = PageCaptured | CalendarListed | ContestVisited | CursorMoved | CrawlFinished
