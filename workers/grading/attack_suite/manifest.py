"""The run of an attack manifest: hostile programs are judged, and each property that it names is checked on this host.

The manifest names programs, problems and properties; `problems` makes the problems. An unknown mode, problem or
property counts as missed, never as passed.
"""

import json
import os
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.domain.judging.verdicts import GradeResult, Verdict
from workers.grading.attack_suite.host_state import (
    StrayProcesses,
    free_disk_space,
    listen_on,
    peak_bytes_since_reset,
    reset_peak,
    resident_bytes,
    temporary_files,
)
from workers.grading.attack_suite.problems import make_problem, read_limits
from workers.grading.judge import Judge

_HONEST_PROGRAM = "a, b = map(int, input().split())\nprint(a + b)\n"
_DISK_WAITS_S = (1.0, 4.0, 8.0, 8.0)
_SETTLE_S = 0.5
_MIB = 1 << 20
_MAX_RSS_GROWTH, _MAX_DISK_GROWTH, _MAX_INODE_GROWTH = 64 * _MIB, 16 * _MIB, 100
_NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class AttackCase:
    """One graded entry, and the measurements around it."""

    entry: Mapping[str, Any]
    result: GradeResult
    elapsed_s: float
    strays: tuple[str, ...]
    grew_bytes: int
    disk_change: tuple[int, int]
    files_same: bool
    same_process: bool


def run_manifest(
    manifest: Mapping[str, Any], folder: Path, judge: Judge, environment: MutableMapping[str, str]
) -> dict[str, Any]:
    """Grade every entry of the manifest, check its properties, and return the report that --json prints.

    Canaries (programs that are accepted exactly when isolation holds) are graded first, twice each; if one fails,
    nothing else is run. The manifest's variables are set in `environment`, which is the process's own. Raises
    InvalidInput if the host cannot be set up as the manifest asks.
    """
    entries = list(manifest.get("entries") or ())
    canaries = [entry for entry in entries if _is_canary(entry)]
    misses: dict[str, tuple[str, list[str]]] = {}
    with _host(manifest.get("host_setup") or {}, environment) as host:
        runner = _SuiteRunner(manifest, folder, judge, host)
        for entry in canaries:
            misses[entry["id"]] = runner.try_entry(entry, times=2)
        if not any("verdict" in faults for _, faults in misses.values()):
            for entry in entries:
                if entry["id"] not in misses:
                    misses[entry["id"]] = runner.try_entry(entry, times=1)
    rows = []
    for entry in entries:
        verdict, faults = misses.get(entry["id"], ("", [_NOT_RUN]))
        rows.append({"id": entry["id"], "verdict": verdict, "ok": not faults, "missed": faults})
    return {"rows": rows, "passed": sum(row["ok"] for row in rows), "total": len(rows)}


def _is_canary(entry: Mapping[str, Any]) -> bool:
    return list(entry.get("verdict_in") or ()) == [Verdict.ACCEPTED.short]


# --- the host ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Host:
    secrets: tuple[str, ...]
    files_same: Callable[[], bool]


@contextmanager
def _host(setup: Mapping[str, Any], environment: MutableMapping[str, str]) -> Iterator[_Host]:
    """Create the files, variables and listeners that a manifest asks for, and remove them afterwards."""
    hidden: list[str] = []

    def fill(text: str) -> str:
        if "<random" not in text:
            return text
        hidden.append(secrets.token_hex(16))
        return hidden[-1]

    files = {
        Path(file["path"]): (fill(file.get("content", "")), int(file.get("mode", "0644"), 8))
        for file in setup.get("files") or ()
    }
    variables = {name: fill(value) for name, value in (setup.get("env") or {}).items()}
    with ExitStack() as stack:
        same = stack.enter_context(temporary_files(files))
        stack.enter_context(_variables(environment, variables))
        for address in setup.get("listeners") or ():
            stack.enter_context(listen_on(address))
        yield _Host(tuple(hidden), same)


@contextmanager
def _variables(environment: MutableMapping[str, str], variables: Mapping[str, str]) -> Iterator[None]:
    before = {name: environment.get(name) for name in variables}
    environment.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del environment[name]
            else:
                environment[name] = value


# --- the entries ------------------------------------------------------------------------------------------------------


