"""Pages in a real Chromium: accessible, within their budget, asking nobody else, and whole without scripts."""

import json
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from factories import World, web_app
from playwright.sync_api import Browser, Page, expect
from served import served
from support.browser import AXE
from support.servers import Servers

from app.db.kernel.session import make_engine, make_sessionmaker
from app.db.tables import Contest, Obligation, TestRow
from app.domain.asking.protocols import LCB
from app.domain.boards.board import BoardQuery
from app.domain.judging.verdicts import Verdict
from app.domain.states import ContestState, ProblemState, RunOrigin
from app.services.boards import snapshots
from app.services.boards.reading import CubeStore
from app.services.operations.access import issue_login_link

pytestmark = pytest.mark.browser

MOST_BYTES, MOST_REQUESTS = 100_000, 8
VERDICTS = (Verdict.ACCEPTED, Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.TIME_LIMIT, Verdict.NO_ANSWER)


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


def fill(world: World) -> None:
    """Rows of every kind: ranked, exposed, provisional, imported; a held problem; workers."""
    problems = [
        world.problem(f"p{n}", day=date(2026, 2, 2) + timedelta(weeks=n), contest=f"c{n // 2}", level=1 + n % 3)
        for n in range(24)
    ]
    cutoffs = (date(2026, 1, 1), date(2026, 1, 10), date(2026, 4, 1), None)
    for number, cutoff in enumerate(cutoffs):
        run = world.run(f"model-{number}", cutoff_on=cutoff, demo=True, configuration={"effort": "high"})
        for n, problem in enumerate(problems[: 20 if number == 3 else 24]):
            world.answer(run, problem, VERDICTS[(n * (number + 1)) % 5])
    anchor = world.run("anchor", protocol=LCB, origin=RunOrigin.IMPORTED, provenance={"file": "board.json"})
    for n in range(10):
        world.imported(anchor, world.catalogued(f"abc{n}", day=date(2025, 1, 1 + n), source="atcoder"), 10, n)
    late = Contest(
        source_id=world.source("atcoder").id, external_id="late1", title="Late 1", state=ContestState.ENDED,
        starts_at=world.now - timedelta(hours=8), ends_at=world.now - timedelta(hours=6),
    )  # fmt: skip
    world.session.add(late)
    world.session.flush()
    moment = world.now - timedelta(hours=1)
    world.session.add(Obligation(contest_id=late.id, purpose="problems", due_at=moment, late_at=moment))
    world.problem("held1", source="atcoder", state=ProblemState.HELD, hold_reason="no statement")
    wide = TestRow(
        test_set_id=problems[0].current_test_set_id, ordinal=900, input="9 " * 400, expected="1", visible=False
    )
    world.session.add(wide)
    world.workers()
    world.count()


PATHS = ("/", "/?exposure=split&ref=model-0:high&from=2026-03-01", "/?protocol=lcb", "/?to=2020-01-01",
         "/models/model-2", "/problems/house/p1", "/samples/3", "/status", "/docs/api", "/nothing", "/ops",
         "/changes", "/snapshots", "/ratings", "/holistic", "/sampling", "/contamination",
         "/?columns=usage&ref=model-0:high")  # fmt: skip
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"},
    "zoom": {"viewport": {"width": 640, "height": 450}, "color_scheme": "light"},
    "forced": {"viewport": {"width": 1280, "height": 900}, "forced_colors": "active"},
}


# The whole set of pages in one look, half of it in another and language, a few of them in the others.
SEEN = [
    ("en", "light", PATHS),
    ("zh", "phone", PATHS[::2]),
    pytest.param("zh", "phone", PATHS[1::2], marks=pytest.mark.slow),
] + [
    (locale, look, PATHS[start:7:3])
    for start, (locale, look) in enumerate(
        [("en", "dark"), ("en", "phone"), ("zh", "light"), ("en", "zoom"), ("en", "forced")]
    )
]


