"""The command line's board: the same rows as the API, as a table a terminal can hold."""

import json
from datetime import date
from pathlib import Path

import pytest
from factories import World
from httpx import Client

from app.cli.boards.text import format_board
from app.domain.asking.protocols import LCB
from app.domain.judging.verdicts import Verdict
from app.domain.states import RunOrigin
from app.services.boards.board_views import CubeStore, board, board_json, parse_query


def table(world: World, folder: Path, **params: str) -> str:
    world.count()
    return format_board(board(world.session, parse_query(params.items()), CubeStore(folder)))


def test_a_table_says_rank_interval_and_what_is_hidden(world: World, tmp_path: Path) -> None:
    problems = [world.problem(f"p{n}", day=date(2026, 5, 1 + n), contest=f"c{n}") for n in range(4)]
    high, late = world.run("orion", configuration={"effort": "high"}), world.run("lyra", cutoff_on=date(2026, 5, 2))
    for n, problem in enumerate(problems):
        world.answer(high, problem, Verdict.ACCEPTED if n else Verdict.WRONG_ANSWER)
        world.answer(late, problem)
    shown = table(world, tmp_path)
    [ranked] = [line for line in shown.splitlines() if "Orion (high)" in line]
    assert ranked.startswith("1 (1-1)")
    assert " 75.0 " in ranked
    assert " 100%" in ranked
    lines = shown.splitlines()
    [exposed] = [number for number, line in enumerate(lines) if "Lyra" in line]
    assert lines[exposed].startswith("-")
    assert "may have seen 2" in "".join(lines[exposed : exposed + 2])
    assert "4 problems, released" in shown, "each from a contest of its own, which says nothing more"
    assert "hidden: lyra (exposure)" in table(world, tmp_path, exposure="hide")


def test_columns_stand_under_their_headings(world: World, tmp_path: Path) -> None:
    problem = world.problem("a")
    for slug, name in (("a", "模型一号"), ("b", "A model with a long\u202e name")):
        world.answer(world.run(world.model(slug, name=name)), problem)
    heading, rule, *lines = table(world, tmp_path).splitlines()
    rows = [line for line in lines if line.startswith("1 (")]
    assert len(rows) == 2
    assert "\u202e" not in "".join(rows)
    assert len(rule) >= len(heading)
    place = heading.index("pass@1") + len("pass@1")
    for row in rows:
        wide = sum(each in "模型一号" for each in row)  # a wide sign takes two columns
        assert row[: place - wide].endswith("100.0")


@pytest.mark.parametrize(("width", "missing"), [(100, ""), (80, "E, M, H"), (60, "E, M, H, cover, cutoff")])
def test_a_narrow_terminal_gets_fewer_columns_and_is_told_which(
    world: World, tmp_path: Path, width: int, missing: str
) -> None:
    strong = world.run(world.model("vega", name="Vega of a very long name " * 4, released_on=date(2026, 1, 1)))
    for number in range(12):
        problem = world.problem(f"p{number}", day=date(2026, 3, 1 + number), level=1 + number % 3)
        world.answer(strong, problem)
    world.count()
    found = board(world.session, parse_query([]), CubeStore(tmp_path))
    lines = format_board(found, width=width).splitlines()
    assert max(map(len, lines)) <= width
    assert ("100.0" in lines[2], "…" in lines[2]) == (True, True)
    told = " ".join(" ".join(lines).split())
    assert (f"Not shown at this width: {missing}. A wider terminal or --json has them." in told) == bool(missing)


def test_an_empty_board_is_a_sentence(world: World, tmp_path: Path) -> None:
    assert "No row" in table(world, tmp_path)


def test_board_json_survives_a_round_trip_as_text(world: World, tmp_path: Path) -> None:
    world.answer(world.run("orion"), world.problem("a"))
    world.count()
    found = board(world.session, parse_query([]), CubeStore(tmp_path))
    assert json.loads(json.dumps(board_json(found)))["rows"][0]["model"] == "orion"


def test_harder_bands_have_columns_only_where_the_board_has_such_problems(world: World, tmp_path: Path) -> None:
    run = world.run("orion")
    for n, rating in enumerate((None, 1900.0, 3200.0)):
        problem = world.problem(f"p{n}", day=date(2026, 5, 1 + n), level=None if rating else 1)
        if rating:
            world.difficulty(problem, "codeforces", rating)
        world.answer(run, problem)
    assert table(world, tmp_path).split()[:12] == [
        "rank", "model", "pass@1", "95", "%", "interval", "E", "M", "H", "X", "XX", "n"
    ]  # fmt: skip
    assert table(world, tmp_path, to="2026-05-02").split()[6:10] == ["E", "M", "H", "n"]
    expert = board(world.session, parse_query([("difficulty", "expert")]), CubeStore(tmp_path))
    assert {str(level): n for level, n in expert.by_level.items()} == {"easy": 0, "medium": 0, "hard": 0, "expert": 1}
    assert board_json(expert)["rows"][0]["by_difficulty"]["expert"] == {"score": 100.0, "n": 1}


def test_an_imported_board_keeps_the_labels_of_its_file(world: World, tmp_path: Path) -> None:
    run = world.run("anchor", protocol=LCB, origin=RunOrigin.IMPORTED)
    problem = world.catalogued("abc1_a", day=date(2025, 3, 1), source="atcoder", level=1)
    world.difficulty(problem, "kenkoooo", 3500.0)
    world.difficulty(problem, "points", 1200.0)
    world.imported(run, problem, 10, 5, row=1)
    world.count()
    found = board(world.session, parse_query([("protocol", "lcb")]), CubeStore(tmp_path))
    assert {str(level): n for level, n in found.by_level.items()} == {"easy": 1, "medium": 0, "hard": 0}


def test_files_have_the_same_columns_as_the_page(world: World, client: Client) -> None:
    world.difficulty(world.problem("a", level=None), "codeforces", 3100.0)
    world.answer(world.run("orion"), world.problem("b", level=1))
    world.count()
    world.session.commit()
    head = client.get("/api/v1/boards/codegen.csv").text.splitlines()[0]
    assert ",easy,medium,hard,extreme,cutoff_date," in head
    assert ",easy,medium,hard,cutoff_date," in client.get("/api/v1/boards/codegen.csv?difficulty=easy").text
    page = client.get("/zh/").text
    assert ">极难 <small>1</small></label>" in page
    assert '<dt>极</dt><dd id="why-extreme">极难、1 道题' in page
    assert client.get("/api/v1/boards/codegen?difficulty=trivial").status_code == 422
