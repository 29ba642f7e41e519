"""From what the kernel says of a run to a verdict. Pure."""

import math
import signal
from dataclasses import dataclass, replace

from app.domain.errors import JudgeError
from app.domain.judging.verdicts import Verdict, worst
from app.domain.letters import readable
from app.domain.problems import Limits
from workers.grading.languages import Language
from workers.grading.sandbox.guest import OUT_OF_MEMORY, SYNTAX_ERROR
from workers.grading.sandbox.protocol import Bounds, Run

_KILL_FACTOR = 1.5  # a program may run this far past its CPU limit, so that a near miss is seen to be one
_NEAR = 1.15  # of the CPU limit: so far a machine may be slower one moment than the next
_KEPT_WAITING = 0.25  # of a run's time without a CPU: some of the waiting, of short-lived processes, is never seen
_NEAR_MEMORY = 0.95
_STDERR = 400
_LIBRARIES_MB = 16  # what the dynamic loader wants to map beside the program
_NOT_LOADED = 127  # the dynamic loader's exit code


@dataclass(frozen=True, slots=True)
class Allowance:
    """The limits one submission is held to: CPU and wall milliseconds, memory KiB."""

    cpu_ms: float
    wall_ms: float
    memory_kb: int
    bounds: Bounds
    abort_kb: float = math.inf  # a runtime that held as much and ends by SIGABRT says that its heap is full


def allowance(limits: Limits, language: Language, time_factor: float, slowness: float = 1.0) -> Allowance:
    """CPU limit scaled by language, caller and host; wall max(2 x, + 1 s); memory plus the runtime's own share."""
    cpu_ms = limits.time_ms * language.time_factor * time_factor * slowness
    wall_ms = max(2 * cpu_ms, cpu_ms + 1000)
    memory_mb = limits.memory_mb + language.memory_base_mb
    bounds = Bounds(
        cpu_ms=round(cpu_ms * _KILL_FACTOR),
        wall_ms=round(wall_ms),
        memory_mb=memory_mb,
        output_bytes=limits.output_kb << 10,
        reserve_mb=language.reserve_mb,
    )
    memory_kb = memory_mb << 10
    abort_kb = math.inf if language.abort_share is None else language.abort_share * memory_kb
    return Allowance(cpu_ms, wall_ms, memory_kb, bounds, abort_kb)


def decide(run: Run, right: bool, limits: Allowance) -> Verdict:
    """The verdict on one test; when several apply, the one that comes first in the order of precedence."""
    if run.exit_code == SYNTAX_ERROR:
        return Verdict.COMPILE_ERROR
    verdicts = [Verdict.ACCEPTED if right else Verdict.WRONG_ANSWER]
    if run.starved_cut:
        verdicts.append(Verdict.JUDGE_ERROR if robbed(run) else Verdict.TIME_LIMIT)
    if run.status != 0:
        verdicts.append(Verdict.RUNTIME_ERROR)
    fair_wall_ms = run.wall_ms - run.starved_ms
    if run.cpu_cut or run.wall_cut or run.cpu_ms > limits.cpu_ms or fair_wall_ms > limits.wall_ms:
        verdicts.append(Verdict.TIME_LIMIT)
    if _short_of_memory(run, limits):
        verdicts.append(Verdict.MEMORY_LIMIT)
    if run.output_cut:
        verdicts.append(Verdict.OUTPUT_LIMIT)
    return worst(tuple(verdicts))


def _short_of_memory(run: Run, limits: Allowance) -> bool:
    if run.memory_cut or run.peak_kb > limits.memory_kb or run.exit_code == OUT_OF_MEMORY:
        return True
    if run.signal == signal.SIGABRT and run.peak_kb >= limits.abort_kb:
        return True
    return run.status != 0 and run.peak_kb >= _NEAR_MEMORY * limits.memory_kb


