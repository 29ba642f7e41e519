"""What a run is asked first: half of it is a fair half, and planning again takes nothing."""

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from factories import World
from pipeline.flow import LEASE, NOW, offer, standing
from sqlalchemy import select

from app.db.kernel.leases import new_lease
from app.db.kernel.session import Session, make_engine, make_sessionmaker
from app.db.runs import planning, samples
from app.db.tables import CellRow, Endpoint, Model, Problem, Run, Sample
from app.domain.asking.protocols import HOUSE, LCB_REPAIR, Protocol
from app.domain.judging.verdicts import Verdict
from app.domain.states import SampleState
from app.services.boards.board_views import CubeStore, board, parse_query
from app.services.runs import plan
from workers import tasks
from workers.context import Context

DAY = timedelta(days=1)
FIRST = date(2026, 3, 1)
OTHERS = 4


def known(world: World, count: int = 80) -> list[Problem]:
    """Problems of a day each, as hard this week as last: the number-th was solved by number % 5 of the four others."""
    made = [world.problem(f"p{i}", day=FIRST + i * DAY, level=3 - i % 5 // 2) for i in range(count)]
    for other in range(OTHERS):
        run = world.run(f"other-{other}")
        world.answers(run, ((each, verdict(i % 5 > other)) for i, each in enumerate(made)))
    world.count()
    return made


def verdict(solved: bool) -> Verdict:
    return Verdict.ACCEPTED if solved else Verdict.WRONG_ANSWER


def asked(session: Session, slug: str) -> list[tuple[int, int]]:
    """(problem, ordinal) of the samples of a model, in the order in which they are claimed."""
    of_model = select(Run.id).join(Model, Model.id == Run.model_id).where(Model.slug == slug)
    rows = select(Sample.problem_id, Sample.ordinal).where(Sample.run_id.in_(of_model)).order_by(Sample.id)
    return [(row[0], row[1]) for row in session.execute(rows)]


def test_half_a_run_is_a_fair_half_whose_estimate_is_near_the_truth(session: Session, tmp_path: Path) -> None:
    """A model that fails the newer half where the others do not: asked newest first, it would pass for a weak one."""
    world = World(session)
    made = known(world)
    place = {each.id: i for i, each in enumerate(made)}

    def solved(i: int) -> bool:
        return i % 5 > 0 if i < len(made) // 2 else i % 5 > 3

    standing(session, "tern")
    endpoint = session.scalars(select(Endpoint.id)).one()
    claimed = samples.claim_for_inference(session, endpoint, new_lease(NOW, LEASE), NOW, len(made) // 2)
    answered = [place[each.problem_id] for each in claimed]
    for number, each in zip(answered, claimed, strict=True):
        sample = session.get_one(Sample, each.id)
        sample.state, sample.lease_token, sample.lease_until = SampleState.GRADED, None, None
        world.verdict(sample, made[number], verdict(solved(number)))
    newest_first = world.run("crow")
    newer = range(len(made) // 2, len(made))
    world.answers(newest_first, ((made[number], verdict(solved(number))) for number in newer))
    world.count()

    assert [sum(i % 5 == ease for i in answered) for ease in range(5)] == pytest.approx([8] * 5, abs=1)
    assert sum(i < len(made) // 2 for i in answered) == pytest.approx(20, abs=3)
    rows = {row.model: row for row in board(session, parse_query([]), CubeStore(tmp_path)).rows}
    truth = 100 * sum(map(solved, range(len(made)))) / len(made)
    fair, unfair = rows["tern"].estimate, rows["crow"].estimate
    assert fair is not None
    assert unfair is not None
    assert rows["tern"].coverage == rows["crow"].coverage == 0.5
    assert abs(fair.score - truth) < 7 < 25 < abs(unfair.score - truth)
    assert fair.lo < truth < fair.hi < 100
    assert not unfair.lo < truth < unfair.hi


def test_planning_again_takes_nothing_and_what_is_new_comes_last(session: Session) -> None:
    world = World(session)
    made = known(world, 15)
    standing(session, "tern", protocol=replace(HOUSE, slug="house-3", sampling=replace(HOUSE.sampling, n=3)))
    before = asked(session, "tern")
    assert [ordinal for _, ordinal in before] == [0, 1, 2] * len(made), "all of a problem before any of the next"
    assert plan.plan_samples(session, NOW) == 0
    for half in (0, 2):  # a sample that is gone is planned anew, and it alone
        session.delete(session.scalars(select(Sample).where(Sample.ordinal == half).order_by(Sample.id)).all()[-1])
    session.flush()
    assert plan.plan_samples(session, NOW) == 1
    assert sorted(asked(session, "tern")) == sorted(before)
    last = max(session.scalars(select(Sample.id)))
    new = world.problem("new", day=FIRST)
    assert plan.plan_samples(session, NOW) == 1
    assert asked(session, "tern")[-3:] == [(new.id, 0), (new.id, 1), (new.id, 2)]
    assert max(session.scalars(select(Sample.id))) == last + 3, "planning nothing takes no numbers"


def test_second_planner_gives_way_while_another_plans(fresh_database: str) -> None:
    """Two who insert the same samples in different orders would wait for each other for ever; nobody stands in line."""
    engine = make_engine(fresh_database)
    sessions = make_sessionmaker(engine)
    with sessions.begin() as session:
        known(World(session), 10)
        plan.register_demo(session, (offer("tern"),), HOUSE, NOW)
    with sessions.begin() as session, sessions.begin() as another:
        assert planning.try_lock_planning(session)
        assert plan.plan_samples(another, NOW) is None
    with sessions.begin() as session:
        assert plan.plan_samples(session, NOW) == 10
    engine.dispose()


def test_who_could_not_plan_comes_again(ctx: Context) -> None:
    ctx.redis.delete("woken:plan", "wakes:plan")
    with ctx.sessions.begin() as session:
        assert planning.try_lock_planning(session)
        tasks.plan_runs()
    assert ctx.redis.delete("woken:plan", "wakes:plan")


def test_ease_is_what_other_runs_of_the_scenario_solved(session: Session) -> None:
    world = World(session)
    made = known(world, 6)
    unseen = world.problem("unseen", day=FIRST)
    other: Protocol = replace(HOUSE, slug="house-zh", locale="zh")
    world.answer(world.run("owl", protocol=other), made[0])
    repairs = world.run("wren", protocol=LCB_REPAIR)
    for each in (*made, unseen):
        world.answer(repairs, each)
    own = world.run("tern")
    world.answer(own, made[5])
    world.count()
    ids = [each.id for each in (*made, unseen)]
    found = planning.mean_pass_rates(session, own, "codegen", ids)
    assert found == {**{made[i].id: i % 5 / OTHERS for i in range(1, 6)}, made[0].id: 1 / (OTHERS + 1)}
    assert planning.mean_pass_rates(session, own, "codegen", ids[1:2]) == {ids[1]: 1 / OTHERS}


def test_on_a_new_site_the_levels_are_spread(session: Session) -> None:
    """Nobody was graded yet: the labels of the sources tell the easy from the hard."""
    world = World(session)
    made = [world.problem(f"p{i}", day=FIRST + i * DAY, level=1 + i // 10) for i in range(30)]
    plan.register_demo(session, (offer("tern"), offer("pipit")), HOUSE, NOW)
    assert plan.plan_samples(session, NOW) == 60
    level = {each.id: i // 10 for i, each in enumerate(made)}
    order = [level[problem] for problem, _ in asked(session, "tern")]
    assert asked(session, "pipit") == asked(session, "tern")
    for count in (6, 15, 24):
        assert [order[:count].count(each) for each in range(3)] == pytest.approx([count / 3] * 3, abs=1)
    assert session.scalars(select(CellRow)).all() == []
