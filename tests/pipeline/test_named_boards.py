"""A board is one file: that of docs/adding-a-board.md, and the one of Chinese functions, on every face."""

import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pyarrow
import pytest
from pipeline.flow import NOW, answer_all, judge_one, result, standing
from pyarrow import parquet
from sqlalchemy import select, text, update
from support.batches import START, batch, problem
from support.snippets import plug_in, plugged
from support.toys import plugged_in

from app.cli.boards.text import format_board
from app.db.kernel.session import Session
from app.db.problems import difficulties
from app.db.tables import Model, Problem, ProblemVersion
from app.domain.asking.protocols import HOUSE_CODE3
from app.domain.boards.named_boards import Gap, boards
from app.domain.boards.snapshots import board_csv
from app.domain.imports import ImportedProblem, ImportedStatement
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Entry, Form, Param, Test
from app.domain.scenarios import scenarios, shipped_protocols
from app.services.boards import board_views
from app.services.boards.cubes import CubeStore
from app.services.boards.query import parse_query
from app.services.boards.table import board_parquet
from app.services.runs import cell_updates, grade, imports


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
    cell_updates.update_changed_cells(session)
    cubes = CubeStore(tmp_path)
    board = board_views.board(session, parse_query([], "prediction"), cubes)
    body = board_views.board_json(board)
    [row] = body["rows"]
    assert (row["model"], row["score"]) == ("tern", 100.0)
    paired = body["rows"][0]["paired"]["written"]
    assert row["columns"] == pytest.approx(
        {"written": 100 / 3, "gap": 200 / 3, "gap_lo": paired["lo"], "gap_hi": paired["hi"]}
    )
    assert (paired["mean"], paired["n"]) == (pytest.approx(200 / 3), 3)
    assert paired["lo"] < 200 / 3 < paired["hi"]
    [line] = csv.DictReader(io.StringIO(board_csv(body).lstrip("\ufeff")))
    assert {name: float(line[name]) for name in row["columns"]} == pytest.approx(row["columns"])
    assert parquet.read_table(pyarrow.BufferReader(board_parquet(body)))["gap"].to_pylist() == pytest.approx([200 / 3])
    table = format_board(board)
    assert "gap" in table
    assert f"gap +66.7 [{paired['lo']:+.1f}, {paired['hi']:+.1f}]" in " ".join(table.split())
    # Where the other row is missing there is nothing, and a window is that of both.
    later = board_views.board(session, parse_query([("from", "2100-01-01")], "prediction"), cubes)
    assert all(own["columns"] == dict.fromkeys(row["columns"]) for own in board_views.board_json(later)["rows"])


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
    cell_updates.update_changed_cells(session)
    assert [fact.slug for fact in board_views.protocols(session)["code3"]] == ["house-code3"]
    assert board_views.protocols(session)["codegen"] == []
    body = board_views.board_json(board_views.board(session, parse_query([], "code3"), CubeStore(tmp_path)))
    assert {row["model"]: row["columns"] for row in body["rows"]} == {
        "tern": {"weighted": 100.0, "format_rate": 100.0},
        "gull": {"weighted": pytest.approx(500 / 6), "format_rate": 0.0},
    }


def coco_problem(number: int, language: str) -> ImportedProblem:
    """An item of CoCo-Bench that asks for code to be completed, and one for a bug to be mended."""
    starter = {language: "def add(a, b):\n    return ____", "failure": "It ended with NameError"}
    return replace(
        problem(number),
        form=Form.FUNCTION,
        entry=Entry("add", params=(Param("a"), Param("b"))),
        tags=("CG" if number < 4 else "CM", language),
        statements={"en": ImportedStatement(f"Item {number}", "Adds.", starter)},
        tests=(Test([1, 2], 3),),
    )


