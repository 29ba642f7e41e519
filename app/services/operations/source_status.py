"""State of sources for maintainers: expected data of contests, health of sites, and responses of new structure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import quantiles
from typing import Any

from app.db.kernel.session import Session
from app.db.sources import captures
from app.db.sources import monitoring as store
from app.db.sources.monitoring import CaptureLine, ContestLag, ContestLine
from app.domain.errors import NotFound

# Calendars are read every few hours; two days without one is a fault.
STALE = timedelta(days=2)
LAG_PERIOD = timedelta(weeks=8)


@dataclass(frozen=True, slots=True)
class ContestView:
    """One contest's expected data, and its state: upcoming, due, late, closed, held, working or done."""

    line: ContestLine
    state: str


@dataclass(frozen=True, slots=True)
class SiteView:
    """One site, and its state: on_time, due, late, failing, blocked, paused or never.

    `lag_p50`, `lag_p95` are seconds from a contest's end until its problems were here, over the last fortnight.
    """

    slug: str
    name: str
    state: str
    enabled: bool
    last_at: datetime | None
    last_state: str | None
    last_reason: str | None
    running_since: datetime | None
    late: int
    lag_p50: float | None
    lag_p95: float | None
    visits: Mapping[str, int]
    answers: Mapping[str, int]
    next_due: datetime | None


def contests(session: Session, now: datetime) -> list[ContestView]:
    """Return contests of the last fortnight, and earlier ones with data still open."""
    return [ContestView(line, contest_state(line, now)) for line in store.contests(session, store.lookback_start(now))]


def contest_state(line: ContestLine, now: datetime) -> str:
    """Return a contest's state as one word."""
    if line.state == "closed":
        return "closed"
    if line.state == "open":
        if line.late_at <= now:
            return "late" if line.is_late(now) else "held"
        return "upcoming" if line.ends_at > now else "due"
    if line.held:
        return "held"
    return "done" if line.published >= line.listed and line.judged >= line.wanted else "working"


def sites(session: Session, now: datetime) -> list[SiteView]:
    """Return the health of each site."""
    lines = store.open_contests(session)
    lags = store.lags(session, store.lookback_start(now))
    day = now - timedelta(days=1)
    visits, answers = store.visits_by_state(session, day), store.answers_by_class(session, day)
    running = store.running_visits(session)
    views = []
    for site in store.sites(session):
        site_lines = [line for line in lines if line.source == site.slug]
        late = sum(1 for line in site_lines if line.is_late(now))
        due = any(line.due_at <= now for line in site_lines)
        fast, slow = _median_and_p95([lag.seconds for lag in lags.get(site.slug, ())])
        views.append(
            SiteView(
                slug=site.slug,
                name=site.name,
                state=_site_state(site, now, late=late, due=due),
                enabled=site.enabled,
                last_at=site.last_at,
                last_state=site.last_state,
                last_reason=site.last_reason,
                running_since=running.get(site.slug),
                late=late,
                lag_p50=fast,
                lag_p95=slow,
                visits=visits.get(site.slug, {}),
                answers=answers.get(site.slug, {}),
                next_due=min((line.due_at for line in site_lines), default=None),
            )
        )
    return views


def contest_lags(session: Session, now: datetime) -> dict[str, list[ContestLag]]:
    """Return how long after their ends the contests of each source were here, for the last eight weeks."""
    return store.lags(session, now - LAG_PERIOD)


def is_stale(site: store.SiteLine, now: datetime) -> bool:
    """Return True if a site was not visited for so long that the expected data of its contests are unknown."""
    return site.last_at is not None and now - site.last_at > STALE


def _site_state(site: store.SiteLine, now: datetime, *, late: int, due: bool) -> str:
    if not site.enabled:
        return "paused"
    if site.last_state is None:
        return "never"
    if site.last_state == "blocked":
        return "blocked"
    if late:
        return "late"
    if site.last_state == "failed" or is_stale(site, now):
        return "failing"
    return "due" if due else "on_time"


def _median_and_p95(seconds: list[float]) -> tuple[float | None, float | None]:
    if not seconds:
        return None, None
    if len(seconds) == 1:
        return seconds[0], seconds[0]
    cuts = quantiles(seconds, n=20, method="inclusive")
    return cuts[9], cuts[18]


def drifted_captures(session: Session, now: datetime) -> list[CaptureLine]:
    """Return captures that failed to parse or whose structure is new, without a maintainer's decision."""
    return store.drifted_captures(session, store.lookback_start(now))


@dataclass(frozen=True, slots=True)
class CapturePair:
    """A capture beside the last good one of its kind, with the bytes of both."""

    bad: CaptureLine
    good: CaptureLine | None
    bad_body: bytes
    good_body: bytes
    headers: Mapping[str, Any]


def capture_pair(session: Session, capture_id: int) -> CapturePair:
    """Return a capture to be reviewed. Raises NotFound."""
    bad = store.capture(session, capture_id) if capture_id < 2**63 else None
    if bad is None or bad.body_sha256 is None:
        raise NotFound(f"no body is stored for capture {capture_id}")
    good = store.last_good(session, bad)
    return CapturePair(
        bad=bad,
        good=good,
        bad_body=captures.body(session, bad.body_sha256),
        good_body=captures.body(session, good.body_sha256) if good is not None and good.body_sha256 else b"",
        headers=captures.headers_of(session, capture_id),
    )
