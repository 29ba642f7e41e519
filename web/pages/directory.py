"""The lists of problems and models, newest first, with a search; and the sitemap."""

from xml.etree.ElementTree import Element, SubElement, tostring

from starlette.responses import Response

from app.domain.boards.named_boards import boards
from app.services.evidence import directory
from web.context import PageRequest, link, query_value, read_cursor
from web.i18n import locales
from web.render import render

_PAGE_ROWS = 50
_SITEMAP_NS, _XHTML_NS = "http://www.sitemaps.org/schemas/sitemap/0.9", "http://www.w3.org/1999/xhtml"
_MAX_ADDRESSES = 45_000
_LIST_PAGES = (
    "/", "/problems", "/models", "/snapshots", "/ratings", "/holistic", "/contamination", "/changes", "/status",
    "/docs/api",
)  # fmt: skip


def problems_page(page: PageRequest) -> Response:
    """Render the public problems, of one platform or with a text in their names if the URL says so."""
    text, platform = query_value(page, "q"), query_value(page, "platform")
    with page.state.sessions() as session:
        rows = directory.problems(session, read_cursor(page), _PAGE_ROWS + 1, platform=platform, text=text)
        names = directory.platforms(session)
    older, newest = _paging(page, "platform", rows[_PAGE_ROWS - 1].id if len(rows) > _PAGE_ROWS else None)
    return render(
        page, "pages/problems.html",
        rows=rows[:_PAGE_ROWS],
        text=text,
        platform=platform,
        platforms={slug: page.t(key) if page.knows(key := f"source.{slug}") else names[slug] for slug in names},
        older=older,
        newest=newest,
    )  # fmt: skip


def models_page(page: PageRequest) -> Response:
    """Render the models with public results, those with a text in their names if the URL says so."""
    text = query_value(page, "q")
    with page.state.sessions() as session:
        rows = directory.models(session, read_cursor(page), _PAGE_ROWS + 1, text=text)
    older, newest = _paging(page, "", rows[_PAGE_ROWS - 1].id if len(rows) > _PAGE_ROWS else None)
    return render(page, "pages/models.html", rows=rows[:_PAGE_ROWS], text=text, older=older, newest=newest)


def _paging(page: PageRequest, filtered: str, last: int | None) -> tuple[str | None, str | None]:
    """Return links to the rows after the one with the number `last`, and back to the first page."""
    params = [(name, value) for name in ("q", filtered) if (value := query_value(page, name))]
    older = None if last is None else page.href(page.path, [*params, ("before", str(last))])
    return older, None if read_cursor(page) is None else page.href(page.path, params)


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
