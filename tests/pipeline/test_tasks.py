"""The tasks, end to end: a model server on loopback, the real judge, the real database and broker."""

import contextlib
import json
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

import pytest
from factories import World
from fakes import model_server
from fakes.model_server import Asked, ModelServer, Say
from pipeline.flow import completion
from redis import Redis
from sqlalchemy import select, update
from support.batches import SUM, WRONG, batch, problem

from app.db.operations import heartbeats
from app.db.tables import CellRow, Endpoint, Heartbeat, Model, Problem, ProtocolRow, Run, Sample, TestSet, VerdictRow
from app.domain.asking.completions import AnsweredSample
from app.domain.asking.protocols import HOUSE, LCB
from app.domain.errors import NotFound
from app.domain.imports import ImportBatch, ImportedModel, ImportedProgram
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Test
from app.domain.states import ProblemState, SampleState
from app.services.operations import health_views
from app.services.runs import imports, inference, plan, sample_views
from workers import tasks, upkeep
from workers.broker import Waker, make_app
from workers.context import Context, make_context, now, use
from workers.grading.slowness import MAX_FACTOR, MIN_FACTOR
from workers.lease_renewal import worker_name
from workers.readiness import ready_judge

CHEAT = "print(open('/etc/passwd').read())\nimport os\nos._exit(0)\n"


def fenced(code: str) -> Say:
    return model_server.message(f"Here it is.\n```python\n{code}```\n", delay_s=0.01)


SAID = {
    0: fenced(SUM),
    1: fenced(WRONG),
    2: model_server.message("I would add the numbers."),
    3: model_server.message("```python\na, b = map(int, inp", finish_reason="length"),
    4: fenced(CHEAT),
    5: model_server.message("```python\nprint('\0\ud800')\n```"),
}


def by_problem(asked: Asked) -> Say:
    """Each problem has an answer of its own kind."""
    found = re.search(r"\((\d+)\)", asked.last_message)
    assert found is not None
    return SAID[int(found[1])]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(by_problem) as made:
        yield made


def standing(ctx: Context, given: ImportBatch, **urls: str) -> dict[str, int]:
    """Models with a run over these problems, planned; their endpoints by model."""
    ctx.commit(imports.store_batch, given, now())
    offers = tuple(plan.BundledModel(ImportedModel(slug, slug.title(), "Demo"), url) for slug, url in urls.items())
    ctx.commit(plan.register_demo, offers, HOUSE, now())
    tasks.plan_runs()
    with ctx.sessions() as session:
        rows = session.execute(select(Model.slug, Endpoint.id).join(Model, Model.id == Endpoint.model_id))
        return {row[0]: row[1] for row in rows}


def outcomes(ctx: Context) -> dict[str, tuple[str, str | None]]:
    """(state, verdict) of each sample by its problem."""
    with ctx.sessions() as session:
        rows = session.execute(
            select(Problem.external_id, Sample.state, VerdictRow.verdict)
            .join(Sample, Sample.problem_id == Problem.id)
            .outerjoin(VerdictRow, VerdictRow.sample_id == Sample.id)
        )
        return {row[0]: (row[1], row[2]) for row in rows}


def said(ctx: Context) -> dict[str, object]:
    """What this process last said of grading."""
    with ctx.sessions() as session:
        return session.scalars(select(Heartbeat.detail).where(Heartbeat.worker == worker_name("grade"))).one()


def slowness_of_this_host(ctx: Context) -> set[float]:
    """What judging Python programs goes by here, as whoever measured it last has kept it; it may change meanwhile."""
    kept = ctx.settings.sandbox_root.glob("slowness-*.json")
    return {min(MAX_FACTOR, max(MIN_FACTOR, json.loads(each.read_text())[2])) for each in kept}


