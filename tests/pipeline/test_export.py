"""What stands behind the boards leaves as rows, and comes back as imported runs with the same board."""

import csv
import io
import json
import re
import unicodedata
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pipeline.flow import NOW, answer_all, drain, judge_one, offer
from sqlalchemy import func, select, update
from support.batches import batch, problem
from support.facts import facts_may_change
from support.files import bad_rows, board_row, board_text, read, write
from support.thinned import thinned

from app.db.kernel.session import Session
from app.db.tables import CellRow, ImportedResult, Model, Problem, Run, Sample, VerdictRow
from app.domain.asking.protocols import BUILT_IN_PROTOCOLS, HOUSE
from app.domain.boards.board import BoardQuery
from app.domain.errors import InvalidImport, InvalidInput, NotFound
from app.domain.exports import (
    COLUMNS,
    ColumnKind,
    ExportTable,
    as_csv_cell,
    as_imported,
    as_json_line,
    csv_line,
    from_csv_cell,
    known_protocol,
)  # fmt: skip
from app.domain.scenarios import shipped_protocols
from app.domain.states import ProblemState
from app.domain.windows import Window
from app.services.boards import board_views
from app.services.boards.export import Format, lines
from app.services.runs import cell_updates, imports, plan

WINDOW = Window(date(2024, 1, 1), date(2027, 1, 1))
FORMULAS = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", " =1", "'=1", "＝1", "x;=1", "x\t=1", "-",
            "\u2060=1", "\u200e+1", "\x7f@x", "\u202e\xad-1", "﹦1"]  # fmt: skip


def exported(session: Session, table: ExportTable, form: Format = Format.JSONL, protocol: str | None = None) -> str:
    return "".join(lines(session, table, form, protocol))


def rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def shown(session: Session, protocol: str, cubes: Path) -> list[dict[str, Any]]:
    """The rows of a board without what an import may say otherwise."""
    found = board_views.board_json(
        board_views.board(session, BoardQuery(protocol=protocol, window=WINDOW), board_views.CubeStore(cubes))
    )
    kept = ("model", "configuration", "rank", "rank_lo", "rank_hi", "tier", "score", "ci_lo", "ci_hi", "n_problems",
            "coverage", "exposed", "by_difficulty", "cutoff", "provisional")  # fmt: skip
    assert len(found["rows"]) > 0
    return [{name: row[name] for name in kept} for row in found["rows"]]


def store(session: Session, path: Path) -> Any:
    summary = imports.store_batch(session, read("results", path), NOW)
    drain(session)
    return summary


@pytest.mark.parametrize("form", [Format.JSONL, Format.CSV])
def test_an_export_comes_back_as_the_same_board(house: Session, session: Session, tmp_path: Path, form: Format) -> None:
    before, text = shown(house, "house", tmp_path / "1"), exported(house, ExportTable.CELLS, form)
    assert session.scalar(select(func.count()).select_from(Problem)) == 0, "an empty state"
    summary = store(session, write(tmp_path, f"cells.{form}.gz", text))
    assert (summary.protocol, summary.models, summary.problems, summary.rows) == ("house-imported", 2, 5, 15)
    assert shown(session, "house-imported", tmp_path / "2") == before
    found = {run.configuration_key: run for run in session.scalars(select(Run))}
    assert set(found) == {"", '{"effort": "high"}'}
    high = found['{"effort": "high"}'].provenance
    assert (high["kind"], high["file"], high["origin_in_file"]) == ("results", f"cells.{form}.gz", "own")
    assert all(session.scalars(select(Model.demo))), "what only demonstrates says so wherever it goes"
    assert set(session.scalars(select(Problem.state))) == {ProblemState.CATALOGUED}


