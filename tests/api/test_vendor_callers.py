"""Who may call what: every route of vendors, each kind of caller, and the answer that the document's scopes promise."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta

import httpx
import pytest
from served import NO_AUTHORITIES
from support.vendor_routes import Route, Tenant, changed_tables, stored_rows, vendor_site
from support.vendors import Vendor

from app.services.operations import access
from app.services.operations.access import KeyScope
from workers.context import Context, now

LEAST_CASES = 150


@dataclass(frozen=True)
class Caller:
    """What one kind of caller sends; `scopes` are those of its key, None if it is nobody's."""

    name: str
    headers: tuple[tuple[str, str], ...]
    scopes: frozenset[KeyScope] | None = None

    def expected(self, route: Route) -> int | None:
        """The status of every answer to this caller; None where the route itself decides."""
        if self.scopes is None:
            return 401
        return None if route.scope in self.scopes else 403


@pytest.fixture
def acme(ctx: Context) -> Iterator[Tenant]:
    with vendor_site(ctx) as site, site.tenant("acme") as made:
        yield made


@pytest.fixture
def routes(acme: Tenant) -> list[Route]:
    return acme.routes


def bearer(key: str, scheme: str = "Bearer") -> tuple[tuple[str, str], ...]:
    return (("Authorization", f"{scheme} {key}"),)


def nobodies(ctx: Context, acme: Tenant) -> Iterator[Caller]:
    """Callers whose key is none, or none any more."""
    key, other = acme.vendor.key, Vendor(ctx, acme.url, "zenith")
    other.client.close()
    expired = ctx.commit(access.issue_key, "acme", list(KeyScope), now() - timedelta(days=2), days=1)
    revoked = ctx.commit(access.issue_key, "acme", list(KeyScope), now())
    ctx.commit(access.revoke_key, revoked.split("_")[1], "lost", now())
    _, prefix, secret = key.split("_", 2)
    bad = {
        "no header": (),
        "an empty header": (("Authorization", ""),),
        "a scheme alone": (("Authorization", "Bearer"),),
        "garbage": bearer("x"),
        "a key of nobody": bearer("tm_nope_nope"),
        "a key without a scheme": (("Authorization", key),),
        "a longer key": bearer(key + "x"),
        "a shorter key": bearer(key[:-1]),
        "another letter case": bearer(key.swapcase()),
        "a prefix without a secret": bearer(f"tm_{prefix}_"),
        "the digest of a secret": bearer(f"tm_{prefix}_{hashlib.sha256(secret.encode()).hexdigest()}"),
        "a prefix with another's secret": bearer(f"tm_{prefix}_{other.key.split('_', 2)[2]}"),
        "two keys in one header": bearer(f"{key}, {key}"),
        "a key of 8,000 characters": bearer("tm_" + "a" * 8000),
        "a key and a pattern": bearer(f"tm_{prefix[:-1]}%_{secret}"),
        "Basic": bearer(key, "Basic"),
        "Token": bearer(key, "Token"),
        "a header of another name": (("X-API-Key", key),),
        "a cookie": (("Cookie", f"key={key}; session={key}; Authorization=Bearer {key}"),),
        "a bad key before a good one": (*bearer("tm_nope_nope"), *bearer(key)),
        "an expired key": bearer(expired),
        "a revoked key": bearer(revoked),
    }  # fmt: skip
    yield from (Caller(name, headers) for name, headers in bad.items())


def holders(ctx: Context, acme: Tenant) -> Iterator[Caller]:
    """Callers with a key of the organisation: of each scope alone, of all but one, and of all, in each spelling."""
    every = frozenset(KeyScope)
    for scope in KeyScope:
        for scopes, name in ((frozenset({scope}), f"only {scope}"), (every - {scope}, f"all but {scope}")):
            yield Caller(name, bearer(ctx.commit(access.issue_key, "acme", list(scopes), now())), scopes)
    for scheme in ("Bearer", "bearer", "BEARER"):
        yield Caller(f"all scopes, by {scheme}", bearer(acme.vendor.key, scheme), every)


