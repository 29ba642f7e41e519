"""Pages in a real Chromium: accessible, within their budget, asking nobody else, and whole without scripts."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from factories import World, web_app
from fakes.fake_site import FakeSite, Reply
from playwright.sync_api import Browser, Page, expect
from served import served
from support.browser import check_accessible, turn_to, without_scripts
from support.servers import Servers
from support.shown_league import fill

from app.db.kernel.session import make_engine, make_sessionmaker
from app.domain.boards.board import BoardQuery
from app.services.boards import snapshots
from app.services.boards.board_views import CubeStore
from app.services.operations.access import issue_login_link

pytestmark = pytest.mark.browser

MOST_BYTES, MOST_REQUESTS = 90_000, 8


@pytest.fixture(scope="module")
def site(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """A served site with a small league; its address, and a maintainer's one-time token."""
    with servers.database() as url:
        engine = make_engine(url)
        sessions = make_sessionmaker(engine)
        with sessions.begin() as session:
            world = World(session)
            fill(world)
            token = issue_login_link(session, world.now)
            cubes = CubeStore(tmp_path_factory.mktemp("cubes"))
            snapshots.freeze(session, BoardQuery(), cubes, world.now, "operator", "for a paper")
        app = web_app(sessions, tmp_path_factory.mktemp("site"))
        with served(app) as base:
            yield base, token
        engine.dispose()


LOOKS = {
    "light": (1280, 900, "light", "none"),
    "dark": (1280, 900, "dark", "none"),
    "phone": (390, 844, "light", "none"),
    "zoom": (640, 450, "light", "none"),
    "forced": (1280, 900, "light", "active"),
}


def look_with(page: Page, look: str) -> None:
    """The same page to other eyes."""
    width, height, scheme, forced = LOOKS[look]
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=scheme, forced_colors=forced)  # type: ignore[arg-type]


def check_fits(page: Page) -> None:
    """The page and every table of facts show whole, without scrolling sideways."""
    wide = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide[0] <= wide[1], (page.url, wide)
    for box in page.locator(".scroll").all():
        assert box.evaluate("each => each.scrollWidth <= each.clientWidth"), page.url


def test_a_frozen_board_is_accessible_and_needs_no_scripts(page: Page, site: tuple[str, str]) -> None:
    base, _token = site
    look_with(page, "dark")
    page.goto(f"{base}/en/snapshots")
    page.locator("tbody th a").first.click()
    check_fits(page)
    check_accessible(page)
    look_with(page, "phone")
    with without_scripts(page):
        page.goto(page.url.replace("/en/", "/zh/"))
        check_fits(page)
        expect(page.locator("tbody tr")).to_have_count(4)
        expect(page.locator("pre").nth(1)).to_contain_text("@misc{tidemark-")


def test_maintainers_pages_are_accessible_and_work_without_scripts(page: Page, site: tuple[str, str]) -> None:
    base, token = site
    page.goto(f"{base}/en/login?token={token}")
    check_accessible(page)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Data expected from contests")).to_be_visible()
    for path in (
        "/ops",
        "/ops/quarantine",
        "/ops/drift",
        "/ops/rejudging",
        "/ops/runs",
        "/ops/gpus",
        "/ops/setters",
        "/ops/tests?problem=house/p0",
        "/ops/contamination",
        "/ops/machinery",
    ):
        look_with(page, "light")
        turn_to(page, f"/en{path}")
        check_accessible(page)
        check_fits(page)
        look_with(page, "phone")
        check_fits(page)
    assert page.url.endswith("/ops/machinery")
    look_with(page, "light")
    for word in ("ready", "grade@test/0"):  # in one piece
        assert page.get_by_text(word, exact=True).first.evaluate("each => each.getClientRects().length") == 1
    with without_scripts(page):
        page.goto(f"{base}/en/ops")
        row = page.get_by_role("row", name="atcoder/late1")
        expect(row).to_contain_text("late")
        row.get_by_role("checkbox").check()
        page.get_by_role("button", name="Close").click()
        expect(page.get_by_text("processed")).to_have_count(0)  # the browser asks for a reason first
        form = page.locator("form", has=page.get_by_role("button", name="Close"))
        form.get_by_label("Reason").fill("it was cancelled")
        form.get_by_role("button", name="Close").click()
        expect(page.get_by_text("1 item processed.")).to_be_visible()
        expect(page.get_by_role("row", name="atcoder/late1")).to_contain_text("it was cancelled")
        page.goto(f"{base}/en/ops/quarantine")
        page.get_by_role("row", name="atcoder/held1").get_by_role("checkbox").check()
        page.get_by_label("Reason").fill("a duplicate")
        page.get_by_role("button", name="Withdraw").click()
        expect(page.get_by_text("1 item processed.")).to_be_visible()


