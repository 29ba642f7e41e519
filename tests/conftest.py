"""Fixtures for every room; the servers start when the first test asks for one."""

import gc
import os
import signal
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import structlog
from hypothesis import Phase, settings

pytest_plugins = [
    "support.sandboxes", "support.missing", "support.dialect", "support.servers", "support.browser",
    "support.real_engines", "support.rewritten",
]  # fmt: skip

ROOT = Path(__file__).resolve().parents[1]
_KEPT = {
    "TIDEMARK_CHROMIUM",
    "TIDEMARK_REQUIRE_ALL",
    "TIDEMARK_SANDBOX_PYTHON",
    "TIDEMARK_BWRAP",
    "TIDEMARK_TEST_SERVERS",
    "TIDEMARK_TEST_PATIENCE",
    "TIDEMARK_TEST_RECORD",
}

# A file is one worker's. These files and rooms take longest: no worker begins one when the others have ended.
_LONG = (
    "e2e", "house/test_floors.py", "house/test_named_lines.py", "pipeline/test_package_import.py",
    "grading/test_consensus_play.py", "grading", "conformance", "supervise", "pipeline",
)  # fmt: skip

# How long an example takes says how busy the machine is. An ordinary run tries fewer than a thorough one.
settings.register_profile("thorough", deadline=None)
settings.register_profile("tidemark", deadline=None, max_examples=25)
# Where tests are meant to fail, nobody asks for the smallest example.
settings.register_profile(
    "unshrunk", settings.get_profile("tidemark"), phases=(Phase.explicit, Phase.generate), database=None
)
settings.load_profile("tidemark")

# Collecting makes a million objects that stay: looking through them for garbage again and again takes a tenth of a run.
gc.disable()


@pytest.fixture(autouse=True)
def logs_of_its_own() -> Iterator[None]:
    """Undo what a test configures of structlog: commands and services configure it for their whole process."""
    yield
    structlog.reset_defaults()


def pytest_collection_finish() -> None:
    """What was collected is no garbage; what the tests leave is."""
    gc.freeze()
    gc.enable()


def pytest_configure(config: pytest.Config) -> None:
    """Forget the settings of whoever runs the tests: they would decide what is tested."""
    if "not slow" not in config.option.markexpr and not config.getoption("--hypothesis-profile"):
        settings.load_profile("thorough")
    for name in [name for name in os.environ if name.startswith("TIDEMARK_") and name not in _KEPT]:
        del os.environ[name]
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a script's job in the background; programs would inherit it
        signal.signal(signal.SIGINT, signal.default_int_handler)


@cache
def _turn(file: Path) -> int:
    path = file.relative_to(ROOT / "tests").as_posix()
    return next((turn for turn, long in enumerate(_LONG) if path.startswith(long)), len(_LONG))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest."""
    items.sort(key=lambda item: _turn(item.path))
