"""Addresses that vendors give, on every route that takes one: none leads into a network that is not public."""

import asyncio
import socket
import ssl
from collections.abc import Callable, Iterator
from typing import Any

import aiohttp
import pytest
from fakes.model_server import ModelServer, Say
from net.test_net import Names
from support.vendor_routes import ADDRESS_FIELDS, Route, Tenant, changed_tables, stored_rows, vendor_site

from app.domain.errors import AddressRefused
from workers import upkeep
from workers.context import Context, make_context, use
from workers.net import open_host, refusal_in

# Hosts that lead to an address which is not public, in every spelling that some client reads as one.
PRIVATE_HOSTS = (
    "127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0x7f.1", "0177.0.0.1", "0177.1",
    "00000177.0.0.1", "017700000001", "0", "0.0.0.0", "0x0", "10.0.0.5", "167772165", "0xa000005", "10.5", "012.0.0.5",
    "172.16.0.9", "172.31.255.255", "192.168.1.1", "3232235777", "192.168.257", "169.254.169.254", "2852039166",
    "0xa9fea9fe", "0251.0376.0251.0376", "100.64.0.1", "168.63.129.16", "192.0.0.1", "198.18.0.1", "224.0.0.1",
    "240.0.0.1", "255.255.255.255", "127.0.0.1.", "10.0.0.5.", "localhost", "localhost.", "LOCALHOST", "ip6-localhost",
    "[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[0000::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:10.0.0.5]",
    "[::127.0.0.1]", "[::ffff:0:127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b::10.0.0.5]", "[64:ff9b:1::1]",
    "[2002:7f00:1::]", "[2002:a00:5::1]", "[2001:0:1::1]", "[fd00::1]", "[fc00::1]", "[fe80::1]", "[fe80::1%25lo]",
    "[fe80::1%lo]", "[fec0::1]", "[ff02::1]", "[100::1]", "[2001:db8::1]", "[::1%25eth0]", "[fd00:ec2::254]",
    "①②⑦.⓪.⓪.①", "１２７.０.０.１", "127。0。0。1", "127．0．0．1", "ⓛocalhost", "loc\u00adalhost", "①0.0.0.5",
    "0x7f.0x0.0x0.0x1", "127.0x0.0.01", "%31%32%37.0.0.1", "127%2e0.0.1", "%6cocalhost",
)  # fmt: skip
WRONG_URLS = (
    "https://user@93.184.216.34/", "https://user:pw@93.184.216.34/", "https://:@93.184.216.34/",
    "https://93.184.216.34@127.0.0.1/", "https://93.184.216.34:443@10.0.0.5/", "https://127.0.0.1\\@93.184.216.34/",
    "https://93.184.216.34\\@127.0.0.1/", "https://93.184.216.34:0/", "https://93.184.216.34:65536/",
    "https://93.184.216.34:-1/", "https://93.184.216.34:443:80/", "https://93.184.216.34:x/",
    "http://93.184.216.34/", "ftp://93.184.216.34/", "file:///etc/passwd", "gopher://93.184.216.34/",
    "//93.184.216.34/",
    "javascript:alert(1)", "data:text/plain,x", "https:93.184.216.34", "https:///93.184.216.34", "https://", "https",
    "unix:///run/x.sock", "ws://93.184.216.34/", "https://93.184.216.34/\0", "https://93.184.216.34/\r\nHost: x",
    "https://93.184.216.34 /", "https://93.184.216.34/\tx\n", " https://93.184.216.34/", "https://[::1", "https://::1/",
    "https://[93.184.216.34]/", "https://xn--.example/", "https://no-such-host.invalid/", "https://.example.com/",
    "https://a..example.com/", "https://" + "a" * 64 + ".example/", "https://" + "a." * 130 + "example/",
    "https://ex\u200bample.com/", "https://straße.example/", "https://\u202e93.184.216.34/", "https://9999999999/",
    "https://256.1.1.1/", "https://1.2.3.4.5/", "https://0x/", "https://example.com:443\0.evil/",
    "https://93.184.216.34/" + "a" * 3000,
)  # fmt: skip


@pytest.fixture
def strict(ctx: Context) -> Iterator[Context]:
    """The same database, where the operator lists no address of its own network."""
    made = make_context(ctx.settings.model_copy(update={"endpoint_allow": ()}))
    yield use(made)
    made.close()


@pytest.fixture
def acme(strict: Context) -> Iterator[Tenant]:
    with vendor_site(strict) as site, site.tenant("acme") as made:
        yield made


def takers(acme: Tenant) -> list[tuple[Route, str]]:
    """Each route with each field of its body that is an address."""
    found = [(route, field) for route in acme.routes for field in ADDRESS_FIELDS if field in route.fields]
    strange = [
        (route.name, field)
        for route in acme.routes
        for field in route.fields
        if ("url" in field or "address" in field or "callback" in field) and field not in ADDRESS_FIELDS
    ]
    # A page that people read: nothing here calls it.
    assert {field for _name, field in strange} <= {"evidence_url"}, strange
    assert len(found) >= 3
    return found


