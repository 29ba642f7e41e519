"""Self-repair from a plan to its board: what failed goes back with its feedback, what passed is carried over."""

import re
from pathlib import Path

import pytest
from fakes import model_server
from fakes.model_server import Asked, ModelServer, Say
from sqlalchemy import select
from support.batches import SUM, WRONG, batch, problem

from app.db.tables import Endpoint, VerdictRow
from app.domain.asking.protocols import HOUSE
from app.domain.imports import ImportedModel
from app.domain.scenarios.self_repair import SCENARIO
from app.services.boards import reading
from app.services.boards.cubes import CubeStore
from app.services.boards.query import parse_query
from app.services.runs import imports, plan
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
        tern = plan.Offer(ImportedModel("tern", "Tern", "Demo"), "openai_chat", "tern", server.url)
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
        (row,) = reading.board(session, asked, CubeStore(tmp_path)).rows
        assert (row.score, row.n_problems, row.coverage) == (80.0, 5, 1.0)
        (plain,) = reading.board(session, parse_query([], "codegen"), CubeStore(tmp_path)).rows
        assert plain.score == 20.0