def test_the_same_file_twice_changes_nothing(house: Session, session: Session, tmp_path: Path) -> None:
    path = write(tmp_path, "cells.jsonl", exported(house, ExportTable.CELLS))
    store(house, path)

    def held() -> list[int | None]:
        counted = (Run, Problem, Model, CellRow, ImportedResult)
        return [house.scalar(select(func.count()).select_from(table)) for table in counted]

    once, text = held(), exported(house, ExportTable.CELLS)
    store(house, path)
    assert (held(), exported(house, ExportTable.CELLS)) == (once, text)
    again = write(tmp_path, "again.jsonl", exported(house, ExportTable.CELLS, protocol="house-imported"))
    store(session, again)
    assert len(rows(exported(session, ExportTable.CELLS))) == 15, "what was imported can be exported and imported again"
    both = write(tmp_path, "both.jsonl", exported(house, ExportTable.CELLS))
    assert store(session, both).rows == 30, "beside the rows that it came from, too"
    assert len(rows(exported(session, ExportTable.CELLS))) == 15 + 30


def test_a_model_counts_as_registered_with_its_last_order(house: Session, tmp_path: Path) -> None:
    days, found = ["2026-03-02", "2026-03-09", "2026-03-05"], rows(exported(house, ExportTable.CELLS))
    found = [row for row in found if row["model"] == found[0]["model"]][:3]
    for row, day in zip(found, days, strict=True):
        row |= {"cutoff_basis": "registered", "cutoff_on": day, "cutoff_evidence": None}
    path = write(tmp_path, "cells.jsonl", "\n".join(map(json.dumps, found)))
    assert [str(model.registered_on) for model in read("results", path).models] == [days[1]]


def test_a_board_of_others_keeps_its_protocol(session: Session, tmp_path: Path) -> None:
    given = [board_row(model, f"p{each}", share) for model, share in (("a", 50.0), ("b", 100.0)) for each in range(4)]
    imports.store_batch(session, read("lcb-board", write(tmp_path, "board.json", board_text(given))), NOW)
    drain(session)
    before, text = shown(session, "lcb", tmp_path / "1"), exported(session, ExportTable.CELLS)
    session.rollback()
    assert store(session, write(tmp_path, "cells.jsonl", text)).protocol == "lcb"
    assert shown(session, "lcb", tmp_path / "2") == before
    assert not any(session.scalars(select(Model.demo))), "they are real"


def test_every_protocol_has_a_counterpart_of_its_own() -> None:
    here = shipped_protocols().values()
    counterparts = {as_imported(each).fingerprint for each in here}
    assert len(counterparts) == len(here) > len(BUILT_IN_PROTOCOLS), "those of scenarios are among them"
    assert counterparts.isdisjoint(each.fingerprint for each in here if not each.imported)
    for each in here:
        there = as_imported(each)
        assert (there.imported, as_imported(there)) == (True, there)
        assert known_protocol(each.slug, each.fingerprint) == each
        assert known_protocol(there.slug, there.fingerprint) == there
        assert known_protocol(each.slug, "0" * 64) is None


def test_rows_have_a_fixed_order_and_every_key(house: Session) -> None:
    first = rows(exported(house, ExportTable.CELLS))
    assert [tuple(row) for row in first] == [tuple(COLUMNS[ExportTable.CELLS])] * 15
    keys = [(row["protocol"], row["model"], row["configuration"], row["trial"], row["external_id"]) for row in first]
    assert keys == sorted(keys)
    assert {row["n"] for row in first} == {1}
    table = list(csv.DictReader(io.StringIO(exported(house, ExportTable.CELLS, Format.CSV), newline="")))
    assert [row["model"] for row in table] == [row["model"] for row in first]
    with pytest.raises(NotFound, match="no protocol 'nothing'"):
        exported(house, ExportTable.CELLS, protocol="nothing")
    with pytest.raises(InvalidInput, match="takes no --protocol"):
        exported(house, ExportTable.PROBLEMS, protocol="house")


