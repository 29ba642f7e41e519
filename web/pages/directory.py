"""The lists of problems and models with their filters, the search over both, and the sitemap."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import itemgetter
from typing import TypeVar
from xml.etree.ElementTree import Element, SubElement, tostring

from starlette.responses import Response

from app.db.evidence.listing import ProblemSort
from app.domain.boards.named_boards import boards
from app.domain.errors import InvalidInput, UnknownName
from app.domain.problems import Level
from app.domain.publishing.tags import Topic
from app.services.evidence import directory, listing
from app.services.evidence.listing import ModelSort, ProblemListQuery
from web.context import PageRequest, link, query_value, read_cursor
from web.i18n import ENGLISH, locales, translator
from web.render import render
from web.results.links import paging, protocol_href

Name = TypeVar("Name", bound=StrEnum)

PAGE_ROWS = 50
MAX_FOUND = 12
_MAX_TEXT = 200
_PROBLEM_FILTERS = ("q", "platform", "level", "topic", "tag")
_MODEL_FILTERS = ("q", "organisation", "weights")
_LOW_FIRST = frozenset({"title", "source", "level", "name", "organisation"})
_SITEMAP_NS, _XHTML_NS = "http://www.sitemaps.org/schemas/sitemap/0.9", "http://www.w3.org/1999/xhtml"
_MAX_ADDRESSES = 45_000
_LIST_PAGES = (
    "/", "/problems", "/models", "/method", "/contamination", "/changes", "/status", "/snapshots", "/about",
    "/docs/api",
    "/errors",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SortLink:
    """A column head: the link that sorts by it, and how it is sorted now, as `aria-sort` says; None if it is not."""

    href: str
    sorted: str | None


def problems_page(page: PageRequest) -> Response:
    """Render the public problems that the URL asks for, sorted by one of their columns."""
    sort, descending = _order(page, ProblemSort, ProblemSort.RELEASED, _LOW_FIRST)
    query = ProblemListQuery(
        text=query_value(page, "q"),
        source=query_value(page, "platform"),
        level=_one_of(page, "level", Level),
        topic=_one_of(page, "topic", Topic),
        tag=_short_text(page, "tag"),
        sort=sort,
        descending=descending,
    )
    skip = read_cursor(page, "skip") or 0
    with page.state.sessions() as session:
        found = listing.list_problems(session, page.state.cubes, query, skip, PAGE_ROWS)
        names = directory.platforms(session)
        topics = listing.topic_counts(session)
    params = _set_params(page, _PROBLEM_FILTERS)
    return render(
        page, "results/problems.html",
        found=found,
        query=query,
        platforms={slug: page.t(key) if page.knows(key := f"source.{slug}") else names[slug] for slug in names},
        topics=sorted(((page.t(f"topic.{topic}"), topic, count) for topic, count in topics.items()), key=itemgetter(0)),
        levels=tuple(Level),
        heads=_heads(page, params, ProblemSort, sort, _LOW_FIRST, descending=descending),
        set_filters=_problem_filters(page, query, params),
        filtered=bool(params),
        paging=paging(page, [*params, *_order_params(page)], skip, len(found.lines), found.total),
    )  # fmt: skip


def models_page(page: PageRequest) -> Response:
    """Render the models with public results that the URL asks for, sorted by one of their columns."""
    sort, descending = _order(page, ModelSort, ModelSort.SCORE, _LOW_FIRST)
    organisation, weights = _short_text(page, "organisation"), query_value(page, "weights")
    if weights not in (None, "open"):
        raise InvalidInput("weights must be open", pointer="/weights")
    skip = read_cursor(page, "skip") or 0
    with page.state.sessions() as session:
        found = listing.list_models(
            session,
            page.state.cubes,
            text=query_value(page, "q"),
            organisation=organisation,
            open_only=weights == "open",
            sort=sort,
            descending=descending,
            skip=skip,
            limit=PAGE_ROWS,
            today=page.now.date(),
        )
    params = _set_params(page, _MODEL_FILTERS)
    board = None if found.board is None else found.board.query
    return render(
        page, "results/models.html",
        found=found,
        text=query_value(page, "q"),
        organisation=organisation,
        open_only=weights == "open",
        board=None if board is None else protocol_href(page, board.board, board.protocol),
        board_title=None if board is None else page.board_title(board.board),
        heads=_heads(page, params, ModelSort, sort, _LOW_FIRST, descending=descending),
        filtered=bool(params),
        paging=paging(page, [*params, *_order_params(page)], skip, len(found.lines), found.total),
    )  # fmt: skip


def search_page(page: PageRequest) -> Response:
    """Render the models, problems, topics and tags with a text in their names; without one, the search form."""
    text = (query_value(page, "q") or "").strip()
    results = None
    if text:
        topics = [topic for topic in Topic if _is_called(page, topic, text.casefold())]
        with page.state.sessions() as session:
            results = listing.search(session, text, topics, MAX_FOUND)
    return render(page, "results/search.html", text=text, results=results)


def _is_called(page: PageRequest, topic: Topic, text: str) -> bool:
    """Return True if a topic's name has the text in it, in our vocabulary, in English or in the page's language."""
    key = f"topic.{topic}"
    return any(text in name.casefold() for name in (topic.value, page.t(key), translator(ENGLISH)(key)))


def _order(page: PageRequest, columns: type[Name], default: Name, low_first: frozenset[str]) -> tuple[Name, bool]:
    """Return the column that the URL sorts by, and True if it does so from the highest value down."""
    sort = _one_of(page, "sort", columns) or default
    direction = query_value(page, "dir")
    if direction not in (None, "asc", "desc"):
        raise InvalidInput("dir must be asc or desc", pointer="/dir")
    return sort, sort.value not in low_first if direction is None else direction == "desc"


def _one_of(page: PageRequest, name: str, values: type[Name]) -> Name | None:
    """Return the member of `values` that a parameter names, or None if it is empty. Raises UnknownName."""
    text = query_value(page, name)
    if text is not None and text not in set(values):
        raise UnknownName(name, text, [value.value for value in values])
    return None if text is None else values(text)


def _short_text(page: PageRequest, name: str) -> str | None:
    """Return a parameter's text, or None if it is empty. Raises InvalidInput for an impossible one."""
    text = query_value(page, name)
    if text is not None and (len(text) > _MAX_TEXT or not text.isprintable()):
        raise InvalidInput(f"{name} is too long or has characters that are not allowed", pointer=f"/{name}")
    return text


