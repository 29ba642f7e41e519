"""Proving a test set by programs whose verdict is known, and the standing alarm no program may silence."""

import ast
import contextlib
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from app.domain.errors import JudgeError
from app.domain.imports import ImportedProgram
from app.domain.judging.speed import Timed, fastest
from app.domain.judging.verdicts import GradeResult, Verdict
from app.domain.problems import Form, ProblemSpec
from app.domain.publishing.holds import ProofOutcome
from app.domain.unittests.reading import imported
from app.domain.unittests.reference import Covered, by_place, settled
from workers.grading.judge import Judge
from workers.grading.producer import Producer
from workers.grading.testing.covering import covered

# References must pass this often in a row: once may be luck (time, hashing, memory layout).
REFERENCE_RUNS = 3


def prove(judge: Producer, problem: ProblemSpec, programs: Sequence[ImportedProgram]) -> ProofOutcome:
    """Run every program: references must be accepted each time, known-wrong ones must not be.

    Without references, whatever decides on answers must come to an end with what cannot be wrong.
    A proof carries what the fastest reference of each language took, which answers are measured against, which
    unittests cannot be judged outside of a program, and what they reach of the first reference.
    """
    references = [program for program in programs if program.reference]
    wrong = [program for program in programs if not program.reference]
    turns: dict[str, list[list[Timed]]] = {}
    absent = lacking(judge, problem, references)
    if absent:  # named at once: what cannot be imported fails in ways that say less
        reason = f"needs {', '.join(absent)}, which the judge's packages do not have"
        return ProofOutcome(proven=False, reason=reason, references=len(references), wrong=len(wrong), lacking=absent)
    slowest: list[float] = []
    looked = _looked_at(judge, problem, references)
    beside = by_place(name for result in looked for name in result.unpacked)
    problem = replace(problem, tests=settled(problem.tests, beside))

    def outcome(reason: str | None, *, ours: bool = False) -> ProofOutcome:
        times = {language: best for language, turn in turns.items() if (best := fastest(turn)) is not None}
        most = max(slowest) if slowest and problem.form is Form.UNITTEST and reason is None else None
        return ProofOutcome(
            reason is None, reason, len(references), len(wrong), ours, {} if reason else times, beside, most
        )

    fault = _unseen(looked) if references else _unsure(judge, problem)
    if fault is not None:
        return outcome(fault.reason, ours=fault.ours)
    for program in references:
        timings: list[Timed] = []
        turns.setdefault(program.language, []).append(timings)
        for _turn in range(REFERENCE_RUNS):
            result = judge.grade(problem, program.code, program.language)
            if result.verdict is Verdict.JUDGE_ERROR:
                return outcome(result.message, ours=True)
            if result.verdict is not Verdict.ACCEPTED:
                place = f"test {result.passed + 1} of {result.total}"
                reason = f"reference {program.name} gets {result.verdict.short} on {place}"
                return outcome(reason)
            slowest.append(result.cpu_ms / (result.slowness or 1.0))
            if not result.in_process:
                timings.append(Timed(result.cpu_ms, result.grader_revision, result.limit_mode))
    end = _lenient(judge, problem, wrong) or _reached(judge, problem, references)
    if isinstance(end, _Fault):
        return outcome(end.reason, ours=end.ours)
    return replace(outcome(None), covered=end)


def lacking(judge: Judge, problem: ProblemSpec, references: Sequence[ImportedProgram]) -> list[str]:
    """The packages that unittests and right programs import, and that are not here."""
    if not problem.has_packages:
        return []
    preamble = "" if problem.entry is None else problem.entry.preamble
    tests = (test.input for test in problem.tests if problem.form is Form.UNITTEST)
    names: set[str] = set()
    for source in (preamble, *tests, *(one.code for one in references)):
        with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):  # judging says what is wrong
            names |= imported(ast.parse(source))
    return sorted(names - judge.offered() - {""})


class _Fault(NamedTuple):
    """Why tests are not proven; `ours` when the judge failed."""

    reason: str
    ours: bool = False


def _unsure(judge: Producer, problem: ProblemSpec) -> _Fault | None:
    """What is wrong with whatever decides on answers, as far as can be told without references."""
    try:
        reason = judge.unsure(problem)
    except JudgeError as failure:
        return _Fault(str(failure), ours=True)
    return _Fault(reason) if reason else None


def _lenient(judge: Judge, problem: ProblemSpec, wrong: Sequence[ImportedProgram]) -> _Fault | None:
    """Which wrong program the tests take for right."""
    for program in wrong:
        result = judge.grade(problem, program.code, program.language)
        if result.verdict is Verdict.JUDGE_ERROR:
            return _Fault(result.message, ours=True)
        if result.verdict is Verdict.ACCEPTED:
            return _Fault(f"known-wrong program {program.name} is accepted")
    return None


def _reached(judge: Producer, problem: ProblemSpec, references: Sequence[ImportedProgram]) -> Covered | _Fault | None:
    """What unittests reach of the first reference."""
    try:
        return covered(judge, problem, references[0].code) if references else None
    except JudgeError as failure:
        return _Fault(str(failure), ours=True)


def _looked_at(judge: Judge, problem: ProblemSpec, references: Sequence[ImportedProgram]) -> list[GradeResult]:
    """The results of references that say which unittests their values cannot leave them for."""
    if problem.form is not Form.UNITTEST:
        return []
    return [judge.grade(problem, one.code, one.language, all_tests=True, proving=True) for one in references]


def _unseen(results: Sequence[GradeResult]) -> _Fault | None:
    """Where the judge failed on a test: then it is not known whether its value can leave the reference."""
    for result in results:
        if Verdict.JUDGE_ERROR in (result.verdict, *(test.verdict for test in result.tests)):
            return _Fault(result.message, ours=True)
    return None


def tripped(judge: Judge, problem: ProblemSpec, programs: Sequence[ImportedProgram]) -> str | None:
    """Try an impossible problem; the alarm's text when any program is accepted, else None."""
    for program in programs:
        if judge.grade(problem, program.code, program.language).verdict is Verdict.ACCEPTED:
            return f"the impossible problem {problem.id} was passed by {program.name}: verdicts cannot be trusted"
    return None
