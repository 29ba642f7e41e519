"""What a site answers when something is wrong with it: each fault turns the true reply into another.

`spoiled` wraps the answers of any fake site; which requests it spoils, a predicate says.
"""

import gzip
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import pytest
from _pytest.mark import ParameterSet
from fakes.fake_site import Asked, Reply
from fakes.sites.live import Answer

from scrapers.client import FetchLimits

MEGABYTE = 2**20
# A worker's limits, with fewer bytes and no second try. Patient: what a busy machine serves late is not a fault.
PATIENT = FetchLimits(timeout_s=10, total_s=30, retries=0, backoff_s=0.01, max_wait_s=0.1, max_bytes=2 * MEGABYTE)
At = Callable[[Asked], bool]
_SILENCE_S = 3.0
_HTML = {"Content-Type": "text/html; charset=utf-8"}


@dataclass(frozen=True)
class Fault:
    """One way to go wrong. `spoil` makes of the true reply the one that is sent; `robots` tells that the fault is in
    robots.txt, and not in the page."""

    name: str
    spoil: Callable[[Reply], Reply]
    robots: bool = False

    @property
    def limits(self) -> FetchLimits:
        """Limits of a fetch that meets it: a site that never answers is left before it would."""
        return replace(PATIENT, timeout_s=_SILENCE_S / 2) if self.name == "silent" else PATIENT


def spoiled(answer: Answer, fault: Fault, at: At, *, times: int | None = None) -> Answer:
    """The answers of a site of which those to requests that `at` picks are spoiled, so many of them or all."""
    left = [times]

    def wrong(asked: Asked) -> Reply:
        reply = answer(asked)
        picked = asked.path == "/robots.txt" if fault.robots else at(asked)
        if not picked or left[0] == 0:
            return reply
        if left[0] is not None:
            left[0] -= 1
        return fault.spoil(reply)

    return wrong


def matching(pattern: str) -> At:
    """Requests whose path, or what they ask GraphQL for, holds a match."""
    rule = re.compile(pattern)
    return lambda asked: rule.search(asked.body.decode() if asked.path == "/graphql" else asked.path) is not None


class _Cut(bytes):
    """Bytes that say that there are more of them than there are."""

    def __len__(self) -> int:
        return super().__len__() * 2 + 100


