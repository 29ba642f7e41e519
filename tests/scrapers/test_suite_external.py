"""Tables of scores elsewhere: both forms, and what is refused."""

from datetime import UTC, datetime

import pytest

from app.domain.errors import InvalidImport
from app.domain.imports import ExternalScore, ExternalTable, ImportBatch
from scrapers.suite import SourceFile
from scrapers.suites.external_scores import SUITE

NOW = datetime(2026, 11, 1, tzinfo=UTC)


def imported(text: str, name: str = "HumanEval_plus.csv", **options: str) -> ImportBatch:
    return SUITE.read(SourceFile(name, "0" * 64, text), options, NOW)


def table(text: str, name: str = "HumanEval_plus.csv", **options: str) -> ExternalTable | None:
    return imported(text, name, **options).external


def test_a_line_for_each_model() -> None:
    assert table("model,score\norion-5,81.5\nVega 2 (chat),0\n") == ExternalTable(
        "humaneval-plus", (ExternalScore("orion-5", 81.5, None), ExternalScore("Vega 2 (chat)", 0.0, None))
    )


def test_a_line_for_each_task() -> None:
    found = table("task,orion,vega\nHumanEval/0,1,0\nHumanEval/1,0.5,0\n", board="Other name")
    assert found == ExternalTable("other-name", (ExternalScore("orion", 75.0, 2), ExternalScore("vega", 0.0, 2)))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("model,score\norion,101\n", "csv:2:"),
        ("model,score\norion,nan\n", "csv:2:"),
        ("model,score\n,50\n", "csv:2: model is missing or empty"),
        ("model,score\na\0b,50\n", "csv:2: the text holds a NUL character"),
        ("task,a\0b\nHumanEval/0,1\n", "csv:1: the text holds a NUL character"),
        ("x" * 200_000 + ",score\n", "csv:1: field larger than field limit"),
        ("model,score\n", "no score"),
        ("model\norion\n", "names no score"),
        ("task,orion\nHumanEval/0,2\n", "csv:2:"),
        ("task,orion\nHumanEval/0\n", "fields"),
        ("", "names no model"),
    ],
)
def test_a_table_without_a_good_row_is_refused(text: str, reason: str) -> None:
    with pytest.raises(InvalidImport, match=reason):
        table(text)


@pytest.mark.parametrize(
    ("text", "bad", "scores"),
    [
        ("task,,vega\nHumanEval/0,1,0\n", "csv:1: model is missing or empty", {"vega": 0.0}),
        ("model,score\norion,50\nvega,x\n", "csv:3: score is 'x', not a number", {"orion": 50.0}),
        ("model,score\norion,50\nvega,40\norion,60\n", "csv:4: 'orion' appears twice", {"orion": 50.0, "vega": 40.0}),
        (
            "model,score\norion,50\n" + "x" * 200_000 + ",1\nvega,40\n",
            "csv:3: field larger",
            {"orion": 50.0, "vega": 40.0},
        ),
        ("task,orion\nHumanEval/0,1\nHumanEval/0,0\n", "csv:3: 'HumanEval/0' appears twice", {"orion": 100.0}),
        ("task,orion,vega\na,1,0\nb,1,x\nc,0,0\n", "csv:3: vega is 'x', not a number", {"orion": 50.0, "vega": 0.0}),
    ],
)
def test_a_bad_row_costs_no_other(text: str, bad: str, scores: dict[str, float]) -> None:
    batch = imported(text)
    assert batch.external is not None
    assert {score.model: score.score for score in batch.external.scores} == scores
    [row] = batch.bad_rows
    assert bad in str(row)