class _SuiteRunner:
    """A grader of entries, one after another, with one judge in one process."""

    def __init__(self, manifest: Mapping[str, Any], folder: Path, judge: Judge, host: _Host) -> None:
        self._default_limits = dict(manifest.get("default_limits") or {})
        self._always = list(manifest.get("every_entry_also_requires") or ())
        self._folder, self._judge, self._host = folder, judge, host
        self._pid = os.getpid()
        self._honest = make_problem("aplusb", "stdio", read_limits(self._default_limits))
        warm = self._grade_honest()
        self._normal_cpu_ms = _mean_cpu(self._grade_honest())
        self._ready = warm.verdict is Verdict.ACCEPTED

    def try_entry(self, entry: Mapping[str, Any], times: int) -> tuple[str, list[str]]:
        """Grade an entry `times` times; return the last verdict and every property missed in any of them."""
        verdict, misses = "", []
        for _ in range(times):
            case = self._grade(entry)
            if isinstance(case, str):
                return verdict, [case]
            verdict = case.result.verdict.short
            misses += [
                name for name in self._properties(entry) if name not in misses and not self._check_property(name, case)
            ]
        return verdict, misses

    def _properties(self, entry: Mapping[str, Any]) -> list[str]:
        return list(dict.fromkeys(["verdict", *self._always, *(entry.get("also") or ())]))

    def _grade(self, entry: Mapping[str, Any]) -> AttackCase | str:
        """Return the graded case, or a message that names what this harness does not know."""
        limits = read_limits({**self._default_limits, **(entry.get("limits") or {})})
        problem = make_problem(entry.get("problem", "aplusb"), entry.get("mode", "stdio"), limits)
        if problem is None:
            return f"no {entry.get('mode')} problem {entry.get('problem')}"
        try:
            code = (self._folder / entry["file"]).read_bytes().decode("utf-8", "surrogateescape")
        except OSError as error:
            return f"cannot read {entry['file']}: {error.strerror}"
        strays, free = StrayProcesses(), free_disk_space()
        reset_peak()
        before, started = resident_bytes(), time.monotonic()
        result = self._judge.grade(problem, code, entry["language"])
        elapsed = time.monotonic() - started
        grew = peak_bytes_since_reset() - before
        time.sleep(_SETTLE_S)
        after = free_disk_space()
        return AttackCase(
            entry=entry,
            result=result,
            elapsed_s=elapsed,
            strays=strays.find(),
            grew_bytes=grew,
            disk_change=(free[0] - after[0], free[1] - after[1]),
            files_same=self._host.files_same(),
            same_process=os.getpid() == self._pid,
        )

    def _check_property(self, name: str, case: AttackCase) -> bool:
        checks: dict[str, Callable[[AttackCase], bool]] = {
            "verdict": _verdict_allowed,
            "bounded_time": self._is_in_time,
            "no_survivor": lambda case: not case.strays,
            "next_ok": lambda _: self._next_is_ok(),
            "host_files_same": lambda case: case.files_same,
            "no_secret_out": self._keeps_secrets,
            "worker_memory": lambda case: case.grew_bytes < _MAX_RSS_GROWTH,
            "host_disk": self._disk_is_back,
            "no_internal_error": lambda case: case.result.verdict is not Verdict.JUDGE_ERROR and case.same_process,
        }
        return name in checks and checks[name](case)

    def _is_in_time(self, case: AttackCase) -> bool:
        limits = {**self._default_limits, **(case.entry.get("limits") or {})}
        wall_s = float(limits.get("wall_s", 4)) * max(
            1.0, case.result.slowness or 1.0
        )  # scaled as the judge scaled it on this machine
        per_test = max(2 * wall_s, wall_s + 2)
        whole = per_test * max(1, len(case.result.tests)) + 2 * float(limits.get("compile_s", 10))
        # The time a test waited for a CPU is not held against the judge.
        fair_ms = [test.wall_ms - test.waited_ms for test in case.result.tests]
        waited_s = sum(test.waited_ms for test in case.result.tests) / 1000
        return case.elapsed_s - waited_s <= whole and all(ms <= per_test * 1000 for ms in fair_ms)

    def _keeps_secrets(self, case: AttackCase) -> bool:
        text = json.dumps([repr(case.result), case.result.message])
        return not any(secret in text for secret in self._host.secrets)

    def _next_is_ok(self) -> bool:
        """Return True if an honest program is judged as before; measured again, as a busy machine may be the cause."""
        for _ in range(3):
            result = self._grade_honest()
            if result.verdict is not Verdict.ACCEPTED:
                return False
            if _mean_cpu(result) <= 1.5 * self._normal_cpu_ms + 20:
                return self._ready
        return False

    def _disk_is_back(self, case: AttackCase) -> bool:
        """Return True if the disk space is free again; judged again after a while, as other work may have taken it."""
        for wait_s in _DISK_WAITS_S:
            if _disk_unchanged(case):
                return True
            time.sleep(wait_s)
            again = self._grade(case.entry)
            assert isinstance(again, AttackCase)  # the same entry was graded before
            case = again
        return _disk_unchanged(case)

    def _grade_honest(self) -> GradeResult:
        assert self._honest is not None
        return self._judge.grade(self._honest, _HONEST_PROGRAM, "python")


def _verdict_allowed(case: AttackCase) -> bool:
    verdict = case.result.verdict.short
    return verdict in (case.entry.get("verdict_in") or ()) and verdict not in (case.entry.get("verdict_not") or ())


def _disk_unchanged(case: AttackCase) -> bool:
    return case.disk_change[0] <= _MAX_DISK_GROWTH and case.disk_change[1] <= _MAX_INODE_GROWTH


def _mean_cpu(result: GradeResult) -> float:
    return sum(test.cpu_ms for test in result.tests) / max(1, len(result.tests))
