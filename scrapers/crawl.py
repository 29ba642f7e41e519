"""One walk through a site: list pages, then each ended contest, then its problems.

A synchronous iterator of events over an asynchronous client: the caller records each event as it
comes, and what it recorded stays true if the walk ends early. Contests are read oldest first and the
cursor follows, so the next walk begins where this one stopped.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import httpx

from app.domain.errors import InvalidInput
from app.domain.states import ScrapeState
from app.domain.windows import Window, midnight
from scrapers.classify import classify_response
from scrapers.client import Client, Manners, Pace
from scrapers.events import Captured, CrawlEvent, CursorMoved, Finished
from scrapers.monitors import (
    check_contest,
    check_dates,
    check_drop,
    check_problem,
    contradicts_list,
    contradicts_tasks,
    unique,
)
from scrapers.records import Contest, Problem, iso
from scrapers.replay import parse
from scrapers.response import Known, Response
from scrapers.site import Classification, Finding, Parsed, Plan, Request, Site

__all__ = ["Captured", "CrawlEvent", "CursorMoved", "Finished", "crawl", "parse_cursor"]

# A contest starts at most this long before it ends; lists are ordered by start, the cursor by end.
_LONGEST_CONTEST: Final = timedelta(days=15)
_MAX_SILENT: Final = 3  # pages in a row that do not answer
_MAX_LIST_PAGES: Final = 60

# Classes a contest stays at: asking again tomorrow changes nothing, so the cursor may pass it.
_SETTLED: Final = frozenset({Classification.LOGIN, Classification.PAID_ONLY, Classification.NOT_FOUND})


def _unknown(_: str) -> Known | None:
    return None


def _incomplete(_: str) -> bool:
    return False


def _no_doubt(_: Parsed) -> Finding | None:
    return None


@dataclass(frozen=True, slots=True)
class _Errand:
    """What one walk is sent for; the arguments of `crawl`."""

    base_url: str
    cursor: str | None
    backfill: Window | None
    now: datetime
    margin: timedelta
    fetch_statements: bool
    known: Callable[[str], Known | None]
    complete: Callable[[str], bool]
    previous: Mapping[str, int] | None
    max_requests: int


def crawl(
    site: Site,
    *,
    base_url: str | None = None,
    cursor: str | None = None,
    backfill: Window | None = None,
    now: datetime,
    margin: timedelta,
    pace: Pace,
    contact: str,
    fetch_statements: bool | None = None,
    known: Callable[[str], Known | None] = _unknown,
    complete: Callable[[str], bool] = _incomplete,
    previous: Mapping[str, int] | None = None,
    max_requests: int = 400,
    manners: Manners = Manners(),  # noqa: B008 - a frozen value
    transport: httpx.AsyncBaseTransport | None = None,
) -> Iterator[CrawlEvent]:
    """Walk a site; the last event is always Finished. Must not run inside an event loop.

    `now` and `margin` decide which contests have ended: nothing below a contest is fetched before its
    end plus `margin`. `cursor` is the last CursorMoved of an earlier walk; `backfill` reads the contests
    that start in a window instead of those after the cursor, and a cursor then is the backfill's own.
    `base_url` and `fetch_statements` replace the site's own. `known` tells what we hold of a URL, for
    conditional requests; `complete` names contests (external ids) that need no second visit; `previous`
    holds the counts of the last walk. At most `max_requests` pages are asked for.

    Raises InvalidInput for a site that has no plan, a cursor that is none, or a contact that nobody can
    be reached at; never for what the site answers.
    """
    if site.plan is None:
        raise InvalidInput(f"{site.name} cannot be crawled; parse saved pages or import packages instead")
    errand = _Errand(
        base_url=(base_url or site.base_url).rstrip("/"),
        cursor=cursor,
        backfill=backfill,
        now=now,
        margin=margin,
        fetch_statements=site.fetch_statements if fetch_statements is None else fetch_statements,
        known=known,
        complete=complete,
        previous=previous,
        max_requests=max_requests,
    )
    client = Client(contact=contact, pace=pace, obey_robots=site.robots.obey_txt, manners=manners, transport=transport)
    return _walk(_Walk(site, site.plan, errand, parse_cursor(cursor)), client)


def _walk(walk: "_Walk", client: Client) -> Iterator[CrawlEvent]:
    with asyncio.Runner() as runner:

        def fetch(url: str, request: Request, known: Known | None) -> Response:
            return runner.run(client.fetch(url, body=request.body, headers=request.headers, known=known))

        try:
            yield from walk.run(fetch)
        finally:
            runner.run(client.aclose())


def parse_cursor(cursor: str | None) -> tuple[datetime, str] | None:
    """(end of the last contest read, its id). Raises InvalidInput for a cursor that is none."""
    if cursor is None:
        return None
    when, _, external_id = cursor.partition(" ")
    try:
        instant = datetime.fromisoformat(when)
    except ValueError:
        raise InvalidInput(f"{cursor!r} is no cursor") from None
    if instant.tzinfo is None:
        raise InvalidInput(f"{cursor!r} is no cursor: it has no time zone")
    return instant, external_id


Fetch = Callable[[str, Request, Known | None], Response]


class _Stop(Exception):
    """The walk cannot go on."""

    def __init__(self, state: ScrapeState, reason: str) -> None:
        super().__init__(reason)
        self.state = state
        self.reason = reason


@dataclass(slots=True)
class _Walk:
    site: Site
    plan: Plan
    errand: _Errand
    after: tuple[datetime, str] | None
    contests: dict[str, Contest] = field(default_factory=dict)
    problems: set[str] = field(default_factory=set)  # ids read in this walk
    counts: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    held: bool = False  # something was left that must be tried again: the cursor stays before it
    silent: int = 0  # pages in a row that did not answer
    fetch: Fetch | None = None

    def run(self, fetch: Fetch) -> Iterator[CrawlEvent]:
        self.fetch = fetch
        state, reason = ScrapeState.SUCCEEDED, None
        try:
            yield from self._list()
            for contest in self._due():
                yield from self._contest(contest)
        except _Stop as stop:
            state, reason = stop.state, stop.reason
        self.findings.extend(check_drop(self.counts, self.errand.previous))
        findings = unique(self.findings)
        if state is ScrapeState.SUCCEEDED and findings:
            codes = ", ".join(dict.fromkeys(each.code for each in findings))
            state, reason = ScrapeState.PARTIAL, f"{len(findings)} findings: {codes}"
        yield Finished(state, reason, dict(self.counts), findings)

    def _ask(
        self, request: Request, doubt: Callable[[Parsed], Finding | None] = _no_doubt
    ) -> Generator[CrawlEvent, None, Parsed]:
        """Ask for one page: yields its capture, returns what it says, stops the walk where it must.

        A page that `doubt` finds at odds with others says nothing.
        """
        if self.counts["requests"] >= self.errand.max_requests:
            raise _Stop(ScrapeState.PARTIAL, f"{self.errand.max_requests} pages asked for; the next run goes on")
        url = self.errand.base_url + request.path
        known = self.errand.known(url)
        assert self.fetch is not None
        response = self.fetch(url, request, known)
        parsed = self._understand(request, url, response, known)
        parsed = parsed.unless(doubt(parsed))
        self.counts["requests"] += 1
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
        )
        self._stop_if_unwelcome(parsed)
        return parsed

    def _understand(self, request: Request, url: str, response: Response, known: Known | None) -> Parsed:
        kind = self.site.kind(request.kind)
        if response.status == 304 and known is not None:
            self.counts["not_modified"] += 1
            parsed = parse(self.site, kind.name, known.body(), url)
        else:
            refused = classify_response(self.site, kind, response)
            parsed = refused or parse(self.site, kind.name, response.body, url)
        return replace(parsed, findings=tuple(replace(each, subject=each.subject or url) for each in parsed.findings))

    def _stop_if_unwelcome(self, parsed: Parsed) -> None:
        why = f"{parsed.classification}: {parsed.findings[0].message}" if parsed.findings else parsed.classification
        stopped = ScrapeState.PARTIAL if self.counts[Classification.OK.value] else ScrapeState.FAILED
        if parsed.classification is Classification.BLOCKED:
            raise _Stop(ScrapeState.BLOCKED, why)
        if parsed.classification is Classification.RATE_LIMITED:
            raise _Stop(stopped, why)
        self.silent = self.silent + 1 if parsed.classification is Classification.UNREACHABLE else 0
        if self.silent >= _MAX_SILENT:
            raise _Stop(stopped, why)

    # The lists

    def _list(self) -> Iterator[CrawlEvent]:
        """Collect contests from the list pages, newest first, back to where this walk begins."""
        since = self._since()
        for number in range(1, _MAX_LIST_PAGES + 1):
            request = self.plan.index(number)
            if request is None:
                return
            parsed = yield from self._ask(request)
            if parsed.classification is not Classification.OK:
                self._list_failed(number, parsed)
                return
            listed = [each for each in parsed.records if isinstance(each, Contest)]
            fresh = [each for each in listed if each.external_id not in self.contests]
            self.findings.extend(check_dates(fresh, self.errand.now))
            self.contests.update((each.external_id, each) for each in fresh)
            self.counts.update(list_pages=1, listed=len(listed))
            oldest = min((each.starts_at for each in listed if each.starts_at is not None), default=None)
            if not fresh or number == parsed.pages or (since and oldest and oldest < since):
                return
        self.held = True
        self.findings.append(Finding("list_cut", f"only {_MAX_LIST_PAGES} list pages were read"))

    def _list_failed(self, number: int, parsed: Parsed) -> None:
        if number == 1:
            why = parsed.findings[0].message if parsed.findings else "no reason given"
            raise _Stop(ScrapeState.FAILED, f"the list cannot be read: {parsed.classification}: {why}")
        self.held = True  # contests on the missing pages end before those we have: they must not be passed
        self.findings.append(Finding("list_cut", f"list page {number} cannot be read: {parsed.classification}"))

    def _since(self) -> datetime | None:
        """The earliest start that can matter to this walk; None for all."""
        if self.errand.backfill is not None:
            start = self.errand.backfill.start
            return midnight(start) if start is not None else None
        if self.after is not None:
            return self.after[0] - _LONGEST_CONTEST
        return self.errand.now - self.plan.horizon

    def _due(self) -> list[Contest]:
        """The contests to read now, in the order the cursor takes."""
        wanted = [each for each in self.contests.values() if self.plan.wants(each) and self._in_range(each)]
        for contest in wanted:
            if contest.ends_at is None:
                self.findings.append(Finding("missing_date", "a contest has no end", contest.external_id))
        due = [
            each
            for each in wanted
            if self._has_ended(each)
            and (self.after is None or _place(each) > self.after)
            and not self.errand.complete(each.external_id)
        ]
        return sorted(due, key=_place)

    def _in_range(self, contest: Contest) -> bool:
        if contest.starts_at is None or contest.starts_at > self.errand.now:
            return False
        if self.errand.backfill is not None:
            return self.errand.backfill.contains(contest.starts_at)
        since = self._since()
        return since is None or contest.starts_at >= since

    def _has_ended(self, contest: Contest) -> bool:
        return contest.ends_at is not None and contest.ends_at + self.errand.margin <= self.errand.now

    # One contest

    def _contest(self, contest: Contest) -> Iterator[CrawlEvent]:
        """Read a contest's own pages and its problems, then move the cursor past it."""
        shown: Contest | None = None
        listed: list[Problem] = []
        settled = True
        for request in self.plan.contest(contest):
            parsed = yield from self._ask(request, partial(contradicts_list, contest))
            settled = settled and self._settled(parsed)
            same = [each for each in parsed.records if isinstance(each, Contest)]
            shown = next((each for each in same if each.external_id == contest.external_id), shown)
            listed += [each for each in parsed.records if isinstance(each, Problem)]
        if shown is not None and shown.ends_at is not None and not self._has_ended(shown):
            self.held = True
            self.findings.append(Finding("extended", "the contest's own page says it is not over", contest.external_id))
            return
        read = 0
        for problem in listed if self.errand.fetch_statements else ():
            done, fine = yield from self._problem(contest, problem)
            read += done
            settled = settled and fine
        if self.errand.fetch_statements:
            self.findings.extend(check_contest(contest, shown, len(listed), read))
        self.counts["contests"] += 1
        self.held = self.held or not settled
        if not self.held:
            ends_at, external_id = _place(contest)
            yield CursorMoved(f"{iso(ends_at)} {external_id}", backfill=self.errand.backfill is not None)

    def _problem(self, contest: Contest, problem: Problem) -> Generator[CrawlEvent, None, tuple[bool, bool]]:
        """(whether it is read, whether asking again would change nothing)."""
        request = self.plan.problem(problem)
        if request is None or problem.external_id is None:
            return False, True
        if problem.external_id in self.problems:  # one task of two contests, as in ABC and ARC pairs
            return True, True
        parsed = yield from self._ask(request, partial(contradicts_tasks, contest, problem))
        found = next((each for each in parsed.records if isinstance(each, Problem)), None)
        if found is None:
            return False, self._settled(parsed)
        self.problems.add(problem.external_id)
        self.counts["problems"] += 1
        self.findings.extend(check_problem(found))
        return True, True

    def _settled(self, parsed: Parsed) -> bool:
        return parsed.classification is Classification.OK or parsed.classification in _SETTLED


def _place(contest: Contest) -> tuple[datetime, str]:
    """Where a contest stands in the cursor's order: by its end, for a long one may begin first and end last."""
    assert contest.ends_at is not None
    return contest.ends_at, contest.external_id