@pytest.mark.parametrize(("locale", "look", "paths"), SEEN, ids=lambda value: value if isinstance(value, str) else "")
def test_no_accessibility_violation_and_nothing_outside_the_policy(
    chromium: Browser, site: tuple[str, str], locale: str, look: str, paths: tuple[str, ...]
) -> None:
    base, _token = site
    context = chromium.new_context(**LOOKS[look], bypass_csp=False)
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    for path in paths:
        said.clear()
        answer = page.goto(f"{base}/{locale}{path}")
        assert answer is not None
        # A failed page's status is noted on the console; anything else there is a violation.
        assert [line for line in said if "Failed to load resource" not in line] == [], path
        wide = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        assert wide[0] <= wide[1], (path, wide)
        found = Axe().run(page, options=AXE)
        assert found.violations_count == 0, f"{path}: {found.generate_report()}"
    context.close()


def test_a_frozen_board_is_accessible_and_needs_no_scripts(chromium: Browser, site: tuple[str, str]) -> None:
    base, _token = site
    for locale, look in (("en", "dark"), ("zh", "phone")):
        context = chromium.new_context(**LOOKS[look])
        page = context.new_page()
        page.goto(f"{base}/{locale}/snapshots")
        page.locator("tbody th a").first.click()
        check_fits(page)
        found = Axe().run(page, options=AXE)
        assert found.violations_count == 0, found.generate_report()
        bare = chromium.new_context(java_script_enabled=False).new_page()
        bare.goto(page.url)
        expect(bare.locator("tbody tr")).to_have_count(4)
        expect(bare.locator("pre").nth(1)).to_contain_text("@misc{tidemark-")
        context.close()


def test_maintainers_pages_are_accessible_and_work_without_scripts(chromium: Browser, site: tuple[str, str]) -> None:
    base, token = site
    context = chromium.new_context()
    page = context.new_page()
    page.goto(f"{base}/en/login?token={token}")
    found = Axe().run(page, options=AXE)
    assert found.violations_count == 0, found.generate_report()
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
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(f"{base}/en{path}")
        found = Axe().run(page, options=AXE)
        assert found.violations_count == 0, found.generate_report()
        check_fits(page)
        page.set_viewport_size({"width": 390, "height": 844})
        check_fits(page)
    assert page.url.endswith("/ops/machinery")
    bare = chromium.new_context(java_script_enabled=False, storage_state=context.storage_state()).new_page()
    bare.goto(f"{base}/en/ops")
    row = bare.get_by_role("row", name="atcoder/late1")
    expect(row).to_contain_text("late")
    row.get_by_role("checkbox").check()
    bare.get_by_role("button", name="Close").click()
    expect(bare.get_by_text("processed")).to_have_count(0)  # the browser asks for a reason first
    form = bare.locator("form", has=bare.get_by_role("button", name="Close"))
    form.get_by_label("Reason").fill("it was cancelled")
    form.get_by_role("button", name="Close").click()
    expect(bare.get_by_text("1 item processed.")).to_be_visible()
    expect(bare.get_by_role("row", name="atcoder/late1")).to_contain_text("it was cancelled")
    bare.goto(f"{base}/en/ops/quarantine")
    bare.get_by_role("row", name="atcoder/held1").get_by_role("checkbox").check()
    bare.get_by_label("Reason").fill("a duplicate")
    bare.get_by_role("button", name="Withdraw").click()
    expect(bare.get_by_text("1 item processed.")).to_be_visible()
    bare.context.close()
    for word in ("ready", "grade@test/0"):  # in one piece
        assert page.get_by_text(word, exact=True).first.evaluate("each => each.getClientRects().length") == 1
    context.close()


def check_fits(page: Page) -> None:
    """Every table of facts shows whole, without scrolling sideways."""
    for box in page.locator(".scroll").all():
        assert box.evaluate("each => each.scrollWidth <= each.clientWidth"), page.url


