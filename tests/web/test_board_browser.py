"""The board's page in a real Chromium: the answer first, sorted and opened in place, whole without scripts."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from factories import NOW, World, web_app
from playwright.sync_api import Page, expect
from served import served
from sqlalchemy import select
from support.browser import check_accessible, without_scripts
from support.servers import Servers

from app.db.kernel.session import SessionMaker, make_engine, make_sessionmaker
from app.db.tables import Problem
from app.domain.judging.verdicts import Verdict

pytestmark = pytest.mark.browser

SIZES = {"desk": (1280, 800), "phone": (390, 844)}
# What stands before the first ranked row: visible controls, and words outside hidden texts.
BEFORE = """() => {
    const row = document.querySelector("tr.row");
    const isBefore = (node) => Boolean(node.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING);
    const isShown = (each) => each.checkVisibility() && !each.closest(".skip, .hidden-text, script");
    const controls = [...document.querySelectorAll("a, button, input, select, summary")].filter(isShown);
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let words = 0;
    while (texts.nextNode() && isBefore(texts.currentNode)) {
        const { parentElement, textContent } = texts.currentNode;
        if (isShown(parentElement)) words += textContent.split(/\\s+/).filter(Boolean).length;
    }
    return { controls: controls.filter(isBefore).length, words, top: row.getBoundingClientRect().top };
}"""
ORDER = "() => [...document.querySelectorAll('table.board tr.row')].map((row) => row.id)"
PLACES = """() => [...document.querySelectorAll("tr.row")].filter((row) => !row.closest(".unranked"))
    .map((row) => row.getBoundingClientRect().top)"""
SMALL_TARGETS = """() => [...document.querySelectorAll("main :is(a, button, summary, input, select)")]
    .filter((each) => each.checkVisibility() && !each.closest(".hidden-text, form.controls, .tick, .tideline"))
    .map((each) => [each.textContent.trim().slice(0, 30) || each.name, each.getBoundingClientRect()])
    .filter(([, box]) => Math.min(box.height, box.width) < 23.99)
    .map(([text, box]) => [text, box.width, box.height])"""
SMALL_TEXTS = """() => [...document.querySelectorAll("main *")].filter((each) => each.checkVisibility()
    && [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim())
    && parseFloat(getComputedStyle(each).fontSize) < 13).map((each) => each.textContent.slice(0, 30))"""


@pytest.fixture(scope="module")
def site(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, SessionMaker]]:
    """A served site with twelve ranked rows over three months of contests, and two rows without a rank."""
    with servers.database() as url:
        engine = make_engine(url)
        sessions = make_sessionmaker(engine)
        with sessions.begin() as session:
            fill(World(session))
        with served(web_app(sessions, tmp_path_factory.mktemp("site"))) as base:
            yield base, sessions
        engine.dispose()


def fill(world: World) -> None:
    """Twelve rows of falling scores, two of which tie, one exposed row, and one that has hardly begun."""
    days = [NOW.date() - timedelta(days=3 * n) for n in range(24)]
    problems = [world.problem(f"p{n}", day=day, contest=f"c{n // 2}", level=1 + n % 3) for n, day in enumerate(days)]
    for number in range(12):
        model = world.model(f"model-{number}", organisation_name=("OpenAI", "Saltmarsh")[number % 2])
        run = world.run(model, cutoff_on=days[-1] - timedelta(days=number + 1), configuration={"effort": "high"})
        for n, problem in enumerate(problems):
            solved = n >= 2 * min(number, 10)
            world.answer(run, problem, Verdict.ACCEPTED if solved else Verdict.WRONG_ANSWER)
    exposed = world.run("exposed", cutoff_on=days[5])
    begun = world.run("begun", cutoff_on=days[-1] - timedelta(days=1))
    for problem in problems:
        world.answer(exposed, problem)
    world.answer(begun, problems[0])
    world.workers()
    world.count()


def open_board(page: Page, base: str, path: str = "/en/", size: str = "desk") -> None:
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{base}{path}")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("locale", ["en", "zh"])
def test_the_answer_comes_first(page: Page, site: tuple[str, SessionMaker], locale: str, size: str) -> None:
    open_board(page, site[0], f"/{locale}/", size)
    found: dict[str, Any] = page.evaluate(BEFORE)
    assert found["top"] <= 300
    assert found["controls"] <= 20
    assert found["words"] <= 90
    bottoms = page.evaluate("[...document.querySelectorAll('tr.row')].map((row) => row.getBoundingClientRect().bottom)")
    assert sum(bottom <= SIZES[size][1] for bottom in bottoms) >= 10
    heights = page.evaluate("[...document.querySelectorAll('.fit tr.row')].map((row) => row.offsetHeight)")
    assert set(heights[:12]) <= {40, 44}
    wide = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide[0] <= wide[1]


def test_few_tab_stops_come_before_the_first_row(page: Page, site: tuple[str, SessionMaker]) -> None:
    open_board(page, site[0])
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    stops, in_row = 0, False
    while not in_row and stops < 20:
        page.keyboard.press("Tab")
        width, in_row = page.evaluate(
            "[getComputedStyle(document.activeElement).outlineWidth, Boolean(document.activeElement.closest('tr.row'))]"
        )
        assert width == "2px"
        stops += not in_row
    assert stops <= 12


def test_a_column_is_sorted_by_keyboard(page: Page, site: tuple[str, SessionMaker]) -> None:
    open_board(page, site[0])
    page.evaluate("window.kept = true")
    rank = page.locator("th[data-sort=rank]").first
    expect(rank).to_have_attribute("aria-sort", "ascending")
    rank.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    hard = page.locator("th[data-sort=hard]").first
    expect(hard).to_be_focused()
    expect(page.locator(".meaning")).to_contain_text("hard, 8 problems")
    page.keyboard.press("Enter")
    expect(hard).to_have_attribute("aria-sort", "descending")
    expect(rank).to_have_attribute("aria-sort", "none")
    expect(page.locator("tr.tier")).to_have_count(0)
    assert "sort=hard&dir=desc" in page.url
    page.keyboard.press(" ")
    expect(hard).to_have_attribute("aria-sort", "ascending")
    rank.click()
    expect(page.locator("tr.tier")).not_to_have_count(0)
    assert "sort=" not in page.url
    assert page.evaluate("window.kept")


def test_rows_sort_in_the_browser_as_on_the_server(page: Page, site: tuple[str, SessionMaker]) -> None:
    base = site[0]
    open_board(page, base, "/en/?from=")
    names = page.locator("table.board").first.evaluate(
        "table => [...table.querySelectorAll('[data-sort]')].map((each) => each.dataset.sort)"
    )
    assert {"rank", "model", "score", "easy", "medium", "hard", "cutoff"} <= set(names)
    first = page.evaluate(ORDER)
    for name in names:
        for _ in range(2):
            page.locator(f"th[data-sort={name}]").first.click()
            here, query = page.evaluate(ORDER), urlsplit(page.url).query
            with without_scripts(page):
                open_board(page, base, f"/en/?{query}")
                assert page.evaluate(ORDER) == here, query
            open_board(page, base, f"/en/?{query}")
        page.evaluate("history.replaceState(null, '', '?from=')")
    page.locator("th[data-sort=score]").first.click()
    page.locator("th[data-sort=rank]").first.click()
    assert page.evaluate(ORDER) == first


def test_a_row_opens_in_place_and_is_picked_for_comparison(page: Page, site: tuple[str, SessionMaker]) -> None:
    open_board(page, site[0])
    row = page.locator("tr.row").nth(1)
    opener = row.locator(".opener")
    detail = page.locator("tr.detail").nth(1)
    expect(detail).to_be_hidden()
    opener.focus()
    page.keyboard.press("Enter")
    expect(detail).to_be_visible()
    expect(opener).to_have_attribute("aria-expanded", "true")
    for said in ("Rank 2", "Problems judged", "24", "Saltmarsh", "high"):
        expect(detail).to_contain_text(said)
    check_accessible(page)
    bar = page.locator(".compare-bar")
    expect(bar).to_be_hidden()
    detail.get_by_role("checkbox").check()
    expect(bar).to_be_visible()
    expect(bar.get_by_role("button", name="Compare")).to_be_disabled()
    page.locator("tr.row").nth(3).click(position={"x": 5, "y": 5})
    page.locator("tr.detail").nth(3).get_by_role("checkbox").check()
    expect(bar.get_by_role("button", name="Compare (2)")).to_be_enabled()
    pairs = page.evaluate("[...new FormData(document.getElementById('compare'))]")
    assert [value for name, value in pairs if name == "m"] == ["model-1:high", "model-3:high"]
    assert ["board", "codegen"] in pairs
    assert page.locator("#compare").get_attribute("action") == "/en/compare"
    page.keyboard.press("Escape")
    opener.click()
    expect(detail).to_be_hidden()


def test_rows_open_and_are_picked_without_scripts(page: Page, site: tuple[str, SessionMaker]) -> None:
    with without_scripts(page):
        open_board(page, site[0], size="phone")
        page.locator(".opener").nth(0).click()
        page.locator(".opener").nth(2).click()
        expect(page.locator("tr.detail").nth(0)).to_be_visible()
        expect(page.locator("tr.detail").nth(1)).to_be_hidden()
        for place in (0, 2):
            page.locator("tr.detail").nth(place).get_by_role("checkbox").check()
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        page.locator(".opener").nth(0).click()
        expect(page.locator("tr.detail").nth(0)).to_be_hidden()
        expect(page.locator("tr.detail").nth(2)).to_be_visible()
        page.locator("details.unranked > summary").click()
        expect(page.locator("details.unranked")).to_contain_text("may have seen")


def test_rows_without_a_rank_are_one_line_and_move_no_other(page: Page, site: tuple[str, SessionMaker]) -> None:
    base, sessions = site
    open_board(page, base)
    fold = page.locator("details.unranked > summary")
    expect(fold).to_have_text("2 rows without a rank: 1 may have seen problems, 1 under 95 % coverage")
    assert fold.bounding_box()["height"] <= 40  # type: ignore[index]  # it is shown
    before, height = page.evaluate(PLACES), page.evaluate("document.documentElement.scrollHeight")
    with sessions.begin() as session:
        world = World(session)
        problem = session.scalars(select(Problem).order_by(Problem.id)).first()
        assert problem is not None
        for number in range(20):
            world.answer(world.run(f"new-{number}", cutoff_on=NOW.date() - timedelta(days=200)), problem)
        world.count()
    open_board(page, base)
    expect(fold).to_contain_text("22 rows without a rank:")
    expect(fold).to_contain_text("21 under 95 % coverage")
    assert page.evaluate(PLACES) == before
    assert page.evaluate("document.documentElement.scrollHeight") <= height + 40
    fold.click()
    expect(page.locator("details.unranked tr.row")).to_have_count(22)
    check_accessible(page)


@pytest.mark.parametrize("size", SIZES)
def test_targets_are_large_enough_and_no_text_is_small(page: Page, site: tuple[str, SessionMaker], size: str) -> None:
    open_board(page, site[0], "/en/?from=&difficulty=easy&ref=model-0:high", size)
    page.locator(".opener").first.click()
    assert page.evaluate(SMALL_TARGETS) == []
    assert page.evaluate(SMALL_TEXTS) == []


def test_vendors_have_icons_from_this_site(page: Page, site: tuple[str, SessionMaker]) -> None:
    open_board(page, site[0])
    icon = page.locator("svg.vendor use").first
    assert icon.get_attribute("href") == "#vendor-openai"
    assert icon.evaluate("each => each.getBBox().width") > 0, "it is drawn under the site's policy"
    expect(page.locator("span.vendor").first).to_have_text("S")


def test_a_link_to_a_view_keeps_its_order_and_its_tab(page: Page, site: tuple[str, SessionMaker]) -> None:
    open_board(page, site[0], "/en/?sort=hard&dir=asc&from=")
    href = str(page.get_by_role("link", name="6 months").get_attribute("href"))
    assert {("sort", "hard"), ("dir", "asc")} <= set(parse_qsl(urlsplit(href).query))
    open_board(page, site[0], "/en/?tab=rating&ties=half")
    href = str(page.get_by_role("link", name="12 months").get_attribute("href"))
    assert {("tab", "rating"), ("ties", "half")} <= set(parse_qsl(urlsplit(href).query))
