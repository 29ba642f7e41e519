"""Scrape runs and captures: requests to a source and its responses."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import case, func, null, or_, select, text, true, tuple_, update
from sqlalchemy.dialects.postgresql import array, insert

from app.db.kernel import blobs
from app.db.kernel.leases import Lease
from app.db.kernel.session import Session
from app.db.tables import Capture, ScrapeRun, Source
from app.domain.reasons import Reason
from app.domain.sources.crawl_events import CrawlFinished, PageCaptured
from app.domain.sources.records import Classification, finding_from_json, finding_to_json
from app.domain.sources.schedule import PROBLEMS
from app.domain.states import ScrapeState
from app.domain.windows import Window


def begin(
    session: Session, source_id: int, lease: Lease, now: datetime, purpose: str,
    backfill: Window | None = None, cursor: str | None = None,
) -> int | None:  # fmt: skip
    """Start a scrape and return its id, or None while another one of this source runs.

    A scrape whose lease ran out died with its worker, and is closed as failed first.
    """
    session.execute(
        update(ScrapeRun)
        .where(ScrapeRun.source_id == source_id, ScrapeRun.state == ScrapeState.RUNNING, ScrapeRun.lease_until < now)
        .values(state=ScrapeState.FAILED, reason=Reason("worker_died"), finished_at=now, lease_token=None)
    )
    return session.scalar(
        insert(ScrapeRun)
        .values(
            source_id=source_id,
            state=ScrapeState.RUNNING,
            started_at=now,
            lease_token=lease.token,
            lease_until=lease.until,
            purpose=purpose,
            **({} if backfill is None else {"backfill": _window_to_json(backfill)}),
            # A resumed backfill that is cut before its first contest keeps its cursor.
            **({} if backfill is None or cursor is None else {"cursor_after": {"at": cursor}}),
        )
        .on_conflict_do_nothing(index_elements=["source_id"], index_where=text("state = 'running'"))
        .returning(ScrapeRun.id)
    )


def _window_to_json(backfill: Window) -> dict[str, str]:
    return {"from": str(backfill.start), "to": str(backfill.end)}


def backfill_cursor(session: Session, source_id: int, backfill: Window) -> str | None:
    """Return where the last backfill of the same days broke off, or None if it finished or there was none."""
    last = session.scalar(
        select(ScrapeRun.cursor_after)
        .where(
            ScrapeRun.source_id == source_id,
            ScrapeRun.backfill == _window_to_json(backfill),
            ScrapeRun.purpose == PROBLEMS,
        )
        .order_by(ScrapeRun.id.desc())
        .limit(1)
    )
    return None if last is None else str(last["at"])


class LastBackfill(NamedTuple):
    """The last visit for some days of the past: its state, when it began, and until when its worker has it."""

    state: ScrapeState
    started_at: datetime
    lease_until: datetime | None


def last_backfill(session: Session, source_id: int, backfill: Window) -> LastBackfill | None:
    """Return the last visit for these days; None without any."""
    row = session.execute(
        select(ScrapeRun.state, ScrapeRun.started_at, ScrapeRun.lease_until)
        .where(
            ScrapeRun.source_id == source_id,
            ScrapeRun.backfill == _window_to_json(backfill),
            ScrapeRun.purpose == PROBLEMS,
        )
        .order_by(ScrapeRun.id.desc())
        .limit(1)
    ).one_or_none()
    return None if row is None else LastBackfill(ScrapeState(row.state), row.started_at, row.lease_until)


def holds_lease(session: Session, run_id: int, token: str) -> bool:
    """Return whether the scrape is still this worker's, and lock it for the transaction."""
    lease_token = session.scalar(select(ScrapeRun.lease_token).where(ScrapeRun.id == run_id).with_for_update())
    return lease_token == token


