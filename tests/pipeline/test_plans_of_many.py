"""Planning for many runs: each look at what they have is at some of them, so that none outlasts what it may take."""

from pipeline.flow import NOW, offer
from sqlalchemy import event, func, select
from support.batches import batch, problem

from app.db.kernel.session import Session
from app.db.tables import Sample
from app.domain.asking.protocols import HOUSE
from app.services.runs import imports, plan

RUNS = 120


def test_of_many_runs_some_at_a_time_are_looked_at_and_all_are_planned(session: Session) -> None:
    imports.store_batch(session, batch(problem(0), problem(1)), NOW)
    efforts = tuple({"effort": str(number)} for number in range(RUNS))
    plan.register_demo(session, (offer("alpha", *efforts),), HOUSE, NOW)
    looks: list[int] = []

    def look(*given: object) -> None:
        values = given[3]
        assert isinstance(values, dict)
        if "generate_series" in str(given[2]) and "INSERT" not in str(given[2]):
            looks.extend(len(value) for value in values.values() if isinstance(value, list))

    event.listen(session.connection(), "before_cursor_execute", look)
    assert plan.plan_samples(session, NOW) == 2 * RUNS
    of_each = select(func.count(Sample.id)).group_by(Sample.run_id)
    assert session.scalars(of_each).all() == [2 * HOUSE.sampling.n] * RUNS
    assert plan.plan_samples(session, NOW) == 0
    assert 1 < max(looks) <= 50, "as many lists of runs as it takes, and none of all"
