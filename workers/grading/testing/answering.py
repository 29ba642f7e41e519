"""What a file of problems leaves to be found by running programs, all of it in the sandbox: expected values, tests."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from app.domain.errors import InvalidProblem, JudgeError
from app.domain.imports import ImportBatch, ImportedProblem, ImportedProgram, TestsFrom
from app.domain.judging.answers import CLOSE
from app.domain.judging.values import compare_value
from app.domain.judging.verdicts import Verdict
from app.domain.problems import FAILURE, CheckerKind, Test
from app.domain.publishing.holds import NEEDS, UNFIT
from app.domain.testgen.candidates import Amounts, candidates
from app.domain.testgen.report import refusal
from app.domain.testgen.statements.statement import derive
from workers.grading.outcome import CompileError
from workers.grading.producer import Attempt, Producer
from workers.grading.proofs import lacking
from workers.grading.testing.building import built
from workers.grading.testing.inputs import Program
from workers.grading.testing.maker import Demands, Maker

DEMANDS: Final = Demands(tests=40, mutants=20)
# The bug that is asked about must be caught; of so few mutants of short code, many are the same program still.
_LEAST_SCORE = 0.5
_AMOUNTS = Amounts(exhaustive=20, small=30, random=25, extreme=12, slow=4)
DIFFERS = "value_differs"  # the flag of a problem whose file gives another value than its code
_WORDS = 200


def is_whole(batch: ImportBatch) -> bool:
    """Whether nothing of a file is left to be found by running programs."""
    return not any(problem.recipe or problem.tests_from is not TestsFrom.FILE for problem in batch.problems)


def completed(producer: Producer, batch: ImportBatch, demands: Demands = DEMANDS) -> ImportBatch:
    """The batch with all tests, those that are made as `demands` has it, and notes of what was found out.

    Raises BuildFailed, JudgeError, SandboxUnavailable.
    """
    problems, notes = [], list(batch.notes)
    for problem in batch.problems:
        made, note = _completed(producer, built(producer, problem, batch.file_name), demands)
        problems.append(made)
        if note:
            notes.append(f"{problem.external_id}: {note}")
    return replace(batch, problems=tuple(problems), notes=tuple(notes))


def _completed(producer: Producer, problem: ImportedProblem, demands: Demands) -> tuple[ImportedProblem, str]:
    if problem.tests_from is TestsFrom.RUN and problem.tests:
        return answered(producer, problem)
    return made(producer, problem, demands) if problem.tests_from is TestsFrom.MADE else (problem, "")


def answered(producer: Producer, problem: ImportedProblem) -> tuple[ImportedProblem, str]:
    """The problem with the values that its first reference gives for its inputs, and where its file says otherwise.

    A program that gives none leaves the problem without tests, with a flag that says why. Raises JudgeError or
    SandboxUnavailable when we fail.
    """
    program = next(program for program in problem.programs if program.reference)
    absent = lacking(producer, replace(problem.spec, tests=()), [program])
    if absent:
        flags = (*problem.flags, *(f"{NEEDS}{name}" for name in absent))
        note = f"held, needs {', '.join(absent)}, which the judge's packages do not have"
        return replace(problem, tests=(), tests_from=TestsFrom.FILE, flags=flags), note
    try:
        attempts = _run(producer, problem, program)
    except (InvalidProblem, CompileError) as broken:
        return _unfit(problem, f"its code cannot be run: {' '.join(str(broken).split())[:_WORDS]}")
    tests, words = list[Test](), list[str]()
    for test, attempt in zip(problem.tests, attempts, strict=True):
        if not attempt.answered:
            how = attempt.verdict.value.replace("_", " ")
            return _unfit(problem, f"its code gives no value: {how}: {_told(attempt.note)[:_WORDS]}")
        tests.append(replace(test, expected=attempt.value))
        if test.expected is not None and not _same(problem, attempt.value, test.expected):
            words.append(f"its file says {_short(test.expected)}, its code gives {_short(attempt.value)}")
    flags = (*problem.flags, DIFFERS) if words else problem.flags
    return replace(problem, tests=tuple(tests), flags=flags, tests_from=TestsFrom.FILE), "; ".join(words)


def made(producer: Producer, problem: ImportedProblem, demands: Demands = DEMANDS) -> tuple[ImportedProblem, str]:
    """The problem with a suite of its own, of which the first test is public, and how its wrong program fails on it.

    Inputs keep to the problem's constraints, its references answer them, and its wrong programs must fail. Where that
    makes no suite that can be admitted, a flag says why. Raises JudgeError or SandboxUnavailable when we fail.
    """
    assert problem.entry is not None
    rules = derive(f"Constraints:\n{problem.constraints}", problem.entry)
    if rules.grammar is None or rules.unread:
        return _unfit(problem, f"its constraints cannot be read: {'; '.join(rules.unread)}")
    right, wrong = (
        [Program(one.name, one.code, one.language) for one in problem.programs if one.reference is reference]
        for reference in (True, False)
    )
    maker = Maker(producer, replace(problem.spec, tests=()), right, wrong, demands=demands)
    suite = maker.make(list(candidates(rules.grammar, 0, _AMOUNTS)))
    reason = refusal(suite.evidence, _LEAST_SCORE)
    if reason is not None:
        return _unfit(problem, f"no suite of tests could be made: {reason}")
    place, failure = _failure(producer, problem, suite.tests)
    tests = tuple(replace(test, visible=number == place) for number, test in enumerate(suite.tests))
    statements = {
        locale: replace(text, starter_code={**text.starter_code, FAILURE: failure})
        for locale, text in problem.statements.items()
    }
    return replace(problem, tests=tests, statements=statements, tests_from=TestsFrom.FILE), ""


def _failure(producer: Producer, problem: ImportedProblem, tests: Sequence[Test]) -> tuple[int, str]:
    """(which of the shortest tests the wrong program fails, how it does), as people are told of a failure."""
    assert problem.entry is not None
    wrong = next(program for program in problem.programs if not program.reference)
    order = sorted(range(len(tests)), key=lambda number: (len(repr(tests[number].input)), number))
    inputs = (tests[number].input for number in order)
    for number, attempt in zip(
        order, producer.attempts(problem.spec, wrong.code, wrong.language, inputs), strict=False
    ):
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
            else f"It ended with {attempt.note[:_WORDS] or attempt.verdict}"
        )
        return number, f"Input:\n{given}\nExpected: {test.expected!r}\n{how}"
    raise JudgeError(f"{problem.external_id}: its wrong program fails no test of a suite that it fails")


def _run(producer: Producer, problem: ImportedProblem, program: ImportedProgram) -> Sequence[Attempt]:
    inputs = [test.input for test in problem.tests]
    attempts = list(producer.attempts(problem.spec, program.code, program.language, inputs))
    for attempt in attempts:
        if attempt.verdict is Verdict.JUDGE_ERROR:
            raise JudgeError(f"{problem.external_id}: {attempt.note}")
    return attempts


def _unfit(problem: ImportedProblem, reason: str) -> tuple[ImportedProblem, str]:
    made = replace(problem, tests=(), tests_from=TestsFrom.FILE, flags=(*problem.flags, f"{UNFIT}{reason}"))
    return made, f"held, {reason}"


def _told(note: str) -> str:
    """What a program said of its error: its last line, but for the places in code that Java names last."""
    lines = [line.strip() for line in note.strip().splitlines()]
    return next((line for line in reversed(lines) if not line.startswith("at ")), "")


def _same(problem: ImportedProblem, value: Any, claimed: Any) -> bool:
    any_order = problem.checker.kind is CheckerKind.UNORDERED and problem.entry is not None
    returns = problem.entry.returns if any_order and problem.entry is not None else ""
    return compare_value(problem.checker if any_order else CLOSE, returns, value, claimed)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
