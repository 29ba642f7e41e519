"""Every route of vendors as the API's document has it, and tenants who own one thing of each kind to call it with.

A route that is added is called like the others: its address is filled with the tenant's own things, its body is the
example of the document. What is not known here of a new route is an error that names it.
"""

import copy
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
from served import served
from sqlalchemy import text

from app.services.operations.access import KeyScope
from support.orders import site_of
from support.vendors import SECRET, Vendor
from workers.context import Context

ROOT = "/api/v1/vendor"
ADDRESS = "https://93.184.216.34/v1"
_PARAMETER = re.compile(r"\{(\w+)\}")
_REPEATS = itertools.count()
# Of a table that these calls may change without an effect of theirs: when a key was last used.
_NO_EFFECT = {"api_keys"}
# Fields of bodies that name a thing, with the noun of its kind; those that are an address.
NAMING_FIELDS: Mapping[str, str] = {"model": "models", "endpoint": "endpoints", "endpoints": "endpoints"}
ADDRESS_FIELDS = ("url", "base_url")


@dataclass(frozen=True)
class Route:
    """A method and a path under ROOT, with what the document says of them."""

    method: str
    path: str
    name: str
    scope: KeyScope
    statuses: frozenset[int]
    body: str | None
    fields: Mapping[str, Any]
    example: Mapping[str, Any]
    headers: frozenset[str]
    queries: frozenset[str]

    @property
    def nouns(self) -> Sequence[str]:
        """The kinds of things that its address names: the segment before each parameter."""
        return [part.rstrip("/").rpartition("/")[2] for part in _PARAMETER.split(self.path)[:-1:2]]

    @property
    def changes(self) -> bool:
        return self.method != "GET"

    def address(self, ids: Mapping[str, str]) -> str:
        """The path with the ids of things in it, by noun; an unknown noun is an error that names the route."""
        missing = [noun for noun in self.nouns if noun not in ids]
        assert not missing, f"{self.method} {self.path}: say in Tenant how one of {missing} is made"
        found = iter(self.nouns)
        return _PARAMETER.sub(lambda _match: ids[next(found)], self.path)


def vendor_routes(document: Mapping[str, Any]) -> list[Route]:
    """All routes of vendors, in the order of the document."""
    schemas = document["components"]["schemas"]
    found = []
    for path, item in document["paths"].items():
        if not path.startswith(ROOT + "/"):
            continue
        for method, operation in item.items():
            [needed] = operation["security"]
            [[scope]] = needed.values()
            content = operation.get("requestBody", {}).get("content", {})
            name = content["application/json"]["schema"]["$ref"].rpartition("/")[2] if content else None
            schema = schemas[name] if name else {}
            given = [(each["in"], each["name"]) for each in operation.get("parameters", ())]
            found.append(
                Route(
                    method.upper(), path.removeprefix(ROOT), operation["operationId"], KeyScope(scope),
                    frozenset(map(int, operation["responses"])), name, schema.get("properties", {}),
                    schema.get("examples", [{}])[0],
                    frozenset(each for where, each in given if where == "header"),
                    frozenset(each for where, each in given if where == "query"),
                )
            )  # fmt: skip
    return found


@dataclass(frozen=True)
class VendorSite:
    """A site that counts no requests, with its routes of vendors."""

    ctx: Context
    url: str
    routes: list[Route]

    @contextmanager
    def tenant(self, name: str) -> "Iterator[Tenant]":
        """An organisation that owns one thing of each kind."""
        made = Tenant(self.ctx, self.url, name, self.routes)
        with made.client:
            made.make_all()
            yield made


@contextmanager
def vendor_site(ctx: Context) -> Iterator[VendorSite]:
    """Serve the site over a database; what is asked here in a minute is more than its limits allow."""
    unlimited = {"key_requests_per_minute": 0, "failed_keys_per_minute": 0, "all_failed_keys_per_minute": 0}
    app = site_of(Context(ctx.settings.model_copy(update=unlimited), ctx.sessions, ctx.wake))
    with served(app) as url:
        yield VendorSite(ctx, url, vendor_routes(app.openapi()))


