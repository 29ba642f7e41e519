"""A board is one file: that of docs/adding-a-board.md, and the one of Chinese functions, on every face."""

import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow
import pytest
from pipeline.flow import NOW, answer_all, judge_one, standing
from pyarrow import parquet
from support.batches import batch, problem
from support.snippets import plug_in, plugged
from support.toys import plugged_in

from app.cli.boards.text import as_table
from app.db.kernel.session import Session
from app.domain.asking.protocols import HOUSE_CODE3
from app.domain.boards.named import boards
from app.domain.boards.snapshots import board_csv
from app.domain.imports import ImportedProblem, ImportedStatement
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Entry, Form, Param, Test
from app.domain.scenarios import scenarios
from app.services.boards import reading
from app.services.boards.cubes import CubeStore
from app.services.boards.query import parse_query
from app.services.boards.table import board_parquet
from app.services.runs import aggregate, imports


@pytest.fixture
def prediction(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    scenario, board = (tmp_path_factory.mktemp(name) for name in ("scenarios", "boards"))
    with plugged_in(scenario), plugged(plug_in("adding-a-board.md"), board):
        yield
    assert "prediction" not in boards()


@pytest.mark.usefixtures("prediction")
def test_a_boards_own_columns_are_on_every_face(session: Session, tmp_path: Path) -> None:
    imports.store_batch(session, batch(*(problem(number) for number in range(3))), NOW)
    standing(session, "tern", "gull")
    written = answer_all(session)
    for number in range(written):  # of tern the first is right
        assert judge_one(session, Verdict.ACCEPTED if number == 0 else Verdict.WRONG_ANSWER)
    standing(session, "tern", protocol=scenarios()["prediction"].protocols[0])
    answer_all(session, "OUTPUT\n3")
    while judge_one(session):
        pass
    aggregate.aggregate(session)
    cubes = CubeStore(tmp_path)
    board = reading.board(session, parse_query([], "prediction"), cubes)
    body = reading.board_json(board)
    [row] = body["rows"]
    assert (row["model"], row["score"]) == ("tern", 100.0)
    assert row["columns"] == pytest.approx({"written": 100 / 3, "gap": 200 / 3})
    [line] = csv.DictReader(io.StringIO(board_csv(body).lstrip("\ufeff")))
    assert float(line["gap"]) == pytest.approx(200 / 3)
    assert parquet.read_table(pyarrow.BufferReader(board_parquet(body)))["gap"].to_pylist() == pytest.approx([200 / 3])
    text = as_table(board)
    assert "gap" in text
    assert "66.7" in text
    # Where the other row is missing there is nothing, and a window is that of both.
    later = reading.board(session, parse_query([("from", "2100-01-01")], "prediction"), cubes)
    assert all(own["columns"] == {"written": None, "gap": None} for own in reading.board_json(later)["rows"])


def function(number: int) -> ImportedProblem:
    """One that asks for a function, with its text in Chinese."""
    starter = {"python": "def add(a: int, b: int) -> int:\n    ...\n"}
    return replace(
        problem(number),
        form=Form.FUNCTION,
        entry=Entry("add", params=(Param("a", "int"), Param("b", "int")), returns="int"),
        statements={"zh": ImportedStatement(f"求和 {number}", "把两个数相加。", starter)},
        tests=(Test([1, 2], 3, visible=True), Test([4, 5], 9)),
    )


def test_who_keeps_to_the_form_is_told_beside_who_is_right(session: Session, tmp_path: Path) -> None:
    imports.store_batch(session, batch(*map(function, range(3))), NOW)
    program = "def add(a, b):\n    return a + b\n"
    for slug, said in (("tern", f"【代码开始】\n{program}【代码结束】"), ("gull", f"```python\n{program}```")):
        standing(session, slug, protocol=HOUSE_CODE3)
        assert answer_all(session, said) == 3
    for number in range(6):  # the newest first; the last one is the easy one of gull
        assert judge_one(session, Verdict.ACCEPTED if number < 5 else Verdict.WRONG_ANSWER)
    aggregate.aggregate(session)
    assert [fact.slug for fact in reading.protocols(session)["code3"]] == ["house-code3"]
    assert reading.protocols(session)["codegen"] == []
    body = reading.board_json(reading.board(session, parse_query([], "code3"), CubeStore(tmp_path)))
    assert {row["model"]: row["columns"] for row in body["rows"]} == {
        "tern": {"weighted": 100.0, "format_rate": 100.0},
        "gull": {"weighted": pytest.approx(500 / 6), "format_rate": 0.0},
    }
