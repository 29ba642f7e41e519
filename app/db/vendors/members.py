"""Members of vendors' organisations, their sessions and invitations, and attempts to sign in."""

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import case, delete, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from app.db.kernel.session import Session
from app.db.tables import Organisation, SignInAttempt, VendorInvitation, VendorMember, VendorSession
from app.domain.states import MemberRole


def find_account(session: Session, organisation: str, email: str) -> VendorMember | None:
    """Return the present member of an organisation (its slug) with that e-mail address."""
    return session.scalar(
        select(VendorMember)
        .join(Organisation, Organisation.id == VendorMember.organisation_id)
        .where(Organisation.slug == organisation, VendorMember.email == email, VendorMember.removed_at.is_(None))
    )


def member_with_email(session: Session, organisation_id: int, email: str) -> VendorMember | None:
    """Return the present member of an organisation with that e-mail address."""
    return session.scalar(
        select(VendorMember).where(
            VendorMember.organisation_id == organisation_id,
            VendorMember.email == email,
            VendorMember.removed_at.is_(None),
        )
    )


def find_member(session: Session, organisation_id: int, member_id: int) -> VendorMember | None:
    """Return a present member of this organisation."""
    return session.scalar(
        select(VendorMember).where(
            VendorMember.id == member_id,
            VendorMember.organisation_id == organisation_id,
            VendorMember.removed_at.is_(None),
        )
    )


def of_organisation(session: Session, organisation_id: int) -> list[VendorMember]:
    """Return the present members of an organisation, the first one first."""
    return list(
        session.scalars(
            select(VendorMember)
            .where(VendorMember.organisation_id == organisation_id, VendorMember.removed_at.is_(None))
            .order_by(VendorMember.id)
        )
    )


def count_owners(session: Session, organisation_id: int) -> int:
    """Return the number of an organisation's owners, and block changes of members until the transaction ends."""
    session.get_one(Organisation, organisation_id, with_for_update={"key_share": True})
    owners = (VendorMember.organisation_id == organisation_id, VendorMember.role == MemberRole.OWNER)
    return session.scalar(select(func.count()).where(*owners, VendorMember.removed_at.is_(None))) or 0


def use_totp_step(session: Session, member_id: int, step: int) -> bool:
    """Record the time step of a code; False if it, or a later one, was used before."""
    used = session.execute(
        update(VendorMember)
        .where(VendorMember.id == member_id, or_(VendorMember.totp_step.is_(None), VendorMember.totp_step < step))
        .values(totp_step=step)
        .returning(VendorMember.id)
    ).first()
    return used is not None


def use_recovery_code(session: Session, member_id: int, code_sha256: str) -> bool:
    """Delete a recovery code; False if the member has no such code."""
    used = session.execute(
        update(VendorMember)
        .where(VendorMember.id == member_id, VendorMember.recovery_sha256.any_() == code_sha256)
        .values(recovery_sha256=func.array_remove(VendorMember.recovery_sha256, code_sha256))
        .returning(VendorMember.id)
    ).first()
    return used is not None


def find_session(
    session: Session, token_sha256: str, now: datetime, idle: timedelta
) -> tuple[VendorMember, VendorSession, str, str] | None:
    """Return the member and session of a browser's cookie, with the slug and name of the organisation."""
    row = session.execute(
        select(VendorMember, VendorSession, Organisation.slug, Organisation.name)
        .join(VendorMember, VendorMember.id == VendorSession.member_id)
        .join(Organisation, Organisation.id == VendorMember.organisation_id)
        .where(
            VendorSession.token_sha256 == token_sha256,
            VendorSession.expires_at > now,
            VendorSession.seen_at > now - idle,
            VendorMember.removed_at.is_(None),
        )
    ).first()
    return None if row is None else (row[0], row[1], row[2], row[3])


def sessions_of(session: Session, member_id: int, now: datetime, idle: timedelta) -> list[VendorSession]:
    """Return a member's live sessions, the last used first."""
    return list(
        session.scalars(
            select(VendorSession)
            .where(
                VendorSession.member_id == member_id, VendorSession.expires_at > now, VendorSession.seen_at > now - idle
            )
            .order_by(VendorSession.seen_at.desc(), VendorSession.id.desc())
        )
    )


def touch_session(session: Session, session_id: int, now: datetime) -> None:
    """Record that a session was used."""
    session.execute(update(VendorSession).where(VendorSession.id == session_id).values(seen_at=now))


def end_session(session: Session, member_id: int, session_id: int) -> bool:
    """End a session of a member; False if there is none."""
    ended = session.execute(
        delete(VendorSession)
        .where(VendorSession.id == session_id, VendorSession.member_id == member_id)
        .returning(VendorSession.id)
    ).first()
    return ended is not None


