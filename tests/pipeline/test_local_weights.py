"""Runs that are asked by our own weights: from the verb's order over a server of our own to a cell."""

import json
import shlex
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from pipeline.flow import completion
from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError
from support.batches import batch, problem
from support.engines import COMMAND, Bench, kill, left
from support.servers import Servers
from support.waiting import until

from app.config import Settings
from app.db.kernel.session import Session, make_engine, make_sessionmaker
from app.db.operations import heartbeats
from app.db.runs import local_endpoints as store
from app.db.tables import CellRow, Endpoint, Heartbeat, Problem, Run, Sample
from app.domain.asking.completions import AnsweredSample
from app.domain.asking.protocols import HOUSE, Sampling
from app.domain.asking.weights import Weights
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.domain.imports import ImportedModel
from app.domain.states import MAX_INFERENCE_ATTEMPTS, ProblemState, RunState, SampleState
from app.services.runs import imports, inference, local_weights, models, plan, sample_views
from app.services.runs.control import protocols, run_control, start
from app.services.runs.control.start import RunRequest
from app.services.runs.endpoint_secrets import Vault
from workers import tasks
from workers.context import Context, make_context, now, use
from workers.devices import WorkerDevice, device_queue
from workers.grading.answering_judge import AnsweringJudge
from workers.inference.backends import check_run
from workers.readiness import Readiness

QUESTIONS = 5


@pytest.fixture(scope="module")
def questions(servers: Servers) -> Iterator[str]:
    """A database with the problems that are asked about, and the protocols."""
    with servers.database() as url:
        engine = make_engine(url)
        with make_sessionmaker(engine).begin() as session:
            plan.ensure_protocols(session)
            imports.store_batch(session, batch(*(problem(number) for number in range(QUESTIONS))), now())
        engine.dispose()
        yield url


@pytest.fixture
def fresh_database(servers: Servers, questions: str) -> Iterator[str]:
    with servers.database(questions) as url:
        yield url


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    made = Bench(tmp_path)
    for name, value in made.environment.items():
        monkeypatch.setenv(name, value)
    return made


@pytest.fixture
def ctx(settings: Settings, bench: Bench) -> Iterator[Context]:
    """A GPU worker's: its engine is the fake one, on the processor."""
    given = {"gpu_devices": "cpu", "gpu_engine_command": shlex.join(COMMAND), "lease_s": 2.0}
    made = use(make_context(settings.model_copy(update=given)))
    yield made
    made.close()


def begin(session: Session, slug: str, weights: Weights, protocol: str, reason: str, now: datetime) -> int:
    """What `run start --gpu` does for a model that is known; the run."""
    return start.start(session, RunRequest(slug, protocol, reason, weights=weights), now, Vault(None), check_run).run


def serve(ctx: Context, bench: Bench, slug: str = "tern", **settings: object) -> int:
    """The endpoint of a model that is to be served, with its samples planned."""
    ctx.commit(models.add, ImportedModel(slug, slug.title(), "Us"), "open weights", now())
    weights = replace(Weights(str(bench.weights), slug), **settings)  # type: ignore[arg-type]
    run = ctx.commit(begin, slug, weights, "house", "open weights", now())
    tasks.plan_runs()
    with ctx.sessions() as session:
        endpoint = session.get_one(Run, run).endpoint_id
    assert endpoint is not None
    return endpoint


def states(ctx: Context) -> Counter[str]:
    with ctx.sessions() as session:
        return Counter(session.scalars(select(Sample.state)))


@pytest.mark.sandbox
def test_from_weights_to_a_cell(ctx: Context, bench: Bench, tested_judge: AnsweringJudge) -> None:
    ctx.parts[Readiness] = Readiness(ctx, tested_judge)
    serve(ctx, bench, dtype="bfloat16")
    tasks.serve_slice()
    assert states(ctx) == {SampleState.ANSWERED: QUESTIONS}
    assert len(bench.asked()) == QUESTIONS
    tasks.serve_slice()
    assert len(bench.asked()) == QUESTIONS, "a second message finds nothing to do"
    tasks.grade_answers()
    tasks.aggregate()
    with ctx.sessions() as session:
        assert [(cell.n, cell.c) for cell in session.scalars(select(CellRow))] == [(1, 1)] * QUESTIONS
        [run] = session.scalars(select(Run))
        [(_, served)] = store.servings(session, {run.id})[run.id]
        assert (served["engine"], served["version"], served["dtype"]) == ("vllm", "0.0-fake", "bfloat16")
        assert served["weights"] == str(bench.weights)
        assert {row.served_model for row in session.scalars(select(Sample))} == {"tern"}
        assert run_control.report(session, run.id).engine == served
    notes = bench.notes
    ctx.close()
    assert left(notes) == []


