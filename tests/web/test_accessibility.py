"""Every page has no violation that axe finds, in eight ways of seeing it."""

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Literal

import pytest
from api.test_contamination_api import make_report
from factories import World, web_app
from playwright.sync_api import Page
from served import served
from support.browser import check_accessible, without_scripts
from support.servers import Servers
from support.shown_league import fill

from app.cli.operations.shots import OPS_PAGES, find_pages
from app.db.kernel.session import make_engine, make_sessionmaker
from app.domain.boards.board import BoardQuery
from app.services.boards import snapshots
from app.services.boards.board_views import CubeStore
from app.services.operations.access import issue_login_link

pytestmark = pytest.mark.browser


@dataclass(frozen=True, slots=True)
class Context:
    """One way of seeing a page."""

    locale: str
    width: int = 1280
    scheme: Literal["light", "dark"] = "light"
    forced: Literal["active", "none"] = "none"
    motion: Literal["reduce", "no-preference"] = "no-preference"
    scripts: bool = True


CONTEXTS = {
    "light": Context("en"),
    "dark": Context("zh", scheme="dark"),
    "phone": Context("zh", width=390),
    "dark phone": Context("en", width=390, scheme="dark"),
    "no scripts": Context("zh", scripts=False),
    "still": Context("en", motion="reduce", scheme="dark"),
    "forced colours": Context("en", forced="active"),
    "200 % zoom": Context("zh", width=640),
}
# Views of pages that hold more than the page that is found first.
VIEWS = (
    "/?exposure=split&ref=model-0:high&from=2026-03-01", "/?protocol=lcb", "/?ref=model-0:high&open=model-1-2",
    "/?to=2020-01-01", "/?tab=rating&from=", "/?tab=skills&from=", "/models/model-2", "/models/anchor", "/samples/3",
    "/compare?ref=model-0:high&with=model-1", "/compare?m=model-0&m=model-1&m=model-2", "/problems/house/p1",
    "/problems?topic=graphs&sort=solved", "/contamination?protocol=house",
)  # fmt: skip


@pytest.fixture(scope="module")
def site(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """A served site with a small league, a snapshot and a contamination report; and a maintainer's one-time token."""
    with servers.database() as url:
        engine = make_engine(url)
        sessions = make_sessionmaker(engine)
        with sessions.begin() as session:
            world = World(session)
            fill(world)
            token = issue_login_link(session, world.now)
            cubes = CubeStore(tmp_path_factory.mktemp("cubes"))
            snapshots.freeze(session, BoardQuery(), cubes, world.now, "operator", "for a paper")
        with sessions.begin() as session:
            make_report(World(session), tmp_path_factory.mktemp("cubes"))
        with served(web_app(sessions, tmp_path_factory.mktemp("site"))) as base:
            yield base, token
        engine.dispose()


@pytest.fixture(scope="module")
def pages(site: tuple[str, str]) -> list[str]:
    """The addresses of all pages, without the language."""
    return [*find_pages(site[0]), *VIEWS, *OPS_PAGES]


@pytest.fixture(scope="module")
def session_cookies(window: Page, site: tuple[str, str]) -> list[dict[str, object]]:
    """What signs a maintainer in."""
    base, token = site
    window.goto(f"{base}/login?token={token}")
    window.locator("main button").click()
    window.wait_for_url("**/ops*")
    return [dict(cookie) for cookie in window.context.cookies()]


@pytest.mark.parametrize("context", CONTEXTS)
def test_each_page_is_accessible_in_one_context(
    page: Page, site: tuple[str, str], pages: list[str], session_cookies: list[dict[str, object]], context: str
) -> None:
    """Each context has every eighth page, so that it has pages of several kinds."""
    shown = pages[list(CONTEXTS).index(context) :: len(CONTEXTS)]
    check_pages(page, site[0], shown, session_cookies, CONTEXTS[context])


@pytest.mark.slow
@pytest.mark.parametrize("context", CONTEXTS)
def test_every_page_is_accessible_in_every_context(
    page: Page, site: tuple[str, str], pages: list[str], session_cookies: list[dict[str, object]], context: str
) -> None:
    check_pages(page, site[0], pages, session_cookies, CONTEXTS[context], thinned=False)


def check_pages(
    page: Page, base: str, paths: list[str], cookies: list[dict[str, object]], context: Context, *, thinned: bool = True
) -> None:
    """Pages have no violation, fit, and say nothing on the console; `thinned` as in `thin`."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type in {"error", "warning"} else None)
    page.context.add_cookies(cookies)  # type: ignore[arg-type]
    page.set_viewport_size({"width": context.width, "height": 844 if context.width < 1000 else 900})
    page.emulate_media(color_scheme=context.scheme, forced_colors=context.forced, reduced_motion=context.motion)
    for path in paths:
        with nullcontext() if context.scripts else without_scripts(page):
            page.goto(f"{base}/{context.locale}{path}")
        # A failed page's status is noted on the console; anything else there is a violation.
        assert [line for line in said if "Failed to load resource" not in line] == [], path
        wide = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        assert wide[0] <= wide[1], (path, wide)
        if thinned:
            thin(page)
        check_accessible(page)


def thin(page: Page) -> None:
    """Of the many operations of the API, which are alike, leave a few: axe takes seconds over them all."""
    page.evaluate("document.querySelectorAll('.operation').forEach((each, place) => place < 8 || each.remove())")
