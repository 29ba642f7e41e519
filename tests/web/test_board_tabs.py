"""Charts of a board: score against cost, score by month, and every answer to the newest problems."""

import re
from collections.abc import Iterator

import pytest
from factories import World, web_app
from playwright.sync_api import Page, expect
from served import served
from support.browser import check_accessible
from support.charted_league import fill_league
from support.servers import Servers

from app.db.kernel.session import make_engine, make_sessionmaker

pytestmark = pytest.mark.browser

LOOKS = [("en", 1280, "light", "none"), ("zh", 390, "dark", "none"), ("en", 1280, "light", "active")]


@pytest.fixture(scope="module")
def site(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a served league."""
    with servers.database() as url:
        engine = make_engine(url)
        sessions = make_sessionmaker(engine)
        with sessions.begin() as session:
            fill_league(World(session))
        with served(web_app(sessions, tmp_path_factory.mktemp("site"))) as base:
            yield base
        engine.dispose()


@pytest.mark.parametrize(("locale", "width", "scheme", "forced"), LOOKS)
def test_tabs_are_accessible_and_fit(page: Page, site: str, locale: str, width: int, scheme: str, forced: str) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme=scheme, forced_colors=forced)  # type: ignore[arg-type]
    for tab in ("", "cost", "trend", "grid"):
        answer = page.goto(f"{site}/{locale}/?from=&tab={tab}")
        assert answer is not None
        assert answer.status == 200
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        smallest = page.evaluate(
            """() => Math.min(99, ...[...document.querySelectorAll(".plot text, .answer-grid *, .keys *")]
                .filter(each => each.textContent.trim()).map(each => parseFloat(getComputedStyle(each).fontSize)))"""
        )
        assert smallest >= 13
        check_accessible(page)


@pytest.mark.parametrize("width", [1280, 390])
def test_names_in_a_plot_overlap_nothing(page: Page, site: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    for tab in ("cost", ""):
        page.goto(f"{site}/en/?from=&tab={tab}")
        labels, marks, plot = page.evaluate(
            """() => {
                const box = each => { const {left, top, right, bottom} = each.getBoundingClientRect(); return [left, top, right, bottom]; };
                const shown = [...document.querySelectorAll(".cost-plot .labels text")].filter(each => each.getClientRects().length);
                return [shown.map(box), [...document.querySelectorAll(".cost-plot .mark")].map(box), box(document.querySelector(".cost-plot"))];
            }"""  # noqa: E501
        )
        assert len(labels) >= 3
        for place, one in enumerate(labels):
            assert one[0] >= plot[0]
            assert one[2] <= plot[2]
            for other in [*labels[place + 1 :], *marks]:
                assert not (one[0] < other[2] and other[0] < one[2] and one[1] + 3 < other[3] and other[1] < one[3] - 3)


def test_a_dot_leads_to_its_row_and_the_axis_can_be_changed(page: Page, site: str) -> None:
    page.goto(f"{site}/en/?from=&difficulty=hard")
    page.get_by_role("link", name="Score against cost").click()
    page.wait_for_url("**tab=cost**")
    assert page.locator(".plot a.dot").count() == 4
    expect(page.get_by_text("1 row without a known amount or score is not drawn.")).to_be_visible()
    frontier = page.locator(".plot a.best")
    names = [(each.get_attribute("aria-label") or "").split(":")[0] for each in frontier.all()]
    assert names == ["Swift", "Heron (high)"] or set(names) == {"Swift", "Heron (high)"}, "cheapest and best"
    assert page.locator(".plot a.unranked").count() == 1, "the exposed row is on no frontier"
    page.get_by_role("link", name="Tokens").click()
    page.wait_for_url("**axis=tokens**")
    assert page.locator(".plot a.dot").count() == 5
    page.get_by_role("link", name="Cost", exact=True).click()
    page.locator("summary", has_text="The same as a table").click()
    expect(page.locator(".chart details tbody tr")).to_have_count(4)
    page.locator(".plot a.dot").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"difficulty=hard#row-"))
    assert "tab=" not in page.url
    row = page.locator(f"[id='{page.url.partition('#')[2]}']")
    expect(row).to_be_in_viewport()


def test_an_unknown_axis_is_refused(page: Page, site: str) -> None:
    answer = page.request.get(f"{site}/en/?tab=cost&axis=weight")
    assert answer.status == 422
    assert "Unknown axis" in answer.text()


def test_a_row_has_its_months_its_cutoff_and_the_window(page: Page, site: str) -> None:
    page.goto(f"{site}/en/?from=2026-02-01&to=2026-05-01&tab=trend")
    charts = page.locator(".trends figure")
    assert charts.count() == 5
    tern = charts.filter(has_text="Tern")
    expect(tern).to_contain_text("cutoff 2026-04-10")
    assert tern.locator("line.cutoff").count() == 1
    assert tern.locator("circle.seen").count() == 5, "December to April, whatever the window"
    assert tern.locator("circle").count() == 11
    assert tern.locator("rect.band").count() == 1
    assert charts.filter(has_text="Knot").locator("line.cutoff").count() == 0, "it lies before the first month"
    page.locator("summary", has_text="The same as a table").click()
    rows = page.locator(".chart details tbody tr")
    expect(rows).to_have_count(11)
    month = rows.first.locator("td").first.inner_text()
    board = page.request.get(f"{site}/api/v1/boards/codegen", params={"from": "2025-12-01", "to": "2026-01-01"}).json()
    heads = page.locator(".chart details thead th").all_inner_texts()
    name = heads[1]
    [score] = [
        row["score"]
        for row in board["rows"]
        if name == row["model"].capitalize() + (f" ({row['configuration']})" if row["configuration"] else "")
    ]
    assert month.startswith(f"{score:.1f} [")
    page.goto(f"{site}/en/?from=2026-01-01&model=tern&tab=trend")
    expect(page.locator(".trends figure")).to_have_count(1)


def test_rows_of_the_trend_are_chosen_in_a_form(page: Page, site: str) -> None:
    page.goto(f"{site}/en/?from=2026-02-01&tab=trend")
    page.locator("summary", has_text="Choose up to six rows").click()
    page.locator(".chooser input").evaluate_all("boxes => boxes.forEach((box) => { box.checked = false; })")
    page.locator(".chooser label", has_text="Tern").first.click()
    page.locator(".chooser label", has_text="Knot").first.click()
    page.locator(".chooser button").click()
    expect(page.locator(".trends figure")).to_have_count(2)
    assert "from=2026-02-01" in page.url
    assert page.url.endswith("&m=knot&m=tern")
    assert page.locator(".notice", has_text="This page ignores").count() == 0, "every parameter is known"
    page.locator("nav.presets a").first.click()
    expect(page.locator(".trends figure")).to_have_count(2)


def test_a_cell_leads_to_its_answer(page: Page, site: str) -> None:
    page.goto(f"{site}/en/?from=&tab=grid")
    grid = page.locator(".answer-grid")
    assert grid.locator("thead tr").nth(1).locator("th").count() == 40
    assert grid.locator("tbody tr").count() == 5
    assert grid.locator(".opens").count() == 20 * 6, "a rule before each of twenty contests, in the head and each row"
    expect(grid.locator("thead tr").nth(1).locator("th a").first).to_have_text("Problem c23-0")
    row = grid.locator("tbody tr", has_text="Heron (high)")
    for kind, verdict in (("accepted", "accepted"), ("wrong", "wrong answer"), ("failed", None)):
        page.goto(f"{site}/en/?from=&tab=grid")
        cells = (row if kind == "accepted" else grid).locator(f"a.g.{kind}")
        words = cells.first.get_attribute("aria-label")
        assert words
        assert verdict in (None, words)
        cells.first.click()
        page.wait_for_url("**/samples/*")
        expect(page.get_by_role("main")).to_contain_text(words)
    page.goto(f"{site}/en/?from=&tab=grid")
    seen = grid.locator("tbody tr", has_text="Tern").locator("a.seen")
    assert seen.count() == sum(1 for contest in range(4, 24) if contest <= 9) * 2
    page.locator(".answer-grid thead tr").nth(1).locator("a").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Problem c23-0")


def test_small_charts_stand_below_the_table(page: Page, site: str) -> None:
    page.goto(f"{site}/en/?from=")
    table = page.locator("table.board").first.bounding_box()
    below = [page.locator(".below figure").nth(place).bounding_box() for place in (0, 1)]
    assert table is not None
    assert below[0] is not None
    assert below[1] is not None
    assert below[0]["y"] >= table["y"] + table["height"]
    assert below[0]["y"] == below[1]["y"], "side by side"
    page.get_by_role("link", name="The newest problems, answer by answer").click()
    page.wait_for_url("**tab=grid**")
