"""What a site's owner forbids to programs is not asked for, and stops no more than it must."""

from fakes.fake_site import Reply, fake_site
from support import atcoder_pages as pages
from support.crawls import bare, captured, connect, end, problems, walk, world

from app.domain.sources.crawl_events import ContestVisited
from app.domain.states import ScrapeState
from scrapers.fact_fetcher import fetch_facts
from scrapers.site import find_site


def test_a_path_that_robots_txt_forbids_stops_nothing_else() -> None:
    with fake_site(world(), robots="User-agent: *\nDisallow: /contests/abc501/tasks/abc501_a") as site:
        events = walk(site)
        assert not any("abc501_a" in path for path in site.paths())
    assert set(problems(events)) == {"abc501_b", "abc502_a", "arc401_a", "arc401_b"}
    assert (end(events).state, end(events).counts["requests"]) == (ScrapeState.PARTIAL, 10)
    forbidden = next(finding for finding in end(events).findings if finding.code == "refused")
    assert forbidden.message.startswith("robots.txt forbids /contests/abc501/tasks/abc501_a")
    told = {event.contest: (event.met, event.reason) for event in events if isinstance(event, ContestVisited)}
    assert told["abc501"] == (False, "could not be read: blocked 1")
    assert told["abc502"] == (True, None)
    with fake_site(world(), robots="User-agent: *\nDisallow: /contests/$\nDisallow: /contests/?") as site:
        events = walk(site)
    assert len(problems(events)) == 5
    assert {finding.code for finding in end(events).findings} == {"refused", "calendar_unread"}


def test_robots_and_noai_are_refusals() -> None:
    with fake_site(world(), robots="User-agent: *\nDisallow: /contests/archive") as site:
        events = walk(site)
        assert bare(site.paths()) == [], "without its list there is nothing to ask a site for"
    assert end(events).state is ScrapeState.BLOCKED
    assert captured(events)[-1].status is None
    assert "robots.txt" in (end(events).reason or "")
    noai = pages.task(pages.modern([("1", "1")]), head='<meta name="robots" content="noai">')
    with fake_site(world(task_abc501_a=noai)) as site:
        events = walk(site)
    assert end(events).state is ScrapeState.BLOCKED
    assert not problems(events)


def test_facts_of_which_a_path_is_forbidden_come_in_part() -> None:
    codeforces = find_site("codeforces")
    pages = {"/api/contest.standings": Reply(b'{"status":"FAILED","comment":"contest 1 has not started"}', 400)}
    for robots, states in (("/api/contest.rating", {"blocked", "not_open"}), ("/", {"blocked"})):
        with fake_site(pages, robots=f"User-agent: *\nDisallow: {robots}") as site:
            facts = codeforces.facts_named("standings")
            events = list(fetch_facts(codeforces, facts, connect(site.url), contests=["1"]))
        assert {each.classification for each in captured(events)} == states
        assert end(events).state is ScrapeState.FAILED, "nothing was read, and yet the site does not block us"
        assert "robots.txt forbids /api/contest.rating" in (end(events).reason or "")
        assert [event.met for event in events if isinstance(event, ContestVisited)] == [False]
