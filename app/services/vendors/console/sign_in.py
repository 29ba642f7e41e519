"""Signing in to the vendors' console: sessions, attempts that must wait, and the second factor of each member.

Whether an address has an account shows nowhere: every refusal is the same sentence, takes as long, and counts alike.
"""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.tables import VendorMember, VendorSession
from app.db.vendors import members as store
from app.domain.addresses import visitor_key
from app.domain.errors import Forbidden, InvalidInput, NotAuthenticated, NotFound, RateLimited
from app.domain.reasons import Reason
from app.domain.states import MemberRole
from app.services.runs.endpoint_secrets import Vault
from app.services.vendors.console import passwords, second_factor

IDLE_LIFETIME: Final = timedelta(hours=12)
SESSION_LIFETIME: Final = timedelta(days=7)
SETUP_LIFETIME: Final = timedelta(hours=1)  # of a session whose second factor is not set up yet
MAX_SESSIONS: Final = 20  # of one member; the least recently used one ends
_MEMORY: Final = timedelta(hours=24)  # of attempts
_SEEN_EVERY: Final = timedelta(minutes=1)
_MAX_KNOWN: Final = 10
_REFUSED: Final = "the organisation, address, password or code is wrong"
_RANK: Final = {MemberRole.VIEWER: 0, MemberRole.MEMBER: 1, MemberRole.OWNER: 2}


@dataclass(frozen=True, slots=True)
class ConsoleMember:
    """A signed-in member and the organisation that they act for."""

    member_id: int
    session_id: int
    organisation_id: int
    organisation: str
    organisation_name: str
    email: str
    role: MemberRole
    csrf: str
    complete: bool  # the second factor is set up

    def may(self, role: str) -> bool:
        """Return whether the member has this role or a higher one."""
        return _RANK[self.role] >= _RANK[MemberRole(role)]

    def require(self, role: MemberRole) -> None:
        """Raise Forbidden unless the member has this role or a higher one, and a second factor."""
        if not self.complete:
            raise Forbidden("set up your second factor first")
        if not self.may(role):
            raise Forbidden(f"your role is {self.role}: only a person with the role {role} may do this")


@dataclass(frozen=True, slots=True)
class ConsoleToken:
    """A new console session; `token` is shown once, to its cookie. `complete` is False until a second factor is set."""

    token: str
    expires_at: datetime
    complete: bool


@dataclass(frozen=True, slots=True)
class Caller:
    """The browser that asks: its IP address, and what it says of itself."""

    host: str
    agent: str


@dataclass(frozen=True, slots=True)
class SignInForm:
    """The fields of the sign-in form; `code` is one of an app or a recovery code, empty before one is set up."""

    organisation: str
    email: str
    password: str
    code: str


@dataclass(frozen=True, slots=True)
class CountedAttempt:
    """An attempt that is counted and may be checked; `password_hash` is None without an account."""

    password_hash: str | None


@dataclass(frozen=True, slots=True)
class MemberSession:
    """A live session of a member, as its owner sees it."""

    id: int
    created_at: datetime
    seen_at: datetime
    visitor: str | None
    agent: str | None
    is_this: bool


@dataclass(frozen=True, slots=True)
class _AttemptLimit:
    """After `free` attempts a subject waits `first`, twice as long after each further one, and at most `most`."""

    free: int
    first: timedelta
    most: timedelta

    def wait(self, count: int) -> timedelta | None:
        if count <= self.free:
            return None
        wait: timedelta = self.first * 2 ** min(count - self.free - 1, 10)
        return min(wait, self.most)


# An account from one address; an address, whatever the account; an account from addresses that it is not used from.
# The last is short, and does not hold for addresses from which the member signed in: others cannot lock them out.
_PAIR: Final = _AttemptLimit(5, timedelta(seconds=30), timedelta(minutes=15))
_VISITOR: Final = _AttemptLimit(30, timedelta(seconds=30), timedelta(minutes=15))
_ACCOUNT: Final = _AttemptLimit(50, timedelta(seconds=30), timedelta(seconds=30))


