"""Two vendors call whatever they like in any order: each has what it made and did not delete, and nothing else."""

import itertools
from collections.abc import Iterator
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from support.vendor_routes import Route, Tenant, VendorSite, vendor_site

from workers.context import Context

WALKS = itertools.count()
LISTS = {"models": "/models", "endpoints": "/endpoints", "submissions": "/submissions", "webhooks": "/webhooks",
         "disputes": "/disputes"}  # fmt: skip


@pytest.fixture
def site(ctx: Context) -> Iterator[VendorSite]:
    with vendor_site(ctx) as made:
        yield made


class TwoTenants(RuleBasedStateMachine):
    """Fresh organisations each walk, on one site; `owned` is what each made and did not delete, by noun."""

    site: ClassVar[VendorSite]

    @initialize()
    def begin(self) -> None:
        walk = "".join("abcdefghkw"[int(digit)] for digit in str(next(WALKS)))
        self.tenants = [
            Tenant(self.site.ctx, self.site.url, f"{name}{walk}", self.site.routes) for name in ("qo", "ju")
        ]
        self.owned: list[dict[str, list[str]]] = [{noun: [] for noun in LISTS} for _ in self.tenants]
        for who in (0, 1):
            for noun in ("models", "endpoints", "webhooks"):
                self.make(who, noun)
        self.tenants[0].make("deliveries")
        self.tenants[1].make("deliveries")

    @rule(who=st.integers(0, 1), noun=st.sampled_from(sorted(LISTS)))
    def make(self, who: int, noun: str) -> None:
        tenant = self.tenants[who]
        if noun in {"submissions"} and "endpoints" not in tenant.ids:
            return
        self.owned[who][noun].append(tenant.make(noun))

    @rule(data=st.data(), who=st.integers(0, 1))
    def call_own(self, data: st.DataObject, who: int) -> None:
        """Any route, with own things: never a failure of ours, and what is made or deleted is remembered."""
        route = data.draw(st.sampled_from(self.callable(who)), label="route")
        ids = self.draw_ids(data, route, who)
        answer = self.tenants[who].call(route, ids)
        assert answer.status_code in route.statuses, (route.name, answer.text)
        assert answer.status_code not in (401, 403, 404, 429), (route.name, answer.text)
        self.note(who, route, ids, answer)
        self.sees_nothing(who, answer.text)

    @rule(data=st.data(), who=st.integers(0, 1))
    def call_theirs(self, data: st.DataObject, who: int) -> None:
        """Any route, with a thing of the other's: not found."""
        route = data.draw(st.sampled_from([each for each in self.callable(1 - who) if each.nouns]), label="route")
        ids = self.tenants[who].ids | self.draw_ids(data, route, 1 - who)
        tag = self.tenants[1 - who].client.get(route.address(ids)).headers.get("etag", "*")
        answer = self.tenants[who].call(route, ids, headers={"If-Match": tag} if "If-Match" in route.headers else None)
        assert answer.status_code == 404, (route.name, answer.text)

    @invariant()
    def each_has_what_it_made(self) -> None:
        if not hasattr(self, "tenants"):
            return
        for who, tenant in enumerate(self.tenants):
            for noun, path in LISTS.items():
                if not any(route.path == path and route.method == "GET" for route in tenant.routes):
                    continue
                answer = tenant.client.get(path)
                assert answer.status_code == 200, answer.text
                told = [str(each["slug" if noun == "models" else "id"]) for each in answer.json()["data"]]
                assert sorted(told) == sorted(self.owned[who][noun]), (noun, who)
                self.sees_nothing(who, answer.text)

    def callable(self, who: int) -> list[Route]:
        """The routes of whose things there is one of each kind."""
        held = {noun for noun, ids in self.owned[who].items() if ids} | {"deliveries"}
        if not self.owned[who]["webhooks"] or not self.owned[who]["models"] or not self.owned[who]["endpoints"]:
            held -= {"deliveries"}
        return [each for each in self.site.routes if set(each.nouns) <= held and self.fillable(each, who)]

    def fillable(self, route: Route, who: int) -> bool:
        """Whether the body of a route can name things that are there."""
        named = {"model": "models", "endpoint": "endpoints", "endpoints": "endpoints"}
        return all(self.owned[who][noun] for key, noun in named.items() if key in route.example)

    def draw_ids(self, data: st.DataObject, route: Route, who: int) -> dict[str, str]:
        """One of the things of a tenant for each that an address names."""
        ids = dict(self.tenants[who].ids)
        if "deliveries" in route.nouns:
            return ids  # the event of the first webhook's test
        for noun in route.nouns:
            ids[noun] = data.draw(st.sampled_from(self.owned[who][noun]), label=noun)
        return ids

    def note(self, who: int, route: Route, ids: dict[str, str], answer: Any) -> None:
        """Remember what a call made, renamed or deleted."""
        noun = route.path.strip("/").partition("/")[0]
        tenant, owned = self.tenants[who], self.owned[who]
        if answer.status_code >= 300:
            return
        if route.method == "DELETE":
            owned[noun].remove(ids[noun])
        elif answer.status_code == 201 and noun == "submission-groups":
            owned["submissions"] += [str(each["id"]) for each in answer.json()["data"]]
        elif answer.status_code == 201 and noun in owned:
            owned[noun].append(str(answer.json()["slug" if noun == "models" else "id"]))
        elif route.method == "PATCH" and noun == "models":
            owned[noun][owned[noun].index(ids[noun])] = str(answer.json()["slug"])
        if route.method in {"DELETE", "PATCH"}:
            # What went with it, or has another name now, is not asked for any more.
            endpoints = [str(each["id"]) for each in tenant.vendor.get("/endpoints")["data"]]
            assert set(endpoints) <= set(owned["endpoints"])
            owned["endpoints"] = endpoints
            for kind in LISTS:
                if owned[kind]:
                    tenant.ids[kind] = owned[kind][-1]
                else:
                    tenant.ids.pop(kind, None)

    def sees_nothing(self, who: int, told: str) -> None:
        """No answer has a name of the other's, which are long and its own."""
        other = self.tenants[1 - who]
        assert other.name not in told
        for noun in ("submissions", "webhooks", "disputes"):
            assert not [each for each in self.owned[1 - who][noun] if each in told], noun

    def teardown(self) -> None:
        for tenant in getattr(self, "tenants", ()):
            tenant.client.close()


def walk(site: VendorSite, examples: int, steps: int) -> None:
    class Walk(TwoTenants):
        pass

    Walk.site = site
    run_state_machine_as_test(
        Walk,
        settings=settings(
            max_examples=examples, stateful_step_count=steps, database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )  # fmt: skip


def test_two_vendors_never_meet(site: VendorSite) -> None:
    walk(site, 3, 15)


@pytest.mark.slow
def test_two_vendors_never_meet_on_long_walks(site: VendorSite) -> None:
    walk(site, 40, 50)
