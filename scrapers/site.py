"""Description of a site: its kinds of pages, how each is read, and how a crawl walks them.

A site is one module of `scrapers.sites` holding one `SITE`. Nothing here touches the network.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from urllib.parse import urlsplit

from app.domain.errors import InvalidInput, NotFound
from app.domain.registry import discover, find_plugin
from app.domain.sources.records import Classification, PageFinding, Record, ScrapedContest, ScrapedProblem
from app.domain.sources.schedule import PROBLEMS, ExpectedData
from scrapers.reading.page import SourcePage


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """Content of one body. `pages` is the number of the last list page, if a list page says it; `shape` is a digest of
    the body's structure."""

    classification: Classification
    records: tuple[Record, ...] = ()
    findings: tuple[PageFinding, ...] = ()
    pages: int | None = None
    shape: str | None = None

    @classmethod
    def not_read(cls, code: str, message: str, classification: Classification | None = None) -> "ParsedPage":
        """Return a body without records, with the reason; `FORMAT_CHANGED` by default."""
        return cls(classification or Classification.FORMAT_CHANGED, findings=(PageFinding(code, message),))

    def unless_contradicted(self, contradiction: PageFinding | None) -> "ParsedPage":
        """Return the page, or one without records if other pages contradict it."""
        if contradiction is None:
            return self
        return ParsedPage(Classification.FORMAT_CHANGED, findings=(contradiction,))


class Media(StrEnum):
    """Type of the bodies of a kind."""

    HTML = "html"
    JSON = "json"
    TEXT = "text"  # lines of text, JSON or HTML: the parser checks which


@dataclass(frozen=True, slots=True)
class PageKind:
    """One kind of page: how it is read and which URLs (path and query) are of it.

    `parse` may raise on a body it cannot read; `scrapers.replay.parse_page` turns that into a value. `statement` marks
    pages with problem texts, for which an owner's "noai" is obeyed.
    """

    name: str
    parse: Callable[[SourcePage], ParsedPage]
    url: re.Pattern[str]
    media: Media = Media.HTML
    statement: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """A request: a kind and a path below the base URL; a body makes it a POST.

    `origin` is another host's address ("https://...") for pages elsewhere; an operator's base URL replaces it too.
    `referer` is the path of the page that would send the request, for sites that answer only their own pages: Referer,
    and for a POST Origin, are made of it and of the address in use.
    """

    kind: str
    path: str
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    origin: str | None = None
    referer: str | None = None


@dataclass(frozen=True, slots=True)
class FactPages:
    """Pages of facts that do not come with problems, such as ratings; requested periodically, or after each contest.

    They are visited on their own schedule, and the outcome says nothing about the problems. `contest_requests` returns
    the pages of one contest by its id, if there are any; `expected` says when they are requested. `lists_contests`
    marks another party's list of the site's contests: contests that only one of the two lists has become findings.
    """

    name: str
    requests: tuple[Request, ...] = ()
    every: timedelta = timedelta(days=1)
    contest_requests: Callable[[str], tuple[Request, ...]] | None = None
    expected: ExpectedData | None = None
    lists: bool = False


@dataclass(frozen=True, slots=True)
class CrawlPlan:
    """Walk of a site: lists of contests (newest first), then each contest, then each problem.

    `index(n)` is the n-th list page from 1, or None past the end; `other_indexes` are lists of contests that it omits,
    paged alike. `upcoming` are pages with future contests, if those lists show none. `wants` says whether a contest's
    problems have right answers at all. `horizon` bounds the first look back if there is no cursor, and how old a
    contest may be that appears behind it. `problems` is the approximate number of problems of a contest, to count
    requests in advance.
    """

    index: Callable[[int], Request | None]
    contest: Callable[[ScrapedContest], tuple[Request, ...]]
    problem: Callable[[ScrapedProblem], Request | None]
    wants: Callable[[ScrapedContest], bool]
    other_indexes: tuple[Callable[[int], Request | None], ...] = ()
    upcoming: tuple[Request, ...] = ()
    horizon: timedelta = timedelta(days=60)
    problems: int = 6


@dataclass(frozen=True, slots=True)
class Edition:
    """A site at one of its own addresses, and how it is walked there.

    Editions share kinds and facts, and a problem has the same id in each: they are one source.
    """

    base_url: str
    plan: CrawlPlan


@dataclass(frozen=True, slots=True)
class Robots:
    """Obedience to the owner's wishes: to robots.txt, and to "noai" marks on pages with statements."""

    obey_txt: bool = True
    obey_noai: bool = True


def _no_error_page(_: SourcePage) -> ParsedPage | None:
    return None


@dataclass(frozen=True, slots=True)
class Site:
    """A source of problems.

    `pace_s` is the polite default between two requests. `classify` recognises the site's own error pages before a kind
    reads them. `login_path` matches the path to which the site redirects visitors that must sign in. `fetch_statements`
    says whether a crawl requests problem texts at all, `show_statements` whether we republish them; both are defaults
    that an operator's policy may override. `editions` are named if a site has several; `base_url` and `plan` are those
    of the one it is in.
    """

    name: str
    title: str
    base_url: str
    kinds: Mapping[str, PageKind]
    plan: CrawlPlan | None
    pace_s: float
    robots: Robots = Robots()
    fetch_statements: bool = False
    show_statements: bool = False
    facts: tuple[FactPages, ...] = ()
    editions: Mapping[str, Edition] = field(default_factory=dict)
    missing_facts: frozenset[str] = frozenset()  # "limits", "dates": facts that no problem page gives
    classify: Callable[[SourcePage], ParsedPage | None] = _no_error_page
    # Signs a path with an operator's key: (path, key, secret, now). None if the site has no use for a key.
    sign: Callable[[str, str, str, datetime], str] | None = None
    login_path: re.Pattern[str] = re.compile(r"^/(?:login|signin|accounts/login|enter)\b")

    @property
    def expected_data(self) -> tuple[ExpectedData, ...]:
        """Data that is expected of each of its contests after the contest's end."""
        return (ExpectedData(PROBLEMS), *(fact.expected for fact in self.facts if fact.expected is not None))

    def in_edition(self, name: str | None, address: str | None = None) -> "Site":
        """Return the site in the edition of that name, else in the one at that address, else as it is.

        Raises InvalidInput for an unknown edition, or one at another address.
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
        """Return whether an address is the site's own, in this edition."""
        return _same_host(self.base_url, address)

    def base_url_of(self, url: str) -> str:
        """Return the site's address that a page belongs to: that of the edition it came from, so that it reads the same
        in every edition, else that of this edition."""
        base_urls = (edition.base_url for edition in self.editions.values())
        return next((address for address in base_urls if _same_host(address, url)), self.base_url)

    def facts_named(self, name: str) -> FactPages:
        """Return the facts of that name. Raises NotFound, naming the known ones."""
        fact = next((fact for fact in self.facts if fact.name == name), None)
        if fact is None:
            raise NotFound(f"{self.name} has no facts {name!r}; it has {', '.join(fact.name for fact in self.facts)}")
        return fact

    def kind(self, name: str) -> PageKind:
        """Return the kind of that name. Raises NotFound, naming the known ones."""
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


def kinds(*all_kinds: PageKind) -> dict[str, PageKind]:
    """Return kinds by name, in the order given."""
    return {kind.name: kind for kind in all_kinds}


def all_sites() -> dict[str, Site]:
    """Return every site by name."""
    return discover("scrapers.sites", "SITE", Site)


def find_site(name: str) -> Site:
    """Return the site of that name. Raises NotFound, naming the known ones."""
    return find_plugin(all_sites(), name, "site")