@dataclass
class Tenant:
    """An organisation with one thing of each kind, by the noun of its addresses; all their names begin with its own."""

    ctx: Context
    url: str
    name: str
    routes: list[Route]
    ids: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.vendor = Vendor(self.ctx, self.url, self.name)
        self.made = itertools.count()

    @property
    def client(self) -> httpx.Client:
        return self.vendor.client

    def make_all(self) -> None:
        """Make one thing of each kind that addresses name."""
        self.make("models")
        self.make("endpoints")
        self.make("submissions")
        self.make("webhooks")
        self.make("deliveries")
        self.make("disputes")

    def make(self, noun: str) -> str:
        """Make one more thing of a kind, of the newest things of the others, and return its id."""
        self.ids[noun] = self._make(noun)
        return self.ids[noun]

    def _make(self, noun: str) -> str:
        number = next(self.made)
        match noun:
            case "models":
                slug = f"{self.name}-{_letters(number)}"
                return str(self._created("/models", {"slug": slug, "name": slug.title()})["slug"])
            case "endpoints":
                body = {
                    "model": self.ids["models"], "remote_name": f"{self.name}-{number}", "base_url": ADDRESS,
                    "secret": SECRET, "price_input": 1, "price_output": 1,
                }  # fmt: skip
                return str(self._created("/endpoints", body)["id"])
            case "submissions":
                body = {"endpoint": int(self.ids["endpoints"]), "continuous": True, "visibility": "private"}
                return str(self._created("/submissions", body)["id"])
            case "webhooks":
                return str(self._created("/webhooks", {"url": f"{ADDRESS}/{self.name}"})["id"])
            case "deliveries":
                sent = self.vendor.post(f"/webhooks/{self.ids['webhooks']}/test")
                assert sent.status_code == 200, sent.text
                return str(sent.json()["event"]["id"])
            case "disputes":
                body = {"about": "cutoff", "model": self.ids["models"], "text": f"the cutoff of {self.name} is wrong"}
                return str(self._created("/disputes", body)["id"])
        raise AssertionError(f"say in Tenant how one of {noun} is made")

    def _created(self, path: str, body: Any) -> Any:
        answer = self.vendor.post(path, body)
        assert answer.status_code == 201, (path, answer.text)
        return answer.json()

    def body(self, route: Route, ids: Mapping[str, str] | None = None) -> Any:
        """The example body of a route, which names these things, the tenant's own unless given."""
        if route.body is None:
            return None
        return fill_body(route.example, ids or self.ids, f"{self.name}-{_letters(next(self.made))}")

    def call(
        self,
        route: Route,
        ids: Mapping[str, str] | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        query: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """Call a route with things of the tenant's own unless others are given."""
        sent = dict(headers or {})
        if "Idempotency-Key" in route.headers:
            sent.setdefault("Idempotency-Key", f"call-{next(_REPEATS)}")
        if "If-Match" in route.headers:
            sent.setdefault("If-Match", self.tag(route))
        params = ({"wait_s": "0"} if "wait_s" in route.queries else {}) | dict(query or {})
        body = self.body(route) if body is None else body
        return self.client.request(route.method, route.address(ids or self.ids), json=body, headers=sent, params=params)

    def tag(self, route: Route) -> str:
        """The ETag of the tenant's own thing that a route changes."""
        return str(self.client.get(route.address(self.ids)).headers.get("etag", '"none"'))


def fill_body(example: Any, ids: Mapping[str, str], name: str) -> Any:
    """A body that names these things, has a public address for each address, and this name for a thing to be made."""
    filled = copy.deepcopy(dict(example))
    for key in filled:
        noun = NAMING_FIELDS.get(key)
        if noun is not None:
            one = int(ids[noun]) if ids[noun].isdigit() else ids[noun]
            filled[key] = [one] if isinstance(filled[key], list) else one
        elif key in ADDRESS_FIELDS:
            filled[key] = ADDRESS
        elif key in {"slug", "name", "remote_name"}:
            filled[key] = name
    return filled


def _letters(number: int) -> str:
    """A number in letters that look like no other: names that look alike are refused."""
    return "".join("abcdefghkw"[int(digit)] for digit in str(number))


def stored_rows(ctx: Context) -> dict[str, tuple[str, ...]]:
    """All that the database holds, by table, without what a call may change that has no effect."""
    with ctx.sessions() as session:
        names = session.scalars(text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).all()
        return {
            name: tuple(session.scalars(text(f'SELECT CAST(t AS text) FROM "{name}" t ORDER BY 1')))
            for name in sorted(names)
            if name not in _NO_EFFECT
        }


def changed_tables(before: Mapping[str, tuple[str, ...]], after: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """The tables whose rows differ."""
    return (name for name in after if before[name] != after[name])
