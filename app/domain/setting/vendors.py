"""Vendors of setters, by name in one spelling: two names of one vendor would count as two voices.

Two vendors whose setters have the same weights count as one, too.
"""

import posixpath
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from app.domain.addresses import host_of
from app.domain.letters import as_seen

OPERATOR: Final = "operator"  # vendor of programs that a person vouches for; reserved
STATEMENT: Final = "statement"  # vendor of inputs and votes that follow from the statement's own constraints
RESERVED: Final = (OPERATOR, STATEMENT)
_LOOPBACK: Final = {"127.0.0.1", "::1", "localhost"}

Weights = tuple[str, ...]  # key that identifies the weights of an endpoint


def one_spelling(vendor: str) -> str:
    """Return a vendor's name without case and invisible characters; empty for a text that is no name."""
    return as_seen(vendor).casefold()


def weights_at(address: str, remote_name: str, path: str | None = None) -> Weights:
    """Return a key of the weights that an endpoint serves; equal keys surely mean the same weights.

    `path` is the folder of our own weights; without it, the address and the model's name there count.
    """
    if path is not None:
        return ("path", posixpath.normpath(path))
    url, (host, _, port) = urlsplit(address), host_of(address).rpartition(":")
    host = "localhost" if host in _LOOPBACK else host
    return ("served", host, port, url.path.rstrip("/"), url.query, as_seen(remote_name).casefold())


def same_voices(setters: Iterable[tuple[str, Weights]]) -> dict[str, str]:
    """Return the vendors that count as another one, each with that one: setters of both have the same weights.

    Setters come as (vendor, weights); of two vendors the one that came first keeps its name.
    """
    first: dict[Weights, str] = {}
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
