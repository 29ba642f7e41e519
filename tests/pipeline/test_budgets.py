"""Budgets: nothing leaves that could exceed one; a run that has used up its own is paused, and goes on by itself."""

import threading
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from fakes import model_server
from fakes.model_server import ModelServer
from pipeline.flow import LEASE, NOW, VAULT, completion, offer
from sqlalchemy import Connection, func, select, update
from support.batches import batch, problem
from support.servers import Servers, rolled_back

from app.db.kernel.leases import LeaseKind, new_lease
from app.db.kernel.session import Session
from app.db.runs import runs as run_store
from app.db.tables import AuditEntry, Endpoint, Model, Run, Sample, Spending
from app.domain.asking.completions import AnsweredSample, Usage
from app.domain.asking.protocols import HOUSE
from app.domain.errors import InvalidInput, NotFound
from app.domain.states import RunState, SampleState
from app.services.runs import budgets, imports, inference, plan, result_views
from app.services.runs.budgets import BudgetOwner
from app.services.runs.result_views import CellFilter
from workers import tasks
from workers.context import Context

PRICE = 100.0  # US dollars per million tokens: a call may read 1,600 and write 8,192, and so cost $0.98
MANY = replace(HOUSE, slug="many", sampling=replace(HOUSE.sampling, n=10))


@pytest.fixture(scope="module")
def stood(servers: Servers) -> Iterator[Connection]:
    with servers.arranged(lambda session: stand(session, "tern")) as connection:
        yield connection


@pytest.fixture
def world(stood: Connection) -> Iterator[Session]:
    """A run with twenty samples to ask."""
    with rolled_back(stood) as maker, maker() as session:
        yield session


def stand(session: Session, *slugs: str, price: float | None = PRICE) -> None:
    imports.store_batch(session, batch(problem(0), problem(1)), NOW)
    come(session, *slugs, price=price)


def come(session: Session, *slugs: str, price: float | None = PRICE) -> None:
    """More models that are asked for the same."""
    offers = tuple(replace(offer(slug), prices=(price, price)) for slug in slugs)
    plan.register_demo(session, offers, MANY, NOW)
    plan.plan_samples(session, NOW)


def limit(session: Session, usd: float | None, whose: BudgetOwner | None = None) -> None:
    whose = whose or BudgetOwner(run=run_of(session).id)
    budgets.change_budget(session, whose, None if usd is None else Decimal(str(usd)), "a test", NOW)
    session.expire_all()


def run_of(session: Session, slug: str = "tern") -> Run:
    query = select(Run).join(Model, Model.id == Run.model_id).where(Model.slug == slug)
    return session.scalars(query, execution_options={"populate_existing": True}).one()


def opened(session: Session, slug: str = "tern", at: timedelta = timedelta()) -> inference.LeasedSlice | None:
    endpoint_id = run_of(session, slug).endpoint_id
    assert endpoint_id is not None
    return inference.open_slice(session, endpoint_id, NOW + at, LEASE, VAULT)


def answer(session: Session, work: inference.LeasedSlice, tokens: int = 100, at: timedelta = timedelta()) -> None:
    """Each call reads and writes so many tokens."""
    spoke = replace(completion("x"), usage=Usage(tokens, 0, 0, tokens))
    inference.record_all(session, work, [AnsweredSample(each, spoke) for each in work.requests], NOW + at)
    inference.close_slice(session, work, NOW + at)


def states(session: Session) -> dict[str, int]:
    rows = session.execute(select(Sample.state, func.count()).group_by(Sample.state))
    return {row[0]: row[1] for row in rows}


def spent(session: Session) -> Decimal:
    return session.scalar(select(func.sum(Sample.cost_usd))) or Decimal(0)


def test_what_leaves_never_exceeds_the_budget_and_then_the_run_is_paused(world: Session) -> None:
    limit(world, 5)
    sizes = []
    while (work := opened(world)) is not None:
        sizes.append(len(work.requests))
        assert len(work.requests) * Decimal("0.9") <= 5 - spent(world)
        answer(world, work, tokens=4000)  # 0.80 each, of nearly 1.00 that it could have been
    assert sizes == [5, 1]
    assert spent(world) == Decimal("4.8")
    run = run_of(world)
    assert run.state == RunState.PAUSED
    reason = "its budget is used up: $4.80 of $5.00 are spent, and the next call may cost $0.98"
    assert run.state_reason == reason
    assert states(world) == {SampleState.ANSWERED: 6, SampleState.PENDING: 14}
    assert result_views.model(world, "tern", CellFilter()).runs[0].state_reason == reason
    untouched = world.execute(select(Sample.inference_attempts, Sample.first_tried_at).where(Sample.state == "pending"))
    assert {tuple(row) for row in untouched} == {(0, None)}, "who was not asked has lost nothing"


