"""Vendors of setters, by name in one spelling: two names of one vendor would count as two voices.

Two vendors whose setters have the same weights count as one, too.
"""

import posixpath
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from app.domain.addresses import host_of
from app.domain.characters import normalize_visible

OPERATOR: Final = "operator"  # vendor of programs that a person vouches for; reserved
STATEMENT: Final = "statement"  # vendor of inputs and votes that follow from the statement's own constraints
RESERVED_VENDORS: Final = (OPERATOR, STATEMENT)
_LOOPBACK: Final = {"127.0.0.1", "::1", "localhost"}

WeightsKey = tuple[str, ...]  # key that identifies the weights of an endpoint


def normalize_vendor(vendor: str) -> str:
    """Return a vendor's name without case and invisible characters; empty for a text that is no name."""
    return normalize_visible(vendor).casefold()


def weights_at(address: str, remote_name: str, path: str | None = None) -> WeightsKey:
    """Return a key of the weights that an endpoint serves; equal keys surely mean the same weights.

    `path` is the folder of our own weights; without it, the address and the model's name there count.
    """
    if path is not None:
        return ("path", posixpath.normpath(path))
    url, (host, _, port) = urlsplit(address), host_of(address).rpartition(":")
    host = "localhost" if host in _LOOPBACK else host
    return ("served", host, port, url.path.rstrip("/"), url.query, normalize_visible(remote_name).casefold())


def vendor_aliases(setters: Iterable[tuple[str, WeightsKey]]) -> dict[str, str]:
    """Return the vendors that count as another one, each with that one: setters of both have the same weights.

    Setters come as (vendor, weights); of two vendors the one that came first keeps its name.
    """
    first: dict[WeightsKey, str] = {}
    other: dict[str, str] = {}

    def main_name(vendor: str) -> str:
        while vendor in other:
            vendor = other[vendor]
        return vendor

    for vendor, weights in setters:
        main, earlier = main_name(vendor), main_name(first.setdefault(weights, vendor))
        if main != earlier:
            other[main] = earlier
    return {vendor: main_name(vendor) for vendor in other}
