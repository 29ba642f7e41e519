"""Which programs make a Tidemark, in groups that start in this order and stop in the reverse."""

import os
import sys
from dataclasses import dataclass, replace
from signal import SIGTERM, Signals

from app.config import ROOT, Settings
from app.supervise import postgres, valkey
from app.supervise.places import Place, stop_signal
from app.supervise.processes import dies_with_parent

# Celery finishes what it can within its soft shutdown (10 s), then hands the rest back.
WORKER_STOP_S = 14


# How the libraries under numpy behave in every program.
NUMBERS = {
    "OPENBLAS_NUM_THREADS": "1",  # boards are small products; threads of several requests would only thrash
    "MALLOC_ARENA_MAX": "2",  # a heap for each of many idle threads costs more than it gains
    # A board's arrays are kept: mapped or given back, and faulted in again, they cost a quarter more.
    "MALLOC_MMAP_THRESHOLD_": str(32 << 20),
    "MALLOC_TRIM_THRESHOLD_": str(32 << 20),
}


@dataclass(frozen=True, slots=True)
class Program:
    """A command under the supervisor. Only servers start by themselves; the rest waits for a migrated database.

    A forked one writes its own pid file and dies with its parent (app.supervise.supervisord); the others are
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
        """What asks it to end."""
        return stop_signal(self.name)

    @property
    def address(self) -> str:
        """Its name for the supervisor."""
        return f"{self.group}:{self.name}"


def programs(settings: Settings) -> list[Program]:
    """Everything that runs on this machine under these settings."""
    return [*_servers(settings), *_demo(settings), *_workers(), *_site(Place.of(settings))]


def _servers(settings: Settings) -> list[Program]:
    place, servers = Place.of(settings), []
    if settings.embeds_database():
        binaries = postgres.find_postgres()
        command = postgres.serve(binaries, place.postgres, place.runtime)
        servers.append(Program("postgres", "postgres", tuple(command), stop_s=30, is_server=True))
    if settings.embeds_redis():
        command = valkey.serve(valkey.find_valkey(), place.valkey, place.runtime / "valkey.sock")
        servers.append(Program("valkey", "valkey", tuple(command), is_server=True))
    return servers


def _demo(settings: Settings) -> list[Program]:
    return [_python("demo", "demo", "workers.demo")] if settings.demo else []


def _workers() -> list[Program]:
    return [
        _worker("infer", "workers", "workers.serve", "infer"),
        _worker("ingest", "workers", "workers.serve", "ingest"),
        replace(_python("grade", "workers", "app.supervise.judges"), stop_s=WORKER_STOP_S),
    ]


def _site(place: Place) -> list[Program]:
    web = _python("web", "site", "app.supervise.gate", "app.main", str(place.migrated))
    return [web, _worker("clock", "site", "workers.clock")]


def _python(name: str, group: str, *module: str) -> Program:
    return Program(name, group, (*dies_with_parent(SIGTERM), sys.executable, "-m", *module))


def _worker(name: str, group: str, *module: str) -> Program:
    if sys.platform == "linux":
        return Program(name, group, (sys.executable, "-m", *module), WORKER_STOP_S, is_forked=True)
    return Program(name, group, (sys.executable, "-m", *module), WORKER_STOP_S)


def environment(settings: Settings) -> dict[str, str]:
    """What every program is told: the settings that `up` decided, and where the code is."""
    decided = (
        "runtime_dir", "database_url", "redis_url", "secret_key_file", "host", "port", "public_url",
        "demo", "demo_port", "demo_url", "sandbox_root", "scratch_dir",
    )  # fmt: skip
    variables = {f"TIDEMARK_{name.upper()}": str(getattr(settings, name)) for name in decided}
    return {
        **os.environ,
        **variables,
        "TIDEMARK_STATE": str(settings.state_dir),
        "PYTHONPATH": str(ROOT),
        "PYTHONSAFEPATH": "1",
        "PYTHONNODEBUGRANGES": "1",  # as in ./tidemark, and why
        "PYTHONUNBUFFERED": "1",
        **NUMBERS,
        "REMAP_SIGTERM": "SIGQUIT",  # Celery's soft shutdown
    }
