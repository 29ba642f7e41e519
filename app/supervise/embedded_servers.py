"""PostgreSQL and Valkey as children of this process: for commands without a running `up`, and for tests."""

import contextlib
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from signal import Signals

from app.config import socket_database_url, socket_redis_url
from app.db.kernel.server import create_database, wait_until_ready
from app.domain.errors import Unavailable
from app.supervise import postgres, valkey
from app.supervise.logfiles import open_log
from app.supervise.polling import wait_for
from app.supervise.processes import with_pid_file
from app.supervise.state_folders import stop_signal
from app.supervise.status_lines import print_status

START_S = 30.0
STOP_S = 20.0


@dataclass(frozen=True, slots=True)
class EmbeddedServer:
    """A server that this process started and must stop."""

    name: str
    process: "subprocess.Popen[bytes]"
    log: Path
    url: str

    def check(self) -> None:
        """Raise Unavailable, with the last line of its log, if the server has ended."""
        if self.process.poll() is not None:
            words = self.log.read_text(encoding="utf-8", errors="replace")[-4000:]
            raise Unavailable(f"{self.name} did not start: {postgres.last_line(words)} (see {self.log})")

    def stop(self) -> None:
        """End the server cleanly; kill it after `STOP_S` seconds."""
        number: Signals = stop_signal(self.name)
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            self.process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def start_postgres(data: Path, runtime: Path, log: Path, *, durable: bool = True) -> EmbeddedServer:
    """Serve `data` (created if missing) on a socket in `runtime`, with an empty database `tidemark`.

    `durable=False` trades safety against power cuts for speed. The server ends with this process. Raises Unavailable if
    it does not start, Conflict if the data are of another major version.
    """
    binaries = postgres.find_postgres()
    postgres.initialise(binaries, data, durable=durable)
    postgres.chown_to_server(runtime, postgres.run_as())
    command = postgres.server_command(binaries, data, runtime, durable=durable)
    server = _start("postgres", command, runtime, log, socket_database_url(runtime, "postgres"))
    with _stopped_on_failure(server):
        wait_until_ready(server.url, START_S, server.check)
        create_database(server.url, "tidemark")
    return server


def start_valkey(data: Path, runtime: Path, log: Path, *, durable: bool = True, databases: int = 16) -> EmbeddedServer:
    """Serve `data` on the socket `valkey.sock` in `runtime`. Raises Unavailable if it does not start.

    Files that it cannot start with are set aside, and it starts without them.
    """
    path = runtime / "valkey.sock"
    command = valkey.server_command(valkey.find_valkey(), data, path, durable=durable, databases=databases)

    def begin() -> EmbeddedServer:
        server = _start("valkey", command, runtime, log, socket_redis_url(path))
        with _stopped_on_failure(server):
            wait_for(lambda: valkey.is_ready(path), START_S, server.check, "Valkey does not answer")
        return server

    try:
        return begin()
    except Unavailable:
        aside = valkey.set_aside(data)
        if aside is None:
            raise
        print_status(valkey.set_aside_message(aside))
        return begin()


def _start(name: str, command: list[str], runtime: Path, log: Path, url: str) -> EmbeddedServer:
    pids = runtime / "pids"
    pids.mkdir(mode=0o700, exist_ok=True)
    with open_log(log) as out:
        process = subprocess.Popen(
            with_pid_file(command, pids / f"{name}.pid"),
            stdin=subprocess.DEVNULL, stdout=out, stderr=out, cwd="/", start_new_session=True,
        )  # fmt: skip
    return EmbeddedServer(name, process, log, url)


@contextlib.contextmanager
def _stopped_on_failure(server: EmbeddedServer) -> Iterator[None]:
    try:
        yield
    except BaseException:
        server.stop()
        raise
