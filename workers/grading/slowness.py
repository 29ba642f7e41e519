"""Slowness of this host against the one that limits are meant for, by a fixed workload that is measured repeatedly.

It changes with the load: if other processes use the same caches and memory, a program takes more CPU time. The
processes of one host share a measurement.
"""

import fcntl
import json
import math
import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.domain.errors import SandboxUnavailable
from workers.grading.languages import Language
from workers.grading.sandbox.root import Tools

MIN_FACTOR: Final = 0.7
MAX_FACTOR: Final = 10.0
JUMP: Final = 1.25  # two measurements that differ by this multiple are of different loads
UNSTEADY_LIFE_S: Final = 5.0  # of a measurement that may be of a load which ends
_STEADY_LIFE_S = 300.0
_MAX_UNSTEADY_LIFE_S = 30.0
_STALE_LIFE_S = 2 * _STEADY_LIFE_S  # while another process measures, which takes long on a busy machine
_MEASURING_SHARE = 0.1  # of one core, at most, is spent on measuring again
_LOADED_FACTOR = 2.0  # a host that is slower is probably a busy one
_WARNING_ENDS_AT = 0.8 * MAX_FACTOR  # so that it does not come and go with each measurement
_WORKLOADS = ("cached", "scattered")
_AGREEMENT = 1.1  # turns that differ by less need no third one
# CPU milliseconds on the machine that the league's limits were set on, in a quiet hour: the least of many turns.
_REFERENCE_MS = {
    ("interpreted", "cached"): 55.0,
    ("interpreted", "scattered"): 64.0,
    ("compiled", "cached"): 65.0,
    ("compiled", "scattered"): 88.0,
}


@dataclass(frozen=True, slots=True)
class Slowness:
    """Multiples of the reference's CPU time: 1 is as fast, 2 half as fast. Limits are multiplied by them.

    `is_over`: the host is slower than limits follow, and has not been well below that since.
    """

    interpreted: float = 1.0
    compiled: float = 1.0
    is_over: bool = False

    def of(self, language: Language) -> float:
        """Return what a language's limits are multiplied by, from `MIN_FACTOR` to `MAX_FACTOR`."""
        return self.of_ours if language.zygote else _bounded(self.compiled)

    @property
    def of_ours(self) -> float:
        """The factor of the limits of this side's own work, which is Python."""
        return _bounded(self.interpreted)

    @property
    def worst(self) -> float:
        """The larger multiple, as it was measured."""
        return max(self.interpreted, self.compiled)

    def jump(self, earlier: "Slowness") -> float:
        """Return the multiple, at least 1, by which the factors differ from those of an earlier measurement."""
        pairs = ((self.interpreted, earlier.interpreted), (self.compiled, earlier.compiled))
        ratios = [_bounded(now) / _bounded(then) for now, then in pairs]
        return max(max(ratio, 1 / ratio) for ratio in ratios)

    @property
    def warning(self) -> str | None:
        """The warning about a host that is slower than its limits follow; None if it is not."""
        if not self.is_over:
            return None
        return (
            f"this machine is {self.worst:.1f} times as slow as limits are meant for; they are multiplied by "
            f"{MAX_FACTOR:g} at most, so right programs may be too slow here"
        )


def _bounded(factor: float) -> float:
    return min(MAX_FACTOR, max(MIN_FACTOR, factor))


@dataclass(frozen=True, slots=True)
class _Measurement:
    """A measurement that the processes of this host share.

    `at` is in seconds of the machine's monotonic clock. `jump` is the multiple by which it differs from the one before;
    the first one counts as far off, so that it is confirmed soon. `cpu_s` is the CPU time of the measuring.
    """

    tools: str
    at: float
    slowness: Slowness
    jump: float
    cpu_s: float

    @property
    def life_s(self) -> float:
        """Seconds for which it holds; few if it may come from a passing load."""
        if self.jump < JUMP and self.slowness.worst <= _LOADED_FACTOR:
            return _STEADY_LIFE_S
        return min(_MAX_UNSTEADY_LIFE_S, max(UNSTEADY_LIFE_S, self.cpu_s / _MEASURING_SHARE))

    @property
    def age_s(self) -> float:
        """Seconds since the measurement; negative after the machine has started anew."""
        return time.monotonic() - self.at

    def to_json(self) -> str:
        slowness = self.slowness
        return json.dumps(
            [self.tools, self.at, slowness.interpreted, slowness.compiled, slowness.is_over, self.jump, self.cpu_s]
        )