FEW = ("sum-0", "sum-1")
HELD = {"state": ProblemState.HELD, "hold_reason": "few are enough"}
TEN = replace(HOUSE, slug="house-ten", title="Ten answers", sampling=Sampling(n=10, temperature=0.7, max_tokens=4096))


@pytest.mark.parametrize(("alone", "requests", "shares"), [("", 2, {8, 2}), ("1", 10, {1})], ids=["several", "ignored"])
def test_an_engine_gives_several_answers_to_a_request_if_it_can(
    ctx: Context, bench: Bench, monkeypatch: pytest.MonkeyPatch, alone: str, requests: int, shares: set[int]
) -> None:
    """Every answer is one sample's, with the seed that it has alone, and the tokens of a request are counted once."""
    monkeypatch.setenv("FAKE_ALONE", alone)
    with ctx.sessions.begin() as session:
        session.execute(update(Problem).where(Problem.external_id.not_in(FEW)).values(HELD))
    serve(ctx, bench)
    ctx.commit(protocols.add, TEN, "ten answers", now())
    run = ctx.commit(begin, "tern", Weights(str(bench.weights), "tern"), TEN.slug, "ten answers", now())
    ctx.commit(run_control.cancel, _other(ctx, run), "only the other", now())
    tasks.plan_runs()
    tasks.serve_slice()
    with ctx.sessions() as session:
        rows = list(session.scalars(select(Sample).where(Sample.run_id == run).order_by(Sample.id)))
        said = {row.ordinal: (row.response or "").split(".")[0] for row in rows}
        assert said == {number: f"Seed {1000 + number}" for number in range(10)}
        assert {row.state for row in rows} == {SampleState.ANSWERED}
        assert len(rows) == 10 * len(FEW)
        assert run_control.report(session, run).requests == len(bench.asked()) >= requests * len(FEW)
        assert len(bench.asked()) == requests * len(FEW) if not alone else len(bench.asked()) <= 12 * len(FEW)
        assert sum(row.tokens_answer or 0 for row in rows) == 12 * len(rows)
        assert {
            int(sample_views.sample(session, row.id).provenance.get(inference.ANSWERS_IN_REQUEST, 1)) for row in rows
        } == shares


def _other(ctx: Context, run: int) -> int:
    with ctx.sessions() as session:
        return session.scalars(select(Run.id).where(Run.id != run)).one()


