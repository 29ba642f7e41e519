"""The pinned transport: the only way out to an address that somebody else chose.

A host is resolved once, every address it has is judged, and the connection goes to the address that was
judged, under the original Host header and TLS name: a second answer from the name server changes nothing.
Redirects are never followed, proxies and netrc files of the environment are never read.
"""

import asyncio
import socket
import ssl
import time
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address

import httpx

from app.domain.addresses import Address, Network, is_listed, refusal
from app.domain.errors import AddressRefused

_KEEP_S = 60.0  # how long a judged answer of the name server is used before the host is resolved again


def check_url(url: str, allow: Sequence[Network] = ()) -> None:
    """Judge an endpoint's or webhook's address when it is registered; every later call is judged again.

    Raises AddressRefused with the reason: not http(s), a user name inside, a host that does not resolve,
    an address that is not public, or plain http to a host that `allow` does not list.
    """
    target = _target(_parse(url))
    try:
        entries = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as unknown:
        raise AddressRefused(f"{target.host} does not resolve") from unknown
    _judge(target, [str(entry[4][0]) for entry in entries], allow)


class PinnedTransport(httpx.AsyncBaseTransport):
    """An httpx transport whose every request passes the address guard.

    One per client. `tls` is shared between transports, since making one reads the whole list of
    authorities. A refused address raises AddressRefused; a host that does not resolve, httpx.ConnectError.
    """

    def __init__(self, tls: ssl.SSLContext, *, allow: Sequence[Network] = (), connections: int = 8) -> None:
        self._allow = tuple(allow)
        limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
        self._inner = httpx.AsyncHTTPTransport(verify=tls, trust_env=False, limits=limits)
        self._pins: dict[_Target, _Pin] = {}
        self._last: _Aim | None = None

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send the request to an address of its host that was judged; tried in order until one connects."""
        addresses = await self._addresses(_target(request.url), request)
        for address in addresses[:-1]:
            try:
                return await self._inner.handle_async_request(self._aimed(request, address))
            except (httpx.ConnectError, httpx.ConnectTimeout):
                continue  # nothing was sent yet
        return await self._inner.handle_async_request(self._aimed(request, addresses[-1]))

    def _aimed(self, request: httpx.Request, address: Address) -> httpx.Request:
        """The same request aimed at one judged address; Host header and TLS name stay those of the host."""
        host = request.url.raw_host.decode("ascii")
        last = self._last
        if last is None or last.source != request.url or last.address != address:
            # One client asks one URL again and again, and reading a URL is not cheap.
            last = self._last = _Aim(request.url, address, request.url.copy_with(host=str(address)))
        return httpx.Request(
            request.method,
            last.url,
            headers=request.headers,
            stream=request.stream,
            extensions={**request.extensions, "sni_hostname": host},
        )

    async def _addresses(self, target: "_Target", request: httpx.Request) -> tuple[Address, ...]:
        now = time.monotonic()
        pin = self._pins.get(target)
        if pin is None or now >= pin.until:
            loop = asyncio.get_running_loop()
            try:
                entries = await loop.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
            except (OSError, UnicodeError) as unknown:
                raise httpx.ConnectError(f"{target.host} does not resolve", request=request) from unknown
            pin = _Pin(_judge(target, [str(entry[4][0]) for entry in entries], self._allow), now + _KEEP_S)
            self._pins[target] = pin
        return pin.addresses

    async def aclose(self) -> None:
        """Close every connection."""
        await self._inner.aclose()


@dataclass(frozen=True, slots=True)
class _Target:
    scheme: str
    host: str
    port: int


@dataclass(frozen=True, slots=True)
class _Pin:
    addresses: tuple[Address, ...]
    until: float


@dataclass(frozen=True, slots=True)
class _Aim:
    source: httpx.URL
    address: Address
    url: httpx.URL


def _parse(url: str) -> httpx.URL:
    try:
        return httpx.URL(url)
    except (httpx.InvalidURL, TypeError) as unreadable:
        raise AddressRefused("the address is not a URL") from unreadable


def _target(url: httpx.URL) -> _Target:
    """Where a URL leads, in the form a socket takes. Raises AddressRefused for a URL that may never be called."""
    if url.scheme not in ("http", "https"):
        raise AddressRefused(f"{url.scheme or 'no scheme'} is not https")
    try:
        host = url.host
    except UnicodeError as unreadable:
        raise AddressRefused("the address has an unreadable host") from unreadable
    if not host:
        raise AddressRefused("the address has no host")
    if url.userinfo:
        raise AddressRefused("the address contains a user name or password; give the key as the secret instead")
    port = (443 if url.scheme == "https" else 80) if url.port is None else url.port
    if not 0 < port < 65536:
        raise AddressRefused(f"{port} is not a port")
    return _Target(url.scheme, url.raw_host.decode("ascii"), port)


def _judge(target: _Target, texts: Sequence[str], allow: Sequence[Network]) -> tuple[Address, ...]:
    """The host's addresses, each once; one bad address among good ones refuses the host."""
    addresses = tuple(dict.fromkeys(ip_address(text) for text in texts))
    for address in addresses:
        reason = refusal(address, allow)
        if reason is not None:
            raise AddressRefused(f"{target.host} resolves to an address that is not public ({reason})")
        if target.scheme != "https" and not is_listed(address, allow):
            raise AddressRefused(f"{target.host} must be called over https")
    return addresses