def with_size(run: Run, bounds: Bounds, mapped_kb: int) -> Run:
    """The run of a program that maps `mapped_kb` before it begins, known to be short of memory if that did not fit.

    The kernel, or the dynamic loader, ends such a program as if it had crashed; it never came to say a word itself.
    """
    space_kb = (bounds.memory_mb + bounds.reserve_mb - _LIBRARIES_MB) << 10
    refused = run.signal in (signal.SIGSEGV, signal.SIGKILL) or run.exit_code == _NOT_LOADED
    return replace(run, memory_cut=True) if refused and mapped_kb > space_kb else run


def doubtful(run: Run, verdict: Verdict, limits: Allowance) -> bool:
    """Whether the machine may have made this verdict."""
    if run.starved_cut:
        return verdict in (Verdict.JUDGE_ERROR, Verdict.TIME_LIMIT)
    # One that ended by itself is late by what init saw of the clock alone: a little, and as the machine had it.
    just_late = not run.wall_cut and run.cpu_ms <= limits.cpu_ms
    return verdict is Verdict.TIME_LIMIT and (just_late or in_doubt(run, limits.cpu_ms))


def in_doubt(run: Run, cpu_ms: float) -> bool:
    """Whether the machine may have made it late: it just missed a limit of so much CPU time, or waited for a CPU."""
    if run.wall_cut or run.starved_cut:
        return kept_waiting(run)
    return cpu_ms < run.cpu_ms <= _NEAR * cpu_ms


def beyond(bounds: Bounds) -> Bounds:
    """What ends a run that may use `bounds`: so that a near miss is seen to be one."""
    return replace(bounds, cpu_ms=round(bounds.cpu_ms * _KILL_FACTOR))


def held_to(run: Run, bounds: Bounds) -> Run:
    """A run that `beyond` these bounds would have ended, as if they had."""
    return replace(run, cpu_cut=run.cpu_cut or run.cpu_ms > bounds.cpu_ms)


class CompileError(Exception):
    """The program does not compile; the argument is the compiler's words."""


class Busy(JudgeError):
    """What the clock cut alone, too, while others had the CPUs: of what it was to find out nothing is known."""


def kept_waiting(run: Run) -> bool:
    """Whether what was ended at the wall may have spent much of its time without a CPU that others had."""
    return run.starved_cut or run.starved_ms >= _KEPT_WAITING * run.wall_ms


def robbed(run: Run) -> bool:
    """Whether it ended at the wall and surely spent much of its time so: it cannot bring this about itself."""
    return (run.starved_cut or run.wall_cut) and run.robbed_ms >= _KEPT_WAITING * run.wall_ms


def busy(run: Run) -> str:
    """Why nothing can be said of such a run."""
    return f"the machine was busy: {run.robbed_ms:.0f} ms without a CPU, of {run.wall_ms:.0f} ms"


def explain(run: Run, verdict: Verdict, limits: Allowance) -> str:
    """One or a few lines for people; what the program wrote to stderr is cut and made printable."""
    match verdict:
        case Verdict.ACCEPTED:
            return ""
        case Verdict.WRONG_ANSWER:
            return "wrong answer"
        case Verdict.JUDGE_ERROR:
            return busy(run)
        case Verdict.TIME_LIMIT:
            return f"{run.cpu_ms:.0f} ms of CPU and {run.wall_ms:.0f} ms of time; the limit is {limits.cpu_ms:.0f} ms"
        case Verdict.MEMORY_LIMIT:
            return f"out of memory: {limits.bounds.memory_mb} MiB with the runtime's own share"
        case Verdict.OUTPUT_LIMIT:
            return f"more than {limits.bounds.output_bytes >> 10} KiB of output"
    words = last_words(run)
    if verdict is Verdict.COMPILE_ERROR:
        return words
    return f"{how_it_ended(run)}\n{words}".strip()


def last_words(run: Run) -> str:
    """The end of what a program wrote to stderr, printable."""
    return printable(run.stderr)[-_STDERR:]


def printable(data: bytes) -> str:
    """What hostile programs or compilers of hostile sources wrote, as text that does nothing to who looks at it."""
    return readable(data.decode(errors="replace")).strip()


def how_it_ended(run: Run) -> str:
    """The signal or the exit code that ended a program."""
    return _signal_name(run.signal) if run.signal is not None else f"exit code {run.exit_code}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
