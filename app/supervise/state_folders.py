"""The folders of one state: their layout, their permissions, and the process that uses them now."""

import base64
import errno
import fcntl
import json
import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from signal import SIGINT, SIGTERM, Signals
from typing import Any

from app.config import MAX_RUNTIME_DIR_BYTES, Settings, runtime_dir_of
from app.domain.errors import Conflict, Unavailable
from app.supervise.processes import Process, end_processes, read_pid_file, this_process

# PostgreSQL's first files and its journal take about 60 MB; a day's data should also fit.
MIN_FREE_MB = 300


@dataclass(frozen=True, slots=True)
class RunningInstance:
    """A running `up`, as it announces itself to other commands: its process, its page's URL, and its settings."""

    process: Process
    url: str
    ready: bool
    settings: dict[str, Any]


@dataclass(frozen=True, slots=True)
class StateFolders:
    """The state folder and the runtime folder that belongs to it."""

    state: Path
    runtime: Path

    @classmethod
    def of(cls, settings: Settings) -> "StateFolders":
        """Return the folders that the settings name."""
        return cls(settings.state_dir, settings.runtime_dir)

    @property
    def postgres(self) -> Path:
        """PostgreSQL's data."""
        return self.state / "postgres"

    @property
    def valkey(self) -> Path:
        """Valkey's data."""
        return self.state / "valkey"

    @property
    def logs(self) -> Path:
        """A folder with one log file per program."""
        return self.state / "logs"

    @property
    def pids(self) -> Path:
        """A folder with one pid file per program."""
        return self.runtime / "pids"

    @property
    def environments(self) -> Path:
        """A folder with one file per program: its settings and secrets."""
        return self.runtime / "told"

    @property
    def migrated(self) -> Path:
        """A file that exists while the database has the schema of the running code."""
        return self.runtime / "migrated"

    def make(self) -> None:
        """Create every folder, closed to other users. Raises Unavailable if the disk is full or read-only."""
        if len(os.fsencode(self.runtime)) > MAX_RUNTIME_DIR_BYTES:
            raise Unavailable(f"{self.runtime} is too long for unix sockets: set TIDEMARK_RUNTIME_DIR to a shorter one")
        try:
            _make_closed(self.state, self.logs, self.valkey)
            _probe_writing(self.state)
        except OSError as error:
            raise Unavailable(describe_os_error(error, self.state)) from error
        free_mb = shutil.disk_usage(self.state).free // 2**20
        if free_mb < MIN_FREE_MB and not self.postgres.exists():  # else pages are still served, and work waits
            raise Unavailable(f"{self.state} has {free_mb} MB left on its disk; at least {MIN_FREE_MB} MB are needed")
        try:  # last: it is elsewhere, where leftovers would go unnoticed
            _make_closed(self.runtime, self.pids)
        except OSError as error:
            raise Unavailable(describe_os_error(error, self.runtime)) from error

    @contextmanager
    def lock(self, verb: str) -> Iterator[None]:
        """Lock the state for the block. Raises Conflict, naming the other's pid, if another process holds it."""
        with (self.state / "lock").open("a+", encoding="utf-8") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as taken:
                file.seek(0)
                raise Conflict(self._describe_holder(file.read())) from taken
            file.truncate(0)
            file.write(f"{verb} {os.getpid()}")
            file.flush()
            try:
                yield
            finally:
                self._remove_runtime()
                file.truncate(0)

    def _remove_runtime(self) -> None:
        """Remove the sockets' folder when nothing runs any more, unless the operator chose it."""
        if self.runtime == runtime_dir_of(self.state) and not self.leftovers():
            shutil.rmtree(self.runtime, ignore_errors=True)

    def _describe_holder(self, holder: str) -> str:
        verb, _, pid = holder.partition(" ")
        running = self.find_running()
        where = f" and serves {running.url}" if running is not None and str(running.process.pid) == pid else ""
        return f"`tidemark {verb or 'up'}` (pid {pid or 'unknown'}) uses {self.state}{where}"

    def announce(self, url: str, settings: dict[str, Any], *, ready: bool) -> None:
        """Record this process, an `up`, for other commands."""
        record = RunningInstance(this_process(), url, ready, settings)
        fresh = self.state / "up.json.new"
        fresh.write_text(json.dumps(asdict(record)), encoding="utf-8")
        fresh.replace(self.state / "up.json")

    def find_running(self) -> RunningInstance | None:
        """Return the `up` that runs on this state, or None."""
        try:
            record = json.loads((self.state / "up.json").read_text(encoding="utf-8"))
            running = RunningInstance(Process(**record.pop("process")), **record)
        except (OSError, ValueError, TypeError, KeyError, AttributeError):  # missing or damaged
            return None
        return running if running.process.alive() else None

    def leftovers(self) -> dict[str, Process]:
        """Return our programs that still run, by name, from their pid files."""
        files = sorted(self.pids.glob("*.pid")) if self.pids.is_dir() else []
        processes = {file.stem: read_pid_file(file) for file in files}
        return {name: process for name, process in processes.items() if process is not None}

    def end_leftovers(self, grace_s: float = 15.0) -> list[str]:
        """Stop programs that an `up` left behind, supervisor first and servers last; return their names."""
        leftovers = self.leftovers()
        for stage in (_is_supervisor, _is_worker, _is_server):
            end_processes([(process, stop_signal(name)) for name, process in leftovers.items() if stage(name)], grace_s)
        for file in self.pids.glob("*.pid") if leftovers else ():
            file.unlink(missing_ok=True)
        return sorted(leftovers)

    def demo_start(self, now: datetime) -> datetime:
        """Return when the demo was first started on this state; at the first start `now` is recorded.

        Raises Unavailable if it cannot be recorded.
        """
        file = self.state / "demo-start"
        try:
            if file.exists():
                recorded = datetime.fromisoformat(file.read_text(encoding="ascii").strip())
                if recorded.tzinfo is not None:
                    return recorded
            fresh = file.with_name(f"{file.name}.new")
            fresh.write_text(now.isoformat(), encoding="ascii")
            fresh.replace(file)
        except OSError as error:
            raise Unavailable(describe_os_error(error, file)) from error
        except ValueError:  # damaged: contests that were visited keep their dates
            file.unlink()
            return self.demo_start(now)
        return now

    def last_demo_port(self) -> int:
        """Return the port that the demo process last listened on; 0 if it is not known."""
        try:
            port = int(self._demo_port.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return 0
        return port if 0 < port < 1 << 16 else 0

    def keep_demo_port(self, port: int) -> None:
        """Record the demo process's port for the next start: pages of its site then keep their addresses."""
        with suppress(OSError):  # on a full disk the next start chooses another one
            self._demo_port.write_text(str(port), encoding="ascii")

    @property
    def _demo_port(self) -> Path:
        return self.state / "demo-port"

    def secret_key(self, file: Path, *, spoilt: bool = False) -> Path | None:
        """Make the key that endpoint secrets are sealed with, if there is none.

        A `spoilt` file, which holds no valid key, is moved aside; its new path is returned. Raises Unavailable if the
        key cannot be written.
        """
        aside = None
        fresh = file.with_name(file.name + ".new")
        try:
            if file.exists():
                if not spoilt:
                    return None
                aside = file.replace(file.with_name(file.name + ".damaged"))
            fresh.touch(mode=0o600)
            with fresh.open("wb") as out:
                out.write(base64.urlsafe_b64encode(secrets.token_bytes(32)))  # as Fernet spells its keys
                out.flush()
                os.fsync(out.fileno())  # else a loss of power may leave a file without a key
            fresh.rename(file)
        except OSError as error:
            raise Unavailable(describe_os_error(error, file)) from error
        return aside


def stop_signal(name: str) -> Signals:
    """Return the signal that ends a program cleanly: PostgreSQL takes INT for a fast clean stop."""
    return SIGINT if name == "postgres" else SIGTERM


def _is_supervisor(name: str) -> bool:
    return name == "supervisord"


def _is_server(name: str) -> bool:
    return name in {"postgres", "valkey"}


def _is_worker(name: str) -> bool:
    return not _is_supervisor(name) and not _is_server(name)


def prepare(settings: Settings) -> None:
    """Create the folders that services need."""
    StateFolders.of(settings).make()
    open_folder(settings.sandbox_root)


def open_folder(folder: Path) -> None:
    """Create a folder that others may read and only we may write, for files that the sandbox reads."""
    try:
        folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        _check_owner(folder)
        folder.chmod(0o755)
    except OSError as error:
        raise Unavailable(describe_os_error(error, folder)) from error


def _make_closed(closed: Path, *inside: Path) -> None:
    """Create a closed folder and folders in it. Raises Unavailable if it belongs to another user."""
    closed.mkdir(mode=0o700, parents=True, exist_ok=True)
    _close_to_others(closed)
    for folder in inside:
        folder.mkdir(mode=0o700, exist_ok=True)


def _close_to_others(folder: Path) -> None:
    status = _check_owner(folder)
    if status.st_mode & 0o077:
        folder.chmod(0o700)


def _check_owner(folder: Path) -> os.stat_result:
    """Return the folder's status. Raises Unavailable if it is a link or another user's."""
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
        raise Unavailable(f"{folder} is not a folder of this user (uid {os.geteuid()}); remove it or choose another")
    return status


def _probe_writing(folder: Path) -> None:
    probe = folder / ".probe"
    probe.write_bytes(b"\0" * 65536)
    probe.unlink()


def describe_os_error(error: OSError, folder: Path) -> str:
    """Describe in one line why a folder cannot be used."""
    reason = {
        errno.ENOSPC: "the disk is full",
        errno.EDQUOT: "the disk quota is used up",
        errno.EROFS: "the disk is read-only",
        errno.EEXIST: "it is not a folder",
        errno.ENOTDIR: "its parent is not a folder",
    }.get(error.errno or 0, error.strerror or str(error))
    return f"{error.filename or folder} cannot be written: {reason}"
