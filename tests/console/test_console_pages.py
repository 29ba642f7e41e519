"""Pages and forms of the console: who may what, in which language, and nothing of other organisations."""

import re
from collections.abc import Callable

import pytest
from factories import NOW
from httpx import Client
from sqlalchemy import select
from support.console import (
    DISPUTE,
    ENDPOINT,
    MODEL,
    WEBHOOK,
    Clock,
    Fields,
    Join,
    Person,
    invite_first,
    open_dispute,
    order,
    set_up_model,
    set_up_webhook,
)

from app.db.kernel.session import SessionMaker
from app.db.tables import ApiKey, AuditEntry, Endpoint, Model, Run, Submission, VendorMember
from app.domain.addresses import is_within
from app.domain.errors import InvalidInput
from app.services.operations import access
from web.console.routes import CONSOLE_PAGES

Forms = dict[tuple[str, str], tuple[str, Fields]]
PLAIN = (
    "", "/models", "/endpoints", "/orders", "/orders/new", "/webhooks", "/disputes", "/keys", "/members", "/usage",
    "/account",
)  # fmt: skip


def test_every_page_opens_in_every_language_and_says_its_call(join: Join) -> None:
    person = join()
    number, public_id = set_up_model(person)
    order_path = f"/orders/{public_id}"
    webhook, dispute = set_up_webhook(person), open_dispute(person)
    paths = [*PLAIN, "/models/orion-1", f"/endpoints/{number}", order_path, f"{order_path}/items", webhook, dispute]
    assert len(paths) == len(CONSOLE_PAGES) - 1, "a preview comes once the order is judged"
    for language, summary in (("en", "The REST call behind this page"), ("zh", "本页对应的 REST 调用")):
        for path in paths:
            answer = person.client.get(f"/{language}/console{path}")
            assert answer.status_code == 200, path
            assert summary in answer.text, path
            assert answer.headers["cache-control"] == "no-store"
            assert "sk-0123456789abcdef" not in answer.text
    assert person.client.get("/zh/console", headers={"cookie": ""}).status_code in (200, 303)


def test_without_a_session_every_page_leads_to_the_sign_in(browser: Callable[[], Client]) -> None:
    client = browser()
    for path in (*PLAIN, "/models/orion-1", "/endpoints/1", "/orders/sub_1", "/orders/sub_1/preview", "/second-factor"):
        assert client.get(f"/en/console{path}").headers["location"].endswith("/console/sign-in"), path
    assert client.get("/en/console/orders/sub_1/events").status_code == 401
    for page in CONSOLE_PAGES:
        path = re.sub(r"{(\w+)(:int)?}", "1", page.path)
        for act in page.acts:
            assert client.post(path, data={"act": act}).status_code == 401, (path, act)


