"""How slow this host is now, against the one that limits are meant for: a fixed workload, measured again and again.

The hour decides too: where others use the same caches and memory, the same program takes more CPU time. Processes of
one host share what one of them has measured.
"""

import fcntl
import json
import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from app.domain.errors import SandboxUnavailable
from workers.grading.languages import Language
from workers.grading.sandbox.root import Tools

FASTEST: Final = 0.7
SLOWEST: Final = 3.0
MEASURED_EVERY_S: Final = 300.0
_GOOD_S = 2 * MEASURED_EVERY_S  # so old it may be while somebody measures: on a busy machine that takes long
_WORKLOADS = ("cached", "scattered")
_TURNS = 3
# CPU milliseconds on the machine that the league's limits were set on, in a quiet hour: the least of many turns.
_REFERENCE_MS = {
    ("interpreted", "cached"): 55.0,
    ("interpreted", "scattered"): 64.0,
    ("compiled", "cached"): 65.0,
    ("compiled", "scattered"): 88.0,
}


@dataclass(frozen=True, slots=True)
class Slowness:
    """Multiples of the reference's CPU time: 1 is as fast, 2 half as fast. Limits are multiplied by them."""

    interpreted: float = 1.0
    compiled: float = 1.0

    def of(self, language: Language) -> float:
        """What a language's limits are multiplied by, at least `FASTEST`."""
        return self.of_ours if language.zygote else max(FASTEST, self.compiled)

    @property
    def of_ours(self) -> float:
        """What the limits of this side's own work are multiplied by: it is Python."""
        return max(FASTEST, self.interpreted)

    def check(self) -> None:
        """Raise SandboxUnavailable on a host that is too slow for its verdicts to mean anything."""
        worst = max(self.interpreted, self.compiled)
        if worst > SLOWEST:
            raise SandboxUnavailable(
                f"this machine is {worst:.1f} times as slow as limits are meant for; it grades up to {SLOWEST:g} times"
            )


def slowness_now(root: Path, tools: Tools, python: str) -> Slowness:
    """The host's slowness, measured here unless somebody has within `MEASURED_EVERY_S`.

    While somebody measures, what was found before is good for as long again: nobody waits for a busy machine's answer.

    Raises SandboxUnavailable when the workload does not run.
    """
    kept = root / f"slowness-{tools.digest[:16]}.json"  # of these tools: other versions on this host have their own
    known = _known(kept, tools.digest)
    if known is not None and known.age_s < MEASURED_EVERY_S:
        return known.slowness
    lock = os.open(root / "slowness.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if known is not None:
                return known.slowness
            fcntl.flock(lock, fcntl.LOCK_EX)
        known = _known(kept, tools.digest)
        if known is not None and known.age_s < MEASURED_EVERY_S:
            return known.slowness
        found = _measured(tools, python)
        fresh = kept.with_suffix(".new")
        fresh.write_text(json.dumps([tools.digest, time.monotonic(), found.interpreted, found.compiled]))
        fresh.rename(kept)
        return found
    finally:
        os.close(lock)


class _Known(NamedTuple):
    """What somebody has measured on this host, and when: seconds ago."""

    slowness: Slowness
    age_s: float


def _known(kept: Path, digest: str) -> _Known | None:
    """What is kept, if it is of these tools and good still; the clock starts anew with the machine."""
    try:
        tools, measured_at, interpreted, compiled = json.loads(kept.read_text(encoding="utf-8"))
        age_s = time.monotonic() - measured_at
        is_good = tools == digest and 0 <= age_s < _GOOD_S
        return _Known(Slowness(float(interpreted), float(compiled)), age_s) if is_good else None
    except (OSError, ValueError, TypeError):
        return None


def _measured(tools: Tools, python: str) -> Slowness:
    interpreted = _worst("interpreted", (python, "-I", "-S", str(tools.path / "workload.py")))
    # Without a compiler nothing compiled is judged.
    compiled = _worst("compiled", (str(tools.path / "workload"),)) if tools.launcher else interpreted
    return Slowness(interpreted, compiled)


def _worst(kind: str, command: tuple[str, ...]) -> float:
    """The larger of the two workloads' multiples: programs are of both kinds. The least of several turns counts."""
    return round(
        max(min(_cpu_ms(*command, name) for _ in range(_TURNS)) / _REFERENCE_MS[kind, name] for name in _WORKLOADS), 2
    )


def _cpu_ms(*command: str) -> float:
    try:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, cwd="/", env={})
    except OSError as error:
        raise SandboxUnavailable(f"cannot measure this machine: {error}") from error
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SandboxUnavailable(f"cannot measure this machine: {command[0]} ended with {process.returncode}")
    return (usage.ru_utime + usage.ru_stime) * 1e3