def test_no_text_of_a_card_lies_over_its_neighbour(page: Page, site: tuple[str, str]) -> None:
    page.set_viewport_size({"width": 375, "height": 800})
    for locale in ("en", "zh"):
        page.goto(f"{site[0]}/{locale}/?from=")
        page.locator("details.unranked summary").click()
        for opener in page.locator(".opener").all():
            opener.click()
        assert page.locator("tr.detail small").count(), "there are rows that say what they lack"
        wide = page.evaluate(
            "[...document.querySelectorAll('.board .row > *, .values > *')]"
            ".filter(cell => cell.scrollWidth > cell.clientWidth + 1).map(cell => cell.className + cell.textContent)"
        )
        assert wide == []


def test_a_phone_shows_every_fact_without_scrolling_sideways(page: Page, site: tuple[str, str]) -> None:
    base, _token = site
    look_with(page, "phone")
    for path in ("/problems/house/p1", "/models/model-2", "/models/anchor", "/status", "/samples/3"):
        page.goto(f"{base}/en{path}")
        check_fits(page)
        # A cell is as high as its label, if it shows one, so that none lies on the next line.
        labels = page.locator(".stack td[data-label]")
        assert labels.evaluate_all(
            "cells => !cells.some(cell => cell.clientHeight < parseFloat(getComputedStyle(cell, '::before').height))"
        ), path
    for label in ("Max CPU time", "Max memory", "Limit mode"):
        expect(page.locator(f'td[data-label="{label}"]').first).to_be_in_viewport()


def test_a_formula_shows_as_mathematics(page: Page, site: tuple[str, str]) -> None:
    base, _token = site
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(f"{base}/en/problems/house/p1")
    page.locator(".statement summary").click()
    fraction = page.locator(".statement-text mfrac")
    expect(fraction).to_be_visible()
    assert fraction.evaluate("each => each.namespaceURI") == "http://www.w3.org/1998/Math/MathML"
    # Set, not merely written: the numerator stands above the denominator, an exponent higher than its base.
    above, below = (fraction.locator("> *").nth(place).bounding_box() for place in (0, 1))
    assert above is not None
    assert below is not None
    assert above["y"] + above["height"] <= below["y"] + 1
    assert page.locator(".statement-text math[display=block]").evaluate("each => getComputedStyle(each).display") == (
        "block math"
    )
    assert page.locator(".statement-text code.tex").inner_text() == "\\frobnicate{x}"
    assert page.title() != "taken"
    for look in ("phone", "dark"):
        look_with(page, look)
        wide = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        assert wide[0] <= wide[1]
    check_accessible(page)
    assert said == []


def test_the_first_view_is_within_its_budget(page: Page, site: tuple[str, str]) -> None:
    base, _token = site
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.setCacheDisabled", {"cacheDisabled": True})
    sizes: list[float] = []
    inside: set[str] = set()  # images that the browser or a style sheet holds ask for nothing
    devtools.on(
        "Network.requestWillBeSent",
        lambda event: inside.add(event["requestId"]) if event["request"]["url"].startswith("data:") else None,
    )
    devtools.on(
        "Network.loadingFinished",
        lambda event: None if event["requestId"] in inside else sizes.append(event["encodedDataLength"]),
    )
    page.goto(f"{base}/en/", wait_until="networkidle")
    devtools.detach()
    assert 0 < sum(sizes) <= MOST_BYTES
    assert len(sizes) <= MOST_REQUESTS
    shift = page.evaluate(
        """() => new Promise((done) => { let sum = 0;
            new PerformanceObserver((list) => { for (const each of list.getEntries()) sum += each.value; })
                .observe({ type: "layout-shift", buffered: true });
            setTimeout(() => done(sum), 200); })"""
    )
    assert shift <= 0.03


def test_every_control_works_without_scripts(page: Page, site: tuple[str, str]) -> None:
    base, _token = site
    with without_scripts(page):
        page.goto(f"{base}/en/")
        assert page.locator("table.board tr.row").count() == 4
        page.locator(".drawer > summary").click()
        page.get_by_label("From", exact=True).fill("2026-05-01")
        page.get_by_label("hard").check()
        page.get_by_label("Models that may have seen problems").last.select_option("hide")
        page.get_by_label("Sort by").last.select_option("score")
        page.get_by_label("Direction").select_option("asc")
        page.get_by_role("button", name="Apply").click()
        assert "from=2026-05-01" in page.url
        assert "difficulty=hard" in page.url
        assert "exposure=hide" in page.url
        expect(page.locator("th[aria-sort=ascending]").first).to_have_text("pass@1")
        page.get_by_role("link", name="6 months").click()
        assert "from=2026-05-21" in page.url
        page.locator("td.c-score a").first.click()
        assert page.locator("a.chip").count() > 0
        page.locator("a.chip").first.click()
        expect(page.get_by_role("heading", name="Verdict")).to_be_visible()


def test_the_form_of_ratings_works_without_scripts(page: Page, site: tuple[str, str]) -> None:
    base, _token = site
    with without_scripts(page):
        page.goto(f"{base}/en/?tab=rating&from=")
        page.locator(".drawer > summary").click()
        page.get_by_label("From", exact=True).fill("2026-03-02")
        page.get_by_role("button", name="Apply").click()
        expect(page.locator("input[name=from][type=date]")).to_have_value("2026-03-02")
        expect(page.locator("section[aria-labelledby=elo-title] tbody tr")).not_to_have_count(0)
        page.get_by_role("link", name="ties count half").click()
        assert "ties=half" in page.url
        assert "from=2026-03-02" in page.url


