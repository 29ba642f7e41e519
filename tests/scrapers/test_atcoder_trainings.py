"""AtCoder's daily trainings ask old tasks again: their pages are read, and date nothing."""

import json
from datetime import UTC, datetime

import pytest
from support import atcoder_pages as pages

from app.domain.sources.records import ScrapedContest, ScrapedProblem
from scrapers.replay import parse_page
from scrapers.site import ParsedPage, find_site

SITE = find_site("atcoder")
ADT = "https://atcoder.jp/contests/adt_easy_20260826_1"
START, END = "2026-08-26 18:00:00+0900", "2026-08-26 19:00:00+0900"


def problem_of(parsed: ParsedPage) -> ScrapedProblem:
    (problem,) = (record for record in parsed.records if isinstance(record, ScrapedProblem))
    return problem


@pytest.mark.parametrize("name", ["adt_easy_20260826_1", "ADT_all_20260826_1", "adt_top"])
def test_a_task_of_a_training_is_known_and_not_dated(name: str) -> None:
    body = pages.task(pages.modern([("1\n", "2\n")]), start=START, end=END, heading="C - Lamps")
    parsed = parse_page(SITE, "task", body, f"https://atcoder.jp/contests/{name}/tasks/abc430_a?lang=en")
    problem = problem_of(parsed)
    assert (problem.external_id, problem.title, problem.time_limit_ms) == ("abc430_a", "Lamps", 2000)
    assert problem.samples
    assert (problem.contest, problem.url, problem.starts_at, problem.ends_at) == (None, None, None, None)
    assert not parsed.findings
    own = problem_of(parse_page(SITE, "task", body, "https://atcoder.jp/contests/abc430/tasks/abc430_a?lang=en"))
    assert (own.contest, own.starts_at) == ("abc430", datetime(2026, 8, 26, 9, tzinfo=UTC))


def test_the_lists_say_that_it_is_a_training() -> None:
    name = ADT.rpartition("/")[2]
    listed = parse_page(SITE, "tasks", pages.tasks(name, ["abc430_a"], START, END), f"{ADT}/tasks")
    assert (problem_of(listed).contest, problem_of(listed).starts_at) == (None, None)
    row = {"id": name, "title": "AtCoder Daily Training", "start_epoch_second": 1_787_734_800, "duration_second": 3600,
           "rate_change": "-"}  # fmt: skip
    contests = [
        *listed.records[:1],
        *parse_page(SITE, "archive", pages.archive([(name, START, "01:00")]), "https://atcoder.jp/contests/").records,
        *parse_page(SITE, "contests", json.dumps([row]).encode()).records,
    ]
    assert SITE.plan is not None
    for contest in contests:
        assert isinstance(contest, ScrapedContest)
        assert contest.kind == "training"
        assert not SITE.plan.wants(contest)
    assert SITE.plan.wants(ScrapedContest("awc0101", "AtCoder Weekday Contest 0101 Beta"))
    assert SITE.plan.wants(ScrapedContest("adtech2026", "A Contest")), "no training, though its name begins alike"
