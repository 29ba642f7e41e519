"""How large a board's problems and derived items are, through the API and on the page."""

import json
from datetime import date

import httpx
from factories import World

from app.db.tables import Derivation, DerivedItem, TestRow
from app.domain.problems import Form
from app.domain.scenarios import shipped

SOURCE = "import unittest\nclass T(unittest.TestCase):\n" + "".join(
    f"    def test_{n}(self):\n        self.assertTrue(task_func({n}))\n" for n in range(6)
)


def counts(client: httpx.Client, board: str, protocol: str) -> dict[str, dict[int, int]]:
    found = client.get(f"/api/v1/boards/{board}/sizes", params={"protocol": protocol}).json()["sizes"]
    assert all(one["n"] == sum(band["count"] for band in one["bands"]) for one in found)
    return {one["name"]: {band["from"]: band["count"] for band in one["bands"] if band["count"]} for one in found}


def test_tests_are_counted_and_those_of_unittests_by_function(world: World, client: httpx.Client) -> None:
    model = world.model("orion", cutoff_on=date(2025, 1, 1))
    plain, tasks = (world.run(model, protocol=shipped()[slug]) for slug in ("house", "bcb-complete"))
    for number, tests in enumerate((1, 12, 19)):
        world.answer(plain, world.problem(f"p{number}", tests=tests))
    task = world.problem("0", source="bigcodebench", form=Form.UNITTEST, tests=0)
    world.session.add(TestRow(test_set_id=task.current_test_set_id, ordinal=0, input=json.dumps(SOURCE),
                              expected="null", visible=False))  # fmt: skip
    world.answer(tasks, task)
    world.count()
    world.session.commit()
    assert counts(client, "codegen", "house") == {"tests": {1: 1, 10: 2}}
    assert counts(client, "bigcode", "bcb-complete") == {"tests": {5: 1}}
    page = " ".join(client.get("/en/ratings?protocol=house").text.split())
    assert '<th scope="row">10 – 19</th><td class="num">2</td>' in page
    assert '<th scope="row">1</th><td class="num">1</td>' in page
    assert "characters of code" not in page


def test_derived_items_have_the_length_of_their_code_and_the_steps_of_its_run(
    world: World, client: httpx.Client
) -> None:
    problem = world.problem("p", form=Form.FUNCTION)
    made = {"test_set_id": problem.current_test_set_id}
    world.session.add(Derivation(since=world.now, derived_at=world.now, **made))
    world.session.flush()
    for number, (length, steps) in enumerate(((150, 9), (199, 10), (420, 999))):
        item = {"facts": {"code": "x" * length, "call": "f()"}, "expected": "1", "checker": {}, "returns": ""}
        world.session.add(DerivedItem(kind="execution", number=number, measured={"steps": steps}, **item, **made))
    run = world.run(world.model("orion", cutoff_on=date(2025, 1, 1)), protocol=shipped()["house-execution"])
    world.answer(run, problem)
    world.count()
    world.session.commit()
    found = counts(client, "execution", "house-execution")
    assert (found["characters"], found["steps"]) == ({100: 2, 400: 1}, {1: 1, 10: 1, 300: 1})
    assert "字节码步数" in client.get("/zh/ratings?board=execution").text
