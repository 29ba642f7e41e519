"""Every fault on every page of every site: how the walk ends, and that nothing untrue is read on the way."""

import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fakes.faults import FAULTS, PATIENT, REASONS, Fault, cases, matching, spoiled
from fakes.sites import atcoder, codeforces, leetcode
from fakes.sites.live import Answer, LiveSite
from fakes.world import FakeContest, calendar, smaller
from support.crawls import crawl_site

from app.domain.sources.crawl_events import CrawlEvent, CrawlFinished, PageCaptured
from app.domain.sources.records import ScrapedProblem
from app.domain.states import ScrapeState
from scrapers.client import FetchLimits
from scrapers.site import find_site

NOW = datetime(2026, 6, 17, 9, tzinfo=UTC)
SITES = ("atcoder", "codeforces", "leetcode")
TASK = {"atcoder": "task", "codeforces": "problem", "leetcode": "question"}


@cache
def world(name: str) -> tuple[FakeContest, ...]:
    """Two contests that are over, one problem each."""
    over = [each for each in calendar(name, NOW.date() - timedelta(days=21), 2) if each.is_judged]
    return smaller(over[:2], 1)


def fake(name: str, contests: Sequence[FakeContest]) -> Answer:
    if name == "codeforces":
        return codeforces.Codeforces(contests, lambda: NOW, noai=False)
    return (atcoder.AtCoder if name == "atcoder" else leetcode.LeetCode)(contests, lambda: NOW)


def page(name: str, what: str) -> str:
    """What picks the list, the second contest's page, or its first problem's page."""
    contest = world(name)[1]
    problem = contest.problems[0]
    return {
        "atcoder": {"list": "/contests/archive", "contest": f"/{contest.external_id}/tasks\\?",
                    "problem": f"/tasks/{problem.external_id}\\b"},
        "codeforces": {"list": "contest.list", "contest": f"standings\\?contestId={contest.external_id}",
                       "problem": f"/contest/{contest.external_id}/problem/{problem.index}\\b"},
        "leetcode": {"list": "pastContests", "contest": f"/info/{contest.external_id}/",
                     "problem": f'"{problem.external_id}"'},
    }[name][what]  # fmt: skip


def walk(name: str, answer: Answer, **options: Any) -> list[CrawlEvent]:
    with LiveSite(answer, lambda: NOW) as site:
        wanted: dict[str, Any] = {"now": NOW, "margin": timedelta(minutes=10), "fetch_statements": True}
        return list(crawl_site(find_site(name), base_url=site.url, **({"limits": PATIENT} | wanted | options)))


def problems(events: Sequence[CrawlEvent], kind: str) -> list[ScrapedProblem]:
    captured = [event for event in events if isinstance(event, PageCaptured) and event.kind == kind]
    return [record for each in captured for record in each.records if isinstance(record, ScrapedProblem)]


def truth(name: str) -> dict[str | None, ScrapedProblem]:
    module = {"atcoder": atcoder, "codeforces": codeforces, "leetcode": leetcode}[name]
    return {
        problem.external_id: module.truth(contest, problem) for contest in world(name) for problem in contest.problems
    }


# What the spoiled page is taken for. Where a site's pages hold nothing that a fault touches, they stay ok.
TAKEN_FOR = {
    "rate_limited": "rate_limited", "unavailable": "unreachable", "slow": "ok", "silent": "unreachable",
    "truncated": "unreachable", "cut": "format_changed", "changed_layout": "format_changed", "challenge": "blocked",
    "sent_to_login": "login", "gzip_bomb": "format_changed", "hundred_megabytes": "format_changed",
    "dropped": "unreachable", "html_for_json": "format_changed", "empty": "format_changed", "disallowed": "blocked",
    "no_robots": "unreachable",
}  # fmt: skip


def classes(events: Sequence[CrawlEvent]) -> list[str]:
    return [event.classification.value for event in events if isinstance(event, PageCaptured)]


