"""BigCodeBench's leaderboard file: what becomes of a model, and rows that only look like one."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.files import read, write

from app.domain.errors import InvalidImport
from app.domain.imports import ImportBatch


def entry(**changes: Any) -> dict[str, Any]:
    return {
        "link": "https://example.com/orion", "open-data": "None", "pass@1": {"instruct": 38.0, "complete": 47.1},
        "prompted": True, "size": 6.7, "act_param": 6.7, "moe": False, "date": "2024-04-16", "prefill": True,
    } | changes  # fmt: skip


def batch(tmp_path: Path, rows: Any, **options: str) -> ImportBatch:
    return read("bigcodebench-results", write(tmp_path, "results.json", json.dumps(rows, indent=1)), **options)


@pytest.mark.parametrize(("board", "part"), [("full", ""), ("hard", "-hard")])
def test_a_model_has_a_run_for_each_style_that_was_measured(tmp_path: Path, board: str, part: str) -> None:
    rows = {
        "Orion 5": entry(),
        "Lyra": entry(**{"pass@1": {"instruct": None, "complete": 0.1}}),
        "Vega": entry(**{"pass@1": {"instruct": None, "complete": None}}),
    }
    made = batch(tmp_path, rows, board=board)
    assert [(run.model, run.protocol.slug, run.protocol.imported) for run in made.runs] == [
        ("orion-5", f"bcb{part}-complete-published", True),
        ("orion-5", f"bcb{part}-instruct-published", True),
        ("lyra", f"bcb{part}-complete-published", True),
    ]
    assert [(cell.problem, cell.c / cell.n, cell.value) for cell in made.cells] == [
        (f"all-{board}", 0.471, "47.1"), (f"all-{board}", 0.38, "38.0"), (f"all-{board}", 0.001, "0.1"),
    ]  # fmt: skip
    assert [(model.name, str(model.released_on), model.n_inferred) for model in made.models] == [
        ("Orion 5", "2024-04-16", True), ("Lyra", "2024-04-16", True),
    ]  # fmt: skip
    assert made.notes == ("Vega: no pass@1 was measured",)


@pytest.mark.parametrize(
    ("changes", "facts"),
    [
        ({"size": 70}, (None, 70.0)),
        ({"size": 671, "link": "https://huggingface.co/deepseek-ai/DeepSeek-R1"}, (True, 671.0)),
        ({"size": None, "link": "https://huggingface.co/spaces/a/b"}, (False, None)),
        ({"size": None}, (False, None)),
        ({"size": None, "open-data": "Partial"}, (True, None)),
        ({"size": None, "link": None}, (None, None)),
    ],
)
def test_what_a_file_says_of_weights(tmp_path: Path, changes: dict[str, Any], facts: tuple[Any, Any]) -> None:
    [model] = batch(tmp_path, {"Orion": entry(**changes)}).models
    assert (model.open_weights, model.size_b) == facts


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (7, "7 is not an object"),
        (entry(**{"pass@1": None}), "pass@1 is missing or not an object"),
        (entry(**{"pass@1": {"complete": 1.0}}), "pass@1 has no instruct"),
        (entry(**{"pass@1": {"complete": 1.0, "instruct": 2.0, "other": 3.0}}), "pass@1 has 'other'"),
        (entry(**{"pass@1": {"complete": 101, "instruct": None}}), "complete is 101, not a percentage"),
        (entry(**{"pass@1": {"complete": 1.25, "instruct": None}}), "complete is 1.25, not a percentage"),
        (entry(**{"pass@1": {"complete": True, "instruct": None}}), "complete is True, not a percentage"),
        (entry(size="70B"), "size is '70B', not a number of billions"),
        (entry(date="soon"), "date is 'soon', not a date"),
        (entry(link="https://example.com/\0"), "the text holds a NUL character"),
    ],
)
def test_bad_rows_are_named_with_their_line(tmp_path: Path, value: Any, reason: str) -> None:
    made = batch(tmp_path, {"Orion": entry(), "Lyra": value})
    assert [(model.name, len(made.cells)) for model in made.models] == [("Orion", 2)]
    [row] = made.bad_rows
    assert row.line == 16
    assert row.reason.startswith(f"'Lyra': {reason}")


def test_a_model_that_is_named_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidImport, match="an object has 'Orion' twice"):
        read("bigcodebench-results", write(tmp_path, "two.json", f'{{"Orion": {{}}, "Orion": {json.dumps(entry())}}}'))


@pytest.mark.parametrize("body", [[], {}, "words"])
def test_other_files_are_refused(tmp_path: Path, body: Any) -> None:
    with pytest.raises(InvalidImport, match="not a BigCodeBench leaderboard file"):
        batch(tmp_path, body)
