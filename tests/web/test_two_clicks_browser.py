"""What needs a browser is at most two clicks from the first page, too: choices, the theme, and paper.

test_tideline.py sets a window by mouse, by touch and by keys, which takes no click at all.
"""

from collections.abc import Iterator

import pytest
from factories import World, web_app
from playwright.sync_api import Page, expect
from served import served
from sqlalchemy import update
from support.charted_league import fill_league
from support.servers import Servers

from app.db.kernel.session import make_engine, make_sessionmaker
from app.db.tables import Model

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def site(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a served site with a league that has prices, weights and rows without a rank."""
    with servers.database() as url:
        engine = make_engine(url)
        sessions = make_sessionmaker(engine)
        with sessions.begin() as session:
            world = World(session)
            fill_league(world)
            for slug, is_open in (("swift", False), ("knot", True)):
                session.execute(update(Model).where(Model.slug == slug).values(open_weights=is_open))
            world.count()
        with served(web_app(sessions, tmp_path_factory.mktemp("site"))) as base:
            yield base
        engine.dispose()


def test_why_a_row_has_no_rank(page: Page, site: str) -> None:
    page.goto(f"{site}/en/?from=")
    fold = page.locator("details.unranked > summary")
    expect(fold).to_contain_text("may have seen problems")
    fold.click()
    row = page.locator("details.unranked tr.row").first
    row.locator(".opener").click()
    expect(page.locator("details.unranked tr.detail").first.locator(".because")).to_contain_text("seen")


def test_open_weights_only(page: Page, site: str) -> None:
    page.goto(f"{site}/en/")
    page.locator(".drawer > summary").click()
    page.get_by_role("checkbox", name="open").click()
    page.wait_for_url("**weights=open*")
    expect(page.locator("table.board tr.row")).to_have_count(1)
    expect(page.locator("table.board tr.row")).to_contain_text("knot", ignore_case=True)


def test_three_rows_compared(page: Page, site: str) -> None:
    page.goto(f"{site}/en/")
    page.locator(".site-nav").get_by_role("link", name="Compare").click()
    page.get_by_role("link", name="Compare the first three").click()
    expect(page.locator("td.letter")).to_have_text(["A", "B", "C"])


def test_which_problems_separate_two_rows(page: Page, site: str) -> None:
    page.goto(f"{site}/en/")
    for place in (1, 0):
        row = page.locator("tr.row").nth(place)
        row.locator(".opener").click()
        page.locator("tr.detail").nth(place).get_by_role("link", name="Where it differs from").click()
        expect(page.locator("td.letter")).to_have_text(["A", "B"])
        expect(page.get_by_role("link", name="they differ")).to_be_visible()
        page.go_back()


def test_the_cheapest_model_of_the_top_tier(page: Page, site: str) -> None:
    page.goto(f"{site}/en/?from=")
    page.get_by_role("link", name="Cost", exact=True).click()
    expect(page.locator("#main")).to_contain_text("Cheapest in the top tier: Heron (high), $0.03 a problem.")


def test_how_a_number_is_made(page: Page, site: str) -> None:
    page.goto(f"{site}/en/")
    page.locator("th[data-sort=score]").first.hover()
    page.locator(".meaning:popover-open a").click()
    page.wait_for_url("**/method#*")
    expect(page.locator("details:has(:target)")).to_have_attribute("open", "")


def test_the_dark_theme(page: Page, site: str) -> None:
    page.goto(f"{site}/en/")
    light = page.evaluate("getComputedStyle(document.body).color")
    page.locator(".tools .menu > summary").click()
    page.get_by_role("button", name="Dark").click()
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    assert page.evaluate("getComputedStyle(document.body).color") != light
    page.goto(f"{site}/en/models")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark", "it stays"
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light", "paper is white"
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    page.evaluate("localStorage.clear()")


def test_paper_keeps_the_marks_that_are_told_apart_by_their_ground(page: Page, site: str) -> None:
    page.goto(f"{site}/en/?from=")
    page.emulate_media(media="print")
    marks = page.locator(".g, .chip, .square, .tabs [aria-current], .segments [aria-current]")
    assert marks.count()
    kept = marks.evaluate_all("all => all.map((each) => getComputedStyle(each).printColorAdjust)")
    assert set(kept) == {"exact"}
