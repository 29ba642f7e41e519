"""Fetching of facts that do not come with problems, such as ratings: on their own schedule, or after each contest."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial

from app.domain.sources.crawl_events import ContestVisited, CrawlEvent, CrawlFinished
from app.domain.sources.records import Classification, PageFinding, Records, ScrapedContest
from app.domain.states import ScrapeState
from scrapers.classify import FORBIDDEN_BY_ROBOTS
from scrapers.monitors import check_lists, unique
from scrapers.page_fetcher import CrawlStopped, PageFetcher, SiteConnection, run_walk
from scrapers.site import FactPages, ParsedPage, Site

_MAX_REQUESTS = 100


def fetch_facts(
    site: Site,
    facts: FactPages,
    connection: SiteConnection,
    *,
    contests: Sequence[str] = (),
    listed: Sequence[ScrapedContest] = (),
    now: datetime | None = None,
) -> Iterator[CrawlEvent]:
    """Fetch the pages of some facts, and those of `contests`; the last event is always CrawlFinished.

    Must not run inside an event loop.

    A page that cannot be read makes the visit partial, or failed if there is no other. Facts that list contests are
    compared with those that the site has `listed`, as of `now`. Raises InvalidInput for a contact that is neither an
    address nor a URL.
    """
    client = connection.open_client(site)
    compare = partial(_differences, site, listed, now) if facts.lists and now is not None else None
    return run_walk(
        client,
        lambda fetch: _fetch_pages(PageFetcher(site, fetch, connection, _MAX_REQUESTS), facts, contests, compare),
    )


def _differences(site: Site, listed: Sequence[ScrapedContest], now: datetime, records: Records) -> list[PageFinding]:
    """Return which contests the site's lists and a page miss of each other, among those whose problems we want."""
    others = [record for record in records if isinstance(record, ScrapedContest)]
    wanted = site.plan.wants if site.plan is not None else bool
    return list(check_lists(filter(wanted, listed), filter(wanted, others), now))


def _fetch_pages(
    fetcher: PageFetcher,
    facts: FactPages,
    contests: Sequence[str],
    compare: Callable[[Records], list[PageFinding]] | None,
) -> Iterator[CrawlEvent]:
    state, reason, refusal, again = ScrapeState.SUCCEEDED, None, False, None
    try:
        for request in facts.requests:
            parsed = yield from fetcher.ask(request)
            fetcher.counts["records"] += len(parsed.records)
            if parsed.classification is not Classification.OK:
                state, reason = ScrapeState.PARTIAL, f"{request.path}: {parsed.classification}"
            elif compare is not None and (differences := compare(parsed.records)):
                fetcher.findings.extend(differences)
                state, reason = ScrapeState.PARTIAL, differences[0].message
        for contest in contests:
            yield from _read_contest_facts(fetcher, facts, contest)
    except CrawlStopped as stop:
        state, reason, refusal, again = stop.state, stop.reason, stop.refused, stop.retry_after_s
    else:
        forbidden = next((finding for finding in fetcher.findings if finding.code == FORBIDDEN_BY_ROBOTS), None)
        if forbidden is not None:
            state, reason = ScrapeState.PARTIAL, forbidden.message
    if state is ScrapeState.PARTIAL and not fetcher.counts[Classification.OK]:
        state = ScrapeState.FAILED
    yield CrawlFinished(
        state, reason, dict(fetcher.counts), unique(fetcher.findings), refused=refusal, retry_after_s=again
    )


def _read_contest_facts(fetcher: PageFetcher, facts: FactPages, contest: str) -> Iterator[CrawlEvent]:
    """Read a contest's own facts. A fact that is not there yet is no failure of the visit."""
    pages: list[ParsedPage] = []
    for request in facts.contest_requests(contest) if facts.contest_requests is not None else ():
        parsed = yield from fetcher.ask(request, contest=contest)
        fetcher.counts["records"] += len(parsed.records)
        pages.append(parsed)
    missing = [page for page in pages if page.classification is not Classification.OK or not page.records]
    if not missing:
        yield ContestVisited(contest, met=True)
        return
    first = missing[0]
    why = first.findings[0].message if first.findings else first.classification.value
    yield ContestVisited(contest, met=False, reason=why)
