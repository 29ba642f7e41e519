"""Visits to a source: begun under a lease, recorded response by response, ended with their outcome; and replayed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Protocol

from app.db.kernel import logs, revision
from app.db.kernel.leases import Lease, LeaseKind, new_lease
from app.db.kernel.session import Session
from app.db.problems import problems as store
from app.db.sources import captures, contests, expected_data
from app.db.sources.facts import facts
from app.db.sources.scope import every_source
from app.db.tables import Source
from app.domain.errors import NotFound
from app.domain.publishing.holds import CONTEST_MARGIN
from app.domain.reasons import Reason
from app.domain.sources.crawl_events import CrawlFinished, PageCaptured
from app.domain.sources.crawl_job import CrawlJob
from app.domain.sources.kinds import SourceKind
from app.domain.sources.records import Classification, Records, ScrapedContest, finding_from_json
from app.domain.sources.schedule import BLOCKED_WAIT, COUNT, MAX_RETRY_AFTER, PROBLEMS, ExpectedData
from app.domain.states import ScrapeState
from app.domain.windows import Window
from app.services.sources import schedule
from app.services.sources.ingest import CaptureContent, store_content


@dataclass(frozen=True, slots=True)
class ScrapeJob:
    """One scrape under lease, and the walk through the site that it makes."""

    run_id: int
    source_id: int
    lease: Lease
    opened_at: datetime
    crawl: CrawlJob
    purpose: str = PROBLEMS
    expected: tuple[ExpectedData, ...] = ()

    @property
    def expected_data(self) -> ExpectedData | None:
        """Data that this visit asks contests for; None when it asks for none."""
        return next((data for data in self.expected if data.purpose == self.purpose), None)


@dataclass(frozen=True, slots=True)
class SitePolicy:
    """An operator's policy for a site, and the data expected from its contests."""

    title: str
    base_url: str
    enabled: bool
    fetch_statements: bool
    show_statements: bool
    expected: tuple[ExpectedData, ...] = ()
    states_limits: bool = True
    send_statements: bool = True
    margin: timedelta = CONTEST_MARGIN
    demo: bool = False


# Contests asked for facts in one visit: the next visit goes on.
_CONTESTS_PER_VISIT = 30


def open_scrape(
    session: Session, slug: str, policy: SitePolicy, now: datetime, duration: timedelta, purpose: str = PROBLEMS,
    *, backfill: Window | None = None, patient: bool = False,
) -> ScrapeJob | None:  # fmt: skip
    """Begin a visit for problems, or for facts of a name; None while one of this source runs, or it is switched off.

    A `backfill` goes on from where the last one of the same days broke off, and asks every contest in them. A
    `patient` visit skips contests whose next fetch is not due.
    """
    source = _source(session, slug, policy)
    if not (policy.enabled and source.enabled):
        return None
    lease = new_lease(now, duration, LeaseKind.SCRAPE_RUNS)
    cursor = source.cursor.get("at")
    if backfill is not None:
        cursor = captures.backfill_cursor(session, source.id, backfill)
    run_id = captures.begin(session, source.id, lease, now, purpose, backfill, cursor)
    if run_id is None:
        return None
    crawl = CrawlJob(now, policy.margin, source.fetch_statements, backfill=backfill)
    if purpose == COUNT:
        crawl = replace(crawl, count_only=True)
    elif backfill is not None:
        crawl = replace(crawl, cursor=cursor, last_counts=captures.last_counts(session, source.id))
    else:
        crawl = _with_contests(session, source.id, purpose, replace(crawl, cursor=cursor), patient=patient)
    return ScrapeJob(run_id, source.id, lease, now, crawl, purpose, policy.expected)


def _with_contests(session: Session, source_id: int, purpose: str, crawl: CrawlJob, *, patient: bool) -> CrawlJob:
    """Return the walk with the contests that are expected now, and those that it leaves out."""
    due = expected_data.due_contests(session, source_id, purpose, crawl.now)
    names = tuple(contest.external_id for contest in due)
    crawl = replace(
        crawl,
        expected_contests=names if purpose == PROBLEMS else names[:_CONTESTS_PER_VISIT],
        expected_since=min((contest.starts_at for contest in due if contest.starts_at is not None), default=None),
        last_counts=captures.last_counts(session, source_id),
    )
    if purpose != PROBLEMS:
        return crawl
    finished = expected_data.finished_contests(session, source_id, purpose)
    postponed = expected_data.postponed_contests(session, source_id, purpose, crawl.now)
    return replace(
        crawl,
        finished_contests=finished,
        postponed_contests=postponed if patient else frozenset(),
        known_contests=(finished | postponed | set(names)) or None,
    )


