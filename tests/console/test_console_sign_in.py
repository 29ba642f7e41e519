"""The ways into the console and out of it, and what keeps others from them."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from argon2 import PasswordHasher
from httpx import Client
from sqlalchemy import select
from support.console import PASSWORD, Clock, Join, Person, invite_first

from app.db.kernel.session import SessionMaker
from app.db.tables import AuditEntry, SignInAttempt, VendorInvitation, VendorMember, VendorSession
from app.domain.errors import RateLimited
from app.services.vendors.console import passwords, second_factor, sign_in

Browser = Callable[[], Client]
REFUSED = "the organisation, address, password or code is wrong"


def test_an_invitation_leads_to_a_password_an_app_and_the_console(
    browser: Browser, clock: Clock, sessions: SessionMaker
) -> None:
    token = invite_first(sessions, "acme", "Ada@example.org")
    person = Person(browser(), clock, "acme", "ada@example.org")
    for _prefetched in range(2):
        assert "ada@example.org" in person.get(f"/join?token={token}").text
    answer = person.join(token)
    assert answer.status_code == 200
    assert len(person.codes) == second_factor.RECOVERY_CODES
    assert person.get().status_code == 200
    assert Person(browser(), clock, "acme", "eve@example.org").join(token).status_code == 401, "a link works once"
    with sessions() as session:
        member = session.scalars(select(VendorMember)).one()
        assert PASSWORD not in member.password_hash
        assert member.password_hash.startswith("$argon2id$")
        assert person.secret.encode() not in (member.totp_sealed or b"")
        assert not set(person.codes) & set(member.recovery_sha256)
        assert {entry.action for entry in session.scalars(select(AuditEntry))} >= {
            "member.invited", "member.joined", "console.second_factor_set",
        }  # fmt: skip


def test_an_invitation_ends_after_a_week(browser: Browser, clock: Clock, sessions: SessionMaker) -> None:
    token = invite_first(sessions, "acme", "ada@example.org")
    clock.pass_time(days=7)
    person = Person(browser(), clock, "acme", "ada@example.org")
    assert person.get(f"/join?token={token}").status_code == 401
    assert person.join(token).status_code == 401
    with sessions() as session:
        assert session.scalars(select(VendorInvitation.used_at)).one() is None


@pytest.mark.parametrize(("chars", "status"), [(11, 422), (12, 200), (1024, 200), (1025, 422)])
def test_a_password_has_12_to_1024_characters_of_any_kind(
    browser: Browser, clock: Clock, sessions: SessionMaker, chars: int, status: int
) -> None:
    token = invite_first(sessions, "acme", "ada@example.org")
    person = Person(browser(), clock, "acme", "ada@example.org", password="x" * chars)
    assert person.join(token).status_code == status
    if status == 422:
        assert Person(browser(), clock, "acme", "ada@example.org").join(token).status_code == 200, (
            "the link is not used up"
        )


def test_until_the_app_is_set_up_nothing_else_opens(browser: Browser, clock: Clock, sessions: SessionMaker) -> None:
    token = invite_first(sessions, "acme", "ada@example.org")
    person = Person(browser(), clock, "acme", "ada@example.org")
    data = {"token": token, "password": PASSWORD, "again": PASSWORD}
    assert person.client.post("/en/console/join", data=data).headers["location"].endswith("/console/second-factor")
    assert person.get("/keys").headers["location"].endswith("/console/second-factor")
    csrf = person.csrf("/second-factor")
    sent = {"csrf": csrf, "act": "create", "name": "x", "scope": "submissions:read", "days": "1"}
    assert person.client.post("/en/console/keys", data=sent).status_code == 401
    assert person.post("/second-factor", code="000000").status_code == 422
    before = person.cookie
    assert person.set_up().status_code == 200
    assert person.cookie != before, "the session is rotated"
    assert person.get("/keys").status_code == 200
    assert person.get("/second-factor").headers["location"].endswith("/console")
    person.client.cookies.set("tidemark_console", before)
    assert person.get().headers["location"].endswith("/console/sign-in")


def test_signing_in_needs_all_four_and_says_of_none_which_was_wrong(join: Join, browser: Browser) -> None:
    person = join()
    assert person.sign_in().status_code == 303
    wrong = (
        {"organisation": "other"}, {"email": "eve@example.org"}, {"password": "tide tables of Rouen"},
        {"code": "000000"}, {"code": ""},
    )  # fmt: skip
    pages = set()
    for changed in wrong:
        person.client = browser()
        person.clock.pass_time(minutes=20)
        answer = person.sign_in(**changed)
        assert answer.status_code == 401
        assert REFUSED in answer.text
        assert person.cookie == ""
        pages.add(answer.text.replace(changed.get("organisation", "acme"), "…").replace(
            changed.get("email", person.email), "…").replace("acme", "…").replace(person.email, "…"))  # fmt: skip
    assert len(pages) == 1, "nothing else on the page tells"


def test_the_check_takes_as_long_without_an_account(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the work that is done: a hash is computed of every password, whoever it is said to be of."""
    hashed = passwords.hash_password(PASSWORD)
    checked: list[str] = []
    verify = PasswordHasher.verify

    def counted(hasher: PasswordHasher, stored: str, word: bytes) -> bool:
        checked.append(stored.rsplit("$", 2)[0])
        return verify(hasher, stored, word)

    monkeypatch.setattr(PasswordHasher, "verify", counted)
    assert passwords.is_right(PASSWORD, hashed)
    assert not passwords.is_right("the password of nobody", None)
    assert not passwords.is_right("wrong", hashed)
    assert len(checked) == 3
    assert len(set(checked)) == 1, "with the same strength"


