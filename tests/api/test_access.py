"""Whom a link, a browser session and a key speak for, to the second at which they end."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from app.db.kernel.session import Session
from app.db.operations import access as store
from app.db.runs import runs as run_store
from app.db.tables import ApiKey, IdempotencyRow, LoginLink, UserRole, WebSession
from app.domain.errors import Conflict, Forbidden, InvalidInput, NotAuthenticated, NotFound
from app.services.operations import access
from app.services.operations.access import KeyScope
from app.services.vendors import idempotency

NOW = datetime(2026, 11, 1, 9, tzinfo=UTC)
MOMENT = timedelta(microseconds=1)


def test_a_link_signs_in_once(session: Session) -> None:
    token = access.issue_login_link(session, NOW, "Ada@example.test")
    made = access.redeem_link(session, token, NOW)
    with pytest.raises(NotAuthenticated):
        access.redeem_link(session, token, NOW)
    signed_in = access.find_session(session, made.token, NOW)
    assert signed_in is not None
    assert (signed_in.email, signed_in.role, signed_in.csrf) == ("ada@example.test", UserRole.MAINTAINER, made.csrf)
    with pytest.raises(NotAuthenticated):
        access.redeem_link(session, made.token, NOW)
    with pytest.raises(NotAuthenticated):
        access.redeem_link(session, "", NOW)


def test_login_link_is_refused_after_a_day(session: Session) -> None:
    late, in_time = (access.issue_login_link(session, NOW) for _ in range(2))
    with pytest.raises(NotAuthenticated):
        access.redeem_link(session, late, NOW + timedelta(hours=24))
    assert access.redeem_link(session, in_time, NOW + timedelta(hours=24) - MOMENT).token


def test_using_one_link_leaves_the_others(session: Session) -> None:
    first, second = (access.issue_login_link(session, NOW) for _ in range(2))
    access.redeem_link(session, first, NOW)
    assert session.scalars(select(LoginLink.used_at).order_by(LoginLink.used_at)).all() == [NOW, None]
    assert access.redeem_link(session, second, NOW).token


def test_a_browser_session_ends_by_itself_and_by_signing_out(session: Session) -> None:
    first, second = (access.redeem_link(session, access.issue_login_link(session, NOW), NOW) for _ in range(2))
    assert access.find_session(session, first.token, NOW + timedelta(days=14) - MOMENT) is not None
    assert access.find_session(session, first.token, NOW + timedelta(days=14)) is None
    assert access.find_session(session, first.csrf, NOW) is None
    assert access.find_session(session, None, NOW) is None
    access.sign_out(session, first.token)
    assert access.find_session(session, first.token, NOW) is None
    assert access.find_session(session, second.token, NOW) is not None, "another browser stays signed in"
    assert len(session.scalars(select(WebSession)).all()) == 1


def test_what_opens_nothing_any_more_is_forgotten(session: Session) -> None:
    used, late = (access.issue_login_link(session, NOW) for _ in range(2))
    opened = access.redeem_link(session, used, NOW)
    organisation = run_store.ensure_organisation(session, "acme", "acme").id
    idempotency.remember_response(session, organisation, "k", {}, 201, {}, NOW)

    def kept(at: datetime) -> list[int]:
        access.delete_expired(session, at)
        return [len(session.scalars(select(table)).all()) for table in (LoginLink, WebSession, IdempotencyRow)]

    assert access.redeem_link(session, late, NOW + access.LINK_LIFETIME - MOMENT).token
    access.issue_login_link(session, NOW)
    assert kept(NOW + access.LINK_LIFETIME - MOMENT) == [1, 2, 1]
    assert kept(NOW + access.LINK_LIFETIME) == [0, 2, 1]
    assert kept(NOW + timedelta(hours=48)) == [0, 2, 1]
    assert kept(NOW + timedelta(hours=48) + MOMENT) == [0, 2, 0]
    assert access.find_session(session, opened.token, NOW + timedelta(days=14) - MOMENT) is not None
    assert kept(opened.expires_at) == [0, 1, 0]


def test_a_vendor_is_no_maintainer(session: Session) -> None:
    store.ensure_user(session, "v@example.test", UserRole.VENDOR)
    with pytest.raises(Conflict):
        access.issue_login_link(session, NOW, "V@example.test")
    assert session.scalars(select(LoginLink)).all() == []
    with pytest.raises(InvalidInput):
        access.issue_login_link(session, NOW, "nobody")


def test_a_key_speaks_for_its_organisation_within_its_scopes(session: Session) -> None:
    key = access.issue_key(session, "acme", [KeyScope.MODELS_WRITE, KeyScope.SUBMISSIONS_READ], NOW)
    other = access.issue_key(session, "zenith", [KeyScope.MODELS_WRITE], NOW)
    holder = access.check_key(session, key, KeyScope.MODELS_WRITE, NOW)
    assert holder.scopes == {KeyScope.MODELS_WRITE, KeyScope.SUBMISSIONS_READ}
    assert holder.organisation_id != access.check_key(session, other, KeyScope.MODELS_WRITE, NOW).organisation_id
    with pytest.raises(Forbidden, match="endpoints:write"):
        access.check_key(session, key, KeyScope.ENDPOINTS_WRITE, NOW)
    stored = session.scalars(select(ApiKey.secret_sha256)).all()
    assert not any(part in said for said in stored for part in (key, key.split("_", 2)[2]))


def test_only_the_whole_key_is_good(session: Session) -> None:
    key = access.issue_key(session, "acme", [KeyScope.MODELS_WRITE], NOW)
    other = access.issue_key(session, "zenith", [KeyScope.MODELS_WRITE], NOW)
    _, prefix, secret = key.split("_", 2)
    wrong = (f"tm_{prefix}_", f"tm_{prefix}", f"xx_{prefix}_{secret}", f"tm_{prefix}_{other.split('_', 2)[2]}",
             f"tm_000000000000_{secret}", f"tm_{prefix}_{secret}x", secret, "")  # fmt: skip
    for bad in wrong:
        with pytest.raises(NotAuthenticated):
            access.check_key(session, bad, KeyScope.MODELS_WRITE, NOW)


def test_a_key_ends_by_its_date_and_by_being_revoked(session: Session) -> None:
    short = access.issue_key(session, "acme", [KeyScope.MODELS_WRITE], NOW, days=1)
    lasting = access.issue_key(session, "acme", [KeyScope.MODELS_WRITE], NOW, days=None)
    end = NOW + timedelta(days=1)
    assert access.check_key(session, short, KeyScope.MODELS_WRITE, end - MOMENT)
    with pytest.raises(NotAuthenticated, match="expired"):
        access.check_key(session, short, KeyScope.MODELS_WRITE, end)
    assert access.check_key(session, lasting, KeyScope.MODELS_WRITE, NOW + timedelta(days=9999))
    access.revoke_key(session, lasting.split("_")[1], "it leaked", NOW)
    with pytest.raises(NotAuthenticated, match="revoked"):
        access.check_key(session, lasting, KeyScope.MODELS_WRITE, NOW)
    access.revoke_key(session, lasting.split("_")[1], "again", NOW + MOMENT)
    assert set(session.scalars(select(ApiKey.revoked_at))) == {None, NOW}, "it ended when it was first revoked"
    assert access.check_key(session, short, KeyScope.MODELS_WRITE, NOW), "the other key of that organisation stays"
    with pytest.raises(NotFound):
        access.revoke_key(session, "000000000000", "a mistake", NOW)
    for days in (0, access.MAX_KEY_DAYS + 1):
        with pytest.raises(InvalidInput):
            access.issue_key(session, "acme", [KeyScope.MODELS_WRITE], NOW, days=days)


def test_a_kept_answer_is_its_organisations_and_its_requests(session: Session) -> None:
    mine, theirs = (run_store.ensure_organisation(session, slug, slug).id for slug in ("acme", "zenith"))
    idempotency.remember_response(session, mine, "k", {"a": 1}, 201, {"id": "mine"}, NOW)
    assert idempotency.recall_response(session, mine, "k", {"a": 1}) == (201, {"id": "mine"})
    assert idempotency.recall_response(session, mine, "other", {"a": 1}) is None
    assert idempotency.recall_response(session, theirs, "k", {"a": 1}) is None
    with pytest.raises(InvalidInput, match="another request"):
        idempotency.recall_response(session, mine, "k", {"a": 2})
    idempotency.remember_response(session, theirs, "k", {"a": 2}, 201, {"id": "theirs"}, NOW)