def test_a_raised_budget_and_a_lifted_one_let_the_run_go_on(world: Session) -> None:
    limit(world, 0.5)
    assert opened(world) is None
    assert run_of(world).state == RunState.PAUSED
    plan.sweep(world, NOW + timedelta(hours=1))
    assert run_of(world).state == RunState.PAUSED
    limit(world, 0.6)
    assert run_of(world).state == RunState.PAUSED, "not enough for a call"
    limit(world, 2)
    assert (run_of(world).state, run_of(world).state_reason) == (RunState.ACTIVE, None)
    work = opened(world)
    assert work is not None
    answer(world, work, tokens=5000)
    assert opened(world) is None
    limit(world, None)
    assert run_of(world).state == RunState.ACTIVE
    work = opened(world)
    assert work is not None
    assert len(work.requests) == 18


def test_a_daily_budget_is_there_again_the_next_day(world: Session) -> None:
    limit(world, 1.5, BudgetOwner(organisation="Demo", daily=True))
    work = opened(world)
    assert work is not None
    answer(world, work, tokens=5000)
    assert opened(world) is None
    assert (run_of(world).state_reason or "").startswith("the daily budget of Demo is used up: $1.00 of $1.50")
    midnight = NOW.replace(hour=0) + timedelta(days=1) - NOW
    plan.sweep(world, NOW + midnight - timedelta(seconds=1))
    assert run_of(world).state == RunState.PAUSED
    plan.sweep(world, NOW + midnight)
    assert run_of(world).state == RunState.ACTIVE
    work = opened(world, at=midnight)
    assert work is not None
    assert len(work.requests) == 1


def test_calls_under_way_of_another_run_hold_what_they_may_cost(world: Session) -> None:
    come(world, "gull")
    limit(world, 3, BudgetOwner(organisation="Demo"))
    first = opened(world)
    assert first is not None
    assert len(first.requests) == 3
    assert opened(world, "gull") is None
    assert run_of(world, "gull").state == RunState.ACTIVE, "it waits for what is under way"
    answer(world, first, tokens=10)
    second = opened(world, "gull")
    assert second is not None
    assert len(second.requests) == 3


def test_without_a_price_nothing_leaves_under_a_budget(session: Session) -> None:
    stand(session, "tern", price=None)
    limit(session, 5)
    assert opened(session) is None
    assert (run_of(session).state, run_of(session).state_reason) == (
        RunState.PAUSED, "the price of a call is not known, so that its budget cannot be kept",
    )  # fmt: skip
    plan.sweep(session, NOW)
    assert run_of(session).state == RunState.PAUSED
    session.execute(update(Endpoint).values(price_input=Decimal(1), price_output=Decimal(1)))
    plan.sweep(session, NOW)
    assert opened(session) is not None


def test_without_a_price_and_without_a_budget_all_is_asked_and_its_cost_stays_unknown(session: Session) -> None:
    stand(session, "tern", price=None)
    work = opened(session)
    assert work is not None
    answer(session, work)
    row = session.scalars(select(Spending)).one()
    assert (row.answers, row.unpriced, row.usd) == (20, 20, Decimal(0))


def test_answers_that_do_not_say_what_they_took_count_as_the_most_that_they_may_cost(world: Session) -> None:
    limit(world, 5)
    asked = 0
    while (work := opened(world)) is not None:
        asked += len(work.requests)
        silent = replace(completion("x"), usage=Usage())
        inference.record_all(world, work, [AnsweredSample(each, silent) for each in work.requests], NOW)
        inference.close_slice(world, work, NOW)
    assert asked == 5
    assert run_of(world).state == RunState.PAUSED
    [(counted, unpriced)] = world.execute(select(Spending.usd, Spending.unpriced))
    assert (4 < counted <= 5, unpriced) == (True, 5)


def test_weights_of_our_own_cost_nobody_anything(session: Session) -> None:
    stand(session, "tern", price=None)
    limit(session, 0)
    session.execute(update(Endpoint).values(base_url="", weights="/data/tern"))
    endpoint = session.scalars(select(Endpoint), execution_options={"populate_existing": True}).one()
    lease = new_lease(NOW, LEASE, LeaseKind.SAMPLES)
    work = inference.fill_slice(session, endpoint, inference.spec_of(endpoint, None), lease, NOW, 512)
    assert work is not None
    assert len(work.requests) == 20


def test_calls_that_cost_more_than_they_may_stop_the_run_at_once(world: Session) -> None:
    limit(world, 19)
    work = opened(world)
    assert work is not None
    assert len(work.requests) == 19
    first, *rest = work.requests
    dear = replace(completion("x"), usage=Usage(10_000, 0, 0, 10_000))
    inference.record_all(world, work, [AnsweredSample(first, dear)], NOW)
    assert run_of(world).state == RunState.PAUSED
    assert inference.unwanted_samples(world, work) == {first, *rest}, "the slice sends none of them any more"


def test_a_budget_that_is_lowered_stops_a_slice_under_way(world: Session) -> None:
    limit(world, 100)
    work = opened(world)
    assert work is not None
    limit(world, 2)
    assert (run_of(world).state_reason or "").startswith("its budget is used up: $0.00 of $2.00 are spent, and calls")
    assert inference.unwanted_samples(world, work) == set(work.requests)
    plan.sweep(world, NOW)
    assert run_of(world).state == RunState.PAUSED, "they are under way"
    answer(world, work, tokens=1)
    plan.sweep(world, NOW)
    assert run_of(world).state == RunState.ACTIVE