@pytest.mark.sandbox
def test_from_a_prompt_to_a_cell(ctx: Context, server: ModelServer) -> None:
    """Right, wrong, no code, truncated, cheating, hostile: each ends graded, and the cells say which was right."""
    endpoints = standing(ctx, batch(*(problem(number) for number in SAID)), tern=server.url)
    tasks.infer_slice(endpoints["tern"])
    assert len(server.asked) == len(SAID)
    assert {state for state, _ in outcomes(ctx).values()} == {SampleState.ANSWERED}
    tasks.infer_slice(endpoints["tern"])
    assert len(server.asked) == len(SAID), "a second message finds nothing to do"
    factors = slowness_of_this_host(ctx)
    with ctx.sessions.begin() as session:
        session.execute(
            update(Problem).where(Problem.external_id == "sum-5").values(released_on=Problem.released_on + timedelta(1))
        )
    tasks.grade_answers()
    with ctx.sessions() as session:
        judged = session.execute(
            select(Problem.external_id, Sample.id).join(Sample).join(VerdictRow).order_by(VerdictRow.id)
        ).all()
        assert judged[0][0] == "sum-5", "the newest problem's first"
        assert judged[1:] == sorted(judged[1:], key=lambda row: row[1]), "then as they were planned"
    found = outcomes(ctx)
    assert {name: verdict for name, (_, verdict) in found.items()} | {"sum-5": ""} == {
        "sum-0": "accepted",
        "sum-1": "wrong_answer",
        "sum-2": "no_answer",
        "sum-3": "compile_error" if found["sum-3"][1] == "compile_error" else "no_answer",
        "sum-4": found["sum-4"][1],
        "sum-5": "",
    }
    assert found["sum-4"][1] in ("wrong_answer", "runtime_error")
    assert {state for state, _ in found.values()} == {SampleState.GRADED}
    tasks.grade_answers()
    tasks.aggregate()
    with ctx.sessions() as session:
        rows = session.execute(select(Problem.external_id, CellRow).join(Problem, Problem.id == CellRow.problem_id))
        cells = {row[0]: (row[1].n, row[1].c, row[1].pending, row[1].judge_errors) for row in rows}
        assert cells == {f"sum-{number}": (1, int(number == 0), 0, 0) for number in SAID}
        verdict = session.scalars(select(VerdictRow).where(VerdictRow.verdict == "accepted")).one()
        assert (verdict.passed, verdict.total, len(verdict.outcomes)) == (3, 3, 3)
        assert verdict.cpu_ms > 0
        assert verdict.memory_kb > 0
        assert verdict.limit_mode == "rlimit"
        told = sample_views.sample(session, verdict.sample_id).verdicts
        assert verdict.slowness in factors | slowness_of_this_host(ctx), "of the process that judged"
        assert [receipt.slowness for receipt in told] == [verdict.slowness]
        truncated = session.scalars(select(Sample).where(Sample.finish_reason == "length")).one()
        assert truncated.prompt_sha256
        assert truncated.tokens_input == 11


def test_an_endpoint_that_does_not_answer_ends_in_a_clear_state(ctx: Context) -> None:
    """401, 429 for ever, HTML, 500, silence, a cut line: a reason each, whose fault it is, and never a score."""
    scripts = {
        "locked": model_server.error(401, "bad key"),
        "busy": model_server.rate_limited("120"),
        "pages": model_server.html(),
        "broken": model_server.error(500),
        "silent": Say(stall=True),
        "cut": Say(drop=True),
    }
    servers = {name: ModelServer(script) for name, script in scripts.items()}
    for each in servers.values():
        each.__enter__()
    try:
        urls = {name: each.url for name, each in servers.items()}
        endpoints = standing(ctx, batch(problem(0)), **urls)
        with ctx.sessions.begin() as session:
            # Patience for all but the one that never answers: on a busy machine others would be taken for it.
            silent = Endpoint.id == endpoints["silent"]
            session.execute(update(Endpoint).where(silent).values(timeout_s=0.3))
        threads = [threading.Thread(target=tasks.infer_slice, args=(endpoint,)) for endpoint in endpoints.values()]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    finally:
        for each in servers.values():
            each.__exit__()
    tasks.aggregate()
    with ctx.sessions() as session:
        rows = session.execute(
            select(Model.slug, Sample, Endpoint)
            .join(Run, Run.id == Sample.run_id)
            .join(Endpoint, Endpoint.id == Run.endpoint_id)
            .join(Model, Model.id == Run.model_id)
        )
        found = {row[0]: (row[1], row[2]) for row in rows}
        assert set(found) == set(scripts)
        assert {sample.state for sample, _ in found.values()} <= {SampleState.PENDING, SampleState.GAVE_UP}
        assert all(sample.error and sample.error_owner == "vendor" for sample, _ in found.values())
        assert all(endpoint.lease_token is None for _, endpoint in found.values())
        assert [name for name, (_, endpoint) in found.items() if endpoint.stopped_at is not None] == ["locked"]
        assert "401" in (found["locked"][1].stopped_reason or "")
        assert found["locked"][0].inference_attempts == 0, "a refused key says nothing of the sample"
        busy = found["busy"][0]
        assert (busy.state, busy.inference_attempts) == (SampleState.PENDING, 0)
        assert busy.not_before is not None
        assert (busy.not_before - now()).total_seconds() > 60
        for name in ("broken", "silent", "cut"):
            sample = found[name][0]
            assert (sample.state, sample.inference_attempts) == (SampleState.PENDING, 1)
            assert sample.not_before is not None
        assert "HTML" in (found["pages"][0].error or "")
        assert session.scalars(select(VerdictRow.id)).all() == []
        assert {(cell.n, cell.c) for cell in session.scalars(select(CellRow))} == {(0, 0)}


