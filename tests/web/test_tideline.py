"""The window of a board by pointer, finger and keys: a drawn band, a live count, and scores the server confirms."""

import json
import re
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from factories import World, web_app
from playwright.sync_api import Locator, Page, Route, expect
from served import served
from support.browser import without_scripts
from support.charted_league import fill_league
from support.servers import Servers

from app.db.kernel.session import make_engine, make_sessionmaker

pytestmark = pytest.mark.browser


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


def strip(page: Page) -> dict[str, float]:
    box = page.locator("[data-strip]").bounding_box()
    assert box is not None
    return {"left": box["x"], "width": box["width"], "middle": box["y"] + 15}


def drag(page: Page, start: float, end: float, *, release: bool = True) -> None:
    """With the mouse, between two shares of the strip."""
    at = strip(page)
    page.mouse.move(at["left"] + at["width"] * start, at["middle"])
    page.mouse.down()
    page.mouse.move(at["left"] + at["width"] * end, at["middle"], steps=6)
    if release:
        page.mouse.up()


def dates(page: Page) -> list[str]:
    return re.findall(r"\d{4}-\d\d-\d\d", page.locator("[data-dates]").inner_text())


def scores(page: Page) -> dict[int, list[str]]:
    """What the table shows: by run, the score and the score of each level."""
    return {
        int(row.get_attribute("data-run") or 0): row.locator("[data-score], [data-level]").all_text_contents()
        for row in page.locator("#results tr[data-run]").all()
    }


def answered(page: Page, base: str, **params: str) -> dict[str, Any]:
    body: dict[str, Any] = page.request.get(f"{base}/api/v1/boards/codegen", params={**params}).json()
    return body


def handle(page: Page, edge: str) -> Locator:
    return page.locator(f'input[data-edge="{edge}"]')


def test_the_first_drag_draws_a_window_and_the_scores_follow(page: Page, site: str) -> None:
    page.goto(f"{site}/en/?from=")
    assert page.locator("figure.tideline.whole").count() == 1
    expect(page.locator("[data-problems]")).to_have_text("48 problems")
    drag(page, 0.3, 0.7, release=False)
    assert page.locator("figure.tideline.whole").count() == 0
    box = page.locator(".tide-bars .band").bounding_box()
    assert box is not None
    assert abs(box["width"] / strip(page)["width"] - 0.4) < 0.02
    start, end = dates(page)
    board = answered(page, site, **{"from": start, "to": end})
    assert 0 < board["problems"] < 48
    expect(page.locator("[data-problems]")).to_have_text(f"{board['problems']} problems")
    expect(page.locator("#results.previewing")).to_have_count(1)
    expected = {row["score"] for row in board["rows"]}
    assert {float(shown[0]) for shown in scores(page).values()} == {round(score, 1) for score in expected}
    previewed = scores(page)
    page.mouse.up()
    page.wait_for_url(f"**from={start}&to={end}**")
    expect(page.locator("#results.previewing")).to_have_count(0)
    assert scores(page) == previewed
    assert page.evaluate("getSelection().toString()") == "", "no label is selected"
    expect(page.locator("figure.tideline")).to_have_attribute("data-from", start)


def test_a_band_is_moved_whole_and_by_its_ends(page: Page, site: str) -> None:
    page.goto(f"{site}/en/?from=2026-03-02&to=2026-06-01")
    length = date(2026, 6, 1) - date(2026, 3, 2)
    first, days = (page.locator("figure.tideline").get_attribute(name) for name in ("data-first", "data-days"))
    assert first is not None

    def share(day: date) -> float:
        return (day - date.fromisoformat(first)).days / float(days or 0)

    drag(page, share(date(2026, 4, 15)), share(date(2026, 5, 15)))
    page.wait_for_url("**from=2026-0**")
    expect(page.locator("figure.tideline")).not_to_have_attribute("data-from", "2026-03-02")
    start, end = map(date.fromisoformat, dates(page))
    assert end - start == length
    assert abs(start - date(2026, 4, 1)) <= timedelta(days=2)
    drag(page, share(end), share(end + timedelta(days=30)))
    expect(page.locator("figure.tideline")).not_to_have_attribute("data-to", end.isoformat())
    assert dates(page)[0] == start.isoformat()
    assert abs(date.fromisoformat(dates(page)[1]) - end - timedelta(days=30)) <= timedelta(days=2)


