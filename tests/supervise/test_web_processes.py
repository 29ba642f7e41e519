"""The site as a few processes: one face to readers, to Prometheus and to whoever starts and stops it."""

import asyncio
import multiprocessing
import os
import re
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path

import pytest
from anyio.to_thread import current_default_thread_limiter
from support.servers import Servers
from support.waiting import until

from app.config import Settings
from app.main import HANDLER_THREADS, create_app
from app.supervise.processes import started_at

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the site is one process")


# What `python -m app.main` does, in a process that has imported it: to import it takes most of a start.
FORKING = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload(["app.main"])
START = """
import os, runpy, sys
os.setsid()
for number in (1, 2):
    os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
os.environ.update(given)
del sys.modules["app.main"]  # to be run itself, over all that it imports
runpy.run_module("app.main", run_name="__main__")
"""


class Site:
    """`python -m app.main` with so many processes, on a port that is free where none is named."""

    def __init__(self, settings: Settings, processes: int, log: Path, port: int | None = None) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = port or free.getsockname()[1]
        self.log = log
        self.looks = 0.0  # at /healthz that were answered
        given = {
            "STATE": settings.state_dir,
            "DATABASE_URL": settings.database_url,
            "REDIS_URL": settings.redis_url,
            "PORT": self.port,
            "WEB_PROCESSES": processes,
        }
        names = {f"TIDEMARK_{name}": str(value) for name, value in given.items()}
        self.process = FORKING.Process(target=exec, args=(START, {"log": str(log), "given": names}))
        self.process.start()

    @property
    def pid(self) -> int:
        """The process that was started."""
        assert self.process.pid is not None
        return self.process.pid

    def end(self) -> int | None:
        """Its exit code, once it has ended."""
        self.process.join(60)
        return self.process.exitcode

    def children(self) -> set[int]:
        """The processes that serve."""
        found = set()
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                text = stat.read_text(encoding="ascii", errors="replace")
            except OSError:
                continue
            state, parent = text.rpartition(")")[2].split()[:2]
            if int(parent) == self.pid and state not in "ZX":
                found.add(int(stat.parent.name))
        return found

    def get(self, path: str) -> str | None:
        """The body of an answer over a connection of its own; None where there is no answer."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("GET", path)
            said = connection.getresponse().read().decode()
        except OSError:
            return None
        finally:
            connection.close()
        self.looks += path == "/healthz"
        return said

    def wait_for_count(self) -> None:
        """A look at /healthz is counted when its answer has left; then Prometheus is told of so many."""
        until(lambda: self.counted() >= self.looks, f"{self.looks} looks", 30)
        assert self.counted() == self.looks

    def counted(self) -> float:
        """How many looks at /healthz Prometheus is told of."""
        found = re.search(
            r'^tidemark_http_requests_total\{method="GET",route="/healthz",status="200"\} (\S+)$',
            self.get("/metrics") or "",
            re.MULTILINE,
        )
        return float(found[1]) if found else 0.0


@contextmanager
def serving(settings: Settings, processes: int, tmp_path: Path) -> Iterator[Site]:
    site = Site(settings, processes, tmp_path / "web.log")
    try:
        until(lambda: site.process.exitcode is not None or site.get("/healthz"), "the page")
        assert site.process.exitcode is None, site.log.read_text()
        yield site
    finally:
        with suppress(ProcessLookupError):
            os.killpg(site.pid, signal.SIGKILL)
        site.process.join()


@pytest.fixture(scope="module")
def two(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Two processes that no test stops, though one may kill those that serve."""
    folder = tmp_path_factory.mktemp("two")
    with servers.database() as url:
        settings = Settings(_env_file=None, state_dir=folder, database_url=url, redis_url=servers.valkey_url())
        with serving(settings, 2, folder) as site:
            until(lambda: len(site.children()) == 2, "two processes")
            yield site


@contextmanager
def asleep(pid: int) -> Iterator[None]:
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def test_whoever_answers_counts_for_all(two: Site) -> None:
    two.wait_for_count()
    for other in two.children():
        with asleep(other):
            for _look in range(3):
                assert two.get("/healthz") is not None
                two.wait_for_count()
    for other in two.children():
        with asleep(other):
            assert two.counted() == two.looks
            said = two.get("/metrics") or ""
    took = {
        limit: float(count)
        for limit, count in re.findall(
            r'^tidemark_http_seconds_bucket\{le="(\S+)",route="/healthz"\} (\S+)$', said, re.MULTILINE
        )
    }
    assert list(took) == ["0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1.0", "2.5", "10.0", "+Inf"]
    assert took["+Inf"] == two.looks
    assert list(took.values()) == sorted(took.values())


def test_a_process_that_dies_is_replaced_and_nothing_counted_is_lost(two: Site) -> None:
    two.wait_for_count()
    before = two.children()
    for pid in before:
        os.kill(pid, signal.SIGKILL)
    until(lambda: len(two.children() - before) == 2, "two others")
    assert two.get("/healthz") is not None
    two.wait_for_count()
    for pid in two.children():
        with asleep(pid):
            assert two.get("/healthz") is not None
            two.wait_for_count()
    assert two.process.exitcode is None
    log = two.log.read_text()
    assert all(f"web-{number}" in log for number in range(2))
    assert log.count("process.ended") == 2
    assert "Traceback" not in log


def test_a_port_that_is_taken_is_one_line(two: Site, settings: Settings, tmp_path: Path) -> None:
    other = Site(settings, 2, tmp_path / "web.log", two.port)
    assert other.end() == 1
    assert other.log.read_text() == f"cannot listen on 127.0.0.1 port {two.port}: Address already in use\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_told_to_stop_all_end_after_what_they_have_begun(
    number: signal.Signals, settings: Settings, tmp_path: Path
) -> None:
    with serving(settings, 2, tmp_path) as site:
        children = site.children()
        with socket.create_connection(("127.0.0.1", site.port), timeout=60) as client:
            client.sendall(
                b"POST /en/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                b"Content-Length: 9\r\nExpect: 100-continue\r\n\r\n"
            )
            assert client.recv(4096).startswith(b"HTTP/1.1 100 ")
            os.kill(site.pid, number)
            client.sendall(b"token=abc")
            assert client.recv(4096).startswith(b"HTTP/1.1 4")
        assert site.end() == 0
        assert [pid for pid in children if started_at(pid) is not None] == []
        assert site.get("/healthz") is None
        log = site.log.read_text()
        assert "process.ended" not in log
        assert "Traceback" not in log


def test_all_end_with_a_killed_parent_and_make_room_for_the_next(settings: Settings, tmp_path: Path) -> None:
    with serving(settings, 2, tmp_path) as site:
        children = site.children()
        site.process.kill()
        until(lambda: not any(started_at(pid) for pid in children), "the end of all", 30)
        assert site.get("/healthz") is None


def test_one_process_has_no_others(settings: Settings, tmp_path: Path) -> None:
    with serving(settings, 1, tmp_path) as site:
        assert site.children() == set()
        os.kill(site.pid, signal.SIGTERM)
        assert site.end() == -signal.SIGTERM


@pytest.mark.parametrize("processes", [1, 2, 3, 8])
def test_all_processes_together_run_so_many_handlers(processes: int, settings: Settings) -> None:
    async def at_once() -> float:
        app = create_app(settings, processes)
        async with app.router.lifespan_context(app):
            return current_default_thread_limiter().total_tokens

    assert 0 < processes * asyncio.run(at_once()) <= HANDLER_THREADS == 40
