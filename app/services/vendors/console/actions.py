"""Acts of members on their organisation's models, endpoints and disputes: the API's services, behind a role."""

import secrets
from datetime import datetime

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.domain.asking.completions import RunCheck
from app.domain.reasons import Reason
from app.domain.states import MemberRole
from app.services.runs.control.endpoints import NewEndpoint
from app.services.runs.endpoint_secrets import Vault
from app.services.vendors import disputes, own_endpoints, own_models, probes, registrations
from app.services.vendors.console.sign_in import ConsoleMember
from app.services.vendors.declarations import DeclaredDates
from app.services.vendors.disputes import DisputeAnswer, DisputePage, NewDispute
from app.services.vendors.own_endpoints import EndpointChange
from app.services.vendors.own_models import ModelChange
from app.services.vendors.probes import NewProbe, ProbeAnswer
from app.services.vendors.registrations import EndpointAnswer, ModelAnswer, NewModel


def create_model(session: Session, who: ConsoleMember, new: NewModel, now: datetime) -> ModelAnswer:
    """Register a model of the own organisation. Raises Forbidden, and as the API's registration does."""
    who.require(MemberRole.MEMBER)
    record_act(session, who, "console.model_created", new.slug, now)
    return registrations.create_model(session, who.organisation_id, new, now)


def declare(session: Session, who: ConsoleMember, slug: str, declared: DeclaredDates, now: datetime) -> ModelAnswer:
    """Declare the dates of an own model. Raises Forbidden, NotFound, InvalidInput."""
    who.require(MemberRole.MEMBER)
    record_act(session, who, "console.cutoff_declared", slug, now)
    return registrations.declare(session, who.organisation_id, slug, declared, now)


def change_model(
    session: Session, who: ConsoleMember, slug: str, change: ModelChange, etag: str, now: datetime
) -> ModelAnswer:
    """Rename an own model before its first prompt, or change its link. Raises Forbidden, and as the API's change."""
    who.require(MemberRole.MEMBER)
    record_act(session, who, "console.model_changed", slug, now)
    return own_models.update_model(session, who.organisation_id, slug, change, etag, now)


def delete_model(session: Session, who: ConsoleMember, slug: str, now: datetime) -> None:
    """Delete an own model of which nothing was ordered. Raises Forbidden, NotFound, Conflict."""
    who.require(MemberRole.MEMBER)
    record_act(session, who, "console.model_deleted", slug, now)
    own_models.delete_model(session, who.organisation_id, slug, now)


def withdraw_model(session: Session, who: ConsoleMember, slug: str, reason: str, now: datetime) -> ModelAnswer:
    """Take an own model off the boards for good. Raises Forbidden, NotFound, InvalidInput, Conflict."""
    who.require(MemberRole.OWNER)
    record_act(session, who, "console.model_withdrawn", slug, now)
    return own_models.withdraw_model(session, who.organisation_id, slug, reason, now)


def create_endpoint(
    session: Session, who: ConsoleMember, new: NewEndpoint, now: datetime, vault: Vault
) -> EndpointAnswer:
    """Register an endpoint whose address the caller has checked. Raises Forbidden, and as the API's registration."""
    who.require(MemberRole.MEMBER)
    answer = registrations.create_endpoint(session, who.organisation_id, new, now, vault)
    record_act(session, who, "console.endpoint_written", f"{new.model}/{answer.id}", now)
    return answer


def change_endpoint(
    session: Session,
    who: ConsoleMember,
    endpoint_id: int,
    change: EndpointChange,
    etag: str,
    now: datetime,
    vault: Vault,
) -> EndpointAnswer:
    """Change an own endpoint whose new address the caller has checked. Raises Forbidden, and as the API's change."""
    who.require(MemberRole.MEMBER)
    answer = own_endpoints.update_endpoint(
        session, who.organisation_id, str(endpoint_id), change, etag, now, vault
    )  # fmt: skip
    record_act(session, who, "console.endpoint_written", f"{answer.model}/{answer.id}", now)
    return answer


def request_probe(session: Session, who: ConsoleMember, new: NewProbe, now: datetime, check: RunCheck) -> ProbeAnswer:
    """Ask for a probe of an own endpoint, which a worker makes. Raises Forbidden, and as the API's request does."""
    who.require(MemberRole.MEMBER)
    record_act(session, who, "console.endpoint_probed", str(new.endpoint_id), now)
    key = f"console-{secrets.token_hex(16)}"
    return probes.request_probe(session, who.organisation_id, new, key, now, check)


def open_dispute(session: Session, who: ConsoleMember, new: NewDispute, now: datetime) -> DisputeAnswer:
    """Dispute a verdict, a cutoff or exposures of an own model. Raises Forbidden, and as the API's request does."""
    who.require(MemberRole.MEMBER)
    answer = disputes.open_dispute(session, who.organisation_id, new, now)
    record_act(session, who, "console.dispute_opened", answer.id, now)
    return answer


def list_disputes(session: Session, who: ConsoleMember, cursor: str | None, limit: int) -> DisputePage:
    """Return the own organisation's disputes, the newest first."""
    who.require(MemberRole.VIEWER)
    return disputes.list_disputes(session, who.organisation_id, cursor, limit)


def get_dispute(session: Session, who: ConsoleMember, public_id: str) -> DisputeAnswer:
    """Return a dispute of the own organisation. Raises NotFound."""
    who.require(MemberRole.VIEWER)
    return disputes.get_dispute(session, who.organisation_id, public_id)


def record_act(session: Session, who: ConsoleMember, action: str, subject: str, now: datetime) -> None:
    """Write an act of a member into the audit log."""
    logs.write_audit(session, now, f"member:{who.member_id}", action, subject[:200], Reason("console"))
