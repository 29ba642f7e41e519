"""Asking a site for pages one after another: each answer is understood and told, and a site that refuses is left.

A path that robots.txt forbids is not asked for; that is a finding about this path, and the rest goes on.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import urlsplit

from app.domain.states import ScrapeState
from scrapers.client import Client
from scrapers.events import Captured, CrawlEvent
from scrapers.replay import parse, understand
from scrapers.response import Known, Response
from scrapers.site import Classification, Finding, Parsed, Request, Site

_MAX_SILENT: Final = 3  # pages in a row that do not answer

Fetch = Callable[[str, Request, Known | None], Response]


def unknown(_: str) -> Known | None:
    """Nothing is held of any address."""
    return None


def no_doubt(_: Parsed) -> Finding | None:
    """Nothing is at odds with the page."""
    return None


class Stop(Exception):
    """Nothing more is to be asked; the reason is for people. `refused` unless it is we who have asked enough."""

    def __init__(
        self, state: ScrapeState, reason: str, *, refused: bool = True, again_after_s: float | None = None
    ) -> None:
        super().__init__(reason)
        self.state = state
        self.reason = reason
        self.refused = refused
        self.again_after_s = again_after_s  # as the site asked


def asking(client: Client, walk: Callable[[Fetch], Iterator[CrawlEvent]]) -> Iterator[CrawlEvent]:
    """The events of a walk that fetches through `client`, which is closed with it."""
    with asyncio.Runner() as runner:

        def fetch(url: str, request: Request, copy: Known | None) -> Response:
            return runner.run(client.fetch(url, body=request.body, headers=request.headers, known=copy))

        try:
            yield from walk(fetch)
        finally:
            runner.run(client.aclose())


@dataclass(slots=True)
class Asker:
    """Asks for one page at a time, and counts.

    `base_url` takes the place of every host of the site; `known` tells what we hold of a URL, for conditional requests.
    At most `max_requests` pages are asked for. `sign` adds an operator's key to a path on its way out: what is kept of
    an answer has the path alone.
    """

    site: Site
    fetch: Fetch
    base_url: str | None
    known: Callable[[str], Known | None]
    max_requests: int
    sign: Callable[[str], str] | None = None
    counts: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    silent: int = 0  # pages in a row that did not answer

    def address(self, request: Request) -> str:
        """Where a request goes."""
        return self._base(request) + request.path

    def _base(self, request: Request) -> str:
        return (self.base_url or request.origin or self.site.base_url).rstrip("/")

    def ask(
        self, request: Request, doubt: Callable[[Parsed], Finding | None] = no_doubt, *, contest: str | None = None
    ) -> Generator[CrawlEvent, None, Parsed]:
        """Ask for one page: yields its capture, returns what it says, stops the walk where it must.

        A page that `doubt` finds at odds with others says nothing. `contest` is the one it is asked for.
        """
        if self.counts["requests"] >= self.max_requests:
            raise Stop(ScrapeState.PARTIAL, f"{self.max_requests} pages asked for; the next run goes on", refused=False)
        url = self.address(request)
        copy = None if request.body is not None else self.known(url)
        response = self.fetch(self._signed(request, url), self._introduced(request), copy)
        parsed = self._understand(request, url, response, copy)
        parsed = parsed.unless(doubt(parsed))
        asked = response.refusal is None
        self.counts["requests"] += asked
        self.counts[parsed.classification.value] += 1
        self.findings.extend(parsed.findings)
        yield Captured(
            url=url,
            kind=request.kind,
            status=response.status,
            classification=parsed.classification,
            body=response.body,
            headers=response.headers,
            fetched_at=response.fetched_at,
            records=parsed.records,
            findings=parsed.findings,
            contest=contest,
            shape=parsed.shape,
        )
        if asked:
            self._stop_if_unwelcome(parsed, response.retry_after_s)
        return parsed

    def _signed(self, request: Request, url: str) -> str:
        if self.sign is None or request.origin is not None:
            return url
        return url.removesuffix(request.path) + self.sign(request.path)

    def _introduced(self, request: Request) -> Request:
        """With the page that would ask for it: one of the address in use, or the site takes it for a stranger's."""
        if request.referer is None:
            return request
        base = self._base(request)
        headers = {**request.headers, "Referer": base + request.referer}
        if request.body is not None:
            parts = urlsplit(base)
            headers["Origin"] = f"{parts.scheme}://{parts.netloc}"
        return replace(request, headers=headers)

    def _understand(self, request: Request, url: str, response: Response, copy: Known | None) -> Parsed:
        kind = self.site.kind(request.kind)
        if response.status == 304 and copy is not None:
            self.counts["not_modified"] += 1
            parsed = parse(self.site, kind.name, copy.body(), url)
        else:
            parsed = understand(self.site, kind.name, response)
        return replace(
            parsed, findings=tuple(replace(finding, subject=finding.subject or url) for finding in parsed.findings)
        )

    def _stop_if_unwelcome(self, parsed: Parsed, again_after_s: float | None) -> None:
        why = f"{parsed.classification}: {parsed.findings[0].message}" if parsed.findings else parsed.classification
        stopped = ScrapeState.PARTIAL if self.counts[Classification.OK.value] else ScrapeState.FAILED
        if parsed.classification is Classification.BLOCKED:
            raise Stop(ScrapeState.BLOCKED, why, again_after_s=again_after_s)
        if parsed.classification is Classification.RATE_LIMITED:
            raise Stop(stopped, why, again_after_s=again_after_s)
        self.silent = self.silent + 1 if parsed.classification is Classification.UNREACHABLE else 0
        if self.silent >= _MAX_SILENT:
            raise Stop(stopped, why, again_after_s=again_after_s)