def test_one_slow_answer_keeps_the_device_from_no_other_work(
    ctx: Context, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Samples that are planned while it is made are asked beside it."""
    monkeypatch.setenv("FAKE_FIRST_DELAY", "12")
    serve(ctx, bench)
    slicing = threading.Thread(target=tasks.serve_slice)
    slicing.start()
    until(lambda: states(ctx)[SampleState.ANSWERED] == QUESTIONS - 1)
    other = replace(HOUSE, slug="house-2", title="Again", sampling=replace(HOUSE.sampling, temperature=0.5))
    ctx.commit(protocols.add, other, "more", now())
    ctx.commit(begin, "tern", Weights(str(bench.weights), "tern"), "house-2", "more", now())
    tasks.plan_runs()
    found = until(lambda: states(ctx)[SampleState.ANSWERED] >= 2 * QUESTIONS - 1 and states(ctx))
    slicing.join()
    assert found == {SampleState.ANSWERED: 2 * QUESTIONS - 1, SampleState.INFERRING: 1}
    assert states(ctx) == {SampleState.ANSWERED: 2 * QUESTIONS}
    assert len(bench.asked()) == 2 * QUESTIONS


# Flags that the fake engine knows.
@pytest.mark.parametrize(("engine", "streams"), [("vllm", True), ("transformers", False)])
def test_engines_are_asked_as_they_can_be(ctx: Context, bench: Bench, engine: str, streams: bool) -> None:
    """Long answers are streamed where they can be, and settings of thinking go where engines read them."""
    sampling = replace(HOUSE.sampling, max_tokens=32768)
    long = replace(HOUSE, slug="house-long", title="Long answers", sampling=sampling)
    serve(ctx, bench)
    weights = Weights(str(bench.weights), "tern")
    ctx.commit(protocols.add, long, "long answers", now())
    ctx.commit(begin, "tern", weights, "house-long", "long answers", now())
    configuration = {"enable_thinking": False, "thinking_budget": 512}
    order = RunRequest("tern", "house", "thinking", weights=weights, configuration=configuration)
    ctx.commit(start.start, order, now(), Vault(None), check_run)
    with pytest.raises(InvalidInput, match="verbosity"):
        ctx.commit(start.start, replace(order, configuration={"verbosity": "low"}), now(), Vault(None), check_run)
    other = use(make_context(ctx.settings.model_copy(update={"gpu_engine": engine})))
    tasks.plan_runs()
    tasks.serve_slice()
    other.close()
    assert states(ctx) == {SampleState.ANSWERED: 3 * QUESTIONS}
    asked = [(each["stream"], each["enable_thinking"], each["chat_template_kwargs"]) for each in bench.asked()]
    kinds = (False, None, None), (streams, None, None), (False, None, configuration)
    assert sorted(asked, key=str) == sorted([kind for kind in kinds for _ in range(QUESTIONS)], key=str)


def test_a_server_stays_warm_from_slice_to_slice_and_another_model_ends_it(ctx: Context, bench: Bench) -> None:
    serve(ctx, bench)
    device = ctx.part(WorkerDevice).device
    device.limit = 2
    tasks.serve_slice()
    first = bench.notes
    device.limit = 512
    tasks.serve_slice()
    assert bench.notes == first
    assert states(ctx) == {SampleState.ANSWERED: QUESTIONS}
    serve(ctx, bench, "knot")
    tasks.serve_slice()
    assert bench.notes["api"] != first["api"]
    assert left(first) == []
    assert states(ctx) == {SampleState.ANSWERED: 2 * QUESTIONS}
    assert device.restarts == 0


def test_when_the_engine_is_killed_only_what_was_in_flight_is_asked_again(
    ctx: Context, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_DELAY", "0.4")
    endpoint = serve(ctx, bench, max_running=2)  # three in flight
    with ctx.sessions.begin() as session:
        in_flight = session.get_one(Endpoint, endpoint).max_concurrency

    def end_it() -> None:
        until(lambda: states(ctx)[SampleState.ANSWERED] > 0)
        kill(bench.notes["core"])

    killer = threading.Thread(target=end_it)
    killer.start()
    tasks.serve_slice()
    killer.join()
    device = ctx.part(WorkerDevice).device
    assert device.restarts == 1
    assert "died" in str(device.report()["trouble"])
    with ctx.sessions() as session:
        owners = set(session.scalars(select(Sample.error_owner)))
        rests = set(session.scalars(select(Sample.not_before).where(Sample.state == SampleState.PENDING)))
    assert owners <= {None, "us"}
    assert rests == {None}, "another server asks them as soon as it is ready"
    assert states(ctx)[SampleState.INFERRING] == 0, "nothing waits for a lease to run out"

    def all_answered() -> bool:
        tasks.serve_slice()
        return states(ctx) == {SampleState.ANSWERED: QUESTIONS}

    until(all_answered)
    again = len(bench.asked()) - QUESTIONS
    assert 0 <= again <= in_flight


def test_a_server_that_cannot_start_takes_no_samples(
    ctx: Context, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_START", "die")
    serve(ctx, bench)
    tasks.serve_slice()
    ctx.part(WorkerDevice).write_report()
    with ctx.sessions() as session:
        assert set(session.scalars(select(Sample.inference_attempts))) == {0}
        [detail] = session.scalars(select(Heartbeat.detail).where(Heartbeat.queue == device_queue(ctx.settings)))
    assert "no kernel image" in detail["trouble"]
    assert detail["state"] == "failed"


def test_a_limit_that_the_context_has_no_room_for_is_left_to_the_context(
    ctx: Context, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_CONTEXT", "512")
    serve(ctx, bench)
    tasks.serve_slice()
    assert states(ctx) == {SampleState.ANSWERED: QUESTIONS}
    assert len(bench.asked()) == QUESTIONS


def test_a_server_that_refuses_what_a_run_asks_fails_the_run_in_its_words(
    ctx: Context, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_CONTEXT", "0")
    serve(ctx, bench)
    tasks.serve_slice()
    with ctx.sessions() as session:
        [run] = session.scalars(select(Run))
        assert run.state == RunState.FAILED
        assert run.state_reason == "answered 400: max_tokens is too large: the context has room for 0"
        assert set(session.scalars(select(Sample.error_owner))) == {"us"}
    assert states(ctx) == {SampleState.PENDING: QUESTIONS}


def test_weights_that_this_machine_lacks_are_left_to_others(ctx: Context, bench: Bench) -> None:
    serve(ctx, bench)
    with ctx.sessions.begin() as session:
        session.scalars(select(Endpoint)).one().weights = "/nowhere"
    tasks.serve_slice()
    assert states(ctx) == {SampleState.PENDING: QUESTIONS}
    assert ctx.part(WorkerDevice).device.report()["trouble"] == "there is no folder /nowhere on this machine"


def test_only_gpu_workers_ask_them_and_the_sweep_wakes_those_that_were_heard_of(ctx: Context, bench: Bench) -> None:
    endpoint = serve(ctx, bench)
    tasks.infer_slice(endpoint)
    assert states(ctx) == {SampleState.PENDING: QUESTIONS}
    due = ctx.commit(plan.sweep, now(), ctx.vault)
    assert (due.endpoints, due.local) == ((), True)
    assert ctx.commit(local_weights.gpu_queues, now()) == []
    ctx.part(WorkerDevice).write_report()
    assert ctx.commit(local_weights.gpu_queues, now()) == [device_queue(ctx.settings)]
    ctx.redis.flushdb()
    for _ in range(3):  # its device may be busy for minutes
        tasks.sweep()
        assert ctx.redis.llen(device_queue(ctx.settings)) == 1


def test_one_wake_up_waits_for_a_device_whoever_wakes_it(ctx: Context, bench: Bench) -> None:
    """Its own slice's end too; another device has its own."""
    serve(ctx, bench)
    queue = device_queue(ctx.settings)
    ctx.part(WorkerDevice).write_report()
    ctx.commit(heartbeats.record_heartbeat, "gpu.other", "gpu.other.0", now(), {})
    ctx.redis.flushdb()
    tasks.sweep()
    tasks.serve_slice()
    assert states(ctx) == {SampleState.ANSWERED: QUESTIONS}
    assert [ctx.redis.llen(name) for name in (queue, "gpu.other.0")] == [1, 1]


def test_several_workers_may_serve_one_model(ctx: Context, bench: Bench) -> None:
    """What one of them hands back counts only where its server died."""
    serve(ctx, bench)
    served = ctx.part(WorkerDevice).device.serve(ctx.commit(local_weights.waiting_weights, now())[0])
    assert served is not None
    [waiting] = ctx.commit(local_weights.waiting_weights, now())

    def take() -> inference.LeasedSlice:
        work = ctx.commit(local_weights.open_slice, waiting, served, now(), ctx.lease, 2)
        assert work is not None
        return work

    works = take(), take()
    taken = [set(work.requests) for work in works]
    assert [len(each) for each in taken] == [2, 2]
    assert not taken[0] & taken[1]
    assert ctx.commit(local_weights.waiting_weights, now())[0].servers == 2
    answered = AnsweredSample(min(taken[0]), completion("42"))
    ctx.commit(inference.record_all, works[0], [answered], now())
    assert [ctx.commit(local_weights.close_slice, work, counts=False) for work in works] == [1, 2]
    assert states(ctx) == {SampleState.ANSWERED: 1, SampleState.PENDING: QUESTIONS - 1}
    for _ in range(MAX_INFERENCE_ATTEMPTS):
        ctx.commit(local_weights.close_slice, take(), counts=True)
    assert states(ctx)[SampleState.GAVE_UP] == 2
    with ctx.sessions() as session:
        assert set(session.scalars(select(Sample.error_owner).where(Sample.state == SampleState.GAVE_UP))) == {"us"}
        assert session.scalars(select(Sample.inference_attempts).where(Sample.state == SampleState.PENDING)).all() == [
            0
        ] * (QUESTIONS - 3)
    last = take()
    with ctx.sessions.begin() as session:
        session.execute(update(Endpoint).values(stopped_at=now()))
    ctx.commit(local_weights.close_slice, last, counts=False)
    assert ctx.commit(local_weights.open_slice, waiting, served, now(), ctx.lease) is None
    assert ctx.commit(local_weights.extend_slice, last, now(), ctx.lease) is None


def test_a_model_that_has_answered_keeps_its_weights(ctx: Context, bench: Bench) -> None:
    serve(ctx, bench)
    weights = Weights(str(bench.weights), "tern")
    other = replace(weights, dtype="float16")
    ctx.commit(begin, "tern", other, "house", "a typing error", now())
    ctx.commit(begin, "tern", weights, "house", "and back", now())
    tasks.serve_slice()
    with pytest.raises(Conflict, match="another name"):
        ctx.commit(begin, "tern", other, "house", "too late", now())
    for wrong, kind in ((("nobody", weights, "house"), NotFound), (("tern", weights, "nothing"), NotFound),
                        (("tern", replace(weights, path="-x"), "house"), InvalidInput)):  # fmt: skip
        with pytest.raises(kind):
            ctx.commit(begin, *wrong, "a reason", now())
    with pytest.raises(InvalidInput):
        ctx.commit(begin, "tern", weights, "house", " ", now())


def test_an_endpoint_has_weights_or_an_address(ctx: Context, bench: Bench) -> None:
    serve(ctx, bench)
    with pytest.raises(IntegrityError), ctx.sessions.begin() as session:
        session.scalars(select(Endpoint)).one().base_url = "http://127.0.0.1:1"
    assert json.loads(bench.weights.joinpath("config.json").read_text())
