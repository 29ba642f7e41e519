"""A page of a new form: held, shown beside a good one, decided by a maintainer, and read once the parser knows it."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from bs4 import Tag
from factories import web_app
from httpx import Client
from served import NO_AUTHORITIES, served
from sqlalchemy import select
from support.live_demo import FIRST_S, MARGIN_S, Demo, live_demo
from support.live_league import SLUG
from support.setters import PROBLEM, TITLE

from app.config import Settings
from app.db.tables import AuditEntry, Capture, Problem, ProblemVersion, Sample, Source
from app.domain.publishing.holds import NO_STATEMENT
from app.domain.sources.kinds import DEMO_SITE
from app.domain.sources.records import Classification, ScrapedExample, ScrapedProblem
from app.domain.sources.schedule import PROBLEMS
from app.domain.states import ProblemState
from app.services.operations.access import issue_login_link
from scrapers.reading.html import attribute, sample_text, tags, visible_text
from scrapers.reading.markdown import to_text
from scrapers.reading.page import SourcePage
from scrapers.site import ParsedPage, Site, find_site
from workers import tasks
from workers.sites import Sites

LIMITS = re.compile(r"([0-9.]+) s · ([0-9]+) MiB")


def parse_either(page: SourcePage) -> ParsedPage:
    """What a maintainer writes after a look at the page: the new form, and the old one as before."""
    task = page.soup.find("article", class_="problem")
    if not isinstance(task, Tag):
        return find_site(DEMO_SITE).kinds["task"].parse(page)
    limits = LIMITS.match(visible_text(page.soup.find("small"), 200))
    body, table = page.soup.find("section", class_="body"), page.soup.find("table", class_="cases")
    assert limits is not None
    assert isinstance(body, Tag)
    assert isinstance(table, Tag)
    cells = [sample_text(tag) for tag in tags(table, "code")]
    problem = ScrapedProblem(
        attribute(task, "id"), title=visible_text(page.soup.find("h2"), 200), url=page.url, form="stdin",
        time_limit_ms=round(1000 * float(limits[1])), memory_limit_mb=int(limits[2]), locales=("en",),
        statements={"en": to_text(body, page.base_url)}, samples=tuple(map(ScrapedExample, cells[::2], cells[1::2])),
    )  # fmt: skip
    return ParsedPage(Classification.OK, (problem,))


class Taught(Sites):
    """The sites of a checkout in which the reader of the demo site's tasks knows both forms."""

    def find(self, name: str) -> Site:
        """Any site, that one with the new reader."""
        site = super().find(name)
        return replace(site, kinds={**site.kinds, "task": replace(site.kinds["task"], parse=parse_either)})


@pytest.fixture
def demo(settings: Settings, tmp_path: Path) -> Iterator[Demo]:
    """An installation that has read a contest of the past, and one with a page of a new form."""
    with live_demo(settings, tmp_path, changed=True) as made:
        tasks.seed()
        tasks.visit(DEMO_SITE, PROBLEMS)
        tasks.scrape(DEMO_SITE, "2026-04-11", "2026-04-12")
        made.move(FIRST_S + MARGIN_S)
        tasks.visit(DEMO_SITE, PROBLEMS)
        tasks.plan_runs()
        yield made


@pytest.fixture
def browser(demo: Demo, tmp_path: Path) -> Iterator[Client]:
    """A maintainer who is signed in at the real site, which wakes the replay at once."""
    app = web_app(demo.ctx.sessions, tmp_path / "site")

    def wake(name: str, *subject: str) -> bool:
        assert name == "replay"
        tasks.replay(*subject)
        return True

    app.state.web = replace(app.state.web, now=demo.ctx.clock, wake=wake)
    with demo.ctx.sessions.begin() as session:
        token = issue_login_link(session, demo.instant[0])
    with served(app) as url, Client(base_url=url, verify=NO_AUTHORITIES, follow_redirects=True) as client:
        client.post("/en/login", data={"token": token})
        yield client


def press(browser: Client, page: str, action: str) -> str:
    """Press a button of a page's forms with a reason, and return the page after it."""
    shown = browser.get(page)
    assert shown.status_code == 200
    [form] = [each for each in re.findall(r"<form.*?</form>", shown.text, re.DOTALL) if f'value="{action}"' in each]
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
    target = re.search(r'action="([^"]+)"', form)
    assert target is not None
    done = browser.post(target[1], data={**fields, "action": action, "reason": "I looked at it"})
    assert done.status_code == 200, done.text
    return done.text


def drifted(demo: Demo) -> tuple[int, str]:
    with demo.ctx.sessions() as session:
        [capture] = session.scalars(
            select(Capture).where(Capture.classification == Classification.FORMAT_CHANGED)
        ).all()
        return capture.id, capture.url


def problem(demo: Demo) -> tuple[str, str | None, list[str]]:
    with demo.ctx.sessions() as session:
        found = session.scalars(select(Problem).where(Problem.external_id == SLUG)).one()
        texts = session.scalars(select(ProblemVersion.statement).where(ProblemVersion.problem_id == found.id)).all()
        return found.state, found.hold_reason, list(texts)


@pytest.mark.parametrize("action", ["capture.accept", "capture.ignore"])
def test_a_maintainer_sees_the_page_beside_a_good_one_and_takes_it_off_the_list(
    demo: Demo, browser: Client, action: str
) -> None:
    number, url = drifted(demo)
    assert problem(demo) == (ProblemState.HELD, NO_STATEMENT, [])
    listed = browser.get("/en/ops/drift").text
    assert url in listed
    shown = browser.get(f"/en/ops/drift/{number}").text
    for part in (f"article#{SLUG}.problem", "main.task", "/tasks/ferry-split"):
        assert part in shown, "the new form, the old one, and whose page has it"
    press(browser, f"/en/ops/drift/{number}", action)
    assert url not in browser.get("/en/ops/drift").text
    with demo.ctx.sessions() as session:
        entry = session.scalars(select(AuditEntry).where(AuditEntry.action == action)).one()
        assert entry.reason == "I looked at it"
    assert problem(demo) == (ProblemState.HELD, NO_STATEMENT, []), "whatever was decided of the page"


def test_replay_reads_the_held_page_once_the_parser_knows_its_form(demo: Demo, browser: Client) -> None:
    number, _ = drifted(demo)
    press(browser, f"/en/ops/drift/{number}", "source.replay")
    assert problem(demo) == (ProblemState.HELD, NO_STATEMENT, []), "the parser does not know it yet"
    demo.ctx.parts[Sites] = Taught(demo.ctx)
    press(browser, f"/en/ops/drift/{number}", "source.replay")
    state, reason, [text] = problem(demo)
    assert (state, reason) == (ProblemState.CHECKED, None)
    assert text.startswith("Given `n` numbers, print the greatest sum of neighbours.")
    tasks.plan_runs()
    with demo.ctx.sessions() as session:
        read = session.scalars(select(ProblemVersion).join(Source, Source.slug == DEMO_SITE).where(
            ProblemVersion.problem_id.in_(select(Problem.id).where(Problem.external_id == SLUG)))).one()  # fmt: skip
        assert (read.title, read.time_ms, read.memory_mb) == (TITLE, 400, 256)
        assert [each["input"] for each in read.examples] == [test.input for test in PROBLEM.tests]
        asked = session.scalars(select(Sample.id).where(Sample.problem_version_id == read.id)).all()
        assert asked, "it goes on from there: ranked models and setters are asked"
        assert session.get_one(Capture, number).classification == Classification.OK
