"""Every kind of page keeps the limits: readable text, targets for a finger, a height, and its own language."""

from collections.abc import Iterator
from datetime import date, timedelta
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qs, urldefrag, urljoin, urlsplit

import httpx
import pytest
from factories import World, web_app
from playwright.sync_api import Page
from served import NO_AUTHORITIES, served
from support.page_limits import beyond_the_edge, height, latin_share, overlaps, small_targets, small_text
from support.servers import Servers
from support.shown_league import fill

from app.cli.operations.shots import OPS_PAGES, find_pages
from app.db.kernel.session import make_engine, make_sessionmaker
from app.domain.asking.protocols import LCB
from app.domain.boards.board import BoardQuery
from app.domain.judging.verdicts import Verdict
from app.domain.states import RunOrigin
from app.services.boards import snapshots
from app.services.boards.board_views import CubeStore
from app.services.operations.access import issue_login_link

MAX_HEIGHT, MAX_LIST_HEIGHT = 3000, 6000
LISTS = ("/models", "/problems", "/changes", "/snapshots", "/docs/api", "/method", "/ops/runs", "/ops/quarantine")
MAX_LATIN_SHARE = 0.10


@pytest.fixture(scope="module")
def served_site(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The address of a served site with a small league and a snapshot, and a maintainer's one-time token."""
    with servers.database() as url:
        engine = make_engine(url)
        sessions = make_sessionmaker(engine)
        with sessions.begin() as session:
            world = World(session)
            fill(world)
            token = issue_login_link(session, world.now)
            cubes = CubeStore(tmp_path_factory.mktemp("cubes"))
            snapshots.freeze(session, BoardQuery(), cubes, world.now, "operator", "for a paper")
        with served(web_app(sessions, tmp_path_factory.mktemp("site"))) as base:
            yield base, token
        engine.dispose()


@pytest.fixture(scope="module")
def site(served_site: tuple[str, str]) -> str:
    """The address of the site."""
    return served_site[0]


@pytest.fixture(scope="module")
def maintainer(window: Page, served_site: tuple[str, str]) -> list[Any]:
    """What signs a maintainer in."""
    base, token = served_site
    window.goto(f"{base}/login?token={token}")
    window.locator("main button").click()
    window.wait_for_url("**/ops*")
    return list(window.context.cookies())


@pytest.mark.browser
@pytest.mark.parametrize(("locale", "width"), [("en", 1280), ("zh", 1280), ("en", 390), ("zh", 390)])
def test_every_kind_of_page_keeps_the_limits(
    page: Page, site: str, maintainer: list[Any], locale: str, width: int
) -> None:
    page.context.add_cookies(maintainer)
    page.set_viewport_size({"width": width, "height": 844})
    faults: dict[str, object] = {}
    for path in (*find_pages(site), *OPS_PAGES):
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
        if found := overlaps(page):
            faults[f"{path} overlaps"] = found
        if wide := beyond_the_edge(page):
            faults[f"{path} width"] = wide
    assert faults == {}, "\n".join(f"{where}: {what}" for where, what in faults.items())


LONG_NAME = "A model whose vendor gave it a name of eighty characters, and hardly one is less"


@pytest.fixture(scope="module")
def long_names(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a served site with a live and an ended board, each led by a model with a name of 80 characters."""
    with servers.database() as url:
        engine = make_engine(url)
        sessions = make_sessionmaker(engine)
        with sessions.begin() as session:
            world = World(session)
            model = world.model("long", name=LONG_NAME, organisation_name=LONG_NAME)
            old = world.run(model, protocol=LCB, origin=RunOrigin.IMPORTED, provenance={"n_inferred": True})
            for n in range(10):
                day = date(2024, 12, 30) + timedelta(days=n)
                world.imported(old, world.catalogued(f"abc{n}", day=day, source="atcoder"), 10, n)
            days = [world.now.date() - timedelta(days=3 * n) for n in range(12)]
            runs = [world.run(one, cutoff_on=days[-1] - timedelta(days=1)) for one in (model, "short")]
            for n, day in enumerate(days):
                problem = world.problem(f"p{n}", day=day, contest=f"c{n}")
                for run, right in zip(runs, (12, 4), strict=True):
                    world.answer(run, problem, Verdict.ACCEPTED if n < right else Verdict.WRONG_ANSWER)
            world.workers()
            world.count()
        with served(web_app(sessions, tmp_path_factory.mktemp("long"))) as base:
            yield base
        engine.dispose()


@pytest.mark.browser
@pytest.mark.parametrize("path", ["/", "/?protocol=lcb"])
@pytest.mark.parametrize(("locale", "width"), [("en", 1280), ("zh", 1280), ("en", 390), ("zh", 390)])
def test_long_names_and_ended_boards_leave_the_first_row_where_it_is(
    page: Page, long_names: str, locale: str, width: int, path: str
) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{long_names}/{locale}{path}")
    box = page.locator("tr.row").first.bounding_box()
    assert box is not None
    above = page.evaluate("[...document.querySelectorAll('main > *')].map((each) => [each.className, each.offsetTop])")
    assert box["y"] <= 300, above
    assert not beyond_the_edge(page)
    lines = page.evaluate("new Set([...document.querySelectorAll('.presets > *')].map((each) => each.offsetTop)).size")
    assert lines == 1


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
    """All links of one page of each kind, and of one page of each kind under each other protocol."""
    host = urlsplit(site).netloc
    broken: dict[str, str] = {}
    with httpx.Client(base_url=site, timeout=60, verify=NO_AUTHORITIES, follow_redirects=True) as client:
        seen: dict[str, int] = {}
        kinds: set[tuple[str, str]] = set()
        waiting = [(f"{site}/en{path}", "the list of pages") for path in find_pages(site) if path != "/nothing"]
        starts = {address for address, _ in waiting}
        while waiting:
            address, found_on = waiting.pop(0)
            if address in seen:
                continue
            answer = client.get(address)
            seen[address] = answer.status_code
            if answer.status_code != 200:
                broken[address] = f"{answer.status_code}, on {found_on}"
            kind = _kind_by_protocol(address)
            if not answer.headers["content-type"].startswith("text/html") or (address not in starts and kind in kinds):
                continue
            if address not in starts and kind is None:
                continue
            if kind is not None:
                kinds.add(kind)
            links = {urldefrag(urljoin(address, href)).url for href in _Links(answer.text).found}
            waiting += [(link, address) for link in sorted(links) if urlsplit(link).netloc == host]
    assert broken == {}
    assert len(seen) > 200
    assert {protocol for _, protocol in kinds} >= {"house", "lcb"}


def _kind_by_protocol(address: str) -> tuple[str, str] | None:
    """Return what an address shows under which protocol: the kind of page with its tab; None without a protocol."""
    parts = urlsplit(address)
    asked = parse_qs(parts.query)
    if "protocol" not in asked or not parts.path.startswith("/en/"):
        return None
    return f"{parts.path.split('/')[2]} {asked.get('tab', [''])[0]}", asked["protocol"][0]
