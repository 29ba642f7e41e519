"""Tables of sources, visits, captures and contests."""

from datetime import datetime, timedelta

from sqlalchemy import CheckConstraint, ForeignKey, Index, Interval, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.db.tables.base import Base, BigId, Json, JsonList, StoredReason, children_index, one_of
from app.domain.sources.kinds import SourceKind
from app.domain.states import ContestState, ExpectedDataState, ScrapeState


class Source(Base):
    """A site or a suite, with its policy and the cursor of the last visit."""

    __tablename__ = "sources"
    __table_args__ = (UniqueConstraint("slug"), one_of("kind", SourceKind))

    id: Mapped[BigId]
    slug: Mapped[str]
    name: Mapped[str]
    kind: Mapped[str]
    base_url: Mapped[str | None]
    cursor: Mapped[Json] = mapped_column(server_default=text("'{}'::jsonb"))
    fetch_statements: Mapped[bool] = mapped_column(server_default=text("true"))
    show_statements: Mapped[bool] = mapped_column(server_default=text("false"))
    send_statements: Mapped[bool] = mapped_column(server_default=text("true"))
    states_limits: Mapped[bool] = mapped_column(server_default=text("true"))
    enabled: Mapped[bool] = mapped_column(server_default=text("true"))
    margin: Mapped[timedelta] = mapped_column(Interval, server_default=text("'00:10:00'::interval"))
    demo: Mapped[bool] = mapped_column(server_default=text("false"))


class Contest(Base):
    """A contest, which dates its problems; nothing is fetched before it has ended."""

    __tablename__ = "contests"
    __table_args__ = (
        UniqueConstraint("source_id", "external_id"),
        one_of("state", ContestState),
        CheckConstraint("ends_at IS NULL OR ends_at >= starts_at", name="order"),
    )

    id: Mapped[BigId]
    source_id: Mapped[int] = mapped_column(ForeignKey("sources.id"))
    external_id: Mapped[str]
    title: Mapped[str]
    kind: Mapped[str | None]
    division: Mapped[str | None]
    url: Mapped[str | None]
    starts_at: Mapped[datetime | None]
    ends_at: Mapped[datetime | None]
    state: Mapped[str]


class ExpectedDataRow(Base):
    """Data expected from a contest after its end: its problems, or facts by name, with the next fetch time."""

    __tablename__ = "obligations"
    __table_args__ = (
        one_of("state", ExpectedDataState),
        CheckConstraint("(state = 'open') = (settled_at IS NULL)", name="settled"),
        Index("ix_obligations_due", "due_at", postgresql_where=text("state = 'open'")),
    )

    contest_id: Mapped[int] = mapped_column(ForeignKey("contests.id"), primary_key=True)
    purpose: Mapped[str] = mapped_column(primary_key=True)
    state: Mapped[str] = mapped_column(server_default=text("'open'"))
    due_at: Mapped[datetime]
    late_at: Mapped[datetime]
    attempts: Mapped[int] = mapped_column(server_default=text("0"))
    settled_at: Mapped[datetime | None]
    reason: Mapped[StoredReason | None]


class ContestStanding(Base):
    """The participants of a contest in one capture: rows of (rank, rating, points, penalty, problems solved)."""

    __tablename__ = "contest_standings"

    contest_id: Mapped[int] = mapped_column(ForeignKey("contests.id"), primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    captured_at: Mapped[datetime] = mapped_column(primary_key=True)
    rows: Mapped[int]
    blob_sha256: Mapped[str] = mapped_column(ForeignKey("blobs.sha256"))


class ScrapeRun(Base):
    """One visit to a source: its purpose, end state, counts and findings."""

    __tablename__ = "scrape_runs"
    __table_args__ = (
        one_of("state", ScrapeState),
        CheckConstraint("state IN ('running', 'succeeded') OR reason IS NOT NULL", name="reason"),
        # One fetcher a host: a second running scrape of a source cannot exist.
        Index("uq_scrape_runs_running", "source_id", unique=True, postgresql_where=text("state = 'running'")),
        Index("ix_scrape_runs_newest", "source_id", "purpose", "id"),
    )

    id: Mapped[BigId]
    source_id: Mapped[int] = mapped_column(ForeignKey("sources.id"))
    purpose: Mapped[str] = mapped_column(server_default=text("'problems'"))
    state: Mapped[str]
    reason: Mapped[StoredReason | None]
    started_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]
    lease_token: Mapped[str | None]
    lease_until: Mapped[datetime | None]
    backfill: Mapped[Json | None]
    cursor_after: Mapped[Json | None]
    counts: Mapped[Json] = mapped_column(server_default=text("'{}'::jsonb"))
    findings: Mapped[JsonList] = mapped_column(server_default=text("'[]'::jsonb"))


class Blob(Base):
    """Raw bytes by content, compressed, exactly as a site or a model sent them."""

    __tablename__ = "blobs"

    sha256: Mapped[str] = mapped_column(primary_key=True)
    size: Mapped[int]
    body: Mapped[bytes]


class Capture(Base):
    """One classified response of a source; the same bytes at the same address are one fact."""

    __tablename__ = "captures"
    __table_args__ = (
        UniqueConstraint("source_id", "url", "body_sha256", postgresql_nulls_not_distinct=True),
        Index("ix_captures_source_class", "source_id", "classification"),
        Index("ix_captures_fetched", "source_id", "fetched_at", "id"),
        children_index("captures", "body_sha256"),
    )

    id: Mapped[BigId]
    source_id: Mapped[int] = mapped_column(ForeignKey("sources.id"))
    scrape_run_id: Mapped[int | None] = mapped_column(ForeignKey("scrape_runs.id"), index=True)
    url: Mapped[str]
    kind: Mapped[str]
    contest: Mapped[str | None]  # external id of the contest it was fetched for
    body_sha256: Mapped[str | None] = mapped_column(ForeignKey("blobs.sha256"))
    http_status: Mapped[int | None]
    classification: Mapped[str]
    headers: Mapped[Json] = mapped_column(server_default=text("'{}'::jsonb"))
    findings: Mapped[JsonList] = mapped_column(server_default=text("'[]'::jsonb"))
    records: Mapped[int]
    shape: Mapped[str | None]  # a digest of the body's structure, without its content
    review: Mapped[str | None]  # a maintainer's decision about a new structure
    fetched_at: Mapped[datetime]
