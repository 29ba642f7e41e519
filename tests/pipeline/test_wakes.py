"""Who is woken when something is done: whoever can go on with it, and nobody else."""

import json

import pytest
from pipeline.flow import answer_all, standing
from redis import Redis
from sqlalchemy import select
from support.batches import SUM, batch, problem
from support.consensus import add_setter, asked, fresh, settle

from app.db.tables import CellRow
from app.services.problems import publishing
from app.services.runs import imports
from workers import tasks
from workers.broker import make_app
from workers.context import Context, now

pytestmark = pytest.mark.sandbox


def woken(ctx: Context) -> list[str]:
    """The tasks that wait in queues; from now on they do not."""
    with Redis.from_url(ctx.settings.plain_redis_url()) as client:
        queues = [key for key in client.scan_iter() if client.type(key) == b"list"]
        waiting = [json.loads(each) for queue in queues for each in client.lrange(queue, 0, -1)]
        client.flushdb()
    return sorted(each["headers"]["task"].removeprefix("tidemark.") for each in waiting)


def test_a_proof_wakes_the_plan_and_a_problem_that_is_played_another_and_the_prover(ctx: Context) -> None:
    """Who finds a proof under way wakes nobody: else the plan would wake the prover and the prover the plan, for as
    long as the proof takes."""
    ctx.commit(imports.store_batch, batch(problem(0, shipped=False)), now())
    assert ctx.commit(publishing.claim_proof, now(), ctx.lease) is not None
    woken(ctx)
    tasks.prove_tests()
    tasks.build_suites()
    assert "plan" not in woken(ctx)

    ctx.commit(imports.store_batch, batch(problem(1, shipped=False)), now())
    woken(ctx)
    tasks.prove_tests()
    assert "plan" in woken(ctx)

    with ctx.sessions.begin() as session:
        found = fresh(session)
        for vendor in ("a", "b"):
            add_setter(session, vendor, vendor, now())
        settle(session, found, now())
        asked(session, lambda _: lambda _: None, now())
    woken(ctx)
    tasks.build_suites()
    assert {"set", "prove"} <= set(woken(ctx))


def test_answers_that_are_judged_are_counted_while_others_wait(ctx: Context) -> None:
    """All boards are looked at when a turn ends in which something was judged: that takes longer."""
    ctx.commit(imports.store_batch, batch(problem(0), problem(1)), now())
    with ctx.sessions.begin() as session:
        standing(session, "tern")
        answer_all(session, f"```python\n{SUM}```", now())
    woken(ctx)
    tasks.grade_answers()
    names = woken(ctx)
    assert [name for name in names if name in ("tally", "aggregate")] == ["aggregate", "tally"]
    tasks.tally()
    with ctx.sessions() as session:
        assert [cell.c for cell in session.scalars(select(CellRow))] == [1, 1]
    woken(ctx)
    tasks.grade_answers()
    assert "aggregate" not in woken(ctx), "nothing was judged"


def test_what_takes_minutes_is_done_last(ctx: Context) -> None:
    """And what is short, before the many wake-ups for answers that wait."""
    for name in ("set", "prove", "grade", "grade", "grade", "derive", "canary"):
        ctx.wake(name)
    app = make_app(ctx.settings.redis_url)
    done = []
    with app.connection_for_read() as connection, connection.SimpleQueue("grade") as queue:
        for _each in range(7):
            message = queue.get(block=True, timeout=10)
            done.append(message.headers["task"].removeprefix("tidemark."))
            message.ack()
    assert done == ["derive", "canary", "prove", "grade", "grade", "grade", "set"]
