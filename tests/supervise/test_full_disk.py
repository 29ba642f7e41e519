"""`tidemark up` on a disk that fills up: pages stay, work waits and says why, and all goes on when there is room."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from served import NO_AUTHORITIES
from support.missing import missing
from support.rules import ROOT
from support.sandboxes import sandbox_root
from support.waiting import until

from app.config import settings_for_state
from app.supervise.state_folders import StateFolders

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
DISK_MB, LEAST_MB, LEFT_MB = 600, 200, 60


class Disk:
    """A small disk that only an `up` and whoever knows its process can see."""

    def __init__(self, folder: Path, said: Path) -> None:
        mount = f'mount -t tmpfs -o size={DISK_MB}m tmpfs "$1"'
        verb = f'exec {sys.executable} -m app.cli up --port 0 --no-system-packages --state "$1/state"'
        settings = {"TIDEMARK_SANDBOX_ROOT": str(sandbox_root()), "TIDEMARK_LEAST_FREE_MB": str(LEAST_MB)}
        with said.open("wb") as out:
            self.process = subprocess.Popen(
                ["unshare", "--mount", "sh", "-c", f"{mount} && {verb}", "sh", str(folder)],
                cwd=ROOT, env={**os.environ, **settings}, stdout=out, stderr=out,
            )  # fmt: skip
        self.folder, self._said = folder, said

    @property
    def inside(self) -> Path:
        """The disk as its `up` sees it."""
        return Path(f"/proc/{self.process.pid}/root{self.folder}")

    def url(self) -> str:
        """The site's address, once it is told."""

        def told() -> re.Match[str] | None:
            assert self.process.poll() is None, self._said.read_text()
            return re.search(r"Tidemark is at (http://\S+)", self._said.read_text())

        found = until(told, "the page")
        assert found is not None
        return found[1]

    def fill(self, left_mb: int) -> None:
        """Leave so much room and no more."""
        with (self.inside / "filler").open("ab", buffering=0) as filler:
            try:
                while (facts := os.statvfs(self.inside)).f_bavail * facts.f_frsize > left_mb << 20:
                    filler.write(b"\0" * min(1 << 20, facts.f_bavail * facts.f_frsize - (left_mb << 20)))
            except OSError:  # there is none
                assert left_mb == 0

    def close_logs(self) -> None:
        """Fill the last page of each log up: on a full disk, it would still take a few lines."""
        page = os.sysconf("SC_PAGE_SIZE")
        for log in (self.inside / "state" / "logs").iterdir():
            with log.open("ab", buffering=0) as file:
                file.write(b"\n" * (-file.tell() % page))

    def empty(self) -> None:
        """Make room."""
        (self.inside / "filler").unlink()


@contextmanager
def running(folder: Path) -> Iterator[tuple[Disk, httpx.Client]]:
    disk = Disk(folder, folder.with_name("said"))
    try:
        with httpx.Client(base_url=disk.url(), timeout=60, verify=NO_AUTHORITIES) as client:
            yield disk, client
    finally:
        disk.process.terminate()
        disk.process.wait(300)
        StateFolders.of(settings_for_state(folder / "state")).end_leftovers()


def facts(client: httpx.Client) -> dict[str, Any]:
    """What the status says; nothing while the database does not answer."""
    answer = client.get("/api/v1/status")
    return dict(answer.json()) if answer.status_code == 200 else {"paused": None, "depths": []}


def graded(client: httpx.Client) -> int:
    return sum(depth["count"] for depth in facts(client)["depths"] if depth["state"] == "graded")


def test_a_full_disk_ends_nothing(tmp_path: Path) -> None:
    if os.geteuid() != 0 or subprocess.run(["unshare", "--mount", "true"], check=False).returncode != 0:
        missing("mounts of our own", "run as root where mount namespaces are allowed")
    folder = tmp_path / "disk"
    folder.mkdir()
    with running(folder) as (disk, client):
        disk.fill(LEFT_MB)
        until(lambda: facts(client)["paused"] == ["disk"], "the pause")
        assert "Work is paused: too little disk space." in client.get("/en/status").text
        assert client.get("/en/").status_code == 200

        disk.fill(0)
        disk.close_logs()
        place = StateFolders.of(settings_for_state(folder / "state"))
        demo = place.leftovers()["demo"]
        os.kill(demo.pid, 9)  # the supervisor has something to tell now, and nowhere to write it
        log = disk.inside / "state" / "logs" / "supervisord.log"
        size = log.stat().st_size

        def started_again() -> bool:
            assert disk.process.poll() is None, "`up` has ended"
            return place.leftovers().get("demo", demo) != demo

        until(started_again, "the demo endpoint to be started again")
        until(lambda: client.get("/healthz").status_code == 200, "the page")
        assert disk.process.poll() is None

        before = graded(client)
        disk.empty()
        until(lambda: facts(client)["paused"] == [], "the end of the pause")
        until(lambda: graded(client) > before, "work")
        os.kill(place.leftovers()["demo"].pid, 9)  # what it had to tell may have been told, and lost, by now
        until(lambda: log.stat().st_size > size, "the supervisor's log")
        assert disk.process.poll() is None
