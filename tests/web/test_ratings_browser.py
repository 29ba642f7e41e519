"""Pages with every kind of rating and evidence on them, in a real Chromium: accessible, also without scripts."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest
from api.test_contamination_api import make_report
from api.test_ratings_api import contest_of, keep_people
from factories import World, web_app
from playwright.sync_api import Browser, expect
from served import served
from support.browser import check_accessible
from support.servers import Servers

from app.db.kernel.session import make_engine, make_sessionmaker
from app.db.sources import people
from app.domain.asking.protocols import FRESH, PRESETS
from app.domain.judging.verdicts import Verdict
from app.domain.states import RunOrigin

# The kinds of pages are each seen in an ordinary run; here they hold as much as they can.
pytestmark = [pytest.mark.browser, pytest.mark.slow]

LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"},
}


@pytest.fixture(scope="module")
def site(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A served site where a model stands beside people, and public problems beside private and rewritten ones."""
    with servers.database() as url:
        engine = make_engine(url)
        sessions = make_sessionmaker(engine)
        with sessions.begin() as session:
            fill(World(session, protocol=FRESH))
        with sessions.begin() as session:
            make_report(World(session, protocol=FRESH), tmp_path_factory.mktemp("cubes"))
        with served(web_app(sessions, tmp_path_factory.mktemp("site"))) as base:
            yield base
        engine.dispose()


def fill(world: World) -> None:
    """Five rows on forty contests, two of which people were rated in, and on thirty private problems."""
    world.source("private", show=False)
    problems = []
    for n in range(40):
        contest = contest_of(world, str(n), date(2026, 1, 1) + timedelta(days=5 * n))
        if n < 2:
            keep_people(world, contest)
        made = world.problem(
            f"{n}/A", source="codeforces", contest=str(n), day=date(2026, 1, 1) + timedelta(days=5 * n)
        )
        made.topics = [("graphs", "math", "games")[n % 3]]
        world.difficulty(made, "points", 500)
        world.difficulty(made, "codeforces", 800 + 25 * n)
        problems.append(made)
    for n in range(30):
        problems.append(world.problem(f"h{n}", source="private", day=date(2026, 5, 1) + timedelta(days=n)))
        people.set_rewrite(world.session, problems[-1].id, problems[n].id)
    for number, name in enumerate(("orion", "vega", "nova", "lyra", "argo")):
        run = world.run(name, cutoff_on=date(2026, 3, 1) if number == 2 else date(2025, 1, 1))
        for place, problem in enumerate(problems):
            passed = place == 0 or (place + number) % 3
            world.answer(run, problem, Verdict.ACCEPTED if passed else Verdict.WRONG_ANSWER)
    for number, name in enumerate(("pavo", "lynx")):
        model = world.model(name, cutoff_on=date(2025, 1, 1))
        for protocol in PRESETS:
            if protocol.slug in ("codeelo-4k", "codeelo-4k-python"):
                run = world.run(model, protocol=protocol, origin=RunOrigin.IMPORTED)
                for place, problem in enumerate(problems[:40]):
                    world.imported(run, problem, 8, (place * (number + len(protocol.slug))) % 9, row=place)
    people.keep(world.session, "a" * 64, [(1000.0, 7), (2500.0, 3)], world.now)
    world.count()


def test_ratings_and_evidence_are_accessible_in_both_languages(chromium: Browser, site: str) -> None:
    for locale, look in (("en", "light"), ("zh", "phone")):
        context = chromium.new_context(**LOOKS[look])
        page = context.new_page()
        for path in ("/?tab=rating&from=&protocol=fresh&ties=half", "/contamination?protocol=fresh", "/models/nova",
                     "/boards/codeelo?protocol=codeelo-4k"):  # fmt: skip
            page.goto(f"{site}/{locale}{path}")
            page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
            wide = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
            assert wide[0] <= wide[1], (path, wide)
            check_accessible(page)
        context.close()


def test_the_form_works_without_scripts(chromium: Browser, site: str) -> None:
    page = chromium.new_context(java_script_enabled=False).new_page()
    page.goto(f"{site}/en/?tab=rating&from=&protocol=fresh")
    expect(page.locator("section[aria-labelledby=people-title] table.stack tbody tr")).to_have_count(5)
    composites = page.locator("section[aria-labelledby=composites-title]")
    expect(composites).to_contain_text("70 of 70 problems have a fixed ease")
    expect(composites.locator("tbody tr")).to_have_count(5)
    page.get_by_label("From", exact=True).fill("2026-03-02")
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_label("From", exact=True)).to_have_value("2026-03-02")
    expect(page.locator("section[aria-labelledby=elo-title] tbody tr")).to_have_count(5)
    page.get_by_role("link", name="ties count half").click()
    assert "ties=half" in page.url
    assert "from=2026-03-02" in page.url
