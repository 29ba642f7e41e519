"""How large a board's problems and derived items are, through the API and on the page."""

import json
from datetime import date

import httpx
from factories import World

from app.db.tables import Derivation, DerivedItem, TestRow, TestSet
from app.domain.problems import Form
from app.domain.scenarios import shipped_protocols
from app.domain.unittests.reference import COVERAGE_KEY, BranchCoverage

SOURCE = "import unittest\nclass T(unittest.TestCase):\n" + "".join(
    f"    def test_{n}(self):\n        self.assertTrue(task_func({n}))\n" for n in range(6)
)


def counts(client: httpx.Client, board: str, protocol: str) -> dict[str, dict[int, int]]:
    found = client.get(f"/api/v1/boards/{board}/sizes", params={"protocol": protocol}).json()["sizes"]
    assert all(one["n"] == sum(band["count"] for band in one["bands"]) for one in found)
    return {one["name"]: {band["from"]: band["count"] for band in one["bands"] if band["count"]} for one in found}


def test_tests_are_counted_and_those_of_unittests_by_function(world: World, client: httpx.Client) -> None:
    model = world.model("orion", cutoff_on=date(2025, 1, 1))
    plain, tasks = (world.run(model, protocol=shipped_protocols()[slug]) for slug in ("house", "bcb-complete"))
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
    assert client.get("/api/v1/boards/codegen/sizes?protocol=house").json()["unittests"]["tasks"] == []
    page = " ".join(client.get("/en/?tab=rating&from=&protocol=house").text.split())
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
    run = world.run(world.model("orion", cutoff_on=date(2025, 1, 1)), protocol=shipped_protocols()["house-execution"])
    world.answer(run, problem)
    world.count()
    world.session.commit()
    found = counts(client, "execution", "house-execution")
    assert (found["characters"], found["steps"]) == ({100: 2, 400: 1}, {1: 1, 10: 1, 300: 1})
    assert "字节码步数" in client.get("/zh/boards/execution?tab=rating&from=").text


def test_tasks_have_their_tests_and_the_share_of_branches_these_took(world: World, client: httpx.Client) -> None:
    run = world.run(world.model("orion", cutoff_on=date(2025, 1, 1)), protocol=shipped_protocols()["bcb-complete"])
    reached = {"0": BranchCoverage(5, 8, 6), "1": BranchCoverage(7, 4, 4), "2": BranchCoverage(3, 0, 0), "3": None}
    for name, covered in reached.items():
        task = world.problem(name, source="bigcodebench", form=Form.UNITTEST, tests=0)
        tests = world.session.get_one(TestSet, task.current_test_set_id)
        tests.proof_detail = {} if covered is None else {COVERAGE_KEY: covered._asdict()}
        row = TestRow(test_set_id=tests.id, ordinal=0, input=json.dumps(SOURCE), expected="null", visible=False)
        world.session.add(row)
        world.answer(run, task)
    world.count()
    world.session.commit()
    path = "boards/bigcode?tab=rating&from=&protocol=bcb-complete"
    found = client.get("/api/v1/boards/bigcode/sizes", params={"protocol": "bcb-complete"}).json()["unittests"]
    assert (found["measured"], found["tests"], found["coverage"]) == (3, 5.0, 87.5)
    assert [tuple(task.values()) for task in found["tasks"]] == [
        ("bigcodebench/0", 5, 8, 6, 75.0), ("bigcodebench/1", 7, 4, 4, 100.0), ("bigcodebench/2", 3, 0, 0, None),
        ("bigcodebench/3", 6, None, None, None),
    ]  # fmt: skip
    page = client.get(f"/en/{path}").text
    assert "Over the 3 measured, the mean is 5.0 tests and 87.5% of the branches." in page
    assert '>bigcodebench/0</a></th><td class="num">5</td><td class="num">8</td><td class="num">75.0</td>' in page
    assert "分支覆盖率" in client.get(f"/zh/{path}").text