@pytest.mark.parametrize(("name", "fault"), cases(SITES, but={"wrong_charset"}))
# What becomes of a spoiled problem in the database the pipeline tries; a contest's page is refused as a list is.
@pytest.mark.parametrize("what", ["list", "problem", pytest.param("contest", marks=pytest.mark.slow)])
def test_a_fault_is_taken_for_what_it_is_and_gives_nothing_untrue(name: str, fault: Fault, what: str) -> None:
    events = walk(name, spoiled(fake(name, world(name)), fault, matching(page(name, what))), limits=fault.limits)
    last = events[-1]
    assert isinstance(last, CrawlFinished)
    taken = TAKEN_FOR[fault.name]
    seen = classes(events)
    assert taken in seen, (seen, last)
    right = truth(name)
    found = problems(events, TASK[name])
    assert all(each == right[each.external_id] for each in found)
    if taken == "ok":
        assert last.state is ScrapeState.SUCCEEDED
        assert len(found) == len(right)
        return
    assert last.reason
    assert set(seen) <= {"ok", taken}
    if taken == "blocked":
        assert last.state is ScrapeState.BLOCKED
        assert seen[-1] == "blocked", "nothing is asked after a refusal"
    elif what == "list" or fault.robots:
        assert last.state is ScrapeState.FAILED
        assert not found
    else:
        assert last.state is ScrapeState.PARTIAL
        assert {world(name)[0].problems[0].external_id} <= {each.external_id for each in found}
        if what == "problem":
            assert REASONS.get(fault.name, "") in f"{last.reason} {[finding.code for finding in last.findings]}"
            assert world(name)[1].problems[0].external_id not in {each.external_id for each in found}


@pytest.mark.parametrize("name", SITES)
def test_bytes_of_another_charset_are_read_right_or_alarm(name: str) -> None:
    """Never a text that is silently another one."""
    events = walk(name, spoiled(fake(name, world(name)), FAULTS["wrong_charset"], matching(page(name, "problem"))))
    last = events[-1]
    assert isinstance(last, CrawlFinished)
    right = truth(name)
    wrong = [problem.external_id for problem in problems(events, TASK[name]) if problem != right[problem.external_id]]
    assert not wrong or last.state is ScrapeState.PARTIAL


@pytest.mark.parametrize("name", SITES)
def test_a_fault_that_passes_is_asked_again_within_the_walk(name: str) -> None:
    """A server that fails twice and is then well costs nothing but the wait."""
    patient = FetchLimits(timeout_s=3, total_s=4, retries=2, backoff_s=0.01, max_wait_s=0.1)
    for fault in ("unavailable", "dropped", "truncated"):
        answer = spoiled(fake(name, world(name)), FAULTS[fault], matching(page(name, "problem")), times=2)
        events = walk(name, answer, limits=patient)
        assert isinstance(events[-1], CrawlFinished)
        assert events[-1].state is ScrapeState.SUCCEEDED, (fault, events[-1])
        assert len(problems(events, TASK[name])) == len(truth(name))


CHILD = """
import resource, sys
from datetime import UTC, datetime, timedelta
from app.domain.sources.crawl_job import CrawlJob
from scrapers.crawl import crawl
from scrapers.page_fetcher import SiteConnection
from scrapers.site import find_site
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
job = CrawlJob(datetime(2026, 6, 17, 9, tzinfo=UTC), timedelta(), fetch_statements=True)
connection = SiteConnection(lambda _: 0.0, "operator@example.test", base_url=sys.argv[1])
*_, last = crawl(find_site("atcoder"), job, connection)
print(last.state, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


@pytest.mark.parametrize("fault", ["gzip_bomb", pytest.param("hundred_megabytes", marks=pytest.mark.slow)])
def test_memory_is_bounded_by_the_limits_of_every_day(fault: str) -> None:
    """With the bounds a worker has: a body without an end grows it by what one body may have, and a little."""
    answer = spoiled(fake("atcoder", world("atcoder")), FAULTS[fault], matching(page("atcoder", "problem")))
    with LiveSite(answer, lambda: NOW) as site:
        done = subprocess.run(
            [sys.executable, "-c", CHILD, site.url], capture_output=True, text=True, timeout=300, check=True,
            cwd=Path(__file__).resolve().parents[2],
        )  # fmt: skip
    state, grown = done.stdout.split()
    assert state == ScrapeState.PARTIAL
    assert int(grown) < 64 * 3, "megabytes"
