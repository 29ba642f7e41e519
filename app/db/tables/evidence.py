"""Tables of problems sent to endpoints, reports over cells, and external scores and ratings."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from app.db.tables.base import Base, BigId, Json


class ExposureRow(Base):
    """A sending of a problem to an endpoint; its operator may have kept the problem since. Insert only.

    `address` is the endpoint's host and port at that time, empty for an endpoint of ours.
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


class GatewayRow(Base):
    """A host that serves models of several vendors, as a maintainer stated (`app.domain.vendors.gateways`)."""

    __tablename__ = "gateways"
    __table_args__ = (CheckConstraint("path_segment >= 1", name="path_segment"),)

    address: Mapped[str] = mapped_column(primary_key=True)
    path_segment: Mapped[int | None]
    reason: Mapped[str]
    stated_by: Mapped[str]
    stated_at: Mapped[datetime]


class ReportRow(Base):
    """The newest result of a long computation over a protocol's cells. Derived: a new computation gives the same."""

    __tablename__ = "reports"

    kind: Mapped[str] = mapped_column(primary_key=True)
    protocol_id: Mapped[int] = mapped_column(ForeignKey("protocols.id"), primary_key=True)
    revision: Mapped[int]
    made_at: Mapped[datetime]
    took_s: Mapped[float]
    body: Mapped[Json]


class Signature(Base):
    """A maintainer's decision that a run's contamination result may be public. Insert only.

    `body` is the signed result, as of `made_at` and of the data with this digest; NULL withdraws the signature. The
    newest row of a run counts.
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
    """Link from a problem to the original that it rewrites in other words, so that recall does not help."""

    __tablename__ = "rewrites"
    __table_args__ = (CheckConstraint("problem_id <> original_id", name="other"),)

    problem_id: Mapped[int] = mapped_column(ForeignKey("problems.id"), primary_key=True)
    original_id: Mapped[int] = mapped_column(ForeignKey("problems.id"), index=True)


class ExternalFile(Base):
    """A file's scores on an external benchmark: (model, score, tasks). The newest of a name counts."""

    __tablename__ = "external_tables"

    name: Mapped[str] = mapped_column(primary_key=True)
    file_sha256: Mapped[str] = mapped_column(primary_key=True)
    stored_at: Mapped[datetime]
    blob_sha256: Mapped[str] = mapped_column(ForeignKey("blobs.sha256"))


class HumanRatings(Base):
    """A file's rating distribution of all people of a site: pairs of (rating, people). The newest counts."""

    __tablename__ = "human_fields"

    file_sha256: Mapped[str] = mapped_column(primary_key=True)
    stored_at: Mapped[datetime]
    people: Mapped[int]
    blob_sha256: Mapped[str] = mapped_column(ForeignKey("blobs.sha256"))
