"""System packages that judged programs and tests need: find the missing ones and install them."""

import contextlib
import json
import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from app.config import Settings

# Programs and files that grading needs, each with the Debian package that provides it.
GRADING_PACKAGES = {
    "/usr/bin/python3": "python3",
    "bwrap": "bubblewrap",
    "g++": "g++",
    "/usr/include/stdio.h": "libc6-dev",
}
# The tests also judge in every language; the languages name their own packages.
TEST_PACKAGES = {
    **GRADING_PACKAGES, "chromium": "chromium", "/usr/share/fonts/opentype/noto": "fonts-noto-cjk", "zsh": "zsh",
    "fish": "fish",
}  # fmt: skip

# The long tests also run docker-compose.yml's services.
CONTAINER_PACKAGES = {
    "podman": "podman", "/usr/sbin/runc": "runc", "/usr/lib/podman/netavark": "netavark",
    "/usr/bin/catatonit": "catatonit", "iptables": "iptables",
}  # fmt: skip


def missing_packages(wanted: dict[str, str]) -> list[str]:
    """Return the Debian packages of all things in `wanted` that are missing."""
    return [package for path, package in wanted.items() if shutil.which(path) is None and not Path(path).exists()]


def may_install(settings: Settings) -> bool:
    """Return whether we may install packages ourselves: as root, on Debian, and unless the settings forbid it."""
    debian = Path("/etc/debian_version").exists() and shutil.which("apt-get") is not None
    return os.geteuid() == 0 and debian and not settings.no_system_packages


def install_command(packages: Iterable[str]) -> str:
    """Return the command with which a person installs the packages."""
    return f"{'' if os.geteuid() == 0 else 'sudo '}apt-get install {' '.join(packages)}"


def install(packages: list[str], log: Path, limit_s: float) -> str | None:
    """Install Debian packages within `limit_s` seconds; return the reason of a failure, or None."""
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    apt = "apt-get -qq -o DPkg::Lock::Timeout=60 -o Acquire::Retries=2"
    script = f"{apt} update && {apt} install -y --no-install-recommends {' '.join(packages)}"
    with log.open("ab") as out:
        try:
            process = subprocess.run(
                ["timeout", str(limit_s), "/bin/sh", "-c", script],
                stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=quiet, check=False, start_new_session=True,
            )  # fmt: skip
        except OSError as failure:
            return str(failure)
    if process.returncode == 124:
        return f"apt-get took longer than {limit_s:.0f} s"
    return None if process.returncode == 0 else f"apt-get failed ({process.returncode}), see {log}"


def write_status(state: Path, status: str, packages: list[str], reason: str | None = None) -> None:
    """Write a status for the page: complete, installing, missing or failed; `word` is its text for people."""
    names = ", ".join(packages)
    words = {
        "installing": f"being installed: {names}",
        "missing": f"missing; run: {install_command(packages)}",
        "failed": f"not installed ({reason}); run: {install_command(packages)}",
    }
    fresh = state / "packages.json.new"
    body = {"status": status, "packages": packages, "reason": reason, "word": words.get(status)}
    with contextlib.suppress(OSError):  # on a full disk the page just names no package
        fresh.write_text(json.dumps(body), encoding="utf-8")
        fresh.replace(state / "packages.json")
