"""Where tests come from: counted on every face of a board, asked by a filter, said on the problem's page."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from factories import NOW, World
from httpx import Client
from sqlalchemy.exc import IntegrityError
from support.recomputing import recomputed, unpacked

from app.cli.boards.text import format_board
from app.db.problems.problems import add_test_set
from app.db.tables import Problem, TestSet
from app.domain.errors import UnknownName
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Form, ProblemSpec, Test, TestsOrigin
from app.services.boards.board_views import CubeStore, board, parse_query
from app.services.problems import publishing

URL = "/api/v1/boards/codegen"


def come_from(world: World, problem: Problem, origin: TestsOrigin, *setters: str, **made: Any) -> None:
    """The problem's tests are of that origin."""
    tests = world.session.get_one(TestSet, problem.current_test_set_id)
    tests.origin, tests.setters = origin, list(setters)
    tests.proof_detail = {"made": made}
    world.session.flush()


@pytest.fixture
def four(world: World) -> dict[TestsOrigin, Problem]:
    """A problem with tests of each origin, and a model that solves those of surer ones."""
    run = world.run("orion")
    made = {}
    for place, origin in enumerate(TestsOrigin):
        made[origin] = world.problem(f"p{place}", day=date(2026, 5, 1 + place))
        come_from(world, made[origin], origin, *(["lyra", "vega"] if origin is TestsOrigin.CONSENSUS else []))
        world.answer(run, made[origin], Verdict.ACCEPTED if place < 2 else Verdict.WRONG_ANSWER)
    world.count()
    world.session.commit()
    return made


def test_a_board_counts_its_problems_by_where_their_tests_come_from(
    world: World, client: Client, four: dict[TestsOrigin, Problem], tmp_path: Path
) -> None:
    body = client.get(URL).json()
    assert body["test_origins"] == {"official": 1, "package": 1, "references": 1, "consensus": 1}
    assert body["facets"]["tests"] == [{"value": origin.value, "count": 1} for origin in four]
    assert client.get(URL, params={"from": "2026-05-03"}).json()["test_origins"] == {"references": 1, "consensus": 1}
    said = "Tests: the site&#39;s own 1, given with the problem 1"
    assert said in client.get("/en/").text
    assert "网站官方 1" in client.get("/zh/").text
    shown = format_board(board(world.session, parse_query([]), CubeStore(tmp_path), None))
    assert "Tests: 1 the site's own, 1 given with the problem, 1 made here by reference" in shown


def test_a_board_can_be_asked_of_some_tests_alone(
    world: World, client: Client, four: dict[TestsOrigin, Problem], tmp_path: Path
) -> None:
    sure = client.get(URL, params=[("tests", "official"), ("tests", "package")]).json()
    assert (sure["problems"], sure["rows"][0]["score"], sure["problems_left_out"]) == (2, 100.0, {"tests": 2})
    assert sure["filters"]["tests"] == ["official", "package"]
    models = client.get(URL, params={"tests": "consensus"}).json()
    assert (models["problems"], models["rows"][0]["score"]) == (1, 0.0)
    assert "3 with tests from elsewhere" in client.get("/en/", params={"tests": "consensus"}).text
    refused = client.get(URL, params={"tests": "hearsay"})
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (422, "/tests")
    with pytest.raises(UnknownName):
        parse_query([("tests", "hearsay")])


def test_a_bundle_recomputes_a_board_of_some_tests(
    client: Client, four: dict[TestsOrigin, Problem], tmp_path: Path
) -> None:
    packed = client.get(f"{URL}.zip", params={"tests": "references"})
    script = unpacked(packed.content, tmp_path)
    body = json.loads((tmp_path / "board.json").read_bytes())
    assert body["test_origins"] == {"references": 1}
    assert recomputed(script)[0] == 0
    (tmp_path / "board.json").write_text(json.dumps(body | {"test_origins": {"references": 2}}))
    code, said = recomputed(script)
    assert (code, "test_origins: references is 2" in said) == (1, True)


