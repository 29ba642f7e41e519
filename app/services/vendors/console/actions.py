"""Acts of members for their organisation: the same services as the API's, behind the member's role."""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.vendors.order_lists import OrderFilter
from app.domain.asking.completions import RunCheck
from app.domain.reasons import Reason
from app.domain.states import MemberRole
from app.services.runs.control.endpoints import NewEndpoint
from app.services.runs.endpoint_secrets import Vault
from app.services.vendors import registrations, submissions
from app.services.vendors.console.sign_in import ConsoleMember
from app.services.vendors.declarations import DeclaredDates
from app.services.vendors.orders import order_views
from app.services.vendors.orders.order_checks import NewSubmission
from app.services.vendors.orders.order_views import SubmissionAnswer, SubmissionPage
from app.services.vendors.registrations import EndpointAnswer, ModelAnswer, NewModel


def check_may_write(who: ConsoleMember) -> None:
    """Raise Forbidden for a member who only reads."""
    who.require(MemberRole.MEMBER)


def create_model(session: Session, who: ConsoleMember, new: NewModel, now: datetime) -> ModelAnswer:
    """Register a model of the own organisation. Raises Forbidden, and as the API's registration does."""
    who.require(MemberRole.MEMBER)
    _record(session, who, "console.model_created", new.slug, now)
    return registrations.create_model(session, who.organisation_id, new, now)


def declare(session: Session, who: ConsoleMember, slug: str, declared: DeclaredDates, now: datetime) -> ModelAnswer:
    """Declare the dates of an own model. Raises Forbidden, NotFound, InvalidInput."""
    who.require(MemberRole.MEMBER)
    _record(session, who, "console.cutoff_declared", slug, now)
    return registrations.declare(session, who.organisation_id, slug, declared, now)


def write_endpoint(
    session: Session, who: ConsoleMember, new: NewEndpoint, now: datetime, vault: Vault
) -> EndpointAnswer:
    """Register or change an endpoint whose address the caller has checked. Raises Forbidden, and as the API's does."""
    who.require(MemberRole.MEMBER)
    answer = registrations.create_endpoint(session, who.organisation_id, new, now, vault)
    _record(session, who, "console.endpoint_written", f"{new.model}/{answer.id}", now)
    return answer


def place_orders(
    session: Session, who: ConsoleMember, orders: Iterable[NewSubmission], now: datetime, check: RunCheck
) -> list[SubmissionAnswer]:
    """Pre-register orders, all or none. Raises Forbidden, and as the API's order does."""
    who.require(MemberRole.MEMBER)
    answers = [submissions.submit(session, who.organisation_id, new, now, check) for new in orders]
    for answer in answers:
        _record(session, who, "console.order_placed", answer.id, now)
    return answers


def cancel_order(session: Session, who: ConsoleMember, public_id: str, now: datetime) -> SubmissionAnswer:
    """Cancel an own order. Raises Forbidden, NotFound, Conflict."""
    who.require(MemberRole.MEMBER)
    _record(session, who, "console.order_cancelled", public_id, now)
    return submissions.cancel(session, who.organisation_id, public_id, now)


def set_order_budget(
    session: Session, who: ConsoleMember, public_id: str, usd: Decimal | None, now: datetime
) -> SubmissionAnswer:
    """Change the budget of an own order; None removes it. Raises Forbidden, NotFound, Conflict."""
    who.require(MemberRole.MEMBER)
    _record(session, who, "console.order_budget", public_id, now)
    return submissions.set_budget(session, who.organisation_id, public_id, usd, now)


def get_order(session: Session, who: ConsoleMember, public_id: str) -> SubmissionAnswer:
    """Return an own order. Raises NotFound."""
    who.require(MemberRole.VIEWER)
    return submissions.get(session, who.organisation_id, public_id)


def list_orders(session: Session, who: ConsoleMember, cursor: str | None, limit: int) -> SubmissionPage:
    """Return own orders, the newest first."""
    who.require(MemberRole.VIEWER)
    return order_views.list_orders(session, who.organisation_id, OrderFilter(), cursor, limit)


def _record(session: Session, who: ConsoleMember, action: str, subject: str, now: datetime) -> None:
    logs.write_audit(session, now, f"member:{who.member_id}", action, subject[:200], Reason("console"))
