"""The vendors' door: keys and scopes, repeats, addresses, secrets, and an order's way to the board."""

import contextlib
import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx
import pytest
from fakes import model_server
from fakes.model_server import ModelServer
from served import NO_AUTHORITIES, served
from sqlalchemy import TextClause, select, text
from support.vendors import SECRET, Vendor, infer, publish
from support.waiting import until

from app.config import Settings
from app.db.tables import ApiKey, Endpoint, Model, Organisation, Sample, Submission
from app.domain.errors import InvalidInput
from app.main import create_app
from app.services.operations import access
from app.services.vendors import registrations
from workers import tasks
from workers.context import Context, make_context, now, use


@pytest.fixture
def stranger(url: str) -> Iterator[httpx.Client]:
    """A client without a key."""
    with httpx.Client(base_url=f"{url}/api/v1/vendor", timeout=120, verify=NO_AUTHORITIES) as made:
        yield made


def test_request_without_a_valid_key_or_its_scope_is_refused(
    ctx: Context, url: str, vendor: Vendor, stranger: httpx.Client
) -> None:
    body = {"slug": "orion", "name": "Orion"}
    for header in ({}, {"Authorization": "Basic abc"}, {"Authorization": "Bearer tm_nope_nope"},
                   {"Authorization": f"Bearer {vendor.key}x"}, {"Authorization": "Bearer"}):  # fmt: skip
        answer = stranger.post("/models", json=body, headers={"Idempotency-Key": "a"} | header)
        assert answer.status_code == 401
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.headers["www-authenticate"] == "Bearer"
    reader = Vendor(ctx, url, "acme", "submissions:read")
    with reader.client:
        assert reader.post("/models", body).status_code == 403
        assert reader.get("/submissions") == {"data": [], "next_cursor": None}
    assert vendor.post("/models", body).status_code == 201
    with ctx.sessions() as session:
        prefixes = {each.prefix: each for each in session.scalars(select(ApiKey))}
        row = prefixes[vendor.key.split("_")[1]]
        assert vendor.key.split("_", 2)[2] not in row.secret_sha256
        assert row.last_used_at is not None
    ctx.commit(access.revoke_key, vendor.key.split("_")[1], "lost", now())
    assert vendor.post("/models", body).status_code == 401
    for name, days in (("", 1), ("Acme", 1), ("a" * 65, 1), ("bad org", 1), ("acme", 0), ("acme", 10**9)):
        with pytest.raises(InvalidInput):
            ctx.commit(access.issue_key, name, ["submissions:read"], now(), days=days)
    expired = ctx.commit(access.issue_key, "acme", ["submissions:read"], now() - timedelta(days=2), days=1)
    answer = stranger.get("/submissions", headers={"Authorization": f"Bearer {expired}"})
    assert answer.status_code == 401


def test_one_vendor_sees_and_touches_only_its_own(ctx: Context, url: str, vendor: Vendor) -> None:
    publish(ctx, 1)
    vendor.model()
    endpoint = vendor.endpoint("https://93.184.216.34/v1")
    order = vendor.submit(endpoint)
    other = Vendor(ctx, url, "zenith")
    with other.client:
        assert other.post("/models", {"slug": "orion", "name": "Mine"}).status_code == 409
        assert (
            other.post(
                "/endpoints", {"model": "orion", "remote_name": "x", "base_url": "https://93.184.216.34/"}
            ).status_code
            == 404
        )
        assert other.post("/submissions", {"endpoint": endpoint, "continuous": True}).status_code == 404
        assert other.client.get(f"/submissions/{order}").status_code == 404
        assert other.post(f"/submissions/{order}/cancel").status_code == 404
        assert other.get("/submissions")["data"] == []


def _one(ctx: Context, statement: TextClause) -> object:
    with ctx.sessions() as session:
        return session.scalar(statement)


def test_of_two_that_take_a_slug_at_once_one_has_it(ctx: Context, vendor: Vendor) -> None:
    """The other is told so, and publishes nothing under a name that is not its own."""
    waits = text("SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")
    answers: list[httpx.Response] = []
    ctx.commit(access.issue_key, "zenith", ["models:write"], now())
    with ctx.sessions() as session, session.begin():
        zenith = session.scalars(select(Organisation).where(Organisation.name == "zenith")).one()
        registrations.create_model(session, zenith.id, registrations.NewModel("orion", "Theirs"), now())
        late = threading.Thread(
            target=lambda: answers.append(vendor.post("/models", {"slug": "orion", "name": "Ours"}))
        )
        late.start()
        until(lambda: _one(ctx, waits), "the other's wait")
    late.join()
    assert [answer.status_code for answer in answers] == [409]
    with ctx.sessions() as session:
        assert session.scalars(select(Model.name)).all() == ["Theirs"]


