"""Equal writes of a vendor at once, on every route that takes an Idempotency-Key: one effect and one answer."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from sqlalchemy import text
from support.vendor_routes import Route, Tenant, stored_rows, vendor_site

from workers.context import Context

AT_ONCE = 50
# Rows of one table that one call may add: an event has a delivery for each webhook.
MOST_ROWS = 8
# Their keys are kept with what they make, apart from the answers of the others.
KEYS_OF_ITS_OWN = {"probe_endpoint"}

# What must have been called on a thing before a route has an effect on it, by the names of both.
FIRST = {"resume_submission": "pause_submission"}
# What has an effect only once something failed: here all are refused alike.
REFUSED = {"retry_submission"}


@pytest.fixture
def acme(ctx: Context) -> Iterator[Tenant]:
    with vendor_site(ctx) as site, site.tenant("acme") as made:
        yield made


def repeated(routes: list[Route]) -> list[Route]:
    """The routes that take an Idempotency-Key; every POST must."""
    for route in routes:
        if route.method == "POST":
            assert "Idempotency-Key" in route.headers, f"{route.path} may be sent twice"
    return [route for route in routes if "Idempotency-Key" in route.headers]


def make_anew(acme: Tenant, route: Route) -> None:
    """Make the things that the address of a route names anew, such that it has an effect."""
    for noun in ("models", "endpoints", "submissions"):
        acme.make(noun)
    if "webhooks" in route.nouns:
        acme.make("webhooks")
        acme.make("deliveries")
    first = FIRST.get(route.name)
    if first is not None:
        assert acme.call(next(each for each in acme.routes if each.name == first)).status_code == 200


def rows(ctx: Context) -> dict[str, int]:
    return {name: len(held) for name, held in stored_rows(ctx).items()}


def at_once(acme: Tenant, route: Route, key: str) -> list[httpx.Response]:
    body = acme.body(route)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        asked = (pool.submit(acme.call, route, body=body, headers={"Idempotency-Key": key}) for _ in range(AT_ONCE))
        return [each.result(120) for each in list(asked)]


def test_fifty_equal_writes_of_every_route_have_one_effect_and_one_answer(ctx: Context, acme: Tenant) -> None:
    for route in repeated(acme.routes):
        if route.nouns:
            make_anew(acme, route)
        before = rows(ctx)
        answers = at_once(acme, route, route.name)
        if route.name in REFUSED:
            assert {each.status_code for each in answers} == {409}, route.name
            assert rows(ctx) == before, route.name
            continue
        told = {(each.status_code, each.text) for each in answers}
        assert len(told) == 1, (route.name, told)
        assert answers[0].status_code in {200, 201, 202}, (route.name, answers[0].text)
        after = rows(ctx)
        added = {name: after[name] - before[name] for name in after if after[name] != before[name]}
        assert max(added.values()) <= MOST_ROWS, (route.name, added)
        replays = [each.headers.get("idempotency-replayed") for each in answers].count("true")
        if "idempotency" in added:
            assert (added["idempotency"], replays) == (1, AT_ONCE - 1), route.name
        again = acme.call(route, body=acme.body(route), headers={"Idempotency-Key": route.name})
        if route.body is not None and acme.body(route) != acme.body(route):
            assert again.status_code == 422, (route.name, "the key of another request", again.text)


def test_a_key_of_one_route_is_refused_on_another(ctx: Context, acme: Tenant) -> None:
    """An answer that was stored for one request is never told for another one."""
    routes = repeated(acme.routes)
    first = next(route for route in routes if route.name == "create_model")
    assert acme.call(first, headers={"Idempotency-Key": "one"}).status_code == 201
    for route in routes:
        before = rows(ctx)
        answer = acme.call(route, headers={"Idempotency-Key": "one"})
        if route.name in KEYS_OF_ITS_OWN:
            continue
        assert answer.status_code == 422, (route.name, answer.text)
        assert answer.json()["errors"][0]["pointer"] == "/Idempotency-Key", route.name
        assert rows(ctx) == before, route.name


def test_a_key_of_one_thing_is_refused_on_another_of_its_kind(acme: Tenant) -> None:
    for route in repeated(acme.routes):
        if not route.nouns or "deliveries" in route.nouns or route.name in REFUSED:
            continue
        make_anew(acme, route)
        body = acme.body(route)
        first = acme.call(route, body=body, headers={"Idempotency-Key": route.name})
        assert first.status_code < 300, (route.name, first.text)
        make_anew(acme, route)
        other = acme.call(route, body=body, headers={"Idempotency-Key": route.name})
        assert (other.status_code, other.json()["errors"][0]["pointer"]) == (422, "/Idempotency-Key"), route.name


@pytest.mark.parametrize("key", ["", "x" * 201, None])
def test_a_key_that_is_none_is_refused_and_nothing_is_written(ctx: Context, acme: Tenant, key: str | None) -> None:
    before = stored_rows(ctx)
    for route in repeated(acme.routes):
        headers = {} if key is None else {"Idempotency-Key": key}
        answer = acme.client.request(route.method, route.address(acme.ids), json=acme.body(route), headers=headers)
        assert answer.status_code == 422, (route.name, answer.text)
    assert stored_rows(ctx) == before


def test_names_in_keys_of_repeats_do_no_harm(ctx: Context, acme: Tenant) -> None:
    """Keys are texts, whatever they look like, and tell apart letter case and bytes beyond ASCII."""
    ids, body = set(), {"url": "https://93.184.216.34/"}
    keys = [
        b"a'; DROP TABLE models; --",
        b"A",
        b"a",
        b"%00",
        b"../../x",
        b"\xe9",
        b"\xc3\xa9",
        b"${jndi:ldap://a}",
        b"a b",
    ]
    for key in keys:
        for _twice in range(2):
            answer = acme.client.post("/webhooks", json=body, headers={b"Idempotency-Key": key})
            assert answer.status_code == 201, (key, answer.text)
            ids.add(answer.json()["id"])
    assert len(ids) == len(keys)
    with ctx.sessions() as session:
        assert session.execute(text("SELECT count(*) FROM models")).scalar_one() == 1
