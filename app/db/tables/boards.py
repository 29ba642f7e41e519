"""Tables behind boards: cells (derived), their revision, snapshots, the public ledger."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Identity, Index, UniqueConstraint
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.db.tables.base import Base, BigId, Json, StoredReason, one_of
from app.domain.boards.snapshots import FrozenBy


class CellRow(Base):
    """(run, problem, item) -> n graded, c accepted. Derived: a rebuild gives the same rows."""

    __tablename__ = "cells"
    __table_args__ = (CheckConstraint("c >= 0 AND c <= n", name="counts"), Index("ix_cells_revision", "revision"))

    run_id: Mapped[int] = mapped_column(ForeignKey("runs.id"), primary_key=True)
    problem_id: Mapped[int] = mapped_column(ForeignKey("problems.id"), primary_key=True)
    item: Mapped[int] = mapped_column(primary_key=True)
    n: Mapped[int]
    c: Mapped[int]
    pending: Mapped[int]
    judge_errors: Mapped[int]
    revision: Mapped[int]


class DirtyCell(Base):
    """Mark on a cell whose facts changed.

    Insert-only, with duplicates on purpose: a change committed while the aggregation reads must leave a mark that this
    aggregation has not deleted.
    """

    __tablename__ = "dirty_cells"

    id: Mapped[BigId]
    run_id: Mapped[int] = mapped_column(ForeignKey("runs.id"))
    problem_id: Mapped[int] = mapped_column(ForeignKey("problems.id"))
    item: Mapped[int]


class BoardState(Base):
    """Single row with the revision of everything that boards show. Its row lock puts revisions in commit order."""

    __tablename__ = "board_state"
    __table_args__ = (CheckConstraint("id = 1", name="single"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    revision: Mapped[int]
    # Bumped when problems, runs or models change, so that every cube rebuilds its axes.
    axes_revision: Mapped[int]
    # Bumped when cells are removed: older cubes cannot be updated.
    whole_revision: Mapped[int]
    # Number of method revisions (`app.domain.methods`) at the last start; NULL before the first.
    methods: Mapped[int | None]


class Snapshot(Base):
    """A board frozen under a permanent link. Its bytes, and those of its CSV, are blobs."""

    __tablename__ = "snapshots"
    __table_args__ = (UniqueConstraint("id"), one_of("frozen_by", FrozenBy))

    sha256: Mapped[str] = mapped_column(ForeignKey("blobs.sha256"), primary_key=True)
    # In the order of creation, for lists.
    id: Mapped[int] = mapped_column(BigInteger, Identity())
    board: Mapped[str]
    # Every parameter of the board's URL with its values, always including the protocol.
    query: Mapped[Json]
    revision: Mapped[int]
    csv_sha256: Mapped[str] = mapped_column(ForeignKey("blobs.sha256"))
    frozen_by: Mapped[str]
    reason: Mapped[StoredReason]
    created_at: Mapped[datetime]


class LedgerEntry(Base):
    """Public record of an addition, withdrawal, rescoring or edit, with its reason."""

    __tablename__ = "ledger"
    __table_args__ = (Index("ix_ledger_kind_id", "kind", "id"), Index("ix_ledger_subject_id", "subject", "id"))

    id: Mapped[BigId]
    at: Mapped[datetime]
    kind: Mapped[str]
    subject: Mapped[str]
    reason: Mapped[StoredReason]
    before: Mapped[Any | None] = mapped_column(JSONB)
    after: Mapped[Any | None] = mapped_column(JSONB)


class ScoreCause(Base):
    """A ledger line that may have moved scores; deleted once its effect has been checked."""

    __tablename__ = "score_causes"

    line_id: Mapped[int] = mapped_column(ForeignKey("ledger.id"), primary_key=True, autoincrement=False)


class PublicScore(Base):
    """A row's place on the whole board of its protocol at the last check."""

    __tablename__ = "public_scores"

    protocol_id: Mapped[int] = mapped_column(ForeignKey("protocols.id"), primary_key=True)
    model: Mapped[str] = mapped_column(primary_key=True)
    configuration: Mapped[str] = mapped_column(primary_key=True)
    place: Mapped[Json]
