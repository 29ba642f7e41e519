"""Packages that unittests and their programs may import, built once from a pinned lock and mounted read-only.

    packages-<digest>/     the packages of the lock as pip installs them; mounted as /packages in unittests' sandboxes
    packages.json          the folder in use, and the names that may be imported from it

The digest is of the lock and the interpreter's version, and a part of the grader revision of verdicts.
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
from workers.grading.sandbox.built_folder import BuiltFolder

PACKAGES_MOUNT: Final = "/packages"
# One thread on any number of cores, and no windows.
PACKAGES_ENVIRONMENT: Final = {
    "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "MPLBACKEND": "Agg",
    "MPLCONFIGDIR": "/tmp", "TZ": "UTC",  # noqa: S108  # the test's own
}  # fmt: skip
_NO_PACKAGES: Final = {"bin", "share", "include"}  # folders that pip makes beside the packages
_POINTER, _BUILD_S = "packages.json", 1800


@dataclass(frozen=True, slots=True)
class Packages:
    """An environment: its folder, its digest, the names that can be imported, and the versions installed."""

    folder: str
    digest: str
    names: tuple[str, ...]
    versions: tuple[str, ...] = ()


def find_packages(root: Path) -> Packages | None:
    """Return the environment in which unittests are judged here; None without one."""
    try:
        facts = json.loads((root / _POINTER).read_text(encoding="utf-8"))
        packages = Packages(facts["folder"], facts["digest"], tuple(facts["names"]), tuple(facts["versions"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return packages if (root / packages.folder).is_dir() else None


def build_packages(root: Path, python: str, lock: Path, scratch: Path) -> Packages:
    """Install a lock's packages, unless they are there, and judge unittests with them from now on.

    Raises InvalidInput that gives the reason in one line if they cannot be installed.
    """
    scratch.mkdir(mode=0o700, parents=True, exist_ok=True)
    version = _run([python, "-c", "import sys; print(sys.implementation.cache_tag)"]).strip()
    digest = hashlib.sha256(version.encode() + b"\0" + lock.read_bytes()).hexdigest()[:16]
    made = BuiltFolder(root, f"packages-{digest}", lambda path: _install(path, python, lock, scratch))
    made.repair()
    return use_packages(root, made.path, digest)


def use_packages(root: Path, folder: Path, digest: str) -> Packages:
    """Judge unittests with the packages of a folder within the root from now on."""
    packages = Packages(folder.name, digest, _names(folder), _versions(folder))
    partial = root / f".{_POINTER}.{os.getpid()}"
    partial.write_text(json.dumps(asdict(packages)), encoding="utf-8")
    partial.rename(root / _POINTER)
    return packages


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
        line = next((line for line in reversed(words) if "error" in line.lower()), words[-1])
        raise InvalidInput(f"packages cannot be installed here: {line.strip()[:300]}")
    return done.stdout


def _names(folder: Path) -> tuple[str, ...]:
    """Return the names that can be imported: folders and modules, compiled or not."""
    names = {
        entry.name.partition(".")[0]
        for entry in folder.iterdir()
        if (entry.is_dir() and "." not in entry.name) or entry.suffix in (".py", ".so")
    }
    return tuple(sorted(name for name in names - _NO_PACKAGES if name.isidentifier() and not name.startswith("_")))


def _versions(folder: Path) -> tuple[str, ...]:
    parts = (entry.name.removesuffix(".dist-info").partition("-") for entry in folder.glob("*.dist-info"))
    return tuple(sorted(f"{name.lower().replace('_', '-')}=={version}" for name, _, version in parts))
