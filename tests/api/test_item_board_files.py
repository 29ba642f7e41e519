"""LiveCodeBench's files of test output and of execution: a row for each item of a problem, and no platform."""

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from factories import NOW
from httpx import Client
from support.files import board_text, read, stored_date, write
from support.recomputing import recomputed, unpacked

from app.db.kernel.session import Session
from app.domain.errors import InvalidImport
from app.services.runs import cell_updates, imports

DAYS = {"2777": date(2023, 5, 7), "2800": date(2023, 5, 21), "2808": date(2023, 6, 18)}
LEVELS = {"2777": "easy", "2800": "easy", "2808": "hard"}
# By model and problem, what each item got.
SHARES = {
    "Ada 1": {"2777": (30.0,), "2800": (90.0, 100.0, 80.0), "2808": (0.0, 0.0)},
    "Bo-2": {"2777": (100.0,), "2800": (0.0, 10.0, 0.0), "2808": (50.0, 60.0)},
}


def output_rows() -> list[dict[str, Any]]:
    return [
        {"question_id": problem, "model": model, "date": stored_date(DAYS[problem]), "difficulty": LEVELS[problem],
         "pass@1": share}
        for model, problems in SHARES.items()
        for problem, shares in problems.items()
        for share in shares
    ]  # fmt: skip


def execution_rows() -> list[dict[str, Any]]:
    """By sample, model after model, as that file is ordered; a model that was not asked step by step has -1 there."""
    return [
        {"model": model, "sample_id": f"sample_{problem}_{item}", "question_id": int(problem),
         "Pass@1": 100.0 - SHARES[model][problem][item], "date": stored_date(day),
         "Pass@1-COT": SHARES[model][problem][item] if model != "Cy" else -1.0}
        for problem, day in DAYS.items()
        for item in range(len(SHARES["Ada 1"][problem]))
        for model in SHARES
    ]  # fmt: skip


def imported(session: Session, tmp_path: Path, rows: Sequence[dict[str, Any]], board: str) -> None:
    imports.store_batch(
        session, read("lcb-board", write(tmp_path, f"{board}.json", board_text(rows)), board=board), NOW
    )
    while cell_updates.update_changed_cells(session):
        pass
    session.commit()


def by_model(client: Client, board: str, **params: str) -> dict[str, dict[str, Any]]:
    found = client.get(f"/api/v1/boards/{board}", params=params)
    assert found.status_code == 200, found.text
    return {row["model"]: row for row in found.json()["rows"]}


def first_fault(path: Path, board: str) -> str:
    """The first bad row, of a file that has good ones or none."""
    try:
        return str(read("lcb-board", path, board=board).bad_rows[0])
    except InvalidImport as refused:
        return str(refused.bad_rows[0])


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def test_a_problem_scores_the_mean_of_its_items(session: Session, client: Client, tmp_path: Path) -> None:
    """By all rules; LiveCodeBench's own table of these files counts each item for itself."""
    imported(session, tmp_path, output_rows(), "test-output")
    for rules in ("tidemark", "lcb"):
        rows = by_model(client, "test-output", protocol="lcb-test-output", rules=rules)
        for slug, name in (("ada-1", "Ada 1"), ("bo-2", "Bo-2")):
            assert rows[slug]["score"] == pytest.approx(mean([mean(shares) for shares in SHARES[name].values()]))
            easy = [mean(SHARES[name]["2777"]), mean(SHARES[name]["2800"])]
            assert rows[slug]["by_difficulty"]["easy"] == {"score": pytest.approx(mean(easy)), "n": 2}
            assert (rows[slug]["n_problems"], rows[slug]["coverage"]) == (3, 1.0)
    assert rows["bo-2"]["rank"] == 1


def test_execution_is_two_protocols_of_one_file(session: Session, client: Client, tmp_path: Path) -> None:
    rows = execution_rows()
    unasked = [row | {"model": "Cy", "Pass@1-COT": -1.0} for row in rows if row["model"] == "Bo-2"]
    for board in ("execution", "execution-cot"):
        imported(session, tmp_path, [*rows, *unasked], board)
    direct, steps = (
        by_model(client, "execution", protocol=protocol, rules="lcb")
        for protocol in ("lcb-execution", "lcb-execution-cot")
    )
    assert set(direct) == {"ada-1", "bo-2", "cy"}
    assert set(steps) == {"ada-1", "bo-2"}
    for slug in steps:
        assert direct[slug]["score"] + steps[slug]["score"] == pytest.approx(100)


def test_the_bundle_counts_items_as_the_board_does(session: Session, client: Client, tmp_path: Path) -> None:
    imported(session, tmp_path, output_rows(), "test-output")
    for rules in ("lcb", "tidemark"):
        answer = client.get("/api/v1/boards/test-output.zip", params={"protocol": "lcb-test-output", "rules": rules})
        assert answer.status_code == 200, answer.text
        code, said = recomputed(unpacked(answer.content, tmp_path / rules))
        assert code == 0, said


