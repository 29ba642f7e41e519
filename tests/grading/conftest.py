"""One judge for the room: building a sandbox root takes seconds."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from workers.grading.judge import Judge, JudgeSettings
from workers.grading.toolchains import known_languages


@pytest.fixture(scope="session")
def open_folder() -> Iterator[Path]:
    """A folder that any uid can walk to; pytest's own are closed to the sandbox's uid."""
    folder = Path(tempfile.mkdtemp(prefix="tidemark-test-", dir="/var/tmp"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def settings(open_folder: Path) -> JudgeSettings:
    return JudgeSettings(open_folder / "sandbox", open_folder / "scratch")


@pytest.fixture(scope="session")
def judge(settings: JudgeSettings) -> Judge:
    judge = Judge(settings)
    judge.self_test()
    for language in known_languages():
        judge.find(language)
    return judge
