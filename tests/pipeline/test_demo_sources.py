"""A demo source: covered by its name alone, set by demo setters alone, and its fresh problems before a backlog."""

from datetime import date, timedelta

from factories import World
from pipeline.flow import LEASE, NOW, VAULT
from sqlalchemy import select
from support.consensus import MINUTE, add_setter, asked, fresh, ranked, samples_of, says, setting_of, settle

from app.db.kernel.session import Session
from app.db.sources.scope import in_scope
from app.db.tables import Problem, ProofState, Setter, Source, TestSet
from app.domain.asking.protocols import FRESH, HOUSE
from app.domain.sources.kinds import DEMO_SITE
from app.domain.states import ProblemState
from app.services.runs import plan
from app.services.runs.consensus import consensus_jobs, setters
from app.services.runs.consensus.setters import NewSetter
from app.services.runs.control.endpoints import NewEndpoint

OLD = date(2026, 9, 1)


def add_demo_setters(session: Session, *names: str, base_url: str = "file:///a#sha256=1") -> None:
    offers = [
        NewSetter(name, f"{name} works", NewEndpoint(name, "setters_replay", name, base_url), "bundled", demo=True)
        for name in names
    ]
    setters.add_bundled(session, offers, NOW, VAULT, lambda *_: None)


def demo_problem(session: Session, world: World) -> Problem:
    source = world.source(DEMO_SITE, demo=True)
    problem = fresh(session, "best", source=DEMO_SITE, world=world)
    assert problem.source_id == source.id
    return problem


def test_invented_contests_are_asked_under_the_house_protocols_alone(session: Session) -> None:
    world = World(session, now=NOW)
    demo_problem(session, world)
    fresh(session, "other", world=world)
    covered = {
        protocol.slug: set(session.scalars(select(Source.slug).join(Problem).where(in_scope(protocol.covers))))
        for protocol in (HOUSE, FRESH)
    }
    assert covered == {"house": {DEMO_SITE}, "fresh": {"atcoder"}}


def test_demo_setters_make_tests_of_demo_sources_alone_and_nobody_elses_do(session: Session) -> None:
    world = World(session, now=NOW)
    ranked(session, "tern", "Tern Labs")
    add_demo_setters(session, "alder", "birch", "cedar")
    shown, real = demo_problem(session, world), fresh(session, "real", world=world)
    assert settle(session, real) == ProblemState.HELD, "nobody can make its tests"
    assert settle(session, shown) == ProblemState.CHECKED
    for vendor in ("a", "b"):
        add_setter(session, f"of-{vendor}", vendor)
    session.refresh(real)
    plan.plan_samples(session, NOW)
    assert set(setting_of(session, real).drawn) == {"a", "b"}
    assert set(setting_of(session, shown).drawn) < {"alder works", "birch works", "cedar works"}


def test_a_bundled_setter_follows_its_file_and_stays_removed(session: Session) -> None:
    add_demo_setters(session, "alder", "birch")
    add_demo_setters(session, "alder", "birch", base_url="file:///b#sha256=2")
    assert session.scalars(select(Setter.name).order_by(Setter.name)).all() == ["alder", "birch"]
    setters.remove(session, "birch", "enough", NOW)
    add_demo_setters(session, "alder", "birch", base_url="file:///b#sha256=2")
    assert {line.name: line.state for line in setters.setters(session)} == {"alder": "active", "birch": "removed"}


def test_what_a_fresh_problem_waits_for_comes_first_one_suite_at_a_time(session: Session) -> None:
    world = World(session, now=NOW)
    ranked(session, "tern", "Tern Labs")
    for vendor in ("a", "b"):
        add_setter(session, f"of-{vendor}", vendor)
    problems = [fresh(session, "old", day=OLD, world=world), fresh(session, "new", world=world)]
    for problem in problems:
        settle(session, problem)
    assert not plan.sweep(session, NOW).fresh_consensus, "nobody has answered"
    while asked(session, lambda name: says(name.removeprefix("of-"))):
        pass
    assert samples_of(session, problems[1])
    due = plan.sweep(session, NOW)
    assert (due.consensuses, due.fresh_consensus) == (2, True)
    assert consensus_jobs.claim(session, NOW, LEASE) is not None
    due = plan.sweep(session, NOW + MINUTE)
    assert (due.consensuses, due.fresh_consensus) == (1, False), "one is under way"
    later = NOW + LEASE + timedelta(minutes=1)
    assert plan.sweep(session, later).fresh_consensus, "its worker was lost"
    built = world.problem("built", day=date(2026, 10, 31))
    session.get_one(TestSet, built.current_test_set_id).proof = ProofState.WAITING
    session.flush()
    assert not plan.sweep(session, later).fresh_consensus, "what was built is proven first"
