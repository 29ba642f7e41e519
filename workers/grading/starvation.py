"""Starvation: whether other work on the host, not the program, made a run late, so that it must be tried again. Pure.

A run that just missed its CPU limit, or that the wall clock cut while it waited for a CPU, is run again alone. If other
work still has the CPUs then, it decides nothing: `MachineBusy`, the judge's failure.
"""

from dataclasses import replace
from typing import Final

from app.domain.errors import JudgeError
from app.domain.judging.verdicts import Verdict
from app.domain.reasons import Reason
from workers.grading.sandbox.protocol import ProgramRun, SandboxBounds

KILL_FACTOR: Final = 1.5  # a program may run this far past its CPU limit, so that a near miss is seen to be one
_NEAR = 1.15  # of the CPU limit: a machine's speed may differ so much from one moment to the next
_STARVED_SHARE = 0.25  # of a run's time without a CPU: the waiting of short-lived processes is partly never seen


class MachineBusy(JudgeError):
    """A run that the clock cut even alone on this host, while other work had the CPUs, so that it decides nothing."""


def is_starved(run: ProgramRun) -> bool:
    """Return whether a run that the wall limit ended may have spent much of its time waiting for a CPU."""
    return run.starved_cut or run.starved_ms >= _STARVED_SHARE * run.wall_ms


def starved_by_others(run: ProgramRun) -> bool:
    """Return whether the wall limit ended a run that surely waited long for CPUs that other work on the host had.

    A program cannot cause this itself.
    """
    return (run.starved_cut or run.wall_cut) and run.starved_by_others_ms >= _STARVED_SHARE * run.wall_ms


def busy_reason(run: ProgramRun) -> Reason:
    """Return the reason why such a run decides nothing."""
    return Reason("machine_busy", {"without": round(run.starved_by_others_ms), "total": round(run.wall_ms)})


def needs_retry(run: ProgramRun, verdict: Verdict, cpu_limit_ms: float) -> bool:
    """Return whether the machine's load may have caused this verdict."""
    if run.starved_cut:
        return verdict in (Verdict.JUDGE_ERROR, Verdict.TIME_LIMIT)
    # A program that ended by itself within its CPU limit is late by the wall clock alone, which depends on the load.
    just_late = not run.wall_cut and run.cpu_ms <= cpu_limit_ms
    return verdict is Verdict.TIME_LIMIT and (just_late or is_borderline(run, cpu_limit_ms))


def is_borderline(run: ProgramRun, cpu_ms: float) -> bool:
    """Return whether the load may have made a run late: it just missed the limit `cpu_ms`, or waited for a CPU."""
    if run.wall_cut or run.starved_cut:
        return is_starved(run)
    return cpu_ms < run.cpu_ms <= _NEAR * cpu_ms


def widen_cpu_limit(bounds: SandboxBounds) -> SandboxBounds:
    """Return `bounds` with a larger CPU limit, so that a near miss can be seen to be one."""
    return replace(bounds, cpu_ms=round(bounds.cpu_ms * KILL_FACTOR))


def apply_cpu_limit(run: ProgramRun, bounds: SandboxBounds) -> ProgramRun:
    """Return a run under wider bounds as if it had been ended by the CPU limit of `bounds`, if it went past that."""
    return replace(run, cpu_cut=run.cpu_cut or run.cpu_ms > bounds.cpu_ms)