def test_what_cannot_be_judged_is_not_taken(ctx: Context) -> None:
    """Without bubblewrap nothing is claimed, and the worker says why."""
    with ModelServer(by_problem) as server:
        endpoints = standing(ctx, batch(problem(0)), tern=server.url)
        tasks.infer_slice(endpoints["tern"])
    bare = use(make_context(ctx.settings.model_copy(update={"bwrap": "/nonexistent/bwrap"})))
    tasks.grade_answers()
    tasks.prove_tests()
    upkeep.canary()
    upkeep.self_test()
    with bare.sessions() as session:
        sample = session.scalars(select(Sample)).one()
        assert (sample.state, sample.grading_attempts, sample.lease_token) == (SampleState.ANSWERED, 0, None)
    detail = said(bare)
    assert detail["grading"] == "paused"
    assert "/nonexistent/bwrap" in str(detail["reason"])


@pytest.mark.sandbox
def test_tests_are_proven_before_a_problem_is_published(ctx: Context) -> None:
    weak = replace(problem(1, shipped=False), tests=(Test("0 0\n", "0\n"),))  # the wrong program passes it
    bad = replace(problem(2, shipped=False), tests=(Test("1 1\n", "3\n"),))
    foreign = replace(
        problem(3, shipped=False), programs=(ImportedProgram("ref_1", "fortran", "end"),)
    )  # our fault: no such toolchain here
    ctx.commit(imports.store_batch, batch(problem(0, shipped=False), weak, bad, foreign), now())
    with ctx.sessions() as session:
        assert set(session.scalars(select(Problem.state))) == {ProblemState.FOUND}
    tasks.prove_tests()
    with ctx.sessions() as session:
        rows = session.execute(
            select(Problem.external_id, Problem.state, Problem.hold_reason, TestSet.proof, TestSet.proof_detail).join(
                TestSet, TestSet.id == Problem.current_test_set_id
            )
        )
        found = {row[0]: row[1:] for row in rows}
    assert found["sum-0"][:3] == (ProblemState.PUBLISHED, None, "proven")
    assert found["sum-0"][3]["references"] == 1
    assert found["sum-1"][:1] + found["sum-1"][2:3] == (ProblemState.HELD, "refuted")
    assert "wrong_1 is accepted" in str(found["sum-1"][1])
    assert found["sum-2"][:1] + found["sum-2"][2:3] == (ProblemState.HELD, "refuted")
    assert "ref_1 gets WA on test 1 of 1" in str(found["sum-2"][1])
    assert found["sum-3"][:3] == (ProblemState.FOUND, None, "waiting")
    assert "fortran" in found["sum-3"][3]["reason"]


