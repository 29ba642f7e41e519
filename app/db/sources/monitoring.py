"""Monitoring of sites: expected contests and their problems, visits, and responses with a new structure."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import and_, case, func, or_, select, text

from app.db.kernel.session import Session
from app.db.sources.visits import newest
from app.db.tables import (
    Capture,
    Contest,
    ExpectedDataRow,
    Problem,
    Run,
    Sample,
    ScrapeRun,
    Source,
)
from app.domain.reasons import is_format_changed
from app.domain.sources.kinds import SourceKind
from app.domain.sources.records import Classification, PageFinding, finding_from_json
from app.domain.sources.schedule import COUNT, PROBLEMS, ExpectedData
from app.domain.states import ExpectedDataState, ProblemState, RunOrigin, SampleState


class ContestLine(NamedTuple):
    """A contest with the state of its expected problems, and the progress of these.

    `listed` problems are known, `read` have a text, `tested` full tests; `judged` of `wanted` answers are graded.
    `undecided` ones have no text and are held.
    """

    contest_id: int
    source: str
    external_id: str
    title: str
    ends_at: datetime
    state: str
    reason: str | None
    attempts: int
    due_at: datetime
    late_at: datetime
    settled_at: datetime | None
    listed: int
    read: int
    tested: int
    published: int
    held: int
    wanted: int
    judged: int
    undecided: int = 0

    @property
    def waits_for_person(self) -> bool:
        """Return whether all that is missing are pages in a form that our reader does not know, of some of its
        problems: another visit finds the same."""
        return self.read > 0 and is_format_changed(self.reason)

    def is_late(self, now: datetime) -> bool:
        """Return whether its problems should be here and a visit may still bring them."""
        return self.late_at <= now and not self.waits_for_person


class SiteLine(NamedTuple):
    """A site with its last visit for problems."""

    slug: str
    name: str
    enabled: bool
    last_state: str | None
    last_reason: str | None
    last_at: datetime | None
    findings: tuple[PageFinding, ...]


class CaptureLine(NamedTuple):
    """One capture, without its body."""

    id: int
    source: str
    kind: str
    url: str
    classification: str
    records: int
    shape: str | None
    review: str | None
    findings: tuple[PageFinding, ...]
    fetched_at: datetime
    body_sha256: str | None


def contests(session: Session, since: datetime, limit: int = 80) -> list[ContestLine]:
    """Return contests whose problems are still expected or that ended since `since`, the newest end first."""
    shown = or_(ExpectedDataRow.state == ExpectedDataState.OPEN, Contest.ends_at >= since)
    rows = session.execute(
        _EXPECTED.where(shown).order_by(Contest.ends_at.desc(), Contest.id.desc()).limit(limit)
    ).all()
    counts = _counts(session, [row[0] for row in rows])
    return [ContestLine(*row, *counts.get(row[0], _NO_COUNTS)) for row in rows]  # type: ignore[arg-type]  # they end


def open_contests(session: Session) -> list[ContestLine]:
    """Return contests whose problems are still expected, longest due first; of a contest that lacks nothing but pages
    of a new form, the problems are counted."""
    rows = session.execute(
        _EXPECTED.where(ExpectedDataRow.state == ExpectedDataState.OPEN).order_by(ExpectedDataRow.late_at)
    ).all()
    changed = [row.id for row in rows if is_format_changed(row.reason)]
    counts = _counts(session, changed) if changed else {}
    return [ContestLine(*row, *counts.get(row[0], _NO_COUNTS)) for row in rows]  # type: ignore[arg-type]  # they end


def late_contests(session: Session, now: datetime, limit: int = 50) -> list[ContestLine]:
    """Return contests whose problems are overdue, longest overdue first."""
    return [line for line in open_contests(session) if line.is_late(now)][:limit]


_EXPECTED = (
    select(
        Contest.id, Source.slug, Contest.external_id, Contest.title, Contest.ends_at,
        ExpectedDataRow.state, ExpectedDataRow.reason, ExpectedDataRow.attempts, ExpectedDataRow.due_at,
        ExpectedDataRow.late_at, ExpectedDataRow.settled_at,
    )
    .join(Source, Source.id == Contest.source_id)
    .join(ExpectedDataRow, ExpectedDataRow.contest_id == Contest.id)
    .where(ExpectedDataRow.purpose == PROBLEMS)
)  # fmt: skip
_NO_COUNTS = (0, 0, 0, 0, 0, 0, 0, 0)


def _counts(session: Session, contest_ids: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """Return (listed, read, tested, published, held, wanted, judged, undecided) of each contest."""
    problems = session.execute(
        select(
            Problem.contest_id,
            func.count(),
            func.count(Problem.current_version_id),
            func.count(Problem.current_test_set_id),
            func.count(case((Problem.state == ProblemState.PUBLISHED, 1))),
            func.count(case((Problem.state == ProblemState.HELD, 1))),
            func.count(case((and_(Problem.state == ProblemState.HELD, Problem.current_version_id.is_(None)), 1))),
        )
        .where(Problem.contest_id.in_(contest_ids))
        .group_by(Problem.contest_id)
    )
    answers = session.execute(
        select(Problem.contest_id, func.count(), func.count(case((Sample.state == SampleState.GRADED, 1))))
        .join(Sample, Sample.problem_id == Problem.id)
        .join(Run, Run.id == Sample.run_id)
        .where(Problem.contest_id.in_(contest_ids), Run.public, Run.origin == RunOrigin.OWN)
        .group_by(Problem.contest_id)
    )
    pairs = {contest_id: (wanted, judged) for contest_id, wanted, judged in answers}
    return {
        contest_id: (listed, read, tested, published, held, *pairs.get(contest_id, (0, 0)), undecided)
        for contest_id, listed, read, tested, published, held, undecided in problems
        if contest_id is not None
    }


def sites(session: Session) -> list[SiteLine]:
    """Return every site with the end of its last finished visit for problems."""
    last = newest(ScrapeRun.purpose == PROBLEMS, ScrapeRun.finished_at.is_not(None))
    rows = session.execute(
        select(
            Source.slug,
            Source.name,
            Source.enabled,
            last.state,
            last.reason,
            last.started_at,
            func.coalesce(last.findings, text("'[]'::jsonb")),
        )
        .outerjoin(last, last.source_id == Source.id)
        .where(Source.kind == SourceKind.SITE)
        .order_by(Source.slug)
    )
    return [SiteLine(*row[:-1], tuple(map(finding_from_json, row[-1]))) for row in rows]


class FactsLine(NamedTuple):
    """Findings of a site's last visit for some facts."""

    slug: str
    name: str
    findings: tuple[PageFinding, ...]


