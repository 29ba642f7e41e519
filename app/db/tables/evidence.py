"""What was sent to whom, what the boards' numbers were tried for, and what they are compared with."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from app.db.tables.base import Base, BigId, Json


class Exposure(Base):
    """A problem that was sent to an endpoint; whoever serves it may have kept it from then on. Insert only.

    `address` is the host and port that the endpoint had then, empty of one of our own.
    """

    __tablename__ = "exposures"
    __table_args__ = (
        Index("ix_exposures_sent_at", "sent_at"),
        Index("ix_exposures_endpoint", "endpoint_id", "sent_at"),
        Index("ix_exposures_address", "address", "sent_at", postgresql_where=text("address <> ''")),
    )

    endpoint_id: Mapped[int] = mapped_column(ForeignKey("endpoints.id"), primary_key=True)
    problem_id: Mapped[int] = mapped_column(ForeignKey("problems.id"), primary_key=True)
    sent_at: Mapped[datetime] = mapped_column(primary_key=True)
    address: Mapped[str] = mapped_column(server_default=text("''"))


class Report(Base):
    """The newest result of a long computation over a protocol's cells. Derived: made again, it is the same."""

    __tablename__ = "reports"

    kind: Mapped[str] = mapped_column(primary_key=True)
    protocol_id: Mapped[int] = mapped_column(ForeignKey("protocols.id"), primary_key=True)
    revision: Mapped[int]
    made_at: Mapped[datetime]
    took_s: Mapped[float]
    body: Mapped[Json]


class Signature(Base):
    """A maintainer's word that what a test for contamination found of a run may be public. Insert only.

    `body` is what was signed, as of `made_at` and of the data with this digest; without one it is taken back. The
    newest of a run counts.
    """

    __tablename__ = "signatures"

    id: Mapped[BigId]
    run_id: Mapped[int] = mapped_column(ForeignKey("runs.id"), index=True)
    data_sha256: Mapped[str]
    body: Mapped[Json | None]
    made_at: Mapped[datetime]
    signed_by: Mapped[str]
    signed_at: Mapped[datetime]


class Rewrite(Base):
    """A problem that asks what another one does, in other words: whoever recalls that one has no help here."""

    __tablename__ = "rewrites"
    __table_args__ = (CheckConstraint("problem_id <> original_id", name="other"),)

    problem_id: Mapped[int] = mapped_column(ForeignKey("problems.id"), primary_key=True)
    original_id: Mapped[int] = mapped_column(ForeignKey("problems.id"), index=True)


class ExternalFile(Base):
    """Scores on a benchmark of others as a file gave them: (model, score, tasks). The newest of a name counts."""

    __tablename__ = "external_tables"

    name: Mapped[str] = mapped_column(primary_key=True)
    file_sha256: Mapped[str] = mapped_column(primary_key=True)
    stored_at: Mapped[datetime]
    blob_sha256: Mapped[str] = mapped_column(ForeignKey("blobs.sha256"))


class HumanField(Base):
    """The ratings of all people of a site as a file gave them: pairs of (rating, people). The newest counts."""

    __tablename__ = "human_fields"

    file_sha256: Mapped[str] = mapped_column(primary_key=True)
    stored_at: Mapped[datetime]
    people: Mapped[int]
    blob_sha256: Mapped[str] = mapped_column(ForeignKey("blobs.sha256"))
