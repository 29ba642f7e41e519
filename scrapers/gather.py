"""Fetching facts that come apart from problems, such as ratings: a few pages, on a schedule of their own."""

from collections.abc import Callable, Iterator

import httpx

from app.domain.states import ScrapeState
from scrapers.asking import Asker, Stop, asking, unknown
from scrapers.client import Client, Manners, Pace
from scrapers.events import CrawlEvent, Finished
from scrapers.monitors import unique
from scrapers.response import Known
from scrapers.site import Classification, Facts, Site

_MAX_REQUESTS = 100


def gather(
    site: Site,
    facts: Facts,
    *,
    base_url: str | None = None,
    pace: Pace,
    contact: str,
    known: Callable[[str], Known | None] = unknown,
    manners: Manners = Manners(),  # noqa: B008 - a frozen value
    transport: httpx.AsyncBaseTransport | None = None,
) -> Iterator[CrawlEvent]:
    """Ask for the pages of some facts; the last event is always Finished. Must not run inside an event loop.

    `base_url` takes the place of every host these pages are on. A page that cannot be read makes the visit partial,
    and failed when there is no other. Raises InvalidInput for a contact that nobody can be reached at.
    """
    client = Client(contact=contact, pace=pace, obey_robots=site.robots.obey_txt, manners=manners, transport=transport)
    return asking(client, lambda fetch: _gather(Asker(site, fetch, base_url, known, _MAX_REQUESTS), facts))


def _gather(asker: Asker, facts: Facts) -> Iterator[CrawlEvent]:
    state, reason = ScrapeState.SUCCEEDED, None
    try:
        for request in facts.requests:
            parsed = yield from asker.ask(request)
            asker.counts["records"] += len(parsed.records)
            if parsed.classification is not Classification.OK:
                state, reason = ScrapeState.PARTIAL, f"{request.path}: {parsed.classification}"
    except Stop as stop:
        state, reason = stop.state, stop.reason
    if state is ScrapeState.PARTIAL and not asker.counts[Classification.OK]:
        state = ScrapeState.FAILED
    yield Finished(state, reason, dict(asker.counts), unique(asker.findings))
