"""The lists of all that can be looked at: problems and models, newest first, with a search."""

from starlette.responses import Response

from app.services.evidence import directory
from web.context import Page, cursor, one
from web.render import render

_SHOWN = 50


def problems_page(page: Page) -> Response:
    """Public problems, of one platform or with a text in their names where the URL says so."""
    text, platform = one(page, "q"), one(page, "platform")
    with page.state.sessions() as session:
        rows = directory.problems(session, cursor(page), _SHOWN + 1, platform=platform, text=text)
        names = directory.platforms(session)
    older, newest = _paging(page, "platform", rows[_SHOWN - 1].id if len(rows) > _SHOWN else None)
    return render(
        page, "pages/problems.html",
        rows=rows[:_SHOWN],
        text=text,
        platform=platform,
        platforms={slug: page.t(key) if page.knows(key := f"source.{slug}") else names[slug] for slug in names},
        older=older,
        newest=newest,
    )  # fmt: skip


def models_page(page: Page) -> Response:
    """Models with public results, those with a text in their names where the URL says so."""
    text = one(page, "q")
    with page.state.sessions() as session:
        rows = directory.models(session, cursor(page), _SHOWN + 1, text=text)
    older, newest = _paging(page, "", rows[_SHOWN - 1].id if len(rows) > _SHOWN else None)
    return render(page, "pages/models.html", rows=rows[:_SHOWN], text=text, older=older, newest=newest)


def _paging(page: Page, filtered: str, last: int | None) -> tuple[str | None, str | None]:
    """Links to what follows the row with the number `last`, and back to the first page."""
    asked = [(name, value) for name in ("q", filtered) if (value := one(page, name))]
    older = None if last is None else page.href(page.path, [*asked, ("before", str(last))])
    return older, None if cursor(page) is None else page.href(page.path, asked)
