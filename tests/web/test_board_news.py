"""The board's page says what is new this week and how fresh each site is, and no tag outlives what it says."""

import re
from datetime import timedelta

import pytest
from factories import NOW, World
from httpx import Client

from app.db.kernel import logs
from app.db.tables import Contest, ExpectedDataRow, ScrapeRun
from app.domain.publishing.holds import NO_STATEMENT
from app.domain.reasons import Reason
from app.domain.states import ContestState, ProblemState, ScrapeState


def place(rank: int | None) -> dict[str, object]:
    return {"protocol": "house", "configuration": "", "rank": rank, "score": 50.0}


@pytest.fixture
def lively(world: World) -> World:
    """Two sites, one of them overdue by 41 minutes; problems and corrections of this week and of earlier ones."""
    world.answer(world.run("orion"), world.problem("a"))
    for slug, name, hours in (("atcoder", "AtCoder", 2), ("codeforces", "Codeforces", 5)):
        source = world.source(slug, demo=False)
        source.name, source.kind = name, "site"
        ended = NOW - timedelta(hours=hours)
        world.session.add(
            ScrapeRun(source_id=source.id, state=ScrapeState.SUCCEEDED, started_at=ended, finished_at=ended)
        )
    contest = Contest(
        source_id=source.id, external_id="late", title="Late", state=ContestState.ENDED,
        starts_at=NOW - timedelta(hours=8), ends_at=NOW - timedelta(hours=6),
    )  # fmt: skip
    world.session.add(contest)
    world.session.flush()
    late = NOW - timedelta(minutes=41, seconds=5)
    world.session.add(ExpectedDataRow(contest_id=contest.id, purpose="problems", due_at=late, late_at=late))
    unused = world.source("leetcode", demo=False)
    unused.kind, unused.enabled = "site", False
    for days in (1, 3, 8):
        at = NOW - timedelta(days=days)
        logs.write_ledger(world.session, at, "problem.added", f"house/{days}", Reason("published"))
        for before, after in ((2, 1), (3, 3), (None, 4)):
            logs.write_ledger(
                world.session, at, "score.changed", "orion", Reason("published"), place(before), place(after)
            )
    world.count()
    world.session.commit()
    return world


@pytest.mark.usefixtures("lively")
def test_the_page_says_what_is_new_and_how_fresh_each_site_is(client: Client) -> None:
    line = client.get("/en/").text.partition('<p class="news">')[2].partition("</p>")[0]
    assert line == "This week: 2 new problems, 4 rank moves · AtCoder 2 h · Codeforces <b>41 min late</b>"
    chinese = client.get("/zh/").text.partition('<p class="news">')[2].partition("</p>")[0]
    assert chinese == "本周： 新增 2 道题、4 次名次变动 · AtCoder 2 小时 · Codeforces <b>迟 41 分钟</b>"


def test_the_page_says_how_far_the_contest_is_that_ended_last(lively: World, client: Client) -> None:
    source, title = lively.source("atcoder"), "A contest whose name is much longer than a line has room for"
    ended = NOW - timedelta(minutes=6)
    contest = Contest(
        source_id=source.id, external_id="live", title=title, state=ContestState.ENDED,
        starts_at=NOW - timedelta(hours=2), ends_at=ended,
    )  # fmt: skip
    lively.session.add(contest)
    lively.session.flush()
    for name in ("live-a", "live-b", "live-c"):
        problem = lively.problem(name, source="atcoder")
        problem.contest_id = contest.id
    problem.state, problem.hold_reason = ProblemState.HELD, NO_STATEMENT
    lively.session.commit()
    line = " ".join(re.sub("<[^>]+>", "", news_line(client, "en")).split())
    assert line.startswith(
        "Contest A contest whose name is much longer than a… ended 6 min ago: 3 problems read, 2 published, 1 held"
    )
    assert line.endswith("· This week: 2 new problems, 4 rank moves · AtCoder 2 h · Codeforces 41 min late")
    assert "6 分钟前结束：抓到 3 道题、发布 2 道、隔离 1 道" in news_line(client, "zh")


def news_line(client: Client, locale: str) -> str:
    page = client.get(f"/{locale}/", headers={"Authorization": "none"}).text
    return page.partition('<p class="news">')[2].partition("</p>")[0]


def test_a_visit_changes_the_tag_of_the_page(lively: World, client: Client) -> None:
    tag = client.get("/en/").headers["etag"]
    assert client.get("/en/", headers={"If-None-Match": tag}).status_code == 304
    site = lively.source("atcoder")
    lively.session.add(ScrapeRun(source_id=site.id, state=ScrapeState.SUCCEEDED, started_at=NOW, finished_at=NOW))
    lively.session.commit()
    own = {"Authorization": "none"}  # not from the answers that visitors share, which hold for five seconds
    assert client.get("/en/", headers=own | {"If-None-Match": tag}).status_code == 200
    assert "AtCoder 0 s" in client.get("/en/", headers=own).text


def test_a_site_that_was_never_visited_says_so_and_a_quiet_week_too(world: World, client: Client) -> None:
    world.source("atcoder", demo=False).kind = "site"
    world.answer(world.run("orion"), world.problem("a"))
    world.count()
    world.session.commit()
    line = client.get("/en/").text.partition('<p class="news">')[2].partition("</p>")[0]
    assert line.startswith("Nothing new this week · ")
    assert line.endswith(" not visited yet")
