"""What a site is: the kinds of page it has, how each is read, and how a crawl walks them.

A site is one module of `scrapers.sites` holding one `SITE`. Nothing here touches the network.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from urllib.parse import urlsplit

from app.domain.errors import InvalidInput, NotFound
from app.domain.registry import discover, named
from app.domain.sources.schedule import PROBLEMS, Owed
from scrapers.reading.page import Page
from scrapers.records import Contest, Problem, Record


class Classification(StrEnum):
    """What kind of answer a response is. Only `OK` may create or change a problem.

    `FORMAT_CHANGED` is a page we cannot read; it is never the same as a page with nothing on it.
    """

    OK = "ok"
    BLOCKED = "blocked"
    RATE_LIMITED = "rate_limited"
    LOGIN = "login"
    PAID_ONLY = "paid_only"
    NOT_FOUND = "not_found"
    NOT_OPEN = "not_open"
    FORMAT_CHANGED = "format_changed"
    UNREACHABLE = "unreachable"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that looks wrong: a code for machines, a sentence for people, and what it is about.

    `in_context` marks what only other pages, or the way here, could show: a page read again alone cannot.
    """

    code: str
    message: str
    subject: str | None = None
    in_context: bool = False


@dataclass(frozen=True, slots=True)
class Parsed:
    """What one body says. `pages` is the number of the last list page, where a list page tells; `shape` digests how
    the body is built."""

    classification: Classification
    records: tuple[Record, ...] = ()
    findings: tuple[Finding, ...] = ()
    pages: int | None = None
    shape: str | None = None

    @classmethod
    def unreadable(cls, code: str, message: str, classification: Classification | None = None) -> "Parsed":
        """A body that gave nothing, with the reason; `FORMAT_CHANGED` unless said otherwise."""
        return cls(classification or Classification.FORMAT_CHANGED, findings=(Finding(code, message),))

    def unless(self, doubt: Finding | None) -> "Parsed":
        """This, or a page that gave nothing, where other pages contradict what it says."""
        return self if doubt is None else Parsed(Classification.FORMAT_CHANGED, findings=(doubt,))


class Media(StrEnum):
    """What the body of a kind is made of."""

    HTML = "html"
    JSON = "json"
    TEXT = "text"  # lines of text, JSON or HTML: the parser looks which


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of page: how it is read and which URLs (path and query) are of it.

    `parse` may raise on a body it cannot read; `scrapers.replay.parse` turns that into a value.
    `statement` marks pages with problem texts, for which an owner's "noai" is obeyed.
    """

    name: str
    parse: Callable[[Page], Parsed]
    url: re.Pattern[str]
    media: Media = Media.HTML
    statement: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """What to ask for: a kind and a path below the base URL; a body makes it a POST.

    `origin` is another host's address ("https://...") for what lies elsewhere; an operator's base URL replaces it too.
    `referer` is the path of the page that would ask, for sites that answer their own pages alone: Referer, and for a
    POST Origin, are made of it and of the address the request really goes to.
    """

    kind: str
    path: str
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    origin: str | None = None
    referer: str | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """Pages of facts that come apart from problems, such as ratings: asked for every so often, or after each contest.

    They are visited on a schedule of their own, and what becomes of that says nothing about the problems. `of` gives
    the pages of one contest by its id, where there are such; they are asked for as `owed` says. `lists` tells that the
    pages list the site's contests, by somebody else: what they and the site's own lists lack of each other is found.
    """

    name: str
    requests: tuple[Request, ...] = ()
    every: timedelta = timedelta(days=1)
    of: Callable[[str], tuple[Request, ...]] | None = None
    owed: Owed | None = None
    lists: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """How to walk a site: lists of contests (newest first), then each contest, then each problem.

    `index(n)` is the n-th list page from 1, or None past the end; `beside` are lists of contests that it leaves out,
    with pages counted alike. `ahead` are pages with contests to come, where those lists show none. `wants` says whether
    a contest's problems have right answers at all. `horizon` bounds the first look back when there is no cursor, and
    how old a contest may be that appears behind it. `problems` is about how many a contest has, to count requests
    beforehand.
    """

    index: Callable[[int], Request | None]
    contest: Callable[[Contest], tuple[Request, ...]]
    problem: Callable[[Problem], Request | None]
    wants: Callable[[Contest], bool]
    beside: tuple[Callable[[int], Request | None], ...] = ()
    ahead: tuple[Request, ...] = ()
    horizon: timedelta = timedelta(days=60)
    problems: int = 6


@dataclass(frozen=True, slots=True)
class Edition:
    """A site at one of its own addresses, and how it is walked there.

    Editions share kinds and facts, and a problem has the same id in each: they are one source.
    """

    base_url: str
    plan: Plan


@dataclass(frozen=True, slots=True)
class Robots:
    """How the owner's wishes are read: robots.txt, and "noai" marks on pages with statements."""

    obey_txt: bool = True
    obey_noai: bool = True


