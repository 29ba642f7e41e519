"""Acts of members on their organisation's orders: the same services as the API's, behind the member's role."""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal

from app.db.kernel.session import Session
from app.db.vendors.order_lists import OrderFilter
from app.domain.asking.completions import RunCheck
from app.domain.states import MemberRole
from app.services.boards.cubes import CubeStore
from app.services.vendors import submissions
from app.services.vendors.console.actions import record_act
from app.services.vendors.console.sign_in import ConsoleMember
from app.services.vendors.orders import dry_runs, order_changes, order_items, order_previews, order_views
from app.services.vendors.orders.dry_runs import DryRun
from app.services.vendors.orders.order_checks import NewSubmission
from app.services.vendors.orders.order_items import OrderItemPage
from app.services.vendors.orders.order_previews import OrderPreview
from app.services.vendors.orders.order_views import SubmissionAnswer, SubmissionPage


def place_orders(
    session: Session, who: ConsoleMember, orders: Iterable[NewSubmission], now: datetime, check: RunCheck
) -> list[SubmissionAnswer]:
    """Pre-register orders, all or none. Raises Forbidden, and as the API's order does."""
    who.require(MemberRole.MEMBER)
    answers = [submissions.submit(session, who.organisation_id, new, now, check) for new in orders]
    for answer in answers:
        record_act(session, who, "console.order_placed", answer.id, now)
    return answers


def try_orders(
    session: Session, who: ConsoleMember, orders: Iterable[NewSubmission], now: datetime, check: RunCheck
) -> list[DryRun]:
    """Return what orders would ask, cost and take. Raises Forbidden, and as the order; the caller rolls back."""
    who.require(MemberRole.MEMBER)
    return [dry_runs.dry_run(session, who.organisation_id, new, now, check) for new in orders]


def cancel_order(session: Session, who: ConsoleMember, public_id: str, now: datetime) -> SubmissionAnswer:
    """Cancel an own order. Raises Forbidden, NotFound, Conflict."""
    who.require(MemberRole.MEMBER)
    record_act(session, who, "console.order_cancelled", public_id, now)
    return submissions.cancel(session, who.organisation_id, public_id, now)


def pause_order(session: Session, who: ConsoleMember, public_id: str, now: datetime) -> SubmissionAnswer:
    """Pause an own order. Raises Forbidden, NotFound, Conflict."""
    who.require(MemberRole.MEMBER)
    record_act(session, who, "console.order_paused", public_id, now)
    return order_changes.pause(session, who.organisation_id, public_id, now)


def resume_order(session: Session, who: ConsoleMember, public_id: str, now: datetime) -> SubmissionAnswer:
    """Resume an own order that was paused by the organisation. Raises Forbidden, NotFound, Conflict."""
    who.require(MemberRole.MEMBER)
    record_act(session, who, "console.order_resumed", public_id, now)
    return order_changes.resume(session, who.organisation_id, public_id, now)


def retry_order(session: Session, who: ConsoleMember, public_id: str, now: datetime) -> SubmissionAnswer:
    """Ask the failed samples of an own order again at once. Raises Forbidden, NotFound, Conflict."""
    who.require(MemberRole.MEMBER)
    record_act(session, who, "console.order_retried", public_id, now)
    return order_changes.retry_failed(session, who.organisation_id, public_id, now)


def set_order_budget(
    session: Session, who: ConsoleMember, public_id: str, usd: Decimal | None, now: datetime
) -> SubmissionAnswer:
    """Change the budget of an own order; None removes it. Raises Forbidden, NotFound, Conflict."""
    who.require(MemberRole.MEMBER)
    record_act(session, who, "console.order_budget", public_id, now)
    return submissions.set_budget(session, who.organisation_id, public_id, usd, now)


def get_order(session: Session, who: ConsoleMember, public_id: str) -> SubmissionAnswer:
    """Return an own order. Raises NotFound."""
    who.require(MemberRole.VIEWER)
    return submissions.get(session, who.organisation_id, public_id)


def list_orders(session: Session, who: ConsoleMember, cursor: str | None, limit: int) -> SubmissionPage:
    """Return own orders, the newest first."""
    who.require(MemberRole.VIEWER)
    return order_views.list_orders(session, who.organisation_id, OrderFilter(), cursor, limit)


def list_items(
    session: Session, who: ConsoleMember, public_id: str, cursor: str | None, limit: int, *, failed: bool
) -> OrderItemPage:
    """Return answers that an own order asks for, or only the failed ones. Raises NotFound, InvalidInput."""
    who.require(MemberRole.VIEWER)
    return order_items.list_items(session, who.organisation_id, public_id, cursor, limit, failed=failed)


def preview_order(session: Session, who: ConsoleMember, public_id: str, cubes: CubeStore) -> OrderPreview:
    """Return the row of an own private or embargoed order. Raises NotFound, Conflict, Unavailable."""
    who.require(MemberRole.VIEWER)
    return order_previews.preview_order(session, who.organisation_id, public_id, cubes)