def test_hidden_tests_and_statements_never_leave(session: Session) -> None:
    imports.store_batch(session, batch(problem(0), replace(problem(1), canary=True)), NOW)
    plan.register_demo(session, (offer("alpha"),), HOUSE, NOW)
    plan.plan_samples(session, NOW)
    answer_all(session)
    while judge_one(session):
        pass
    drain(session)
    found = {table: exported(session, table) for table in ExportTable}
    for table, text in found.items():
        lines = 2 if table is ExportTable.LEDGER else 1  # a problem and a model were added
        assert len(rows(text)) == lines, "the problem that guards the judge is not among them"
        for hidden in ("Add two numbers", "map(int", "1 2\\n", "5\\n"):
            assert hidden not in text
    [known] = rows(found[ExportTable.PROBLEMS])
    assert (known["external_id"], known["tests"], known["proof"], known["checker"]) == ("sum-0", 3, "shipped", "tokens")
    [sample] = rows(found[ExportTable.SAMPLES])
    assert (sample["verdict"], sample["passed"], sample["total"], sample["latency_ms"]) == ("accepted", 3, 3, 12.5)
    assert sample["response"] == "```python\nprint(1)\n```"
    assert {tuple(row) for text in found.values() for row in rows(text)} == {
        tuple(COLUMNS[each]) for each in ExportTable
    }


def test_a_run_that_is_not_public_stays_here(house: Session) -> None:
    for run in house.scalars(select(Run).where(Run.configuration_key != "")):
        run.public = False
    house.flush()
    assert {
        row["configuration"]
        for table in (ExportTable.CELLS, ExportTable.SAMPLES)
        for row in rows(exported(house, table))
    } == {""}


@pytest.mark.parametrize(
    "values", [{"state": ProblemState.HELD, "hold_reason": "its tests are wrong"}, {"canary": True}]
)
def test_what_no_board_may_show_stays_here(house: Session, values: dict[str, Any]) -> None:
    house.execute(update(Problem).where(Problem.external_id == "sum-0").values(**values))
    for table, left in ((ExportTable.SAMPLES, 12), (ExportTable.PROBLEMS, 4)):
        found = rows(exported(house, table))
        assert (len(found), "sum-0" in {row["external_id"] for row in found}) == (left, False)


def test_an_answer_leaves_once_with_the_verdict_that_counts(house: Session) -> None:
    """Of two on one answer, one does not count; and none of tests that are in use no more does."""
    first, other = house.scalars(select(VerdictRow).order_by(VerdictRow.id).limit(2)).all()
    columns = [column.name for column in VerdictRow.__table__.columns if column.name != "id"]
    copied = {name: getattr(first, name) for name in columns}
    house.add(VerdictRow(**{**copied, "counts": False, "grader_revision": "another", "verdict": "time_limit"}))
    answer = house.get_one(Sample, other.sample_id)
    house.flush()
    found = rows(exported(house, ExportTable.SAMPLES))
    assert (len(found), sum(row["verdict"] is None for row in found)) == (15, 0)
    withdrawn = {"state": ProblemState.WITHDRAWN, "current_test_set_id": None}
    house.execute(update(Problem).where(Problem.id == answer.problem_id).values(**withdrawn))
    found = rows(exported(house, ExportTable.SAMPLES))
    assert (len(found), sum(row["verdict"] is None for row in found)) == (15, 3)


def test_cells_without_a_verdict_come_back_too(house: Session, session: Session, tmp_path: Path) -> None:
    """They were wanted: without them a run would look more complete than it is, and its board be another."""
    imports.store_batch(house, batch(problem(5)), NOW)
    plan.plan_samples(house, NOW)
    drain(house)
    before, text = shown(house, "house", tmp_path / "1"), exported(house, ExportTable.CELLS)
    store(session, write(tmp_path, "cells.jsonl", text))
    counts = ("model", "configuration", "source", "external_id", "item", "n", "c", "pending", "judge_errors")

    def cells(given: str) -> list[list[Any]]:
        return [[row[name] for name in counts] for row in rows(given)]

    assert cells(exported(session, ExportTable.CELLS)) == cells(text)
    assert [row[5:] for row in cells(text)].count([0, 0, 1, 0]) == 3
    assert shown(session, "house-imported", tmp_path / "2") == before
    cell_updates.rebuild_cells(session)
    assert cells(exported(session, ExportTable.CELLS)) == cells(text)


