"""The pipeline's context and a judge, for real problems and answers."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from pipeline.conftest import ctx

from workers.grading.judge import Judge, JudgeSettings

__all__ = ["ctx"]

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real captures, boards and problems beside the checkout; its tests are skipped without it."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("the folder of real data beside the checkout (../shared) is absent")
    return folder


@pytest.fixture(scope="session")
def judge() -> Iterator[Judge]:
    """A judge of Python alone; its root lies outside of pytest's folders, which are closed to the sandbox's uid."""
    with tempfile.TemporaryDirectory(prefix="tidemark-real-", dir="/var/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        judge = Judge(JudgeSettings(folder / "sandbox", folder / "scratch", compiler="/nowhere/gcc"))
        judge.self_test()
        yield judge
