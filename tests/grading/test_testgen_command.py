"""`./tidemark testgen`: exit codes and what is printed."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from grading.telling import told
from typer.testing import Result

from workers.grading.judge import JudgeSettings

pytestmark = pytest.mark.sandbox

ROOT = Path(__file__).resolve().parents[2]
STATEMENT = "Return a plus b.\n\nExample 1:\n\nInput: a = 1, b = 0\nOutput: 1\n\nConstraints:\n\n-1 <= a, b <= 1\n"
PROBLEM: dict[str, Any] = {
    "id": "add",
    "form": "function",
    "statement": STATEMENT,
    "entry": {"name": "add", "params": [{"name": "a", "type": "int"}, {"name": "b", "type": "int"}], "returns": "int"},
}
FILES = {
    "p.json": json.dumps(PROBLEM),
    "ref.py": "def add(a, b):\n    return a + b\n",
    "ref2.py": "def add(a, b):\n    return sum([a, b])\n",
    "wrong.py": "def add(a, b):\n    return abs(a) + b\n",
    "g.toml": 'variables = { a = "int", b = "int" }\nconstraints = ["0 <= a, b <= 2"]\n',
    "layout.toml": 'variables = { a = "int" }\nconstraints = ["0 <= a <= 5"]\nlayout = ["a"]\n',
    "three.toml": 'variables = { a = "int", b = "int", c = "int" }\nconstraints = ["0 <= a, b, c <= 5"]\n',
    "gen.py": "s = int(input())\nprint([s % 7 - 3, s % 2])\n",
    "val.py": "import json\nassert len(json.loads(input())) == 2\n",
    "vague.json": json.dumps({**PROBLEM, "statement": f"{STATEMENT}a is lucky\n"}),
    "bare.json": json.dumps({key: value for key, value in PROBLEM.items() if key != "statement"}),
    "list.json": "[]",
    "broken.json": "{",
    "prose.txt": "add them",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def call(settings: JudgeSettings, folder: Path, *arguments: str) -> Any:
    environment = {"TIDEMARK_SANDBOX_ROOT": str(settings.sandbox_root)}
    words = [str(folder / word) if word in FILES else word for word in arguments]
    return subprocess.run(
        [sys.executable, "-m", "app.cli", "testgen", *words],
        cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def here(settings: JudgeSettings, folder: Path, *arguments: str, bwrap: str = "bwrap") -> Result:
    """The same without a process of its own."""
    words = [str(folder / word) if (folder / word).suffix else word for word in arguments]
    return told(settings, "testgen", *words, bwrap=bwrap)


def test_a_suite_from_the_statement_alone(settings: JudgeSettings, folder: Path) -> None:
    out = folder / "made.json"
    done = call(settings, folder, "p.json", "--reference", "ref.py", "--reference", "ref2.py", "--wrong", "wrong.py",
                   "--max", "6", "--out", str(out), "--json")  # fmt: skip
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert {"tests", "validity", "killed", "survived", "mutation_score", "sham", "admitted", "reason"} <= set(report)
    assert report["admitted"] is True
    assert report["reason"] is None
    assert report["validity"] == 1.0
    assert "wrong.py" in report["killed"]
    assert len(report["tests"]) == 6
    assert all(sum(test["input"]) == test["expected"] for test in report["tests"])
    assert set(report["sham"]) == {"nothing", "echo", "constant", "examples"}
    assert json.loads(out.read_text())["tests"] == report["tests"]


def test_a_generator_with_a_validator_told_in_words(settings: JudgeSettings, folder: Path) -> None:
    done = here(settings, folder, "p.json", "--reference", "ref.py", "--generator", "gen.py",
                "--validator", "val.py", "--max", "6")  # fmt: skip
    assert done.exit_code == 0, done.stderr
    assert "validity 1.0000" in done.stdout
    assert done.stdout.rstrip().endswith("admitted")


def test_what_is_not_admitted_has_a_reason(settings: JudgeSettings, folder: Path) -> None:
    done = here(settings, folder, "p.json", "--reference", "ref.py", "--wrong", "wrong.py", "--grammar", "g.toml",
                "--max", "6")  # fmt: skip
    assert done.exit_code == 1
    assert "not admitted: known-wrong programs are accepted: wrong.py" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["vague.json"], "a is lucky"),
        (["bare.json"], "--generator or --grammar"),
        (["list.json"], "a JSON object is needed"),
        (["broken.json"], "not JSON"),
        (["p.json", "--grammar", "layout.toml"], "layout"),
        (["p.json", "--grammar", "three.toml"], "do not match the function's parameters"),
        (["p.json", "--grammar", "g.toml", "--generator", "gen.py"], "not both"),
        (["p.json", "--wrong", "prose.txt"], "cannot tell the language"),
        (["p.json", "--wrong", "missing.py"], "cannot read"),
    ],
)
def test_a_wrong_call_is_told_in_one_line(
    settings: JudgeSettings, folder: Path, arguments: list[str], reason: str
) -> None:
    done = here(settings, folder, *arguments, "--reference", "ref.py")
    assert done.exit_code == 2
    assert reason in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_without_a_sandbox_nothing_runs(settings: JudgeSettings, folder: Path) -> None:
    done = here(settings, folder, "p.json", "--reference", "ref.py", bwrap="/nowhere/bwrap")
    assert done.exit_code == 4
    assert "cannot judge here" in done.stderr
