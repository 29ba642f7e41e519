"""Fixtures for every room; the servers start when the first test asks for one."""

import os
from pathlib import Path

pytest_plugins = ["support.missing", "support.servers", "support.browser"]

ROOT = Path(__file__).resolve().parents[1]
_KEPT = {"TIDEMARK_CHROMIUM", "TIDEMARK_REQUIRE_ALL", "TIDEMARK_SANDBOX_PYTHON", "TIDEMARK_BWRAP"}


def pytest_configure() -> None:
    """Forget the settings of whoever runs the tests: they would decide what is tested."""
    for name in [name for name in os.environ if name.startswith("TIDEMARK_") and name not in _KEPT]:
        del os.environ[name]
