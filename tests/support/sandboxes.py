"""One sandbox root for all workers of a session: it takes seconds, and a hundred megabytes, to fill."""

import os
import shutil
import tempfile
from pathlib import Path

_FOLDER = "TESTS_OPEN_FOLDER"
_MADE: list[Path] = []


def pytest_configure() -> None:
    """Made by the process that starts the others, which inherit its name."""
    if _FOLDER not in os.environ:
        folder = Path(tempfile.mkdtemp(prefix="tidemark-tests-", dir="/var/tmp"))
        folder.chmod(0o755)
        os.environ[_FOLDER] = str(folder)
        _MADE.append(folder)


def pytest_unconfigure() -> None:
    """Taken away by the same: others may use it still."""
    while _MADE:
        os.environ.pop(_FOLDER, None)
        shutil.rmtree(_MADE.pop(), ignore_errors=True)


def sandbox_root() -> Path:
    """Where the judges of all tests keep what sandboxes read; any uid can walk to it."""
    return Path(os.environ[_FOLDER]) / "sandbox"
