"""What a walk through a site tells as it goes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from app.domain.states import ScrapeState
from scrapers.records import Record
from scrapers.site import Classification, Finding


@dataclass(frozen=True, slots=True)
class Captured:
    """One answer and what it says. `status` is None when none came; with status 304 `body` is empty and
    the records are those of the stored body, read again. `contest` is the one it was asked for."""

    url: str
    kind: str
    status: int | None
    classification: Classification
    body: bytes
    headers: Mapping[str, str]
    fetched_at: datetime
    records: tuple[Record, ...] = ()
    findings: tuple[Finding, ...] = ()
    contest: str | None = None
    shape: str | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """The calendar is read: the contests (external ids) whose problems we want, those to come among them."""

    contests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Visited:
    """A contest was asked for what it owes: all of it was read, or something is missing, which may still come.

    A reason beside `met` tells that what was read looks incomplete.
    """

    contest: str
    met: bool
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class CursorMoved:
    """All contests up to this point are read. `backfill` tells that it is the backfill's own cursor."""

    cursor: str
    backfill: bool = False


@dataclass(frozen=True, slots=True)
class Finished:
    """How the walk ended; the last event of every walk. `reason` is None only for succeeded.

    `cut` tells that the walk did not come to its end, `refused` that it was the site that broke it off, by refusing or
    by its silence; `again_after_s` is how long it asked to be left alone.
    """

    state: ScrapeState
    reason: str | None
    counts: Mapping[str, int]
    findings: tuple[Finding, ...] = ()
    cut: bool = False
    refused: bool = False
    again_after_s: float | None = None


CrawlEvent = Captured | Listed | Visited | CursorMoved | Finished
