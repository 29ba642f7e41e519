"""Tokens, time, cost and speed of a row: as the database has them, in every face, and a dash where nobody knows."""

import csv
import io
import math
import random
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from statistics import median
from typing import Any

import pytest
from factories import NOW, World
from httpx import Client
from sqlalchemy import event
from support.waiting import until

from app.db.kernel.leases import new_lease
from app.db.kernel.session import Session
from app.db.runs import speeds
from app.db.tables import Problem, ProofState, TestSet
from app.domain.judging.speed import ReferenceTime
from app.domain.judging.verdicts import Verdict
from app.domain.publishing.holds import ProofOutcome
from app.services.boards.board_views import board, parse_query
from app.services.boards.cubes import CubeStore
from app.services.problems import publishing
from app.services.runs.usage import speeds_by_run, usage_by_run

URL = "/api/v1/boards/codegen"


def prove(world: World, problem: Problem, cpu_ms: float, *, grader: str = "judge-1", mode: str = "rlimit") -> None:
    """The problem's tests, proven by a reference that took so long."""
    test_set = world.session.get_one(TestSet, problem.current_test_set_id)
    test_set.proof_detail = {speeds.TIMES: {"python": ReferenceTime(cpu_ms, grader, mode)._asdict()}}
    world.session.flush()


def row_of(client: Client, model: str) -> dict[str, Any]:
    return next(row for row in client.get(URL).json()["rows"] if row["model"] == model)


@pytest.mark.parametrize("seed", range(6))
def test_speed_equals_a_loop_over_verdicts(world: World, client: Client, seed: int) -> None:
    rng = random.Random(seed)
    run, other = world.run("orion"), world.run("lyra")
    pairs: dict[str, list[float]] = {"orion": [], "lyra": []}
    for number in range(rng.randint(9, 18)):
        problem = world.problem(f"p{number}", day=date(2026, 3, 1) + timedelta(days=number))
        reference = rng.choice([None, 1.0, 40.0, 700.0])
        if reference is not None:
            prove(world, problem, reference)
        for each, name in ((run, "orion"), (other, "lyra")):
            taken = []
            for ordinal in range(rng.randint(0, 4)):
                sample = world.answer(each, problem, None, ordinal=ordinal)
                passed, cpu_ms = rng.random() < 0.7, rng.uniform(0.5, 900.0)
                world.verdict(sample, problem, Verdict.ACCEPTED if passed else Verdict.WRONG_ANSWER, cpu_ms=cpu_ms)
                taken += [cpu_ms] if passed else []
            if taken and reference is not None:
                pairs[name].append(math.log(reference / median(taken)))
    world.count()
    world.session.commit()
    rows = {row["model"]: row for row in client.get(URL).json()["rows"]}
    for name, logs in pairs.items():
        if name in rows:
            assert rows[name]["speed_problems"] == len(logs)
            expected = math.exp(sum(logs) / len(logs)) if len(logs) >= 10 else None
            assert rows[name]["speed_vs_reference"] == pytest.approx(expected)


def test_only_what_the_same_judge_measured_on_the_tests_of_now_is_compared(world: World, client: Client) -> None:
    run = world.run("orion")
    problems = [world.problem(f"p{number}") for number in range(12)]
    for problem in problems:
        prove(world, problem, 80.0)
        world.verdict(world.answer(run, problem, None), problem, Verdict.ACCEPTED, cpu_ms=40.0)
    world.count()
    world.session.commit()

    def known() -> int:
        world.session.flush()
        found = speeds_by_run(world.session, [run.id], "python")[run.id]
        assert found.ratio == (pytest.approx(2.0) if found.problems >= 10 else None)
        return found.problems

    assert row_of(client, "orion")["speed_vs_reference"] == pytest.approx(2.0)
    assert known() == 12
    assert speeds_by_run(world.session, [run.id], "cpp") == {}
    prove(world, problems[0], 80.0, grader="judge-2")
    assert known() == 11
    prove(world, problems[1], 80.0, mode="cgroup")
    assert known() == 10
    world.session.get_one(TestSet, problems[2].current_test_set_id).proof = ProofState.UNPROVEN
    assert known() == 9
    world.version(problems[3], statement="Another text.")
    assert known() == 8
    problems[4].current_test_set_id = world.tests(problems[4], 2).id
    assert known() == 7
    problems[5].canary = True
    assert known() == 6
    prove(world, problems[6], 0.0)
    assert known() == 5
    forged = world.answer(run, problems[0], None, ordinal=1)
    world.verdict(forged, problems[0], Verdict.ACCEPTED, cpu_ms=1.0, in_process=True, grader_revision="judge-2")
    assert known() == 5


def test_answers_that_come_after_a_board_was_shown_are_in_later_ones(world: World, client: Client) -> None:
    run = world.run("orion")
    lags = [0.0]
    for count in (1, 2):
        problem = world.problem(f"p{count}", day=date(2026, 3, 1))
        world.answer(run, problem, answered_at=datetime(2026, 3, 1 + 10 * count, tzinfo=UTC))
        world.count()
        world.session.commit()
        assert row_of(client, "orion")["n_problems"] == count
        until(lambda: row_of(client, "orion")["lag_days"] > lags[-1], "the later lag")
        lags.append(row_of(client, "orion")["lag_days"])
    assert lags[2] == lags[1] + 5


def test_the_share_of_verdicts_made_beside_the_program_is_of_those_that_count(world: World) -> None:
    run, problem = world.run("orion"), world.problem("a")
    for ordinal, beside in enumerate((True, False, False, True)):
        sample = world.answer(run, problem, None, ordinal=ordinal)
        world.verdict(sample, problem, Verdict.WRONG_ANSWER, in_process=beside, counts=ordinal < 3)
    world.session.flush()
    assert usage_by_run(world.session, [run.id], "python")[run.id].beside_rate == pytest.approx(1 / 3)


