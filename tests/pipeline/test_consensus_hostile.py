"""Hostile setters through the workers: what they answer changes nothing, is named, and the database takes it all."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from pipeline.flow import LEASE, NOW, VAULT, waiting
from sqlalchemy import select
from support.consensus import MINUTE, Says, add_setter, asked, fresh, ranked, says, setting_of, settle
from support.setters import MORE, TITLE, fenced, few_inputs

from app.db.kernel.session import Session
from app.db.tables import Problem, ProblemVersion, Sample
from app.domain.states import ConsensusState, ProblemState, SampleState
from app.services.runs import inference
from app.services.runs.consensus import consensus_jobs, setters
from app.services.runs.consensus.setters import NewSetter
from app.services.runs.control.endpoints import NewEndpoint
from workers.asking import ask_endpoint
from workers.context import Context, now
from workers.grading.consensus.result import consensus_result
from workers.grading.consensus.suite import build_suite
from workers.inference.backends import named_backend
from workers.readiness import ready_judge

LESS = replace(MORE, mutants=2, helper_ms=250, brute_ms=250)
SUMS = """
n = int(input())
low = total = 0
best = None
for x in map(int, input().split()):
    total += x
    best = total - low if best is None else max(best, total - low)
    low = min(low, total)
print(best)
"""
FLOOD = "while True:\n    print('x' * 65536)\n"
SLEEP = "import time\ntime.sleep(1000)\n"
ESCAPES = "print('\\x1b]0;owned\\x07\\x1b[2J\\x00', chr(0xd800).encode('utf-16', 'surrogatepass'))\n"
HOSTILE = {
    "validator": fenced(ESCAPES), "generator": fenced(FLOOD), "brute": fenced(SLEEP), "solution_0": fenced("print(42)"),
    "solution_1": "```\n\n```\n", "solution_2": "\x00\ud800\x1b[2J no block",
    "probes": fenced(json.dumps({"legal": ["\x00\ud800\n", "9" * 2000], "illegal": [{"input": None}, 7]}), "json"),
    "checker": "#" * 1_100_000, "hack": fenced(FLOOD),
}  # fmt: skip


def plain(vendor: str, **changes: str | None) -> Says:
    """A good setter, whose programs need no compiler and know few inputs."""
    return says(vendor, **{"generator": fenced(few_inputs(vendor)), "solution_1": fenced(SUMS), **changes})


def begun(session: Session, vendor_of_bad: str) -> Problem:
    problem = fresh(session)
    version = session.get_one(ProblemVersion, problem.current_version_id)
    assert version.examples
    ranked(session, "tern", "Tern Labs")
    for name, vendor in (("one", "a"), ("two", "b"), ("bad", vendor_of_bad)):
        add_setter(session, name, vendor)
    settle(session, problem)
    return problem


def hostile(name: str) -> Says:
    return {"one": plain("a"), "two": plain("b"), "bad": plain("c", **HOSTILE)}[name]


def played(ctx: Context) -> None:
    """Play what setters answered as the workers do, with less effort."""
    judge, job = ready_judge(ctx), ctx.commit(consensus_jobs.claim, now(), ctx.lease)
    assert judge is not None
    assert job is not None
    assert ctx.commit(
        consensus_jobs.record,
        job,
        consensus_result(build_suite(judge, job.problem, job.answers, effort=LESS)),
        now(),
    )


@pytest.mark.sandbox
def test_hostile_answers_change_nothing_and_are_named(ctx: Context) -> None:
    with ctx.sessions.begin() as session:
        problem_id = begun(session, vendor_of_bad="a").id
        asked(session, hostile)
    played(ctx)
    with ctx.sessions() as session:
        problem = session.get_one(Problem, problem_id)
        consensus = setting_of(session, problem)
        assert (consensus.state, consensus.reason) == (ConsensusState.STORED, None), consensus.evidence
        named = {
            f"{one['role']} {one['ordinal']}": one["state"]
            for one in consensus.evidence["answers"]
            if one["setter"] == "bad"
        }
        assert len(named) == len(HOSTILE)
        words = {name: state.partition(":")[0] for name, state in named.items()}
        assert set(words.values()) <= {"refuted", "failed", "unreadable", "used"}
        assert {name for name, word in words.items() if word == "used"} <= {"probes 0"}
        assert named["checker 0"] == "unreadable: more than 1 MiB"
        kept = session.scalars(select(Sample.response).where(Sample.state == SampleState.ANSWERED)).all()
        assert max(len(text or "") for text in kept) == len(HOSTILE["checker"])


@pytest.mark.sandbox
def test_a_statement_that_tells_setters_what_to_do_is_data(ctx: Context) -> None:
    """Two of three do as it says; no suite comes of it, and what they wrote goes back or is held."""
    yes = fenced("print('YES')")
    obedient = {"brute": yes, "solution_0": yes, "solution_1": yes, "solution_2": yes}
    with ctx.sessions.begin() as session:
        problem = begun(session, vendor_of_bad="b")
        asked(session, lambda name: plain(name) if name == "one" else plain(name, **obedient))
        problem_id = problem.id
    played(ctx)
    with ctx.sessions() as session:
        consensus = setting_of(session, session.get_one(Problem, problem_id))
        assert (consensus.state, consensus.round, consensus.test_set_id) == (ConsensusState.ASKING, 1, None)
        states = {one["state"].partition(":")[0] for one in consensus.evidence["answers"] if one["setter"] != "one"
                  and one["role"] in ("brute", "solution")}  # fmt: skip
        assert states == {"refuted"}, "the samples say otherwise"
        back = {entry["piece"] for entry in consensus.rounds[0]["back"]}
        assert {"bad brute 0", "two solution 2"} <= back
        assert not {"one brute 0", "one solution 0", "one solution 1"} & back


def recorded(session: Session, folder: Path, name: str, vendor: str) -> None:
    """A setter whose answers are recorded, each a lie."""
    file = folder / f"{name}.jsonl"
    row = {"problem": TITLE, "setter": name, "vendor": vendor, "role": "brute", "text": fenced("print(42)")}
    file.write_text(json.dumps(row) + "\n")
    backend = named_backend("setters_replay")
    assert backend.locate is not None
    endpoint = NewEndpoint(name, backend.name, name, backend.locate(str(file)))
    setters.add(session, NewSetter(name, vendor, endpoint, "a test"), NOW, VAULT, lambda *_: None)


@pytest.mark.sandbox
def test_recorded_setters_have_no_later_rounds_and_end_at_once(ctx: Context, tmp_path: Path) -> None:
    with ctx.sessions.begin() as session:
        problem = fresh(session)
        for name, vendor in (("rec-one", "a"), ("rec-two", "b")):
            recorded(session, tmp_path, name, vendor)
        settle(session, problem)
        problem_id = problem.id
    ask_all(ctx)
    played(ctx)
    with ctx.sessions() as session:
        consensus = setting_of(session, session.get_one(Problem, problem_id))
        assert consensus.round == 1, (consensus.state, consensus.reason, consensus.evidence)
    ask_all(ctx)
    with ctx.sessions.begin() as session:
        assert consensus_jobs.claim(session, NOW + MINUTE, LEASE) is None
        problem = session.get_one(Problem, problem_id)
        assert problem.state == ProblemState.HELD
        assert str(problem.hold_reason).endswith("and its setters were asked again")
        children = session.scalars(select(Sample).where(Sample.parent_id.is_not(None))).all()
        assert {child.state for child in children} == {SampleState.GAVE_UP}
        assert all("in round 1" in str(child.error) for child in children)


def ask_all(ctx: Context) -> None:
    """Let the workers ask every endpoint that is due."""
    with ctx.sessions.begin() as session:
        works = [inference.open_slice(session, endpoint, NOW, LEASE, VAULT) for endpoint in waiting(session)]
    for work in works:
        assert work is not None
        ask_endpoint(ctx, work)
        ctx.commit(inference.close_slice, work, NOW)
