"""Whose turn it is: who waited longest, a share for each organisation, and nobody behind endpoints that stall."""

import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from fakes import model_server
from fakes.model_server import Asked, ModelServer, Say
from pipeline.flow import LEASE, NOW, VAULT, completion, offer
from redis import Redis
from sqlalchemy import select, update
from support.batches import batch, problem
from support.waiting import until

from app.db.kernel.session import Session
from app.db.runs import runs as run_store
from app.db.tables import Endpoint, Model, Run, Sample
from app.domain.asking.completions import AnsweredSample, FailedSample, FailureOwner, Retry
from app.domain.asking.protocols import HOUSE
from app.domain.reasons import text_reason
from app.domain.states import RunState, SampleState
from app.services.runs import imports, inference, plan
from workers import tasks
from workers.context import WAKE_SELDOM_S, Context, now
from workers.slots import SlotClaim

SLOTS = 8


def standing(session: Session, **organisations: str) -> dict[str, int]:
    """A model of each organisation with its endpoint, by slug."""
    imports.store_batch(session, batch(problem(0), problem(1)), NOW)
    offers = [offer(slug) for slug in organisations]
    offers = [replace(each, model=replace(each.model, organisation=organisations[each.model.slug])) for each in offers]
    plan.register_demo(session, tuple(offers), HOUSE, NOW)
    plan.plan_samples(session, NOW)
    rows = session.execute(select(Model.slug, Endpoint.id).join(Model, Model.id == Endpoint.model_id))
    return {row[0]: row[1] for row in rows}


def take(session: Session) -> inference.LeasedSlice | None:
    return inference.open_next_slice(session, NOW, LEASE, VAULT, SLOTS)


def test_who_was_served_longest_ago_is_next(session: Session) -> None:
    made = standing(session, a="A", b="B", c="C")
    for slug, minutes in (("a", 1), ("b", 9), ("c", 5)):
        values = {"served_at": NOW - timedelta(minutes=minutes)}
        session.execute(update(Endpoint).where(Endpoint.id == made[slug]).values(**values))
    taken = [work.endpoint.id for work in iter(lambda: take(session), None)]
    assert taken == [made["b"], made["c"], made["a"]]


def test_an_organisation_with_many_endpoints_does_not_come_first_each_time(session: Session) -> None:
    made = standing(session, a1="A", a2="A", a3="A", b="B")
    taken = [work.endpoint.id for work in iter(lambda: take(session), None)]
    assert taken == [made["a1"], made["b"], made["a2"], made["a3"]]


def test_who_did_not_answer_comes_last_and_holds_a_quarter_at_most(session: Session) -> None:
    made = standing(session, a="A", b="B", c="C", d="D", e="E")
    session.execute(update(Endpoint).where(Endpoint.id != made["e"]).values(silent_slices=1))
    taken = [work.endpoint.id for work in iter(lambda: take(session), None)]
    assert taken == [made["e"], made["a"], made["b"]]


def test_an_endpoint_that_may_be_sent_nothing_rests_and_holds_no_slot(session: Session) -> None:
    made = standing(session, a="A", b="A", c="C")
    work = take(session)
    assert work is not None
    inference.record_all(session, work, [refused(each) for each in work.requests], NOW)
    inference.close_slice(session, work, NOW, answered=False, rests_until=NOW + timedelta(minutes=5))
    assert [work.endpoint.id for work in iter(lambda: take(session), None)] == [made["b"], made["c"]]
    later = NOW + timedelta(minutes=6)
    assert inference.waiting_endpoints(session, later, VAULT, SLOTS) == [made["a"]]
    plan.register_demo(session, (offer("a"),), HOUSE, NOW)
    assert inference.waiting_endpoints(session, NOW, VAULT, SLOTS) == [made["a"]], (
        "registered again, it rests no longer"
    )


def refused(sample: int) -> FailedSample:
    return FailedSample(sample, "answered 429", Retry.LATER, FailureOwner.VENDOR, counts=False)


def test_a_slice_tells_whether_its_endpoint_answers(session: Session) -> None:
    standing(session, a="A")
    for answered, silent in ((False, 1), (False, 2), (True, 0)):
        work = take(session)
        assert work is not None
        inference.close_slice(session, work, NOW, answered=answered)
        session.execute(update(Sample).values(state=SampleState.PENDING, lease_token=None, inference_attempts=0))
        session.expire_all()
        row = session.scalars(select(Endpoint)).one()
        assert (row.silent_slices, row.served_at, row.lease_token) == (silent, NOW, None)