def _truncated(reply: Reply) -> Reply:
    """Fewer bytes than the header says, then the end of the connection."""
    return replace(
        reply, body=_Cut(reply.body[: len(reply.body) // 2]), headers={**_bare(reply), "Connection": "close"}
    )


def _bare(reply: Reply) -> dict[str, str]:
    return {name: value for name, value in reply.headers.items() if name != "ETag"}


def _cut(reply: Reply) -> Reply:
    """A body that breaks off in the middle, and says that this is all."""
    return replace(reply, body=reply.body[: len(reply.body) * 2 // 3], headers=_bare(reply))


def _changed_layout(reply: Reply) -> Reply:
    """Other names for classes, ids and keys; in lines of text, other columns."""
    body = reply.body.decode()
    if body.lstrip().startswith("<"):
        body = re.sub(r"""\b(class|id)=(["'])""", r"\1=\2new-", body)
        body = re.sub(r"<(/?)(h[1-6]|table|tbody|tr|td)\b", r"<\1new-\2", body)
    elif body.lstrip().startswith(("{", "[")):
        body = re.sub(r'"(\w+)":', r'"new_\1":', body)
    else:
        body = body.replace("\t", ";")
    return replace(reply, body=body.encode(), headers=_bare(reply))


def _wrong_charset(reply: Reply) -> Reply:
    """The bytes of another charset under the name of UTF-8; what it lacks stands as references."""
    body = reply.body.decode()
    charset = "cp932" if re.search("[\u3041-\u30ff]", body) else "latin-1"
    return replace(reply, body=body.encode(charset, "xmlcharrefreplace"), headers=_bare(reply))


def _challenge(_: Reply) -> Reply:
    page = (b"<!DOCTYPE html><html><head><title>Just a moment...</title></head><body><noscript>Enable JavaScript and "
            b"cookies to continue</noscript><script>window._cf_chl_opt={};</script></body></html>")  # fmt: skip
    return Reply(page, 403, {**_HTML, "cf-mitigated": "challenge"})


@cache
def _bomb() -> bytes:
    # Twenty times what is taken, and made while somebody waits for it.
    return gzip.compress(b"<p>0</p>" * (5 * MEGABYTE), compresslevel=1)


@cache
def _zeros() -> bytes:
    return b" " * (100 * MEGABYTE)


_TRANSFORMS: Mapping[str, Callable[[Reply], Reply]] = {
    "rate_limited": lambda _: Reply(b"slow down", 429, {"Retry-After": "900"}),
    "unavailable": lambda _: Reply(b"<html><title>503 Service Unavailable</title></html>", 503, _HTML),
    "slow": lambda reply: replace(reply, delay_s=0.15),
    "silent": lambda reply: replace(reply, delay_s=_SILENCE_S),
    "truncated": _truncated,
    "cut": _cut,
    "changed_layout": _changed_layout,
    "challenge": _challenge,
    "sent_to_login": lambda _: Reply(b"", 302, {"Location": "/accounts/login/?next=here"}),
    "wrong_charset": _wrong_charset,
    "gzip_bomb": lambda _: Reply(_bomb(), headers={**_HTML, "Content-Encoding": "gzip"}),
    "hundred_megabytes": lambda _: Reply(_zeros(), headers=_HTML),
    "dropped": lambda _: Reply(drop=True),
    "html_for_json": lambda _: Reply(b"<!DOCTYPE html><html><head><title>Welcome</title></head><body></body></html>",
                                     headers=_HTML),
    "empty": lambda _: Reply(b"", headers=_HTML),
}  # fmt: skip

# What goes wrong before anybody looks into a body is the same for every site.
_BEFORE_THE_BODY = frozenset({
    "rate_limited", "unavailable", "slow", "silent", "truncated", "challenge", "gzip_bomb", "hundred_megabytes",
    "dropped", "disallowed", "no_robots",
})  # fmt: skip

FAULTS: Mapping[str, Fault] = {name: Fault(name, spoil) for name, spoil in _TRANSFORMS.items()} | {
    "disallowed": Fault("disallowed", lambda _: Reply(b"User-agent: *\nDisallow: /\n"), robots=True),
    "no_robots": Fault("no_robots", lambda _: Reply(b"", 503), robots=True),
}


# What a walk says of a page that is spoiled so, where it says anything.
REASONS: Mapping[str, str] = {
    "rate_limited": "rate_limited", "unavailable": "status", "silent": "unreachable", "truncated": "unreachable",
    "challenge": "blocked", "sent_to_login": "login", "gzip_bomb": "response", "hundred_megabytes": "response",
    "dropped": "unreachable", "disallowed": "robots.txt", "no_robots": "robots.txt",
}  # fmt: skip

# One of those that a walk takes for the same: what becomes of a page after the walk depends on nothing else.
_ONE_OF_A_KIND = frozenset({
    "slow", "rate_limited", "dropped", "changed_layout", "challenge", "sent_to_login", "no_robots",
})  # fmt: skip


def cases(sites: Sequence[str], *, but: Collection[str] = (), walked: bool = False) -> list[ParameterSet]:
    """Every site with every fault but those, for a test's parameters (site, fault).

    What is the same for every site is tried on the first one in an ordinary run, and on the others among the slow.
    `walked`: what a walk takes each for is proven elsewhere, so that one fault of a kind is enough, and one for each
    other site.
    """
    kinds = _ONE_OF_A_KIND if walked else frozenset(FAULTS)
    of_each_site = (frozenset({"changed_layout"}) if walked else kinds) - _BEFORE_THE_BODY
    return [
        pytest.param(site, fault, id=f"{site}-{name}", marks=() if is_quick else pytest.mark.slow)
        for site in sites
        for name, fault in FAULTS.items()
        if name not in but
        for is_quick in (name in (kinds if site == sites[0] else of_each_site),)
    ]