def test_a_repeat_gets_the_kept_answer(ctx: Context, vendor: Vendor) -> None:
    body = {"slug": "orion", "name": "Orion", "cutoff": {"date": "2025-12-01", "evidence_url": "https://a.test/x"}}
    first, second = vendor.post("/models", body, "k1"), vendor.post("/models", body, "k1")
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json() == second.json()
    registered = {"date": now().date().isoformat(), "basis": "registered", "evidence": None}
    assert first.json()["cutoff"] == registered, "what a vendor says waits for a maintainer"
    assert first.json()["waiting"] == {"date": "2025-12-01", "released_on": None, "evidence": "https://a.test/x"}
    assert (first.headers.get("idempotency-replayed"), second.headers.get("idempotency-replayed")) == (None, "true")
    changed = vendor.post("/models", body | {"name": "Other"}, "k1")
    assert (changed.status_code, changed.json()["code"]) == (422, "invalid_input")
    assert vendor.post("/models", body, "k2").status_code == 409
    assert vendor.client.post("/models", json=body).status_code == 422, "without a key nothing is written"
    endpoint = vendor.endpoint("https://93.184.216.34/v1")
    answers: list[httpx.Response] = []
    order = {"endpoint": endpoint, "continuous": True}
    threads = [
        threading.Thread(target=lambda: answers.append(vendor.post("/submissions", order, "k3"))) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers if answer.status_code == 201}) == 1
    with ctx.sessions() as session:
        [made] = session.scalars(select(Submission))
        assert made.window_start is not None, "a continuous order asks for new problems, not for all there ever were"
        assert made.window_start.date() == made.created_at.date()


NOT_PUBLIC = (
    "https://10.0.0.5/v1",
    "https://192.168.1.1/v1",
    "https://172.16.0.9/v1",
    "https://169.254.169.254/latest",
    "https://100.64.0.1/v1",
    "https://0.0.0.0/v1",
    "https://[::1]/v1",
    "https://[::ffff:127.0.0.1]/v1",
    "https://[::ffff:10.0.0.1]/v1",
    "https://[64:ff9b::a00:1]/v1",
    "https://[fd00::1]/v1",
    "https://[fe80::1]/v1",
    "http://93.184.216.34/v1",
    "https://user:pass@93.184.216.34/v1",
    "https://93.184.216.34:0/v1",
    "https://93.184.216.34:99999/v1",
    "ftp://93.184.216.34/v1",
    "file:///etc/passwd",
    "https:///v1",
    "not a url",
    "https://no-such-host.invalid/v1",
    "https://93.184.216.34/\0",
    "https://xn--.com/",
    "",
)


def test_addresses_that_are_not_public_are_refused(vendor: Vendor) -> None:
    vendor.model()
    for address in NOT_PUBLIC:
        body = {"model": "orion", "remote_name": "x", "base_url": address, "secret": SECRET}
        answer = vendor.post("/endpoints", body)
        assert (answer.status_code, answer.json()["code"]) == (422, "address_refused"), address
        assert answer.json()["errors"][0]["pointer"] == "/base_url"
        assert SECRET not in answer.text, address


def test_the_own_machine_is_refused_unless_the_operator_lists_it(settings: Settings) -> None:
    with contextlib.closing(use(make_context(settings))) as bare, served(create_app(settings)) as url:
        vendor = Vendor(bare, url)
        with vendor.client:
            vendor.model()
            for address in ("https://127.0.0.1/v1", "https://localhost/v1", "https://2130706433/v1"):
                answer = vendor.post("/endpoints", {"model": "orion", "remote_name": "x", "base_url": address})
                assert (answer.status_code, answer.json()["code"]) == (422, "address_refused"), address