def test_a_model_that_the_file_lists_twice_counts_once(tmp_path: Path) -> None:
    rows = output_rows()
    others = [row | {"model": model} for model in "CDE" for row in rows[:6]]
    twice = [*rows, *(row for row in rows if row["model"] == "Bo-2"), *others]
    batch = read("lcb-board", write(tmp_path, "b.json", board_text(twice)), board="test-output")
    assert [(cell.problem, cell.item) for cell in batch.cells if cell.model == "bo-2"] == [
        ("2777", 0), ("2800", 0), ("2800", 1), ("2800", 2), ("2808", 0), ("2808", 1)
    ]  # fmt: skip
    more = board_text([*twice, rows[0] | {"pass@1": 70.0}])
    fault = first_fault(write(tmp_path, "c.json", more), "test-output")
    assert "Ada 1 has 2 items of 2777, others have 1" in fault


@pytest.mark.parametrize("board", ["test-output", "execution", "execution-cot"])
def test_the_answers_of_a_model_that_was_evaluated_twice_all_count(
    session: Session, client: Client, tmp_path: Path, board: str
) -> None:
    """As LiveCodeBench's own mean over its rows has it, for each item."""
    by_turn = board == "test-output"
    value = {"test-output": "pass@1", "execution": "Pass@1", "execution-cot": "Pass@1-COT"}[board]
    rows = output_rows() if by_turn else execution_rows()
    again = [row | {value: 100.0 - row[value]} for row in rows if row["model"] == "Ada 1"]
    text = board_text([*again, *rows])
    batch = read("lcb-board", write(tmp_path, f"{board}.json", text), board=board)
    assert batch.notes[0] == "Ada 1 is listed 2 times with other values; the answers of all count"
    cells = {(cell.model, cell.problem, cell.item): cell for cell in batch.cells}
    assert len(cells) == len(rows) == len(batch.cells)
    assert {(cell.c, cell.n) for cell in batch.cells if cell.model == "ada-1"} == {(10, 20)}
    imports.store_batch(session, batch, NOW)
    while cell_updates.update_changed_cells(session):
        pass
    session.commit()
    shown = by_model(client, board.removesuffix("-cot"), protocol=f"lcb-{board}", rules="lcb")
    assert shown["ada-1"]["score"] == pytest.approx(50)
    bo = read("lcb-board", write(tmp_path, "once.json", board_text(rows)), board=board)
    assert [cell.c for cell in batch.cells if cell.model == "bo-2"] == [c.c for c in bo.cells if c.model == "bo-2"]
    less = board_text([*again[1:], *rows])
    assert "Ada 1" in first_fault(write(tmp_path, "less.json", less), board)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"Pass@1": -2.0}, "a number from 0 to 100"),
        ({"sample_id": None}, "sample_id"),
        ({"Pass@1": "40"}, "a number from 0 to 100"),
        ({"Pass@1": 37.3}, "makes the count of Ada 1 whole"),
    ],
)
def test_bad_rows_of_items_are_named(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    rows = execution_rows()
    text = json.dumps({"performances": [rows[0] | changes, *rows[1:]], "models": []}, indent=1)
    assert words in first_fault(write(tmp_path, "b.json", text), "execution")


def outputs_of(counts: dict[str, int]) -> list[dict[str, Any]]:
    """Rows of one problem, so many a model, all of one value."""
    row = {"question_id": "2777", "date": stored_date(DAYS["2777"]), "difficulty": "easy", "pass@1": 50.0}
    return [row | {"model": model} for model, count in counts.items() for _ in range(count)]


@pytest.mark.parametrize(
    ("counts", "fault"),
    [
        ({"Ada 1": 2, "Bo-2": 3}, "Bo-2 has 3 items of 2777, Ada 1 has 2; which is right cannot be told"),
        ({"Ada 1": 2, "Bo-2": 3, "Cy": 2}, "Bo-2 has 3 items of 2777, Ada 1 has 2"),
    ],
)
def test_models_that_disagree_on_how_many_items_a_problem_has_are_both_named(
    tmp_path: Path, counts: dict[str, int], fault: str
) -> None:
    found = first_fault(write(tmp_path, "b.json", board_text(outputs_of(counts))), "test-output")
    assert found.endswith(f": {fault}")
    other = outputs_of({"Di": 1})[0] | {"question_id": "2800"}
    path = write(tmp_path, "c.json", board_text([*outputs_of(counts), other]))
    cells = read("lcb-board", path, board="test-output").cells
    right = {"ada-1", "cy"} if "Cy" in counts else set()
    assert {(cell.model, cell.problem) for cell in cells} == {(model, "2777") for model in right} | {("di", "2800")}


def test_a_file_that_brings_nothing_is_refused_and_says_why(tmp_path: Path) -> None:
    unasked = [row | {"Pass@1-COT": -1.0} for row in execution_rows()]
    path = write(tmp_path, "b.json", board_text(unasked))
    assert read("lcb-board", path, board="execution").cells
    assert "every Pass@1-COT is -1" in first_fault(path, "execution-cot")
    assert "is empty" in first_fault(write(tmp_path, "c.json", board_text([])), "codegen")