def test_a_code_works_once_and_so_does_a_recovery_code(join: Join, browser: Browser, clock: Clock) -> None:
    person = join()
    code = person.code()
    assert person.sign_in(code=code).status_code == 303
    assert person.sign_in(code=code).status_code == 401
    clock.pass_time(seconds=30)
    assert person.sign_in(code=code).status_code == 401, "nor in the next step, in which it would still count"
    clock.pass_time(seconds=30)
    assert person.sign_in().status_code == 303
    spoken = person.codes[0].upper().replace("-", " ")
    assert person.sign_in(code=spoken).status_code == 303
    assert person.sign_in(code=person.codes[0]).status_code == 401
    assert person.sign_in(code=person.codes[1]).status_code == 303


def test_codes_of_neighbouring_steps_count_and_no_others(join: Join, clock: Clock) -> None:
    person = join()
    clock.pass_time(minutes=10)
    now = clock.now

    def code(steps: int) -> str:
        clock.now = now + timedelta(seconds=30 * steps)
        shown = person.code()
        clock.now = now
        return shown

    assert [person.sign_in(code=code(steps)).status_code for steps in (-2, 2, -1, 0, 1)] == [401, 401, 303, 303, 303]


def test_signing_in_rotates_the_session_and_hardens_its_cookie(join: Join, sessions: SessionMaker) -> None:
    person = join()
    first = person.cookie
    answer = person.sign_in()
    assert person.cookie != first
    said = answer.headers["set-cookie"]
    assert "HttpOnly" in said
    assert "SameSite=lax" in said
    assert "Path=/" in said
    assert "Domain" not in said
    with sessions() as session:
        tokens = session.scalars(select(VendorSession.token_sha256)).all()
        assert tokens == [sign_in.digest_token(person.cookie)], "the old one has ended, and only a hash is stored"


def test_a_session_ends_idle_and_at_its_end(join: Join, clock: Clock) -> None:
    idle, busy = join(), join(email="bea@example.org")
    clock.pass_time(hours=11, minutes=59)
    assert busy.get().status_code == 200
    clock.pass_time(minutes=2)
    assert idle.get().status_code == 303
    for _half_day in range(13):
        assert busy.get().status_code == 200
        clock.pass_time(hours=11, minutes=50)
    clock.pass_time(hours=3)
    assert busy.get().status_code == 303, "after seven days, however busy"


def test_sessions_are_listed_and_ended(join: Join, browser: Browser, clock: Clock) -> None:
    person = join()
    other = Person(browser(), clock, "acme", person.email, secret=person.secret)
    other.client.headers["user-agent"] = "Other browser"
    assert other.sign_in().status_code == 303
    assert "Other browser" in person.get("/account").text
    stranger = join(email="bea@example.org")
    number = person.get("/account").text.split('name="session" value="')[1].split('"')[0]
    assert stranger.post("/account", "end", session=number).status_code == 404
    assert other.get().status_code == 200
    assert person.post("/account", "end", session=number).status_code == 303
    assert other.get().status_code == 303
    clock.pass_time(seconds=31)
    assert other.sign_in().status_code == 303
    assert person.post("/account", "others").status_code == 303
    assert (person.get().status_code, other.get().status_code, stranger.get().status_code) == (200, 303, 200)
    assert person.client.post("/en/console/sign-out", data={"csrf": person.csrf()}).status_code == 303
    assert person.get().status_code == 303


def test_a_new_password_needs_the_old_one_and_ends_other_sessions(join: Join, browser: Browser, clock: Clock) -> None:
    person = join()
    other = Person(browser(), clock, "acme", person.email, secret=person.secret)
    assert other.sign_in().status_code == 303
    new = "moon over the harbour"
    assert person.post("/account", "password", present="wrong wrong wrong", password=new, again=new).status_code == 422
    assert person.post("/account", "password", present=PASSWORD, password=new, again="other").status_code == 422
    assert person.post("/account", "password", present=PASSWORD, password=new, again=new).status_code == 303
    assert (person.get().status_code, other.get().status_code) == (200, 303)
    clock.pass_time(minutes=20)
    assert other.sign_in().status_code == 401
    assert other.sign_in(password=new).status_code == 303
    clock.pass_time(seconds=31)
    renewed = person.post("/account", "codes", code=person.code())
    assert renewed.status_code == 200
    assert person.codes[0] not in renewed.text
    clock.pass_time(minutes=20)
    assert other.sign_in(password=new, code=person.codes[0]).status_code == 401


