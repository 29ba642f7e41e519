"""The programs of a Tidemark, in groups that start in this order and stop in reverse."""

import sys
from dataclasses import dataclass, replace
from signal import SIGTERM, Signals

from app.config import Settings
from app.supervise import postgres, valkey
from app.supervise.processes import parent_death_prefix
from app.supervise.state_folders import StateFolders, stop_signal

# Celery finishes tasks within its soft shutdown (10 s), then returns the rest to the queue.
WORKER_STOP_S = 14


@dataclass(frozen=True, slots=True)
class SupervisedProgram:
    """A command under the supervisor. Only servers start by themselves; the rest waits for a migrated database.

    A forked program writes its own pid file and dies with its parent (app.supervise.supervisord); the others are
    wrapped to do so.
    """

    name: str
    group: str
    command: tuple[str, ...]
    stop_s: int = 10
    is_server: bool = False
    is_forked: bool = False

    @property
    def stop(self) -> Signals:
        """The signal that ends it."""
        return stop_signal(self.name)

    @property
    def address(self) -> str:
        """Its name in the supervisor."""
        return f"{self.group}:{self.name}"


def programs(settings: Settings) -> list[SupervisedProgram]:
    """Return all programs that run on this machine under these settings."""
    return [*_servers(settings), *_demo(settings), *_workers(), *_site(StateFolders.of(settings))]


def _servers(settings: Settings) -> list[SupervisedProgram]:
    place, servers = StateFolders.of(settings), []
    if settings.embeds_database():
        binaries = postgres.find_postgres()
        command = postgres.server_command(binaries, place.postgres, place.runtime)
        servers.append(SupervisedProgram("postgres", "postgres", tuple(command), stop_s=30, is_server=True))
    if settings.embeds_redis():
        command = valkey.server_command(valkey.find_valkey(), place.valkey, place.runtime / "valkey.sock")
        servers.append(SupervisedProgram("valkey", "valkey", tuple(command), is_server=True))
    return servers


def _demo(settings: Settings) -> list[SupervisedProgram]:
    return [_python("demo", "demo", "workers.demo")] if settings.demo else []


def _workers() -> list[SupervisedProgram]:
    return [
        _worker("infer", "workers", "workers.serve", "infer"),
        _worker("ingest", "workers", "workers.serve", "ingest"),
        # A separate interpreter and no fork: the supervisor's memory holds the operator's environment.
        replace(_python("grade", "workers", "workers.serve", "grade"), stop_s=WORKER_STOP_S),
    ]


def _site(place: StateFolders) -> list[SupervisedProgram]:
    web = _python("web", "site", "app.supervise.delayed_start", "app.main", str(place.migrated))
    return [web, _worker("clock", "site", "workers.clock")]


def _python(name: str, group: str, *module: str) -> SupervisedProgram:
    return SupervisedProgram(name, group, (*parent_death_prefix(SIGTERM), sys.executable, "-m", *module))


def _worker(name: str, group: str, *module: str) -> SupervisedProgram:
    if sys.platform == "linux":
        return SupervisedProgram(name, group, (sys.executable, "-m", *module), WORKER_STOP_S, is_forked=True)
    return SupervisedProgram(name, group, (sys.executable, "-m", *module), WORKER_STOP_S)
