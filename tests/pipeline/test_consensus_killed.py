"""Workers that ask setters and play what these answered are killed at random: nothing is lost, nothing is doubled."""

import os
import random
import signal
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path

import pytest
from fakes import model_server
from fakes.model_server import Asked, ModelServer, Say
from pipeline.flow import VAULT
from sqlalchemy import func, select, update
from support.consensus import fresh, setting_of
from support.setters import answers
from support.waiting import until

from app.db.runs.consensus import usage
from app.db.tables import ConsensusRow, Endpoint, Problem, Sample, Setter, Spending, TestSet
from app.domain.consensus.prompts import setter_tasks
from app.domain.problems import Form, TestsOrigin
from app.domain.states import ConsensusState, SampleState
from app.services.problems import publishing
from app.services.runs import plan
from app.services.runs.consensus import setters
from app.services.runs.consensus.setters import NewSetter
from app.services.runs.control.endpoints import NewEndpoint
from workers import tasks
from workers.context import Context, now

ROOT = Path(__file__).resolve().parents[2]
VENDORS = ("a", "b")
ROLES = setter_tasks(Form.STDIN)
KILLS = 3
AT_ONCE = 2  # calls to an endpoint
USAGE = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150}
# A worker process, which asks and plays as the tasks do, but plays with less effort.
WORKER = """
import threading, time
from app.config import Settings
from app.domain.testgen.sampling.sample import InputKind
from app.services.runs.consensus import consensus_jobs
from workers import tasks
from workers.context import make_context, now, use
from workers.grading.consensus.inputs import SuiteBudget
from workers.grading.consensus.result import consensus_result
from workers.grading.consensus.suite import build_suite
from workers.readiness import ready_judge
from workers.lease_renewal import hold_lease
ctx = use(make_context(Settings(_env_file=None)))
FEW = SuiteBudget(
    {InputKind.SMALL: 12, InputKind.RANDOM: 3, InputKind.EXTREME: 3, InputKind.SLOW: 2}, extra_inputs=12, mutants=6
)
def work(body):
    while True:
        body()
        time.sleep(0.2)
def build_one():
    judge = ready_judge(ctx)
    job = ctx.commit(consensus_jobs.claim, now(), ctx.lease) if judge else None
    if job:
        with hold_lease(ctx, job.lease, "grade"):
            suite = build_suite(judge, job.problem, job.answers, effort=FEW)
        ctx.commit(consensus_jobs.record, job, consensus_result(suite), now())
for _ in range(2):
    threading.Thread(target=work, args=(tasks.infer_slice,), daemon=True).start()
work(build_one)
"""


def start(ctx: Context) -> "subprocess.Popen[bytes]":
    given = ctx.settings
    told = {
        "TIDEMARK_DATABASE_URL": given.database_url, "TIDEMARK_REDIS_URL": given.redis_url,
        "TIDEMARK_STATE": str(given.state_dir), "TIDEMARK_SECRET_KEY_FILE": str(given.secret_key_file),
        "TIDEMARK_SANDBOX_ROOT": str(given.sandbox_root), "TIDEMARK_SCRATCH_DIR": str(given.scratch_dir),
        "TIDEMARK_SANDBOX_PYTHON": str(given.sandbox_python), "TIDEMARK_BWRAP": given.bwrap,
        "TIDEMARK_LEASE_S": "3", "TIDEMARK_ENDPOINT_ALLOW": "127.0.0.0/8",
    }  # fmt: skip
    return subprocess.Popen([sys.executable, "-c", WORKER], cwd=ROOT, env=os.environ | told, stdout=subprocess.DEVNULL)


def wanted(asked: Asked) -> tuple[str, str, int]:
    """Which setter a prompt is for, and the role and ordinal that its first lines ask for."""
    lines = asked.json["messages"][-1]["content"].split("\n")[:4]
    return asked.json["model"], lines[0].removeprefix("ROLE: "), int(lines[3].removeprefix("ORDINAL: "))


