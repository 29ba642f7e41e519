"""The pinned transport: what it refuses, and that what was judged is what is called."""

import asyncio
import datetime as dt
import ipaddress
import socket
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from fakes import model_server
from fakes.model_server import ModelServer, Say

from app.domain.addresses import Network
from app.domain.errors import AddressRefused
from workers.net import _Guard, _parse, _target, check_url, open_host, refusal_in

LOOPBACK: tuple[Network, ...] = (ipaddress.ip_network("127.0.0.0/8"), ipaddress.ip_network("::1/128"))


class Names:
    """A name server: answers each host with the next of its lists, the last for ever after."""

    def __init__(self, **answers: list[list[str]]) -> None:
        self.answers = {name.replace("_", "."): lists for name, lists in answers.items()}
        self.asked: list[str] = []

    def __call__(self, host: str, port: int, *rest: object, **named: object) -> list[Any]:
        host = host.decode() if isinstance(host, bytes) else host
        self.asked.append(host)
        lists = self.answers.get(host)
        if lists is None:
            return [self._entry(str(ipaddress.ip_address(host)), port)]  # connecting to a literal address
        found = lists.pop(0) if len(lists) > 1 else lists[0]
        if not found:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [self._entry(address, port) for address in found]

    @staticmethod
    def _entry(address: str, port: int) -> tuple[object, ...]:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        return family, socket.SOCK_STREAM, 6, "", (address, port)


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Names]:
    def install(**answers: list[list[str]]) -> Names:
        resolver = Names(**answers)
        monkeypatch.setattr(socket, "getaddrinfo", resolver)
        return resolver

    return install


def get(*urls: str, allow: tuple[Network, ...] = LOOPBACK, tls: ssl.SSLContext | None = None) -> list[int]:
    """The status of a POST to each URL, through a door made for the first; a refused address is raised as such."""

    async def fetch() -> list[int]:
        found = []
        async with open_host(urls[0], tls or ssl.create_default_context(), allow=allow) as way:
            for url in urls:
                async with way.post(url, {}, b"{}") as response:
                    await response.read()
                    found.append(response.status)
        return found

    try:
        return asyncio.run(fetch())
    except aiohttp.ClientError as error:
        raise refusal_in(error) or error from error


def test_the_judged_address_is_the_one_called_whatever_the_name_server_says_next(names: Callable[..., Names]) -> None:
    with ModelServer(model_server.message("x")) as server:
        resolver = names(models_example=[["127.0.0.1"], ["10.0.0.1"]])
        url = f"http://models.example:{server.port}/v1"
        first, second = get(url, url)
    assert (first, second) == (200, 200)
    assert [each.headers["host"] for each in server.asked] == [f"models.example:{server.port}"] * 2
    assert resolver.asked.count("models.example") == 1


def test_one_bad_address_among_good_ones_refuses_the_host(names: Callable[..., Names]) -> None:
    names(models_example=[["93.184.215.14", "10.0.0.1"]])
    with pytest.raises(AddressRefused, match="private"):
        get("https://models.example/v1", allow=())


def test_the_next_address_is_tried_where_the_first_takes_no_connection(names: Callable[..., Names]) -> None:
    with ModelServer(model_server.message("x")) as server:
        names(models_example=[["::1", "127.0.0.1"]])
        (status,) = get(f"http://models.example:{server.port}/v1")
    assert status == 200


def test_a_host_that_does_not_resolve_is_a_failed_connection(names: Callable[..., Names]) -> None:
    names(models_example=[[]])
    with pytest.raises(aiohttp.ClientConnectorDNSError):
        get("https://models.example/v1")


