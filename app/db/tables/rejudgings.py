"""Tables of rejudgings, their answers and approvals, and of grader revisions."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from app.db.tables.base import Base, BigId, Json, StoredReason, children_index, one_of
from app.domain.states import RejudgedState, RejudgingState


class Rejudging(Base):
    """A rejudging with its reason, its scope, and the predicted and actual moves."""

    __tablename__ = "rejudgings"
    __table_args__ = (one_of("state", RejudgingState),)

    id: Mapped[BigId]
    scope: Mapped[Json]
    reason: Mapped[StoredReason]
    actor: Mapped[str]
    state: Mapped[str] = mapped_column(server_default=text("'proposed'"))
    state_since: Mapped[datetime]
    predicted: Mapped[Json | None]
    actual: Mapped[Json | None]
    created_at: Mapped[datetime]


class RejudgedSample(Base):
    """An answer to be judged again, and its place in that queue; the sample itself does not change."""

    __tablename__ = "rejudged_samples"
    __table_args__ = (
        one_of("state", RejudgedState),
        Index("ix_rejudged_samples_state", "rejudging_id", "state"),
        Index(
            "ix_rejudged_samples_waiting",
            "rejudging_id",
            "test_set_id",
            "sample_id",
            postgresql_where=text("state = 'waiting'"),
        ),
        children_index("rejudged_samples", "old_verdict_id"),
        children_index("rejudged_samples", "new_verdict_id"),
        Index("ix_rejudged_samples_lease", "lease_until", postgresql_where=text("lease_token IS NOT NULL")),
    )

    rejudging_id: Mapped[int] = mapped_column(ForeignKey("rejudgings.id"), primary_key=True)
    sample_id: Mapped[int] = mapped_column(ForeignKey("samples.id"), primary_key=True)
    test_set_id: Mapped[int] = mapped_column(ForeignKey("test_sets.id"))
    old_verdict_id: Mapped[int] = mapped_column(ForeignKey("verdicts.id"))
    new_verdict_id: Mapped[int | None] = mapped_column(ForeignKey("verdicts.id"))
    state: Mapped[str] = mapped_column(server_default=text("'waiting'"))
    lease_token: Mapped[str | None]
    lease_until: Mapped[datetime | None]
    attempts: Mapped[int] = mapped_column(server_default=text("0"))
    error: Mapped[StoredReason | None]


class RejudgingApproval(Base):
    """A maintainer's approval of the predicted moves."""

    __tablename__ = "rejudging_approvals"

    rejudging_id: Mapped[int] = mapped_column(ForeignKey("rejudgings.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True)
    reason: Mapped[str]
    at: Mapped[datetime]


class GraderRevision(Base):
    """A grader revision that made a verdict here; revisions of one lineage succeed one another."""

    __tablename__ = "grader_revisions"

    revision: Mapped[str] = mapped_column(primary_key=True)
    lineage: Mapped[str]
    first_at: Mapped[datetime]
