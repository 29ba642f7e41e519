"""Vendors of setters: by name, in one spelling, since two names of one vendor would be two voices.

Two vendors with the same weights are one voice as well.
"""

import posixpath
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from app.domain.addresses import host_of
from app.domain.letters import as_seen

OPERATOR: Final = "operator"  # whose programs a person vouches for; no setter's vendor may be called so
STATEMENT: Final = "statement"  # whose inputs and votes follow from the statement's own constraints
RESERVED: Final = (OPERATOR, STATEMENT)
_LOOPBACK: Final = {"127.0.0.1", "::1", "localhost"}

Weights = tuple[str, ...]  # what tells the weights of one endpoint from those of another


def one_spelling(vendor: str) -> str:
    """A vendor's name without regard to case and to what nobody sees; empty for one that is no name."""
    return as_seen(vendor).casefold()


def weights_at(address: str, remote_name: str, path: str | None = None) -> Weights:
    """What an endpoint serves, as far as it can be told: equal where it is surely the same.

    `path` is where weights of our own are; without it, the address and the name that the model has there count.
    """
    if path is not None:
        return ("path", posixpath.normpath(path))
    url, (host, _, port) = urlsplit(address), host_of(address).rpartition(":")
    host = "localhost" if host in _LOOPBACK else host
    return ("served", host, port, url.path.rstrip("/"), url.query, as_seen(remote_name).casefold())


def same_voices(setters: Iterable[tuple[str, Weights]]) -> dict[str, str]:
    """The vendors that are another one's voice, each with that one: a setter of theirs has the same weights.

    Setters come as (vendor, weights), and of two vendors the one that came first keeps its name.
    """
    first: dict[Weights, str] = {}
    other: dict[str, str] = {}

    def voice(vendor: str) -> str:
        while vendor in other:
            vendor = other[vendor]
        return vendor

    for vendor, weights in setters:
        mine, theirs = voice(vendor), voice(first.setdefault(weights, vendor))
        if mine != theirs:
            other[mine] = theirs
    return {vendor: voice(vendor) for vendor in other}
