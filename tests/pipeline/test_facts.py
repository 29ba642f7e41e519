"""Facts that come apart from problems, and problems that are called: visits of their own, entries, levels."""

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from factories import World
from fakes.fake_site import FakeSite, Reply, fake_site
from sqlalchemy import select
from support.scraping import over, replay

from app.config import Settings
from app.db.kernel.session import Session
from app.db.tables import Capture, Difficulty, Problem, ProblemVersion, ScrapeRun
from app.domain.problems import Entry, Form, Method, Param
from app.domain.sources.crawl_events import CrawlFinished
from app.domain.sources.records import DifficultyRating, ScrapedProblem
from app.domain.states import ProblemState, ScrapeState
from app.services.operations import health_views
from app.services.problems import publishing
from app.services.sources import ingest, visits
from app.source_settings import SourceSettings
from scrapers.site import find_site
from workers import tasks
from workers.context import Context, leave, make_context, now, use
from workers.visiting import site_policy

PATH = "/atcoder/resources/problem-models.json"
NOW = datetime(2026, 11, 1, tzinfo=UTC)
AN_HOUR = timedelta(hours=1)


def models(**difficulty: float) -> bytes:
    return json.dumps(
        {name: {"difficulty": value, "is_experimental": False} for name, value in difficulty.items()}
    ).encode()


@pytest.fixture
def site() -> Iterator[FakeSite]:
    with fake_site({PATH: Reply(models(abc901_a=-300.0, abc901_b=1250.0, unknown_a=5.0))}) as made:
        yield made


@pytest.fixture
def ctx(settings: Settings, site: FakeSite) -> Iterator[Context]:
    """Over a source that was visited for problems, and has two."""
    made = over(settings, site.url)
    with made.sessions.begin() as session:
        job = visits.open_scrape(session, "atcoder", site_policy(made, find_site("atcoder")), now(), made.lease)
        assert job is not None
        ingest.store_records(session, job.source_id, [problem("abc901_a"), problem("abc901_b")], None, NOW)
        visits.finish(session, job, CrawlFinished(ScrapeState.SUCCEEDED, None, {}), now())
    yield made
    leave()


def problem(name: str, **facts: Any) -> ScrapedProblem:
    return ScrapedProblem(name, title=name, **facts)


def difficulties(ctx: Context) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    with ctx.sessions() as session:
        rows = session.execute(
            select(Problem.external_id, Difficulty.value)
            .join(Problem, Problem.id == Difficulty.problem_id)
            .where(Difficulty.scale == "kenkoooo")
            .order_by(Difficulty.observed_at)
        )
        for name, value in rows:
            found.setdefault(name, []).append(value)
    return found


def test_a_visit_for_facts_rates_what_is_known_and_brings_nothing_else(ctx: Context, site: FakeSite) -> None:
    run_id = tasks.gather_facts("atcoder", "difficulty")
    with ctx.sessions() as session:
        run = session.get_one(ScrapeRun, run_id)
        assert (run.purpose, run.state, run.reason, run.counts["records"]) == ("difficulty", "succeeded", None, 3)
        assert set(session.scalars(select(Problem.external_id))) == {"abc901_a", "abc901_b"}
        assert session.scalars(select(Capture.kind)).all() == ["problem_models"]
        assert health_views.machinery(session, NOW).scrapes[0].source == "atcoder: difficulty"
    first = difficulties(ctx)
    assert set(first) == {"abc901_a", "abc901_b"}
    assert first["abc901_b"] == [1250.0]
    assert [each.path for each in site.asked] == ["/robots.txt", PATH]
    tasks.gather_facts("atcoder", "difficulty")
    assert difficulties(ctx) == first, "the same again is no news"
    site.pages[PATH] = Reply(models(abc901_a=-300.0, abc901_b=1300.0))
    tasks.gather_facts("atcoder", "difficulty")
    assert difficulties(ctx) == {**first, "abc901_b": [1250.0, 1300.0]}


def test_what_becomes_of_it_says_nothing_about_the_problems(ctx: Context, site: FakeSite) -> None:
    site.pages[PATH] = Reply(b"busy", 403)
    run_id = tasks.gather_facts("atcoder", "difficulty")
    with ctx.sessions() as session:
        assert session.get_one(ScrapeRun, run_id).state == ScrapeState.BLOCKED
        (source,) = health_views.status(session, NOW).sources
        assert (source.last_state, source.last_reason) == ("succeeded", None)
    site.pages[PATH] = Reply(b"<html><body>new</body></html>")
    run_id = tasks.gather_facts("atcoder", "difficulty")
    with ctx.sessions() as session:
        assert session.get_one(ScrapeRun, run_id).state == ScrapeState.FAILED
    assert difficulties(ctx) == {}


def test_replay_says_what_the_first_reading_said(ctx: Context) -> None:
    tasks.gather_facts("atcoder", "difficulty")
    before = difficulties(ctx)
    assert replay(ctx.settings)["ok"] == 1
    assert difficulties(ctx) == before


SORT = Entry("sort", "Solution", (Param("row", "integer[]"),), "void")


@pytest.mark.parametrize(
    ("form", "signature", "entry"),
    [
        (Form.FUNCTION, Entry("add", "Solution", (Param("a", "integer"),), "integer"), None),
        (Form.FUNCTION, SORT, replace(SORT, output_param=0)),  # its argument is the answer
        (Form.CLASS, Entry("", "Lot", methods={"park": Method((Param("n", "integer"),), "void")}), None),
    ],
)
def test_what_programs_must_define_comes_with_the_statement(
    session: Session, form: Form, signature: Entry, entry: Entry | None
) -> None:
    source = World(session).source("leetcode")
    given = {"statements": {"en": "Add."}, "form": form, "starts_at": datetime(2026, 1, 1, tzinfo=UTC)}
    rated = {"difficulty": DifficultyRating("leetcode", "Hard")}
    known = problem("known", signature=signature, **given, **rated)
    ingest.store_records(session, source.id, [known, problem("unknown", **given)], None, NOW)
    rows = {each.external_id: each for each in session.scalars(select(Problem))}
    stored = session.get_one(ProblemVersion, rows["known"].current_version_id).entry
    assert stored == json.loads(json.dumps(asdict(entry or signature)))
    assert session.scalars(select(Difficulty.value)).all() == [3.0]
    assert rows["known"].hold_reason == "no full tests: 0 public samples only"
    assert session.get_one(ProblemVersion, rows["unknown"].current_version_id).entry is None


def test_without_an_entry_nothing_is_published(session: Session) -> None:
    world = World(session)
    made = world.problem("called", day=date(2026, 1, 1))
    version = session.get_one(ProblemVersion, made.current_version_id)
    version.form, made.state = Form.FUNCTION, ProblemState.FOUND
    session.flush()
    assert publishing.update_state(session, made, NOW) is ProblemState.HELD
    assert made.hold_reason == "what programs must define is not known"


@pytest.mark.parametrize(("margin_h", "problems_h", "standings_h"), [(1, 1, 24), (48, 48, 48)])
def test_what_a_contest_owes_is_asked_for_after_the_margin_or_at_its_own_later_time(
    settings: Settings, margin_h: int, problems_h: int, standings_h: int
) -> None:
    own = {"codeforces": SourceSettings(margin_s=margin_h * 3600)}
    made = use(make_context(settings.model_copy(update={"sources": own})))
    first = {owed.purpose: owed.first / AN_HOUR for owed in site_policy(made, find_site("codeforces")).expected}
    assert (first["problems"], first["standings"]) == (problems_h, standings_h)
