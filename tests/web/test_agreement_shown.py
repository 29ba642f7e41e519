"""How far suites by consensus agreed with better tests that came later, on the status page and in the API."""

from datetime import timedelta
from typing import Any

import pytest
from factories import NOW, World
from httpx import Client
from sqlalchemy import select

from app.db.tables import Problem, Sample, TestSet
from app.domain.judging.verdicts import Verdict
from app.domain.problems import TestsOrigin

AC, WA = Verdict.ACCEPTED, Verdict.WRONG_ANSWER
NOTHING = {
    "agreed": 0, "answers": 0, "problems": 0, "wrongly_accepted": 0, "wrongly_rejected": 0, "share": None,
    "ci_lo": None, "ci_hi": None,
}  # fmt: skip


@pytest.fixture
def problem(world: World) -> Problem:
    """One whose tests are a consensus, with three answers: accepted, accepted, wrong."""
    problem = world.problem("p")
    come_from(world, problem.current_test_set_id, TestsOrigin.CONSENSUS)
    for number, verdict in enumerate((AC, AC, WA)):
        world.answer(world.run(f"m{number}"), problem, verdict)
    world.session.commit()
    return problem


def come_from(world: World, test_set_id: int | None, origin: TestsOrigin) -> None:
    tests = world.session.get_one(TestSet, test_set_id)
    tests.origin, tests.setters = origin, ["lyra"] if origin is TestsOrigin.CONSENSUS else []
    world.session.flush()


def judged(world: World, problem: Problem, origin: TestsOrigin, *verdicts: Verdict | None, later: int = 1) -> None:
    """Other tests judge the answers, in order; None for one that they have not judged."""
    before, problem.current_test_set_id = problem.current_test_set_id, world.tests(problem, 3).id
    come_from(world, problem.current_test_set_id, origin)
    answers = world.session.scalars(select(Sample).where(Sample.problem_id == problem.id).order_by(Sample.id))
    for answer, verdict in zip(answers, verdicts, strict=True):
        if verdict is not None:
            world.verdict(answer, problem, verdict, judged_at=NOW + timedelta(hours=later), counts=False)
    problem.current_test_set_id = before
    world.session.commit()


def figure(client: Client) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/api/v1/status").json()["agreement"]
    return found


def test_where_nothing_could_be_compared_it_says_so(world: World, client: Client, problem: Problem) -> None:
    judged(world, problem, TestsOrigin.REFERENCES, AC, AC, AC)
    assert figure(client) == NOTHING
    assert "so there is nothing to compare" in client.get("/en/status").text
    assert "因此无法对照" in client.get("/zh/status").text


def test_each_answer_counts_once_by_its_newest_verdicts(world: World, client: Client, problem: Problem) -> None:
    judged(world, problem, TestsOrigin.OFFICIAL, WA, AC, WA)
    judged(world, problem, TestsOrigin.OFFICIAL, AC, WA, AC, later=2)
    judged(world, problem, TestsOrigin.PACKAGE, WA, WA, WA, later=3)
    found = figure(client)
    assert (found["agreed"], found["answers"], found["problems"]) == (1, 3, 1), "the surest origin's newest"
    assert (found["wrongly_accepted"], found["wrongly_rejected"]) == (1, 1)
    assert found["share"] == pytest.approx(100 / 3)
    assert found["ci_lo"] < found["share"] < found["ci_hi"]
    page = client.get("/en/status").text
    assert "on 1 of 3 answers (problems: 1;" in page
    assert "they accepted 1 that the more reliable tests reject" in page


def test_a_judges_error_on_either_side_is_left_out(world: World, client: Client, problem: Problem) -> None:
    judged(world, problem, TestsOrigin.OFFICIAL, AC, Verdict.JUDGE_ERROR, None)
    found = figure(client)
    assert (found["agreed"], found["answers"], found["ci_hi"]) == (1, 1, 100.0)
    judged(world, problem, TestsOrigin.CONSENSUS, Verdict.JUDGE_ERROR, AC, AC, later=5)
    assert figure(client) == NOTHING


def test_answers_to_one_problem_are_one_cluster(world: World, client: Client, problem: Problem) -> None:
    judged(world, problem, TestsOrigin.PACKAGE, AC, AC, WA)
    one = figure(client)
    assert (one["share"], one["ci_hi"]) == (100.0, 100.0)
    assert one["ci_lo"] < 25, "a suite is judged once, however many answers it judges"