def test_the_unproven_get_a_few_samples_at_first(session: Session) -> None:
    many = replace(HOUSE, slug="many", sampling=replace(HOUSE.sampling, n=200))
    imports.store_batch(session, batch(problem(0)), NOW)
    plan.register_demo(session, (offer("tern"),), many, NOW)
    plan.plan_samples(session, NOW)
    session.execute(update(Endpoint).values(trusted=False))
    for answered, size in ((True, inference.FIRST_SLICE_SAMPLES), (True, 200 - inference.FIRST_SLICE_SAMPLES)):
        work = take(session)
        assert work is not None
        assert len(work.requests) == size
        inference.record_all(session, work, [AnsweredSample(each, completion("x")) for each in work.requests], NOW)
        inference.close_slice(session, work, NOW, answered=answered)
        session.expire_all()


def test_a_slice_that_nothing_answers_makes_way_and_a_slow_one_has_its_time() -> None:
    taken = [0.0]
    held = SlotClaim(600.0, lambda: taken[0])
    assert not held.should_yield(500.0, 0.0, crowded=False)
    assert not held.should_yield(14.0, 0.0, crowded=True)
    assert held.should_yield(15.0, 0.0, crowded=True)
    assert not held.should_yield(80.0, 40.0, crowded=True), "its answers take forty seconds each"
    taken[0] = 30.0
    assert held.should_yield(0.0, 0.0, crowded=True)
    assert not held.should_yield(0.0, 0.0, crowded=False)
    taken[0] = 600.0
    assert held.should_yield(0.0, 0.0, crowded=False), "its time is over"


def test_a_slice_that_only_waits_holds_no_slot_and_its_endpoint_is_not_asked_beside_it(session: Session) -> None:
    made = standing(session, a="A", b="B")
    works = [take(session) for _ in range(2)]
    session.execute(update(Endpoint).values(silent_slices=1))
    assert works[0] is not None
    inference.detach_slice(session, works[0])
    session.expire_all()
    assert [row.aside for row in session.scalars(select(Endpoint).order_by(Endpoint.id))] == [True, False]
    assert inference.waiting_endpoints(session, NOW, VAULT, SLOTS) == []
    later = NOW + 2 * LEASE
    inference.close_slice(session, works[0], later)
    session.execute(update(Sample).values(state=SampleState.PENDING, lease_token=None))
    assert inference.open_slice(session, made["a"], later, LEASE, VAULT) is not None
    assert not session.get_one(Endpoint, made["a"], populate_existing=True).aside


@contextmanager
def asked_by(ctx: Context, **scripts: Say) -> Iterator[dict[str, ModelServer]]:
    """Endpoints that say this, registered, with two problems planned."""
    with ExitStack() as stack:
        servers = {slug: stack.enter_context(ModelServer(say)) for slug, say in scripts.items()}
        offers = tuple(
            replace(each, base_url=servers[each.model.slug].url) for each in (offer(slug) for slug in scripts)
        )
        ctx.commit(imports.store_batch, batch(*(problem(number) for number in range(2))), now())
        ctx.commit(plan.register_demo, offers, HOUSE, now())
        ctx.commit(plan.plan_samples, now())
        yield servers