def test_wrong_attempts_must_wait_longer_and_longer_and_no_longer_than_a_quarter_of_an_hour(
    join: Join, browser: Browser, clock: Clock, sessions: SessionMaker
) -> None:
    person = join()
    thief = Person(browser(), clock, "acme", person.email, secret=person.secret)
    statuses = [thief.sign_in(password=f"guess number {guess}").status_code for guess in range(8)]
    assert statuses == [401] * 6 + [429] * 2
    assert thief.sign_in().status_code == 429, "not even with the right one"
    waits = []
    for guess in range(8):
        with sessions() as session:
            until = max(row for row in session.scalars(select(SignInAttempt.blocked_until)) if row is not None)
        waits.append((until - clock.now).total_seconds())
        clock.now = until
        assert thief.sign_in(password=f"further guess {guess}").status_code == 401
    assert waits == [30, 60, 120, 240, 480, 900, 900, 900]
    with sessions() as session:
        until = max(row for row in session.scalars(select(SignInAttempt.blocked_until)) if row is not None)
    clock.now = until
    assert thief.sign_in().status_code == 303
    assert [thief.sign_in(password="wrong once more").status_code for _ in range(5)] == [401] * 5, (
        "counted from the start"
    )


def test_an_address_without_an_account_must_wait_alike(browser: Browser, clock: Clock) -> None:
    nobody = Person(browser(), clock, "nowhere", "nobody@example.org", secret="A" * 32)
    assert [nobody.sign_in().status_code for _ in range(7)] == [401] * 6 + [429]


def test_others_cannot_lock_a_member_out(join: Join, browser: Browser, clock: Clock, sessions: SessionMaker) -> None:
    person = join()
    form = sign_in.SignInForm("acme", person.email, "guess", "")
    waits = []
    for guess in range(60):  # from as many addresses
        with sessions.begin() as session:
            try:
                sign_in.count_attempt(session, form, sign_in.Caller(f"1.1.{guess}.7", "x"), clock.now)
            except RateLimited as told:
                waits.append((guess, int(str(told).split("wait ")[1].split()[0])))
    assert waits[0][0] == 51
    assert {seconds for _guess, seconds in waits} == {30}, "half a minute, not longer"
    assert person.sign_in().status_code == 303, "an address from which the member signed in does not wait"


def test_attempts_at_the_same_time_are_counted_before_they_are_checked(sessions: SessionMaker, clock: Clock) -> None:
    form, caller = sign_in.SignInForm("acme", "ada@example.org", "guess", ""), sign_in.Caller("1.1.1.1", "x")
    for _unfinished in range(6):
        with sessions.begin() as session:
            assert sign_in.count_attempt(session, form, caller, clock.now).password_hash is None
    with sessions.begin() as session, pytest.raises(RateLimited):
        sign_in.count_attempt(session, form, caller, clock.now)


def test_a_form_of_another_site_or_session_is_refused(join: Join, browser: Browser, clock: Clock) -> None:
    person, other = join(), join(email="bea@example.org")
    key = {"act": "create", "name": "x", "scope": "submissions:read", "days": "1"}
    for csrf in ("", "wrong", other.csrf("/keys"), "\ud800".encode("utf-8", "replace").decode()):
        assert person.client.post("/en/console/keys", data={"csrf": csrf, **key}).status_code == 403
    good = {"csrf": person.csrf("/keys"), **key}
    for header in (
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "https://evil.example"},
    ):
        assert person.client.post("/en/console/keys", data=good, headers=header).status_code == 403
        fields = {"organisation": "acme", "email": person.email, "password": PASSWORD, "code": person.code()}
        assert browser().post("/en/console/sign-in", data=fields, headers=header).status_code == 403
    assert person.client.post("/en/console/keys", data=good).status_code == 200
    assert person.client.post("/en/console/sign-out", data={"csrf": "wrong"}).status_code == 403
    assert person.client.post("/en/console/keys", data={**good, "act": "unknown"}).status_code == 403


def test_a_maintainer_s_new_invitation_resets_who_has_lost_everything(
    join: Join, browser: Browser, clock: Clock, sessions: SessionMaker
) -> None:
    lost = join()
    again = Person(browser(), clock, "acme", lost.email, password="another password")
    assert again.join(invite_first(sessions, "acme", lost.email)).status_code == 200
    assert lost.get().status_code == 303
    clock.pass_time(minutes=20)
    assert lost.sign_in().status_code == 401
    assert again.sign_in().status_code == 303
    with sessions() as session:
        assert len(session.scalars(select(VendorMember)).all()) == 1