def test_a_problem_says_how_its_tests_were_made_and_how_sure_they_are(
    world: World, client: Client, four: dict[TestsOrigin, Problem]
) -> None:
    pages = {origin: client.get(f"/en/problems/house/{made.external_id}").text for origin, made in four.items()}
    assert "the tests that the problem&#39;s own site published" in pages[TestsOrigin.OFFICIAL]
    assert "The complete tests came with the problem" in pages[TestsOrigin.PACKAGE]
    assert "reference programs written by people agree" in pages[TestsOrigin.REFERENCES]
    assert "models can share a mistake. The models: lyra, vega." in pages[TestsOrigin.CONSENSUS]
    assert "wrong programs tried on them" not in pages[TestsOrigin.REFERENCES]
    come_from(world, four[TestsOrigin.REFERENCES], TestsOrigin.REFERENCES, killed=["a", "b", "c"], survived=["d"])
    world.session.commit()
    page = client.get("/en/problems/house/p2").text
    assert "Of 4 wrong programs tried on them, 3 are rejected." in page
    assert "4 个错误程序检验" in client.get("/zh/problems/house/p2").text


def test_a_consensus_says_how_sure_it_is_and_shows_nothing_of_it(
    world: World, client: Client, four: dict[TestsOrigin, Problem]
) -> None:
    made = {
        "setters": [{"setter": "lyra", "vendor": "a"}, {"setter": "vega", "vendor": "b"}], "legal": 91, "truths": 42,
        "large": 13, "dropped": {"illegal": 7, "dissent": 3, "slow": 1}, "programs": 8, "refuted": 2,
        "mutants": {"caught": 11, "tried": 12}, "caught": ["HIDDEN"], "validator": "HIDDEN", "witness": "HIDDEN",
    }  # fmt: skip
    come_from(world, four[TestsOrigin.CONSENSUS], TestsOrigin.CONSENSUS, "lyra", "vega", **made)
    world.session.commit()
    page = client.get("/en/problems/house/p3").text
    for said in (
        "Models: 2, vendors: 2. They are lyra (a), vega (b).", "vendors accept: 91.", "of two vendors agree: 42.",
        "for brute force: 13.", "programs disagree: 3.", "the models wrote: 8, of which shown to be wrong: 2.",
        "to try the tests: 12, of which the tests reject 11.",
    ):  # fmt: skip
        assert said in page
    assert "其中被证明有误：2" in client.get("/zh/problems/house/p3").text
    answer = client.get("/api/v1/problems/house/p3")
    assert answer.json()["suite"]["refuted"] == 2
    assert "HIDDEN" not in page + answer.text
    assert client.get("/api/v1/problems/house/p0").json()["suite"] is None


def test_setters_are_named_for_a_consensus_and_for_nothing_else(world: World, four: dict[TestsOrigin, Problem]) -> None:
    for origin, setters in ((TestsOrigin.CONSENSUS, ()), (TestsOrigin.PACKAGE, ("lyra",))):
        with pytest.raises(IntegrityError), world.session.begin_nested():
            come_from(world, four[TestsOrigin.PACKAGE], origin, *setters)


def test_the_same_tests_from_a_surer_origin_are_of_that_origin(world: World, client: Client) -> None:
    problem = world.problem("p")
    world.answer(world.run("orion"), problem)
    world.count()
    spec = ProblemSpec("p", Form.STDIN, (Test("1 2\n", "3\n"),))

    def come(origin: TestsOrigin, *setters: str) -> tuple[str, list[str], str]:
        words = {"origin": origin, "setters": list(setters), "brought_by": str(origin), "proof": "proven"}
        made, _ = add_test_set(world.session, problem.id, spec, words)
        problem.current_test_set_id = made
        world.session.commit()
        kept = world.session.get_one(TestSet, made)
        return kept.origin, kept.setters, kept.brought_by

    assert come(TestsOrigin.CONSENSUS, "lyra") == ("consensus", ["lyra"], "consensus")
    assert client.get(URL).json()["test_origins"] != {"official": 1}
    assert come(TestsOrigin.OFFICIAL) == ("official", [], "official")
    assert client.get(URL).json()["test_origins"] == {"official": 1}
    assert come(TestsOrigin.REFERENCES) == ("official", [], "official"), "a less sure one takes nothing back"


def test_a_board_follows_when_other_tests_come_in_use(world: World, client: Client) -> None:
    problem = world.problem("p")
    world.answer(world.run("orion"), problem)
    world.count()
    world.session.commit()
    assert client.get(URL).json()["test_origins"] == {"package": 1}
    better = world.tests(problem, 2)
    better.origin = TestsOrigin.OFFICIAL
    publishing.switch_tests(world.session, problem, better.id, "its site published its tests", NOW)
    world.session.commit()
    assert client.get(URL).json()["test_origins"] == {"official": 1}
