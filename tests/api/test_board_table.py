"""The command line's board: the same rows as the API, as a table a terminal can hold."""

import json
from datetime import date
from pathlib import Path

from factories import World

from app.cli.board import as_table
from app.domain.verdicts import Verdict
from app.services.boards import CubeStore, board, board_json, parse_query


def table(world: World, folder: Path, **params: str) -> str:
    world.count()
    return as_table(board(world.session, parse_query(params.items()), CubeStore(folder)))


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
    [exposed] = [line for line in shown.splitlines() if "Lyra" in line]
    assert exposed.startswith("-")
    assert "may have seen 2" in exposed
    assert "4 problems from 4 contests" in shown
    assert "hidden: lyra (exposure)" in table(world, tmp_path, exposure="hide")


def test_columns_stand_under_their_headings(world: World, tmp_path: Path) -> None:
    problem = world.problem("a")
    for slug, name in (("a", "模型一号"), ("b", "A model with a long\u202e name")):
        world.answer(world.run(world.model(slug, name=name)), problem)
    heading, rule, *rows = table(world, tmp_path).splitlines()[:4]
    assert "\u202e" not in "".join(rows)
    assert len(rule) >= len(heading)
    place = heading.index("pass@1") + len("pass@1")
    for row in rows:
        wide = sum(each in "模型一号" for each in row)  # a wide sign takes two columns
        assert row[: place - wide].endswith("100.0")


def test_an_empty_board_is_a_sentence(world: World, tmp_path: Path) -> None:
    assert "No row" in table(world, tmp_path)


def test_json_can_be_written(world: World, tmp_path: Path) -> None:
    world.answer(world.run("orion"), world.problem("a"))
    world.count()
    found = board(world.session, parse_query([]), CubeStore(tmp_path))
    assert json.loads(json.dumps(board_json(found)))["rows"][0]["model"] == "orion"