def test_escape_puts_the_window_and_the_scores_back(page: Page, site: str) -> None:
    page.goto(f"{site}/en/?from=")
    before, address = scores(page), page.url
    drag(page, 0.4, 0.6, release=False)
    expect(page.locator("#results.previewing")).to_have_count(1)
    assert scores(page) != before
    page.keyboard.press("Escape")
    page.mouse.up()
    assert scores(page) == before
    expect(page.locator("[data-problems]")).to_have_text("48 problems")
    assert page.locator("figure.tideline.whole").count() == 1
    assert page.url == address


def test_a_finger_drags_a_window(page: Page, site: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{site}/zh/?from=")
    at = strip(page)
    devtools = page.context.new_cdp_session(page)
    devtools.send("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def touch(kind: str, share: float) -> None:
        points = [] if kind == "touchEnd" else [{"x": at["left"] + at["width"] * share, "y": at["middle"]}]
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 0.25)
    for share in (0.3, 0.4, 0.5):
        touch("touchMove", share)
    touch("touchEnd", 0.5)
    devtools.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    devtools.detach()
    page.wait_for_url("**from=20**&to=20**")
    expect(page.locator("figure.tideline")).to_have_attribute("data-from", re.compile("^20"))
    start, end = dates(page)
    assert f"from={start}&to={end}" in page.url
    problems = answered(page, site, **{"from": start, "to": end})["problems"]
    expect(page.locator("[data-problems]")).to_have_text(f"{problems} 道题")


def test_keys_move_an_end_by_a_week_a_month_and_to_the_edge(page: Page, site: str) -> None:
    page.goto(f"{site}/en/?from=2026-03-02&to=2026-06-01")
    figure = page.locator("figure.tideline")
    handle(page, "from").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-dates]")).to_contain_text("2026-03-09")
    assert "since 2026-03-09" not in (handle(page, "from").get_attribute("aria-valuetext") or "")
    expect(handle(page, "from")).to_have_attribute("aria-valuetext", re.compile(r"^2026-03-09 until .*problems$"))
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("PageUp")
    expect(page.locator("[data-dates]")).to_contain_text("2026-04-02")  # what keys changed is drawn with the next frame
    expect(figure).to_have_attribute("data-from", "2026-04-02")  # the server has settled it
    expect(handle(page, "from")).to_be_focused()
    page.keyboard.press("Home")
    expect(figure).to_have_attribute("data-from", "")
    handle(page, "to").focus()
    page.keyboard.press("PageDown")
    expect(figure).to_have_attribute("data-to", "2026-05-01")
    page.keyboard.press("End")
    expect(figure).to_have_attribute("data-to", "")
    expect(page.locator("[data-dates]")).to_have_text("all dates")
    assert "from=" in page.url, "all dates are named, or the board would open elsewhere"


def test_a_board_too_large_for_a_browser_shows_no_preview(page: Page, site: str) -> None:
    def refuse(route: Route) -> None:
        route.fulfill(status=422, content_type="application/problem+json", body="{}")

    page.route("**/matrix*", refuse)
    page.goto(f"{site}/en/?from=")
    before = scores(page)
    drag(page, 0.4, 0.6, release=False)
    start, end = dates(page)
    problems = answered(page, site, **{"from": start, "to": end})["problems"]
    expect(page.locator("[data-problems]")).to_have_text(f"{problems} problems")
    assert scores(page) == before
    page.mouse.up()
    page.wait_for_url(f"**from={start}&to={end}**")
    page.unroute("**/matrix*")
    assert scores(page) != before


