"""Models, problems, answers and comparisons in a real Chromium: short, legible, linked, and usable by keys alone."""

import html
import re
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import product

import pytest
from factories import World, web_app
from playwright.sync_api import Page, expect
from served import served
from support.browser import check_accessible, without_scripts
from support.servers import Servers

from app.db.kernel.session import make_engine, make_sessionmaker
from app.domain.judging.verdicts import Verdict
from app.domain.scenarios import shipped_protocols
from app.domain.states import RunOrigin

pytestmark = pytest.mark.browser

MAX_HEIGHT, MAX_LIST_HEIGHT = 3000, 6000
SIX = "&".join(f"m=model-{n}" for n in range(6))
PAGES = (
    "/models/model-0", "/models/model-0?protocol=house&configuration=", "/problems/house/p1", "/samples/1",
    "/compare", "/compare?m=model-0&m=model-1", f"/compare?{SIX}", "/search?q=problem", "/sampling",
)  # fmt: skip
LISTS = ("/models", "/problems", "/problems?topic=graphs&sort=solved")
LOOKS = {
    "light": (1280, 800, "light"),
    "dark": (1280, 800, "dark"),
    "phone": (390, 844, "light"),
    "night": (390, 844, "dark"),
}
# Each page once, so that each language, theme and width shows pages of several kinds.
SEEN = {
    ("en", "light"): ("/models/model-0", "/compare?m=model-0&m=model-1", "/search?q=problem"),
    ("zh", "dark"): ("/problems/house/p1", f"/compare?{SIX}", "/models"),
    ("en", "phone"): ("/samples/1", "/problems?topic=graphs&sort=solved", "/compare"),
    ("zh", "night"): ("/models/model-0?protocol=house&configuration=", "/compare?m=model-0&m=model-1"),
}
SMALL_TEXT = """() => {
    const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || !parent.getClientRects().length) continue;
        const size = parseFloat(getComputedStyle(parent).fontSize);
        if (size < 13) found.push(`${walker.currentNode.data.trim().slice(0, 30)}: ${size}px`);
    }
    return found;
}"""
# Links inside a sentence may be as high as its line.
LOW_TARGETS = """() => [...document.querySelectorAll("main :is(a, button, summary, select, input:not([tabindex]))")]
    .filter(each => !each.closest("p, .log, .statement-text, dd > small"))
    .map(each => [each, each.getBoundingClientRect()])
    .filter(([, box]) => box.width > 0 && box.height < 23.9)
    .map(([each, box]) => `${each.outerHTML.slice(0, 80)}: ${box.height}`)"""