def _nothing(_: Page) -> Parsed | None:
    return None


@dataclass(frozen=True, slots=True)
class Site:
    """A source of problems.

    `pace_s` is the polite default between two requests. `classify` recognises the site's own error
    pages before a kind reads them. `login_path` matches where the site sends strangers.
    `fetch_statements` says whether a crawl asks for problem texts at all, `show_statements` whether
    we republish them; both are defaults that an operator's policy may override. `editions` are named where a site
    has several; `base_url` and `plan` are those of the one it is in.
    """

    name: str
    title: str
    base_url: str
    kinds: Mapping[str, Kind]
    plan: Plan | None
    pace_s: float
    robots: Robots = Robots()
    fetch_statements: bool = False
    show_statements: bool = False
    facts: tuple[Facts, ...] = ()
    editions: Mapping[str, Edition] = field(default_factory=dict)
    lacking: frozenset[str] = frozenset()  # "limits", "dates": what no problem page of it gives
    classify: Callable[[Page], Parsed | None] = _nothing
    # Adds to a path what proves an operator's key: (path, key, secret, now). None where no key is of use.
    sign: Callable[[str, str, str, datetime], str] | None = None
    login_path: re.Pattern[str] = re.compile(r"^/(?:login|signin|accounts/login|enter)\b")

    @property
    def owed(self) -> tuple[Owed, ...]:
        """What each of its contests owes us after its end."""
        return (Owed(PROBLEMS), *(fact.owed for fact in self.facts if fact.owed is not None))

    def in_edition(self, name: str | None, address: str | None = None) -> "Site":
        """The site in the edition of that name, else in the one whose address that is, else as it is.

        Raises InvalidInput for an edition that there is not, or that is not at this address.
        """
        at = next((key for key, edition in self.editions.items() if _same_host(edition.base_url, address)), None)
        if name is not None and name not in self.editions:
            there = f"it has {', '.join(self.editions)}" if self.editions else "it has but one"
            raise InvalidInput(f"{self.name} has no edition {name!r}; {there}")
        if name is not None and at is not None and at != name:
            raise InvalidInput(f"{self.name}'s edition {name!r} is not at {address}")
        edition = self.editions.get(name or at or "")
        return self if edition is None else replace(self, base_url=edition.base_url, plan=edition.plan)

    def is_at(self, address: str) -> bool:
        """Whether an address is the site's own, in this edition."""
        return _same_host(self.base_url, address)

    def home(self, url: str) -> str:
        """The site's own address that a page belongs to: by where it came from, so that it reads the same in every
        edition, else that of this edition."""
        own = (edition.base_url for edition in self.editions.values())
        return next((address for address in own if _same_host(address, url)), self.base_url)

    def facts_named(self, name: str) -> Facts:
        """The facts of that name. Raises NotFound, naming those there are."""
        fact = next((fact for fact in self.facts if fact.name == name), None)
        if fact is None:
            raise NotFound(f"{self.name} has no facts {name!r}; it has {', '.join(fact.name for fact in self.facts)}")
        return fact

    def kind(self, name: str) -> Kind:
        """The kind of that name. Raises NotFound, naming those there are."""
        if name not in self.kinds:
            raise NotFound(f"{self.name} has no kind {name!r}; it has {', '.join(self.kinds)}")
        return self.kinds[name]


def _same_host(base_url: str, address: str | None) -> bool:
    try:
        parts = urlsplit(address or "")
        host, port = parts.hostname, parts.port
    except ValueError:  # a broken bracket, or a port that is no number
        return False
    return host is not None and host.removeprefix("www.") == urlsplit(base_url).hostname and port in (None, 80, 443)


def kinds(*all_kinds: Kind) -> dict[str, Kind]:
    """Kinds by name, in the order given."""
    return {kind.name: kind for kind in all_kinds}


def all_sites() -> dict[str, Site]:
    """Every site there is, by name."""
    return discover("scrapers.sites", "SITE", Site)


def find_site(name: str) -> Site:
    """The site of that name. Raises NotFound, naming those there are."""
    return named(all_sites(), name, "site")