def fault(route: Route, caller: Caller, answer: httpx.Response) -> str | None:
    """What is wrong with an answer; None if it is as the document says."""
    expected, status = caller.expected(route), answer.status_code
    said = f"{route.method} {route.path} by {caller.name}: {status}"
    if expected is not None and status != expected:
        return f"{said}, not {expected}"
    if expected is None and (status in (401, 403, 429) or status not in route.statuses):
        return f"{said} {answer.text[:200]}"
    if status == 401 and answer.headers.get("www-authenticate") != "Bearer":
        return f"{said} does not say how to sign in"
    if answer.headers.get("cache-control") not in ("no-store", "no-cache"):
        return f"{said} may be stored"
    return None


def ask(client: httpx.Client, acme: Tenant, route: Route, caller: Caller, body: object) -> httpx.Response:
    headers: list[tuple[str, str]] = list(caller.headers)
    headers += [(name, "any" if name == "If-Match" else f"{caller.name} {route.name}") for name in route.headers]
    params: Mapping[str, str] = {"wait_s": "0"} if "wait_s" in route.queries else {}
    return client.request(route.method, route.address(acme.ids), json=body, headers=headers, params=params)


def test_every_route_answers_each_kind_of_caller_as_its_scope_says(
    ctx: Context, acme: Tenant, routes: list[Route]
) -> None:
    refused, let_in = list(nobodies(ctx, acme)), list(holders(ctx, acme))
    before, cases, faults = stored_rows(ctx), 0, list[str | None]()
    with httpx.Client(base_url=f"{acme.url}/api/v1/vendor", timeout=60, verify=NO_AUTHORITIES) as client:
        for route in routes:
            body = acme.body(route)
            for caller in [*refused, *(each for each in let_in if each.expected(route) == 403)]:
                # What is sent is looked at only once it is known who sends it.
                sent = {"x": "\0"} if body is not None and cases % 2 else body
                faults.append(fault(route, caller, ask(client, acme, route, caller, sent)))
                cases += 1
        assert list(changed_tables(before, stored_rows(ctx))) == [], "who is refused has no effect"
        for route in sorted(routes, key=lambda each: each.method == "DELETE"):
            for caller in (each for each in let_in if each.expected(route) is None):
                faults.append(fault(route, caller, ask(client, acme, route, caller, acme.body(route))))
                cases += 1
    assert [each for each in faults if each] == []
    assert cases >= LEAST_CASES


def test_a_key_in_an_address_lets_nobody_in(acme: Tenant, routes: list[Route]) -> None:
    with httpx.Client(base_url=f"{acme.url}/api/v1/vendor", timeout=60, verify=NO_AUTHORITIES) as client:
        for name in ("key", "api_key", "access_token", "token"):
            for route in routes:
                answer = client.request(route.method, route.address(acme.ids), params={name: acme.vendor.key})
                assert answer.status_code == 401, (route.name, name, answer.text)
                assert acme.vendor.key not in answer.text


def test_methods_that_a_route_does_not_name_are_refused_before_keys_are_read(acme: Tenant, routes: list[Route]) -> None:
    taken = {(route.method, route.path) for route in routes}
    with httpx.Client(base_url=f"{acme.url}/api/v1/vendor", timeout=60, verify=NO_AUTHORITIES) as client:
        for path in {route.path: route for route in routes}.values():
            for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"):
                if (method, path.path) in taken:
                    continue
                answer = client.request(method, path.address(acme.ids), headers={"X-HTTP-Method-Override": path.method})
                assert answer.status_code == 405, (method, path.path, answer.text)
                allowed = {each.strip() for each in answer.headers["allow"].split(",")}
                assert {each for each, where in taken if where == path.path} <= allowed
