"""What sandboxes read survives a loss of power whole, or is not there and made anew."""

import os
from pathlib import Path

import pytest

from workers.grading.sandbox.root import ensure_root, publish_tools
from workers.grading.settings import JudgeSettings


def test_tools_are_on_the_disk_before_they_have_their_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else an empty launcher under the right name would stop all grading for ever."""
    root, safe, fsync = ensure_root(tmp_path / "root"), set[int](), os.fsync

    def noted(file: int) -> None:
        fsync(file)
        if not list(root.glob("tools-*")):
            safe.add(os.fstat(file).st_ino)

    monkeypatch.setattr(os, "fsync", noted)
    settings = JudgeSettings(root, tmp_path)
    tools = publish_tools(root, settings.python, None, tmp_path)
    made = [tools.path, *tools.path.rglob("*")]
    assert len(made) > 10
    assert [path.name for path in made if path.stat().st_ino not in safe] == []
