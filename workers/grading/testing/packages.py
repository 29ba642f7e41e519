"""Packages that unittests and the programs beside them may import: built once from a pinned lock, bound read-only.

    packages-<digest>/     what the lock names, as pip installs it; mounted as /packages in unittests' sandboxes
    packages.json          which of these folders is in use, and what may be imported from it

The digest is of the lock and of the interpreter: other packages are another environment, which verdicts name.
"""

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from app.cores import usable_cores
from app.domain.errors import InvalidInput
from workers.grading.sandbox.made import Made

MOUNT: Final = "/packages"
# One thread, whatever the machine has, and no windows.
ENVIRONMENT: Final = {
    "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "MPLBACKEND": "Agg",
    "MPLCONFIGDIR": "/tmp", "TZ": "UTC",  # noqa: S108  # the test's own
}  # fmt: skip
_BESIDE: Final = {"bin", "share", "include"}  # of what pip installs, no packages
_POINTER, _BUILD_S = "packages.json", 1800


@dataclass(frozen=True, slots=True)
class Packages:
    """An environment: its folder, its digest, the names that can be imported, and the versions installed."""

    folder: str
    digest: str
    names: tuple[str, ...]
    versions: tuple[str, ...] = ()


def in_use(root: Path) -> Packages | None:
    """The environment that unittests are judged in here; None without one."""
    try:
        facts = json.loads((root / _POINTER).read_text(encoding="utf-8"))
        found = Packages(facts["folder"], facts["digest"], tuple(facts["names"]), tuple(facts["versions"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found if (root / found.folder).is_dir() else None


def build(root: Path, python: str, lock: Path, scratch: Path) -> Packages:
    """Install what a lock names, unless it is there, and have unittests judged with it from now on.

    Raises InvalidInput saying in one line why it cannot be installed.
    """
    scratch.mkdir(mode=0o700, parents=True, exist_ok=True)
    version = _run([python, "-c", "import sys; print(sys.implementation.cache_tag)"]).strip()
    digest = hashlib.sha256(version.encode() + b"\0" + lock.read_bytes()).hexdigest()[:16]
    made = Made(root, f"packages-{digest}", lambda path: _install(path, python, lock, scratch))
    made.mend()
    return use(root, made.path, digest)


def use(root: Path, folder: Path, digest: str) -> Packages:
    """Have unittests judged with the packages of a folder within the root."""
    made = Packages(folder.name, digest, _names(folder), _versions(folder))
    partial = root / f".{_POINTER}.{os.getpid()}"
    partial.write_text(json.dumps(asdict(made)), encoding="utf-8")
    partial.rename(root / _POINTER)
    return made


def _install(folder: Path, python: str, lock: Path, scratch: Path) -> None:
    tools = Path(tempfile.mkdtemp(prefix="venv-", dir=scratch))
    try:
        _run([python, "-m", "venv", str(tools)])
        options = ["--quiet", "--disable-pip-version-check", "--require-hashes", "--only-binary=:all:", "--no-compile"]
        _run([str(tools / "bin/python"), "-m", "pip", "install", *options, "--target", str(folder), "-r", str(lock)])
        _run([python, "-m", "compileall", "-q", "-j", str(usable_cores()), str(folder)], fails=False)
    finally:
        shutil.rmtree(tools, ignore_errors=True)


def _run(command: list[str], *, fails: bool = True) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_BUILD_S, check=False, cwd="/")
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InvalidInput(f"packages cannot be installed here: {error}") from error
    if fails and done.returncode != 0:
        words = [line for line in done.stderr.strip().splitlines() if line.strip()] or ["no reason given"]
        told = next((line for line in reversed(words) if "error" in line.lower()), words[-1])
        raise InvalidInput(f"packages cannot be installed here: {told.strip()[:300]}")
    return done.stdout


def _names(folder: Path) -> tuple[str, ...]:
    """What can be imported: folders and modules, compiled or not."""
    names = {
        entry.name.partition(".")[0]
        for entry in folder.iterdir()
        if (entry.is_dir() and "." not in entry.name) or entry.suffix in (".py", ".so")
    }
    return tuple(sorted(name for name in names - _BESIDE if name.isidentifier() and not name.startswith("_")))


def _versions(folder: Path) -> tuple[str, ...]:
    parts = (entry.name.removesuffix(".dist-info").partition("-") for entry in folder.glob("*.dist-info"))
    return tuple(sorted(f"{name.lower().replace('_', '-')}=={version}" for name, _, version in parts))