# The least role of each form.
LEAST = {
    ("/console/models", "create"): "member", ("/console/models/{slug}", "declare"): "member",
    ("/console/models/{slug}", "rename"): "member", ("/console/endpoints/{id:int}", "probe"): "member",
    ("/console/orders/{public_id}", "pause"): "member", ("/console/orders/{public_id}", "resume"): "member",
    ("/console/orders/{public_id}", "retry"): "member", ("/console/webhooks", "create"): "member",
    ("/console/webhooks/{webhook}", "change"): "member", ("/console/webhooks/{webhook}", "secret"): "member",
    ("/console/webhooks/{webhook}", "rotate"): "member", ("/console/webhooks/{webhook}", "test"): "member",
    ("/console/webhooks/{webhook}", "redeliver"): "member", ("/console/webhooks/{webhook}", "off"): "member",
    ("/console/webhooks/{webhook}", "on"): "member", ("/console/webhooks/{webhook}", "delete"): "member",
    ("/console/disputes", "open"): "member",
    ("/console/endpoints", "create"): "member", ("/console/endpoints/{id:int}", "change"): "member",
    ("/console/orders/new", "place"): "member", ("/console/orders/new", "check"): "member",
    ("/console/orders/{public_id}", "cancel"): "member", ("/console/orders/{public_id}", "budget"): "member",
    ("/console/keys", "create"): "owner", ("/console/keys", "rotate"): "owner", ("/console/keys", "expire"): "owner",
    ("/console/keys", "networks"): "owner", ("/console/members", "invite"): "owner",
    ("/console/members", "withdraw"): "owner", ("/console/members", "role"): "owner",
    ("/console/members", "remove"): "owner", ("/console/account", "password"): "viewer",
    ("/console/account", "codes"): "viewer", ("/console/account", "end"): "viewer",
    ("/console/account", "others"): "viewer",
    # At the end: nothing can be done with a model that is deleted or withdrawn.
    ("/console/models/{slug}", "delete"): "member", ("/console/models/{slug}", "withdraw"): "owner",
}  # fmt: skip
FIELDS: dict[str, Fields] = {
    "declare": {"cutoff": "2026-01-31"}, "cancel": {"sure": "yes"}, "budget": {"budget_usd": ""},
    "invite": {"email": "new@example.org", "role": "viewer"},
    "password": {"present": "wrong wrong wrong", "password": "x" * 12, "again": "x" * 12}, "codes": {"code": "000000"},
    "end": {"session": "1"}, "rename": {"link": "https://example.com/orion", "etag": "*"}, "delete": {"sure": "yes"},
    "withdraw": {"sure": "yes", "reason": "Orion 1 is no longer served.", "email": "new@example.org"},
    "probe": {"protocol": "fresh"}, "open": DISPUTE, "redeliver": {"event": "evt_1"},
}  # fmt: skip


def _forms(number: int, public_id: str, member: int, prefix: str, webhook: str) -> Forms:
    """Path and fields of every form, such that an owner's would be accepted."""
    there = {"{slug}": "orion-1", "{id:int}": str(number), "{public_id}": public_id, "{webhook}": webhook}
    placed: Fields = {
        "endpoint": [str(number)],
        "protocol": "fresh",
        "period": "continuous",
        "once": "fedcba9876543210",
    }
    created: dict[str, Fields] = {
        "/console/models": {"name": "Lyra", "slug": "lyra"},
        "/console/endpoints": {**ENDPOINT, "remote_name": "orion-2"},
        "/console/webhooks": WEBHOOK,
        "/console/keys": {"name": "ci", "scope": ["submissions:read"], "days": "30"},
    }
    forms: Forms = {}
    for path, act in LEAST:
        fields: Fields = dict(FIELDS.get(act, {}))
        if act == "create":
            fields |= created[path]
        elif act in ("place", "check"):
            fields |= placed
        elif act == "change":
            fields |= {"base_url": "https://1.1.1.1/v1", "etag": "*"} if "{id:int}" in path else WEBHOOK
        elif act in ("rotate", "expire", "networks"):
            fields |= {"prefix": prefix}
        elif act in ("role", "remove"):
            fields |= {"member": str(member), "role": "viewer"}
        real = path.removeprefix("/console")
        for name, value in there.items():
            real = real.replace(name, value)
        forms[path, act] = (real, fields)
    return forms


def test_every_form_is_in_the_table_of_roles() -> None:
    assert {(page.path, act) for page in CONSOLE_PAGES for act in page.acts} == set(LEAST)


