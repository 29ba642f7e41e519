"""Walk through a site: list pages, then each ended contest, then its problems.

A synchronous iterator of events over an asynchronous client: the caller records each event as it comes, and what it
recorded stays true if the walk ends early. Contests are read oldest first and the cursor follows, so the next walk
begins where this one stopped.
"""

from collections import Counter
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from app.domain.errors import InvalidInput
from app.domain.reasons import INCOMPLETE, Reason, count_findings, list_findings
from app.domain.sources.crawl_events import (
    CalendarListed,
    ContestVisited,
    CrawlEvent,
    CrawlFinished,
    CursorMoved,
)
from app.domain.sources.crawl_job import CrawlJob
from app.domain.sources.records import Classification, PageFinding, ScrapedContest, ScrapedProblem, iso
from app.domain.states import ScrapeState
from app.domain.windows import midnight
from scrapers.monitors import (
    check_contest,
    check_dates,
    check_drop,
    check_problem,
    contradicts_list,
    contradicts_tasks,
    unique,
)
from scrapers.page_fetcher import CrawlStopped, PageFetcher, SiteConnection, describe_missing, describe_page, run_walk
from scrapers.site import CrawlPlan, ParsedPage, Request, Site

# A contest starts at most this long before it ends; lists are ordered by start, the cursor by end.
_MAX_CONTEST_LENGTH: Final = timedelta(days=15)
_MAX_LIST_PAGES: Final = 60
_MIN_CONTESTS_WITHOUT_END: Final = 3  # a list of so many contests without any end is broken

# Findings of a page that was read; the site may have corrected them by the next day.
_UNSAID: Final = "no_reason"
_INCOMPLETE_CODES: Final = frozenset({"encoding", "missing_limits", "missing_samples", "missing_statement"})


def crawl(site: Site, job: CrawlJob, connection: SiteConnection) -> Iterator[CrawlEvent]:
    """Walk a site; the last event is always CrawlFinished. Must not run inside an event loop.

    Raises InvalidInput for a site without a plan, a malformed cursor, or a contact that is neither an address nor a
    URL; never for what the site answers.
    """
    if site.plan is None:
        raise InvalidInput(f"{site.name} cannot be crawled; parse saved pages or import packages instead")
    plan, after, client = site.plan, parse_cursor(job.cursor), connection.open_client(site)
    return run_walk(
        client, lambda fetch: _Walk(PageFetcher(site, fetch, connection, job.max_requests), plan, job, after).run()
    )


def parse_cursor(cursor: str | None) -> tuple[datetime, str] | None:
    """Return (end of the last contest read, its id). Raises InvalidInput for a malformed cursor."""
    if cursor is None:
        return None
    when, _, external_id = cursor.partition(" ")
    try:
        instant = datetime.fromisoformat(when)
    except ValueError:
        raise InvalidInput(f"{cursor!r} is not a cursor") from None
    if instant.tzinfo is None:
        raise InvalidInput(f"{cursor!r} is not a cursor: it has no time zone")
    return instant, external_id


