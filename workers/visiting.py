"""A visit to a site: opened on a lease, crawled by the scrapers, and every response recorded as it comes."""

from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from http import HTTPStatus

from app.db.kernel.session import Session
from app.db.sources.captures import StoredCapture
from app.domain.errors import TidemarkError
from app.domain.reasons import Reason
from app.domain.sources.crawl_events import (
    CalendarListed,
    ContestVisited,
    CrawlEvent,
    CrawlFinished,
    CursorMoved,
    PageCaptured,
)
from app.domain.sources.kinds import DEMO_SITE
from app.domain.sources.records import Classification
from app.domain.sources.schedule import COUNT, PROBLEMS, ExpectedData
from app.domain.states import ScrapeState
from app.domain.windows import Window
from app.services.sources import visits
from scrapers.crawl import crawl
from scrapers.fact_fetcher import fetch_facts
from scrapers.monitors import LIST_CHECK_PERIOD
from scrapers.page_fetcher import SiteConnection
from scrapers.replay import parse_page, parse_response
from scrapers.response import Response, StoredCopy
from scrapers.site import Site
from workers.context import Context
from workers.lease_renewal import hold_lease
from workers.sites import Sites


def site_policy(ctx: Context, site: Site) -> visits.SitePolicy:
    """Return the operator's policy for a site; what is not set is the site's own default."""
    settings = ctx.settings.source(site.name)
    margin = visits.margin_of(settings)
    fetch, show, send = settings.fetch_statements, settings.show_statements, settings.send_statements
    return visits.SitePolicy(
        title=site.title,
        base_url=ctx.part(Sites).base_url(site) or site.base_url,
        enabled=settings.enabled,
        fetch_statements=site.fetch_statements if fetch is None else fetch,
        show_statements=site.show_statements if show is None else show,
        send_statements=send is None or send,
        states_limits="limits" not in site.missing_facts,
        expected=tuple(_after(data, margin) for data in site.expected_data) if site.plan is not None else (),
        margin=margin,
        demo=site.name == DEMO_SITE,
    )


def _after(data: ExpectedData, margin: timedelta) -> ExpectedData:
    """Schedule problems at the end of the margin, facts at their own times, and nothing before the margin."""
    return replace(data, first=margin if data.purpose == PROBLEMS else max(data.first, margin))


@dataclass(frozen=True, slots=True)
class SiteVisit:
    """One visit under way. Its crawls are lazy: nothing is requested before `record` consumes their events."""

    ctx: Context
    site: Site
    job: visits.ScrapeJob

    def crawl(self) -> Generator[CrawlEvent, None, None]:
        """Crawl the problems."""
        yield from crawl(self.site, self.job.crawl, self._conditional_connection())

    def count(self) -> Generator[CrawlEvent, None, None]:
        """Read the lists alone and count the requests of the backfill."""
        events = crawl(self.site, self.job.crawl, self.ctx.part(Sites).connection(self.site))
        yield from (event for event in events if isinstance(event, CrawlFinished))

    def gather(self) -> Generator[CrawlEvent, None, None]:
        """Fetch the facts that are the visit's purpose."""
        facts, job, at = self.site.facts_named(self.job.purpose), self.job, self.ctx.clock()
        listed = self.ctx.commit(visits.listed_contests, job, at - LIST_CHECK_PERIOD) if facts.lists else ()
        contests = job.crawl.expected_contests
        connection = self._conditional_connection()
        yield from fetch_facts(self.site, facts, connection, contests=contests, listed=listed, now=at)

    def _conditional_connection(self) -> SiteConnection:
        """Return the connection to the site, for requests of what changed since our stored copies."""
        return replace(self.ctx.part(Sites).connection(self.site), stored_copy=self._copy_of)

    def record(self, events: Generator[CrawlEvent, None, None]) -> int:
        """Record events until the visit ends or passes to another worker; return its number."""
        with closing(events), hold_lease(self.ctx, self.job.lease, "ingest"), self._failing_on_fault():
            for event in events:
                if not self.ctx.commit(_record, self.job, event, self.ctx.clock()):
                    break
        return self.job.run_id

    @contextmanager
    def _failing_on_fault(self) -> Iterator[None]:
        """End a visit as failed, with the reason, if a fault of ours breaks it off."""
        try:
            yield
        except Exception as fault:
            # Foreign messages may contain data that was to be stored. A fault of ours must not press the site.
            words = f": {str(fault)[:500]}" if isinstance(fault, TidemarkError) else ""
            reason = Reason("our_fault", cause=f"{type(fault).__name__}{words}")
            outcome = CrawlFinished(ScrapeState.FAILED, reason, {}, cut_short=True, refused=True)
            self.ctx.commit(visits.finish, self.job, outcome, self.ctx.clock())
            raise

    def _copy_of(self, url: str) -> StoredCopy | None:
        """Return our stored response of an address, for conditional requests."""
        headers = self.ctx.commit(visits.validators, self.job, url)
        if headers is None:
            return None
        body: Callable[[], bytes] = partial(self.ctx.commit, visits.stored_body, self.job, url)
        return StoredCopy(headers.get("etag"), headers.get("last-modified"), body)