@pytest.mark.parametrize("role", ["viewer", "member", "stranger"])
def test_a_role_may_what_the_table_says_and_nothing_else(join: Join, sessions: SessionMaker, role: str) -> None:
    """A form above the role is 403; one about another organisation's thing is 404; neither changes anything."""
    owner = join()
    number, public_id = set_up_model(owner)
    webhook = set_up_webhook(owner).rpartition("/")[2]
    with sessions.begin() as session:
        prefix = access.issue_key(session, "acme", ["submissions:read"], NOW).split("_")[1]
        member = session.scalars(select(VendorMember.id)).one()
    person = (
        join(email="eve@example.org", role=role) if role != "stranger" else join("rival", "eve@example.org", "owner")
    )
    forms = _forms(number, public_id, member, prefix, webhook)
    csrf = person.csrf("/account")
    rank = {"viewer": 0, "member": 1, "owner": 2}
    for (path, act), (real, fields) in forms.items():
        if path == "/console/account":
            continue
        answer = person.client.post(f"/en/console{real}", data={"csrf": csrf, "act": act, **fields})
        if role == "stranger":
            is_own = path == "/console/members" and act in ("invite", "withdraw")
            is_own = is_own or (act == "create" and path != "/console/endpoints")
            expected = {200, 303} if is_own else {404}
        else:
            accepted = {200, 303, 404 if act == "redeliver" else 409, 422}
            expected = {403} if rank[LEAST[path, act]] > rank[role] else accepted
        assert answer.status_code in expected, (path, act, answer.status_code)
    with sessions() as session:
        key = session.scalars(select(ApiKey).where(ApiKey.prefix == prefix)).one()
        assert (key.revoked_at, key.networks) == (None, None)
        assert session.get_one(VendorMember, member).role == "owner"
        if role != "member":
            assert session.scalars(select(Submission.state)).all() == ["queued"]
            assert len(session.scalars(select(Endpoint)).all()) == 1


def test_nothing_of_another_organisation_is_visible(join: Join, sessions: SessionMaker) -> None:
    owner = join()
    number, public_id = set_up_model(owner)
    stranger = join("rival", "eve@example.org")
    webhook, dispute, order_path = set_up_webhook(owner), open_dispute(owner), f"/orders/{public_id}"
    inner = [f"{order_path}/{part}" for part in ("events", "items", "preview")]
    for path in ("/models/orion-1", f"/endpoints/{number}", order_path, *inner, webhook, dispute):
        assert stranger.get(path).status_code == 404, path
    for path in PLAIN:
        text = stranger.get(path).text
        named = ("acme", "ada@example.org", "/models/orion-1", public_id[:12], "1.1.1.1", dispute[10:22])
        assert not [word for word in named if word in text], path


def test_a_removed_or_demoted_member_is_so_at_once(join: Join, sessions: SessionMaker) -> None:
    owner, other = join(), join(email="bea@example.org")
    with sessions() as session:
        number = str(session.scalars(select(VendorMember.id).where(VendorMember.email == other.email)).one())
        own = str(session.scalars(select(VendorMember.id).where(VendorMember.email == owner.email)).one())
    assert owner.post("/members", "role", member=number, role="viewer").status_code == 303
    assert (
        other.client.post("/en/console/models", data={"csrf": other.csrf(), "act": "create", **MODEL}).status_code
        == 403
    )
    for act in ("remove", "role"):
        refused = owner.post("/members", act, member=own, role="member")
        assert refused.status_code == 409
        assert "at least one owner" in refused.text
    assert owner.post("/members", "remove", member=number).status_code == 303
    assert other.get().status_code == 303
    other.clock.pass_time(minutes=20)
    assert other.sign_in().status_code == 401


def test_an_owner_invites_and_the_invited_joins(join: Join, browser: Callable[[], Client], clock: Clock) -> None:
    owner = join()
    page = owner.post("/members", "invite", email="Bea@example.org", role="member").text
    token = re.findall(r"/console/join\?token=([\w-]+)", page)[0]
    assert token not in owner.get("/members").text, "shown once"
    assert owner.post("/members", "invite", email=owner.email, role="viewer").status_code == 409
    assert owner.post("/members", "invite", email="no address", role="viewer").status_code == 422
    bea = Person(browser(), clock, "acme", "bea@example.org")
    assert bea.join(token).status_code == 200
    assert bea.post("/models", "create", **MODEL).status_code == 303
    again = owner.post("/members", "invite", email="cy@example.org", role="viewer").text
    assert owner.post("/members", "withdraw", email="cy@example.org").status_code == 303
    withdrawn = re.findall(r"/console/join\?token=([\w-]+)", again)[0]
    assert Person(browser(), clock, "acme", "cy@example.org").join(withdrawn).status_code == 401


