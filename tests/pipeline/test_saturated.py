"""An endpoint is asked as much as it takes: one call that stalls keeps none of its other samples waiting."""

from collections import Counter
from dataclasses import replace

from fakes import model_server
from fakes.model_server import Asked, ModelServer, Say
from pipeline.flow import offer
from sqlalchemy import func, select, update
from support.batches import batch, problem

from app.db.tables import Endpoint, Run, Sample
from app.domain.asking.protocols import HOUSE
from app.domain.states import RunState, SampleState
from app.services.runs import imports, inference, plan
from workers import tasks
from workers.context import Context, now

SAMPLES = 400


def stalls_once(asked: Asked) -> Say:
    return Say(stall=True) if asked.number == 40 else model_server.message(f"```python\n{asked.number}\n```")


def register(ctx: Context, server: ModelServer) -> None:
    """An endpoint that is known to answer, with more samples than a slice takes at first."""
    protocol = replace(HOUSE, slug="many", sampling=replace(HOUSE.sampling, n=SAMPLES // 2))
    ctx.commit(imports.store_batch, batch(problem(0), problem(1)), now())
    ctx.commit(plan.register_demo, (replace(offer("tern"), base_url=server.url),), protocol, now())
    with ctx.sessions.begin() as session:
        session.execute(update(Endpoint).values(served_at=now(), timeout_s=6.0, max_concurrency=64))
    ctx.commit(plan.plan_samples, now())


def states(ctx: Context) -> Counter[str]:
    with ctx.sessions() as session:
        return Counter(session.scalars(select(Sample.state)))


def test_one_call_that_stalls_keeps_no_other_sample_waiting(ctx: Context) -> None:
    assert inference.SLICE_SAMPLES < SAMPLES
    with ModelServer(stalls_once) as server:
        register(ctx, server)
        tasks.infer_slice()
        assert states(ctx) == {SampleState.ANSWERED: SAMPLES}
        assert len(server.asked) == SAMPLES + 1, "each once, and again the one that stalled"
    with ctx.sessions() as session:
        assert session.scalar(select(func.count(Sample.answer.distinct()))) == SAMPLES


def test_a_run_that_is_paused_meanwhile_gets_no_more_of_its_samples_asked(ctx: Context) -> None:
    def pause(asked: Asked) -> Say:
        if asked.number == 100:
            with ctx.sessions.begin() as session:
                session.execute(update(Run).values(state=RunState.PAUSED))
        return stalls_once(asked)

    with ModelServer(pause) as server:
        register(ctx, server)
        tasks.infer_slice()
        assert len(server.asked) <= inference.SLICE_SAMPLES + 1
    assert states(ctx)[SampleState.PENDING] >= SAMPLES - inference.SLICE_SAMPLES
