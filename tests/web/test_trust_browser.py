"""The pages about trust and the API in a real Chromium: accessible, readable, short, and whole without scripts."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from api.test_contamination_api import make_report
from factories import World, web_app
from playwright.sync_api import Page, expect
from served import served
from support.browser import check_accessible, without_scripts
from support.servers import Servers
from support.shown_league import fill

from app.db.kernel import logs
from app.db.kernel.session import make_engine, make_sessionmaker
from app.db.tables import Contest, ExpectedDataRow
from app.domain.states import ContestState, ExpectedDataState

pytestmark = pytest.mark.browser

PATHS = ("/method", "/contamination", "/changes", "/status", "/snapshots", "/about", "/cite", "/docs/api")
MAX_HEIGHT = {"/docs/api": 6000}
LAGS_MIN = (4, 11, 45, 70, 600, 16)
# The texts smaller than 13 px, and the controls lower than 24 px: every one but links within a sentence.
FAULTS = """() => {
  const seen = (each) => each.checkVisibility() && each.getClientRects().length && !each.closest('.hidden-text, .skip');
  const faults = [];
  for (const each of document.querySelectorAll('body *')) {
    const own = [...each.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (own && seen(each) && parseFloat(getComputedStyle(each).fontSize) < 13 && !each.closest('math'))
      faults.push(`small: ${each.outerHTML.slice(0, 120)}`);
  }
  for (const each of document.querySelectorAll('button, summary, select, nav a, .links a, .menu li > *, .contents a'))
    if (seen(each) && each.getBoundingClientRect().height < 24) faults.push(`low: ${each.outerHTML.slice(0, 120)}`);
  return faults;
}"""


@pytest.fixture(scope="module")
def site(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A served site with a league, a contamination report, contests that came with a lag, and moved ranks."""
    with servers.database() as url:
        engine = make_engine(url)
        sessions = make_sessionmaker(engine)
        with sessions.begin() as session:
            world = World(session)
            fill(world)
            source = world.source("codeforces")
            for place, minutes in enumerate(LAGS_MIN):
                ended = world.now - timedelta(days=7 * place + 1)
                contest = Contest(
                    source_id=source.id, external_id=f"{1900 + place}", title=f"Round {place}", ends_at=ended,
                    starts_at=ended - timedelta(hours=2), state=ContestState.ENDED,
                )  # fmt: skip
                session.add(contest)
                session.flush()
                session.add(ExpectedDataRow(
                    contest_id=contest.id, purpose="problems", state=ExpectedDataState.MET, due_at=ended, late_at=ended,
                    settled_at=ended + timedelta(minutes=minutes),
                ))  # fmt: skip
            before = {"protocol": "house", "configuration": "high", "score": 50.0, "rank": 2, "trial": 1}
            after = before | {"score": 60.0, "rank": 1, "because": []}
            for weeks in range(3):
                at = world.now - timedelta(weeks=weeks)
                logs.write_ledger(session, at, "score.changed", "model-1", "rejudged", before, after)
                logs.write_ledger(session, at, "problem.added", "house/p1", "published")
        with sessions.begin() as session:
            make_report(World(session), tmp_path_factory.mktemp("cubes"))
        with served(web_app(sessions, tmp_path_factory.mktemp("site"))) as base:
            yield base
        engine.dispose()


@pytest.mark.parametrize(("locale", "width", "scheme"), [("en", 1280, "light"), ("zh", 390, "dark")])
def test_pages_are_accessible_readable_and_short(page: Page, site: str, locale: str, width: int, scheme: str) -> None:
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type in {"error", "warning"} else None)
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    for path in PATHS:
        page.goto(f"{site}/{locale}{path}")
        wide, height = page.evaluate("(({scrollWidth, scrollHeight}) => [scrollWidth, scrollHeight])"
                                     "(document.documentElement)")  # fmt: skip
        assert wide <= width, path
        assert height <= MAX_HEIGHT.get(path, 3000), path
        assert page.evaluate(FAULTS) == [], path
        check_accessible(page)
        page.evaluate("document.querySelectorAll('main details').forEach((each) => { each.open = true; })")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert page.evaluate(FAULTS) == [], path
        page.evaluate("document.querySelectorAll('.operation').forEach((each, place) => place < 4 || each.remove())")
        check_accessible(page)
    assert said == []


@pytest.mark.parametrize("key", ["coverage", "judge_errors", "coco-dapr"])
def test_a_link_to_a_number_opens_its_paragraph(page: Page, site: str, key: str) -> None:
    with without_scripts(page):
        page.goto(f"{site}/en/method#{key}")
        expect(page.locator("details:has(:target) .formula, details:has(:target) .own-columns").first).to_be_visible()


def test_the_lag_of_each_contest_is_drawn_against_an_hour_and_a_day(page: Page, site: str) -> None:
    page.goto(f"{site}/en/status")
    row = page.locator("tr:has(.lag)")
    expect(row.locator("circle")).to_have_count(len(LAGS_MIN))
    expect(row).to_contain_text("6 contests: median 30 min, worst 10 h")
    tops = [dot.bounding_box()["y"] for dot in row.locator("circle").all()]  # type: ignore[index]
    assert tops.index(min(tops)) == LAGS_MIN[::-1].index(max(LAGS_MIN)), "the longest lag, second from the left"
    expect(row.locator("svg text")).to_have_text(["10 min", "1 h", "1 day"])
