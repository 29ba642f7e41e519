"""The measurement of the client: its rows, and that every outcome is recorded once."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest
from fakes import model_server
from fakes.model_server import Asked, ModelServer, Say

from app.cli.__main__ import main
from app.db.kernel.session import SessionMaker
from app.domain.asking.completions import (
    AnsweredSample,
    Completion,
    FailedSample,
    FailureOwner,
    FinishReason,
    Retry,
    SampleOutcome,
    Usage,
)
from app.domain.errors import Unavailable
from perf.database import make_recorders
from perf.inference import measure

ROOT = Path(__file__).resolve().parents[2]


def test_against_the_mock_each_figure_stands_beside_its_bare_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")  # no lm_eval
    recorded: list[SampleOutcome] = []
    rows = {row.name: row for row in measure(requests=64, record=recorded.extend)}
    assert set(rows) == {
        "inference.c64.per_s",
        "inference.c64.cpu_s_per_1000",
        "inference.c64.answered",
        "inference.c64.pss_mb",
        "inference.c256.per_s",
        "inference.c256.settled_per_s",
        "inference.c256.cpu_s_per_1000",
        "inference.c256.answered",
        "inference.c256.pss_mb",
        "inference.c0.per_s",
    }
    assert Counter(each.sample_id for each in recorded) == Counter([*range(64), *range(256)])
    assert all(isinstance(each, AnsweredSample) for each in recorded)
    for name in ("inference.c64.per_s", "inference.c64.cpu_s_per_1000", "inference.c256.per_s", "inference.c0.per_s"):
        assert rows[name].value > 0
        assert (rows[name].bare or 0) > 0
    assert rows["inference.c64.answered"].ok
    assert [name for name, row in rows.items() if row.budget is None] == ["inference.c256.per_s"], "told, not judged"


def test_an_operators_endpoint_is_asked_once_for_each_request() -> None:
    def moody(asked: Asked) -> Say:
        return model_server.rate_limited("0.1") if asked.number == 107 else model_server.message("x", delay_s=0.01)

    recorded: list[SampleOutcome] = []
    with ModelServer(moody) as server:
        rows = {row.name: row for row in measure(server.url, 100, recorded.extend)}
        assert len(server.asked) == 201, "by the bare client, and then by ours"
    assert Counter(each.sample_id for each in recorded) == Counter(range(100))
    assert rows["inference.c64.answered"].value == 100
    assert (rows["inference.c64.per_s"].bare or 0) > 0
    assert rows["inference.c64.per_s"].budget is None


def test_the_command_asks_an_operators_endpoint() -> None:
    """In a process of its own, whose memory is a figure."""
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
def test_an_endpoint_belongs_to_the_inference_room(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perf", *arguments]) == 2
    assert "inference" in capsys.readouterr().err


def test_an_endpoint_that_answers_nothing_is_no_figure() -> None:
    recorded: list[SampleOutcome] = []
    with ModelServer(model_server.error(401)) as server, pytest.raises(Unavailable, match="none of 5"):
        measure(server.url, 5, recorded.extend)


def test_every_outcome_is_written_into_its_row(sessions: SessionMaker) -> None:
    """The writing that the figures include: real rows of a real database, each once, and never silently not."""
    answer = Completion("```python\nprint(1)\n```", "", FinishReason.STOP, Usage(1, 0, 0, 1), 5.0, "m", b"{}")
    store = make_recorders(sessions)
    record = store(5)
    record([AnsweredSample(number, answer) for number in range(4)])
    record([FailedSample(4, "HTTP 500", Retry.LATER, FailureOwner.VENDOR)])
    with pytest.raises(Unavailable, match="not written"):
        record([AnsweredSample(0, answer)])
    store(3)([AnsweredSample(2, answer)])


LM_EVAL = {
    "__init__.py": "",
    "api/__init__.py": "",
    "api/instance.py": "def Instance(kind, doc, arguments, number):\n    return arguments\n",
    "models/__init__.py": "",
    "models/api_models.py": "from collections import namedtuple\nJsonChatStr = namedtuple('JsonChatStr', 'prompt')\n",
    "models/openai_completions.py": """
import json
import urllib.request

class LocalChatCompletion:
    def __init__(self, base_url, model, **settings):
        self.url, self.model = base_url, model

    def generate_until(self, asked, disable_tqdm):
        for context, settings in asked:
            body = json.dumps({"model": self.model, "messages": json.loads(context.prompt)}).encode()
            with urllib.request.urlopen(urllib.request.Request(self.url, body)) as reply:
                yield json.load(reply)["choices"][0]["message"]["content"]
""",
}


def beside(folder: Path, files: Mapping[str, str]) -> str:
    """An environment that has this as lm_eval, as a value of PATH."""
    for name, text in files.items():
        (folder / "packages/lm_eval" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "packages/lm_eval" / name).write_text(text)
    python, script = folder / "python", folder / "lm_eval"
    start = f"import runpy, sys; sys.path.insert(0, {str(folder / 'packages')!r})"
    start += "; del sys.argv[0]; runpy.run_path(sys.argv[0], run_name='__main__')"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{start}" "$@"\n')
    script.write_text(f"#!{python}\n")
    for each in (python, script):
        each.chmod(0o755)
    return f"{folder}:/usr/bin:/bin"


def test_lm_eval_stands_beside_where_it_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", beside(tmp_path, LM_EVAL))
    with ModelServer(model_server.message("x")) as server:
        rows = {row.name: row for row in measure(server.url, 20, lambda _outcomes: None)}
        assert len(server.asked) == 60, "by three clients"
    rate, ratio = rows["inference.c64.lm_eval.per_s"], rows["inference.c64.lm_eval.ratio"]
    assert (rate.bare, rate.budget) == (rows["inference.c64.per_s"].bare, None)
    assert ratio.value == pytest.approx(rows["inference.c64.per_s"].value / rate.value)


def test_an_lm_eval_that_fails_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = {**LM_EVAL, "models/openai_completions.py": "raise ImportError('no tenacity')\n"}
    monkeypatch.setenv("PATH", beside(tmp_path, broken))
    with ModelServer(model_server.message("x")) as server:
        names = {row.name for row in measure(server.url, 5, lambda _outcomes: None)}
    assert not any("lm_eval" in name for name in names)