@pytest.fixture(scope="module")
def site(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A served site with a crowded league: eight models, sixty problems, and all protocols of the first model."""
    with servers.database() as url:
        engine = make_engine(url)
        sessions = make_sessionmaker(engine)
        with sessions.begin() as session:
            crowd(World(session))
        with served(web_app(sessions, tmp_path_factory.mktemp("site"))) as base:
            yield base
        engine.dispose()


def crowd(world: World) -> None:
    """Models that differ, one of them under every protocol and in several configurations and trials."""
    problems = [
        world.problem(
            f"p{n}", day=date(2026, 1, 5) + timedelta(days=5 * n), contest=f"c{n // 2}", level=1 + n % 3,
            title=f"Problem {n} of a rather long name that needs its room", topics=[("graphs", "sorting", "dp")[n % 2]],
            tags=["graph theory"],
        )
        for n in range(60)
    ]  # fmt: skip
    first = world.model("model-0", cutoff_on=date(2025, 6, 1), demo=True)
    models = [first, *(world.model(f"model-{n}", cutoff_on=date(2026, 1, 1), demo=True) for n in range(1, 8))]
    for number, model in enumerate(models):
        run = world.run(model)
        for n, problem in enumerate(problems):
            world.answer(run, problem, Verdict.WRONG_ANSWER if (n * (number + 3)) % 7 < 3 else Verdict.ACCEPTED)
    for slug, protocol in shipped_protocols().items():
        if slug != "house":
            world.answer(world.run(first, protocol=protocol), problems[0])
    for effort, trial in product(("low", "medium", "high"), (1, 2)):
        run = world.run(first, configuration={"effort": effort}, trial=trial)
        for problem in problems[:40]:
            world.answer(run, problem, Verdict.TIME_LIMIT)
    anchor = world.run("anchor", origin=RunOrigin.IMPORTED, provenance={"file": "board.json"})
    for problem in problems:
        world.imported(anchor, problem, 10, 4)
    world.count()


def look_with(page: Page, look: str) -> None:
    """The same page to other eyes."""
    width, height, scheme = LOOKS[look]
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]


@pytest.mark.parametrize("path", [*PAGES, *LISTS])
def test_a_page_is_short_legible_and_fits(page: Page, site: str, path: str) -> None:
    look_with(page, "light")
    answer = page.goto(f"{site}/en{path}")
    assert answer is not None
    assert answer.status == 200
    height = page.evaluate("document.documentElement.scrollHeight")
    assert height <= (MAX_LIST_HEIGHT if path in LISTS else MAX_HEIGHT), height
    expect(page.get_by_text("This page ignores")).to_have_count(0)
    assert page.evaluate(SMALL_TEXT) == []
    assert page.evaluate(LOW_TARGETS) == []
    page.set_viewport_size({"width": 390, "height": 844})
    wide = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide[0] <= wide[1], wide
    assert page.evaluate(SMALL_TEXT) == []


@pytest.mark.parametrize(("locale", "look"), SEEN)
def test_no_accessibility_violation(page: Page, site: str, locale: str, look: str) -> None:
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type in {"error", "warning"} else None)
    look_with(page, look)
    for path in SEEN[locale, look]:
        page.goto(f"{site}/{locale}{path}")
        assert said == [], path
        check_accessible(page)


def test_every_link_of_these_pages_over_all_protocols_answers(page: Page, site: str) -> None:
    under: list[str] = []
    for path in ("/models/model-0", "/problems/house/p0"):
        page.goto(f"{site}/en{path}")
        under += page.locator("main .menu a").evaluate_all("links => links.map(each => each.getAttribute('href'))")
    assert len(under) > 50
    links: set[str] = set()
    for path in (*under, *(f"/en{path}" for path in (*PAGES, *LISTS))):
        answer = page.request.get(f"{site}{path}")
        assert answer.status == 200, path
        links |= {html.unescape(link) for link in re.findall(r'<a [^>]*?href="(/[^"]*)"', answer.text())}
    links = {link.partition("#")[0] for link in links if not link.startswith(("/zh/", "/en/trust"))}
    # Answers and problems are alike: some of them are enough.
    alike = sorted(link for link in links if link.startswith(("/en/samples/", "/en/problems/house/")))
    asked = links.difference(alike) | set(alike[::25])
    assert len(asked) > 150
    wrong = {link: status for link in sorted(asked) if (status := page.request.get(f"{site}{link}").status) != 200}
    assert wrong == {}


def test_another_protocol_is_chosen_by_keys_alone(page: Page, site: str) -> None:
    page.goto(f"{site}/en/models/model-0")
    page.locator("main .menu summary").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("main .menu").first).to_have_attribute("open", "")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**protocol=*")
    expect(page.locator("main .menu summary b").first).not_to_have_text("House league: Python, one answer")


def test_rows_are_chosen_for_a_comparison_by_keys_and_without_scripts(page: Page, site: str) -> None:
    with without_scripts(page):
        page.goto(f"{site}/en/compare")
        for place in range(3):
            page.locator(".picker input[type=checkbox]").nth(place).focus()
            page.keyboard.press("Space")
        page.keyboard.press("Enter")
        page.wait_for_url("**m=*")
        expect(page.locator("td.letter")).to_have_text(["A", "B", "C"])
        expect(page.locator(".outcomes").first.locator("tbody tr")).to_have_count(16)  # half of the board as it opens
        page.get_by_role("link", name="they differ").press("Enter")
        page.wait_for_url("**show=differ*")
        page.locator("select#c-more").select_option(index=1)
        page.get_by_role("button", name="Compare").press("Enter")
        expect(page.locator("td.letter")).to_have_count(4)
        page.locator(".remove").first.press("Enter")
        expect(page.locator("td.letter")).to_have_count(3)


def test_a_list_is_sorted_and_searched_by_keys(page: Page, site: str) -> None:
    page.goto(f"{site}/en/problems")
    page.get_by_role("link", name="Pass rate").press("Enter")
    expect(page.locator("th[aria-sort=descending]")).to_have_text("Pass rate")
    page.get_by_role("link", name="Pass rate").press("Enter")
    expect(page.locator("th[aria-sort=ascending]")).to_have_text("Pass rate")
    page.locator("header input[type=search]").fill("graph")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="graphs", exact=True).press("Enter")
    expect(page.locator("select#topic")).to_have_value("graphs")


def test_a_cell_leads_to_its_answer_and_back_to_problem_and_model(page: Page, site: str) -> None:
    page.goto(f"{site}/en/compare?m=model-1&m=model-2")
    page.locator("a.outcome").first.click()
    expect(page.locator("h1")).to_contain_text("Answer")
    page.locator("nav.tabs a").nth(2).click()
    expect(page.locator("#s-prompt")).to_be_in_viewport()
    page.locator(".named a[href*='/problems/']").click()
    expect(page.locator("ul.strip-marks .square")).to_have_count(9)
