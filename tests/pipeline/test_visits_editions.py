"""LeetCode's Chinese edition through the scrape task: the same problems, in two languages, under the same names."""

import json
from dataclasses import dataclass, field, replace
from datetime import timedelta

import httpx
import pytest
from fakes.fake_site import Asked
from fakes.faults import PATIENT
from fakes.sites.leetcode import LeetCode
from fakes.sites.live import Answer
from pipeline.visiting import NOW, Visits, fake, small_world, visits
from sqlalchemy import select

from app.config import Settings
from app.db.tables import Capture, Contest, Difficulty, Problem, ScrapeRun, Source
from app.domain.errors import InvalidInput
from app.domain.states import ScrapeState
from app.source_settings import SourceSettings
from scrapers.page_fetcher import SiteConnection
from scrapers.site import Site
from workers import tasks
from workers.context import Context, leave, make_context, use
from workers.sites import Sites

DAYS = ("2026-05-01", NOW.date().isoformat())


def operations(made: Visits, since: int = 0) -> list[str]:
    """What was asked for: a question of GraphQL by the name of its operation."""
    return [json.loads(each)["operationName"] if each[0] == "{" else each for each in made.asked_for(since)]


def test_a_visit_reads_contests_dates_and_both_languages(settings: Settings) -> None:
    world = small_world("leetcode")
    with visits(settings, "leetcode", world, edition="cn") as made:
        run = made.visit()
        assert (run.state, run.reason) == (ScrapeState.SUCCEEDED, None)
        assert made.stored() == made.authored()
        assert {locale for _, locale, *_ in made.stored()} == {"en", "zh"}
        assert made.dated() == made.released()
        contests = [f"/contest/api/info/{each.external_id}/" for each in world]
        assert operations(made) == [
            "contestHistory", "contestHistory", "contestUpcomingContests",
            contests[0], "questionData", "questionData", contests[1], "questionData", "questionData",
        ]  # fmt: skip
        with made.ctx.sessions() as session:
            found = {each.external_id: each for each in session.scalars(select(Contest))}
            dates = {name: (each.starts_at, each.ends_at) for name, each in found.items()}
            assert dates == {each.external_id: (each.starts_at, each.ends_at) for each in world}
            urls = {each.external_id: each.url for each in session.scalars(select(Problem))}
            assert urls == {name: f"https://leetcode.cn/problems/{name}/" for name in made.released()}
            assert session.scalars(select(Source.base_url)).all() == [made.site.url]
        before = len(made.site.log)
        assert made.visit().state == ScrapeState.SUCCEEDED
        assert set(operations(made, before)) == {"contestHistory", "contestUpcomingContests"}
        assert tasks.replay("leetcode")["changed"] == 0
        assert made.stored() == made.authored()


def test_the_contests_to_come_are_known_before_they_begin(settings: Settings) -> None:
    """The next one's title comes from the list of those to come, in the site's language."""
    world = small_world("leetcode")
    with visits(settings, "leetcode", world, edition="cn") as made:
        made.ctx.clock = lambda: world[1].starts_at - timedelta(hours=1)
        made.serve(LeetCode(world, made.ctx.clock, "cn"))
        made.visit()
        with made.ctx.sessions() as session:
            titles = {each.external_id: each.title for each in session.scalars(select(Contest))}
        assert set(titles) == {each.external_id for each in world}
        assert all(title.startswith("第 ") for title in titles.values())
        assert {key for key, *_ in made.stored()} == {problem.external_id for problem in world[0].problems}


def test_neither_edition_is_asked_as_the_other(settings: Settings) -> None:
    """Whoever chooses wrongly is told so by the first visit, and choosing rightly is all it takes."""
    with visits(settings, "leetcode", small_world("leetcode", 1, 1), edition="cn") as made:
        made.serve(fake("leetcode", made.world, "com"))
        run = made.visit()
        assert run.state == ScrapeState.FAILED
        assert "the list cannot be read" in str(run.reason)
        assert made.stored() == []
        made.serve(fake("leetcode", made.world, "cn"))
        assert made.visit().state == ScrapeState.SUCCEEDED
        assert made.stored() == made.authored()


