"""Fixtures for every room; the servers start when the first test asks for one."""

import gc
import os
from pathlib import Path

import pytest
from hypothesis import settings

pytest_plugins = ["support.sandboxes", "support.missing", "support.servers", "support.browser"]

ROOT = Path(__file__).resolve().parents[1]
_KEPT = {
    "TIDEMARK_CHROMIUM",
    "TIDEMARK_REQUIRE_ALL",
    "TIDEMARK_SANDBOX_PYTHON",
    "TIDEMARK_BWRAP",
    "TIDEMARK_TEST_SERVERS",
}

_LONG = ("e2e", "supervise", "conformance", "grading")

# How long an example takes says how busy the machine is.
settings.register_profile("tidemark", deadline=None)
settings.load_profile("tidemark")

# Collecting makes a million objects that stay: looking through them for garbage again and again takes a tenth of a run.
gc.disable()


def pytest_collection_finish() -> None:
    """What was collected is no garbage; what the tests leave is."""
    gc.freeze()
    gc.enable()


def pytest_configure() -> None:
    """Forget the settings of whoever runs the tests: they would decide what is tested."""
    for name in [name for name in os.environ if name.startswith("TIDEMARK_") and name not in _KEPT]:
        del os.environ[name]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the rooms whose tests take longest: no worker is left with a long one when the others have ended."""
    items.sort(key=lambda item: (*_LONG, item.path.parent.name).index(item.path.parent.name))
