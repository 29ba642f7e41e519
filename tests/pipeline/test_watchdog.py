"""A worker whose loop stands still ends itself; one that waits for its broker, or turns, does not."""

import subprocess
import sys
from pathlib import Path

import pytest

from workers.watchdog import EXIT_CODE

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import sys, time
from workers.watchdog import Watchdog
class Hub:
    on_tick = set()
class Consumer:
    hub, connection = Hub(), None if sys.argv[1] == "waits" else object()
Watchdog(Consumer(), 2.0).start()
for _ in range(40):
    time.sleep(0.1)
    if sys.argv[1] == "turns":
        for each in Hub.on_tick: each()
"""


@pytest.mark.parametrize(("loop", "code"), [("stands", EXIT_CODE), ("turns", 0), ("waits", 0)])
def test_process_that_is_stuck_is_ended_by_the_watchdog(loop: str, code: int) -> None:
    command = [sys.executable, "-c", PROGRAM, loop]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=300, check=False)
    assert done.returncode == code, done.stderr