def test_without_scripts_there_are_no_handles(page: Page, site: str) -> None:
    with without_scripts(page):
        page.goto(f"{site}/en/?from=2026-03-02")
        for edge in ("from", "to"):
            assert not handle(page, edge).is_visible()
            assert not page.locator(f'[data-handle="{edge}"]').is_visible()
        expect(page.locator("[data-dates]")).to_have_text("since 2026-03-02")


_ASK = """([worker, address, windows]) => new Promise(done => {
    const it = new Worker(worker, {type: "module"}), found = [];
    let about = null;
    const ask = () => it.postMessage({turn: found.length, ...windows[found.length]});
    it.onmessage = ({data}) => {
        if (data.key !== undefined) { about = data; ask(); return; }
        found.push({problems: data.problems, scores: [...data.scores].map(each => Number.isNaN(each) ? null : each)});
        if (found.length < windows.length) ask(); else { it.terminate(); done({...about, found}); }
    };
    it.postMessage({key: "k", address});
})"""


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"exposure": "split"},
        {"exposure": "hide", "difficulty": "hard"},
        {"rules": "lcb"},
        {"rules": "lcb", "exposure": "split"},
    ],
)
def test_the_preview_agrees_with_the_server_in_every_window(page: Page, site: str, params: dict[str, str]) -> None:
    page.goto(f"{site}/en/?{urlencode({'from': '', **params})}")
    figure = page.locator("figure.tideline")
    edges = [None, *(date(2025, 12, 1) + timedelta(days=days) for days in (0, 1, 14, 43, 129, 200, 201))]
    windows = [(start, end) for start, end in product(edges, edges) if start is None or end is None or start < end]

    def number(day: date | None) -> int | None:
        return None if day is None else (day - date(1970, 1, 1)).days

    asked = [{"from": number(start), "to": number(end)} for start, end in windows]
    found = page.evaluate(_ASK, [figure.get_attribute("data-worker"), figure.get_attribute("data-matrix"), asked])
    assert json.dumps(found["levels"]) == '["easy", "hard"]' or params.get("difficulty") == "hard"
    width, rows = 1 + len(found["levels"]), 0
    for (start, end), previewed in zip(windows, found["found"], strict=True):
        window = {name: day.isoformat() for name, day in (("from", start), ("to", end)) if day is not None}
        board = answered(page, site, **window, **params)
        assert previewed["problems"] == board["problems"], window
        runs = {run: previewed["scores"][place * width :][:width] for place, run in enumerate(found["runs"])}
        for row in board["rows"]:
            rows += 1
            own = runs[row["run"]]
            assert own[0] == pytest.approx(row["score"], abs=0.05), (window, row["model"])
            for level, shown in row["by_difficulty"].items():
                if level in found["levels"]:
                    assert own[1 + found["levels"].index(level)] == pytest.approx(shown["score"], abs=0.05)
    assert rows > 60


def test_the_strip_is_low_and_its_labels_stand_below_their_lines(page: Page, site: str, tmp_path: Path) -> None:
    for width, most in ((1280, 56), (390, 44)):
        page.set_viewport_size({"width": width, "height": 844})
        page.goto(f"{site}/en/")
        box = page.locator("figure.tideline").bounding_box()
        assert box is not None
        assert box["height"] <= most
    page.set_viewport_size({"width": 1280, "height": 844})
    centres = page.evaluate(
        """() => [...document.querySelectorAll(".tide-axis text")].map(text => {
            const [label, line] = [text, text.previousElementSibling].map(each => each.getBoundingClientRect());
            const size = parseFloat(getComputedStyle(text).fontSize);
            return [label.left + label.width / 2 - (line.left + line.width / 2), size];
        })"""
    )
    assert centres
    assert all(abs(off) < 1 and size >= 13 for off, size in centres)
