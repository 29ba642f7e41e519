"""A worker that is told to stop gives back what it holds, and nothing of that counts as an attempt."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import model_server
from fakes.model_server import ModelServer
from sqlalchemy import select
from support.batches import SUM, batch, problem
from support.rules import ROOT
from support.waiting import until

from app.db.kernel import leases
from app.db.tables import Endpoint, Sample, TestSet
from app.domain.asking.protocols import HOUSE
from app.domain.imports import ImportedModel
from app.domain.problems import Limits
from app.domain.states import SampleState
from app.services.problems import publishing
from app.services.runs import grade, imports, plan
from workers import tasks
from workers.context import Context, leave, now
from workers.lease_renewal import hold_lease

ENDLESS = "while True: pass\n"


def answered(ctx: Context, program: str) -> None:
    """One answer waits for the judge, to a problem with a limit of a minute."""
    given = replace(problem(0), limits=Limits(time_ms=60_000, memory_mb=128, output_kb=1024))
    ctx.commit(imports.store_batch, batch(given), now())
    with ModelServer(lambda _asked: model_server.message(f"```python\n{program}```\n")) as server:
        offer = plan.BundledModel(ImportedModel("tern", "Tern", "Demo"), server.url)
        ctx.commit(plan.register_demo, (offer,), HOUSE, now())
        tasks.plan_runs()
        with ctx.sessions() as session:
            endpoint_id = session.scalars(select(Endpoint.id)).one()
        tasks.infer_slice(endpoint_id)


def held_sample(ctx: Context) -> Sample:
    with ctx.sessions() as session:
        return session.scalars(select(Sample)).one()


def claim_answer(ctx: Context) -> leases.Lease:
    job = ctx.commit(grade.claim, now(), ctx.lease, ["python"])
    assert job is not None
    return job.lease


def test_an_answer_that_was_being_judged_waits_again(ctx: Context) -> None:
    answered(ctx, SUM)
    lease = claim_answer(ctx)
    assert held_sample(ctx).grading_attempts == 1
    with pytest.raises(SystemExit), hold_lease(ctx, lease, "grade"):
        raise SystemExit(0)
    ctx.commit(plan.sweep, now(), ctx.vault)
    sample = held_sample(ctx)
    assert (sample.state, sample.grading_attempts, sample.lease_token) == (SampleState.ANSWERED, 0, None)


def test_what_threads_hold_is_given_back_when_the_process_ends(ctx: Context) -> None:
    answered(ctx, SUM)
    with hold_lease(ctx, claim_answer(ctx), "grade"):
        assert held_sample(ctx).lease_until > now()  # type: ignore[operator]  # it is leased
        leave()
        assert held_sample(ctx).lease_until <= now()  # type: ignore[operator]
    assert held_sample(ctx).grading_attempts == 0


def test_a_failure_keeps_its_lease(ctx: Context) -> None:
    """A row that fails each time must not be tried without a pause."""
    answered(ctx, SUM)
    with pytest.raises(ZeroDivisionError), hold_lease(ctx, claim_answer(ctx), "grade"):
        raise ZeroDivisionError
    sample = held_sample(ctx)
    assert sample.lease_until > now()  # type: ignore[operator]
    assert sample.grading_attempts == 1


def test_tests_that_were_being_proven_are_taken_by_the_next(ctx: Context) -> None:
    ctx.commit(imports.store_batch, batch(problem(0, shipped=False)), now())
    for _ in range(5):
        job = ctx.commit(publishing.claim_proof, now(), ctx.lease)
        assert job is not None, "it is free at once, and never poisoned"
        ctx.commit(leases.release, job.lease, now())
    with ctx.sessions() as session:
        assert session.scalars(select(TestSet.attempts)).one() == 0


@pytest.mark.sandbox
def test_sigterm_ends_a_judging_process_and_frees_its_answer(ctx: Context, tmp_path: Path) -> None:
    """A real worker, whose program would go on for a minute."""
    answered(ctx, ENDLESS)
    settings = ctx.settings
    environment = {
        **os.environ, "REMAP_SIGTERM": "SIGQUIT", "TIDEMARK_STATE": str(tmp_path), "PYTHONPATH": str(ROOT),
        "TIDEMARK_DATABASE_URL": settings.database_url, "TIDEMARK_REDIS_URL": settings.redis_url,
        "TIDEMARK_SANDBOX_ROOT": str(settings.sandbox_root), "TIDEMARK_SLOWNESS": "10", "TIDEMARK_GRADE_PROCESSES": "1",
    }  # fmt: skip
    command = [sys.executable, "-m", "workers.serve", "grade"]
    with (tmp_path / "log").open("wb") as log:
        worker = subprocess.Popen(command, env=environment, cwd=ROOT, stdout=log, stderr=log)
        try:
            until(lambda: ctx.wake("grade") and held_sample(ctx).state == SampleState.GRADING, "the judging")
            worker.send_signal(signal.SIGTERM)
            assert worker.wait(120) == 0
        finally:
            worker.kill()
            worker.wait()
    sample = held_sample(ctx)
    assert sample.lease_until is not None
    assert sample.lease_until <= now(), (tmp_path / "log").read_text()[-3000:]
    assert sample.grading_attempts == 0
