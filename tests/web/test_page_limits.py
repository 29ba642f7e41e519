"""Every kind of page keeps the limits: readable text, targets for a finger, a height, and its own language."""

from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import urldefrag, urljoin, urlsplit

import httpx
import pytest
from factories import World, web_app
from playwright.sync_api import Page
from served import NO_AUTHORITIES, served
from support.page_limits import beyond_the_edge, height, latin_share, small_targets, small_text
from support.servers import Servers
from support.shown_league import fill

from app.cli.operations.shots import find_pages
from app.db.kernel.session import make_engine, make_sessionmaker
from app.domain.boards.board import BoardQuery
from app.services.boards import snapshots
from app.services.boards.board_views import CubeStore

MAX_HEIGHT, MAX_LIST_HEIGHT = 3000, 6000
LISTS = ("/models", "/problems", "/changes", "/snapshots", "/docs/api", "/method")
MAX_LATIN_SHARE = 0.10


@pytest.fixture(scope="module")
def site(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a served site with a small league and a snapshot."""
    with servers.database() as url:
        engine = make_engine(url)
        sessions = make_sessionmaker(engine)
        with sessions.begin() as session:
            world = World(session)
            fill(world)
            cubes = CubeStore(tmp_path_factory.mktemp("cubes"))
            snapshots.freeze(session, BoardQuery(), cubes, world.now, "operator", "for a paper")
        with served(web_app(sessions, tmp_path_factory.mktemp("site"))) as base:
            yield base
        engine.dispose()


@pytest.mark.browser
@pytest.mark.parametrize(("locale", "width"), [("en", 1280), ("zh", 1280), ("en", 390), ("zh", 390)])
def test_every_kind_of_page_keeps_the_limits(page: Page, site: str, locale: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    faults: dict[str, object] = {}
    for path in find_pages(site):
        page.goto(f"{site}/{locale}{path}")
        if found := small_text(page):
            faults[f"{path} text"] = found
        if found := small_targets(page):
            faults[f"{path} targets"] = found
        limit = MAX_LIST_HEIGHT if path.split("?")[0] in LISTS else MAX_HEIGHT
        if width == 1280 and (high := height(page)) > limit:
            faults[f"{path} height"] = high
        if locale == "zh" and width == 1280:
            share, words = latin_share(page)
            if share > MAX_LATIN_SHARE:
                faults[f"{path} latin"] = (round(share, 2), words)
        if wide := beyond_the_edge(page):
            faults[f"{path} width"] = wide
    assert faults == {}, "\n".join(f"{where}: {what}" for where, what in faults.items())


class _Links(HTMLParser):
    """The addresses of a page's links."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        href = dict(attrs).get("href")
        if tag in ("a", "link") and href:
            self.found.append(href)


def test_every_link_of_every_page_answers(site: str) -> None:
    """All links of one page of each kind, over all protocols, and of the English pages that these lead to."""
    host = urlsplit(site).netloc
    broken: dict[str, str] = {}
    with httpx.Client(base_url=site, timeout=60, verify=NO_AUTHORITIES, follow_redirects=True) as client:
        seen: dict[str, int] = {}

        def visit(address: str, found_on: str) -> str | None:
            if address in seen:
                return None
            answer = client.get(address)
            seen[address] = answer.status_code
            if answer.status_code != 200:
                broken[address] = f"{answer.status_code}, on {found_on}"
            return answer.text if answer.headers["content-type"].startswith("text/html") else None

        pages = [f"{site}/en{path}" for path in find_pages(site) if path != "/nothing"]
        for start in pages:
            text = visit(start, "the list of pages")
            for href in _Links(text or "").found:
                address = urldefrag(urljoin(start, href)).url
                if urlsplit(address).netloc == host:
                    visit(address, start)
    assert broken == {}
    assert len(seen) > 200
