"""Fetching facts that come apart from problems, such as ratings: on a schedule of their own, or after each contest."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial

import httpx

from app.domain.states import ScrapeState
from scrapers.asking import Asker, Stop, asking, unknown
from scrapers.classify import REFUSED
from scrapers.client import Client, Manners, Pace
from scrapers.events import CrawlEvent, Finished, Visited
from scrapers.monitors import check_lists, unique
from scrapers.records import Contest, Record
from scrapers.response import Known
from scrapers.site import Classification, Facts, Finding, Parsed, Site

_MAX_REQUESTS = 100


def gather(
    site: Site,
    facts: Facts,
    *,
    contests: Sequence[str] = (),
    listed: Sequence[Contest] = (),
    now: datetime | None = None,
    base_url: str | None = None,
    pace: Pace,
    contact: str,
    sign: Callable[[str], str] | None = None,
    known: Callable[[str], Known | None] = unknown,
    manners: Manners = Manners(),  # noqa: B008 - a frozen value
    transport: httpx.AsyncBaseTransport | None = None,
) -> Iterator[CrawlEvent]:
    """Ask for the pages of some facts, and for those of `contests`; the last event is always Finished.

    Must not run inside an event loop.

    `base_url` takes the place of every host these pages are on. A page that cannot be read makes the visit partial,
    and failed when there is no other. Facts that list contests are held against those that the site has `listed`,
    as of `now`. Raises InvalidInput for a contact that nobody can be reached at.
    """
    client = Client(contact=contact, pace=pace, obey_robots=site.robots.obey_txt, manners=manners, transport=transport)
    judge = partial(_differences, site, listed, now) if facts.lists and now is not None else None
    return asking(
        client, lambda fetch: _gather(Asker(site, fetch, base_url, known, _MAX_REQUESTS, sign), facts, contests, judge)
    )


def _differences(site: Site, listed: Sequence[Contest], now: datetime, records: Sequence[Record]) -> list[Finding]:
    """What the site's lists and a page's lack of each other, of the contests whose problems we want."""
    theirs = [record for record in records if isinstance(record, Contest)]
    wanted = site.plan.wants if site.plan is not None else bool
    return list(check_lists(filter(wanted, listed), filter(wanted, theirs), now))


def _gather(
    asker: Asker, facts: Facts, contests: Sequence[str], judge: Callable[[Sequence[Record]], list[Finding]] | None
) -> Iterator[CrawlEvent]:
    state, reason, refusal, again = ScrapeState.SUCCEEDED, None, False, None
    try:
        for request in facts.requests:
            parsed = yield from asker.ask(request)
            asker.counts["records"] += len(parsed.records)
            if parsed.classification is not Classification.OK:
                state, reason = ScrapeState.PARTIAL, f"{request.path}: {parsed.classification}"
            elif judge is not None and (found := judge(parsed.records)):
                asker.findings.extend(found)
                state, reason = ScrapeState.PARTIAL, found[0].message
        for contest in contests:
            yield from _of_contest(asker, facts, contest)
    except Stop as stop:
        state, reason, refusal, again = stop.state, stop.reason, stop.refused, stop.again_after_s
    else:
        forbidden = next((finding for finding in asker.findings if finding.code == REFUSED), None)
        if forbidden is not None:
            state, reason = ScrapeState.PARTIAL, forbidden.message
    if state is ScrapeState.PARTIAL and not asker.counts[Classification.OK]:
        state = ScrapeState.FAILED
    yield Finished(state, reason, dict(asker.counts), unique(asker.findings), refused=refusal, again_after_s=again)


def _of_contest(asker: Asker, facts: Facts, contest: str) -> Iterator[CrawlEvent]:
    """A contest's own facts; that they are not there yet is nobody's failure."""
    read: list[Parsed] = []
    for request in facts.of(contest) if facts.of is not None else ():
        parsed = yield from asker.ask(request, contest=contest)
        asker.counts["records"] += len(parsed.records)
        read.append(parsed)
    missing = [page for page in read if page.classification is not Classification.OK or not page.records]
    if not missing:
        yield Visited(contest, met=True)
        return
    first = missing[0]
    why = first.findings[0].message if first.findings else first.classification.value
    yield Visited(contest, met=False, reason=why)