def digest_token(token: str) -> str:
    """Return what is stored of a token of 256 random bits."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def count_attempt(session: Session, form: SignInForm, caller: Caller, now: datetime) -> CountedAttempt:
    """Count an attempt before it is checked, so that attempts at the same time are counted, too.

    The caller commits, checks the password with no transaction open, and calls `finish_sign_in`. Raises RateLimited.
    """
    account = store.find_account(session, form.organisation, form.email)
    is_known = account is not None and caller.host in account.known_visitors
    for subject, limit in _subjects(form, caller, is_known=is_known):
        count, until = store.count_attempt(session, subject, now, _MEMORY)
        if until is not None:
            left = max(int((until - now).total_seconds()), 1)
            raise RateLimited(f"there were too many attempts: wait {left} seconds, then try again")
        wait = limit.wait(count)
        if wait is not None:
            store.block_subject(session, subject, now + wait)
            if account is not None:
                record_act(session, account, "console.sign_in_blocked", account.email, now)
    return CountedAttempt(None if account is None else account.password_hash)


def finish_sign_in(
    session: Session, form: SignInForm, caller: Caller, now: datetime, vault: Vault, *, right_password: bool,
    old_token: str = "",
) -> ConsoleToken:  # fmt: skip
    """Open a session for a right password and code, and end that of `old_token`. Raises NotAuthenticated."""
    account = store.find_account(session, form.organisation, form.email)
    if account is None or not right_password:
        raise NotAuthenticated(_REFUSED)
    confirmed = account.totp_confirmed_at is not None
    if confirmed and not use_code(session, account, form.code, now, vault):
        raise NotAuthenticated(_REFUSED)
    for subject, limit in _subjects(form, caller, is_known=False):
        if limit is _VISITOR:
            store.refund_attempt(session, subject)
        else:
            store.forget_attempts(session, [subject])
    if confirmed:
        others = [host for host in account.known_visitors if host != caller.host]
        account.known_visitors = [caller.host, *others][:_MAX_KNOWN]
    if old_token:
        store.end_session_of(session, digest_token(old_token))
    record_act(session, account, "console.signed_in", account.email, now)
    return open_session(session, account, caller, now, complete=confirmed)


def _subjects(form: SignInForm, caller: Caller, *, is_known: bool) -> list[tuple[str, _AttemptLimit]]:
    account = f"{form.organisation}\n{form.email}"
    subjects = [(digest_token(f"pair\n{account}\n{caller.host}"), _PAIR)]
    visitor = visitor_key(caller.host)
    if visitor is not None:  # else all visitors come through one proxy
        subjects.append((digest_token(f"visitor\n{visitor}"), _VISITOR))
    if not is_known:
        subjects.append((digest_token(f"account\n{account}"), _ACCOUNT))
    return subjects


def use_code(session: Session, member: VendorMember, code: str, now: datetime, vault: Vault) -> bool:
    """Use up a code of the member's app, or a recovery code; False if it is wrong or was used before."""
    if member.totp_sealed is not None and vault.opens(member.totp_sealed):
        step = second_factor.matching_step(vault.open(member.totp_sealed), code, now)
        if step is not None:
            return store.use_totp_step(session, member.id, step)
    return store.use_recovery_code(session, member.id, second_factor.recovery_digest(code))


def open_session(
    session: Session, member: VendorMember, caller: Caller, now: datetime, *, complete: bool
) -> ConsoleToken:
    """Open a session of a member, and end the least recently used one if there are too many."""
    token = secrets.token_urlsafe(32)
    expires_at = now + (SESSION_LIFETIME if complete else SETUP_LIFETIME)
    session.add(
        VendorSession(
            token_sha256=digest_token(token),
            member_id=member.id,
            csrf_token=secrets.token_urlsafe(32),
            complete=complete,
            created_at=now,
            seen_at=now,
            expires_at=expires_at,
            visitor=caller.host or None,
            agent="".join(filter(str.isprintable, caller.agent))[:200] or None,
        )
    )
    session.flush()
    for old in store.sessions_of(session, member.id, now, IDLE_LIFETIME)[MAX_SESSIONS:]:
        store.end_session(session, member.id, old.id)
    return ConsoleToken(token, expires_at, complete)


def find_session(session: Session, token: str, now: datetime) -> ConsoleMember | None:
    """Return the member behind a console cookie, and record that the session was used; None if it has ended."""
    if not 0 < len(token) <= 200:
        return None
    found = store.find_session(session, digest_token(token), now, IDLE_LIFETIME)
    if found is None:
        return None
    member, row, slug, name = found
    if now - row.seen_at >= _SEEN_EVERY:
        store.touch_session(session, row.id, now)
    return ConsoleMember(
        member.id, row.id, member.organisation_id, slug, name, member.email, MemberRole(member.role), row.csrf_token,
        row.complete,
    )  # fmt: skip


def sign_out(session: Session, who: ConsoleMember, now: datetime) -> None:
    """End the member's present session."""
    store.end_session(session, who.member_id, who.session_id)
    record_act(session, load_member(session, who), "console.signed_out", who.email, now)


