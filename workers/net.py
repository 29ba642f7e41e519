"""The pinned transport: the only way out to an address that an outsider chose.

A host is resolved once, every address it has is judged, and the connection goes to the judged address, under the
original Host header and TLS name: a second answer from the name server changes nothing. Redirects are never followed;
proxies and netrc files of the environment are never read.
"""

import asyncio
import socket
import ssl
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any

import aiohttp
import httpx
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from app.domain.addresses import Address, Network, is_listed, refusal
from app.domain.errors import AddressRefused
from app.domain.reasons import Reason

CONNECT_S = 10.0
LOOKUP_S = 3.0  # how long a registration waits for the resolver
_KEEP_S = 60.0  # the time before a judged host is resolved again


# The socket module's address info: family, kind, protocol, canonical name, place.
AddrInfo = tuple[int | socket.AddressFamily, int | socket.SocketKind, int, str, tuple[Any, ...]]


def check_url(url: str, allow: Sequence[Network] = ()) -> None:
    """Judge an endpoint's or webhook's address when it is registered; every later call is judged again.

    Raises AddressRefused with the reason: not http(s), a user name inside, a host that is not spelt as it is looked up,
    one that does not resolve, an address that is not public, or plain http to a host that `allow` does not list. May
    wait for a resolver: a site calls `look_up_url`.
    """
    target = _check_spelling(url)
    try:
        entries = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as unknown:
        raise AddressRefused(Reason("unresolved", {"what": target.host})) from unknown
    _judge(target, [str(entry[4][0]) for entry in entries], allow)


async def look_up_url(url: str, allow: Sequence[Network] = (), seconds: float = LOOKUP_S) -> None:
    """Judge an address as `check_url` does, waiting for the resolver on the event loop's own few threads.

    Raises AddressRefused, also if the resolver does not answer within some seconds.
    """
    target = _check_spelling(url)
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(seconds):
            entries = await loop.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except TimeoutError as late:
        raise AddressRefused(Reason("resolves_slowly", {"what": target.host, "seconds": f"{seconds:g}"})) from late
    except (OSError, UnicodeError) as unknown:
        raise AddressRefused(Reason("unresolved", {"what": target.host})) from unknown
    _judge(target, [str(entry[4][0]) for entry in entries], allow)


def _check_spelling(url: str) -> "_Target":
    target = _target(_parse(url))
    # Two standards read non-ASCII letters (ß is ss in the older one): the host would depend on the reader.
    if not url.partition("://")[2].partition("/")[0].isascii():
        raise AddressRefused(Reason("host_spelling", {"what": target.host}))
    return target


@asynccontextmanager
async def open_host(
    url: str, tls: ssl.SSLContext, *, allow: Sequence[Network] = (), connections: int = 8, trusted: bool = False
) -> AsyncIterator["HostClient"]:
    """Open a client of one URL's host, closed at the end. Raises AddressRefused for a URL that may never be called.

    `connections` is how many may be open at once. `tls` is shared between clients, since making one reads the whole
    list of authorities. `trusted` is the bundled demo endpoint, whose addresses are not judged.
    """
    target = _target(_parse(url))
    guard = None if trusted else _Guard(target, tuple(allow))
    connector = aiohttp.TCPConnector(
        limit=connections,
        ssl=tls,
        resolver=guard,
        use_dns_cache=guard is None,  # the guard keeps what it judged
        socket_factory=None if guard is None else guard.socket,
    )
    async with aiohttp.ClientSession(
        connector=connector,
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
        trust_env=False,
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_S),
        headers={"user-agent": "tidemark", "accept-encoding": "identity"},
    ) as session:
        yield HostClient(session, target, guard)


class HostClient:
    """A client of one host: every connection goes to a judged address of it."""

    def __init__(self, session: aiohttp.ClientSession, target: "_Target", guard: "_Guard | None") -> None:
        self._session, self._target, self._guard = session, target, guard
        self._checked = ""  # the last URL, since a client mostly calls one

    def post(
        self, url: str, headers: Mapping[str, str], body: bytes
    ) -> AbstractAsyncContextManager[aiohttp.ClientResponse]:
        """Send one POST; a redirect comes back as the response it is.

        Raises AddressRefused for another host than the client's, and aiohttp's errors; `refusal_in` tells whether such
        an error was caused by a refused address.
        """
        if url != self._checked:
            self._check(url)
            self._checked = url
        return self._session.post(URL(url, encoded=True), data=body, headers=dict(headers), allow_redirects=False)

    def _check(self, url: str) -> None:
        """Check that the URL leads to this host as we read it, and as the connecting client reads it."""
        yarl_url = URL(url, encoded=True)
        parsed_by_client = (yarl_url.scheme, (yarl_url.raw_host or "").lower(), yarl_url.port)
        if _target(_parse(url)) != self._target or parsed_by_client != (
            self._target.scheme,
            self._target.host,
            self._target.port,
        ):
            raise AddressRefused(Reason("other_host"))
        if self._guard is not None:
            self._guard.check_literal()


