"""The quarantine shows maintainers why no tests could be made, and takes what a person adds to it."""

import pytest
from factories import NOW, World
from httpx import Client
from pipeline.flow import LEASE
from sqlalchemy import select
from support.consensus import add_setter, asked, fresh, says, setting_of, settle
from support.setters import KADANE
from support.signing_in import sign_in

from app.db.tables import AdditionRow, AuditEntry, Problem
from app.domain.consensus.result import ConsensusResult
from app.domain.reasons import text_reason
from app.domain.states import ProblemState
from app.services.runs.consensus import consensus_jobs

HIDDEN = "WITNESS 77\n"


@pytest.fixture
def problem(world: World) -> Problem:
    """A held one, with what showed that."""
    session = world.session
    problem = fresh(session)
    for vendor in ("acme", "birds"):
        add_setter(session, f"of-{vendor}", vendor)
    settle(session, problem)
    asked(session, lambda name: says(name.removeprefix("of-")))
    job = consensus_jobs.claim(session, NOW, LEASE)
    assert job is not None
    answer = {"setter": "of-acme", "vendor": "acme", "role": "brute", "ordinal": 0,
              "state": "contradicted: nothing says who is right", "witness": HIDDEN}  # fmt: skip
    missed = {"of-acme solution 1": {"slow": 7, "failed": 1, "dropped": 2, "inputs": ["LATE 88\n"]}}
    dropped = {"illegal": 2, "dissent": 5, "slow": 2}
    evidence = {"legal": 41, "disputed": 3, "dropped": dropped, "answers": [answer], "missed": missed}
    consensus_jobs.record(
        session, job, ConsensusResult(text_reason("programs contradict each other"), job.problem, (), {}, evidence), NOW
    )
    session.commit()
    return problem


def signed_in(world: World, client: Client) -> str:
    sign_in(world, client)
    page: str = client.get("/en/ops/quarantine").text
    return page.split('name="csrf" value="')[1].split('"')[0]


def test_maintainers_alone_see_the_evidence(world: World, client: Client, problem: Problem) -> None:
    assert client.get("/en/ops/quarantine").status_code == 401
    signed_in(world, client)
    page = client.get("/en/ops/quarantine").text
    for shown in ("WITNESS 77", "of-acme brute 0", "contradicted: nothing says who is right", "programs contradict",
                  "Dropped as disputed</dt><dd>5<", "Legal inputs</dt><dd>41<", "setters could not make full tests: <",
                  "of-acme solution 1", "too slow on 7 inputs, no answer on 1; 2 of them were dropped", "LATE 88",
                  "Read the evidence below, then add a program"):  # fmt: skip
        assert shown in page
    chinese = client.get("/zh/ops/quarantine").text
    assert "因有争议舍弃" in chinese
    assert "在 7 个输入上过慢" in chinese


def test_the_form_adds_a_piece_and_shows_it_nowhere(world: World, client: Client, problem: Problem) -> None:
    csrf = signed_in(world, client)
    form = {"csrf": csrf, "problem": "atcoder/best", "kind": "reference", "language": "python",
            "body": f"# OWNPROGRAM\n{KADANE}", "reason": "I solved it"}  # fmt: skip
    assert client.post("/en/ops/quarantine", data={**form, "csrf": "x"}, follow_redirects=False).status_code == 403
    assert client.post("/en/ops/quarantine", data={**form, "body": " "}, follow_redirects=False).status_code == 422
    assert client.post("/en/ops/quarantine", data={**form, "reason": ""}, follow_redirects=False).status_code == 422
    assert world.session.scalars(select(AdditionRow)).all() == []
    done = client.post("/en/ops/quarantine", data=form, follow_redirects=False)
    assert (done.status_code, "done=1" in done.headers["location"]) == (303, True)
    world.session.expire_all()
    assert problem.state == ProblemState.CHECKED
    assert setting_of(world.session, problem).state == "asking"
    entry = world.session.scalars(select(AuditEntry).where(AuditEntry.action == "setting.add")).one()
    assert (entry.subject, entry.reason, entry.actor != "operator") == ("atcoder/best", "I solved it", True)
    again = client.post("/en/ops/quarantine", data=form, follow_redirects=False)
    assert "refused=" in again.headers["location"]
    for path in ("/en/ops/quarantine", "/en/ops/machinery", "/en/status", "/api/v1/status"):
        assert "OWNPROGRAM" not in client.get(path).text
