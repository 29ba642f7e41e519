"""The shared attack set, through the command line: every property of every entry."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.sandboxes import sandbox_root

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(1200)]

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.slow)])
def test_every_attack_fails_and_leaves_nothing_behind(shared: Path, tmp_path: Path, step: int) -> None:
    """All of them take minutes, so an ordinary run tries two of fourteen, and gives those that take all less time."""
    folder = shutil.copytree(shared / "attacks", tmp_path / "attacks")
    manifest = folder / "manifest.json"
    said = json.loads(manifest.read_text())
    entries = said["entries"][::step]
    limits = said["default_limits"] if step == 1 else {**said["default_limits"], "cpu_s": 0.25}
    manifest.write_text(json.dumps({**said, "entries": entries, "default_limits": limits}))
    done = subprocess.run(
        [sys.executable, "-m", "app.cli", "grade", "--suite", str(manifest), "--json"],
        cwd=ROOT,
        env={**os.environ, "TIDEMARK_SANDBOX_ROOT": str(sandbox_root())},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert [row["id"] for row in report["rows"]] == [entry["id"] for entry in entries]
    assert [row for row in report["rows"] if not row["ok"]] == []
    assert (report["passed"], report["total"]) == (len(entries), len(entries))
