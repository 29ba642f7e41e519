"""Members of a vendor's organisation: invitations, roles and removal. Owners decide; maintainers invite the first."""

import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.runs import runs as run_store
from app.db.tables import VendorInvitation, VendorMember
from app.db.vendors import members as store
from app.domain.errors import Conflict, InvalidInput, NotAuthenticated, NotFound
from app.domain.reasons import Reason
from app.domain.states import MemberRole
from app.services.runs.endpoint_secrets import Vault
from app.services.vendors.console import second_factor, sign_in
from app.services.vendors.console.sign_in import Caller, ConsoleMember, ConsoleToken, digest_token

INVITATION_LIFETIME: Final = timedelta(days=7)
MAX_MEMBERS: Final = 200
_EMAIL: Final = re.compile(r"[^@\s]{1,100}@[A-Za-z0-9.-]{1,150}")
_SLUG: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")


@dataclass(frozen=True, slots=True)
class MemberLine:
    """A member as others of the organisation see them."""

    id: int
    email: str
    role: str
    since: datetime
    has_second_factor: bool
    is_you: bool


@dataclass(frozen=True, slots=True)
class InvitationLine:
    """An invitation that nobody has used yet."""

    email: str
    role: str
    invited_by: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class InvitationOffer:
    """The invitation behind a link."""

    organisation: str
    email: str
    role: str


def normalize_email(email: str) -> str:
    """Return an e-mail address in the form in which it is stored. Raises InvalidInput."""
    if not (_EMAIL.fullmatch(email) and email.isprintable()):
        raise InvalidInput("give an e-mail address, such as ada@example.org", pointer="/email")
    return email.lower()


def invite_first(session: Session, organisation: str, email: str, role: str, now: datetime) -> str:
    """Return an invitation's token for a maintainer to pass on; the organisation is created if it is new.

    An address that is a member already gets a new password and second factor by the link, and the role. Raises
    InvalidInput.
    """
    if not _SLUG.fullmatch(organisation):
        raise InvalidInput(
            "an organisation's slug must have 1 to 64 characters a-z, 0-9 and -, and must not start with -"
        )
    owner = run_store.ensure_organisation(session, organisation, organisation)
    address = normalize_email(email)
    token = _issue(session, owner.id, address, _read_role(role), "maintainer", now)
    logs.write_audit(
        session, now, "operator", "member.invited", f"{organisation}/{address}", Reason("asked_for"), after=role
    )
    return token


def invite(session: Session, who: ConsoleMember, email: str, role: str, now: datetime) -> str:
    """Return the token of an owner's invitation. Raises Conflict for a present member, InvalidInput, Forbidden."""
    who.require(MemberRole.OWNER)
    address, wanted = normalize_email(email), _read_role(role)
    store.count_owners(session, who.organisation_id)
    if store.member_with_email(session, who.organisation_id, address) is not None:
        raise Conflict(f"{address} is a member: change the role, or remove the member first")
    present = len(store.of_organisation(session, who.organisation_id))
    if present + len(store.open_invitations(session, who.organisation_id, now)) >= MAX_MEMBERS:
        raise Conflict(f"your organisation has reached the limit of {MAX_MEMBERS} members and invitations")
    token = _issue(session, who.organisation_id, address, wanted, who.email, now)
    _record(session, who, "member.invited", address, now, after=role)
    return token


def _issue(session: Session, organisation_id: int, email: str, role: MemberRole, by: str, now: datetime) -> str:
    store.withdraw_invitations(session, organisation_id, email)
    token = secrets.token_urlsafe(32)
    session.add(
        VendorInvitation(
            token_sha256=digest_token(token),
            organisation_id=organisation_id,
            email=email,
            role=role,
            invited_by=by,
            created_at=now,
            expires_at=now + INVITATION_LIFETIME,
        )
    )
    return token


def withdraw_invitation(session: Session, who: ConsoleMember, email: str, now: datetime) -> None:
    """Withdraw an unused invitation. Raises NotFound, Forbidden."""
    who.require(MemberRole.OWNER)
    if not store.withdraw_invitations(session, who.organisation_id, email.lower()):
        raise NotFound("you have no such invitation")
    _record(session, who, "member.invitation_withdrawn", email.lower(), now)


