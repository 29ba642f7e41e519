"""Self-repair from a plan to its board: what failed goes back with its feedback, what passed is carried over."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import model_server
from fakes.model_server import Asked, ModelServer, Say
from pipeline.flow import NOW, answer_all, judge_one, offer
from sqlalchemy import select
from sqlalchemy.orm import aliased
from support.batches import SUM, WRONG, batch, problem

from app.db.kernel.session import Session
from app.db.runs import runs as run_store
from app.db.tables import Endpoint, Run, Sample, VerdictRow
from app.domain.asking.protocols import HOUSE
from app.domain.boards.named_boards import extra_values
from app.domain.imports import ImportedModel
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Test
from app.domain.scenarios import shipped_protocols
from app.domain.scenarios.self_repair import SCENARIO
from app.services.boards import board_views
from app.services.boards.cubes import CubeStore
from app.services.boards.query import parse_query
from app.services.runs import imports, plan, sample_views
from workers import tasks
from workers.context import Context, now

REPAIR = SCENARIO.protocols[0]
CRASH = "a, b = map(int, input().split())\nprint(a + b + [])\n"
BROKEN = "a, b = map(int, input().split(\nprint(a + b)\n"


@pytest.mark.sandbox
def test_what_failed_is_told_how_and_what_passed_is_not_asked(ctx: Context, tmp_path: Path) -> None:
    first = {"0": SUM, "1": WRONG, "2": CRASH, "3": BROKEN, "4": None}
    second = {"1": SUM, "2": SUM, "3": SUM, "4": WRONG}
    told: dict[str, str] = {}

    def answer(asked: Asked) -> Say:
        found = re.search(r"\((\d)\)", asked.last_message)
        assert found is not None
        if "### How it failed" in asked.last_message:
            told[found[1]] = asked.last_message.split("### How it failed\n\n")[1].split("\n\n### Format")[0]
            code: str | None = second[found[1]]
        else:
            code = first[found[1]]
        return model_server.message("I cannot." if code is None else f"```python\n{code}```\n")

    with ModelServer(answer) as server:
        ctx.commit(imports.store_batch, batch(*(problem(number) for number in range(5))), now())
        tern = plan.BundledModel(ImportedModel("tern", "Tern", "Demo"), server.url)
        for protocol in (HOUSE, REPAIR):
            ctx.commit(plan.register_demo, (tern,), protocol, now())
        for _round in range(2):
            tasks.plan_runs()
            with ctx.sessions() as session:
                endpoints = session.scalars(select(Endpoint.id)).all()
            for endpoint in endpoints:
                tasks.infer_slice(endpoint)
            tasks.grade_answers()
    tasks.plan_runs()
    tasks.aggregate()
    assert set(told) == {"1", "2", "3", "4"}, "what passed is not asked again"
    with ctx.sessions() as session:
        got = session.scalars(select(VerdictRow.got).where(VerdictRow.verdict == "wrong_answer")).all()
        assert all(got), "the judge kept what a wrong program printed"
        assert f"Output:\n```\n{(got[0] or '').strip()}\n```\n\nExpected:\n```\n1\n```" in told["1"]
        assert "TypeError" in told["2"]
        assert "Output:" not in told["2"]
        assert told["3"].startswith("The program does not compile.")
        assert "SyntaxError" in told["3"]
        assert told["4"] == "There was nothing to run."
        asked = parse_query([("protocol", REPAIR.slug)], "repair")
        (row,) = board_views.board(session, asked, CubeStore(tmp_path)).rows
        assert (row.score, row.n_problems, row.coverage) == (80.0, 5, 1.0)
        (plain,) = board_views.board(session, parse_query([], "codegen"), CubeStore(tmp_path)).rows
        assert plain.score == 20.0


def test_a_repair_is_of_an_answer_of_its_own_configuration_and_trial_once_that_was_judged(session: Session) -> None:
    imports.store_batch(session, batch(problem(0)), NOW)
    for protocol in (HOUSE, REPAIR):
        plan.register_demo(session, (offer("tern", {}, {"effort": "high"}),), protocol, NOW)
    for run in session.scalars(select(Run)).all():
        assert run.endpoint_id is not None
        again = run_store.add_trial(session, run.model_id, run.endpoint_id, run.protocol_id, run.configuration)
        run_store.resume(session, again.id)
    plan.plan_samples(session, NOW)
    assert answer_all(session) == 4
    parent, of, parent_of = aliased(Sample), aliased(Run), aliased(Run)
    pairs = (
        select(of.configuration, of.trial, parent_of.configuration, parent_of.trial)
        .join(Sample, Sample.run_id == of.id)
        .join(parent, parent.id == Sample.parent_id)
        .join(parent_of, parent_of.id == parent.run_id)
    )
    for judged in range(5):
        plan.plan_samples(session, NOW)
        found = session.execute(pairs).all()
        assert len(found) == judged
        assert all((configuration, trial) == (its, its_trial) for configuration, trial, its, its_trial in found)
        assert judge_one(session, Verdict.WRONG_ANSWER) is (judged < 4)


HIDDEN_ALONE = "a, b = map(int, input().split())\nprint(a + b if a == 0 else 0)\n"


@pytest.mark.sandbox
def test_with_tools_examples_alone_decide_who_writes_again(ctx: Context, tmp_path: Path) -> None:
    """By being asked again nobody learns what hidden tests say."""
    written = {"0": [SUM], "1": [HIDDEN_ALONE], "2": [WRONG, SUM], "3": [CRASH, HIDDEN_ALONE], "4": [WRONG, WRONG, SUM]}
    asked_for: list[str] = []

    def answer(asked: Asked) -> Say:
        found = re.search(r"\((\d)\)", asked.last_message)
        assert found is not None
        assert "at most 2 programs are run so" in asked.last_message
        asked_for.append(found[1])
        code = written[found[1]][asked_for.count(found[1]) - 1]
        return model_server.message(f"```python\n{code}```\n")

    protocols = [
        replace(each, covers=HOUSE.covers)
        for each in shipped_protocols().values()
        if each.slug.startswith("house-tools")
    ]
    assert [each.slug for each in protocols] == ["house-tools-0", "house-tools-1", "house-tools-2"]
    with ModelServer(answer) as server:
        problems = [problem(number) for number in range(5)]
        examples = [Test("0 5\n", "5\n", visible=True), Test("2 3\n", "5\n")]
        ctx.commit(imports.store_batch, batch(*(replace(each, tests=tuple(examples)) for each in problems)), now())
        tern = plan.BundledModel(ImportedModel("tern", "Tern", "Demo"), server.url)
        for protocol in protocols:
            ctx.commit(plan.register_demo, (tern,), protocol, now())
        for _turn in range(3):
            tasks.plan_runs()
            with ctx.sessions() as session:
                endpoints = session.scalars(select(Endpoint.id)).all()
            for endpoint in endpoints:
                tasks.infer_slice(endpoint)
            tasks.grade_answers()
    tasks.plan_runs()
    tasks.aggregate()
    assert sorted(asked_for) == ["0", "1", "2", "2", "3", "3", "4", "4", "4"]
    scores = {}
    with ctx.sessions() as session:
        for protocol in protocols:
            query = parse_query([("protocol", protocol.slug)], "tools")
            (row,) = board_views.board(session, query, CubeStore(tmp_path)).rows
            assert row.coverage == 1.0
            scores[protocol.slug] = row.score
        last = session.scalars(select(Sample.id).order_by(Sample.id.desc()).limit(1)).one()
        chain = sample_views.sample(session, last).continues
        assert len(chain) == 2
        assert sample_views.sample(session, chain[1]).continues == chain[:1], (
            "every turn is kept, and found from the last"
        )
    assert scores == {"house-tools-0": 20.0, "house-tools-1": 40.0, "house-tools-2": 60.0}


@pytest.mark.sandbox
def test_each_further_repair_is_of_the_last_program(ctx: Context, tmp_path: Path) -> None:
    programs = {"0": [WRONG, CRASH, SUM], "1": [WRONG, SUM]}
    shown: list[tuple[str, str]] = []

    def answer(asked: Asked) -> Say:
        found = re.search(r"\((\d)\)", asked.last_message)
        assert found is not None
        before = asked.last_message.partition("### Program\n\n```python\n")[2].partition("\n```")[0]
        shown.append((found[1], before))
        turn = sum(number == found[1] for number, _ in shown) - 1
        return model_server.message(f"```python\n{programs[found[1]][turn]}```\n")

    with ModelServer(answer) as server:
        ctx.commit(imports.store_batch, batch(problem(0), problem(1)), now())
        tern = plan.BundledModel(ImportedModel("tern", "Tern", "Demo"), server.url)
        for slug in ("house", "house-repair", "house-repair-2"):
            ctx.commit(plan.register_demo, (tern,), shipped_protocols()[slug], now())
        for _round in range(3):
            tasks.plan_runs()
            with ctx.sessions() as session:
                endpoints = session.scalars(select(Endpoint.id)).all()
            for endpoint in endpoints:
                tasks.infer_slice(endpoint)
            tasks.grade_answers()
    tasks.plan_runs()
    tasks.aggregate()
    of_first = [before for number, before in shown if number == "0"]
    assert of_first == ["", WRONG.strip(), CRASH.strip()]
    assert [before for number, before in shown if number == "1"] == ["", WRONG.strip()]
    with ctx.sessions() as session:
        query = parse_query([("protocol", "house-repair-2")], "repair")
        board = board_views.board(session, query, CubeStore(tmp_path))
    (row,) = board.rows
    assert row.score == 100.0
    (columns,) = extra_values(board)
    assert {name: columns[name] for name in ("first", "refine_2", "refine_3", "gain")} == {
        "first": 0.0, "refine_2": 50.0, "refine_3": 100.0, "gain": 100.0,
    }  # fmt: skip
