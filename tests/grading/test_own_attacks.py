"""Every program of tests/attacks: what it tries fails, or shows that it cannot, and nothing of it stays."""

import json
import os
from pathlib import Path

import pytest

from workers.grading.attack_suite.manifest import run_manifest
from workers.grading.judge import Judge

ATTACKS = Path(__file__).parents[1] / "attacks"

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(1200)]


@pytest.mark.parametrize("step", [16, pytest.param(1, marks=pytest.mark.slow)])
def test_every_attack_fails(judge: Judge, step: int) -> None:
    """All of them take minutes, so an ordinary run tries every sixteenth, and gives those that take all less time."""
    manifest = json.loads((ATTACKS / "manifest.json").read_text())
    given = manifest["entries"][::step]
    limits = manifest["default_limits"] if step == 1 else {**manifest["default_limits"], "cpu_s": 0.15}
    report = run_manifest({**manifest, "entries": given, "default_limits": limits}, ATTACKS, judge, os.environ)
    assert [row for row in report["rows"] if not row["ok"]] == []
    assert report["total"] == len(given) >= 60 // step


def test_every_program_is_in_the_manifest() -> None:
    manifest = json.loads((ATTACKS / "manifest.json").read_text())
    named = {each["file"] for each in manifest["entries"]}
    assert named == {path.name for path in ATTACKS.iterdir() if path.suffix in (".py", ".cpp")}
