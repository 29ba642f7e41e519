"""Nothing is hidden silently: rows and problems left out are counted, with words, in every face of a board."""

import itertools
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from factories import World
from httpx import Client

from app.cli.boards.text import format_board
from app.cli.tables import DEFAULT_WIDTH
from app.domain.asking.protocols import HOUSE, LCB, LCB_RECORDED
from app.domain.judging.verdicts import Verdict
from app.domain.states import ProblemState, RunOrigin, RunState, SampleState
from app.services.boards.board_views import CubeStore, board, parse_query

URL = "/api/v1/boards/codegen"


def table(world: World, folder: Path, **params: str) -> str:
    pairs = list(params.items())
    found = board(world.session, parse_query(pairs), CubeStore(folder), params.get("ref"))
    return format_board(found, params.get("ref"))


def shown(client: Client, **params: str) -> tuple[dict[str, Any], str, str]:
    """The board's JSON and its two pages."""
    body: dict[str, Any] = client.get(URL, params=params).json()
    return body, client.get("/en/", params=params).text, client.get("/zh/", params=params).text


def test_problems_are_counted_by_the_reason_that_leaves_them_out(world: World, client: Client, tmp_path: Path) -> None:
    run = world.run("orion")
    for number in range(6):
        world.answer(run, world.problem(f"p{number}", day=date(2026, 5, 1 + number), level=1 + number // 3))
    world.problem("held", state=ProblemState.HELD, hold_reason="no full tests")
    world.problem("gone", state=ProblemState.WITHDRAWN)
    world.problem("alarm", state=ProblemState.HELD, hold_reason="x", canary=True)
    world.problem("elsewhere", source="atcoder", state=ProblemState.HELD, hold_reason="x")
    world.count()
    world.session.commit()
    query = {"from": "2026-05-02", "difficulty": "easy"}
    body, english, chinese = shown(client, **query)
    assert body["problems"] == 2
    assert body["problems_left_out"] == {"difficulty": 3, "window": 1, "held": 1, "withdrawn": 1}
    said = "Problems not counted: 3 of other difficulty levels, 1 outside the dates, 1 in quarantine, 1 withdrawn"
    assert said in english
    assert "未计入的题目： 其他难度 3 道、日期范围之外 1 道、隔离中 1 道、已撤下 1 道" in chinese
    assert "Left out: 3 of other difficulty, 1 outside the window, 1 held back, 1 withdrawn." in table(
        world, tmp_path, **query
    )


def test_problems_of_other_platforms_are_counted_first(world: World, client: Client) -> None:
    world.protocol = replace(HOUSE, covers=replace(HOUSE.covers, sources=()))
    run = world.run("orion")
    for number in range(6):
        world.answer(run, world.problem(f"p{number}", level=1 + number // 3))
    world.problem("far", source="harbour", level=2)
    world.count()
    world.session.commit()
    elsewhere, english, _ = shown(client, platform="harbour", difficulty="easy")
    assert elsewhere["problems_left_out"] == {"platform": 6, "difficulty": 1}
    assert "6 on other platforms" in english


def test_problems_of_a_file_that_stand_on_no_board_are_counted(world: World, client: Client) -> None:
    recorded = world.run("tape", protocol=LCB_RECORDED, provenance={"unmatched": 3})
    world.answer(recorded, world.problem("a"))
    world.answer(recorded, world.problem("b", state=ProblemState.HELD, hold_reason="x"))
    world.answer(recorded, world.problem("c", state=ProblemState.WITHDRAWN))
    world.answer(world.run("hush", protocol=LCB_RECORDED, public=False), world.problem("d", state=ProblemState.CHECKED))
    imported = world.run("anchor", protocol=LCB, origin=RunOrigin.IMPORTED)
    for number in range(3):
        world.imported(imported, world.catalogued(f"abc{number}", day=date(2025, 3, 1), source="atcoder"), 10, 5)
    undated = world.catalogued("abc9", day=date(2025, 3, 1), source="atcoder")
    undated.released_on = None
    world.imported(imported, undated, 10, 5)
    world.count()
    world.session.commit()
    body, english, chinese = shown(client, protocol="lcb-recorded")
    assert body["problems_left_out"] == {"held": 1, "withdrawn": 1}
    assert [(row["model"], row["unmatched"]) for row in body["rows"]] == [("tape", 3)]
    assert "3 unmatched" in english
    assert "3 个未匹配" in chinese
    assert "answers to unknown problems" in client.get("/en/models/tape?protocol=lcb-recorded").text
    body, english, _ = shown(client, protocol="lcb")
    assert body["problems_left_out"] == {"undated": 1}
    assert "1 without a release date" in english


def test_rows_are_counted_by_reason(world: World, client: Client, tmp_path: Path) -> None:
    problem, later = world.problem("a", day=date(2026, 5, 1)), world.problem("b", day=date(2026, 7, 1))
    model = world.model("orion")
    for trial in range(1, 5):
        world.answer(world.run(model, trial=trial), problem)
    world.answer(world.run(model, configuration={"effort": "max"}, public=False), problem)
    for number in range(3):
        world.answer(world.run(f"gone-{number}", state=RunState.RETIRED), problem)
    world.answer(world.run("late", cutoff_on=date(2026, 6, 1)), problem)
    world.answer(world.run("waiting"), problem, None, state=SampleState.PENDING)
    world.answer(world.run("elsewhere"), later)
    world.count()
    world.session.commit()
    query = {"to": "2026-06-01", "exposure": "hide"}
    body, english, chinese = shown(client, **query)
    assert body["hidden_by_reason"] == {"later_trial": 3, "exposure": 1, "unjudged": 2, "retired": 3}
    assert len(body["hidden"]) == 9
    [row] = body["rows"]
    assert (row["model"], row["trials"], row["unpublished_variants"]) == ("orion", 4, 1)
    for said in ("Showing 1 of 10 rows", "3 later trials", "1 hidden because it may have seen problems", "3 retired",
                 "2 without a judged answer", "1 not public", "its run is retired"):  # fmt: skip
        assert said in english, said
    for said in ("3 次较晚的重复评测", "3 个已停止更新", "另有 1 个未公开"):
        assert said in chinese, said
    lines = table(world, tmp_path, **query).splitlines()
    assert "hidden: 3 later_trial (the first trial stands): orion, orion, orion" in lines
    assert "hidden: 3 retired (the run is retired): gone-0, gone-1, gone-2" in lines
    assert any("1 more not published" in line for line in lines)
    few = table(world, tmp_path, **query, model="late").splitlines()
    assert len([line for line in few if line.startswith("hidden: ")]) == 3
    world.session.rollback()


@pytest.mark.parametrize("kind", ["one", "contest", "zero", "all", "none"])
def test_boards_at_the_edge_are_worded_everywhere(world: World, client: Client, tmp_path: Path, kind: str) -> None:
    count = {"one": 1, "none": 0}.get(kind, 6)
    runs = [world.run("orion", cutoff_on=date(2026, 1, 1)), world.run("lyra", cutoff_on=date(2026, 5, 2))]
    for number in range(count):
        problem = world.problem(
            f"p{number}", day=date(2026, 5, 1 + number), contest="c" if kind == "contest" else f"c{number}"
        )
        for place, run in enumerate(runs):
            passed = kind == "all" or (kind != "zero" and (number + place) % 2 == 0)
            world.answer(run, problem, Verdict.ACCEPTED if passed else Verdict.WRONG_ANSWER)
    world.count()
    world.session.commit()
    for rules, exposure in itertools.product(("", "lcb"), ("unrank", "split", "hide")):
        query = {"exposure": exposure, "ref": "orion", **({"rules": rules} if rules else {})}
        body, english, chinese = shown(client, **query)
        for row in body["rows"]:
            assert (row["score"] is None) or row["ci_lo"] < row["ci_hi"]
        text = table(world, tmp_path, **query)
        for face in (english, chinese, text):
            main = face.split("<main")[-1]
            assert not [word for word in (">nan", ">inf", "nan%", "None", " nan", " inf ") if word in main]
        if kind == "none":
            assert "No problem matches these dates and filters" in english
            assert "没有符合日期和筛选条件的题目" in chinese
            assert "No row" in text
        elif rules:
            assert "ranked by rounded score" in english
            assert "四舍五入" in chinese
            assert "rounded scores" in text
        elif exposure == "unrank":
            assert "There are too few problems or rows" in english or "to be distinguishable at 95%" in english
            assert "Too few problems or rows" in text or "cannot be told apart" in text


def test_the_terminal_says_how_sure_it_is_in_a_hundred_columns(world: World, tmp_path: Path) -> None:
    strong, weak = world.run("orion", cutoff_on=date(2026, 1, 1)), world.run("lyra", cutoff_on=date(2026, 1, 1))
    partial = world.run(world.model("vega", name="Vega of a very long name " * 4, released_on=date(2026, 1, 1)))
    for number in range(40):
        day = date(2026, 3, 1 + number % 28)
        problem = world.problem(f"p{number}", day=day, contest=f"c{number}", level=1 + number % 3)
        world.answer(strong, problem, Verdict.WRONG_ANSWER if number % 10 == 0 else Verdict.ACCEPTED)
        world.answer(weak, problem, Verdict.ACCEPTED if number % 10 == 1 else Verdict.WRONG_ANSWER)
        if number < 20:
            world.answer(partial, problem, Verdict.ACCEPTED if number % 2 else Verdict.WRONG_ANSWER)
    world.count()
    plain, compared = table(world, tmp_path), table(world, tmp_path, ref="orion")
    for text in (plain, compared):
        assert max(map(len, text.splitlines())) <= DEFAULT_WIDTH
        assert "Ranks 2 and below are clearly behind the leader." in text
        assert "Typical margin ±" in text
        assert "problems would give ±5." in " ".join(text.split())
        assert "provisional; run by maintainers; estimate" in text
        assert "* the release date: no cutoff is known" in text
        assert "2026-01-01*" in text
    assert "the reference" in compared.split("Orion")[1].split("Lyra")[0]
    assert "to the reference, told apart" in compared.split("Lyra")[1].split("Vega")[0]
    assert "told apart;" not in compared.split("Vega")[1], "a row without a rank is not told from any"
    assert "reference" not in plain