def find_offer(session: Session, token: str, now: datetime) -> InvitationOffer:
    """Return what a link invites to, without using it. Raises NotAuthenticated when it is unknown, used or expired."""
    found = store.find_invitation(session, digest_token(token), now)
    if found is None:
        raise NotAuthenticated("this invitation has been used or has expired")
    return InvitationOffer(found[1], found[0].email, found[0].role)


def accept_invitation(
    session: Session, token: str, password_hash: str, caller: Caller, now: datetime, vault: Vault
) -> ConsoleToken:
    """Use an invitation, and open a session in which the second factor is set up. Raises NotAuthenticated."""
    invitation = store.use_invitation(session, digest_token(token), now)
    if invitation is None:
        raise NotAuthenticated("this invitation has been used or has expired")
    sealed = vault.seal(second_factor.make_secret())
    store.count_owners(session, invitation.organisation_id)
    member = store.member_with_email(session, invitation.organisation_id, invitation.email)
    if member is None:
        member = VendorMember(
            organisation_id=invitation.organisation_id, email=invitation.email, role=invitation.role,
            password_hash=password_hash, created_at=now,
        )  # fmt: skip
        session.add(member)
    member.role, member.password_hash = invitation.role, password_hash
    member.totp_sealed, member.totp_confirmed_at, member.totp_step = sealed, None, None
    member.recovery_sha256 = []
    session.flush()
    store.end_sessions(session, member.id)
    sign_in.record_act(session, member, "member.joined", member.email, now)
    return sign_in.open_session(session, member, caller, now, complete=False)


def list_members(session: Session, who: ConsoleMember) -> list[MemberLine]:
    """Return the members of the own organisation."""
    who.require(MemberRole.VIEWER)
    return [
        MemberLine(
            row.id, row.email, row.role, row.created_at, row.totp_confirmed_at is not None, row.id == who.member_id
        )
        for row in store.of_organisation(session, who.organisation_id)
    ]


def list_invitations(session: Session, who: ConsoleMember, now: datetime) -> list[InvitationLine]:
    """Return the unused invitations to the own organisation."""
    who.require(MemberRole.VIEWER)
    return [
        InvitationLine(row.email, row.role, row.invited_by, row.expires_at)
        for row in store.open_invitations(session, who.organisation_id, now)
    ]


def change_role(session: Session, who: ConsoleMember, member_id: int, role: str, now: datetime) -> None:
    """Give an own member another role. Raises NotFound, Forbidden, and Conflict for the last owner."""
    member = _find_to_change(session, who, member_id, keeps_owner=_read_role(role) == MemberRole.OWNER)
    before, member.role = member.role, _read_role(role)
    _record(session, who, "member.role", member.email, now, before=before, after=role)


def remove(session: Session, who: ConsoleMember, member_id: int, now: datetime) -> None:
    """Remove a member of the own organisation; their sessions end. Raises as `change_role` does."""
    member = _find_to_change(session, who, member_id, keeps_owner=False)
    member.removed_at = now
    store.end_sessions(session, member.id)
    _record(session, who, "member.removed", member.email, now)


def _find_to_change(session: Session, who: ConsoleMember, member_id: int, *, keeps_owner: bool) -> VendorMember:
    who.require(MemberRole.OWNER)
    owners = store.count_owners(session, who.organisation_id)
    member = store.find_member(session, who.organisation_id, member_id)
    if member is None:
        raise NotFound("your organisation has no such member")
    session.refresh(member)
    if member.role == MemberRole.OWNER and owners <= 1 and not keeps_owner:
        raise Conflict("an organisation keeps at least one owner: make somebody else an owner first")
    return member


def _read_role(role: str) -> MemberRole:
    try:
        return MemberRole(role)
    except ValueError as unknown:
        raise InvalidInput(f"unknown role {role!r}; known: {', '.join(MemberRole)}", pointer="/role") from unknown


def _record(
    session: Session, who: ConsoleMember, action: str, subject: str, now: datetime,
    before: str | None = None, after: str | None = None,
) -> None:  # fmt: skip
    logs.write_audit(
        session, now, f"member:{who.member_id}", action, subject, Reason("console"), before=before, after=after
    )