def _source(session: Session, slug: str, policy: SitePolicy) -> Source:
    values = {"name": policy.title, "kind": SourceKind.SITE, "base_url": policy.base_url, "demo": policy.demo}
    source = store.upsert_source(session, slug, values)
    # A package or another installation's file may have created it before, with other values.
    for name, value in values.items():
        setattr(source, name, value)
    _set_policy(
        session, source, policy.fetch_statements, policy.show_statements, policy.margin, send=policy.send_statements
    )
    source.states_limits = policy.states_limits
    return source


class SourcePolicies(Protocol):
    """An operator's settings of one source: if its statements are fetched, shown and sent to models, and its margin."""

    @property
    def fetch_statements(self) -> bool | None: ...
    @property
    def show_statements(self) -> bool | None: ...
    @property
    def send_statements(self) -> bool | None: ...
    @property
    def margin_s(self) -> float | None: ...


def apply_policies(session: Session, policies: Mapping[str, SourcePolicies]) -> None:
    """Apply the settings, by a source's slug. Other sources keep what they came with, and may be sent to models."""
    for source in every_source(session):
        policy = policies.get(source.slug)
        if policy is None:
            _set_policy(session, source, None, None, CONTEST_MARGIN, send=True)
        else:
            send = policy.send_statements is not False
            _set_policy(session, source, policy.fetch_statements, policy.show_statements, margin_of(policy), send=send)


def margin_of(policy: SourcePolicies) -> timedelta:
    """Return how long after a contest's end nothing of it is used."""
    return CONTEST_MARGIN if policy.margin_s is None else timedelta(seconds=policy.margin_s)


def _set_policy(
    session: Session, source: Source, fetch: bool | None, show: bool | None, margin: timedelta, *, send: bool
) -> None:
    if fetch is not None:
        source.fetch_statements = fetch
    if show is not None:
        source.show_statements = show
    source.margin = margin
    if source.send_statements != send:
        source.send_statements = send
        revision.mark_axes_changed(session)  # boards want no answers to problems that may not be asked
    session.flush()


def record_capture(session: Session, job: ScrapeJob, page: PageCaptured, now: datetime) -> bool:
    """Store one response and its records; False when the scrape is no longer this worker's.

    Only a response of class ok may create or change anything.
    """
    if not captures.holds_lease(session, job.run_id, job.lease.token):
        return False
    capture_id = captures.store_capture(session, job.source_id, job.run_id, page)
    if page.classification is Classification.OK:
        store_content(session, _content(job, page, capture_id, page.fetched_at), now)
    return True


def _content(job: ScrapeJob, page: PageCaptured, capture_id: int | None, seen_at: datetime) -> CaptureContent:
    return CaptureContent(job.source_id, job.purpose, page.kind, page.contest, page.records, capture_id, seen_at)


def store_saved_page(session: Session, slug: str, policy: SitePolicy, page: PageCaptured, now: datetime) -> None:
    """Store a page that a person saved, as if a visit for problems had brought it."""
    source = _source(session, slug, policy)
    capture_id = captures.store_capture(session, source.id, None, page)
    named = [record.external_id for record in page.records if isinstance(record, ScrapedContest)]
    contest = named[0] if len(named) == 1 else None
    content = CaptureContent(source.id, PROBLEMS, page.kind, contest, page.records, capture_id, page.fetched_at)
    store_content(session, content, now)
    logs.write_audit(session, now, "operator", "capture.kept", f"{slug} {page.kind}", page.url or Reason("saved_file"))


def record_unchanged(session: Session, job: ScrapeJob, page: PageCaptured, now: datetime) -> bool:
    """Store the records of a page unchanged since its stored capture; False when the scrape is no longer this worker's.

    They are dated as that capture, so that a replay stores the same.
    """
    if not captures.holds_lease(session, job.run_id, job.lease.token):
        return False
    capture_id, seen_at = captures.newest(session, job.source_id, page.url) or (None, now)
    store_content(session, _content(job, page, capture_id, seen_at), now)
    return True


def record_calendar(session: Session, job: ScrapeJob, names: Sequence[str], now: datetime) -> bool:
    """Store the calendar as it is now; False when the scrape is no longer this worker's."""
    if not captures.holds_lease(session, job.run_id, job.lease.token):
        return False
    schedule.expect_data(session, job.source_id, names, job.expected, now)
    return True