def facts_found(session: Session) -> list[FactsLine]:
    """Return the findings of each site's last visit for each kind of facts, if there were any."""
    last = newest(ScrapeRun.finished_at.is_not(None))
    rows = session.execute(
        select(Source.slug, Source.name, last.findings)
        .join(last, last.source_id == Source.id)
        # Not a condition of `newest`, which would read all visits of these two purposes in vain.
        .where(last.purpose.not_in((PROBLEMS, COUNT)))
        .where(Source.enabled, func.jsonb_array_length(last.findings) > 0)
        .order_by(Source.slug)
    )
    return [FactsLine(slug, name, tuple(map(finding_from_json, findings))) for slug, name, findings in rows]


class ContestLag(NamedTuple):
    """When a contest ended, and how many seconds later its problems were here."""

    ended_at: datetime
    seconds: float


def lags(session: Session, since: datetime) -> dict[str, list[ContestLag]]:
    """Return the lags of each source's contests, for arrivals since `since`, in the order of arrival."""
    rows = session.execute(
        select(Source.slug, Contest.ends_at, ExpectedDataRow.settled_at)
        .join(Contest, Contest.source_id == Source.id)
        .join(ExpectedDataRow, ExpectedDataRow.contest_id == Contest.id)
        .where(
            ExpectedDataRow.purpose == PROBLEMS,
            ExpectedDataRow.state == ExpectedDataState.MET,
            ExpectedDataRow.settled_at >= since,
            # A contest that had ended before we knew of it says nothing about our freshness.
            ExpectedDataRow.late_at <= Contest.ends_at + ExpectedData().grace,
        )
        .order_by(ExpectedDataRow.settled_at, Contest.id)
    )
    found: dict[str, list[ContestLag]] = {}
    for slug, ends_at, settled_at in rows:
        if ends_at is not None and settled_at is not None:
            found.setdefault(slug, []).append(ContestLag(ends_at, (settled_at - ends_at).total_seconds()))
    return found


def visits_by_state(session: Session, since: datetime) -> dict[str, dict[str, int]]:
    """Return source -> number of visits by end state since `since`."""
    rows = session.execute(
        select(Source.slug, ScrapeRun.state, func.count())
        .join(Source, Source.id == ScrapeRun.source_id)
        .where(ScrapeRun.started_at >= since)
        .group_by(Source.slug, ScrapeRun.state)
    )
    return _nested(rows)