def store_capture(session: Session, source_id: int, run_id: int | None, page: PageCaptured) -> int:
    """Store a response and return its id; the same bytes at the same address are one capture, seen again.

    A capture fetched for its problems stays so when it is fetched for other facts too: a replay reads both from it.
    """
    digest = None if page.body is None else blobs.store_blob(session, page.body)
    facts = {
        "scrape_run_id": run_id,
        "kind": page.kind,
        "contest": page.contest,
        "shape": page.shape,
        "http_status": page.status,
        "classification": page.classification,
        "headers": dict(page.headers),
        "findings": [finding_to_json(finding) for finding in page.findings],
        "records": len(page.records),
        "fetched_at": page.fetched_at,
    }
    asked_before = session.scalar(
        select(Capture.scrape_run_id)
        .join(ScrapeRun, ScrapeRun.id == Capture.scrape_run_id)
        .where(
            Capture.source_id == source_id,
            Capture.url == page.url,
            Capture.body_sha256.is_not_distinct_from(digest),
            ScrapeRun.purpose == PROBLEMS,
        )
    )
    values = facts if asked_before is None else facts | {"scrape_run_id": asked_before}
    statement = (
        insert(Capture)
        .values(source_id=source_id, url=page.url, body_sha256=digest, **facts)
        .on_conflict_do_update(index_elements=["source_id", "url", "body_sha256"], set_=values)
        .returning(Capture.id)
    )
    return int(session.execute(statement).scalar_one())


def finish(session: Session, run_id: int, token: str, outcome: CrawlFinished, now: datetime) -> bool:
    """End a scrape, if it is still this worker's; a completed backfill leaves no cursor."""
    done = (ScrapeRun.backfill.is_not(None), null())
    ended = session.scalar(
        update(ScrapeRun)
        .where(ScrapeRun.id == run_id, ScrapeRun.lease_token == token)
        .values(
            state=outcome.state,
            reason=outcome.reason,
            finished_at=now,
            counts=dict(outcome.counts),
            findings=[finding_to_json(finding) for finding in outcome.findings],
            lease_token=None,
            lease_until=None,
            **({} if outcome.cut_short else {"cursor_after": case(done, else_=ScrapeRun.cursor_after)}),
        )
        .returning(ScrapeRun.id)
    )
    return ended is not None


def move_cursor(
    session: Session, source_id: int, run_id: int, token: str, cursor: str, *, backfill: bool = False
) -> bool:
    """Set the source's cursor, or a backfill's own, if the scrape is still this worker's."""
    if not holds_lease(session, run_id, token):
        return False
    moved = {"at": cursor}
    session.execute(update(ScrapeRun).where(ScrapeRun.id == run_id).values(cursor_after=moved))
    if not backfill:
        session.execute(update(Source).where(Source.id == source_id).values(cursor=moved))
    return True


def newest(session: Session, source_id: int, url: str) -> tuple[int, datetime] | None:
    """Return (id, fetch time) of the newest capture of class ok at an address."""
    row = session.execute(
        select(Capture.id, Capture.fetched_at)
        .where(Capture.source_id == source_id, Capture.url == url, Capture.classification == Classification.OK)
        .order_by(Capture.fetched_at.desc())
        .limit(1)
    ).one_or_none()
    return None if row is None else (row.id, row.fetched_at)


def newest_body(session: Session, source_id: int, url: str) -> bytes:
    """Return the body of the newest capture of class ok at an address. Raises NotFound."""
    digest = session.scalar(
        select(Capture.body_sha256)
        .where(Capture.source_id == source_id, Capture.url == url, Capture.classification == Classification.OK)
        .order_by(Capture.fetched_at.desc())
        .limit(1)
    )
    return blobs.get(session, digest or "")


def conditional_headers(session: Session, source_id: int, url: str) -> dict[str, str] | None:
    """Return the headers for a conditional request of an address that was read before; None without any."""
    return session.scalar(
        select(Capture.headers)
        .where(
            Capture.source_id == source_id,
            Capture.url == url,
            Capture.classification == Classification.OK,
            Capture.headers.has_any(array(["etag", "last-modified"])),
        )
        .order_by(Capture.fetched_at.desc())
        .limit(1)
    )