def test_a_proof_leaves_the_times_of_its_references(session: Session) -> None:
    world = World(session)
    problem = world.problem("a")
    test_set = session.get_one(TestSet, problem.current_test_set_id)
    for proven in (False, True):
        test_set.proof, test_set.proof_detail = ProofState.WAITING, {"made": {"kept": 1}}
        lease = new_lease(NOW, timedelta(minutes=5))
        test_set.lease_token, test_set.lease_until = lease.token, NOW + timedelta(minutes=5)
        session.flush()
        job = publishing.ProofJob(test_set.id, lease, None, ())  # type: ignore[arg-type]
        times = {"python": ReferenceTime(12.5, "judge-1", "rlimit")} if proven else {}
        assert publishing.record_proof(session, job, ProofOutcome(proven, None, 1, 0, times=times), NOW)
        session.refresh(test_set)
        kept = {"python": {"cpu_ms": 12.5, "grader_revision": "judge-1", "limit_mode": "rlimit"}} if proven else {}
        assert test_set.proof_detail[speeds.TIMES] == kept
        assert test_set.proof_detail["made"] == {"kept": 1}


@pytest.fixture
def filled(world: World) -> World:
    """One row of which everything is known and one of which nothing is."""
    rich, poor = world.run("rich"), world.run("poor")
    for number in range(10):
        problem = world.problem(f"p{number}", day=date(2026, 3, 1) + timedelta(weeks=number), contest=f"c{number}")
        prove(world, problem, 83.0)
        spent: dict[str, Any] = {"cost_usd": Decimal("0.25"), "tokens_cached": 8, "tokens_reasoning": 2000}
        world.answer(rich, problem, **spent)
        world.answer(poor, problem, Verdict.WRONG_ANSWER, tokens_input=None, tokens_answer=None, latency_ms=None)
    world.count()
    world.session.commit()
    return world


def test_every_face_has_them_and_null_is_not_zero(filled: World, client: Client) -> None:
    rich, poor = row_of(client, "rich"), row_of(client, "poor")
    assert rich["tokens"] == {"input": 100.0, "cached": 8.0, "reasoning": 2000.0, "answer": 50.0}
    assert (rich["seconds_per_problem"], rich["cost_per_solve"], rich["speed_problems"]) == (1.5, 0.25, 10)
    assert rich["speed_vs_reference"] == pytest.approx(2.0)
    unknown = ("seconds_per_problem", "cost_per_solve", "speed_vs_reference")
    assert [poor[name] for name in unknown] == [None] * 3
    assert poor["speed_problems"] == 0
    table = {row["model"]: row for row in csv.DictReader(io.StringIO(client.get(f"{URL}.csv").text))}
    assert [table["rich"][f"tokens_{kind}"] for kind in rich["tokens"]] == ["100.0", "8.0", "2000.0", "50.0"]
    assert float(table["rich"]["speed_vs_reference"]) == pytest.approx(2.0)
    assert [table["poor"][name] for name in unknown] == ["", "", ""]


def test_the_page_shows_them_in_the_table_and_in_opened_rows(filled: World, client: Client) -> None:
    shown = client.get("/en/?difficulty=medium").text
    row = shown.split('id="row-rich')[1].split("</tr>")[0]
    for said in ('data-v="2050.0">2,050</td>', 'data-v="1.5">1.5</td>', 'data-v="0.25">$0.25'):
        assert said in row, said
    opened = shown.split('id="opened-rich')[1].split("</tr>")[0]
    for said in (
        "<dt>Tokens</dt><dd>2,050 <small>Per problem: input 100 (cached 8), reasoning 2,000, answer 50</small>",
        "<dt>Seconds</dt><dd>1.5",
        "×2.00",
        "Geometric mean over 10 problems",
    ):
        assert said in " ".join(opened.split()), said
    poor = shown.split('id="row-poor')[1].split("</tr>")[0]
    assert poor.count('data-v="">—</td>') >= 3, "unknown is not 0"
    without = " ".join(shown.split('id="opened-poor')[1].split("</tr>")[0].split())
    assert "— <small>Only 0 problems can be compared; 10 are needed</small>" in without
    assert "最快参考程序" in client.get("/zh/").text


def test_links_of_the_page_keep_its_view(filled: World, client: Client) -> None:
    page = client.get("/en/?from=&exposure=split&ref=rich&sort=tokens").text
    assert 'href="/en/?exposure=split&amp;ref=poor&amp;from=&amp;sort=tokens#row-poor' in page
    assert f'href="{URL}.csv?exposure=split&amp;ref=rich"' in page, "files have all columns"
    assert 'rel="canonical" href="/en/?exposure=split&amp;from="' in page
    heads = page.split("<thead>")[1].split("</thead>")[0].count('scope="col"')
    assert '<tr class="detail" id="opened-rich' in page
    assert f'<td colspan="{heads}"' in page


def test_they_are_read_once_in_a_while_by_one_statement_each(filled: World, tmp_path: Any) -> None:
    said: list[str] = []
    connection = filled.session.connection()
    event.listen(connection, "before_cursor_execute", lambda *given: said.append(given[2]))
    cubes = CubeStore(tmp_path)
    for _ in range(3):
        board(filled.session, parse_query([]), cubes)
    assert sum("cpu_ms" in each for each in said) == 1
    assert sum("released_on) /" in each for each in said) == 1
    assert sum("latency_ms" in each for each in said) == 1