@pytest.mark.parametrize(
    ("changes", "reason"),
    thinned(
        [
            ({"c": 2}, "c is 2, not a whole number from 0 to 1"),
            ({"n": -1}, "n is -1"),
            ({"n": True}, "n is True"),
            ({"n": 1.5}, "n is 1.5"),
            ({"n": 10**30}, "n is 1000"),
            ({"trial": 0}, "trial is 0"),
            ({"protocol": "other"}, "protocol other is not known here"),
            (
                {"protocol_fingerprint": "0" * 64},
                "not known here in this form; `export cells --protocol` writes",
            ),
            ({"configuration": '{"effort":"high"}'}, "not written as an export writes it"),
            ({"configuration": "[" * 50_000}, "recursion"),
            ({"configuration": '{"effort": NaN}'}, "NaN is not JSON"),
            ({"configuration": r'{"effort": "\u0000"}'}, "NUL"),
            ({"run_state": "gone"}, "run_state 'gone' is not known"),
            ({"released_on": None}, "released_on is missing or not text"),
            ({"released_on": "1999-01-01"}, "before the year 2000"),
            ({"level": "odd"}, "level 'odd' is not known"),
            ({"title": "\0"}, "NUL"),
            ({"title": "another"}, "the facts about house/sum-1 contradict an earlier row"),
            ({"model_name": "Another"}, "the facts about alpha contradict an earlier row"),
            ({"source_kind": "site"}, "the facts about house contradict an earlier row"),
            ({"demo": "yes"}, "demo is 'yes', neither true nor false"),
            ({"cutoff_basis": 7}, "cutoff_basis is missing or not text"),
            ({"external_id": "sum-0"}, "this cell appears twice; first in line 6"),
        ],
        3,
    ),
)
def test_rows_that_only_look_like_one(house: Session, tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    given = rows(exported(house, ExportTable.CELLS))
    given[6] |= changes
    batch = read("results", write(tmp_path, "cells.jsonl", "".join(json.dumps(row) + "\n" for row in given)))
    assert [(row.file, row.line) for row in batch.bad_rows] == [("cells.jsonl", 7)]
    assert reason in batch.bad_rows[0].reason
    others = [row for row in given if row is not given[6]]
    left = read("results", write(tmp_path, "others.jsonl", "".join(json.dumps(row) + "\n" for row in others)))
    for name in ("sources", "models", "runs", "problems"):
        assert getattr(batch, name) == getattr(left, name), "nothing of the bad row stays"
    assert [cell.problem for cell in batch.cells] == [cell.problem for cell in left.cells]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "model,n\n",
        "model,n\na,1\n",
        '"' * 9,
        "a," * 200_000,
        '{"model": "a"}\n',
        "{\n",
        "\x00",
        '{"a":' * 50_000,
    ],
)
def test_files_that_are_no_export(tmp_path: Path, text: str) -> None:
    with pytest.raises(InvalidImport, match="nothing was imported"):
        read("results", write(tmp_path, "cells", text))


@pytest.mark.parametrize("form", [Format.JSONL, Format.CSV])
def test_a_column_of_a_later_version_is_named_once(house: Session, tmp_path: Path, form: Format) -> None:
    head, *others = exported(house, ExportTable.CELLS, form).splitlines()
    if form is Format.JSONL:
        text = "\n".join(json.dumps(json.loads(line) | {"later": 1}) for line in (head, *others))
    else:
        text = "\n".join([f"{head},later", *(f"{line},1" for line in others)])
    made = read("results", write(tmp_path, "cells", text))
    assert made.notes == ("cells:1: the column 'later' is not known, and changes nothing here",)
    assert made.cells