def refusal_in(error: BaseException) -> AddressRefused | None:
    """Return the refused address behind a connection error; None if it has another cause."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, AddressRefused):
        cause = cause.__cause__ or cause.__context__
    return cause


def connection_reason(error: aiohttp.ClientError) -> Reason:
    """Return why a connection failed, with the innermost message, which names neither our URL nor our settings."""
    for kind, code in _CAUSES:
        if isinstance(error, kind) or isinstance(getattr(error, "os_error", None), kind):
            return Reason(code, cause=_innermost_message(error))
    return Reason("broke_connection", {"what": type(error).__name__})


_CAUSES: tuple[tuple[type[BaseException], str], ...] = (
    (aiohttp.ClientConnectorCertificateError, "no_certificate"),
    (aiohttp.ClientConnectorSSLError, "no_tls"),
    (aiohttp.ClientConnectorDNSError, "no_name"),
    (ConnectionRefusedError, "no_welcome"),
    (aiohttp.ClientConnectorError, "unreachable"),
    (aiohttp.ClientResponseError, "no_http"),
)


def _innermost_message(error: aiohttp.ClientError) -> str:
    inner = getattr(error, "certificate_error", None) or getattr(error, "os_error", None)
    return str(getattr(inner, "strerror", None) or inner or getattr(error, "message", "") or type(error).__name__)


class _Guard(AbstractResolver):
    """A resolver of one host that judges its addresses, and the address of each socket once more.

    The second check also covers hosts that are addresses, about which the client does not ask a resolver.
    """

    def __init__(self, target: "_Target", allow: tuple[Network, ...], keep_s: float = _KEEP_S) -> None:
        self._target, self._allow, self._keep_s = target, allow, keep_s
        self._pin: _PinnedAddresses | None = None
        self._asking = asyncio.Lock()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the host's addresses, all judged. Raises AddressRefused, and OSError for an unknown host."""
        async with self._asking:  # one answer serves all connections that are opened at once
            now = time.monotonic()
            if self._pin is None or now >= self._pin.until:
                loop = asyncio.get_running_loop()
                try:
                    entries = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, family=family)
                except UnicodeError as unreadable:
                    raise OSError(f"{host} does not resolve") from unreadable
                judged = _judge(self._target, [str(entry[4][0]) for entry in entries], self._allow)
                self._pin = _PinnedAddresses(judged, now + self._keep_s)
            return [_result(host, port, address) for address in self._pin.addresses]

    def check_literal(self) -> None:
        """Raise AddressRefused if the host is itself an address that may not be called."""
        try:
            address = ip_address(self._target.host)
        except ValueError:
            return
        _judge(self._target, [str(address)], self._allow)

    def socket(self, address: AddrInfo) -> socket.socket:
        """Return a socket for an address that may be called. Raises AddressRefused."""
        family, kind, protocol, _, place = address
        _judge(self._target, [str(place[0])], self._allow)
        return socket.socket(family, kind, protocol)

    async def close(self) -> None:
        """Do nothing: no resource is held."""


def _result(host: str, port: int, address: Address) -> ResolveResult:
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    flags = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
    return ResolveResult(hostname=host, host=str(address), port=port, family=family, proto=0, flags=flags)


@dataclass(frozen=True, slots=True)
class _Target:
    scheme: str
    host: str
    port: int


@dataclass(frozen=True, slots=True)
class _PinnedAddresses:
    addresses: tuple[Address, ...]
    until: float


def _parse(url: str) -> httpx.URL:
    try:
        return httpx.URL(url)
    except (httpx.InvalidURL, TypeError) as unreadable:
        raise AddressRefused(Reason("no_url")) from unreadable


def _target(url: httpx.URL) -> _Target:
    """Return a URL's destination in a socket's form. Raises AddressRefused for a URL that may never be called."""
    if url.scheme not in ("http", "https"):
        raise AddressRefused(Reason("no_https"))
    try:
        host = url.host
    except UnicodeError as unreadable:
        raise AddressRefused(Reason("unreadable_host")) from unreadable
    if not host:
        raise AddressRefused(Reason("no_host"))
    if url.userinfo:
        raise AddressRefused(Reason("named_user"))
    port = (443 if url.scheme == "https" else 80) if url.port is None else url.port
    if not 0 < port < 65536:
        raise AddressRefused(Reason("no_port", {"what": port}))
    return _Target(url.scheme, url.raw_host.decode("ascii"), port)


def _judge(target: _Target, texts: Sequence[str], allow: Sequence[Network]) -> tuple[Address, ...]:
    """Return the host's addresses, each once; one bad address among good ones refuses the host."""
    addresses = tuple(dict.fromkeys(ip_address(text) for text in texts))
    for address in addresses:
        reason = refusal(address, allow)
        if reason is not None:
            raise AddressRefused(Reason("not_public", {"what": target.host}, reason))
        if target.scheme != "https" and not is_listed(address, allow):
            raise AddressRefused(Reason("plain_http", {"what": target.host}))
    return addresses