def test_the_same_address_may_belong_to_two_organisations(join: Join) -> None:
    first, second = join(), join("birds")
    assert first.email == second.email
    assert (first.get().status_code, second.get().status_code) == (200, 200)
    assert second.sign_in(organisation="birds").status_code == 303


def _call(person: Person, key: str) -> int:
    headers = {"Authorization": f"Bearer {key}"}
    return person.client.get("/api/v1/vendor/submissions", headers=headers).status_code


def test_a_key_is_shown_once_rotated_with_an_overlap_and_ended(join: Join, clock: Clock) -> None:
    owner = join()
    made = owner.post("/keys", "create", name="nightly", scope=["submissions:read"], days="30")
    old = re.findall(r"tm_[0-9a-f]{12}_[\w-]{40,}", made.text)[0]
    assert old not in owner.get("/keys").text
    assert _call(owner, old) == 200
    prefix = old.split("_")[1]
    new = re.findall(r"tm_[0-9a-f]{12}_[\w-]{40,}", owner.post("/keys", "rotate", prefix=prefix).text)[0]
    assert (_call(owner, old), _call(owner, new)) == (200, 200), "two live keys"
    clock.pass_time(days=7)
    assert (_call(owner, old), _call(owner, new)) == (401, 200)
    assert owner.sign_in().status_code == 303
    assert owner.post("/keys", "rotate", prefix=prefix).status_code == 409
    assert owner.post("/keys", "expire", prefix=new.split("_")[1]).status_code == 303
    assert _call(owner, new) == 401


def test_a_key_works_only_from_its_addresses(join: Join) -> None:
    owner = join()
    fields: Fields = {"name": "ci", "scope": ["submissions:read"], "days": "30"}
    made = owner.post("/keys", "create", **fields, networks="203.0.113.0/24, 2001:db8::/32")
    key = re.findall(r"tm_[0-9a-f]{12}_[\w-]{40,}", made.text)[0]
    assert _call(owner, key) == 403
    assert owner.post("/keys", "networks", prefix=key.split("_")[1], networks="127.0.0.0/8 ::1").status_code == 303
    assert _call(owner, key) == 200
    refused = owner.post("/keys", "create", **fields, networks="example.org")
    assert refused.status_code == 422
    assert "example.org" in refused.text
    assert owner.post("/keys", "create", name="ci", days="30").status_code == 422, "no scope"
    assert owner.post("/keys", "create", **{**fields, "days": "9999"}).status_code == 422


@pytest.mark.parametrize(
    ("host", "inside"),
    [("203.0.113.9", True), ("::ffff:203.0.113.9", True), ("203.0.114.1", False), ("2001:db8::1", True), ("", False),
     (None, False), ("host.example", False), ("fe80::1%eth0", False)],
)  # fmt: skip
def test_an_address_is_in_a_list_in_every_form(host: str | None, inside: bool) -> None:
    assert is_within(host, ["203.0.113.0/24", "2001:db8::/32"]) is inside


def test_an_order_is_checked_placed_once_and_cancelled(join: Join, sessions: SessionMaker) -> None:
    person = join(role="member")
    number, public_id = set_up_model(person)
    checked = order(person, number, act="check", once="another-0123456789")
    assert (checked.status_code, "Nothing was ordered" in checked.text) == (200, True)
    twice = order(person, number)
    assert public_id in twice.headers["location"], "the same form again orders nothing"
    with sessions() as session:
        assert len(session.scalars(select(Submission)).all()) == 1
    for fields in ({"period": "window"}, {"configuration": "[]"}, {"budget_usd": "many"}, {"protocol": "no-such"},
                   {"embargo_until": "soon"}, {"from": "31 May", "period": "window"}):  # fmt: skip
        refused = order(person, number, once="yet-another-012345", **fields)
        assert refused.status_code == 422, fields
    assert order(person, once="yet-another-012345").status_code == 422
    assert person.post(f"/orders/{public_id}", "cancel").status_code == 422, "the box is not ticked"
    assert person.post(f"/orders/{public_id}", "cancel", sure="yes").status_code == 303
    assert "cancelled" in person.get(f"/orders/{public_id}").text