def test_a_csv_row_is_read_as_strictly(house: Session, tmp_path: Path) -> None:
    table = exported(house, ExportTable.CELLS, Format.CSV).split("\r\n")
    for line, wrong in ((3, table[2] + ",more"), (2, table[1].replace(",1,house,", ",١,house,")), (4, '"never ends')):
        broken = [*table[: line - 1], wrong, *table[line:]]
        assert bad_rows("results", write(tmp_path, "cells.csv", "\r\n".join(broken)))[0].line >= line


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (ColumnKind.TEXT, 'a, "b"\r\nc 中'),
        (ColumnKind.INTEGER, -12),
        (ColumnKind.NUMBER, 0.1 + 0.2),
        (ColumnKind.FLAG, True),
        (ColumnKind.FLAG, False),
        (ColumnKind.TEXTS, ["a,b", "中"]),
        (ColumnKind.TEXT, None),
        (ColumnKind.TEXT, "'tis"),
        (ColumnKind.TEXT, "'-1"),
        *((ColumnKind.TEXT, text) for text in FORMULAS),
    ],
)
def test_a_cell_of_csv_is_read_as_it_was_written(kind: ColumnKind, value: Any) -> None:
    [[_, cell]] = csv.reader(io.StringIO(csv_line(["a", as_csv_cell(value)]), newline=""), strict=True)
    assert from_csv_cell(kind, cell) == value


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_of_csv_is_a_formula(text: str) -> None:
    line = csv_line([as_csv_cell(text), as_csv_cell(f"b{text}")])
    [cells] = csv.reader(io.StringIO(line, newline=""), strict=True)
    seen = ["".join(char for char in cell if unicodedata.category(char)[0] not in "CZ") for cell in cells]
    assert not [cell for cell in seen if cell[:1] in {*"=+-@＝＋－＠﹦"}]
    outside = re.sub(r'"(?:[^"]|"")*"', "", line.removesuffix("\r\n"))
    assert not re.search(r"[;|\t\r\n]", outside), "some readers part cells there, unless it is quoted"


@pytest.mark.parametrize("value", [-1, -0.5, 1e-9, "-12", "-0.25", "+3"])
def test_a_number_stays_a_number_in_a_spreadsheet(value: int | float | str) -> None:
    assert as_csv_cell(value) == str(value)


def test_formulas_of_vendors_leave_harmless_and_come_back(house: Session, tmp_path: Path) -> None:
    formula = '=HYPERLINK("https://a.invalid";"b")'
    house.execute(update(Problem).values(title=formula))
    house.execute(update(Model).where(Model.slug == "alpha").values(name="@alpha", organisation_name="\u200b+acme"))
    with facts_may_change(house):
        house.execute(update(Sample).values(answer="-f(1)", response="\t=1+1"))
    written = {table: exported(house, table, Format.CSV) for table in ExportTable}
    for table, text in written.items():
        cells = [cell for row in csv.DictReader(io.StringIO(text, newline="")) for cell in row.values()]
        assert not [cell for cell in cells if cell[:1] in {*"=+@\t\u200b"} or cell.startswith("-f")], table
    found = read("results", write(tmp_path, "cells.csv", written[ExportTable.CELLS]))
    assert {problem.title for problem in found.problems} == {formula}
    assert ("@alpha", "\u200b+acme") in {(model.name, model.organisation) for model in found.models}
    assert found == replace(
        read("results", write(tmp_path, "cells.jsonl", exported(house, ExportTable.CELLS))),
        file_name=found.file_name, file_sha256=found.file_sha256,
        cells=found.cells,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "cell"),
    [
        (ColumnKind.INTEGER, "1_0"),
        (ColumnKind.INTEGER, "9" * 5000),
        (ColumnKind.NUMBER, "x"),
        (ColumnKind.FLAG, "True"),
        (ColumnKind.TEXTS, "["),
    ],
)
def test_a_cell_of_csv_that_is_none_of_its_kind(kind: ColumnKind, cell: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        from_csv_cell(kind, cell)


def test_a_line_of_json_is_one_line_for_every_reader() -> None:
    title = "a\u2028b\u2029c\x85d\n"
    line = as_json_line({"title": title})
    assert line.splitlines() == [line]
    assert json.loads(line) == {"title": title}
