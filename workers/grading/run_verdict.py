"""Verdicts from runs as the kernel reports them, with the explanation for people. Pure."""

import math
import signal
from dataclasses import dataclass, replace

from app.domain.characters import make_printable
from app.domain.judging.verdicts import Verdict, worst_verdict
from app.domain.problems import Limits
from workers.grading.languages import Language
from workers.grading.sandbox.guest import OUT_OF_MEMORY, SYNTAX_ERROR
from workers.grading.sandbox.protocol import ProgramRun, SandboxBounds
from workers.grading.starvation import KILL_FACTOR, busy_reason, starved_by_others

_NEAR_MEMORY = 0.95
_MAX_STDERR_CHARS = 400
_LIBRARIES_MB = 16  # that the dynamic loader maps beside the program
_NOT_LOADED = 127  # the dynamic loader's exit code


@dataclass(frozen=True, slots=True)
class ProgramLimits:
    """The limits of one program: CPU and wall milliseconds, memory KiB."""

    cpu_ms: float
    wall_ms: float
    memory_kb: int
    bounds: SandboxBounds
    abort_kb: float = math.inf  # a runtime that held as much and ends by SIGABRT had a full heap


def program_limits(limits: Limits, language: Language, time_factor: float, slowness: float = 1.0) -> ProgramLimits:
    """Return a program's limits from its problem's.

    The CPU limit is multiplied by the factors of language, caller and host; the wall limit is twice the CPU limit, and
    at least 1 s above it; memory is the problem's limit and the runtime's own share.
    """
    cpu_ms = limits.time_ms * language.time_factor * time_factor * slowness
    wall_ms = max(2 * cpu_ms, cpu_ms + 1000)
    memory_mb = limits.memory_mb + language.memory_base_mb
    bounds = SandboxBounds(
        cpu_ms=round(cpu_ms * KILL_FACTOR),
        wall_ms=round(wall_ms),
        memory_mb=memory_mb,
        output_bytes=limits.output_kb << 10,
        reserve_mb=language.reserve_mb,
    )
    memory_kb = memory_mb << 10
    abort_kb = math.inf if language.abort_share is None else language.abort_share * memory_kb
    return ProgramLimits(cpu_ms, wall_ms, memory_kb, bounds, abort_kb)


def decide(run: ProgramRun, right: bool, limits: ProgramLimits) -> Verdict:
    """Return the verdict on one test; if several apply, the first in the order of precedence."""
    if run.exit_code == SYNTAX_ERROR:
        return Verdict.COMPILE_ERROR
    verdicts = [Verdict.ACCEPTED if right else Verdict.WRONG_ANSWER]
    if run.starved_cut:
        verdicts.append(Verdict.JUDGE_ERROR if starved_by_others(run) else Verdict.TIME_LIMIT)
    if run.status != 0:
        verdicts.append(Verdict.RUNTIME_ERROR)
    fair_wall_ms = run.wall_ms - run.starved_ms
    if run.cpu_cut or run.wall_cut or run.cpu_ms > limits.cpu_ms or fair_wall_ms > limits.wall_ms:
        verdicts.append(Verdict.TIME_LIMIT)
    if _short_of_memory(run, limits):
        verdicts.append(Verdict.MEMORY_LIMIT)
    if run.output_cut:
        verdicts.append(Verdict.OUTPUT_LIMIT)
    return worst_verdict(tuple(verdicts))


def _short_of_memory(run: ProgramRun, limits: ProgramLimits) -> bool:
    if run.memory_cut or run.peak_kb > limits.memory_kb or run.exit_code == OUT_OF_MEMORY:
        return True
    if run.signal == signal.SIGABRT and run.peak_kb >= limits.abort_kb:
        return True
    return run.status != 0 and run.peak_kb >= _NEAR_MEMORY * limits.memory_kb


def mark_oversized(run: ProgramRun, bounds: SandboxBounds, mapped_kb: int) -> ProgramRun:
    """Return the run, marked as short of memory if the program's `mapped_kb` did not fit and it never started.

    The kernel or the dynamic loader ends such a program as if it had crashed.
    """
    space_kb = (bounds.memory_mb + bounds.reserve_mb - _LIBRARIES_MB) << 10
    refused = run.signal in (signal.SIGSEGV, signal.SIGKILL) or run.exit_code == _NOT_LOADED
    return replace(run, memory_cut=True) if refused and mapped_kb > space_kb else run


class CompileError(Exception):
    """A program that does not compile; the argument is the compiler's message."""


def explain(run: ProgramRun, verdict: Verdict, limits: ProgramLimits) -> str:
    """Return one or a few lines for people; the program's stderr is cut and made printable."""
    match verdict:
        case Verdict.ACCEPTED:
            return ""
        case Verdict.WRONG_ANSWER:
            return "wrong answer"
        case Verdict.JUDGE_ERROR:
            return busy_reason(run)
        case Verdict.TIME_LIMIT:
            return f"{run.cpu_ms:.0f} ms of CPU and {run.wall_ms:.0f} ms of time; the limit is {limits.cpu_ms:.0f} ms"
        case Verdict.MEMORY_LIMIT:
            return f"out of memory: {limits.bounds.memory_mb} MiB with the runtime's own share"
        case Verdict.OUTPUT_LIMIT:
            return f"more than {limits.bounds.output_bytes >> 10} KiB of output"
    words = stderr_tail(run)
    if verdict is Verdict.COMPILE_ERROR:
        return words
    return f"{describe_exit(run)}\n{words}".strip()


def stderr_tail(run: ProgramRun) -> str:
    """Return the end of a program's stderr, made printable."""
    return printable(run.stderr)[-_MAX_STDERR_CHARS:]


def printable(data: bytes) -> str:
    """Return the output of a hostile program, or of a compiler of hostile source, as text that is safe to show."""
    return make_printable(data.decode(errors="replace")).strip()


def describe_exit(run: ProgramRun) -> str:
    """Return the name of the signal, or the exit code, that ended a program."""
    return _signal_name(run.signal) if run.signal is not None else f"exit code {run.exit_code}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
