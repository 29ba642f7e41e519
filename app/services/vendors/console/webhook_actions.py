"""Acts of members on their organisation's webhooks: the same services as the API's, behind the member's role."""

from collections.abc import Sequence
from datetime import datetime

from app.db.kernel.session import Session
from app.domain.states import MemberRole
from app.services.runs.endpoint_secrets import Vault
from app.services.vendors import webhooks
from app.services.vendors.console.actions import record_act
from app.services.vendors.console.sign_in import ConsoleMember
from app.services.vendors.webhooks import DeliveryPage, WebhookAnswer, WebhookChange


def list_webhooks(session: Session, who: ConsoleMember, now: datetime) -> list[WebhookAnswer]:
    """Return the own organisation's webhooks, the oldest first."""
    who.require(MemberRole.VIEWER)
    return webhooks.list_webhooks(session, who.organisation_id, now).data


def get_webhook(session: Session, who: ConsoleMember, public_id: str, now: datetime) -> WebhookAnswer:
    """Return an own webhook. Raises NotFound."""
    who.require(MemberRole.VIEWER)
    return webhooks.get_webhook(session, who.organisation_id, public_id, now)


def list_deliveries(
    session: Session, who: ConsoleMember, public_id: str, cursor: str | None, limit: int
) -> DeliveryPage:
    """Return what was sent to an own webhook, the newest first. Raises NotFound."""
    who.require(MemberRole.VIEWER)
    return webhooks.list_deliveries(session, who.organisation_id, public_id, cursor, limit)


def create_webhook(
    session: Session, who: ConsoleMember, url: str, events: Sequence[str], now: datetime, vault: Vault
) -> WebhookAnswer:
    """Register an address that the caller has checked. Raises Forbidden, and as the API's registration does."""
    who.require(MemberRole.MEMBER)
    answer = webhooks.create_webhook(session, who.organisation_id, url, events, now, vault)
    record_act(session, who, "console.webhook_created", answer.id, now)
    return answer


def change_webhook(
    session: Session, who: ConsoleMember, public_id: str, change: WebhookChange, now: datetime
) -> WebhookAnswer:
    """Change an own webhook, or switch it off or on. Raises Forbidden, NotFound, InvalidInput."""
    who.require(MemberRole.MEMBER)
    record_act(session, who, "console.webhook_changed", public_id, now)
    return webhooks.update_webhook(session, who.organisation_id, public_id, change, now)


def delete_webhook(session: Session, who: ConsoleMember, public_id: str, now: datetime) -> None:
    """Delete an own webhook with its deliveries. Raises Forbidden, NotFound."""
    who.require(MemberRole.MEMBER)
    record_act(session, who, "console.webhook_deleted", public_id, now)
    webhooks.delete_webhook(session, who.organisation_id, public_id, now)


def show_secret(session: Session, who: ConsoleMember, public_id: str, now: datetime, vault: Vault) -> str:
    """Return the secret of an own webhook; the audit log says who saw it. Raises Forbidden, NotFound, Unavailable."""
    who.require(MemberRole.MEMBER)
    record_act(session, who, "console.webhook_secret_shown", public_id, now)
    return webhooks.get_secret(session, who.organisation_id, public_id, vault).secret


def rotate_secret(session: Session, who: ConsoleMember, public_id: str, now: datetime, vault: Vault) -> str:
    """Replace the secret of an own webhook and return the new one. Raises Forbidden, NotFound, Unavailable."""
    who.require(MemberRole.MEMBER)
    record_act(session, who, "console.webhook_secret_rotated", public_id, now)
    webhooks.rotate_secret(session, who.organisation_id, public_id, now, vault)
    return webhooks.get_secret(session, who.organisation_id, public_id, vault).secret


def send_test(session: Session, who: ConsoleMember, public_id: str, now: datetime) -> None:
    """Queue a test event for an own webhook. Raises Forbidden, NotFound, Conflict."""
    who.require(MemberRole.MEMBER)
    record_act(session, who, "console.webhook_tested", public_id, now)
    webhooks.send_test(session, who.organisation_id, public_id, now)


def redeliver(session: Session, who: ConsoleMember, public_id: str, event: str, now: datetime) -> None:
    """Send an event to an own webhook once more. Raises Forbidden, NotFound, Conflict."""
    who.require(MemberRole.MEMBER)
    record_act(session, who, "console.webhook_event_redelivered", public_id, now)
    webhooks.redeliver(session, who.organisation_id, public_id, event, now)
