"""From what the kernel says of a run to a verdict. Pure."""

import re
import signal
from dataclasses import dataclass

from app.domain.problems import Limits
from app.domain.verdicts import Verdict, worst
from workers.grading.languages import Language
from workers.grading.sandbox.guest import OUT_OF_MEMORY, SYNTAX_ERROR
from workers.grading.sandbox.protocol import Bounds, Run

KILL_FACTOR = 1.5  # a program may run this far past its CPU limit, so that a near miss is seen to be one
_NEAR_MEMORY = 0.95
_STDERR = 400
_UNPRINTABLE = re.compile(r"[^\x20-\x7e\n\t\u00a0-\uffff]")


@dataclass(frozen=True, slots=True)
class Allowance:
    """The limits one submission is held to: CPU and wall milliseconds, memory KiB."""

    cpu_ms: float
    wall_ms: float
    memory_kb: int
    bounds: Bounds


def allowance(limits: Limits, language: Language, time_factor: float) -> Allowance:
    """CPU limit scaled by language and caller; wall max(2 x, + 1 s); memory plus the runtime's own share."""
    cpu_ms = limits.time_ms * language.time_factor * time_factor
    wall_ms = max(2 * cpu_ms, cpu_ms + 1000)
    memory_mb = limits.memory_mb + language.memory_base_mb
    bounds = Bounds(
        cpu_ms=round(cpu_ms * KILL_FACTOR),
        wall_ms=round(wall_ms),
        memory_mb=memory_mb,
        output_bytes=limits.output_kb << 10,
        reserve_mb=language.reserve_mb,
    )
    return Allowance(cpu_ms, wall_ms, memory_mb << 10, bounds)


def decide(run: Run, right: bool, allowed: Allowance) -> Verdict:
    """The verdict on one test; when several apply, the one that comes first in the order of precedence."""
    if run.exit_code == SYNTAX_ERROR:
        return Verdict.COMPILE_ERROR
    found = [Verdict.ACCEPTED if right else Verdict.WRONG_ANSWER]
    if run.status != 0:
        found.append(Verdict.RUNTIME_ERROR)
    fair_wall_ms = run.wall_ms - run.starved_ms
    if run.cpu_cut or run.wall_cut or run.cpu_ms > allowed.cpu_ms or fair_wall_ms > allowed.wall_ms:
        found.append(Verdict.TIME_LIMIT)
    if _short_of_memory(run, allowed):
        found.append(Verdict.MEMORY_LIMIT)
    if run.output_cut:
        found.append(Verdict.OUTPUT_LIMIT)
    return worst(tuple(found))


def _short_of_memory(run: Run, allowed: Allowance) -> bool:
    if run.memory_cut or run.peak_kb > allowed.memory_kb or run.exit_code == OUT_OF_MEMORY:
        return True
    return run.status != 0 and run.peak_kb >= _NEAR_MEMORY * allowed.memory_kb


def doubtful(run: Run, verdict: Verdict, allowed: Allowance) -> bool:
    """Whether a time limit verdict is a near miss, which may be the machine's doing: it ended by itself, a bit late."""
    if verdict is not Verdict.TIME_LIMIT or run.cpu_cut or run.wall_cut:
        return False
    return run.cpu_ms <= KILL_FACTOR * allowed.cpu_ms


def explain(run: Run, verdict: Verdict, allowed: Allowance) -> str:
    """One or a few lines for people; what the program wrote to stderr is cut and made printable."""
    match verdict:
        case Verdict.ACCEPTED:
            return ""
        case Verdict.WRONG_ANSWER:
            return "wrong answer"
        case Verdict.TIME_LIMIT:
            return f"{run.cpu_ms:.0f} ms of CPU and {run.wall_ms:.0f} ms of time; the limit is {allowed.cpu_ms:.0f} ms"
        case Verdict.MEMORY_LIMIT:
            return f"out of memory: {allowed.bounds.memory_mb} MiB with the runtime's own share"
        case Verdict.OUTPUT_LIMIT:
            return f"more than {allowed.bounds.output_bytes >> 10} KiB of output"
    words = last_words(run)
    if verdict is Verdict.COMPILE_ERROR:
        return words
    return f"{how_it_ended(run)}\n{words}".strip()


def last_words(run: Run) -> str:
    """The end of what a program wrote to stderr, printable."""
    return _UNPRINTABLE.sub("?", run.stderr.decode(errors="replace")).strip()[-_STDERR:]


def how_it_ended(run: Run) -> str:
    """The signal or the exit code that ended a program."""
    return _signal_name(run.signal) if run.signal is not None else f"exit code {run.exit_code}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
