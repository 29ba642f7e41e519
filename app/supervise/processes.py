"""Processes by identity: a pid may have passed to another process, so each is checked by its start time."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from shutil import which

# /proc counts from a boot time in whole seconds, so a start may seem that much later than it was.
_CLOCK_SLACK_S = 2.0


@dataclass(frozen=True, slots=True)
class Process:
    """A process of ours, by pid and start time (seconds since the epoch)."""

    pid: int
    started: float

    def alive(self) -> bool:
        """Return whether this very process still runs."""
        started = started_at(self.pid)
        return started is not None and abs(started - self.started) <= _CLOCK_SLACK_S

    def signal(self, number: signal.Signals) -> None:
        """Send a signal, if the process is still the same."""
        if self.alive():
            try:
                os.kill(self.pid, number)
            except ProcessLookupError:
                return


def started_at(pid: int) -> float | None:
    """Return a process's start in seconds since the epoch; None if there is none (a zombie counts as none)."""
    if sys.platform == "linux":
        try:
            text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
        except OSError:
            return None
        state, *rest = text.rpartition(")")[2].split()
        return None if state in "ZX" else _boot_time() + int(rest[18]) / os.sysconf("SC_CLK_TCK")
    output = subprocess.run(
        ["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False, env={"LC_ALL": "C"}
    ).stdout.strip()
    return datetime.strptime(output, "%a %b %d %H:%M:%S %Y").astimezone().timestamp() if output else None


@cache
def _boot_time() -> float:
    for line in Path("/proc/stat").read_text(encoding="ascii").splitlines():
        if line.startswith("btime "):
            return float(line.split()[1])
    raise RuntimeError("/proc/stat names no boot time")


def this_process() -> Process:
    """Return the calling process."""
    pid = os.getpid()
    return Process(pid, started_at(pid) or time.time())


def read_pid_file(pid_file: Path) -> Process | None:
    """Return the live process that wrote a pid file, or None: it must have started before the file was written."""
    try:
        pid, mtime = int(pid_file.read_text(encoding="ascii")), pid_file.stat().st_mtime
    except (OSError, ValueError):
        return None
    started = started_at(pid)
    return None if started is None or started > mtime + _CLOCK_SLACK_S else Process(pid, started)


def end_processes(processes: Iterable[tuple[Process, signal.Signals]], grace_s: float) -> None:
    """Stop processes, each with its own signal; kill those that are left after the grace period."""
    survivors = list(processes)
    for process, number in survivors:
        process.signal(number)
    deadline = time.monotonic() + grace_s
    while survivors and time.monotonic() < deadline:
        survivors = [entry for entry in survivors if entry[0].alive()]
        time.sleep(0.05 if survivors else 0)
    for process, _ in survivors:
        process.signal(signal.SIGKILL)


def parent_death_prefix(number: signal.Signals) -> list[str]:
    """Return a command prefix that makes the kernel send the signal when the parent dies; empty if unavailable."""
    return ["setpriv", "--pdeathsig", number.name.removeprefix("SIG"), "--"] if which("setpriv") else []


def with_pid_file(command: Sequence[str], pid_file: Path) -> list[str]:
    """Return the command wrapped in a shell that writes its pid to a file and then becomes the command."""
    return ["/bin/sh", "-c", 'echo $$ >"$1"; shift; exec "$@"', "sh", str(pid_file), *command]