def test_at_most_one_wake_up_waits_for_each_endpoint_that_is_due(ctx: Context) -> None:
    answer = model_server.message("x")
    with asked_by(ctx, a=answer, b=answer, c=answer), Redis.from_url(ctx.settings.plain_redis_url()) as broker:
        broker.flushdb()
        for _ in range(3):
            tasks.sweep()
        assert broker.llen("infer") == 3
        threads = [threading.Thread(target=ctx.wake_up_to, args=("infer", 5)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert broker.llen("infer") == 5
        for _ in range(3):
            tasks.infer_slice()
        assert set(ctx.commit(states)) == {SampleState.ANSWERED}


def test_a_task_woken_seldom_is_woken_at_once_and_once_more_after_a_while(ctx: Context) -> None:
    with Redis.from_url(ctx.settings.plain_redis_url()) as broker:
        broker.flushdb()
        began = now()
        threads = [threading.Thread(target=ctx.wake_seldom, args=("plan",)) for _ in range(9)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        sent: list[bytes] = broker.lrange("ingest", 0, -1)
        etas = [json.loads(message)["headers"]["eta"] for message in sent]
        [later] = [eta for eta in etas if eta is not None]  # whichever thread came to send its own first
        assert len(etas) == 2
        assert began < datetime.fromisoformat(later) <= now() + timedelta(seconds=WAKE_SELDOM_S)


def states(session: Session) -> list[str]:
    return list(session.scalars(select(Sample.state)))


@pytest.mark.parametrize("what", ["pause", "retire", "stop"])
def test_a_run_that_is_stopped_meanwhile_gets_no_retry(ctx: Context, what: str) -> None:
    began, fails = threading.Event(), threading.Event()
    fails.set()

    def failing(asked: Asked) -> Say:
        began.set()
        late = model_server.error(500, "oops", headers={"retry-after": "5"})
        return late if fails.is_set() else model_server.message("x")

    with asked_by(ctx, tern=model_server.message("x")) as servers:
        servers["tern"].script = failing
        thread = threading.Thread(target=tasks.infer_slice)
        thread.start()
        assert began.wait(20)
        with ctx.sessions.begin() as session:
            if what == "stop":
                session.execute(update(Endpoint).values(stopped_at=now(), stopped_reason=text_reason("by hand")))
            else:
                session.execute(update(Run).values(state=RunState.PAUSED if what == "pause" else RunState.RETIRED))
        try:
            until(lambda: not thread.is_alive(), "the slice's end", 60)
        finally:
            fails.clear()  # else a slice that goes on is left behind
            thread.join(60)
        assert len(servers["tern"].asked) <= 2, "a retry was sent"
    with ctx.sessions() as session:
        rows = session.execute(select(Sample.state, Sample.lease_token)).all()
        assert {tuple(row) for row in rows} == {(SampleState.PENDING, None)}


def test_a_failure_is_on_the_run_while_it_is_still_tried(ctx: Context) -> None:
    with asked_by(ctx, tern=model_server.error(503, "model is loading")):
        thread = threading.Thread(target=tasks.infer_slice)
        thread.start()
        found = until(lambda: [each for each in ctx.commit(errors) if each[0]])
        with ctx.sessions.begin() as session:
            session.execute(update(Run).values(state=RunState.RETIRED))
        thread.join(60)
    assert set(found) == {("answered 503: model is loading", "vendor")}


def errors(session: Session) -> list[tuple[str | None, str | None]]:
    """What samples met that are being asked."""
    asked = select(Sample.error, Sample.error_owner).where(Sample.state == SampleState.INFERRING)
    return [(row[0], row[1]) for row in session.execute(asked)]


def test_a_run_whose_requests_are_refused_has_failed_and_can_be_asked_again(ctx: Context) -> None:
    with asked_by(ctx, tern=model_server.error(400, "unknown field effort")) as servers:
        tasks.infer_slice()
        assert len(servers["tern"].asked) == 2
        tasks.infer_slice()
        assert len(servers["tern"].asked) == 2
    with ctx.sessions.begin() as session:
        run = session.scalars(select(Run)).one()
        assert (run.state, run.state_reason) == (RunState.FAILED, "answered 400: unknown field effort")
        assert set(session.execute(select(Sample.state, Sample.inference_attempts)).all()) == {(SampleState.PENDING, 0)}
        assert run.endpoint_id is not None
        run_store.revive(session, run.endpoint_id)
        assert (run.state, run.state_reason) == (RunState.ACTIVE, None)


@pytest.mark.slow
def test_endpoints_that_stall_keep_a_healthy_one_waiting_for_half_a_minute_at_most(ctx: Context) -> None:
    """Six stall and hold all four threads, one of them forever; then another vendor comes."""
    over = threading.Event()

    def worker() -> None:
        with Redis.from_url(ctx.settings.plain_redis_url()) as broker:
            while not over.is_set():
                if broker.lpop("infer") is None:
                    over.wait(0.1)
                else:
                    tasks.infer_slice()

    stalling = {f"stall{number}": Say(stall=True) for number in range(6)}
    threads = [threading.Thread(target=worker) for _ in range(4)]
    with asked_by(ctx, **stalling, tern=model_server.message("x")) as servers:
        with ctx.sessions.begin() as session:
            session.execute(update(Endpoint).values(timeout_s=600.0))
            tern = session.scalars(select(Endpoint.id).join(Model).where(Model.slug == "tern")).one()
            session.execute(update(Endpoint).where(Endpoint.id == tern).values(stopped_at=now()))
        tasks.sweep()
        for thread in threads:
            thread.start()
        until(lambda: sum(len(servers[slug].asked) > 0 for slug in stalling) >= 4)
        with ctx.sessions.begin() as session:
            session.execute(update(Endpoint).where(Endpoint.id == tern).values(stopped_at=None))
        tasks.sweep()
        until(lambda: servers["tern"].asked, "the healthy endpoint's turn", seconds=30)
        with ctx.sessions.begin() as session:
            session.execute(update(Run).values(state=RunState.PAUSED))
        over.set()
    for thread in threads:
        thread.join(60)