def test_a_change_is_shown_in_place_and_in_the_address(page: Page, site: tuple[str, str]) -> None:
    base, _token = site
    page.goto(f"{base}/en/?from=")
    page.evaluate("window.kept = true")
    page.locator(".drawer > summary").click()
    page.get_by_role("checkbox", name="easy").check()
    page.wait_for_url("**/en/?difficulty=easy&exposure=unrank&prospective=any&rules=tidemark&from=")
    expect(page.get_by_role("checkbox", name="easy")).to_be_checked()
    expect(page.get_by_role("checkbox", name="easy")).to_be_focused()
    expect(page.locator(".drawer > summary")).to_have_text("Filters (1)")
    expect(page.locator("#live")).to_contain_text("8 problems")
    assert page.evaluate("window.kept")  # the page was not loaded anew
    page.locator(".drawer > summary").click()
    page.get_by_label("Remove: Difficulty: easy").click()
    expect(page.locator(".set-filter")).to_have_count(0)
    page.go_back()
    expect(page.locator("input[type=checkbox][value=easy]")).to_be_checked()
    page.go_back()
    expect(page.locator("input[type=checkbox][value=easy]")).not_to_be_checked()
    assert page.evaluate("window.kept")


def test_the_keyboard_reaches_everything_in_order(page: Page, site: tuple[str, str]) -> None:
    base, _token = site
    page.goto(f"{base}/en/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    expect(page.get_by_role("link", name="Skip to content")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    expect(page.locator("#live")).to_be_empty()  # a jump inside the page asks for nothing
    filters = page.locator(".drawer > summary")
    page.locator(".board-bar summary").first.focus()
    page.keyboard.press("ArrowLeft")
    expect(filters).to_be_focused()
    page.keyboard.press("Enter")
    names = []
    for _ in range(120):
        page.keyboard.press("Tab")
        # A date's own parts take the focus inside it, where :focus does not reach.
        width, name = page.evaluate(
            """() => { const it = document.activeElement;
                return [getComputedStyle(it).outlineWidth, it.name || it.innerText || it.tagName]; }"""
        )
        assert width == "2px", name
        names.append(name.strip().split("\n")[0])
        if name == "JSON":
            break
    wanted = ["from", "to", "difficulty", "exposure", "cutoff_before", "sort", "Apply", "Cost", "Rank", "CSV", "JSON"]
    places = [names.index(each) for each in wanted]
    assert places == sorted(places)


def test_the_address_is_copied(page: Page, site: tuple[str, str]) -> None:
    base, _token = site
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=base)
    page.goto(f"{base}/en/?difficulty=hard")
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator("#live")).to_have_text("Link copied")
    assert page.evaluate("navigator.clipboard.readText()") == f"{base}/en/?difficulty=hard"


def test_pages_look_right_on_paper(page: Page, site: tuple[str, str], tmp_path: Path) -> None:
    base, _token = site
    page.goto(f"{base}/zh/?ref=model-0:high")
    page.emulate_media(media="print")
    assert not page.locator(".controls").is_visible()
    assert page.locator("table.board").first.is_visible()
    colours = "each => { const style = getComputedStyle(each); return [style.color, style.backgroundColor]; }"
    for chosen in page.locator(".tabs [aria-current]").all():
        text, ground = chosen.evaluate(colours)
        assert text != ground, "what is chosen can be read"
    page.set_viewport_size({"width": 1047, "height": 700})  # a sheet on its side, as a browser lays it out
    right = page.locator("table.board").first.evaluate("each => each.getBoundingClientRect().right")
    assert right <= page.evaluate("innerWidth"), "every column is on the sheet"
    assert b"/MediaBox [0 0 842" in page.pdf(format="A4")
    page.goto(f"{base}/en/samples/3")
    style = "each => { const style = getComputedStyle(each); return [style.maxHeight, style.overflowY]; }"
    assert page.locator(".code").first.evaluate(style) == ["none", "visible"], (
        "no line of a program stays behind a scroll bar"
    )
    fonts = page.evaluate("[...document.fonts].map((each) => each.family)")
    assert fonts, "the designed fonts are ours"


def test_no_other_host_is_reached(chromium: Browser) -> None:
    """In a context of its own, since the `page` fixture fails a test that so much as asks."""
    with FakeSite({"/": Reply(b"<p>", headers={"Content-Type": "text/html; charset=utf-8"})}) as site:
        page = chromium.new_page()
        page.goto(site.url + "/")
        ask = "url => fetch(url, {mode: 'no-cors'}).then(() => 'answered', () => 'refused')"
        assert page.evaluate(ask, "http://tidemark.example/") == "refused"
        assert page.evaluate(ask, site.url + "/again") == "answered"
        page.close()