@pytest.mark.sandbox
def test_a_passed_canary_stops_grading(ctx: Context) -> None:
    """An impossible problem that a program passes means that verdicts cannot be trusted: nothing more is judged."""
    impossible = replace(problem(9), canary=True, tests=(Test("1 2\n", "no program prints this\n"),))
    with ModelServer(by_problem) as server:
        endpoints = standing(ctx, batch(problem(0), impossible), tern=server.url)
        upkeep.canary()
        assert ctx.commit(heartbeats.alarm) is None
        tasks.infer_slice(endpoints["tern"])
        assert len(server.asked) == 1, "nobody is asked the impossible"
    possible = replace(impossible, tests=(Test("1 2\n", "3\n"),))
    ctx.commit(imports.store_batch, batch(possible), now())
    upkeep.canary()
    alarm = ctx.commit(heartbeats.alarm)
    assert alarm is not None
    assert "passed by ref_1" in alarm
    tasks.grade_answers()
    assert {state for state, _ in outcomes(ctx).values()} == {SampleState.ANSWERED}
    assert {key: value for key, value in said(ctx).items() if key != "slowness"} == {
        "grading": "paused",
        "reason": alarm,
    }
    ctx.commit(heartbeats.delete_old, now(), timedelta())
    assert ctx.commit(heartbeats.alarm) == alarm, "only a person ends it"
    assert ctx.commit(health_views.clear_alarm, "operator", "the tests were mended", now()) == alarm
    tasks.grade_answers()
    assert {state for state, _ in outcomes(ctx).values()} == {SampleState.GRADED}
    with pytest.raises(NotFound):
        ctx.commit(health_views.clear_alarm, "operator", "once more", now())


def test_a_missing_sandbox_and_what_is_done_about_it_are_said(ctx: Context) -> None:
    (ctx.settings.state_dir / "packages.json").write_text('{"word": "being installed: bubblewrap"}')
    with contextlib.closing(make_context(ctx.settings.model_copy(update={"bwrap": "/nowhere/bwrap"}))) as lacking:
        assert ready_judge(lacking) is None
        reason = str(said(lacking)["reason"])
    assert "/nowhere/bwrap" in reason
    assert reason.endswith("(being installed: bubblewrap)")


def test_the_sweep_wakes_what_is_due_and_no_broker_breaks_nothing(ctx: Context) -> None:
    with ModelServer(by_problem) as server:
        endpoints = standing(ctx, batch(problem(0), problem(1)), tern=server.url)
        with Redis.from_url(ctx.settings.plain_redis_url()) as client:
            client.flushdb()
            tasks.sweep()
            assert client.llen("infer") == 1
            tasks.infer_slice(endpoints["tern"])
            assert sum(int(client.llen(key)) for key in client.scan_iter("grade*")) >= 1, "whatever its priority"
    dead = ctx.settings.model_copy(update={"redis_url": "redis+socket:///nonexistent/valkey.sock"})
    wake = Waker(make_app(dead.redis_url))
    assert not wake("sweep")
    refused = Waker(make_app("redis://127.0.0.1:9/0"))
    assert not refused("sweep")
    use(make_context(dead))
    tasks.plan_runs()
    tasks.sweep()
    tasks.aggregate()
    with ctx.sessions() as session:
        assert {(cell.n, cell.pending) for cell in session.scalars(select(CellRow))} == {(0, 1)}


def test_a_worker_that_dies_while_asking_is_followed_by_another(ctx: Context) -> None:
    """Its samples and its endpoint come back when the lease runs out, and are asked once more."""
    with ModelServer(by_problem) as server:
        endpoints = standing(ctx, batch(problem(0)), tern=server.url)
        long_ago = now() - timedelta(minutes=10)
        dead = ctx.commit(inference.open_slice, endpoints["tern"], long_ago, ctx.lease, ctx.vault)
        assert dead is not None
        tasks.sweep()
        tasks.infer_slice(endpoints["tern"])
        assert len(server.asked) == 1
    with ctx.sessions() as session:
        sample = session.scalars(select(Sample)).one()
        assert (sample.state, sample.inference_attempts) == (SampleState.ANSWERED, 2)
        assert session.scalars(select(ProtocolRow.slug)).all() == ["house"]
        kept = sample.response
    late = [AnsweredSample(sample_id, completion("the dead worker's answer")) for sample_id in dead.requests]
    assert len(late) == 1
    assert ctx.commit(inference.record_all, dead, late, now()) == 0
    with ctx.sessions() as session:
        assert session.scalars(select(Sample.response)).all() == [kept]


def test_a_board_without_results_is_not_made_to_look_at_it(ctx: Context) -> None:
    with ctx.sessions.begin() as session:
        World(session, LCB).run("vega")
        world = World(session)
        run = world.run("orion")
        world.answer(run, world.problem("p", day=date(2026, 6, 1)), Verdict.ACCEPTED)
        world.count()
        protocol = run.protocol_id
    tasks.aggregate()
    [made] = (ctx.settings.state_dir / "cubes").iterdir()
    assert made.name.endswith(f"-{protocol}")
