"""A key that no version of a format has is named once, with the place where it stands first, and costs no row."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.files import READ_AT, answer_row, board_row, board_text, contest_row, dataset_row, lines, read, write
from support.small_league import LEAGUE, small_league

from app.domain.imports import ImportBatch
from scrapers.suite import find_suite
from scrapers.suites._common.fields import UnknownKeys

TEST = "my_solution = Solution()\n\ntest_input = { 'nums': [3] }\nassert my_solution.run(**test_input) == 3\n"


def told(place: str, name: str, what: str = "key") -> str:
    return f"{place}: the {what} '{name}' is not known, and changes nothing here"


def test_keys_are_named_once_with_their_first_place_and_those_of_objects_too() -> None:
    unknown = UnknownKeys({"name", "more.level"})
    unknown.note_keys("a:1", {"name": 1, "more": {"level": 1}})
    unknown.note_keys("a:2", {"nam": 1, "more": {"levle": 1}})
    unknown.note_keys("a:3", {"nam": 1, "more": '{"levle": 1, "lvl": 2}'})
    unknown.note_keys("a:4", {"more": "{", "name": 1})
    unknown.note_keys("a:5", {"more": None})
    assert unknown.notes == (told("a:2", "nam"), told("a:2", "more.levle"), told("a:3", "more.lvl"))


def test_of_very_many_keys_some_are_named() -> None:
    unknown = UnknownKeys({"name"})
    for number in range(1000):
        unknown.note_keys("a:1", {f"key-{number}": 1, "x" * 1000: 2})
    assert len(unknown.notes) == 51
    assert unknown.notes[-1] == "more than 50 keys are not known"
    assert max(map(len, unknown.notes)) < 200


@pytest.mark.parametrize(
    ("kind", "rows", "changed"),
    [
        ("leetcode-dataset", [dataset_row("one"), dataset_row("two"), dataset_row("three")], {"difficulti": "Hard"}),
        ("deepseek-contests", [contest_row("one", TEST), contest_row("two", TEST), contest_row("three", TEST)],
         {"meta": {"title": "Two", "difficulty": "Medium", "level": 3}}),
    ],
)  # fmt: skip
def test_rows_with_a_key_that_is_not_known_are_imported_and_the_key_is_named(
    tmp_path: Path, kind: str, rows: list[dict[str, Any]], changed: dict[str, Any]
) -> None:
    batch = read(kind, write(tmp_path, "a.jsonl", lines(rows[0], rows[1] | changed, rows[2] | changed)))
    assert len(batch.problems) == 3
    name = "meta.level" if "meta" in changed else "difficulti"
    assert batch.notes == (told("a.jsonl:2", name),)


def test_of_recorded_answers(tmp_path: Path) -> None:
    rows = [answer_row("one", "1"), answer_row("two", "2", pass_at_2=1.0), answer_row("three", "3", pass_at_2=1.0)]
    text = json.dumps(rows, indent=1)
    batch = read("lcb-submission", write(tmp_path, "a.json", text))
    line = 1 + text[: text.index('"question_title": "two"')].count("\n")
    assert batch.notes == (told(f"a.json:{line}", "pass_at_2"),)
    assert len(batch.answers) == 3


def test_of_standings(tmp_path: Path) -> None:
    text = "participant,points,penalty,old_rating,bonus\n1,3,10,1700,20\n2,2,5,1500,3\n"
    batch = read("standings", write(tmp_path, "a.csv", text), contest="1350")
    assert batch.notes == (told("a.csv:1", "bonus", "column"),)
    assert len(batch.standings[0].rows) == 2


def test_of_scores_of_others(tmp_path: Path) -> None:
    batch = read("external-scores", write(tmp_path, "a.csv", "model,score,elo\nx,1,2\ny,3,4\n"))
    assert batch.notes == (told("a.csv:1", "elo", "column"),)
    assert batch.external is not None
    assert len(batch.external.scores) == 2
    people = read("human-ratings", write(tmp_path, "b.csv", "rating,count,land\n1500,2,x\n"))
    assert people.notes == (told("b.csv:1", "land", "column"),)


def test_of_boards_of_others(tmp_path: Path) -> None:
    rows = [
        board_row("x", "one", 100.0),
        board_row("x", "two", 0.0, **{"pass@3": 1}),
        board_row("x", "six", 0.0, **{"pass@3": 1}),
    ]
    models = [{"model_repr": "x", "model_name": "x", "release_date": 0, "link": "", "tier": 1}]
    text = board_text(rows, models=models, version=2)
    batch = read("lcb-board", write(tmp_path, "a.json", text))
    line = 1 + text[: text.index('"question_id": "two"')].count("\n")
    assert batch.notes[:3] == (told("a.json:1", "version"), told(f"a.json:{line}", "pass@3"), told("a.json:1", "tier"))
    assert len(batch.cells) == 3
    table = {name: {"pass@1": {"complete": 50.0, "instruct": 40.0}, "speed": 1} for name in ("x", "y")}
    batch = read("bigcodebench-results", write(tmp_path, "b.json", json.dumps(table)))
    assert batch.notes == (told("b.json: 'x'", "speed"),)
    assert len(batch.models) == 2


def imported(kind: str, path: Path) -> ImportBatch:
    suite = find_suite(kind)
    return suite.read(suite.load(path), {}, READ_AT)


def test_of_a_league_and_its_items(tmp_path: Path) -> None:
    folder = small_league(tmp_path / "league", {"house-1": ("wave-crests",)}, items=("typed-depth", "harbour/words"))
    assert imported("house", folder / "league.toml").notes == ()
    for name, key in (
        ("league.toml", 'venue = "pier"'), ("wave-crests/problem.toml", "time_s = 2"), ("coco.toml", "hints = 3"),
    ):  # fmt: skip
        table = {"league.toml": "[[contest]]", "coco.toml": "[[item]]"}.get(name, "")
        text = (folder / name).read_text(encoding="utf-8")
        (folder / name).write_text(text.replace(table, f"{table}\n{key}\n") if table else f"{key}\n{text}")
    batch = imported("house", folder / "league.toml")
    assert batch.notes == (
        told("league.toml:1", "venue"), told("wave-crests/problem.toml:1", "time_s"), told("coco.toml:1", "hints"),
    )  # fmt: skip
    assert "wave-crests" in [problem.external_id for problem in batch.problems]


def test_of_a_folder_in_chinese(tmp_path: Path) -> None:
    for number, name in enumerate(("ganzhi-year", "mahjong-sort", "metro-fare")):
        text = (LEAGUE / "code3" / f"{name}.toml").read_text(encoding="utf-8")
        (tmp_path / f"{name}.toml").write_text(f"hint = 1\n{text}" if number else text, encoding="utf-8")
    batch = imported("code3", tmp_path)
    assert len(batch.problems) == 3
    assert batch.notes == (told("mahjong-sort.toml:1", "hint"),)