def test_a_phone_shows_every_fact_without_scrolling_sideways(chromium: Browser, site: tuple[str, str]) -> None:
    base, _token = site
    context = chromium.new_context(**LOOKS["phone"])
    page = context.new_page()
    for path in ("/problems/house/p1", "/models/model-2", "/models/anchor", "/status", "/samples/3"):
        page.goto(f"{base}/en{path}")
        check_fits(page)
        # A cell is as high as its label, so that none lies on the next line.
        labels = page.locator(".stack td[data-label]")
        assert labels.evaluate_all(
            "cells => cells.every(cell => cell.clientHeight >= parseFloat(getComputedStyle(cell, '::before').height))"
        ), path
    for label in ("Max CPU time", "Max memory", "Limit mode"):
        expect(page.locator(f'td[data-label="{label}"]').first).to_be_in_viewport()
    context.close()


def test_the_first_view_is_within_its_budget(chromium: Browser, site: tuple[str, str]) -> None:
    base, _token = site
    context = chromium.new_context()
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(f"{base}/en/", wait_until="networkidle")
    assert 0 < sum(sizes) <= MOST_BYTES
    assert len(sizes) <= MOST_REQUESTS
    shift = page.evaluate(
        """() => new Promise((done) => { let sum = 0;
            new PerformanceObserver((list) => { for (const each of list.getEntries()) sum += each.value; })
                .observe({ type: "layout-shift", buffered: true });
            setTimeout(() => done(sum), 200); })"""
    )
    assert shift <= 0.03
    context.close()


def test_every_control_works_without_scripts(chromium: Browser, site: tuple[str, str]) -> None:
    base, _token = site
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{base}/en/")
    assert page.locator("table.board tr.row").count() == 4
    page.get_by_label("From", exact=True).fill("2026-05-01")
    page.get_by_label("hard").check()
    page.get_by_label("Models that may have seen problems").last.select_option("hide")
    page.get_by_role("button", name="Apply").click()
    assert "from=2026-05-01" in page.url
    assert "difficulty=hard" in page.url
    assert "exposure=hide" in page.url
    page.get_by_role("link", name="last 6 months").click()
    assert "from=2026-05-21" in page.url
    page.locator("td.c-score a").first.click()
    assert page.locator("a.chip").count() > 0
    page.locator("a.chip").first.click()
    expect(page.get_by_role("heading", name="Verdict")).to_be_visible()
    context.close()


def test_a_change_is_shown_in_place_and_in_the_address(page: Page, site: tuple[str, str]) -> None:
    base, _token = site
    page.goto(f"{base}/en/")
    page.evaluate("window.kept = true")
    page.get_by_label("easy").check()
    page.wait_for_url("**/en/?difficulty=easy&exposure=unrank&prospective=any")
    expect(page.get_by_label("easy")).to_be_checked()
    expect(page.get_by_label("easy")).to_be_focused()
    expect(page.locator("#live")).to_contain_text("8 problems")
    assert page.evaluate("window.kept")  # the page was not loaded anew
    page.go_back()
    expect(page.get_by_label("easy")).not_to_be_checked()


def test_the_tideline_is_dragged_to_a_window(page: Page, site: tuple[str, str]) -> None:
    base, _token = site
    page.goto(f"{base}/en/")
    box = page.locator(".tideline svg").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 0.25, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.75, box["y"] + 40, steps=5)
    page.mouse.up()
    page.wait_for_url("**from=2026-**")
    start = date.fromisoformat(page.get_by_label("From", exact=True).input_value())
    end = date.fromisoformat(page.get_by_label("Before", exact=True).input_value())
    assert date(2026, 3, 25) < start < date(2026, 5, 5)
    assert date(2026, 8, 15) < end < date(2026, 9, 25)
    expect(page.locator(".tideline g.out")).not_to_have_count(0)


def test_the_keyboard_reaches_everything_in_order(page: Page, site: tuple[str, str]) -> None:
    base, _token = site
    page.goto(f"{base}/en/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    expect(page.get_by_role("link", name="Skip to content")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    expect(page.locator("#live")).to_be_empty()  # a jump inside the page asks for nothing
    names = []
    for _ in range(60):
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
    wanted = ["House league", "from", "to", "difficulty", "exposure", "cutoff_before", "Apply", "CSV", "JSON"]
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
    assert page.locator("table.board").is_visible()
    assert json.loads(page.evaluate("JSON.stringify([...document.fonts].length)")) == 0  # system fonts only
