"""One judge for the room: to find its languages takes seconds."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.sandboxes import sandbox_root

from workers.grading.answering_judge import AnsweringJudge
from workers.grading.judge import JudgeSettings
from workers.grading.sandbox.root import Tools, publish_tools


@pytest.fixture(scope="session")
def open_folder() -> Iterator[Path]:
    """A folder that any uid can walk to; pytest's own are closed to the sandbox's uid."""
    folder = Path(tempfile.mkdtemp(prefix="tidemark-test-", dir="/var/tmp"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> JudgeSettings:
    return JudgeSettings(sandbox_root(), tmp_path_factory.mktemp("scratch"))


@pytest.fixture(scope="session")
def judge(settings: JudgeSettings) -> AnsweringJudge:
    judge = AnsweringJudge(settings)
    judge.self_test()
    for language in ("python", "cpp"):  # the others when a test first asks for them
        judge.find(language)
    return judge


@pytest.fixture(scope="session")
def answering_judge(judge: AnsweringJudge) -> AnsweringJudge:
    """The same judge, by the name of what makes answers and suites."""
    return judge


@pytest.fixture(scope="session")
def tools(settings: JudgeSettings, judge: AnsweringJudge) -> Tools:
    """What that judge's sandboxes hold of ours; beside it there may be what judges of other settings made."""
    assert judge.find("python")
    return publish_tools(settings.sandbox_root, settings.python, shutil.which(settings.compiler), settings.scratch)