def say(asked: Asked) -> Say:
    """What a good setter says."""
    setter, role, ordinal = wanted(asked)
    known = {(one.answer_id.role.value, one.answer_id.ordinal): one.text for one in answers(setter)}
    return model_server.message(known.get((role, ordinal), "nothing"), usage=USAGE, delay_s=0.4)


def written_down(ctx: Context) -> set[tuple[str, str, int]]:
    """What need not be asked any more."""
    answered = select(Setter.vendor, Sample.item).join(Setter, Setter.run_id == Sample.run_id)
    with ctx.sessions() as session:
        rows = session.execute(answered.where(Sample.state == SampleState.ANSWERED)).all()
    return {(setter, ROLES[item][0].value, ROLES[item][1]) for setter, item in rows}


@pytest.mark.slow
@pytest.mark.sandbox
@pytest.mark.timeout(240)
def test_settings_whose_workers_are_killed(ctx: Context) -> None:
    rng = random.Random(31)
    with ModelServer(say) as server:
        problem_id = begun(ctx, server.url)
        running, deaths = start(ctx), []
        try:
            for kill in range(KILLS):
                until(lambda kill=kill: reached(ctx, kill), f"work for kill {kill}", 90)  # type: ignore[misc]
                time.sleep(rng.uniform(0.05, 0.5))
                running.send_signal(signal.SIGKILL)
                running.wait(30)
                deaths.append((len(server.asked), written_down(ctx)))
                running = start(ctx)
            until(lambda: ended(ctx), "the end of the setting", 150)
        finally:
            running.kill()
            running.wait(30)
        asked = [wanted(one) for one in server.asked]
    with ctx.sessions() as session:
        consensus = setting_of(session, session.get_one(Problem, problem_id))
        assert (consensus.state, consensus.reason, consensus.lease_token) == (ConsensusState.STORED, None, None)
        suites = session.scalars(select(TestSet).where(TestSet.origin == TestsOrigin.CONSENSUS)).all()
        assert [suite.id for suite in suites] == [consensus.test_set_id]
        rows = session.execute(select(Sample.run_id, Sample.item, Sample.ordinal, Sample.state)).all()
        assert len(rows) == len(set(rows)) == len(VENDORS) * len(ROLES)
        assert {row.state for row in rows} == {SampleState.ANSWERED}
        counted, usd = session.execute(select(func.sum(Spending.answers), func.sum(Spending.usd))).one()
        kept = session.scalar(select(func.sum(Sample.cost_usd)))
        assert (counted, usd) == (len(rows), kept), "each answer is paid for once"
        assert usd > 0
        used, _kept = usage.of_text(session, consensus.problem_version_id, "")
    assert len(deaths) == KILLS
    for before, known in deaths:
        assert known
        assert not known & set(asked[before:]), "what was under way is asked again, nothing else"
    assert len(asked) <= used.calls, "every call that left counts, lost ones too"


def begun(ctx: Context, url: str) -> int:
    with ctx.sessions.begin() as session:
        problem = fresh(session)
        for vendor in VENDORS:
            endpoint = NewEndpoint(vendor, "openai_chat", vendor, url)
            setters.add(session, NewSetter(vendor, vendor, endpoint, "a test"), now(), VAULT, lambda *_: None)
        session.execute(
            update(Endpoint).values(price_input=Decimal(1), price_output=Decimal(2), max_concurrency=AT_ONCE)
        )
        publishing.update_state(session, problem, now())
        plan.plan_samples(session, now())
        return problem.id


def reached(ctx: Context, kill: int) -> bool:
    """Two kills while setters are asked, another while what they answered is played."""
    tasks.sweep()
    with ctx.sessions() as session:
        if kill < 2:
            answered = session.scalar(select(func.count()).where(Sample.state == SampleState.ANSWERED)) or 0
            return answered >= 2 + 5 * kill
        return (session.scalar(select(ConsensusRow.attempts)) or 0) >= kill - 1


def ended(ctx: Context) -> bool:
    tasks.sweep()
    with ctx.sessions() as session:
        return session.scalar(select(ConsensusRow.state)) != ConsensusState.ASKING
