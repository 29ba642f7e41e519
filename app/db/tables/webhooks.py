"""Tables of vendors' webhooks: where events are sent, the events, and each event's deliveries."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import Text

from app.db.tables.base import Base, BigId, Json, RuleReason, one_of


class DeliveryState(StrEnum):
    """State of a delivery; a failed one is not sent again by itself."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


class Webhook(Base):
    """An address that an organisation's events are sent to; without `events` all of them.

    Secrets are encrypted at rest. Until `old_until` the secret before signs, too.
    """

    __tablename__ = "webhooks"
    __table_args__ = (UniqueConstraint("public_id"),)

    id: Mapped[BigId]
    public_id: Mapped[str]
    organisation_id: Mapped[int] = mapped_column(ForeignKey("organisations.id"), index=True)
    url: Mapped[str]
    events: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    sealed_secret: Mapped[bytes]
    old_sealed_secret: Mapped[bytes | None]
    old_until: Mapped[datetime | None]
    created_at: Mapped[datetime]
    disabled_at: Mapped[datetime | None]
    disabled_reason: Mapped[RuleReason | None]


class VendorEvent(Base):
    """Something that an organisation may be told; `key` names it, so that it is recorded once."""

    __tablename__ = "vendor_events"
    __table_args__ = (
        UniqueConstraint("public_id"),
        UniqueConstraint("organisation_id", "key"),
        Index(None, "organisation_id", "id"),
        Index(None, "created_at"),
    )

    id: Mapped[BigId]
    public_id: Mapped[str]
    organisation_id: Mapped[int] = mapped_column(ForeignKey("organisations.id"))
    type: Mapped[str]
    key: Mapped[str]
    data: Mapped[Json]
    created_at: Mapped[datetime]


class WebhookDelivery(Base):
    """The sending of one event to one webhook; until `due_at` it rests, or is being sent under `lease_token`."""

    __tablename__ = "webhook_deliveries"
    __table_args__ = (
        UniqueConstraint("webhook_id", "event_id"),
        Index(None, "event_id"),
        Index("ix_webhook_deliveries_due", "due_at", postgresql_where=text("state = 'pending'")),
        one_of("state", DeliveryState),
    )

    id: Mapped[BigId]
    webhook_id: Mapped[int] = mapped_column(ForeignKey("webhooks.id"))
    event_id: Mapped[int] = mapped_column(ForeignKey("vendor_events.id"))
    state: Mapped[str]
    attempts: Mapped[int] = mapped_column(server_default=text("0"))
    due_at: Mapped[datetime]
    lease_token: Mapped[str | None]
    sent_at: Mapped[datetime | None]
    status: Mapped[int | None]
    failure: Mapped[RuleReason | None]