@dataclass(slots=True)
class _Walk:
    fetcher: PageFetcher
    plan: CrawlPlan
    job: CrawlJob
    after: tuple[datetime, str] | None
    contests: dict[str, ScrapedContest] = field(default_factory=dict)
    problems: set[str] = field(default_factory=set)  # ids read in this walk
    reported: int = 0  # findings already reported with their contests
    holds_cursor: bool = False  # something must be retried: the cursor stays before it

    @property
    def counts(self) -> Counter[str]:
        return self.fetcher.counts

    @property
    def findings(self) -> list[PageFinding]:
        return self.fetcher.findings

    def run(self) -> Iterator[CrawlEvent]:
        state, reason, stopped = ScrapeState.SUCCEEDED, None, None
        try:
            yield from self._read_lists()
            due = self._contests_due()
            self.reported = len(self.fetcher.findings)
            if self.job.count_only:
                self._count(due)
            else:
                yield CalendarListed(self._calendar())
                for contest in due:
                    yield from self._visit(contest)
        except CrawlStopped as stop:
            state, reason, stopped = stop.state, stop.reason, stop
        self.findings.extend(check_drop(self.counts, self.job.last_counts))
        findings = unique(self.findings)
        if state is ScrapeState.SUCCEEDED and findings:
            state, reason = (
                ScrapeState.PARTIAL,
                count_findings(finding.code for finding in findings),
            )
        counts = dict(self.counts)
        if stopped is None:
            yield CrawlFinished(state, reason, counts, findings)
        else:
            pause_s = stopped.retry_after_s
            yield CrawlFinished(
                state, reason, counts, findings, cut_short=True, refused=stopped.refused, retry_after_s=pause_s
            )

    # The lists

    def _read_lists(self) -> Iterator[CrawlEvent]:
        """Collect contests from the list pages, newest first, back to where this walk begins, then the upcoming
        ones."""
        yield from self._read_past_lists()
        for request in self.plan.upcoming if self.job.backfill is None else ():
            parsed = yield from self.fetcher.ask(request)
            if parsed.classification is not Classification.OK:
                message = f"the contests to come cannot be read: {parsed.classification}"
                self.findings.append(PageFinding("calendar_unread", message))
            for record in parsed.records:
                if isinstance(record, ScrapedContest):
                    self.contests.setdefault(record.external_id, record)

    def _read_past_lists(self) -> Iterator[CrawlEvent]:
        """Read the main list, without which there is no walk, and then the other lists."""
        for index in (self.plan.index, *self.plan.other_indexes):
            yield from self._read_list(index)

    def _read_list(self, list_request: Callable[[int], Request | None]) -> Iterator[CrawlEvent]:
        since = self._earliest_start()
        for number in range(1, _MAX_LIST_PAGES + 1):
            request = list_request(number)
            if request is None:
                return
            parsed = yield from self.fetcher.ask(request)
            if parsed.classification is not Classification.OK:
                self._list_failed(request, parsed, needed=number == 1 and list_request is self.plan.index)
                return
            contests = [record for record in parsed.records if isinstance(record, ScrapedContest)]
            fresh = [contest for contest in contests if contest.external_id not in self.contests]
            self.findings.extend(check_dates(fresh, self.job.now))
            self.contests.update((contest.external_id, contest) for contest in fresh)
            self.counts.update(list_pages=1, listed=len(contests))
            if len(contests) >= _MIN_CONTESTS_WITHOUT_END and all(contest.ends_at is None for contest in contests):
                raise CrawlStopped(ScrapeState.FAILED, Reason("no_ends"))
            oldest = min((contest.starts_at for contest in contests if contest.starts_at is not None), default=None)
            if not fresh or number == parsed.pages or (since and oldest and oldest < since):
                return
        self.holds_cursor = True
        self.findings.append(PageFinding("list_cut", f"only {_MAX_LIST_PAGES} list pages were read"))

    def _list_failed(self, request: Request, parsed: ParsedPage, *, needed: bool) -> None:
        if needed:
            said = parsed if parsed.findings else ParsedPage.not_read(_UNSAID, Reason(_UNSAID), parsed.classification)
            blocked = parsed.classification is Classification.BLOCKED
            state = ScrapeState.BLOCKED if blocked else ScrapeState.FAILED
            raise CrawlStopped(state, Reason("list_unread", cause=describe_page(said)))
        self.holds_cursor = (
            True  # contests on the missing pages end before those we have: the cursor must not pass them
        )
        self.findings.append(
            PageFinding("list_cut", f"{request.path} cannot be read: {parsed.classification}", request.path)
        )

    def _earliest_start(self) -> datetime | None:
        """Return the earliest start that can matter to this walk; None for all."""
        if self.job.backfill is not None:
            start = self.job.backfill.start
            return midnight(start) if start is not None else None
        horizon = self.job.now - self.plan.horizon
        moments = [horizon if self.after is None else self.after[0] - _MAX_CONTEST_LENGTH]
        if self.job.known_contests is not None:
            moments.append(horizon)
        if self.job.expected_since is not None:
            moments.append(self.job.expected_since)
        return min(moments)

    def _calendar(self) -> tuple[str, ...]:
        """Return the contests that we want, upcoming ones included."""
        if self.job.backfill is not None:
            return ()
        contests = (contest for contest in self.contests.values() if self.plan.wants(contest))
        return tuple(contest.external_id for contest in contests if self._is_ahead(contest) or self._in_range(contest))

    def _is_ahead(self, contest: ScrapedContest) -> bool:
        return contest.starts_at is not None and contest.starts_at > self.job.now

    def _count(self, due: list[ScrapedContest]) -> None:
        problems = self.plan.problems if self.job.fetch_statements else 0
        self.counts["contests"] = len(due)
        self.counts["requests_to_come"] = sum(len(self.plan.contest(contest)) + problems for contest in due)

    def _contests_due(self) -> list[ScrapedContest]:
        """Return the contests to read now, in the order of the cursor."""
        contests = [
            contest for contest in self.contests.values() if self.plan.wants(contest) and self._in_range(contest)
        ]
        for contest in contests:
            if contest.ends_at is None:
                self.findings.append(PageFinding("missing_date", "a contest has no end", contest.external_id))
        due = [
            contest
            for contest in contests
            if self._has_ended(contest)
            and (self.after is None or _cursor_key(contest) > self.after or self._is_wanted_anyway(contest))
            and contest.external_id not in self.job.finished_contests
        ]
        return sorted(due, key=_cursor_key)

    def _is_wanted_anyway(self, contest: ScrapedContest) -> bool:
        """Return whether a contest is read although the cursor has passed it: it is expected, or appeared behind the
        cursor."""
        known = self.job.known_contests
        if contest.external_id in self.job.expected_contests:
            return True
        return known is not None and contest.external_id not in known

    def _in_range(self, contest: ScrapedContest) -> bool:
        if contest.starts_at is None or contest.starts_at > self.job.now:
            return False
        if self.job.backfill is not None:
            return self.job.backfill.contains(contest.starts_at)
        since = self._earliest_start()
        return since is None or contest.starts_at >= since or contest.external_id in self.job.expected_contests

    def _has_ended(self, contest: ScrapedContest) -> bool:
        return contest.ends_at is not None and contest.ends_at + self.job.margin <= self.job.now

    # One contest

    def _visit(self, contest: ScrapedContest) -> Iterator[CrawlEvent]:
        """Read a contest unless it must wait, report the outcome, and move the cursor past finished contests."""
        if contest.external_id in self.job.postponed_contests:
            self.holds_cursor = True
            return
        missing = yield from self._read_contest(contest)
        codes = [
            finding.code for finding in self.fetcher.findings[self.reported :] if finding.code in _INCOMPLETE_CODES
        ]
        self.reported = len(self.fetcher.findings)
        incomplete = Reason(INCOMPLETE, cause=list_findings(codes)) if codes else None
        yield ContestVisited(contest.external_id, missing is None, missing or incomplete)
        self.holds_cursor = self.holds_cursor or missing is not None or incomplete is not None
        if not self.holds_cursor and (self.after is None or _cursor_key(contest) > self.after):
            ends_at, external_id = _cursor_key(contest)
            yield CursorMoved(f"{iso(ends_at)} {external_id}", backfill=self.job.backfill is not None)

    def _read_contest(self, contest: ScrapedContest) -> Generator[CrawlEvent, None, str | None]:
        """Read a contest's own pages and its problems. Return what is missing, None if all is there."""
        detail: ScrapedContest | None = None
        problems: list[ScrapedProblem] = []
        failures: list[ParsedPage] = []
        for request in self.plan.contest(contest):
            find_contradiction = partial(contradicts_list, contest)
            parsed = yield from self.fetcher.ask(request, find_contradiction, contest=contest.external_id)
            failures += [parsed] if parsed.classification is not Classification.OK else []
            same = [record for record in parsed.records if isinstance(record, ScrapedContest)]
            detail = next((record for record in same if record.external_id == contest.external_id), detail)
            problems += [record for record in parsed.records if isinstance(record, ScrapedProblem)]
        if detail is not None and detail.ends_at is not None and not self._has_ended(detail):
            self.findings.append(
                PageFinding("extended", "the contest's own page says it is not over", contest.external_id)
            )
            return Reason("not_over")
        read = 0
        for problem in problems if self.job.fetch_statements else ():
            parsed = yield from self._read_problem(contest, problem)
            read += parsed.classification is Classification.OK
            failures += [parsed] if parsed.classification is not Classification.OK else []
        if self.job.fetch_statements:
            self.findings.extend(check_contest(contest, detail, len(problems), read))
        self.counts["contests"] += 1
        return describe_missing(len(problems), failures)

    def _read_problem(
        self, contest: ScrapedContest, problem: ScrapedProblem
    ) -> Generator[CrawlEvent, None, ParsedPage]:
        """Read a problem's own page. A problem that was read in this walk, or has no page, counts as read."""
        request = self.plan.problem(problem)
        # A task may belong to two contests, as in pairs of ABC and ARC.
        if request is None or problem.external_id is None or problem.external_id in self.problems:
            locked = request is None and problem.external_id is not None
            return ParsedPage(Classification.PAID_ONLY if locked else Classification.OK)
        parsed = yield from self.fetcher.ask(
            request, partial(contradicts_tasks, contest, problem), contest=contest.external_id
        )
        detail = next((record for record in parsed.records if isinstance(record, ScrapedProblem)), None)
        if detail is None:
            return (
                parsed if parsed.classification is not Classification.OK else ParsedPage(Classification.FORMAT_CHANGED)
            )
        self.problems.add(problem.external_id)
        self.counts["problems"] += 1
        self.findings.extend(check_problem(detail, self.fetcher.site.missing_facts))
        return parsed


def _cursor_key(contest: ScrapedContest) -> tuple[datetime, str]:
    """Return a contest's place in the order of the cursor: by its end, as a long contest may begin first and end
    last."""
    assert contest.ends_at is not None
    return contest.ends_at, contest.external_id
