"""A context for the tasks of this process, over servers of the test's own and the real judge."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.config import Settings
from workers.context import Context, context, make_context, use


@pytest.fixture(scope="session")
def sandbox_folder() -> Iterator[Path]:
    """A folder that the sandbox's uid can walk to; one for all tests, for it takes seconds to fill."""
    folder = Path(tempfile.mkdtemp(prefix="tidemark-pipeline-", dir="/var/tmp"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def ctx(settings: Settings, sandbox_folder: Path) -> Iterator[Context]:
    """What the tasks run over."""
    places = {"sandbox_root": sandbox_folder / "sandbox", "scratch_dir": sandbox_folder / "scratch"}
    made = use(make_context(settings.model_copy(update=places)))
    yield made
    made.close()
    context().close()
