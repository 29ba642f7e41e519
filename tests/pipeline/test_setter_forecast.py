"""`tidemark setter forecast`: the documented figures before anything is measured, the measured ones after that."""

import re
from datetime import timedelta
from pathlib import Path

from factories import World
from pipeline.flow import NOW
from sqlalchemy import select, update
from support.commands import said, tidemark
from support.consensus import add_setter, fresh, ranked, samples_of, setting_of, settle
from support.rules import ROOT

from app.db.kernel.session import Session
from app.db.tables import Contest, Endpoint, Problem
from app.domain.consensus import forecast as figures
from app.domain.reasons import text_reason
from app.domain.states import ConsensusState, SampleState
from app.services.runs.consensus import forecast, setters
from workers.context import Context


def test_before_any_setter_it_forecasts_two_assumed_ones(ctx: Context) -> None:
    found = said(tidemark(ctx.settings, "setter", "forecast", "--json"))
    assert (found["vendors"], found["judged"]) == (0, 0)
    assert [setter["problems"] for setter in found["setters"]] == [0, 0]
    assert found["problem"] == {"calls": 18.0, "tokens": 18 * 4750, "judge_s": 128.0, "usd": None}
    assert [site["site"] for site in found["sites"]] == ["atcoder"], "no other site's statements are fetched"
    assert found["sites"][0]["contest"]["calls"] == 6 * 18.0
    assert found["week"]["calls"] == 12 * 18.0
    assert found["most_per_problem"] == {"calls": 200, "tokens": 4_000_000, "judge_s": 1800.0, "usd": 25.0}
    text = tidemark(ctx.settings, "setter", "forecast").stdout
    assert "a contest of atcoder, 6.0 problems" in text
    assert "Registered: setters of 0 vendors." in text


def test_every_site_that_may_be_sent_is_counted(ctx: Context) -> None:
    names = {
        "TIDEMARK_SOURCES__CODEFORCES__FETCH_STATEMENTS": "true", "TIDEMARK_SOURCES__ATCODER__SEND_STATEMENTS": "false",
        "TIDEMARK_SOURCES__LEETCODE__FETCH_STATEMENTS": "true", "TIDEMARK_SOURCES__LEETCODE__ENABLED": "false",
    }  # fmt: skip
    found = said(tidemark(ctx.settings, "setter", "forecast", "--json", **names))
    assert [site["site"] for site in found["sites"]] == ["codeforces"]


def _measure(session: Session, world: World) -> None:
    """A held problem about which two setters answered two items each, in 100 s of judging."""
    for vendor in ("a", "b"):
        add_setter(session, f"of-{vendor}", vendor)
    session.execute(update(Endpoint).values(price_input=1, price_output=10))
    ranked(session, "tern", "Other")
    problem = fresh(session, world=world)
    settle(session, problem)
    consensus = setting_of(session, problem)
    consensus.state, consensus.reason, consensus.ended_at = ConsensusState.HELD, text_reason("no"), NOW
    consensus.judge_s = 100.0
    asked = [sample for sample in samples_of(session, problem) if sample.run_id in _setter_runs(session)]
    for sample in asked:
        sample.state = SampleState.PENDING
    for sample in [each for each in asked if each.item < 2]:
        sample.state, sample.requests, sample.answered_at = SampleState.ANSWERED, 2, NOW
        sample.tokens_input, sample.tokens_cached, sample.tokens_answer, sample.tokens_reasoning = 1000, 0, 50, 450
    session.flush()


def _setter_runs(session: Session) -> set[int]:
    return {line.run for line in setters.setters(session)}


def test_what_was_measured_takes_the_place_of_documented_figures(session: Session) -> None:
    world = World(session, now=NOW)
    _measure(session, world)
    contest = session.scalars(select(Contest)).one()
    assert contest.ends_at is not None
    found = forecast.forecast(session, ["atcoder"], contest.ends_at + timedelta(weeks=2))
    assert {setter.name: (setter.use.calls, setter.use.problems) for setter in found.setters} == {
        "of-a": (4.0, 1), "of-b": (4.0, 1),
    }  # fmt: skip
    assert (found.judged, found.problem.judge_s) == (1, 100.0)
    assert (found.problem.calls, found.problem.tokens) == (8.0, 2 * (2000.0 + 1000.0))
    assert found.problem.usd is not None
    assert float(found.problem.usd) == 2 * (2000 * 1 + 1000 * 10) / 1_000_000
    [site] = found.sites
    assert (site.contests, site.problems_per_contest, site.contests_per_week) == (1, 1.0, 0.5)
    assert found.week.calls == 4.0


def test_setter_whose_tests_are_still_made_counts_for_nothing(session: Session) -> None:
    world = World(session, now=NOW)
    _measure(session, world)
    consensus = setting_of(session, session.scalars(select(Problem)).one())
    consensus.state, consensus.reason, consensus.ended_at = ConsensusState.ASKING, None, None
    session.flush()
    found = forecast.forecast(session, [], NOW)
    assert all(setter.use == figures.DOCUMENTED_USE for setter in found.setters)
    assert found.judged == 0


def test_the_document_states_the_figures() -> None:
    text = " ".join(Path(ROOT / "docs" / "consensus.md").read_text(encoding="utf-8").split())
    for number in (
        figures.INPUT_TOKENS_PER_CALL, figures.OUTPUT_TOKENS_PER_CALL, int(figures.JUDGE_S_PER_PROBLEM),
        int(figures.PROBLEMS_PER_CONTEST), int(figures.CONTESTS_PER_WEEK), figures.CALLS_PER_PROBLEM,
    ):  # fmt: skip
        assert re.search(rf"\b{number:,}\b", text.partition("## What it takes")[2].partition(" ## ")[0]), number
