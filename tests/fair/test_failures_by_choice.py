"""Nobody chooses what is missing: an import is measured by all that was imported beside it, and answers are counted."""

import random
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

import httpx
import pytest
from factories import World

from app.db.tables import Model, Problem
from app.domain.asking.protocols import FRESH, LCB, LCB_RECORDED, Protocol, Sampling
from app.domain.judging.verdicts import Verdict
from app.domain.states import ProblemState, RunOrigin

FIRST = date(2026, 1, 1)
TEN = Protocol("ten", "Ten answers", sampling=Sampling(n=10))


def board(client: httpx.Client, protocol: Protocol = LCB, **params: str) -> dict[str, dict[str, Any]]:
    answer = client.get("/api/v1/boards/codegen", params={"protocol": protocol.slug, **params})
    assert answer.status_code == 200, answer.text
    return {row["model"]: row for row in answer.json()["rows"]}


class Files:
    """Files of results of one protocol, over problems of a day each."""

    def __init__(self, world: World, days: int) -> None:
        self.world, self.models = world, dict[str, Model]()
        self.problems = [
            world.catalogued(f"p{day}", day=FIRST + timedelta(days=day), source="leetcode") for day in range(days)
        ]

    def add(self, model: str, counts: Mapping[int, tuple[int, int]], trial: int = 1, *, inferred: bool = False) -> None:
        """A file with (n, c) of some problems, or with rates alone, from which n is inferred."""
        owner = self.models[model] = self.models.get(model) or self.world.model(model)
        run = self.world.run(
            owner, origin=RunOrigin.IMPORTED, protocol=LCB, trial=trial, provenance={"n_inferred": inferred}
        )
        for row, (place, (n, c)) in enumerate(counts.items()):
            self.world.imported(run, self.problems[place], n, c, row + 1)

    def done(self) -> None:
        self.world.count()
        self.world.session.commit()


def test_a_file_that_drops_failed_problems_says_what_it_lacks(world: World, client: httpx.Client) -> None:
    """52 of 1,055 problems: a score of 70.6 looks like 74.3, below nobody else's."""
    files, rng = Files(world, 100), random.Random(7)
    whole = {place: (10, 10 if rng.random() < 0.7 else 0) for place in range(100)}
    failed = [place for place, (_, c) in whole.items() if not c]
    files.add("honest", whole)
    files.add("picky", {place: cell for place, cell in whole.items() if place not in failed[:5]})
    files.add("greedy", {place: cell for place, cell in whole.items() if place not in failed[:6]})
    files.done()
    rows = board(client)
    assert rows["picky"]["score"] > rows["honest"]["score"] + 3
    assert [(rows[name]["wanted"], rows[name]["coverage"]) for name in ("honest", "picky")] == [(100, 1.0), (100, 0.95)]
    assert [rows[name]["rank"] for name in ("honest", "picky", "greedy")] == [1, 1, None]
    rows = board(client, rules="lcb")
    assert [rows[name]["coverage"] for name in ("honest", "picky", "greedy")] == [1.0] * 3
    assert [rows[name]["rank"] for name in ("greedy", "picky", "honest")] == [1, 2, 3]


def test_files_of_other_windows_and_older_ones_count_inside_the_window(world: World, client: httpx.Client) -> None:
    files = Files(world, 60)
    files.add("early", dict.fromkeys(range(40), (10, 5)))
    files.add("late", dict.fromkeys(range(20, 60), (10, 5)))
    files.add("again", dict.fromkeys(range(60), (10, 5)))
    files.add("again", dict.fromkeys(range(0, 60, 2), (10, 10)), trial=2)  # the newest file is shown
    files.done()
    rows = board(client)
    assert {name: (row["wanted"], row["coverage"]) for name, row in rows.items()} == {
        "early": (60, 40 / 60), "late": (60, 40 / 60), "again": (60, 0.5),
    }  # fmt: skip
    window = {"from": (FIRST + timedelta(days=20)).isoformat(), "to": (FIRST + timedelta(days=40)).isoformat()}
    rows = board(client, LCB, **window)
    assert {name: row["coverage"] for name, row in rows.items()} == {"early": 1.0, "late": 1.0, "again": 0.5}
    # What is withdrawn is wanted of nobody.
    for problem in files.problems[:20]:
        problem.state = ProblemState.WITHDRAWN
    files.done()
    rows = board(client)
    assert {name: row["coverage"] for name, row in rows.items()} == {"early": 0.5, "late": 1.0, "again": 0.5}