NOT_KEPT: tuple[tuple[dict[str, Any], str], ...] = (
    ({"configuration": {"temperature": 2}}, "/configuration/temperature"),
    ({"configuration": {"model": "other"}}, "/configuration/model"),
    ({"configuration": {"top_k": 20}}, "/configuration/top_k"),
    ({"configuration": {"reasoning_efort": "high"}}, "/configuration/reasoning_efort"),
    ({"configuration": {"effort": "a\0b"}}, "/configuration"),
    ({"configuration": {"effort": "hi\u202egh"}}, "/configuration"),
    ({"configuration": {" ": 1}}, "/configuration"),
    ({"configuration": {"budget": 2**63}}, "/configuration"),
    ({"configuration": {"budget": 1e300}}, "/configuration"),
    ({"configuration": {"stop": ["a"]}}, "/configuration"),
    ({"configuration": {"extra": {"a": 1}}}, "/configuration"),
    ({"configuration": {"effort": None}}, "/configuration"),
    ({"configuration": {f"name-{n}": "\u6a21" * 60 for n in range(12)}}, "/configuration"),
    ({"window": {"from": "0001-01-01", "to": "9999-12-31"}}, "/window/from"),
    ({"window": {"from": "2026-03-01", "to": "9999-12-31"}}, "/window/to"),
    ({"window": {"from": "2026-W01-1", "to": "2026-04-01"}}, "/window/from"),
    ({"window": {"from": 0, "to": "2026-04-01"}}, "/window/from"),
    ({"embargo_until": "0001-01-01T00:00:00+23:59"}, "/embargo_until"),
    ({"embargo_until": "9999-12-31T23:59:59-23:59"}, "/embargo_until"),
    ({"embargo_until": "2026-01-01T00:00:00Z"}, "/embargo_until"),
    ({"protocol": "lcb"}, "/protocol"),
    ({"protocol": "nothing"}, "/protocol"),
    ({"window": None}, "/window"),
    ({"continuous": True}, "/window"),
    ({"window": {"from": "2026-03-02", "to": "2026-03-01"}}, "/window/to"),
    ({"window": {"from": "soon", "to": "2026-03-01"}}, "/window"),
    ({"visibility": "secret"}, "/visibility"),
    ({"unknown": 1}, "/unknown"),
    ({"a/b~c": 1}, "/a~1b~0c"),
)


def test_an_order_that_cannot_be_kept_is_refused(vendor: Vendor) -> None:
    vendor.model()
    endpoint = vendor.endpoint("https://93.184.216.34/v1")
    window = {"from": "2026-03-01", "to": "2026-04-01"}
    for fields, pointer in NOT_KEPT:
        answer = vendor.post("/submissions", {"endpoint": endpoint, "window": window} | fields)
        assert answer.status_code == 422, (fields, answer.text)
        assert answer.json()["errors"][0]["pointer"].startswith(pointer), fields
        for name in ("function-", "[key]", "StrictInt", "constrained", "tuple[", "union"):
            assert name not in answer.text, "no name of the library that reads bodies"
    assert vendor.get("/submissions")["data"] == []


def test_an_order_takes_the_settings_of_its_endpoints_own_format(vendor: Vendor) -> None:
    vendor.model()
    endpoint = vendor.endpoint("https://93.184.216.34/v1", protocol="anthropic")
    answer = vendor.post("/submissions", {"endpoint": endpoint, "continuous": True, "configuration": {"efort": "high"}})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/configuration/efort")
    assert "takes effort, thinking, thinking_budget; did you mean effort?" in answer.json()["detail"]
    assert vendor.get("/submissions")["data"] == []
    order = vendor.submit(endpoint, configuration={"effort": "high"})
    assert vendor.state(order)["configuration"] == {"effort": "high"}


def test_a_vendor_registers_only_formats_that_call_an_address(vendor: Vendor) -> None:
    vendor.model()
    body = {"model": "orion", "remote_name": "x", "base_url": "https://93.184.216.34/v1"}
    for protocol in ("telex", "replay", "", 7):
        answer = vendor.post("/endpoints", body | {"protocol": protocol})
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/protocol"), protocol


def test_a_configuration_is_kept_as_it_was_given(vendor: Vendor) -> None:
    vendor.model()
    given = {"reasoning_effort": "快", "thinking_budget": 2**63 - 1, "verbosity": "low", "enable_thinking": True}
    order = vendor.submit(
        vendor.endpoint("https://93.184.216.34/v1"), configuration=given, embargo_until="2030-01-01T00:00:00+23:59"
    )
    kept = vendor.state(order)["configuration"]
    assert kept == given
    assert kept["enable_thinking"] is True


NOT_SHOWN: tuple[tuple[dict[str, Any], str], ...] = (
    ({"name": "   "}, "/name"),
    ({"name": "\u3000"}, "/name"),
    ({"name": "Ori\u202eno"}, "/name"),
    ({"name": "Ori\u2066on"}, "/name"),
    ({"name": "Ori\x7fon"}, "/name"),
    ({"name": "Ori\non"}, "/name"),
    ({"name": "Ori\ud800on"}, "/name"),
    ({"\ud800": 1}, "/"),
    ({"released_on": "9999-12-31"}, "/released_on"),
    ({"released_on": "1999-12-31"}, "/released_on"),
    ({"released_on": 0}, "/released_on"),
    ({"cutoff": {"date": "9998-12-31"}}, "/cutoff/date"),
    ({"cutoff": {"date": "9999-12-31"}}, "/cutoff/date"),
    ({"cutoff": {"date": "1980-01-01"}}, "/cutoff/date"),
    ({"cutoff": {"date": "0001-01-01"}}, "/cutoff/date"),
    ({"cutoff": {"date": (now() + timedelta(days=400)).date().isoformat()}}, "/cutoff/date"),
)


