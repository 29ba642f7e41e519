"""Completion of imported problems by running their programs in the sandbox: expected values and tests."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from app.domain.errors import InvalidProblem, JudgeError
from app.domain.imports import ImportBatch, ImportedProblem, ImportedProgram, TestsSource
from app.domain.judging.non_program_answers import CLOSE_NUMBERS
from app.domain.judging.values import compare_value
from app.domain.judging.verdicts import Verdict
from app.domain.problems import FAILURE, CheckerKind, Test
from app.domain.publishing.holds import NEEDS_PREFIX, UNFIT_PREFIX
from app.domain.testgen.candidates import CandidateCounts, candidates
from app.domain.testgen.report import refusal
from app.domain.testgen.statements.statement import derive_grammar
from workers.grading.answering_judge import AnsweringJudge, Attempt
from workers.grading.proofs import missing_packages
from workers.grading.run_verdict import CompileError
from workers.grading.testing.inputs import NamedProgram
from workers.grading.testing.package_tests import build_tests
from workers.grading.testing.suite_maker import SuiteDemands, SuiteMaker

IMPORT_DEMANDS: Final = SuiteDemands(tests=40, mutants=20)
# The bug that is asked about must be caught; many of the few mutants of short code are equivalent programs.
_MIN_MUTATION_SCORE = 0.5
_AMOUNTS = CandidateCounts(exhaustive=20, small=30, random=25, extreme=12, slow=4)
VALUE_DIFFERS = "value_differs"  # the flag of a problem whose file gives another value than its code
_MAX_NOTE_CHARS = 200


def is_complete(batch: ImportBatch) -> bool:
    """Return whether all problems of a file have their tests already."""
    return not any(problem.recipe or problem.tests_from is not TestsSource.FILE for problem in batch.problems)


def complete_batch(judge: AnsweringJudge, batch: ImportBatch, demands: SuiteDemands = IMPORT_DEMANDS) -> ImportBatch:
    """Return the batch with all tests, made by `demands` if they are not given, and with notes for people.

    Raises BuildFailed, JudgeError, SandboxUnavailable.
    """
    problems, notes = [], list(batch.notes)
    for problem in batch.problems:
        complete, note = _completed(judge, build_tests(judge, problem, batch.file_name), demands)
        problems.append(complete)
        if note:
            notes.append(f"{problem.external_id}: {note}")
    return replace(batch, problems=tuple(problems), notes=tuple(notes))


def _completed(judge: AnsweringJudge, problem: ImportedProblem, demands: SuiteDemands) -> tuple[ImportedProblem, str]:
    if problem.tests_from is TestsSource.RUN and problem.tests:
        return answer_tests(judge, problem)
    return make_suite(judge, problem, demands) if problem.tests_from is TestsSource.MADE else (problem, "")


def answer_tests(judge: AnsweringJudge, problem: ImportedProblem) -> tuple[ImportedProblem, str]:
    """Return the problem with its first reference's values, and a note on those that differ from its file's.

    If the reference gives no value, the problem has no tests, and a flag with the reason. Raises JudgeError or
    SandboxUnavailable if the judge fails.
    """
    program = next(program for program in problem.programs if program.reference)
    absent = missing_packages(judge, replace(problem.spec, tests=()), [program])
    if absent:
        flags = (*problem.flags, *(f"{NEEDS_PREFIX}{name}" for name in absent))
        note = f"held, needs {', '.join(absent)}, which the judge's packages do not have"
        return replace(problem, tests=(), tests_from=TestsSource.FILE, flags=flags), note
    try:
        attempts = _run(judge, problem, program)
    except (InvalidProblem, CompileError) as broken:
        return _unfit(problem, f"its code cannot be run: {' '.join(str(broken).split())[:_MAX_NOTE_CHARS]}")
    tests, differences = list[Test](), list[str]()
    for test, attempt in zip(problem.tests, attempts, strict=True):
        if not attempt.answered:
            how = attempt.verdict.value.replace("_", " ")
            return _unfit(problem, f"its code gives no value: {how}: {_error_line(attempt.note)[:_MAX_NOTE_CHARS]}")
        tests.append(replace(test, expected=attempt.value))
        if test.expected is not None and not _same(problem, attempt.value, test.expected):
            differences.append(f"its file says {_short(test.expected)}, its code gives {_short(attempt.value)}")
    flags = (*problem.flags, VALUE_DIFFERS) if differences else problem.flags
    return replace(problem, tests=tuple(tests), flags=flags, tests_from=TestsSource.FILE), "; ".join(differences)


def make_suite(
    judge: AnsweringJudge, problem: ImportedProblem, demands: SuiteDemands = IMPORT_DEMANDS
) -> tuple[ImportedProblem, str]:
    """Return the problem with a suite made for it, one public test, and its wrong program's failure on that test.

    Inputs keep to the problem's constraints, its references answer them, and its wrong programs must fail. If no suite
    can be admitted, a flag gives the reason. Raises JudgeError or SandboxUnavailable if the judge fails.
    """
    assert problem.entry is not None
    rules = derive_grammar(f"Constraints:\n{problem.constraints}", problem.entry)
    if rules.grammar is None or rules.unread:
        return _unfit(problem, f"its constraints cannot be read: {'; '.join(rules.unread)}")
    right, wrong = (
        [NamedProgram(one.name, one.code, one.language) for one in problem.programs if one.reference is reference]
        for reference in (True, False)
    )
    maker = SuiteMaker(judge, replace(problem.spec, tests=()), right, wrong, demands=demands)
    suite = maker.make(list(candidates(rules.grammar, 0, _AMOUNTS)))
    reason = refusal(suite.evidence, _MIN_MUTATION_SCORE)
    if reason is not None:
        return _unfit(problem, f"no suite of tests could be made: {reason}")
    place, failure = _failure(judge, problem, suite.tests)
    tests = tuple(replace(test, visible=number == place) for number, test in enumerate(suite.tests))
    statements = {
        locale: replace(text, starter_code={**text.starter_code, FAILURE: failure})
        for locale, text in problem.statements.items()
    }
    return replace(problem, tests=tests, statements=statements, tests_from=TestsSource.FILE), ""


def _failure(judge: AnsweringJudge, problem: ImportedProblem, tests: Sequence[Test]) -> tuple[int, str]:
    """Return the number of the shortest test that the wrong program fails, and its failure in words."""
    assert problem.entry is not None
    wrong = next(program for program in problem.programs if not program.reference)
    order = sorted(range(len(tests)), key=lambda number: (len(repr(tests[number].input)), number))
    inputs = (tests[number].input for number in order)
    for number, attempt in zip(order, judge.attempts(problem.spec, wrong.code, wrong.language, inputs), strict=False):
        if attempt.verdict is Verdict.JUDGE_ERROR:
            raise JudgeError(f"{problem.external_id}: {attempt.note}")
        test = tests[number]
        if attempt.answered and compare_value(problem.checker, problem.entry.returns, attempt.value, test.expected):
            continue
        values = zip(problem.entry.params, test.input, strict=True)
        given = "\n".join(f"{param.name} = {value!r}" for param, value in values)
        how = (
            f"Got: {attempt.value!r}"
            if attempt.answered
            else f"It ended with {attempt.note[:_MAX_NOTE_CHARS] or attempt.verdict}"
        )
        return number, f"Input:\n{given}\nExpected: {test.expected!r}\n{how}"
    raise JudgeError(f"{problem.external_id}: its wrong program fails no test of a suite that it fails")


def _run(judge: AnsweringJudge, problem: ImportedProblem, program: ImportedProgram) -> Sequence[Attempt]:
    inputs = [test.input for test in problem.tests]
    attempts = list(judge.attempts(problem.spec, program.code, program.language, inputs))
    for attempt in attempts:
        if attempt.verdict is Verdict.JUDGE_ERROR:
            raise JudgeError(f"{problem.external_id}: {attempt.note}")
    return attempts


def _unfit(problem: ImportedProblem, reason: str) -> tuple[ImportedProblem, str]:
    held = replace(problem, tests=(), tests_from=TestsSource.FILE, flags=(*problem.flags, f"{UNFIT_PREFIX}{reason}"))
    return held, f"held, {reason}"


def _error_line(note: str) -> str:
    """Return the line of a program's error message: the last one, except the stack frames of Java after it."""
    lines = [line.strip() for line in note.strip().splitlines()]
    return next((line for line in reversed(lines) if not line.startswith("at ")), "")


def _same(problem: ImportedProblem, value: Any, claimed: Any) -> bool:
    any_order = problem.checker.kind is CheckerKind.UNORDERED and problem.entry is not None
    returns = problem.entry.returns if any_order and problem.entry is not None else ""
    return compare_value(problem.checker if any_order else CLOSE_NUMBERS, returns, value, claimed)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