def begin_visit(
    ctx: Context, source: str, purpose: str, backfill: Window | None = None, *, patient: bool = False
) -> SiteVisit | None:
    """Open a visit on a lease; return None if another one runs or the source is switched off.

    A `patient` visit skips contests whose next fetch is not due. Raises NotFound for an unknown site or unknown facts,
    before anything is opened.
    """
    site = ctx.part(Sites).find(source)
    if purpose not in (PROBLEMS, COUNT):
        site.facts_named(purpose)
    policy = site_policy(ctx, site)
    job = ctx.commit(
        visits.open_scrape, site.name, policy, ctx.clock(), ctx.lease, purpose, backfill=backfill, patient=patient
    )
    return None if job is None else SiteVisit(ctx, site, job)


def _record(session: Session, job: visits.ScrapeJob, event: CrawlEvent, now: datetime) -> bool:
    """Write one event of a visit; return False if it is no longer this worker's."""
    match event:
        case CursorMoved():
            return visits.move_cursor(session, job, event.cursor, backfill=event.backfill)
        case CalendarListed():
            return visits.record_calendar(session, job, event.contests, now)
        case ContestVisited():
            return visits.record_contest(session, job, event.contest, event.reason, now, met=event.met)
        case CrawlFinished():
            return visits.finish(session, job, event, now)
        case PageCaptured(status=HTTPStatus.NOT_MODIFIED):
            return visits.record_unchanged(session, job, event, now)
        case PageCaptured():
            return visits.record_capture(session, job, event, now)


def stored_responses(ctx: Context, source: str) -> Iterator[StoredCapture]:
    """Yield every stored response of a source, oldest first. Raises NotFound for an unknown source."""
    batch = ctx.commit(visits.stored_captures, source)
    while batch:
        yield from batch
        batch = ctx.commit(visits.stored_captures, source, batch[-1])


def reparse_capture(ctx: Context, site: Site, capture: StoredCapture) -> dict[str, int]:
    """Parse a stored capture again and store its records; return counts of the results."""
    body = ctx.commit(visits.capture_body, capture)
    response = Response(capture.url, capture.url, capture.http_status, capture.fetched_at, capture.headers, body=body)
    # A file that a person saved has no status, and the site's rules for robots did not apply to that person.
    saved = capture.http_status is None
    parsed = (
        parse_page(site, capture.kind, body, capture.url) if saved else parse_response(site, capture.kind, response)
    )
    good = parsed.classification is Classification.OK
    records = parsed.records if good else ()
    changed = ctx.commit(visits.record_replay, capture, parsed.classification, records, ctx.clock(), parsed.shape)
    return {"captures": 1, "ok": good, "records": len(parsed.records), "reclassified": changed}
