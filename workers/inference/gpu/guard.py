"""The guard: it starts a model server in a process group of its own and ends all of it when its owner dies.

Run as `python -I -S guard.py RECORD TAG GRACE_S COMMAND...`, with a pipe as standard input. A model server is a tree of
processes that outlive one another: the API process can be killed while engine and workers go on, hold the device's
memory and keep shared segments. The guard remains: it ends the tree when the pipe closes, which it does however the
owner dies, or when the server's first process ends; it exits when no process and no segment is left.

Orphans of the tree are reparented to the guard (it is a subreaper), so that leaving the group does not help them.
RECORD lists the tag and the segments, so that another process can do the work of a killed guard (`clean_up`). It uses
the standard library alone.
"""

import contextlib
import ctypes
import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

TAG = "TIDEMARK_SERVER"  # in the environment of every process of a server, with a value of its own
SEGMENTS = Path("/dev/shm")  # noqa: S108  # the folder of shared segments
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_CHECK_EVERY_S = 1.0
LOG_BYTES, LOG_KEPT = 64 << 20, 1 << 20  # the log's limit, and the length of the end that is kept beyond it
KILL_S = 30.0  # a killed process that lives longer hangs in the kernel


def main(arguments: list[str]) -> int:
    """Guard until nothing is left; return 0, or 1 if something could not be ended."""
    record, tag, grace_s, command = Path(arguments[0]), arguments[1], float(arguments[2]), arguments[3:]
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        # The guard ends after the server, not before. Ignored signals would be inherited by the server.
        signal.signal(number, lambda *_: None)
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    tree = _Tree(record, tag, command)
    tree.watch()
    return 0 if tree.end(grace_s) else 1


class _Tree:
    def __init__(self, record: Path, tag: str, command: list[str]) -> None:
        self._record, self._tag, self._before = record, tag, set(_segments())
        self._found: set[str] = set()
        self._write()
        self._deaths, wakeup = os.pipe()
        os.set_blocking(wakeup, False)
        signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)  # so that a process's end wakes `watch`
        self._first = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=_die_with_guard
        )
        self._ended = False

    def watch(self) -> None:
        """Return when the owner is gone or the first process has ended."""
        while not self._ended:
            self._record_segments()
            shorten_log(1)
            readable, _, _ = select.select([0, self._deaths], [], [], _CHECK_EVERY_S)
            if 0 in readable and not os.read(0, 1):
                return
            if self._deaths in readable:
                os.read(self._deaths, 1024)
            self._reap()

    def end(self, grace_s: float) -> bool:
        """End the tree: ask, wait, kill, and wait until nothing is left; then remove the unused segments."""
        self._record_segments()
        if not self._ended:
            with contextlib.suppress(ProcessLookupError):
                self._first.send_signal(signal.SIGTERM)
        gone = self._gone_within(0.0 if self._ended else grace_s, kill=False) or self._gone_within(KILL_S, kill=True)
        remove_segments(self._found)
        if gone:
            self._record.unlink(missing_ok=True)
        return gone

    def _gone_within(self, seconds: float, *, kill: bool) -> bool:
        deadline = time.monotonic() + seconds
        while True:
            if kill:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._first.pid, signal.SIGKILL)
                for pid in _descendants(os.getpid()):
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
            if not self._reap():
                return True
            if self._ended and not kill:  # the process that could end the others cleanly is gone
                return False
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.02)
            self._record_segments()

    def _reap(self) -> bool:
        """Reap dead processes; return whether any process is left."""
        while True:
            try:
                pid, _ = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                self._ended = True
                return False
            if pid == 0:
                return True
            if pid == self._first.pid:
                self._ended = True
                self._first.returncode = 0  # it has been reaped here

    def _record_segments(self) -> None:
        """Record the segments that the tree uses and that did not exist before it."""
        used = {name for pid in _descendants(os.getpid()) for name in _used_by(pid)} - self._before
        if used - self._found:
            self._found |= used
            self._write()

    def _write(self) -> None:
        body = json.dumps({"tag": self._tag, "segments": sorted(self._found)})
        fresh = self._record.with_suffix(".new")
        fresh.write_text(body, encoding="utf-8")
        fresh.replace(self._record)


def shorten_log(log: int) -> None:
    """Keep only the end of a log that is too long; `log` is a descriptor opened to append and to read."""
    size = os.fstat(log).st_size
    if size <= LOG_BYTES:
        return
    with contextlib.suppress(OSError):
        end = os.pread(log, LOG_KEPT, size - LOG_KEPT)
        os.ftruncate(log, 0)
        os.write(log, end)


def _die_with_guard() -> None:
    """Have the server's first process die with the guard."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def clean_up(record: Path) -> None:
    """Do the work of a guard that was killed: end every process with its tag, and remove its segments."""
    try:
        body = json.loads(record.read_text(encoding="utf-8"))
        tag, segments = str(body["tag"]), {str(name) for name in body["segments"]}
    except (OSError, ValueError, KeyError, TypeError):
        return
    deadline = time.monotonic() + KILL_S
    while tag and (pids := _tagged(tag)) and time.monotonic() < deadline:
        for pid in pids:
            segments |= set(_used_by(pid))
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.05)
    remove_segments(segments)
    record.unlink(missing_ok=True)


def is_left(record: Path) -> bool:
    """Return whether a process of the recorded server still runs."""
    try:
        return bool(_tagged(str(json.loads(record.read_text(encoding="utf-8"))["tag"])))
    except (OSError, ValueError, KeyError, TypeError):
        return False


def remove_segments(names: set[str]) -> None:
    """Remove shared segments, except those that a living process still uses."""
    used = {name for pid in _pids() for name in _used_by(pid)} if names else set()
    for name in names - used:
        path = SEGMENTS / name
        with contextlib.suppress(OSError):
            if "/" not in name and path.stat().st_uid == os.geteuid():
                path.unlink()


def _segments() -> list[str]:
    with contextlib.suppress(OSError):
        return [path.name for path in SEGMENTS.iterdir()]
    return []


def _pids() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _descendants(root: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for pid in _pids():
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
            children.setdefault(int(fields[1]), []).append(pid)
    descendants, generation = [], [root]
    while generation:
        generation = [child for pid in generation for child in children.get(pid, ())]
        descendants += generation
    return descendants


def _tagged(tag: str) -> list[int]:
    wanted, pids = f"{TAG}={tag}".encode(), []
    for pid in _pids():
        with contextlib.suppress(OSError):
            if pid != os.getpid() and wanted in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                pids.append(pid)
    return pids


def _used_by(pid: int) -> set[str]:
    """Return the names of the segments that a process has mapped.

    They are found by inode: a semaphore is created under another name than it gets, and its creator's mapping keeps the
    first name.
    """
    prefix, inodes = f"{SEGMENTS}/", set()
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/maps").read_text(errors="replace").splitlines():
            if prefix in line:
                inodes.add(int(line.split(maxsplit=5)[4]))
    if not inodes:
        return set()
    with contextlib.suppress(OSError), os.scandir(SEGMENTS) as entries:
        return {entry.name for entry in entries if entry.inode() in inodes}
    return set()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
