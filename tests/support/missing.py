"""Tools a test needs and a machine may lack: a failure where all are required, else a skip that is told loudly."""

import os
import shutil
from collections import Counter
from typing import NoReturn

import pytest

REQUIRE_ALL = "TIDEMARK_REQUIRE_ALL"


def all_required() -> bool:
    """Whether a missing tool is a failure."""
    return os.environ.get("CI") == "true" or os.environ.get(REQUIRE_ALL) == "1"


def missing(tool: str, remedy: str) -> NoReturn:
    """End the test for want of a tool, saying how to get it."""
    if all_required():
        pytest.fail(f"missing {tool}: {remedy}", pytrace=False)
    pytest.skip(f"missing {tool}: {remedy}")


def need(tool: str, remedy: str) -> str:
    """The path of a program, or the end of the test."""
    return shutil.which(tool) or missing(tool, remedy)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Tests marked `sandbox` need what the sandbox is made of."""
    if item.get_closest_marker("sandbox") is not None:
        need("bwrap", "apt install bubblewrap")
        need("gcc", "apt install gcc")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List what was not tested and why, above pytest's closing line."""
    reasons: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reasons[reason.removeprefix("Skipped: ")] += 1
    if reasons:
        terminalreporter.section("SKIPPED: these tests did not run", sep="!", yellow=True, bold=True)
        for reason, count in sorted(reasons.items()):
            terminalreporter.line(f"{count:5d}  {reason}", yellow=True)