def list_sessions(session: Session, who: ConsoleMember, now: datetime) -> list[MemberSession]:
    """Return the member's own live sessions, the last used first."""
    return [
        MemberSession(row.id, row.created_at, row.seen_at, row.visitor, row.agent, row.id == who.session_id)
        for row in store.sessions_of(session, who.member_id, now, IDLE_LIFETIME)
    ]


def end_own_session(session: Session, who: ConsoleMember, session_id: int, now: datetime) -> None:
    """End one of the member's own sessions. Raises NotFound."""
    if not store.end_session(session, who.member_id, session_id):
        raise NotFound("you have no such session")
    record_act(session, load_member(session, who), "console.session_ended", str(session_id), now)


def end_other_sessions(session: Session, who: ConsoleMember, now: datetime) -> int:
    """End all sessions of the member but the present one; returns their number."""
    ended = store.end_sessions(session, who.member_id, but=who.session_id)
    record_act(session, load_member(session, who), "console.sessions_ended", who.email, now)
    return ended


def pending_secret(session: Session, who: ConsoleMember, vault: Vault) -> str:
    """Return the secret of a second factor that is being set up. Raises NotFound once it is set up."""
    member = load_member(session, who)
    if member.totp_confirmed_at is not None or member.totp_sealed is None:
        raise NotFound("your second factor is set up")
    return vault.open(member.totp_sealed)


def confirm_second_factor(
    session: Session, who: ConsoleMember, code: str, caller: Caller, now: datetime, vault: Vault
) -> tuple[ConsoleToken, tuple[str, ...]]:
    """Set up the second factor with a first code of the app; returns a complete session and the recovery codes.

    Raises InvalidInput for a wrong code, NotFound if the factor is set up already.
    """
    step = second_factor.matching_step(pending_secret(session, who, vault), code, now)
    if step is None or not store.use_totp_step(session, who.member_id, step):
        raise InvalidInput("the code is wrong: type the six digits that the app shows now", pointer="/code")
    member = load_member(session, who)
    member.totp_confirmed_at = now
    member.known_visitors = [caller.host]
    codes = _renew_recovery_codes(member)
    store.end_sessions(session, who.member_id)
    record_act(session, member, "console.second_factor_set", who.email, now)
    return open_session(session, member, caller, now, complete=True), codes


def renew_recovery_codes(
    session: Session, who: ConsoleMember, code: str, now: datetime, vault: Vault
) -> tuple[str, ...]:
    """Return new recovery codes; the old ones end. Raises InvalidInput for a wrong code."""
    who.require(MemberRole.VIEWER)
    member = load_member(session, who)
    if not use_code(session, member, code, now, vault):
        raise InvalidInput("the code is wrong, or was used before: wait for the next one", pointer="/code")
    codes = _renew_recovery_codes(member)
    record_act(session, member, "console.recovery_codes_made", who.email, now)
    return codes


def password_hash_of(session: Session, who: ConsoleMember) -> str:
    """Return what is stored of the member's password, to be checked with no transaction open."""
    return load_member(session, who).password_hash


def change_password(session: Session, who: ConsoleMember, new_hash: str, now: datetime) -> None:
    """Change a password whose old one was checked; the member's other sessions end."""
    who.require(MemberRole.VIEWER)
    member = load_member(session, who)
    member.password_hash = new_hash
    store.end_sessions(session, who.member_id, but=who.session_id)
    record_act(session, member, "console.password_changed", who.email, now)


def _renew_recovery_codes(member: VendorMember) -> tuple[str, ...]:
    codes = second_factor.make_recovery_codes()
    member.recovery_sha256 = [second_factor.recovery_digest(code) for code in codes]
    return codes


def load_member(session: Session, who: ConsoleMember) -> VendorMember:
    """Return the row of a signed-in member. Raises NotAuthenticated if the member was removed meanwhile."""
    member = store.find_member(session, who.organisation_id, who.member_id)
    if member is None:
        raise NotAuthenticated("you are no longer a member of this organisation")
    session.refresh(member)
    return member


def record_act(session: Session, member: VendorMember, action: str, subject: str, now: datetime) -> None:
    """Write an act of a member to the audit log."""
    logs.write_audit(session, now, f"member:{member.id}", action, subject, Reason("console"))


def check_password(form_password: str, password_hash: str | None) -> bool:
    """Return whether a password is right; takes a tenth of a second, so no transaction may be open."""
    return passwords.is_right(form_password, password_hash)


def delete_expired(session: Session, now: datetime) -> None:
    """Delete ended sessions, used and expired invitations, and attempts that no longer count."""
    store.delete_expired(session, now, IDLE_LIFETIME, now - _MEMORY)