def _set_params(page: PageRequest, names: Iterable[str]) -> list[tuple[str, str]]:
    return [(name, value) for name in names if (value := query_value(page, name))]


def _order_params(page: PageRequest) -> list[tuple[str, str]]:
    return _set_params(page, ("sort", "dir"))


def _heads(
    page: PageRequest,
    params: Sequence[tuple[str, str]],
    columns: type[StrEnum],
    sort: str,
    low_first: frozenset[str],
    *,
    descending: bool,
) -> dict[str, SortLink]:
    """Return the links of the column heads: the column sorted by turns round, another begins with its own direction."""
    links = {}
    for column in columns:
        current = column.value == sort
        down = not descending if current else column.value not in low_first
        href = page.href(page.path, [*params, ("sort", column.value), ("dir", "desc" if down else "asc")])
        links[column.value] = SortLink(href, ("descending" if descending else "ascending") if current else None)
    return links


def _problem_filters(
    page: PageRequest, query: ProblemListQuery, params: Sequence[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Return the filters that no control of the form shows, in words, each with a link without it."""
    words = {"tag": query.tag}
    return [
        (f"{page.t('problem.tags')}: {word}", page.href(page.path, [pair for pair in params if pair[0] != name]))
        for name, word in words.items()
        if word
    ]


def sitemap(page: PageRequest) -> Response:
    """Return the addresses of all pages in every language, for crawlers (sitemaps.org, at most 50,000 addresses)."""
    with page.state.sessions() as session:
        paths = [
            *_LIST_PAGES,
            *(f"/boards/{name}" for name in boards()),
            *directory.addresses(session, _MAX_ADDRESSES // len(locales())),
        ]
    root = Element("urlset", {"xmlns": _SITEMAP_NS, "xmlns:xhtml": _XHTML_NS})
    for path in paths:
        for locale in locales():
            entry = SubElement(root, "url")
            SubElement(entry, "loc").text = page.state.public_url + link(locale, path)
            for other in locales():
                href = page.state.public_url + link(other, path)
                SubElement(entry, "xhtml:link", {"rel": "alternate", "hreflang": other.tag, "href": href})
    body = tostring(root, encoding="utf-8", xml_declaration=True)
    return Response(body, media_type="application/xml", headers={"Cache-Control": "public, max-age=3600"})
