"""Scrape runs and captures: what a source was asked and what it answered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import case, func, null, or_, select, text, true, tuple_, update
from sqlalchemy.dialects.postgresql import array, insert

from app.db.kernel import blobs
from app.db.kernel.leases import Lease
from app.db.kernel.session import Session
from app.db.tables import Capture, ScrapeRun, Source
from app.domain.sources.schedule import PROBLEMS
from app.domain.states import ScrapeState


@dataclass(frozen=True, slots=True)
class NewCapture:
    """One response to be kept; `body` is None when there was none."""

    url: str
    kind: str
    http_status: int | None
    classification: str
    headers: Mapping[str, str]
    body: bytes | None
    findings: Sequence[Mapping[str, Any]]
    records: int
    fetched_at: datetime
    contest: str | None = None
    shape: str | None = None


def begin(
    session: Session, source_id: int, lease: Lease, now: datetime, purpose: str,
    backfill: Mapping[str, str] | None = None, cursor: str | None = None,
) -> int | None:  # fmt: skip
    """The id of a new running scrape, or None while another one of this source runs.

    A scrape whose lease ran out died with its worker: it is closed as failed first.
    """
    session.execute(
        update(ScrapeRun)
        .where(ScrapeRun.source_id == source_id, ScrapeRun.state == ScrapeState.RUNNING, ScrapeRun.lease_until < now)
        .values(state=ScrapeState.FAILED, reason="its worker died", finished_at=now, lease_token=None)
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
            **({} if backfill is None else {"backfill": dict(backfill)}),
            # A backfill that goes on and is cut before its first contest keeps its place.
            **({} if backfill is None or cursor is None else {"cursor_after": {"at": cursor}}),
        )
        .on_conflict_do_nothing(index_elements=["source_id"], index_where=text("state = 'running'"))
        .returning(ScrapeRun.id)
    )


def backfill_cursor(session: Session, source_id: int, backfill: Mapping[str, str]) -> str | None:
    """Where the last backfill of the same days broke off; None when it came to its end, or there was none."""
    last = session.scalar(
        select(ScrapeRun.cursor_after)
        .where(ScrapeRun.source_id == source_id, ScrapeRun.backfill == dict(backfill), ScrapeRun.purpose == PROBLEMS)
        .order_by(ScrapeRun.id.desc())
        .limit(1)
    )
    return None if last is None else str(last["at"])


def holds(session: Session, run_id: int, token: str) -> bool:
    """Whether the scrape is still this worker's; locks it for the transaction."""
    lease_token = session.scalar(select(ScrapeRun.lease_token).where(ScrapeRun.id == run_id).with_for_update())
    return lease_token == token


def keep(session: Session, source_id: int, run_id: int | None, new: NewCapture) -> int:
    """Keep a response. The same bytes at the same address are one capture, seen again.

    One that was asked for its problems stays so when it is asked for other facts too: a replay makes both of it.
    """
    digest = None if new.body is None else blobs.put(session, new.body)
    facts = {
        "scrape_run_id": run_id,
        "kind": new.kind,
        "contest": new.contest,
        "shape": new.shape,
        "http_status": new.http_status,
        "classification": new.classification,
        "headers": dict(new.headers),
        "findings": [dict(finding) for finding in new.findings],
        "records": new.records,
        "fetched_at": new.fetched_at,
    }
    asked_before = session.scalar(
        select(Capture.scrape_run_id)
        .join(ScrapeRun, ScrapeRun.id == Capture.scrape_run_id)
        .where(
            Capture.source_id == source_id,
            Capture.url == new.url,
            Capture.body_sha256.is_not_distinct_from(digest),
            ScrapeRun.purpose == PROBLEMS,
        )
    )
    again = facts if asked_before is None else facts | {"scrape_run_id": asked_before}
    statement = (
        insert(Capture)
        .values(source_id=source_id, url=new.url, body_sha256=digest, **facts)
        .on_conflict_do_update(index_elements=["source_id", "url", "body_sha256"], set_=again)
        .returning(Capture.id)
    )
    return int(session.execute(statement).scalar_one())


