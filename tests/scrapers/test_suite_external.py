"""Tables of scores elsewhere: both forms, and what is refused."""

from datetime import UTC, datetime

import pytest

from app.domain.errors import InvalidImport
from app.domain.imports import ExternalScore, ExternalTable
from scrapers.suite import SourceFile
from scrapers.suites.external_scores import SUITE

NOW = datetime(2026, 11, 1, tzinfo=UTC)


def table(text: str, name: str = "HumanEval_plus.csv", **options: str) -> ExternalTable | None:
    return SUITE.read(SourceFile(name, "0" * 64, text), options, NOW).external


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
        ("task,,vega\nHumanEval/0,1,0\n", "csv:1: model is missing or empty"),
        ("task,a\0b\nHumanEval/0,1\n", "csv:1: the text holds a NUL character"),
        ("x" * 200_000 + ",score\n", "csv:1: field larger than field limit"),
        ("model,score\norion,50\nvega,50\norion,60\n", "csv:4: 'orion' appears twice"),
        ("task,orion\nHumanEval/0,1\nHumanEval/0,0\n", "csv:3: 'HumanEval/0' appears twice"),
        ("model,score\n", "no score"),
        ("model\norion\n", "names no score"),
        ("task,orion\nHumanEval/0,2\n", "csv:2:"),
        ("task,orion\nHumanEval/0\n", "fields"),
        ("", "names no model"),
    ],
)
def test_a_bad_table_is_refused_whole(text: str, reason: str) -> None:
    with pytest.raises(InvalidImport, match=reason):
        table(text)