class HostSpeed:
    """The speed of this host that one judge uses: measured, or fixed by its settings."""

    def __init__(self, root: Path, python: str, fixed: float | None) -> None:
        """`root` is the sandbox root, `python` the interpreter of judged programs."""
        self._root, self._python = root, python
        self._fixed = None if fixed is None else Slowness(fixed, fixed, is_over=fixed > MAX_FACTOR)
        self.last = self._fixed or Slowness()

    def factors(self, tools: Tools, *, max_age_s: float = math.inf) -> Slowness:
        """Return the slowness, measured within `max_age_s`. Raises SandboxUnavailable if it cannot be measured."""
        if self._fixed is None:
            try:
                self.last = slowness_now(self._root, tools, self._python, max_age_s=max_age_s)
            except OSError as error:
                raise SandboxUnavailable(f"cannot measure this machine: {error}") from error
        return self.last

    def has_moved(self, tools: Tools, then: Slowness) -> bool:
        """Return whether the host's speed has changed so much since `then` was measured that limits would differ."""
        return self.factors(tools, max_age_s=UNSTEADY_LIFE_S).jump(then) >= JUMP


def slowness_now(root: Path, tools: Tools, python: str, *, max_age_s: float = math.inf) -> Slowness:
    """Return the host's slowness: the last measurement while it holds and is no older than `max_age_s`, else a new one.

    A measurement holds for five minutes; one above twice the reference, or 25 % from the one before, for 5 to 30 s.
    While another process measures, the last one is returned even if it is older: that takes long on a busy machine.

    Raises SandboxUnavailable if the workload does not run.
    """
    path = root / f"slowness-{tools.digest[:16]}.json"  # for these tools: other versions on this host have their own
    known = _read(path, tools.digest)
    if known is not None and known.age_s < min(known.life_s, max_age_s):
        return known.slowness
    lock = os.open(root / "slowness.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if known is not None:
                return known.slowness
            fcntl.flock(lock, fcntl.LOCK_EX)
        known = _read(path, tools.digest)
        if known is not None and known.age_s < min(known.life_s, max_age_s):
            return known.slowness
        measured = _measure(tools, python, known)
        fresh = path.with_suffix(".new")
        fresh.write_text(measured.to_json())
        fresh.rename(path)
        return measured.slowness
    finally:
        os.close(lock)


def _read(path: Path, digest: str) -> _Measurement | None:
    """Return the stored measurement if it is of these tools and not too old for any use."""
    try:
        tools, at, interpreted, compiled, is_over, jump, cpu_s = json.loads(path.read_text(encoding="utf-8"))
        slowness = Slowness(float(interpreted), float(compiled), bool(is_over))
        known = _Measurement(str(tools), float(at), slowness, float(jump), float(cpu_s))
    except (OSError, ValueError, TypeError):
        return None
    return known if tools == digest and 0 <= known.age_s < _STALE_LIFE_S else None


def _measure(tools: Tools, python: str, last: _Measurement | None) -> _Measurement:
    interpreted, cpu_ms = _worst_multiple("interpreted", (python, "-I", "-S", str(tools.path / "workload.py")))
    compiled = interpreted  # without a compiler nothing compiled is judged
    if tools.launcher:
        compiled, more_ms = _worst_multiple("compiled", (str(tools.path / "workload"),))
        cpu_ms += more_ms
    ends_at = _WARNING_ENDS_AT if last is not None and last.slowness.is_over else MAX_FACTOR
    slowness = Slowness(interpreted, compiled, max(interpreted, compiled) > ends_at)
    jump = JUMP if last is None else slowness.jump(last.slowness)
    return _Measurement(tools.digest, time.monotonic(), slowness, jump, cpu_ms / 1e3)


def _worst_multiple(kind: str, command: tuple[str, ...]) -> tuple[float, float]:
    """Return the larger of the two workloads' multiples, since programs are of both kinds, and the CPU time of it all.

    The least of several turns counts. CPU time is in milliseconds.
    """
    worst = spent_ms = 0.0
    for name in _WORKLOADS:
        turns = [_cpu_ms(*command, name), _cpu_ms(*command, name)]
        if max(turns) > _AGREEMENT * min(turns):
            turns.append(_cpu_ms(*command, name))
        worst = max(worst, min(turns) / _REFERENCE_MS[kind, name])
        spent_ms += sum(turns)
    return round(worst, 2), spent_ms


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