def end_sessions(session: Session, member_id: int, *, but: int | None = None) -> int:
    """End all sessions of a member, but one; returns their number."""
    query = delete(VendorSession).where(VendorSession.member_id == member_id)
    query = query if but is None else query.where(VendorSession.id != but)
    return len(session.execute(query.returning(VendorSession.id)).all())


def end_session_of(session: Session, token_sha256: str) -> None:
    """End the session of a cookie, if there is one."""
    session.execute(delete(VendorSession).where(VendorSession.token_sha256 == token_sha256))


def delete_expired(session: Session, now: datetime, idle: timedelta, attempts_before: datetime) -> None:
    """Delete ended sessions, used and expired invitations, and attempts that no longer count."""
    session.execute(
        delete(VendorSession).where(or_(VendorSession.expires_at <= now, VendorSession.seen_at <= now - idle))
    )
    session.execute(
        delete(VendorInvitation).where(or_(VendorInvitation.used_at.is_not(None), VendorInvitation.expires_at <= now))
    )
    session.execute(delete(SignInAttempt).where(SignInAttempt.last_at < attempts_before))


def find_invitation(session: Session, token_sha256: str, now: datetime) -> tuple[VendorInvitation, str] | None:
    """Return a usable invitation with the slug of its organisation."""
    row = session.execute(
        select(VendorInvitation, Organisation.slug)
        .join(Organisation, Organisation.id == VendorInvitation.organisation_id)
        .where(
            VendorInvitation.token_sha256 == token_sha256,
            VendorInvitation.used_at.is_(None),
            VendorInvitation.expires_at > now,
        )
    ).first()
    return None if row is None else (row[0], row[1])


def use_invitation(session: Session, token_sha256: str, now: datetime) -> VendorInvitation | None:
    """Mark an invitation as used and return it; None if it is unknown, used or expired."""
    return session.scalar(
        update(VendorInvitation)
        .where(
            VendorInvitation.token_sha256 == token_sha256,
            VendorInvitation.used_at.is_(None),
            VendorInvitation.expires_at > now,
        )
        .values(used_at=now)
        .returning(VendorInvitation)
    )


def open_invitations(session: Session, organisation_id: int, now: datetime) -> list[VendorInvitation]:
    """Return an organisation's usable invitations, oldest first."""
    return list(
        session.scalars(
            select(VendorInvitation)
            .where(
                VendorInvitation.organisation_id == organisation_id,
                VendorInvitation.used_at.is_(None),
                VendorInvitation.expires_at > now,
            )
            .order_by(VendorInvitation.id)
        )
    )


def withdraw_invitations(session: Session, organisation_id: int, email: str) -> int:
    """Delete the unused invitations of an address to an organisation; returns their number."""
    gone = session.execute(
        delete(VendorInvitation)
        .where(
            VendorInvitation.organisation_id == organisation_id,
            VendorInvitation.email == email,
            VendorInvitation.used_at.is_(None),
        )
        .returning(VendorInvitation.id)
    ).all()
    return len(gone)


def count_attempt(session: Session, subject: str, now: datetime, memory: timedelta) -> tuple[int, datetime | None]:
    """Count an attempt of a subject; returns the number, or 0 and the instant until which the subject must wait.

    What comes while the subject waits is not counted and does not prolong the wait.
    """
    present = SignInAttempt
    counted = session.scalar(
        insert(SignInAttempt)
        .values(subject=subject, count=1, last_at=now)
        .on_conflict_do_update(
            index_elements=[present.subject],
            set_={"count": case((present.last_at < now - memory, 1), else_=present.count + 1), "last_at": now},
            where=or_(present.blocked_until.is_(None), present.blocked_until <= now),
        )
        .returning(present.count)
    )
    if counted is not None:
        return counted, None
    return 0, session.scalar(select(present.blocked_until).where(present.subject == subject))


def block_subject(session: Session, subject: str, until: datetime) -> None:
    """Let a subject wait."""
    session.execute(update(SignInAttempt).where(SignInAttempt.subject == subject).values(blocked_until=until))


def forget_attempts(session: Session, subjects: Collection[str]) -> None:
    """Forget the attempts of subjects after a success."""
    session.execute(delete(SignInAttempt).where(SignInAttempt.subject.in_(subjects)))


def refund_attempt(session: Session, subject: str) -> None:
    """Take one attempt back from a subject's count."""
    session.execute(
        update(SignInAttempt)
        .where(SignInAttempt.subject == subject)
        .values(count=func.greatest(SignInAttempt.count - 1, 0))
    )
