"""The pipeline's context and a judge, for real problems and answers."""

from pathlib import Path

import pytest
from pipeline.conftest import ctx, one_judge, tested_judge
from support.sandboxes import sandbox_root

from workers.grading.judge import Judge, JudgeSettings

__all__ = ["ctx", "one_judge", "tested_judge"]

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real captures, boards and problems beside the checkout; its tests are skipped without it."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("the folder of real data beside the checkout (../shared) is absent")
    return folder


@pytest.fixture(scope="session")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Judge:
    """A judge with the sandbox that all tests share."""
    judge = Judge(JudgeSettings(sandbox_root(), tmp_path_factory.mktemp("scratch")))
    judge.self_test()
    return judge