def test_an_address_is_judged_again_when_its_socket_is_made(names: Callable[..., Names]) -> None:
    """The client asks no resolver about a host that is an address; the door is then not the only guard."""
    with ModelServer(model_server.message("x")) as server, pytest.raises(AddressRefused, match="loopback"):
        get(f"https://127.0.0.1:{server.port}/v1", allow=())
    guard = _Guard(_target(_parse("https://models.example/v1")), ())
    with pytest.raises(AddressRefused, match="private"):
        guard.socket((socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.1", 443)))
    assert server.connections == 0


@pytest.mark.parametrize("keep_s", [60.0, 0.0])
def test_a_judged_answer_serves_a_while_and_the_next_is_judged_anew(names: Callable[..., Names], keep_s: float) -> None:
    resolver = names(models_example=[["127.0.0.1"], ["10.0.0.1"]])
    guard = _Guard(_target(_parse("https://models.example/v1")), LOOPBACK, keep_s)

    async def twice() -> list[str]:
        await guard.resolve("models.example", 443)
        return [found["host"] for found in await guard.resolve("models.example", 443)]

    if keep_s:
        assert asyncio.run(twice()) == ["127.0.0.1"]
        assert len(resolver.asked) == 1
    else:
        with pytest.raises(AddressRefused, match="private"):
            asyncio.run(twice())


def test_a_door_leads_to_one_host() -> None:
    with ModelServer(model_server.message("x")) as server, ModelServer(model_server.message("y")) as other:
        with pytest.raises(AddressRefused, match="another host"):
            get(server.url, other.url)
        assert (len(server.asked), other.connections) == (1, 0)


def test_cookies_are_not_kept(names: Callable[..., Names]) -> None:
    names(models_example=[["127.0.0.1"]])  # of a host that is an address no client keeps any
    with ModelServer(Say(b"{}", headers={"set-cookie": "who=me; Path=/"})) as server:
        url = f"http://models.example:{server.port}/v1"
        get(url, url)
    assert [each.headers.get("cookie") for each in server.asked] == [None, None]


def test_a_redirect_is_never_followed() -> None:
    with (
        ModelServer(model_server.message("inside")) as inside,
        ModelServer(model_server.redirect(inside.url)) as server,
    ):
        (status,) = get(server.url)
    assert status == 307
    assert inside.connections == 0


def test_plain_http_needs_the_allow_list() -> None:
    with ModelServer(model_server.message("x")) as server:
        with pytest.raises(AddressRefused, match="loopback"):
            get(server.url, allow=())
        assert server.connections == 0


def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with ModelServer(model_server.message("x")) as server:
        (status,) = get(server.url)
    assert status == 200


def certificate(folder: Path, name: str) -> Path:
    """A self-signed certificate for one name with its key, as one PEM file."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = folder / f"{name}.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    pem.write_bytes(made.public_bytes(serialization.Encoding.PEM) + private)
    return pem


def test_tls_names_and_checks_the_host_not_the_address(names: Callable[..., Names], tmp_path: Path) -> None:
    pem = certificate(tmp_path, "models.example")
    serving = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    serving.load_cert_chain(pem)
    asked_for: list[str | None] = []
    serving.sni_callback = lambda _socket, name, _context: asked_for.append(name)
    trusting = ssl.create_default_context(cafile=str(pem))
    with ModelServer(model_server.message("x"), tls=serving) as server:
        names(models_example=[["127.0.0.1"]], other_example=[["127.0.0.1"]])
        (status,) = get(f"https://models.example:{server.port}/v1", tls=trusting)
        assert status == 200
        assert asked_for == ["models.example"]
        with pytest.raises(aiohttp.ClientConnectorCertificateError):
            get(f"https://other.example:{server.port}/v1", tls=trusting)
        with pytest.raises(aiohttp.ClientConnectorCertificateError):
            get(f"https://models.example:{server.port}/v1")
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("https://127.0.0.1/v1", "loopback"),
        ("https://[::1]/v1", "loopback"),
        ("https://[::ffff:127.0.0.1]/v1", "IPv6 form"),
        ("https://[::ffff:8.8.8.8]/v1", "IPv6 form"),
        ("https://169.254.169.254/latest", "link-local"),
        ("https://10.1.2.3/v1", "private"),
        ("https://0.0.0.0/v1", "unspecified"),
        ("https://2130706433/v1", "loopback"),
        ("https://0x7f.1/v1", "loopback"),
        ("https://127.1/v1", "loopback"),
        ("http://8.8.8.8/v1", "https"),
        ("ftp://8.8.8.8/v1", "not https"),
        ("file:///etc/passwd", "not https"),
        ("//8.8.8.8/v1", "not https"),
        ("https:///v1", "no host"),
        ("https://user:word@8.8.8.8/v1", "user name"),
        ("https://8.8.8.8:0/v1", "not a port"),
        ("https://8.8.8.8:99999/v1", "not a port"),
        ("https://xn--.com/", "unreadable host"),
        ("https://exa mple/v1", "does not resolve"),
        ("https://stra\xdfe.example/v1", "looked up: xn--strae-oqa.example"),
        ("https://8.8\u30028.8/v1", "looked up: 8.8.8.8"),
        ("https://exa\nmple/v1", "not a URL"),
        ("", "not https"),
    ],
)
def test_addresses_that_cannot_be_registered(url: str, words: str) -> None:
    with pytest.raises(AddressRefused, match=words):
        check_url(url)


def test_addresses_that_can(names: Callable[..., Names]) -> None:
    names(models_example=[["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"]], nowhere_example=[[]])
    check_url("https://models.example/v1")
    check_url("https://8.8.8.8:8443/v1")
    check_url("http://127.0.0.1:9000/v1", LOOPBACK)
    with pytest.raises(AddressRefused, match="does not resolve"):
        check_url("https://nowhere.example/v1")
