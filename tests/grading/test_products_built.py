"""What a language's compiler needs is built once, and ends with the service that builds it."""

import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

from support.waiting import until

from app.config import ROOT
from workers.grading.settings import JudgeSettings

# The build's child holds the lock as long as it lives.
_BUILD = """
import sys
from pathlib import Path
from workers.grading.languages._language import BuildProduct
from workers.grading.sandbox.root import publish_products
from workers.grading.toolchains import known_languages
root, scratch, held, bwrap = sys.argv[1:]
slow = BuildProduct("made", ("/bin/sh", "-c", 'flock "$0" sleep 600 | cat', held), "x\\n")
publish_products(Path(root), known_languages()["c"], [slow], "1", Path(scratch), bwrap)
"""


def is_held(path: Path) -> bool:
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def test_nothing_of_a_build_outlives_its_service(settings: JudgeSettings, tmp_path: Path) -> None:
    held = tmp_path / "held"
    service = subprocess.Popen(
        [sys.executable, "-c", _BUILD, str(tmp_path / "root"), str(tmp_path), str(held), settings.bwrap], cwd=ROOT
    )
    until(lambda: held.exists() and is_held(held), "the build")
    os.kill(service.pid, signal.SIGKILL)
    service.wait()
    until(lambda: not is_held(held), "the end of the build", seconds=60)