def test_no_spelling_of_an_address_inside_is_registered(strict: Context, acme: Tenant) -> None:
    before, cases = stored_rows(strict), 0
    for route, field in takers(acme):
        body = acme.body(route)
        for address in (*(f"https://{host}/v1" for host in PRIVATE_HOSTS), *WRONG_URLS):
            answer = acme.call(route, body=body | {field: address})
            assert answer.status_code == 422, (route.name, ascii(address), answer.text)
            problem = answer.json()
            assert {each["pointer"] for each in problem["errors"]} == {f"/{field}"}, (route.name, ascii(address))
            cases += 1
    assert list(changed_tables(before, stored_rows(strict))) == []
    assert cases >= 300


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Names]:
    def install(**answers: list[list[str]]) -> Names:
        resolver = Names(**answers)
        monkeypatch.setattr(socket, "getaddrinfo", resolver)
        return resolver

    return install


def test_a_name_that_leads_inside_is_refused_on_every_route(acme: Tenant, names: Callable[..., Names]) -> None:
    names(
        inside_example=[["10.0.0.5"]], either_example=[["93.184.216.34", "127.0.0.1"]], six_example=[["fd00::1"]],
        mapped_example=[["::ffff:10.0.0.1"]], meta_example=[["169.254.169.254"]], wild_nip_io=[["127.0.0.1"]],
    )  # fmt: skip
    for route, field in takers(acme):
        for host in (
            "inside.example",
            "either.example",
            "six.example",
            "mapped.example",
            "meta.example",
            "wild.nip.io",
        ):
            for spelt in (host, host.upper(), f"{host}:8443"):
                answer = acme.call(route, body=acme.body(route) | {field: f"https://{spelt}/v1"})
                assert (answer.status_code, answer.json()["code"]) == (422, "address_refused"), (route.name, spelt)


def test_a_name_that_leads_inside_later_is_sent_nothing(
    strict: Context, acme: Tenant, names: Callable[..., Names]
) -> None:
    """It was public when it was registered; each message is judged anew."""
    with ModelServer(Say(b"", 204)) as inside:
        names(hook_example=[["93.184.216.34"], ["127.0.0.1"]])
        acme.client.delete(f"/webhooks/{acme.ids['webhooks']}")
        url = f"https://hook.example:{inside.port}/x"
        webhook = acme.vendor.post("/webhooks", {"url": url}).json()["id"]
        assert acme.vendor.post(f"/webhooks/{webhook}/test").status_code == 200
        upkeep.notify_vendors()
        [sent] = acme.vendor.get(f"/webhooks/{webhook}/deliveries")["data"]
        assert (sent["state"], sent["status"]) == ("pending", None)
        assert "loopback" in sent["failure"] or "public" in sent["failure"], sent
        assert inside.connections == 0


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_of_a_receiver_leads_nowhere(ctx: Context, status: int) -> None:
    with (
        ModelServer(Say(b"", 204)) as inside,
        ModelServer(Say(b"", status, {"location": inside.url})) as receiver,
        vendor_site(ctx) as site,
        site.tenant("acme") as acme,
    ):
        acme.client.delete(f"/webhooks/{acme.ids['webhooks']}")
        webhook = acme.vendor.post("/webhooks", {"url": receiver.url}).json()["id"]
        acme.vendor.post(f"/webhooks/{webhook}/test")
        upkeep.notify_vendors()
        [sent] = acme.vendor.get(f"/webhooks/{webhook}/deliveries")["data"]
        assert (sent["status"], len(receiver.asked), inside.connections) == (status, 1, 0)


def call(url: str) -> Any:
    """The refusal of a call of an address; None if there is none."""

    async def fetch() -> Any:
        async with open_host(url, ssl.create_default_context()) as way, way.post(url, {}, b"{}") as response:
            return response.status

    try:
        asyncio.run(asyncio.wait_for(fetch(), 10))
    except AddressRefused as refused:
        return refused
    except (aiohttp.ClientError, OSError, ValueError) as error:
        return refusal_in(error) or error
    return None


def test_no_spelling_of_an_address_inside_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    """As though it were registered: no socket is connected."""
    opened = list[Any]()
    monkeypatch.setattr(socket.socket, "connect", lambda _self, place: opened.append(place))
    call("https://93.184.216.34/v1")
    assert [place[0] for place in opened] == ["93.184.216.34"], "what is public is called"
    opened.clear()
    for host in PRIVATE_HOSTS:
        assert call(f"https://{host}/v1") is not None, host
    assert opened == []