def test_the_progress_of_an_order_is_streamed_to_its_members_alone(join: Join, sessions: SessionMaker) -> None:
    person, stranger = join(role="viewer"), join("rival", "eve@example.org")
    _number, public_id = set_up_model(join(email="bea@example.org"))
    assert person.get(f"/orders/{public_id}/events").status_code == 404, "no run yet"
    with sessions.begin() as session:
        placed = session.scalars(select(Submission)).one()
        endpoint = session.get_one(Endpoint, placed.endpoint_id)
        run = Run(
            model_id=endpoint.model_id, endpoint_id=endpoint.id, protocol_id=placed.protocol_id, state="active",
            origin="own", public=False,
        )  # fmt: skip
        session.add(run)
        session.flush()
        placed.run_id = run.id
    assert f'data-events="/en/console/orders/{public_id}/events"' in person.get(f"/orders/{public_id}").text
    assert stranger.get(f"/orders/{public_id}/events").status_code == 404
    with person.client.stream("GET", f"/en/console/orders/{public_id}/events") as events:
        assert events.headers["content-type"].startswith("text/event-stream")
        lines = iter(events.iter_lines())
        assert next(line for line in lines if line.startswith("event:")) == "event: progress"
        assert f'"run": {run.id}' in next(lines)


def test_what_is_refused_is_said_beside_what_was_typed(join: Join) -> None:
    person = join()
    for fields in ({"slug": "Orion!", "name": "Orion"}, {"slug": "orion", "name": "\u202eno"},
                   {"slug": "orion", "name": "Orion", "cutoff": "yesterday"},
                   {"slug": "orion", "name": "Orion", "link": "javascript:alert(1)"}):  # fmt: skip
        refused = person.post("/models", "create", **fields)
        assert refused.status_code == 422, fields
        assert f'value="{fields["slug"]}"' in refused.text
    assert person.post("/models", "create", **MODEL).status_code == 303
    taken = person.post("/models", "create", **MODEL)
    assert (taken.status_code, "orion-1 is taken" in taken.text) == (409, True)
    for url in (
        "https://127.0.0.1/v1",
        "http://169.254.169.254",
        "ftp://x.example",
        "https://u@1.1.1.1",
        "https://[::1]/",
    ):
        refused = person.post("/endpoints", "create", **{**ENDPOINT, "base_url": url})
        assert refused.status_code == 422, url
    assert person.post("/endpoints", "create", **ENDPOINT, price_input="-1").status_code == 422
    assert person.post("/endpoints", "create", **{**ENDPOINT, "protocol": "no-such"}).status_code == 422


def test_every_act_is_in_the_audit_log_under_the_member(join: Join, sessions: SessionMaker) -> None:
    person = join()
    _number, public_id = set_up_model(person)
    person.post("/models/orion-1", "declare", cutoff="2026-01-31", evidence="https://example.com/card")
    person.post(f"/orders/{public_id}", "budget", budget_usd="")
    person.post(f"/orders/{public_id}", "cancel", sure="yes")
    with sessions() as session:
        number = session.scalars(select(VendorMember.id)).one()
        own = {entry.action for entry in session.scalars(select(AuditEntry)) if entry.actor == f"member:{number}"}
        assert session.scalars(select(Model.slug)).all() == ["orion-1"]
    assert own >= {
        "console.model_created", "console.endpoint_written", "console.order_placed", "console.cutoff_declared",
        "console.order_budget", "console.order_cancelled",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("organisation", "email", "role"),
    [("Bad!", "a@example.org", "owner"), ("acme", "nobody", "owner"), ("acme", "a@example.org", "king")],
)
def test_a_maintainer_s_invitation_of_nobody_is_refused(
    sessions: SessionMaker, organisation: str, email: str, role: str
) -> None:
    with pytest.raises(InvalidInput):
        invite_first(sessions, organisation, email, role)