def last_counts(session: Session, source_id: int) -> dict[str, int] | None:
    """Return the counts of the last successful scrape for problems."""
    return session.scalar(
        select(ScrapeRun.counts)
        .where(
            ScrapeRun.source_id == source_id,
            ScrapeRun.state == ScrapeState.SUCCEEDED,
            ScrapeRun.purpose == PROBLEMS,
        )
        .order_by(ScrapeRun.id.desc())
        .limit(1)
    )


class TaskPage(NamedTuple):
    """A stored page about a contest's tasks."""

    kind: str
    url: str
    body_sha256: str


def task_pages(session: Session, source_id: int, contest: str, kinds: Sequence[str]) -> list[TaskPage]:
    """Return the well-read pages of these kinds that may be about a contest's tasks, newest first.

    Their address lies below the contest's, or is unknown because a person saved the page.
    """
    rows = session.execute(
        select(Capture.kind, Capture.url, Capture.body_sha256)
        .where(
            Capture.source_id == source_id,
            Capture.classification == Classification.OK,
            Capture.kind.in_(kinds),
            Capture.body_sha256.is_not(None),
            or_(Capture.url.contains(f"/contests/{contest}/", autoescape=True), Capture.url.not_like("%/contests/%")),
        )
        .order_by(Capture.fetched_at.desc(), Capture.id.desc())
    )
    return [TaskPage(row[0], row[1], row[2] or "") for row in rows]


class StoredCapture(NamedTuple):
    """A stored response, to be read again."""

    id: int
    source_id: int
    kind: str
    url: str
    body_sha256: str
    http_status: int | None
    headers: dict[str, str]
    fetched_at: datetime
    purpose: str
    contest: str | None


def captures_after(session: Session, source_id: int, after: StoredCapture | None, limit: int) -> list[StoredCapture]:
    """Return the next captures with a body, oldest first, for a replay."""
    later = true() if after is None else tuple_(Capture.fetched_at, Capture.id) > (after.fetched_at, after.id)
    rows = session.execute(
        select(
            Capture.id, Capture.source_id, Capture.kind, Capture.url, Capture.body_sha256, Capture.http_status,
            Capture.headers, Capture.fetched_at, func.coalesce(ScrapeRun.purpose, PROBLEMS),
            Capture.contest,
        )
        .outerjoin(ScrapeRun, ScrapeRun.id == Capture.scrape_run_id)
        .where(Capture.source_id == source_id, Capture.body_sha256.is_not(None), later)
        .order_by(Capture.fetched_at, Capture.id)
        .limit(limit)
    )  # fmt: skip
    return [StoredCapture(*row) for row in rows]  # type: ignore[call-arg,arg-type]  # bodies that are None are left out


def body(session: Session, sha256: str) -> bytes:
    """Return the bytes of a stored response."""
    return blobs.get(session, sha256)


def is_refused_in_context(session: Session, capture_id: int) -> bool:
    """Return whether a response was refused because of other pages; its own bytes cannot show that."""
    return any(finding_from_json(stored).in_context for stored in session.get_one(Capture, capture_id).findings)


def get_run(session: Session, run_id: int) -> ScrapeRun:
    """Return a scrape that exists."""
    return session.get_one(ScrapeRun, run_id)


def reclassify(session: Session, capture_id: int, classification: str, records: int, shape: str | None) -> bool:
    """Record a capture's new classification, and return True if it differs from the old one."""
    capture = session.get_one(Capture, capture_id)
    changed = capture.classification != classification
    capture.classification, capture.records, capture.shape = classification, records, shape
    return changed


def headers_of(session: Session, capture_id: int) -> dict[str, Any]:
    """Return the headers of a response."""
    return dict(session.get_one(Capture, capture_id).headers)
