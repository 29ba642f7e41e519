"""Self-test of the sandbox: a program of ours tries to get out of it, started in each way that programs are."""

import contextlib
import json
import secrets
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from app.domain.errors import JudgeError, SandboxUnavailable
from workers.grading.sandbox.protocol import ProgramRun, SandboxBounds, Sink
from workers.grading.sandbox.session import Session

Start = Callable[[], Session]
RunProgram = Callable[[Session, bytes, SandboxBounds, Sink, bytes], ProgramRun]

_BOUNDS = SandboxBounds(cpu_ms=10_000, wall_ms=20_000, memory_mb=128, output_bytes=1 << 16)
_GONE_S = 2.0
_NAMES = {
    "host_file": "host file unreadable",
    "loopback": "loopback unreachable",
    "pids": "pid isolation",
    "seccomp": "seccomp active",
    "marks": "no mark outlives a test",
    "descriptors": "descriptors closed",
    "outer_uid": "outer uid not 0",
    "sysctl": "no host sysctl opens for writing",
    "memory": "memory limit active",
    "pipes": "pipes count as memory",
    "processes": "process limit active",
    "expected": "expected output not reachable",
    "close": "kill on close",
}
_SEPARATE = ("pipes", "close")  # these checks end the program that makes them
# If init sees no /proc, the kernel limits pipes: 64 MiB for one user, and two pages for each pipe beyond those.
_MAX_IN_PIPES_MB = 96
# Two thousand pipes, from which nothing is read; then the program waits until it is measured.
_PIPES = b"""
import os, time
said, says = os.pipe()
for _ in range(8):
    if os.fork():
        continue
    held = 0
    try:
        while True:
            _, end = os.pipe()
            os.set_blocking(end, False)
            held += os.write(end, bytes(1 << 16))
            os.close(end)
    except OSError:
        os.write(says, held.to_bytes(8, "little"))
    time.sleep(10)
print(sum(int.from_bytes(os.read(said, 8), "little") for _ in range(8)) >> 20, flush=True)
if os.path.exists("/proc/self"):
    time.sleep(5)
    os._exit(1)
"""


@dataclass(frozen=True, slots=True)
class SelfTestCheck:
    """One requirement on the sandbox, whether it holds, and what was seen if it does not."""

    name: str
    ok: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class LaunchMethod:
    """One way to run Python source in the sandbox: how its session starts, and how a program runs in it."""

    name: str
    start: Start
    run: RunProgram


def self_test(ways: tuple[LaunchMethod, ...], root: Path) -> tuple[SelfTestCheck, ...]:
    """Make every check in every way. Raises SandboxUnavailable if the sandbox does not even start."""
    misses: dict[str, list[str]] = {name: [] for name in _NAMES}
    for way in ways:
        with _canary_file(root) as file, _listeners() as (port, address):
            reachable = {"file": str(file), "port": port, "name": address}
            for name, detail in _observe(way, reachable).items():
                if detail:
                    misses[name].append(f"{way.name}: {detail}")
    return tuple(SelfTestCheck(label, not misses[name], "; ".join(misses[name])) for name, label in _NAMES.items())


def _observe(way: LaunchMethod, reachable: Mapping[str, object]) -> Mapping[str, str]:
    """Make all checks in one sandbox, since a start takes longer than most of them.

    Return the failure by the name of the check, "" if it passed.
    """
    mark = ("tidemark", "expected", secrets.token_hex(4))
    secret = f"{''.join(mark)}={secrets.token_hex(16)}"  # stands for an expected output in this process's memory
    body = {**reachable, "mark": mark, "space_mb": _BOUNDS.memory_mb + _BOUNDS.reserve_mb + 64}
    pieces: list[bytes] = []
    with way.start() as session:
        uid = _uid_of(session.pid)
        run = way.run(session, _probe(), _BOUNDS, pieces.append, json.dumps(body).encode())
        try:
            reply = json.loads(b"".join(pieces))
            results = {name: str(reply[name]) for name in _NAMES if name not in _SEPARATE}
        except (ValueError, KeyError, TypeError):
            words = run.stderr.decode(errors="replace").strip()[-300:]
            return dict.fromkeys(_NAMES, f"the probe did not finish (status {run.status}) {words}")
        results["pipes"] = _pipes(way, session)
        results["close"] = _closes(way, session)
    if uid == 0:
        results["outer_uid"] = "the sandbox runs under the kernel's uid 0"
    if secret.encode() in b"".join(pieces):
        results["expected"] = "printed by the probe"
    return results


def _pipes(way: LaunchMethod, session: Session) -> str:
    """Check that what a program writes to pipes counts as its memory; return "" if it does."""
    pieces: list[bytes] = []
    run = way.run(session, _PIPES, replace(_BOUNDS, memory_mb=64), pieces.append, b"")
    if run.memory_cut:
        return ""
    held = b"".join(pieces).decode(errors="replace").strip()
    if run.status == 0 and held.isdigit() and int(held) <= _MAX_IN_PIPES_MB:
        return ""
    return f"{held or 'unknown'} MiB in pipes did not count (status {run.status})"


def _closes(way: LaunchMethod, session: Session) -> str:
    """Check that closing the session ends all that runs in it; return "" if it does."""
    endless = SandboxBounds(cpu_ms=60_000, wall_ms=1, memory_mb=128, output_bytes=1)
    first = Path(f"/proc/{session.pid}")
    with contextlib.suppress(JudgeError):
        way.run(session, b"import os, time\nos.fork()\nos.setsid()\ntime.sleep(60)\n", endless, lambda _: None, b"")
    session.close()
    deadline = time.monotonic() + _GONE_S
    while first.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    return "the sandbox outlived its session" if first.exists() else ""


def _probe() -> bytes:
    return Path(__file__).with_name("probe.py").read_bytes()


def _uid_of(pid: int) -> int:
    """Return the kernel's uid of a process, as this side sees it."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        return next(int(line.split()[2]) for line in lines if line.startswith("Uid:"))
    except (OSError, StopIteration, ValueError, IndexError) as error:
        raise SandboxUnavailable(f"cannot see under which uid the sandbox runs: {error}") from error


@contextlib.contextmanager
def _canary_file(root: Path) -> Iterator[Path]:
    """Make a file that every user of the host may read."""
    path = root / f"canary-{secrets.token_hex(8)}"
    path.write_text("canary")
    path.chmod(0o644)
    try:
        yield path
    finally:
        path.unlink()


@contextlib.contextmanager
def _listeners() -> Iterator[tuple[int, str]]:
    """Listen on a loopback port and an abstract unix socket of the host's network namespace; yield both addresses."""
    name = f"tidemark-canary-{secrets.token_hex(8)}"
    with socket.create_server(("127.0.0.1", 0)) as port, socket.socket(socket.AF_UNIX) as local:
        local.bind(f"\0{name}")
        local.listen()
        yield port.getsockname()[1], name
