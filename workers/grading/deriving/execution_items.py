"""Execution items: runs of short programs that can be followed by hand, chosen by the published filters."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from app.domain.deriving.inputs import nearby_inputs
from app.domain.deriving.items import DerivedItemKind, DerivedItemSpec, call_of, canonical_json, is_plain
from app.domain.deriving.programs import holds_sets, plain_parameters, shown_program
from app.domain.errors import InvalidProblem, JudgeError
from app.domain.judging.values import compare_value
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Checker, Entry, Form, Limits, Param, ProblemSpec, Test
from workers.grading.answering_judge import AnsweringJudge, Attempt

MAX_EXECUTION_ITEMS: Final = 6  # of a problem, as published
MAX_EXECUTION_STEPS: Final = 1000  # bytecodes
MAX_EXECUTION_MS: Final = 2000.0
_SET_ORDERS = 5  # further runs of a program with sets, each with another order of the texts in them
NEW_INPUTS, _MAX_PROGRAMS, _MAX_MEASURED, _MAX_SLOW = 24, 8, 48, 2
_LIMITS = Limits(time_ms=int(MAX_EXECUTION_MS), memory_mb=256, output_kb=64)
_ENTRY = Entry("measure", params=tuple(map(Param, ("code", "name", "arguments", "most_steps"))))
_Pair = tuple[int, str, list[Any]]  # a program's number and text, and the arguments of a call
_MEASURE = ProblemSpec("measure", Form.FUNCTION, (), _LIMITS, entry=_ENTRY)


@cache
def _measure() -> str:
    return Path(__file__).with_name("measure.py").read_text(encoding="utf-8")


def derive_execution_items(
    judge: AnsweringJudge,
    problem: ProblemSpec,
    programs: Sequence[tuple[int, str]],
    *,
    inputs: int = NEW_INPUTS,
    most_ms: float = MAX_EXECUTION_MS,
) -> list[DerivedItemSpec]:
    """Return a problem's items: its public tests, and runs of these numbered Python programs.

    Some items ask for the value of a run, others for an input that gives the value. So many new `inputs` are tried,
    and a program may take `most_ms` for one.

    The programs must be right by the problem's tests, and may be shown. A problem that is not one function call has no
    items. Raises JudgeError or SandboxUnavailable if the sandbox fails.
    """
    entry = problem.entry
    if problem.form is not Form.FUNCTION or entry is None or not entry.name or entry.output_param is not None:
        return []
    return [*_tests(problem, entry), *_executions(judge, problem, entry, programs, inputs, most_ms)]


def _tests(problem: ProblemSpec, entry: Entry) -> list[DerivedItemSpec]:
    """Return items of the public tests whose values can be written and compared by hand."""
    if problem.checker.kind.runs_program:
        return []
    return [
        DerivedItemSpec(
            DerivedItemKind.TEST_OUTPUT, {"call": call_of(entry.name, entry.params, test.input)}, test.expected,
            problem.checker, entry.returns,
        )
        for test in problem.tests
        if test.visible and _fits(test, entry) and test.expected is not None
    ]  # fmt: skip


def _fits(test: Test, entry: Entry) -> bool:
    nodes = any("ListNode" in kind or "TreeNode" in kind for kind in (entry.returns, *(p.type for p in entry.params)))
    return not nodes and len(test.input) == len(entry.params) and _writable(test.input) and _writable(test.expected)


def _writable(value: Any) -> bool:
    if isinstance(value, list):
        return all(map(_writable, value))
    return isinstance(value, float) or is_plain(value)


def _executions(
    judge: AnsweringJudge,
    problem: ProblemSpec,
    entry: Entry,
    programs: Sequence[tuple[int, str]],
    most_inputs: int,
    most_ms: float,
) -> list[DerivedItemSpec]:
    short = [(number, text) for number, code in programs if (text := shown_program(code, entry)) is not None][
        :_MAX_PROGRAMS
    ]
    examples = [test.input for test in problem.tests if test.visible and _fits(test, entry)]
    tests = {canonical_json(test.input) for test in problem.tests}
    inputs = nearby_inputs(examples, tests, most_inputs) if short else []
    limited = replace(problem, limits=replace(_LIMITS, time_ms=int(most_ms)))
    answers = _agreed(judge, limited, [code for _number, code in programs[:_MAX_PROGRAMS]], inputs)
    pairs = [(number, text, given) for number, text in short for given in inputs if canonical_json(given) in answers]
    pairs.sort(key=lambda pair: hashlib.sha256(f"{pair[1]}\0{canonical_json(pair[2])}".encode()).digest())
    pairs = list({(pair[1], canonical_json(pair[2])): pair for pair in reversed(pairs)}.values())[::-1][:_MAX_MEASURED]
    pairs = _steady(judge, entry, pairs, answers)
    measured = _measured(judge, entry, pairs)
    values: list[DerivedItemSpec] = []
    inputs_of: dict[str, DerivedItemSpec] = {}
    for (number, text, given), attempt in zip(pairs, _patient(measured), strict=False):
        steps = _steps(attempt, answers[canonical_json(given)])
        if steps is None:
            continue
        value, about = attempt.value["value"], {"steps": steps, "cpu_ms": round(attempt.cpu_ms, 1)}
        if len(values) < MAX_EXECUTION_ITEMS:
            call = call_of(entry.name, entry.params, given)
            values.append(
                DerivedItemSpec(
                    DerivedItemKind.EXECUTION, {"code": text, "call": call}, value, program=number, measured=about
                )
            )
        elif (params := plain_parameters(text, entry.name)) is not None and len(params) == len(entry.params):
            facts = {"code": text, "name": entry.name, "params": params, "output": repr(value)}
            key = f"{text}\0{canonical_json(value)}"
            inputs_of.setdefault(
                key,
                DerivedItemSpec(
                    DerivedItemKind.EXECUTION_INPUT, facts, value, returns=entry.returns, program=number, measured=about
                ),
            )
        if len(inputs_of) == MAX_EXECUTION_ITEMS:
            break
    return [*values, *inputs_of.values()]


def _measured(judge: AnsweringJudge, entry: Entry, pairs: Sequence[_Pair], turn: int = 0) -> Iterable[Attempt]:
    """Measure runs; each `turn` is another program to the judge, which gives each program its own order of sets."""
    calls = ([text, entry.name, given, MAX_EXECUTION_STEPS] for _number, text, given in pairs)
    return judge.attempts(_MEASURE, _measure() + "#" * turn, "python", calls)


def _steady(judge: AnsweringJudge, entry: Entry, pairs: list[_Pair], answers: Mapping[str, Any]) -> list[_Pair]:
    """Drop the runs whose value depends on the order of a set, which cannot be told by hand."""
    with_sets = [pair for pair in pairs if holds_sets(pair[1])]
    alike = with_sets
    for turn in range(1, _SET_ORDERS + 1 if with_sets else 0):
        attempts = _patient(_measured(judge, entry, alike, turn))
        alike = [
            pair
            for pair, attempt in zip(alike, attempts, strict=False)
            if _steps(attempt, answers[canonical_json(pair[2])]) is not None
        ]
    return [pair for pair in pairs if pair in alike or pair not in with_sets]


def _agreed(
    judge: AnsweringJudge, problem: ProblemSpec, codes: Sequence[str], inputs: Sequence[list[Any]]
) -> dict[str, Any]:
    """Return, by input, the common answer of all programs, without inputs on which they differ or one fails."""
    agreed: dict[str, Any] = {}
    if not inputs:
        return agreed
    for turn, code in enumerate(codes):
        try:
            answers = list(_patient(judge.attempts(problem, code, "python", inputs)))
        except InvalidProblem as unjudged:
            raise JudgeError(str(unjudged)) from unjudged
        given = {canonical_json(given): attempt.value for given, attempt in zip(inputs, answers, strict=False)
                 if attempt.answered and is_plain(attempt.value) and attempt.value is not None}  # fmt: skip
        agreed = {
            key: value for key, value in given.items() if turn == 0 or (key in agreed and _same(value, agreed[key]))
        }
    return agreed


def _patient(attempts: Iterable[Attempt]) -> Iterator[Attempt]:
    """Yield attempts until two took too long, since a program that hangs would hang on further inputs too."""
    slow = 0
    for attempt in attempts:
        if attempt.verdict is Verdict.JUDGE_ERROR:
            raise JudgeError(attempt.note)
        yield attempt
        slow += attempt.verdict is Verdict.TIME_LIMIT
        if slow == _MAX_SLOW:
            return


def _same(one: Any, other: Any) -> bool:
    return compare_value(Checker(), "", one, other)


def _steps(attempt: Attempt, answer: Any) -> int | None:
    """Return the bytecodes of a run; None if the filters refuse it, or if its value is not the agreed answer."""
    facts = attempt.value
    if not attempt.answered or not isinstance(facts, dict) or attempt.cpu_ms > MAX_EXECUTION_MS:
        return None
    steps = facts.get("steps")
    if not isinstance(steps, int) or not 0 < steps <= MAX_EXECUTION_STEPS:
        return None
    passes = facts.get("small") is True and facts.get("plain") is True
    return steps if passes and _same(facts.get("value"), answer) else None
