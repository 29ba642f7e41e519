"""Two vendors: neither reads, changes or learns of what the other owns, by whatever names it."""

import re
from collections.abc import Iterator

import httpx
import pytest
from sqlalchemy import text
from support.vendor_routes import NAMING_FIELDS, Tenant, changed_tables, stored_rows, vendor_site
from support.vendors import move_on, publish

from workers.context import Context

UNKNOWN = {
    "models": "nobody-orion", "endpoints": "987654321", "submissions": "sub_000000000000000000000000",
    "webhooks": "whk_000000000000000000000000", "deliveries": "evt_000000000000000000000000",
    "disputes": "dsp_000000000000000000000000",
}  # fmt: skip


@pytest.fixture
def both(ctx: Context) -> Iterator[tuple[Tenant, Tenant]]:
    """Two organisations, each with one thing of each kind."""
    publish(ctx, 1)
    with vendor_site(ctx) as site, site.tenant("acme") as acme, site.tenant("zenith") as zenith:
        move_on()
        yield acme, zenith


def told(answer: httpx.Response, ids: dict[str, str]) -> tuple[int, str, str]:
    """What a failure says, whatever thing was asked for."""
    problem = answer.json()
    said = str(problem["detail"])
    for each in ids.values():
        said = re.sub(rf"\b{re.escape(each)}\b", "ID", said)
    return answer.status_code, problem["code"], said


def test_what_is_anothers_is_not_there_and_stays_as_it_is(ctx: Context, both: tuple[Tenant, Tenant]) -> None:
    """Each route, with each id of its address another's in turn, and with all of them."""
    acme, zenith = both
    before = stored_rows(ctx)
    cases = 0
    for route in acme.routes:
        tagged = {"If-Match": acme.tag(route)} if "If-Match" in route.headers else {}
        body = zenith.body(route)
        for theirs in ({noun} for noun in route.nouns):
            ids = zenith.ids | {noun: acme.ids[noun] for noun in theirs}
            no_ids = zenith.ids | {noun: UNKNOWN[noun] for noun in theirs}
            found = zenith.call(route, ids, body, tagged)
            absent = zenith.call(route, no_ids, body, tagged)
            assert found.status_code == 404, (route.method, route.path, found.text)
            assert told(found, ids) == told(absent, no_ids), "another's thing and none are one answer"
            cases += 1
    assert list(changed_tables(before, stored_rows(ctx))) == []
    assert cases >= 14


def test_a_body_that_names_what_is_anothers_has_no_effect(ctx: Context, both: tuple[Tenant, Tenant]) -> None:
    acme, zenith = both
    before = stored_rows(ctx)
    named = 0
    for route in acme.routes:
        for key in NAMING_FIELDS.keys() & route.fields.keys():
            if key not in route.example:
                continue
            mixed = zenith.ids | {NAMING_FIELDS[key]: acme.ids[NAMING_FIELDS[key]]}
            answer = zenith.call(route, body=zenith.body(route, mixed))
            assert answer.status_code in (404, 422), (route.name, key, answer.text)
            assert acme.vendor.key not in answer.text
            named += 1
    assert named >= 3
    assert list(changed_tables(before, stored_rows(ctx))) == []


def test_no_list_and_no_cursor_shows_what_is_anothers(both: tuple[Tenant, Tenant]) -> None:
    acme, zenith = both
    marks = {*acme.ids.values(), "acme"} - set(zenith.ids.values())
    marks = {mark for mark in marks if not mark.isdigit()}
    lists = [route for route in acme.routes if not route.changes and not route.nouns]
    assert len(lists) >= 4
    for route in lists:
        mine = acme.call(route)
        assert mine.status_code == 200, mine.text
        cursors = {str(mine.json().get("next_cursor")), acme.ids["endpoints"], "1", "999999999"}
        for query in ({}, *({"cursor": cursor} for cursor in cursors if "cursor" in route.queries)):
            said = zenith.client.get(route.path, params=query)
            assert said.status_code in (200, 422), said.text
            assert not [mark for mark in marks if mark in said.text], (route.path, query, said.text)


def test_filters_and_cursors_in_anothers_name_find_nothing(both: tuple[Tenant, Tenant]) -> None:
    acme, zenith = both
    for route in (each for each in acme.routes if not each.changes):
        for query in route.queries & {"model", "endpoint", "submission", "group", "run"}:
            noun = NAMING_FIELDS.get(query, "submissions")
            said = zenith.call(route, query={query: acme.ids[noun]}) if not route.nouns else None
            assert said is None or said.status_code in (404, 422) or said.json()["data"] == [], (route.path, query)


def test_a_private_run_is_its_organisations(both: tuple[Tenant, Tenant]) -> None:
    acme, zenith = both
    run = acme.client.get(f"/submissions/{acme.ids['submissions']}").json()["run"]
    if run is None:
        pytest.fail("the order has no run: let its endpoint pass a probe first")
    site = str(acme.client.base_url).removesuffix("/vendor/")
    for client, expected in ((acme.client, 200), (zenith.client, 404)):
        for ending in ("", "/events"):
            with client.stream("GET", f"{site}/runs/{run}{ending}") as answer:
                assert answer.status_code == expected, (ending, expected)
    with httpx.stream("GET", f"{site}/runs/{run}") as stranger:
        assert stranger.status_code == 404


def test_a_key_of_repeats_is_its_organisations(ctx: Context, both: tuple[Tenant, Tenant]) -> None:
    """Who sends another's Idempotency-Key with the same body gets no answer of the other's."""
    acme, zenith = both
    body = {"url": "https://93.184.216.34/hook"}
    mine, theirs = acme.vendor.post("/webhooks", body, "same"), zenith.vendor.post("/webhooks", body, "same")
    assert (mine.status_code, theirs.status_code) == (201, 201)
    assert mine.json()["id"] != theirs.json()["id"]
    assert "idempotency-replayed" not in theirs.headers
    again = zenith.vendor.post("/webhooks", body, "same")
    assert (again.json(), again.headers["idempotency-replayed"]) == (theirs.json(), "true")
    with ctx.sessions() as session:
        kept = session.execute(text("SELECT count(DISTINCT organisation_id) FROM idempotency WHERE key = 'same'"))
        assert kept.scalar_one() == 2
