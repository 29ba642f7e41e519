"""The measurement of the client: its rows, and that every outcome is recorded once."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from fakes import model_server
from fakes.model_server import Asked, ModelServer, Say

from app.domain.asking.completions import (
    Answered,
    Completion,
    Failed,
    FailureOwner,
    FinishReason,
    Outcome,
    Retry,
    Usage,
)
from app.domain.errors import Unavailable
from perf.database import sample_store
from perf.inference import measure

ROOT = Path(__file__).resolve().parents[2]


def test_against_the_mock_each_figure_stands_beside_its_bare_limit() -> None:
    recorded: list[Outcome] = []
    rows = {row.name: row for row in measure(requests=150, record=recorded.extend)}
    assert set(rows) == {
        "inference.c64.per_s",
        "inference.c64.cpu_s_per_1000",
        "inference.c64.answered",
        "inference.c64.pss_mb",
        "inference.c0.per_s",
    }
    assert Counter(each.sample_id for each in recorded) == Counter([*range(150), *range(150)])
    assert all(isinstance(each, Answered) for each in recorded)
    for name in ("inference.c64.per_s", "inference.c64.cpu_s_per_1000", "inference.c0.per_s"):
        assert rows[name].value > 0
        assert (rows[name].bare or 0) > 0
    assert rows["inference.c64.answered"].ok


def test_an_operators_endpoint_is_asked_once_for_each_request() -> None:
    def moody(asked: Asked) -> Say:
        return model_server.rate_limited("0.1") if asked.number == 107 else model_server.message("x", delay_s=0.01)

    recorded: list[Outcome] = []
    with ModelServer(moody) as server:
        rows = {row.name: row for row in measure(server.url, 100, recorded.extend)}
        assert len(server.asked) == 201, "by the bare client, and then by ours"
    assert Counter(each.sample_id for each in recorded) == Counter(range(100))
    assert rows["inference.c64.answered"].value == 100
    assert (rows["inference.c64.per_s"].bare or 0) > 0
    assert rows["inference.c64.per_s"].budget is None


def test_the_command_asks_an_operators_endpoint() -> None:
    with ModelServer(model_server.message("x")) as server:
        done = subprocess.run(
            [sys.executable, "-m", "app.cli", "perf", "inference", "--endpoint", server.url, "--requests", "20",
             "--model", "orion-1", "--json"],
            env=os.environ | {"TIDEMARK_PERF_KEY": "sk-perf"}, cwd=ROOT, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert {asked.json["model"] for asked in server.asked} == {"orion-1"}
        assert {asked.headers["authorization"] for asked in server.asked} == {"Bearer sk-perf"}
        assert len(server.asked) == 40
    rows = {row["name"]: row for row in json.loads(done.stdout)["rows"]}
    assert rows["inference.c64.answered"]["value"] == 20


@pytest.mark.parametrize("arguments", [["judge", "--endpoint", "http://127.0.0.1:9/v1"], ["--requests", "5"]])
def test_an_endpoint_belongs_to_the_inference_room(arguments: list[str]) -> None:
    command = [sys.executable, "-m", "app.cli", "perf", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "inference" in done.stderr


def test_an_endpoint_that_answers_nothing_is_no_figure() -> None:
    with ModelServer(model_server.error(401)) as server, pytest.raises(Unavailable, match="none of 5"):
        measure(server.url, 5)


def test_every_outcome_is_written_into_its_row() -> None:
    """The store that the figures include: real rows of a real database, each once, and never silently not."""
    answer = Completion("```python\nprint(1)\n```", "", FinishReason.STOP, Usage(1, 0, 0, 1), 5.0, "m", b"{}")
    with sample_store() as store:
        record = store(5)
        record([Answered(number, answer) for number in range(4)])
        record([Failed(4, "HTTP 500", Retry.LATER, FailureOwner.VENDOR)])
        with pytest.raises(Unavailable, match="not written"):
            record([Answered(0, answer)])
        store(3)([Answered(2, answer)])