def test_a_source_that_changes_its_edition_keeps_its_problems(settings: Settings) -> None:
    world = small_world("leetcode", 1)
    with visits(settings, "leetcode", world) as made:
        assert made.visit().state == ScrapeState.SUCCEEDED
        english = made.stored()
        with made.ctx.sessions() as session:
            known = {each.external_id: each.id for each in session.scalars(select(Problem))}
    with visits(settings, "leetcode", world, edition="cn") as made:
        assert made.visit(*DAYS).state == ScrapeState.SUCCEEDED
        assert made.stored() == made.authored()
        assert set(english) < set(made.stored()), "the English texts are the same, and there once"
        with made.ctx.sessions() as session:
            assert {each.external_id: each.id for each in session.scalars(select(Problem))} == known
            assert len(session.scalars(select(Contest)).all()) == 1
        assert made.dated() == made.released()


@dataclass
class Real:
    """The hosts that settings without another address lead to, answered here, and what they were asked."""

    answer: Answer
    asked: list[tuple[str, Asked]] = field(default_factory=list)

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        """The fake site's answer; ratings lie on a host of their own, and nothing else is there."""
        asked = Asked(request.method, request.url.raw_path.decode(), dict(request.headers), await request.aread(), 0.0)
        self.asked.append((f"{request.url.scheme}://{request.url.host}", asked))
        if asked.path.startswith("/zerotrac/") is not (request.url.host == "raw.githubusercontent.com"):
            return httpx.Response(404)
        reply = self.answer(asked)
        return httpx.Response(reply.status, headers=dict(reply.headers), content=reply.body)


class Routed(Sites):
    """The sites, with one function in the place of the network."""

    def __init__(self, ctx: Context, real: Real) -> None:
        super().__init__(ctx)
        self.real = real

    def connection(self, site: Site) -> SiteConnection:
        """The usual one, with no network behind it."""
        return replace(super().connection(site), limits=PATIENT, transport=httpx.MockTransport(self.real))


@pytest.mark.parametrize(
    "given", [{"base_url": "https://leetcode.cn"}, {"base_url": "https://leetcode.cn/"}, {"edition": "cn"}], ids=str
)
def test_the_sites_own_address_chooses_its_edition_and_leaves_ratings_where_they_are(
    settings: Settings, given: dict[str, str]
) -> None:
    world = small_world("leetcode", 3, 1)
    real = Real(fake("leetcode", world, "cn"))
    source = SourceSettings.model_validate(given | {"pace_s": 0.0, "fetch_statements": True})
    chosen = {"sources": {"leetcode": source}, "contact": "operator@example.test"}
    ctx = use(replace(make_context(settings.model_copy(update=chosen)), clock=lambda: NOW))
    ctx.parts[Sites] = Routed(ctx, real)
    try:
        runs = [tasks.scrape("leetcode"), tasks.gather_facts("leetcode", "ratings")]
        with ctx.sessions() as session:
            for run_id in runs:
                run = session.get_one(ScrapeRun, run_id)
                assert (run.state, run.reason) == (ScrapeState.SUCCEEDED, None)
            assert session.scalars(select(Source.base_url)).all() == ["https://leetcode.cn"]
            rated = set(session.scalars(select(Difficulty.value).where(Difficulty.scale == "zerotrac")))
            urls = set(session.scalars(select(Capture.url)))
    finally:
        leave()
    over = [each for each in world if each.rated_at <= NOW]
    assert rated == {
        problem.rating + 0.5 for contest in over for problem in contest.problems if problem.rating is not None
    }
    assert rated
    ratings = "https://raw.githubusercontent.com/zerotrac/leetcode_problem_rating/main/ratings.txt"
    assert {url for url in urls if "leetcode.cn" not in url} == {ratings}
    posts = [asked for host, asked in real.asked if host == "https://leetcode.cn" and asked.method == "POST"]
    assert posts
    assert {asked.headers["origin"] for asked in posts} == {"https://leetcode.cn"}
    assert all(asked.headers["referer"].startswith("https://leetcode.cn/") for asked in posts)
    assert {host for host, _ in real.asked} == {"https://leetcode.cn", "https://raw.githubusercontent.com"}


def test_an_edition_that_there_is_not_begins_nothing(settings: Settings) -> None:
    source = SourceSettings(edition="us")
    given = {"sources": {"leetcode": source}, "contact": "operator@example.test"}
    ctx = use(make_context(settings.model_copy(update=given)))
    try:
        with pytest.raises(InvalidInput, match="no edition 'us'; it has com, cn"):
            tasks.scrape("leetcode")
        with ctx.sessions() as session:
            assert session.scalars(select(ScrapeRun)).all() == []
    finally:
        leave()
