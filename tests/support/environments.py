"""Environments beside the tests' own: packages that cannot stand beside the project's are installed apart.

Each is made when the first test asks for it, and kept in the checkout for the next run.
"""

import fcntl
import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from support.rules import ROOT

_INSTALL_S = 1800
# Others' code runs there: what our own tests need of an interpreter stays out of its way.
CLEAN = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONSAFEPATH")}


def run_clean(*command: str | Path) -> subprocess.CompletedProcess[str]:
    """What became of a command that knows nothing of our modules."""
    return subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False, timeout=_INSTALL_S, env=CLEAN
    )


def python_with(name: str, lock: Path, refuse: Callable[[str], NoReturn]) -> Path:
    """An interpreter that has what a lock lists; `refuse` is told why there is none."""
    digest = hashlib.sha256(lock.read_bytes()).hexdigest()[:12]
    folder = ROOT / ".bootstrap" / f"{name}-{digest}"
    python, ready = folder / "bin" / "python", folder / "installed"
    folder.parent.mkdir(exist_ok=True)
    with (folder.parent / f"{folder.name}.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)  # the first of the test workers installs
        if not ready.exists():
            for command in (
                (sys.executable, "-m", "venv", "--clear", folder),
                (python, "-m", "pip", "install", "-q", "--require-hashes", "--no-deps", "-r", lock),
            ):
                done = run_clean(*command)
                if done.returncode != 0:
                    refuse((done.stderr or done.stdout).strip()[-300:])
            ready.touch()
    return python
