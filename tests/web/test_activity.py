"""Maintainers' charts of the last fortnight, the way of each contest, and what to do about an alert."""

import re
from datetime import date, timedelta

import pytest
from factories import NOW, World
from httpx import Client

from app.db.tables import Alert, Capture, ExpectedDataRow, ScrapeRun
from app.domain.judging.verdicts import Verdict
from app.domain.reasons import Reason
from app.domain.sources.schedule import PROBLEMS
from app.domain.states import ExpectedDataState, ScrapeState
from app.services.operations.access import issue_login_link
from app.services.operations.activity import DAYS, HOURS, ActivityChart, ActivityMeasure, activity_charts
from web.i18n import catalogue, locales

TODAY = NOW.date()


def _sign_in(world: World, client: Client) -> None:
    token = issue_login_link(world.session, NOW)
    world.session.commit()
    client.post("/en/login", data={"token": token}, follow_redirects=False)


def _visited_site(world: World) -> None:
    """A site with a visit, two responses of which one lacks a field, and a contest whose problems came in 3 hours."""
    source = world.source("atcoder")
    run = ScrapeRun(source_id=source.id, state=ScrapeState.SUCCEEDED, started_at=NOW - timedelta(days=1))
    world.session.add(run)
    world.session.flush()
    for index, findings in enumerate(([], [{"code": "missing_limits", "message": "no limits"}])):
        world.session.add(
            Capture(
                source_id=source.id,
                scrape_run_id=run.id,
                url=f"https://a.test/{index}",
                kind="task",
                classification="ok",
                findings=findings,
                records=1,
                fetched_at=NOW - timedelta(days=2),
            )
        )
    contest = world.contest(source, "abc1", TODAY - timedelta(days=3))
    ended = contest.ends_at
    assert ended is not None
    world.session.add(
        ExpectedDataRow(
            contest_id=contest.id,
            purpose=PROBLEMS,
            state=ExpectedDataState.MET,
            due_at=ended,
            late_at=ended,
            settled_at=ended + timedelta(hours=3),
        )
    )
    world.session.flush()


def _chart(world: World, measure: ActivityMeasure) -> ActivityChart:
    return next(chart for chart in activity_charts(world.session, NOW) if chart.measure is measure)


def _on(chart: ActivityChart, name: str, day: date) -> float | None:
    place = [at.date() for at in chart.axis].index(day)
    return next(series for series in chart.series if series.name == name).values[place]


def test_charts_count_by_day_what_happened(world: World) -> None:
    _visited_site(world)
    two_days_ago = TODAY - timedelta(days=2)
    assert _on(_chart(world, ActivityMeasure.VISITS), "succeeded", TODAY - timedelta(days=1)) == 1
    assert _on(_chart(world, ActivityMeasure.VISITS), "succeeded", TODAY) == 0
    assert _on(_chart(world, ActivityMeasure.RESPONSES), "ok", two_days_ago) == 2
    assert _on(_chart(world, ActivityMeasure.INCOMPLETE), "atcoder", two_days_ago) == 1
    lag = _chart(world, ActivityMeasure.LAG)
    assert _on(lag, "atcoder", TODAY - timedelta(days=3)) == pytest.approx(3.0)
    assert _on(lag, "atcoder", TODAY) is None, "a day without an arrival has no lag, rather than one of 0"
    assert len(lag.axis) == DAYS


def test_judging_shows_received_and_judged_answers_by_the_hour(world: World) -> None:
    run = world.run("orion")
    world.now = NOW - timedelta(hours=5)
    world.answer(run, world.problem("p0"), Verdict.ACCEPTED)
    chart = _chart(world, ActivityMeasure.JUDGING)
    assert len(chart.axis) == HOURS
    for series in chart.series:
        assert [place for place, value in enumerate(series.values) if value] == [HOURS - 6], series.name
        assert sum(value or 0 for value in series.values) == 1


def test_activity_page_draws_what_it_has_and_says_what_it_lacks(world: World, client: Client) -> None:
    _visited_site(world)
    assert client.get("/en/ops/activity").status_code == 401
    _sign_in(world, client)
    page = client.get("/en/ops/activity").text
    assert page.count("data-activity") == 4
    assert page.count("Nothing was recorded in this time.") == 2
    assert '<td class="num" data-value="3.0">3.00</td>' in page
    assert "uplot" not in client.get("/en/").text, "only this page loads the library"


def test_a_contest_shows_the_steps_of_its_way(world: World, client: Client) -> None:
    _visited_site(world)
    _sign_in(world, client)
    page = client.get("/en/ops").text
    row = re.findall(r'<ul class="way">.*?</ul>', page, re.S)[0]
    assert 'reached">contest fetched <span class="muted">+3 h' in row
    assert 'ahead">published' in row


def test_an_empty_installation_says_what_to_do_first(world: World, client: Client) -> None:
    _sign_in(world, client)
    page = client.get("/en/ops").text
    assert "To bring in the first one" in page
    assert "./tidemark scrape atcoder" in page


def test_every_alert_has_its_paragraph(world: World, client: Client) -> None:
    world.session.add(
        Alert(key="stale:atcoder", message=Reason("stale", {"what": "AtCoder", "at": "now"}), raised_at=NOW)
    )
    _sign_in(world, client)
    assert "A site has not been visited for days." in client.get("/en/ops").text
    kinds = {
        "asking", "blocked", "calendar", "checker", "contests_missing", "contests_unknown", "control", "failed", "gpu",
        "grading", "job", "late", "paused", "quarantine", "room", "stale", "undecided", "unpublished",
    }  # fmt: skip
    for locale in locales():
        known = {key.removeprefix("runbook.") for key in catalogue(locale).messages if key.startswith("runbook.")}
        assert known == kinds
