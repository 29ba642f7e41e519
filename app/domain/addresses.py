"""Address guard: the service calls public unicast addresses and nothing else.

The refused networks are those of the IANA special-purpose registries (RFC 6890 and its updates) that do not lead to one
host on the public Internet. They are listed here because the answers of `ipaddress` differ between releases of Python.
"""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_REFUSED_NETWORKS: tuple[tuple[Network, str], ...] = tuple(
    (ip_network(network), reason)
    for network, reason in (
        ("0.0.0.0/32", "unspecified"),
        ("0.0.0.0/8", "this network"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "shared by a carrier's customers"),
        ("127.0.0.0/8", "loopback"),
        ("168.63.129.16/32", "a cloud's own host service"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "reserved"),
        ("192.0.2.0/24", "documentation"),
        ("192.88.99.0/24", "a 6to4 relay"),
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "benchmarking"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("255.255.255.255/32", "broadcast"),
        ("240.0.0.0/4", "reserved"),
        ("::/128", "unspecified"),
        ("::1/128", "loopback"),
        ("::ffff:0:0/96", "an IPv4 address in IPv6 form"),
        ("::ffff:0:0:0/96", "an IPv4 address in IPv6 form"),
        ("::/96", "an IPv4 address in IPv6 form"),
        ("64:ff9b::/96", "an IPv4 address behind NAT64"),
        ("64:ff9b:1::/48", "an IPv4 address behind NAT64"),
        ("100::/64", "discarded"),
        ("2001::/32", "a Teredo tunnel"),
        ("2001:db8::/32", "documentation"),
        ("2001::/23", "reserved"),
        ("2002::/16", "a 6to4 tunnel"),
        ("3fff::/20", "documentation"),
        ("fc00::/7", "private"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "site-local"),
        ("ff00::/8", "multicast"),
    )
)
_DEFAULT_PORTS = {"http": 80, "https": 443}
_NUMBER = re.compile(r"(?P<x>0[xX][0-9a-fA-F]{1,16})|(?P<o>0[0-7]{0,22})|(?P<d>[1-9][0-9]{0,15})")
_GLOBAL_UNICAST_V6 = ip_network("2000::/3")


def is_listed(address: Address, allow: Iterable[Network]) -> bool:
    """Return whether an operator's allow-list contains this address in this very form."""
    return any(address.version == network.version and address in network for network in allow)


def refusal(address: Address, allow: Sequence[Network] = ()) -> str | None:
    """Return the reason, in words, why this address must not be called; None if it may be called.

    Public unicast addresses and those in `allow` may be called. Every IPv6 form that carries an IPv4 address (mapped,
    translated, 6to4, NAT64, Teredo) is refused, whatever address it carries.
    """
    if is_listed(address, allow):
        return None
    if isinstance(address, IPv6Address) and address.scope_id is not None:
        return "bound to one interface"
    for network, reason in _REFUSED_NETWORKS:
        if address.version == network.version and address in network:
            return reason
    if isinstance(address, IPv6Address) and address not in _GLOBAL_UNICAST_V6:
        return "reserved"
    return None


def visitor_key(host: str | None) -> str | None:
    """Return the key of a caller's quotas: its IPv4 address, or the IPv6 network of 64 bits that one customer has.

    None for an address that is not public, such as that of a proxy with all visitors behind it, and for no address.
    """
    try:
        address = ip_address(host or "")
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or IPv6Address(int(address) >> 64 << 64)
    return None if refusal(address) else str(address)


def is_within(host: str | None, networks: Iterable[str]) -> bool:
    """Return whether an IP address is one of `networks`, or in one; an IPv4 address may come in its IPv6 form."""
    try:
        address = ip_address((host or "").partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return is_listed(address, [ip_network(network) for network in networks])


def host_of(url: str) -> str:
    """Return the host and port of a URL in one spelling, such as `api.example.com:443`; empty if there is none."""
    try:
        parts = urlsplit(url)
        host, port = _normalize_host(parts.hostname or ""), parts.port or _DEFAULT_PORTS.get(parts.scheme, 0)
    except ValueError:
        return ""
    return f"{host}:{port}" if host else ""


def _normalize_host(host: str) -> str:
    """Return a name in the form in which it is looked up, or an address as resolvers read it.

    `0x7f.1` is 127.0.0.1, and `bücher.example` becomes its punycode.
    """
    if ":" in host:
        address = IPv6Address(host)
        return str(address.ipv4_mapped or address)
    with suppress(UnicodeError):
        host = host.encode("idna").decode("ascii").lower()
    return _as_ipv4(host.rstrip(".")) or host.rstrip(".")


def _as_ipv4(host: str) -> str | None:
    """Read one to four numbers as inet_aton does.

    Each is decimal, octal or hexadecimal; the last one fills the remaining bytes.
    """
    numbers = [_parse_number(part) for part in host.split(".")]
    *first, last = numbers
    if len(numbers) > 4 or last is None or last >= 256 ** (5 - len(numbers)):
        return None
    value = last
    for place, number in enumerate(first):
        if number is None or number > 255:
            return None
        value += number << (24 - 8 * place)
    return str(IPv4Address(value))


def _parse_number(text: str) -> int | None:
    match = _NUMBER.fullmatch(text)
    return None if match is None else int(text, {"x": 16, "o": 8, "d": 10}[match.lastgroup or "d"])
