"""Nothing of a contest is used before its end and the margin after it: no problem published, none planned or sent."""

from dataclasses import replace
from datetime import timedelta

import pytest
from fakes.fake_site import fake_site
from pipeline.flow import LEASE, NOW, VAULT, standing
from sqlalchemy import select
from support import atcoder_pages as pages
from support.batches import batch
from support.batches import problem as some_problem
from support.consensus import add_setter, fresh, ranked, samples_of
from support.scraping import over

from app.config import Settings
from app.db.kernel.session import Session
from app.db.tables import Contest, ExposureRow, Problem, Sample
from app.domain.imports import ImportedContest
from app.domain.publishing.holds import CONTEST_MARGIN
from app.domain.states import ContestState, ProblemState
from app.services.problems import publishing
from app.services.runs import imports, inference, plan
from app.services.sources import visits
from app.source_settings import SourceSettings
from workers import tasks
from workers.context import now

MOMENT = timedelta(seconds=1)


def test_a_running_contests_problem_is_neither_published_nor_sent(session: Session) -> None:
    """An import may know a problem early: proven tests do not make its contest end sooner."""
    ends = NOW + timedelta(hours=1)
    running = ImportedContest("running", "Running", NOW - timedelta(hours=1), ends)
    early = (
        replace(some_problem(number, shipped=shipped), released_on=running.starts_at, contest=running, programs=())
        for number, shipped in ((0, True), (2, False))
    )
    imports.store_batch(session, batch(*early, some_problem(1)), NOW)
    standing(session, "tern")
    over_at = ends + CONTEST_MARGIN
    for moment in (NOW, ends, over_at - MOMENT):
        plan.plan_samples(session, moment)
        assert session.scalars(select(Problem.state).order_by(Problem.external_id)).all() == [
            ProblemState.FOUND,
            ProblemState.PUBLISHED,
            ProblemState.FOUND,
        ]
        asked = select(Problem.external_id).join(Sample, Sample.problem_id == Problem.id)
        assert session.scalars(asked).all() == ["sum-1"]
    [endpoint] = plan.sweep(session, over_at - MOMENT).endpoints
    work = inference.open_slice(session, endpoint, over_at - MOMENT, LEASE, VAULT)
    assert work is not None
    assert len(work.requests) == 1
    assert len(session.scalars(select(ExposureRow.problem_id)).all()) == 1
    inference.close_slice(session, work)
    plan.plan_samples(session, over_at)
    session.expire_all()
    assert set(session.scalars(select(Problem.state))) == {ProblemState.PUBLISHED}
    work = inference.open_slice(session, endpoint, over_at, LEASE, VAULT)
    assert work is not None
    assert len(work.requests) == 2


def test_the_margin_is_its_operators(session: Session) -> None:
    ends = NOW - timedelta(minutes=1)
    ended = ImportedContest("ended", "Ended", NOW - timedelta(hours=1), ends)
    late = replace(some_problem(0), released_on=ended.starts_at, contest=ended, programs=())
    imports.store_batch(session, batch(late), NOW)
    standing(session, "tern")
    for margin_s, states in ((None, "found"), (61.0, "found"), (60.0, "published")):
        visits.apply_policies(session, {"house": SourceSettings(margin_s=margin_s)})
        plan.plan_samples(session, NOW)
        assert session.scalars(select(Problem.state)).all() == [states]
        assert len(session.scalars(select(Sample.id)).all()) == (states == "published")


def test_a_longer_margin_holds_for_what_was_checked_before(session: Session) -> None:
    problem = fresh(session)
    ranked(session, "tern", "Tern Labs")
    for vendor in ("a", "b"):
        add_setter(session, vendor, vendor)
    publishing.update_state(session, problem, NOW)
    assert problem.state == ProblemState.CHECKED
    for days, asks in ((30, False), (0, True)):
        visits.apply_policies(session, {"atcoder": SourceSettings(margin_s=days * 86_400)})
        plan.plan_samples(session, NOW)
        assert bool(samples_of(session, problem)) is asks


def test_what_comes_out_later_is_sent_to_nobody_before_that_though_no_contest_is_known(session: Session) -> None:
    problem = fresh(session)
    problem.contest_id, problem.released_on = None, NOW - CONTEST_MARGIN + MOMENT
    ranked(session, "tern", "Tern Labs")
    for vendor in ("a", "b"):
        add_setter(session, vendor, vendor)
    publishing.update_state(session, problem, NOW)
    assert problem.state == ProblemState.CHECKED
    for moment, asks in ((NOW, False), (NOW + MOMENT, True)):
        plan.plan_samples(session, moment)
        assert bool(samples_of(session, problem)) is asks


@pytest.mark.parametrize("margin", [CONTEST_MARGIN, timedelta(minutes=30)])
def test_a_visit_asks_a_contest_for_its_tasks_only_after_the_margin(settings: Settings, margin: timedelta) -> None:
    """The task of the workers, against a site: one contest ended a moment ago, the other before the margin."""
    minutes = 100
    ended = {"abc901": margin + timedelta(minutes=2), "abc902": margin - timedelta(minutes=2)}
    starts = {name: now() - ago - timedelta(minutes=minutes) for name, ago in ended.items()}
    rows = [
        (name, (at + timedelta(hours=9)).strftime("%Y-%m-%d %H:%M:%S+0900"), "01:40") for name, at in starts.items()
    ]
    with fake_site({"/contests/archive": pages.archive(rows[::-1]), "/contests/": pages.archive([])}) as site:
        ctx = over(settings, site.url, margin_s=None if margin == CONTEST_MARGIN else margin.total_seconds())
        tasks.scrape("atcoder")
        paths = [asked.path for asked in site.asked]
    assert any("abc901" in path for path in paths), paths
    assert not any("abc902" in path for path in paths), paths
    with ctx.sessions() as session:
        assert set(session.scalars(select(Contest.state))) == {ContestState.ENDED}, (
            "it is the margin that keeps us away"
        )