def finish(
    session: Session, run_id: int, token: str, state: ScrapeState, reason: str | None, now: datetime,
    *, counts: Mapping[str, int], findings: Sequence[Mapping[str, Any]], cut: bool = False,
) -> bool:  # fmt: skip
    """End a scrape, if it is still this worker's; a backfill that came to its end leaves no cursor to go on from."""
    done = (ScrapeRun.backfill.is_not(None), null())
    ended = session.scalar(
        update(ScrapeRun)
        .where(ScrapeRun.id == run_id, ScrapeRun.lease_token == token)
        .values(
            state=state,
            reason=reason,
            finished_at=now,
            counts=dict(counts),
            findings=[dict(finding) for finding in findings],
            lease_token=None,
            lease_until=None,
            **({} if cut else {"cursor_after": case(done, else_=ScrapeRun.cursor_after)}),
        )
        .returning(ScrapeRun.id)
    )
    return ended is not None


def move_cursor(
    session: Session, source_id: int, run_id: int, token: str, cursor: dict[str, Any], *, backfill: bool = False
) -> bool:
    """Set the source's cursor, or a backfill's own, if the scrape is still this worker's."""
    if not holds(session, run_id, token):
        return False
    session.execute(update(ScrapeRun).where(ScrapeRun.id == run_id).values(cursor_after=cursor))
    if not backfill:
        session.execute(update(Source).where(Source.id == source_id).values(cursor=cursor))
    return True


def newest(session: Session, source_id: int, url: str) -> tuple[int, datetime] | None:
    """(id, when it was fetched) of the newest capture of class ok at an address."""
    row = session.execute(
        select(Capture.id, Capture.fetched_at)
        .where(Capture.source_id == source_id, Capture.url == url, Capture.classification == "ok")
        .order_by(Capture.fetched_at.desc())
        .limit(1)
    ).one_or_none()
    return None if row is None else (row.id, row.fetched_at)


def newest_body(session: Session, source_id: int, url: str) -> bytes:
    """The body of the newest capture of class ok at an address. Raises NotFound."""
    digest = session.scalar(
        select(Capture.body_sha256)
        .where(Capture.source_id == source_id, Capture.url == url, Capture.classification == "ok")
        .order_by(Capture.fetched_at.desc())
        .limit(1)
    )
    return blobs.get(session, digest or "")


def validators(session: Session, source_id: int, url: str) -> dict[str, str] | None:
    """The headers that make the next request conditional, of an address that was read well before; None without any."""
    return session.scalar(
        select(Capture.headers)
        .where(
            Capture.source_id == source_id,
            Capture.url == url,
            Capture.classification == "ok",
            Capture.headers.has_any(array(["etag", "last-modified"])),
        )
        .order_by(Capture.fetched_at.desc())
        .limit(1)
    )


def last_counts(session: Session, source_id: int) -> dict[str, int] | None:
    """What the last scrape that ended well counted."""
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
    """The pages of these kinds that may be about a contest's tasks and were read well, the newest first.

    They lie below its address; of a page that a person saved the address may not be known.
    """
    rows = session.execute(
        select(Capture.kind, Capture.url, Capture.body_sha256)
        .where(
            Capture.source_id == source_id,
            Capture.classification == "ok",
            Capture.kind.in_(kinds),
            Capture.body_sha256.is_not(None),
            or_(Capture.url.contains(f"/contests/{contest}/", autoescape=True), Capture.url.not_like("%/contests/%")),
        )
        .order_by(Capture.fetched_at.desc(), Capture.id.desc())
    )
    return [TaskPage(row[0], row[1], row[2] or "") for row in rows]


class StoredCapture(NamedTuple):
    """A response kept earlier, to be read again."""

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


def stored(session: Session, source_id: int, after: StoredCapture | None, limit: int) -> list[StoredCapture]:
    """The next captures with a body, oldest first: what a replay reads."""
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
    """The bytes of a stored response."""
    return blobs.get(session, sha256)


def is_refused_in_context(session: Session, capture_id: int) -> bool:
    """Whether a response was refused for what other pages said, which it cannot show when it is read alone."""
    return any(finding.get("in_context") for finding in session.get_one(Capture, capture_id).findings)


def get_run(session: Session, run_id: int) -> ScrapeRun:
    """A scrape that exists."""
    return session.get_one(ScrapeRun, run_id)


def reclassify(session: Session, capture_id: int, classification: str, records: int, shape: str | None) -> bool:
    """Note how a capture is read now; True when that is new."""
    capture = session.get_one(Capture, capture_id)
    changed = capture.classification != classification
    capture.classification, capture.records, capture.shape = classification, records, shape
    return changed


def headers_of(session: Session, capture_id: int) -> dict[str, Any]:
    """What a response said of itself."""
    return dict(session.get_one(Capture, capture_id).headers)