def answers_by_class(session: Session, since: datetime) -> dict[str, dict[str, int]]:
    """Return source -> number of responses by class since `since`."""
    rows = session.execute(
        select(Source.slug, Capture.classification, func.count())
        .join(Source, Source.id == Capture.source_id)
        .where(Capture.fetched_at >= since)
        .group_by(Source.slug, Capture.classification)
    )
    return _nested(rows)


def _nested(rows: Any) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for slug, name, count in rows:
        counts.setdefault(slug, {})[name] = count
    return counts


_CAPTURE_COLUMNS = (
    Capture.id, Source.slug, Capture.kind, Capture.url, Capture.classification, Capture.records, Capture.shape,
    Capture.review, Capture.findings, Capture.fetched_at, Capture.body_sha256,
)  # fmt: skip


def _capture_line(row: Any) -> CaptureLine:
    line = CaptureLine(*row)
    return line._replace(findings=tuple(map(finding_from_json, row.findings)))


def drifted_captures(session: Session, since: datetime, limit: int = 40) -> list[CaptureLine]:
    """Return unreviewed responses that failed to parse or whose structure is new.

    The first response of a kind is always new, and is left out.
    """
    newer = (
        select(Capture.source_id, Capture.kind, Capture.shape, func.min(Capture.fetched_at).label("first"))
        .where(Capture.shape.is_not(None))
        .group_by(Capture.source_id, Capture.kind, Capture.shape)
        .subquery()
    )
    oldest = (
        select(Capture.source_id, Capture.kind, func.min(Capture.fetched_at).label("first"))
        .where(Capture.classification == Classification.OK, Capture.shape.is_not(None))
        .group_by(Capture.source_id, Capture.kind)
        .subquery()
    )
    is_unreadable = Capture.classification == Classification.FORMAT_CHANGED
    first_of_shape = (Capture.fetched_at == newer.c.first) & (Capture.fetched_at > oldest.c.first)
    rows = session.execute(
        select(*_CAPTURE_COLUMNS)
        .join(Source, Source.id == Capture.source_id)
        .outerjoin(
            newer,
            (newer.c.source_id == Capture.source_id)
            & (newer.c.kind == Capture.kind)
            & (newer.c.shape == Capture.shape),
        )
        .outerjoin(oldest, (oldest.c.source_id == Capture.source_id) & (oldest.c.kind == Capture.kind))
        .where(
            Capture.review.is_(None),
            Capture.fetched_at >= since,
            Capture.body_sha256.is_not(None),
            or_(is_unreadable, (Capture.classification == Classification.OK) & first_of_shape),
        )
        .order_by(case((is_unreadable, 0), else_=1), Capture.fetched_at.desc())
        .limit(limit)
    )
    return [_capture_line(row) for row in rows]


def capture(session: Session, capture_id: int) -> CaptureLine | None:
    """Return one capture of a site."""
    row = session.execute(
        select(*_CAPTURE_COLUMNS).join(Source, Source.id == Capture.source_id).where(Capture.id == capture_id)
    ).one_or_none()
    return None if row is None else _capture_line(row)


def last_good(session: Session, line: CaptureLine) -> CaptureLine | None:
    """Return the newest well-read capture of the same kind before this one, preferably of the same address."""
    row = session.execute(
        select(*_CAPTURE_COLUMNS)
        .join(Source, Source.id == Capture.source_id)
        .where(
            Source.slug == line.source,
            Capture.kind == line.kind,
            Capture.classification == Classification.OK,
            Capture.id != line.id,
            Capture.fetched_at <= line.fetched_at,
            Capture.body_sha256.is_not(None),
        )
        .order_by(case((Capture.url == line.url, 0), else_=1), Capture.fetched_at.desc())
        .limit(1)
    ).one_or_none()
    return None if row is None else _capture_line(row)


def review(session: Session, capture_ids: Sequence[int], decision: str) -> int:
    """Record a decision about captures without one, and return their number."""
    rows = session.scalars(select(Capture).where(Capture.id.in_(list(capture_ids)), Capture.review.is_(None)))
    captures = rows.all()
    for capture in captures:
        capture.review = decision
    return len(captures)


def running_visits(session: Session) -> Mapping[str, datetime]:
    """Return the sources that are being visited now, with the start of the visit."""
    rows = session.execute(
        select(Source.slug, ScrapeRun.started_at)
        .join(Source, Source.id == ScrapeRun.source_id)
        .where(ScrapeRun.finished_at.is_(None))
    )
    return {row[0]: row[1] for row in rows}


def lookback_start(now: datetime) -> datetime:
    """Return the start of the period that maintainers' pages show: 14 days ago."""
    return now - timedelta(days=14)