def test_a_model_that_cannot_be_shown_is_refused(vendor: Vendor) -> None:
    for place, (fields, pointer) in enumerate(NOT_SHOWN):
        # As text, since a lone surrogate is JSON that no encoder here would write.
        body = json.dumps({"slug": "orion", "name": "Orion"} | fields)
        headers = {"Idempotency-Key": f"case-{place}", "Content-Type": "application/json"}
        answer = vendor.client.post("/models", content=body, headers=headers)
        assert answer.status_code == 422, (ascii(fields), answer.text)
        assert answer.json()["errors"][0]["pointer"].startswith(pointer), ascii(fields)


def test_a_model_of_these_years_is_taken(vendor: Vendor) -> None:
    soon = (now() + timedelta(days=300)).date().isoformat()
    for slug, cutoff in (("orion", "2000-01-01"), ("lyra", soon)):
        body = {"slug": slug, "name": "猎户座 1.5", "released_on": soon, "cutoff": {"date": cutoff}}
        assert vendor.post("/models", body).status_code == 201


def test_a_submission_of_no_name_is_not_found(vendor: Vendor) -> None:
    for name in ("%00", "sub_%00", "sub_x", "%ed%a0%80", "x" * 900):
        for answer in (vendor.client.get(f"/submissions/{name}"), vendor.post(f"/submissions/{name}/cancel")):
            assert answer.status_code == 404, (name, answer.text)
            assert answer.json()["code"] == "not_found", name


def everything(ctx: Context) -> str:
    """All that the database holds, as text."""
    with ctx.sessions() as session:
        names = session.scalars(text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).all()
        rows = [session.scalars(text(f'SELECT CAST(t AS text) FROM "{name}" t')).all() for name in names]
    return "\n".join(str(row) for table in rows for row in table)


def test_secrets_are_nowhere_in_clear(ctx: Context, vendor: Vendor) -> None:
    """Not in an answer, an error of the endpoint that quotes it, a log of requests, or the database."""
    publish(ctx, 1)
    with ModelServer(lambda asked: model_server.error(401, f"bad key {asked.headers.get('authorization')}")) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url)
        order = vendor.submit(endpoint)
        tasks.sweep()
        infer(ctx, endpoint)
        tasks.sweep()
    assert server.asked[0].headers["authorization"] == f"Bearer {SECRET}"
    state = vendor.state(order)
    assert state["state"] == "stalled"
    assert SECRET not in str(state)
    held = everything(ctx)
    assert "stalled" in held
    assert SECRET not in held
    assert SECRET.encode().hex() not in held
    assert vendor.key.split("_", 2)[2] not in held
    answer = vendor.post("/endpoints", {"model": "orion", "remote_name": "x", "base_url": server.url, "secret": SECRET})
    assert answer.json()["has_secret"] is True
    assert SECRET not in answer.text


def test_a_list_is_paged(ctx: Context, vendor: Vendor) -> None:
    vendor.model()
    endpoint = vendor.endpoint("https://93.184.216.34/v1")
    made = [vendor.submit(endpoint) for _ in range(3)]
    first = vendor.get("/submissions?limit=2")
    second = vendor.get(f"/submissions?limit=2&cursor={first['next_cursor']}")
    assert [each["id"] for each in (*first["data"], *second["data"])] == made[::-1]
    assert second["next_cursor"] is None
    for query in ("limit=0", "limit=201", "cursor=0", "cursor=nothing", "state=open", "utm_source=x"):
        answer = vendor.client.get(f"/submissions?{query}")
        assert answer.status_code == 422
        assert answer.json()["errors"][0]["pointer"] == "/" + query.partition("=")[0]
    with ctx.sessions() as session:
        assert session.scalars(select(Endpoint.trusted)).all() == [False]
        assert session.scalars(select(Sample.id)).all() == []


def test_a_body_that_cannot_be_read_says_what_to_send(vendor: Vendor) -> None:
    for content, kind, said in (
        (b"{slug: 1}", "application/json", "the body is not JSON, from character 1 on: Expecting property name"),
        (b"[]", "application/json", "the body must be one JSON object"),
        (b'{"slug": "orion", "name": "Orion"}', "text/plain", "with the header Content-Type: application/json"),
        (b'{"slug": "orion", "name": " "}', "application/json", "/name: give visible text"),
    ):
        headers = {"Idempotency-Key": said[:20].replace(" ", "-"), "Content-Type": kind}
        answer = vendor.client.post("/models", content=content, headers=headers)
        assert answer.status_code == 422, (said, answer.text)
        assert said in answer.json()["detail"], content
        assert "/1" not in {each["pointer"] for each in answer.json()["errors"]}, "no field is called by a place"