def test_a_run_that_a_person_paused_does_not_go_on_with_its_budget(world: Session) -> None:
    limit(world, 0.5)
    assert opened(world) is None
    run_store.pause(world, run_of(world).id, "by hand")
    limit(world, 100)
    plan.sweep(world, NOW)
    assert (run_of(world).state, run_of(world).state_reason) == (RunState.PAUSED, "by hand")


def test_vendors_pay_for_themselves_and_the_bundled_models_cost_nothing(world: Session) -> None:
    come(world, "gull")
    everything = BudgetOwner(daily=True)
    limit(world, 0, everything)
    assert opened(world) is not None
    world.execute(update(Model).where(Model.slug == "gull").values(demo=False))
    assert opened(world, "gull") is None
    assert (run_of(world, "gull").state_reason or "").startswith("the daily budget of this service is used up")


def test_two_who_take_samples_at_once_do_not_spend_the_same_money(ctx: Context) -> None:
    with ctx.sessions.begin() as session:
        stand(session, "tern", "gull", "skua", "knot")
        limit(session, 5, BudgetOwner(organisation="Demo"))
        endpoints = session.scalars(select(Endpoint.id)).all()
    start, taken = threading.Barrier(len(endpoints)), list[int]()

    def take(endpoint_id: int) -> None:
        start.wait(20)
        work = ctx.commit(inference.open_slice, endpoint_id, NOW, LEASE, VAULT)
        taken.append(0 if work is None else len(work.requests))

    threads = [threading.Thread(target=take, args=(endpoint,)) for endpoint in endpoints]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sum(taken) == 5
    assert len(taken) == 4


def test_an_endpoint_is_not_sent_what_the_budget_does_not_reach_for(ctx: Context) -> None:
    dear = model_server.message("x", usage={"prompt_tokens": 1000, "completion_tokens": 8000})
    with ModelServer(dear) as server:
        with ctx.sessions.begin() as session:
            stand(session, "tern")
            session.execute(update(Endpoint).values(base_url=server.url))
            limit(session, 10)
        for _ in range(4):  # ten, one, and no more
            tasks.sweep()
            tasks.infer_slice()
        assert len(server.asked) == 11  # at 0.90 each
    with ctx.sessions() as session:
        assert spent(session) == Decimal("9.9")
        assert run_of(session).state == RunState.PAUSED


def test_what_was_spent_is_the_sum_over_the_answers(world: Session) -> None:
    come(world, "gull")
    for slug, days in (("tern", 0), ("gull", 0), ("gull", 1)):
        limit(world, 4 + 4 * days, BudgetOwner(run=run_of(world, slug).id))
        work = opened(world, slug, timedelta(days=days))
        assert work is not None
        answer(world, work, 4000, timedelta(days=days))
    day = func.date(func.timezone("UTC", Sample.answered_at))
    sums = select(Sample.run_id, day, func.count(), func.sum(Sample.cost_usd)).where(Sample.answered_at.is_not(None))
    again = {tuple(row) for row in world.execute(sums.group_by(Sample.run_id, day))}
    kept = world.execute(select(Spending.run_id, Spending.day, Spending.answers, Spending.usd))
    assert {tuple(row) for row in kept} == again
    assert len(again) == 3


def test_a_change_is_audited_and_what_cannot_be_is_refused(world: Session) -> None:
    run = run_of(world).id
    limit(world, 5)
    limit(world, 6)
    columns = AuditEntry.subject, AuditEntry.reason, AuditEntry.before, AuditEntry.after
    entries = world.execute(select(*columns).order_by(AuditEntry.id))
    assert [tuple(row) for row in entries][-2:] == [
        (f"run {run}", "a test", {"usd": None}, {"usd": "5"}), (f"run {run}", "a test", {"usd": "5"}, {"usd": "6"}),
    ]  # fmt: skip
    refused: Iterable[tuple[type[Exception], BudgetOwner, Decimal | None, str]] = (
        (InvalidInput, BudgetOwner(run), Decimal(-1), "why"),
        (InvalidInput, BudgetOwner(run), Decimal("NaN"), "why"),
        (InvalidInput, BudgetOwner(run), Decimal(1), " "),
        (InvalidInput, BudgetOwner(run, "Demo"), Decimal(1), "why"),
        (NotFound, BudgetOwner(run + 1), Decimal(1), "why"),
        (NotFound, BudgetOwner(2**70), Decimal(1), "why"),
        (NotFound, BudgetOwner(organisation="nobody"), Decimal(1), "why"),
        (NotFound, BudgetOwner(run, daily=True), None, "why"),
    )
    for kind, whose, usd, reason in refused:
        with pytest.raises(kind):
            budgets.change_budget(world, whose, usd, reason, NOW)
