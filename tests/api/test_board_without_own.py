"""What a row scores on problems whose tests its own organisation's models had no part in, on every face of a board."""

import csv
import io
import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from factories import NOW, World
from httpx import Client
from sqlalchemy import select
from support.recomputing import recomputed, unpacked

from app.cli.boards.text import format_board
from app.db.tables import Model, Organisation, Problem, Sample, TestSet
from app.domain.judging.verdicts import Verdict
from app.domain.problems import TestsOrigin
from app.services.boards.board_views import CubeStore, board, parse_query
from app.services.problems import publishing

URL = "/api/v1/boards/codegen"


def build(world: World, drawn: Sequence[Sequence[str]], solved: str) -> None:
    """A problem for each pair of setter vendors, and models of three organisations; `solved` holds 1 where orion, of
    Acme, solves the problem."""
    runs = [world.run(slug, organisation_name=of) for slug, of in (("orion", " ACME"), ("lyra", "Birds"), ("vega", ""))]
    for place, vendors in enumerate(drawn):
        problem = world.problem(f"p{place}", day=date(2026, 5, 1 + place))
        if vendors:
            tests = world.session.get_one(TestSet, problem.current_test_set_id)
            tests.origin, tests.setters = TestsOrigin.CONSENSUS, [f"of-{vendor}" for vendor in vendors]
            tests.vendors = list(vendors)
        for run in runs:
            right = run is not runs[0] or solved[place] == "1"
            world.answer(run, problem, Verdict.ACCEPTED if right else Verdict.WRONG_ANSWER)
    world.count()
    world.session.commit()


def rows(client: Client, **params: Any) -> dict[str, Any]:
    return {row["model"]: row for row in client.get(URL, params=params).json()["rows"]}


DRAWN = (("acme", "birds"), ("acme", "coots"), ("birds", "coots"), ())


def test_every_face_says_what_a_row_scores_without_its_own(world: World, client: Client, tmp_path: Path) -> None:
    build(world, DRAWN, "1101")
    found = rows(client)
    assert found["orion"]["score"] == 75.0
    assert (found["orion"]["without_own"], found["orion"]["without_own_reason"]) == ({"score": 50.0, "n": 2}, None)
    assert found["lyra"]["without_own"] == {"score": 100.0, "n": 2}
    assert (found["vega"]["without_own"], found["vega"]["without_own_reason"]) == (None, "no_part")
    page = client.get("/en/").text
    assert "50.0 without own tests (n = 2)" in page
    assert "不含自编测试：50.0（n = 2）" in client.get("/zh/").text
    assert page.count("without own tests (n") == 2
    shown = format_board(board(world.session, parse_query([]), CubeStore(tmp_path), None))
    assert "50.0 on 2 that its own vendor set no tests of" in shown
    table = {row["model"]: row for row in csv.DictReader(io.StringIO(client.get(f"{URL}.csv").text))}
    columns = ("without_own", "without_own_n", "without_own_reason")
    assert [table["orion"][name] for name in columns] == ["50.0", "2", ""]
    assert table["vega"]["without_own_reason"] == "no_part"


def test_the_bundle_computes_it_by_itself(world: World, client: Client, tmp_path: Path) -> None:
    build(world, DRAWN, "1101")
    script = unpacked(client.get(f"{URL}.zip").content, tmp_path)
    assert recomputed(script)[0] == 0
    body = json.loads((tmp_path / "board.json").read_bytes())
    for row in body["rows"]:
        row["without_own_reason"] = row["without_own_reason"] and "two_vendors"
        row["without_own"] = row["without_own"] and {"score": 99.0, "n": 2}
    (tmp_path / "board.json").write_text(json.dumps(body))
    code, said = recomputed(script)
    assert code == 1
    assert "without_own: score is 99.0 on the board, and 50.0" in said
    assert "without_own_reason is two_vendors on the board, and no_part" in said


@pytest.mark.parametrize(
    ("drawn", "reason"),
    [(DRAWN[:1] * 3, "two_vendors"), (DRAWN[:2], "nothing_left"), (DRAWN[2:3], "no_part"), (DRAWN[3:], "no_part")],
)
def test_without_such_a_score_the_reason_is_said(
    world: World, client: Client, drawn: Sequence[Sequence[str]], reason: str
) -> None:
    build(world, drawn, "111")
    row = rows(client)["orion"]
    assert (row["without_own"], row["without_own_reason"]) == (None, reason)
    said = {"two_vendors": "models of at most two vendors", "nothing_left": "helped to make the tests of every problem"}
    assert said.get(reason, "") in client.get("/en/").text


def test_an_organisation_goes_by_each_of_its_names(world: World, client: Client) -> None:
    build(world, DRAWN, "1101")
    vega = world.session.scalars(select(Model).where(Model.slug == "vega")).one()
    owner = Organisation(slug="coots", name="Coots & Sons")
    world.session.add(owner)
    world.session.flush()
    vega.organisation_id = owner.id
    world.run(vega, configuration={"effort": "high"})  # boards read organisations with their runs
    world.count()
    world.session.commit()
    assert rows(client)["vega"]["without_own"] == {"score": 100.0, "n": 2}


def test_it_is_of_the_problems_the_board_is_asked_for(world: World, client: Client) -> None:
    build(world, DRAWN, "1101")
    later = rows(client, **{"from": "2026-05-02"})["orion"]
    assert later["without_own"] == {"score": 50.0, "n": 2}
    assert rows(client, **{"from": "2026-05-04"})["orion"]["without_own_reason"] == "no_part"


def test_a_board_follows_when_other_vendors_tests_come_in_use(world: World, client: Client) -> None:
    build(world, DRAWN, "1101")
    assert rows(client)["orion"]["without_own"]["n"] == 2
    problem = world.session.scalars(select(Problem).where(Problem.external_id == "p3")).one()
    for vendors, n in ((["acme", "birds"], 1), (["birds", "coots"], 2)):
        tests = world.tests(problem, 2)
        tests.origin, tests.setters, tests.vendors = TestsOrigin.CONSENSUS, ["x"], vendors
        publishing.switch_tests(world.session, problem, tests.id, "other setters", NOW)
        for answer in world.session.scalars(select(Sample).where(Sample.problem_id == problem.id)):
            world.verdict(answer, problem, Verdict.ACCEPTED)
        world.count()
        world.session.commit()
        assert rows(client)["orion"]["without_own"]["n"] == n