def test_a_file_that_drops_failed_answers_covers_less(world: World, client: httpx.Client) -> None:
    """With 4 of 10 passed everywhere, keeping what passed looks like 100."""
    files = Files(world, 40)
    files.add("honest", dict.fromkeys(range(40), (10, 4)))
    files.add("picky", dict.fromkeys(range(39), (4, 4)) | {39: (10, 4)})
    files.add("single", dict.fromkeys(range(40), (1, 1)))
    files.add("rates", dict.fromkeys(range(40), (1, 1)), inferred=True)  # it has no answers that it could leave out
    files.done()
    rows = board(client)
    assert (rows["picky"]["score"], rows["picky"]["rank"]) == (pytest.approx(98.5), None)
    coverage = {name: row["coverage"] for name, row in rows.items()}
    assert coverage == {"honest": 1.0, "picky": pytest.approx((39 * 0.4 + 1) / 40), "single": 0.1, "rates": 1.0}
    assert board(client, rules="lcb")["picky"]["coverage"] == 1.0


def test_a_file_that_keeps_only_what_passed_is_measured_by_the_files_beside_it(
    world: World, client: httpx.Client
) -> None:
    """As many answers in every cell, all passed: nothing in the file itself says how many there were."""
    files = Files(world, 40)
    files.add("honest", dict.fromkeys(range(40), (10, 4)))
    files.add("picky", dict.fromkeys(range(40), (4, 4)))
    files.done()
    rows = board(client)
    assert {name: (row["coverage"], row["rank"]) for name, row in rows.items()} == {
        "honest": (1.0, 1), "picky": (0.4, None),
    }  # fmt: skip
    window = {"from": (FIRST + timedelta(days=9)).isoformat(), "to": (FIRST + timedelta(days=20)).isoformat()}
    assert board(client, LCB, **window)["picky"]["coverage"] == 0.4
    rows = board(client, rules="lcb")
    assert [(rows[name]["coverage"], rows[name]["rank"]) for name in ("picky", "honest")] == [(1.0, 1), (1.0, 2)]


def test_a_file_of_rates_alone_takes_no_others_coverage(world: World, client: httpx.Client) -> None:
    """How many answers made its rates is a guess, and whoever says how many there were is not measured by it."""
    files = Files(world, 40)
    files.add("told", dict.fromkeys(range(40), (5, 2)))
    files.add("guessed", dict.fromkeys(range(40), (10, 3)), inferred=True)
    files.done()
    assert {name: (row["coverage"], row["rank"]) for name, row in board(client).items()} == {
        "told": (1.0, 1), "guessed": (1.0, 2),
    }  # fmt: skip


def answered(
    world: World, model: str, problems: Sequence[Problem], verdicts: Sequence[str], protocol: Protocol
) -> None:
    run = world.run(model, protocol=protocol, provenance={"sha256": model} if protocol.recorded else {})
    for problem, results in zip(problems, verdicts, strict=True):
        for ordinal, passed in enumerate(results):
            verdict = Verdict.ACCEPTED if passed == "+" else Verdict.WRONG_ANSWER
            world.answer(run, problem, verdict, ordinal=ordinal)


@pytest.mark.parametrize("protocol", [TEN, LCB_RECORDED], ids=["asked", "recorded"])
def test_answers_that_are_not_there_are_missing_of_their_problem(
    world: World, client: httpx.Client, protocol: Protocol
) -> None:
    problems = [world.problem(f"a{day}", day=FIRST + timedelta(days=day), source="leetcode") for day in range(4)]
    answered(world, "whole", problems, ["++++------"] * 4, protocol)
    answered(world, "picky", problems, ["++++", "++++", "++++", "++++------"], protocol)
    answered(world, "short", problems[:3], ["++++------"] * 3, protocol)
    world.count()
    world.session.commit()
    rows = board(client, protocol)
    assert rows["picky"]["score"] == 85.0
    assert {name: row["coverage"] for name, row in rows.items()} == {
        "whole": 1.0, "picky": pytest.approx(0.55), "short": 0.75,
    }  # fmt: skip
    assert {name: row["rank"] for name, row in rows.items()} == {"whole": 1, "picky": None, "short": None}


def test_of_recorded_answers_the_newest_file_is_shown(world: World, client: httpx.Client) -> None:
    problem, model = world.problem("a", day=FIRST, source="leetcode"), world.model("orion")
    for trial, verdict in enumerate((Verdict.ACCEPTED, Verdict.WRONG_ANSWER), 1):
        run = world.run(model, protocol=LCB_RECORDED, trial=trial, provenance={"sha256": str(trial)})
        world.answer(run, problem, verdict)
    world.count()
    world.session.commit()
    row = board(client, LCB_RECORDED)["orion"]
    assert (row["score"], row["trials"], row["started_by"]) == (0.0, 2, "file")


def test_one_answer_each_is_all_that_is_wanted_where_one_is_asked_for(world: World, client: httpx.Client) -> None:
    problems = [world.problem(f"a{day}", day=FIRST + timedelta(days=day), source="leetcode") for day in range(2)]
    answered(world, "orion", problems, ["+", "-"], FRESH)
    world.count()
    world.session.commit()
    assert board(client, FRESH)["orion"]["coverage"] == 1.0
