"""Page fetcher of a walk: it asks a site for one page after another, parses each answer, and stops if the site refuses.

A path that robots.txt forbids is not requested. That is a finding about this path, and the walk goes on.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import urlsplit

import httpx

from app.domain.reasons import CLASSED, LISTED, Reason, found_reason
from app.domain.sources.crawl_events import CrawlEvent, PageCaptured
from app.domain.sources.records import Classification, PageFinding
from app.domain.states import ScrapeState
from scrapers.client import Client, FetchLimits, Pace
from scrapers.replay import parse_page, parse_response
from scrapers.response import Response, StoredCopy
from scrapers.site import ParsedPage, Request, Site

_MAX_UNANSWERED: Final = 3  # pages in a row that do not answer

Fetch = Callable[[str, Request, StoredCopy | None], Response]


def no_stored_copy(_: str) -> StoredCopy | None:
    """Return None: no address has a stored copy."""
    return None


def no_contradiction(_: ParsedPage) -> PageFinding | None:
    """Return None: nothing contradicts the page."""
    return None


def describe_page(parsed: ParsedPage) -> str:
    """Return why a page is of no use: its class and what was found."""
    page = Reason(f"page.{parsed.classification}")
    if not parsed.findings:
        return page
    found = found_reason(parsed.findings[0].code, parsed.findings[0].message)
    if parsed.classification is Classification.FORMAT_CHANGED:
        return Reason("format_changed", cause=found)
    return Reason(CLASSED, cause=(page, found))


def describe_missing(total: int, failures: list[ParsedPage]) -> str | None:
    """Return what a contest lacks, None for nothing; a problem for subscribers is complete without its text."""
    counts = Counter(failure.classification for failure in failures)
    del counts[Classification.PAID_ONLY]
    classes = {kind.value: count for kind, count in counts.items()}
    if classes:
        pages = (Reason("pages", {"n": count}, Reason(f"page.{name}")) for name, count in sorted(classes.items()))
        return Reason("pages_unread", cause=Reason(LISTED, cause=tuple(pages)))
    return None if total else Reason("no_problems")


class CrawlStopped(Exception):
    """The end of a walk before its last page, with a reason for people. `refused` is False if our own limit ended
    it."""

    def __init__(
        self, state: ScrapeState, reason: str, *, refused: bool = True, retry_after_s: float | None = None
    ) -> None:
        super().__init__(reason)
        self.state = state
        self.reason = reason
        self.refused = refused
        self.retry_after_s = retry_after_s  # the site's own request


@dataclass(frozen=True, slots=True)
class SiteConnection:
    """Access to a site: how its pages are requested, and what is known of them.

    `contact` is an e-mail address or a URL. `base_url` takes the place of every host of the site. `sign` adds an
    operator's key to a path on its way out. `stored_copy` returns our copy of a URL, for conditional requests.
    `transport` replaces the network in tests.
    """

    pace: Pace
    contact: str
    base_url: str | None = None
    sign: Callable[[str], str] | None = None
    stored_copy: Callable[[str], StoredCopy | None] = no_stored_copy
    limits: FetchLimits = FetchLimits()
    transport: httpx.AsyncBaseTransport | None = None

    def open_client(self, site: Site) -> Client:
        """Return a client for the site. Raises InvalidInput for a contact that is neither an address nor a URL."""
        return Client(
            contact=self.contact,
            pace=self.pace,
            obey_robots=site.robots.obey_txt,
            limits=self.limits,
            transport=self.transport,
        )


def run_walk(client: Client, walk: Callable[[Fetch], Iterator[CrawlEvent]]) -> Iterator[CrawlEvent]:
    """Yield the events of a walk that fetches through `client`, and close the client at its end."""
    with asyncio.Runner() as runner:

        def fetch(url: str, request: Request, copy: StoredCopy | None) -> Response:
            return runner.run(client.fetch(url, body=request.body, headers=request.headers, known=copy))

        try:
            yield from walk(fetch)
        finally:
            runner.run(client.aclose())


@dataclass(slots=True)
class PageFetcher:
    """Fetcher of one page at a time, which counts requests and classes.

    At most `max_requests` pages are requested. What is stored of an answer has the path without an operator's key.
    """

    site: Site
    fetch: Fetch
    connection: SiteConnection
    max_requests: int
    counts: Counter[str] = field(default_factory=Counter)
    findings: list[PageFinding] = field(default_factory=list)
    unanswered: int = 0  # pages in a row that did not answer

    def url_of(self, request: Request) -> str:
        """Return the URL that a request goes to."""
        return self._base(request) + request.path

    def _base(self, request: Request) -> str:
        return (self.connection.base_url or request.origin or self.site.base_url).rstrip("/")

    def ask(
        self,
        request: Request,
        find_contradiction: Callable[[ParsedPage], PageFinding | None] = no_contradiction,
        *,
        contest: str | None = None,
    ) -> Generator[CrawlEvent, None, ParsedPage]:
        """Ask for one page, yield its capture and return what it says. Raises CrawlStopped if the walk must end.

        A page that contradicts other pages gives no records. `contest` is the one that it is requested for.
        """
        if self.counts["requests"] >= self.max_requests:
            raise CrawlStopped(ScrapeState.PARTIAL, Reason("pages_spent", {"n": self.max_requests}), refused=False)
        url = self.url_of(request)
        stored = None if request.body is not None else self.connection.stored_copy(url)
        response = self.fetch(self._sign_url(request, url), self._with_referer(request), stored)
        parsed = self._parse(request, url, response, stored)
        parsed = parsed.unless_contradicted(find_contradiction(parsed))
        asked = response.refusal is None
        self.counts["requests"] += asked
        self.counts[parsed.classification.value] += 1
        self.findings.extend(parsed.findings)
        yield PageCaptured(
            url=url,
            kind=request.kind,
            status=response.status,
            classification=parsed.classification,
            body=None if response.status is None else response.body,
            headers=response.headers,
            fetched_at=response.fetched_at,
            records=parsed.records,
            findings=parsed.findings,
            contest=contest,
            shape=parsed.shape,
        )
        if asked:
            self._stop_if_refused(parsed, response.retry_after_s)
        return parsed

    def _sign_url(self, request: Request, url: str) -> str:
        sign = self.connection.sign
        if sign is None or request.origin is not None:
            return url
        return url.removesuffix(request.path) + sign(request.path)

    def _with_referer(self, request: Request) -> Request:
        """Return the request with a Referer below the address in use; the site refuses requests that name another
        host."""
        if request.referer is None:
            return request
        base = self._base(request)
        headers = {**request.headers, "Referer": base + request.referer}
        if request.body is not None:
            parts = urlsplit(base)
            headers["Origin"] = f"{parts.scheme}://{parts.netloc}"
        return replace(request, headers=headers)

    def _parse(self, request: Request, url: str, response: Response, stored: StoredCopy | None) -> ParsedPage:
        kind = self.site.kind(request.kind)
        if response.status == 304 and stored is not None:
            self.counts["not_modified"] += 1
            parsed = parse_page(self.site, kind.name, stored.body(), url)
        else:
            parsed = parse_response(self.site, kind.name, response)
        return replace(
            parsed, findings=tuple(replace(finding, subject=finding.subject or url) for finding in parsed.findings)
        )

    def _stop_if_refused(self, parsed: ParsedPage, retry_after_s: float | None) -> None:
        reason = describe_page(parsed)
        state = ScrapeState.PARTIAL if self.counts[Classification.OK.value] else ScrapeState.FAILED
        if parsed.classification is Classification.BLOCKED:
            raise CrawlStopped(ScrapeState.BLOCKED, reason, retry_after_s=retry_after_s)
        if parsed.classification is Classification.RATE_LIMITED:
            raise CrawlStopped(state, reason, retry_after_s=retry_after_s)
        self.unanswered = self.unanswered + 1 if parsed.classification is Classification.UNREACHABLE else 0
        if self.unanswered >= _MAX_UNANSWERED:
            raise CrawlStopped(state, reason, retry_after_s=retry_after_s)