def record_contest(
    session: Session, job: ScrapeJob, contest: str, missing: str | None, now: datetime, *, met: bool
) -> bool:
    """Record the result of asking one contest; False when the scrape is no longer this worker's."""
    if not captures.holds_lease(session, job.run_id, job.lease.token):
        return False
    if job.expected_data is not None:
        schedule.record_visit(session, job.source_id, contest, job.expected_data, missing, now, met=met)
    return True


def finish(session: Session, job: ScrapeJob, outcome: CrawlFinished, now: datetime) -> bool:
    """End the scrape with its outcome; the cursor stays where it is.

    A backfill that was cut short can be continued. If the site broke it off, due data are put off, so that a failing
    site gets no more requests.
    """
    ended = captures.finish(session, job.run_id, job.lease.token, outcome, now)
    # A crawl that reached its end has asked everything in the site's lists, so what was due at its start is in none of
    # them. It tells nothing about what became due since.
    whole = job.purpose == PROBLEMS and job.crawl.backfill is None and not outcome.cut_short
    if ended and (outcome.refused or whole) and job.expected_data is not None:
        why = (outcome.reason or outcome.state.value) if outcome.refused else Reason("not_listed")
        # A site may ask for a longer wait than ours, but not an endless one.
        asked_for = timedelta(seconds=min(outcome.retry_after_s or 0.0, MAX_RETRY_AFTER.total_seconds()))
        min_pause = max(asked_for, BLOCKED_WAIT if outcome.state is ScrapeState.BLOCKED else timedelta())
        due_by = now if outcome.refused else job.opened_at
        schedule.record_refusal(session, job.source_id, job.expected_data, why, now, due_by=due_by, min_pause=min_pause)
    return ended


def move_cursor(session: Session, job: ScrapeJob, cursor: str, *, backfill: bool = False) -> bool:
    """Move the cursor: the next scrape, or backfill of the same days, goes on from here."""
    return captures.move_cursor(session, job.source_id, job.run_id, job.lease.token, cursor, backfill=backfill)


def listed_contests(session: Session, job: ScrapeJob, since: datetime) -> list[ScrapedContest]:
    """Return the contests in the source's own lists that began since then."""
    return contests.begun_since(session, job.source_id, since)


def is_paused(session: Session, slug: str) -> bool:
    """Return True if a maintainer switched a source off."""
    source = store.source_by_slug(session, slug)
    return source is not None and not source.enabled


def validators(session: Session, job: ScrapeJob, url: str) -> Mapping[str, str] | None:
    """Return the validators that make the next request for an address conditional; None if there are none.

    Read for each address: after years, all those of a source are more than a visit should hold.
    """
    return captures.conditional_headers(session, job.source_id, url)


def stored_body(session: Session, job: ScrapeJob, url: str) -> bytes:
    """Return the last good body of an address, used when the site answers that it has not changed."""
    return captures.newest_body(session, job.source_id, url)


def outcome(session: Session, run_id: int) -> CrawlFinished:
    """Return the outcome of a scrape."""
    run = captures.get_run(session, run_id)
    findings = tuple(map(finding_from_json, run.findings))
    return CrawlFinished(ScrapeState(run.state), run.reason, run.counts, findings)


def known_facts(session: Session, slug: str) -> dict[tuple[str, str], list[str]]:
    """Return the facts of each contest and problem of a source, to be compared with later ones."""
    source = store.source_by_slug(session, slug)
    return {} if source is None else facts(session, source.id)


def stored_captures(
    session: Session, slug: str, after: captures.StoredCapture | None = None, limit: int = 500
) -> list[captures.StoredCapture]:
    """Return the next stored responses of a source, oldest first, a limited number: there may be a million.

    Raises NotFound when there is no such source.
    """
    source = store.source_by_slug(session, slug)
    if source is None:
        raise NotFound(f"nothing from {slug} is stored here")
    return captures.captures_after(session, source.id, after, limit)


def capture_body(session: Session, capture: captures.StoredCapture) -> bytes:
    """Return the bytes of a stored response."""
    return captures.body(session, capture.body_sha256)


def record_replay(
    session: Session, capture: captures.StoredCapture, classification: Classification, records: Records, now: datetime,
    shape: str | None = None,
) -> bool:  # fmt: skip
    """Store the records of a capture that was parsed again; True when its class changed.

    A capture that was refused because of other pages stays refused.
    """
    if captures.is_refused_in_context(session, capture.id):
        return False
    changed = captures.reclassify(session, capture.id, classification, len(records), shape)
    content = CaptureContent(
        capture.source_id, capture.purpose, capture.kind, capture.contest, records, capture.id, capture.fetched_at
    )
    store_content(session, content, now)
    return changed