def test_the_tasks_of_coco_are_columns_beside_each_of_them(session: Session, tmp_path: Path) -> None:
    languages = ("python", "python", "java", "python", "python", "python")
    imports.store_batch(session, batch(*(coco_problem(*pair) for pair in enumerate(languages))), NOW)
    session.execute(text("UPDATE sources SET slug = 'coco', kind = 'suite'"))
    session.expire_all()
    for slug, count in (("coco-cg", 4), ("coco-cm", 2)):
        standing(session, "tern", protocol=shipped_protocols()[slug])
        assert answer_all(session, "```python\npass\n```") == count
        while job := grade.claim(session, NOW, timedelta(minutes=5), ["python"]):
            title = session.get_one(ProblemVersion, job.version_id).title
            right = title in ("Item 1", "Item 2", "Item 5")
            assert job.language == ("java" if title == "Item 2" else "python")
            assert grade.record(session, job, result(Verdict.ACCEPTED if right else Verdict.WRONG_ANSWER), NOW)
    cell_updates.update_changed_cells(session)
    difficulties.add_first(session, "ease/coco_completion", _eases(session), NOW)
    cubes = CubeStore(tmp_path)
    for protocol, score, shown in (
        ("coco-cg", 50.0, {"python": 100 / 3, "java": 100.0, "dapr": 40.0}),
        ("coco-cm", 50.0, {"python": 50.0, "java": None, "dapr": None}),
    ):
        board = board_views.board(session, parse_query([("protocol", protocol)], "coco"), cubes)
        shape = board_views.board_json(board)
        [row] = shape["rows"]
        assert {name: shape["columns_empty"].get(name) for name in ("dapr", "coco_n_weighted", "cu_f", "cg")} == {
            "dapr": "ease" if shown["dapr"] is None else None, "coco_n_weighted": "ease", "cu_f": "answers", "cg": None,
        }  # fmt: skip
        assert row["score"] == pytest.approx(score)
        assert {name: row["columns"][name] for name in ("cg", "cm", "cu_f", "coco_score", "sql")} == pytest.approx(
            {"cg": 50.0, "cm": 50.0, "cu_f": None, "coco_score": None, "sql": None}
        )
        assert {name: row["columns"][name] for name in shown} == pytest.approx(shown)
        for width in (80, 60):
            lines = format_board(board, width=width).splitlines()
            assert max(map(len, lines)) <= width, "a terminal would break the rows"
            assert "cover" in lines[0]
            assert "Not shown at this width: " in " ".join(lines)
    session.execute(update(Model).values(cutoff_on=START.date()))
    split = parse_query([("protocol", "coco-cg"), ("exposure", "split")], "coco")
    [row] = board_views.board_json(board_views.board(session, split, CubeStore(tmp_path / "split")))["rows"]
    assert {name: row["columns"][name] for name in ("cg", "python", "java", "dapr")} == pytest.approx(
        {"cg": 200 / 3, "python": 50.0, "java": 100.0, "dapr": 200 / 3}
    ), "in split mode no column counts what the model may have seen"


def _eases(session: Session) -> dict[int, float]:
    """Of the items of CG: the first that fails weighs most."""
    ids = sorted(session.scalars(select(Problem.id).where(Problem.tags.contains(["CG"]))))
    return dict(zip(ids, (10.0, 20.0, 20.0, 20.0), strict=True))


@pytest.mark.parametrize(("missing", "score"), [("", 39.60), ("CM", None)])
def test_the_published_score_follows_from_the_tasks(missing: str, score: float | None) -> None:
    published = {"CU_F": 66.12, "CU_R": 9.09, "CG": 55.73, "CM": 45.0, "CR": 45.71}
    parts = {name: None if name == missing else value for name, value in published.items()}
    [column] = [column for column in boards()["coco"].columns if column.name == "coco_score"]
    assert not isinstance(column.of, Gap)
    assert column.of(None, parts) == (score if score is None else pytest.approx(score, abs=0.005))  # type: ignore[arg-type]
