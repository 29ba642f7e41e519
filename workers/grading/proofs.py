"""Proof of a test set by programs whose verdict is known, and the alarm of problems that no program can pass."""

import ast
import contextlib
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from app.domain.errors import JudgeError
from app.domain.imports import ImportedProgram
from app.domain.judging.speed import ReferenceTime, fastest_program
from app.domain.judging.verdicts import GradeResult, Verdict
from app.domain.problems import Form, ProblemSpec
from app.domain.publishing.holds import ProofOutcome
from app.domain.reasons import Params, Reason, error_reason
from app.domain.unittests.discovery import imported_packages
from app.domain.unittests.reference import BranchCoverage, group_by_place, mark_beside
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.judge import Judge
from workers.grading.testing.branch_coverage import measure_coverage

# References must pass this often in a row: one pass may be luck (time, hashing, memory layout).
REFERENCE_RUNS = 3


def prove(judge: AnsweringJudge, problem: ProblemSpec, programs: Sequence[ImportedProgram]) -> ProofOutcome:
    """Run every program: references must be accepted each time, known-wrong programs must not be.

    Without references, a checker must end on the jury's answers and an interactor on a program that prints nothing.
    The outcome carries the CPU time of the fastest reference of each language, for the speed of answers; the unittests
    that cannot be judged outside a program; and the coverage of the first reference.
    """
    references = [program for program in programs if program.reference]
    wrong = [program for program in programs if not program.reference]
    turns: dict[str, list[list[ReferenceTime]]] = {}
    absent = missing_packages(judge, problem, references)
    if absent:  # named first: a failed import would give a less clear reason
        reason = Reason("lacks_packages", cause=", ".join(absent))
        return ProofOutcome(proven=False, reason=reason, references=len(references), wrong=len(wrong), lacking=absent)
    cpu_ms: list[float] = []  # of each accepted run of a reference
    results = _reference_results(judge, problem, references)
    beside = group_by_place(name for result in results for name in result.unpacked)
    problem = replace(problem, tests=mark_beside(problem.tests, beside))

    def outcome(reason: str | None, *, ours: bool = False) -> ProofOutcome:
        times = {language: best for language, turn in turns.items() if (best := fastest_program(turn)) is not None}
        most = max(cpu_ms) if cpu_ms and problem.form is Form.UNITTEST and reason is None else None
        return ProofOutcome(
            reason is None, reason, len(references), len(wrong), ours, {} if reason else times, beside, most
        )

    fault = _judge_failure(results) if references else _helper_fault(judge, problem)
    if fault is not None:
        return outcome(fault.reason, ours=fault.ours)
    for program in references:
        timings: list[ReferenceTime] = []
        turns.setdefault(program.language, []).append(timings)
        for _turn in range(REFERENCE_RUNS):
            result = judge.grade(problem, program.code, program.language)
            if result.verdict is Verdict.JUDGE_ERROR:
                return outcome(result.message, ours=True)
            if result.verdict is not Verdict.ACCEPTED:
                about: Params = {
                    "what": program.name, "verdict": result.verdict.short,
                    "n": result.passed + 1, "total": result.total,
                }  # fmt: skip
                return outcome(Reason("reference_gets_on", about))
            cpu_ms.append(result.cpu_ms / (result.slowness or 1.0))
            if not result.in_process:
                timings.append(ReferenceTime(result.cpu_ms, result.grader_revision, result.limit_mode))
    last = _accepted_wrong(judge, problem, wrong) or _coverage(judge, problem, references)
    if isinstance(last, _Fault):
        return outcome(last.reason, ours=last.ours)
    return replace(outcome(None), covered=last)


def missing_packages(judge: Judge, problem: ProblemSpec, references: Sequence[ImportedProgram]) -> list[str]:
    """Return the packages that unittests and references import and that are not installed here."""
    if not problem.has_packages:
        return []
    preamble = "" if problem.entry is None else problem.entry.preamble
    tests = (test.input for test in problem.tests if problem.form is Form.UNITTEST)
    names: set[str] = set()
    for source in (preamble, *tests, *(one.code for one in references)):
        with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):  # judging reports these
            names |= imported_packages(ast.parse(source))
    return sorted(names - judge.importable_modules() - {""})


class _Fault(NamedTuple):
    """The reason why tests are not proven; `ours` if the judge failed."""

    reason: str
    ours: bool = False


def _helper_fault(judge: AnsweringJudge, problem: ProblemSpec) -> _Fault | None:
    """Return what is wrong with the checker or interactor, as far as it shows without references."""
    try:
        reason = judge.find_helper_fault(problem)
    except JudgeError as failure:
        return _Fault(error_reason(failure), ours=True)
    return _Fault(reason) if reason else None


def _accepted_wrong(judge: Judge, problem: ProblemSpec, wrong: Sequence[ImportedProgram]) -> _Fault | None:
    """Return the fault that names the first known-wrong program that is accepted."""
    for program in wrong:
        result = judge.grade(problem, program.code, program.language)
        if result.verdict is Verdict.JUDGE_ERROR:
            return _Fault(result.message, ours=True)
        if result.verdict is Verdict.ACCEPTED:
            return _Fault(Reason("wrong_passes", {"what": program.name}))
    return None


def _coverage(
    judge: AnsweringJudge, problem: ProblemSpec, references: Sequence[ImportedProgram]
) -> BranchCoverage | _Fault | None:
    """Measure the coverage of the first reference by unittests."""
    try:
        return measure_coverage(judge, problem, references[0].code) if references else None
    except JudgeError as failure:
        return _Fault(error_reason(failure), ours=True)


def _reference_results(judge: Judge, problem: ProblemSpec, references: Sequence[ImportedProgram]) -> list[GradeResult]:
    """Grade the references on unittests, to find those whose values cannot leave the sandbox."""
    if problem.form is not Form.UNITTEST:
        return []
    return [judge.grade(problem, one.code, one.language, all_tests=True, proving=True) for one in references]


def _judge_failure(results: Sequence[GradeResult]) -> _Fault | None:
    """Return the judge's failure on a test: it is not known then whether the test's value can leave the sandbox."""
    for result in results:
        if Verdict.JUDGE_ERROR in (result.verdict, *(test.verdict for test in result.tests)):
            return _Fault(result.message, ours=True)
    return None


def find_passed_canary(judge: Judge, problem: ProblemSpec, programs: Sequence[ImportedProgram]) -> str | None:
    """Grade programs on an impossible problem; return the alarm's text if one is accepted, else None."""
    for program in programs:
        if judge.grade(problem, program.code, program.language).verdict is Verdict.ACCEPTED:
            return f"the impossible problem {problem.id} was passed by {program.name}: verdicts cannot be trusted"
    return None
