"""Values that calls return, by a right program of the league: its own text is run, never a program from a prompt."""

import ast
import copy
import sys
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

from app.domain.deriving.inputs import nearby_inputs
from app.domain.problems import Entry
from workers.demo.questions import Question

_MAX_CALL_CHARS = 2_000
_MAX_INPUTS = 48
_MAX_LINES = 50_000  # executed


class _LineLimitExceeded(BaseException):
    pass


@dataclass(frozen=True, slots=True)
class CallValue:
    """The value that a call returns, which may be None."""

    value: Any


def value_of(question: Question, call: str) -> CallValue | None:
    """Return the call's value; None if it calls none of the league's functions, or takes too long."""
    entry = question.problem.spec.entry
    if entry is None or len(call) > _MAX_CALL_CHARS:
        return None
    try:
        parsed = ast.parse(call, mode="eval").body
        if not isinstance(parsed, ast.Call) or parsed.args:
            return None
        arguments = {keyword.arg: ast.literal_eval(keyword.value) for keyword in parsed.keywords}
        return _run_call(question, entry, [arguments[param.name] for param in entry.params])
    except Exception:  # the prompt's arguments may do anything; then this is no call
        return None


def input_for(question: Question, output: str) -> CallValue | None:
    """Return arguments near the problem's examples for which its program returns `output`; None if none do."""
    entry = question.problem.spec.entry
    if entry is None:
        return None
    examples = [test.input for test in question.problem.spec.tests if test.visible]
    for arguments in (*examples, *nearby_inputs(examples, (), _MAX_INPUTS)):
        result = _run_call(question, entry, copy.deepcopy(arguments))
        if result is not None and repr(result.value) == output:
            return CallValue(arguments)
    return None


def _run_call(question: Question, entry: Entry, arguments: list[Any]) -> CallValue | None:
    programs = [
        program.code for program in question.problem.programs_of(reference=True) if program.language == "python"
    ]
    if not programs:
        return None
    try:
        namespace: dict[str, Any] = {"__name__": "program"}
        program = compile(question.program or programs[0], "<league>", "exec")
        with _LineLimit():
            _execute(program, namespace)
            function = namespace[entry.name] if entry.cls is None else getattr(namespace[entry.cls](), entry.name)
            return CallValue(function(*arguments))
    except (Exception, _LineLimitExceeded):  # the prompt's arguments may do anything; then there is no value
        return None


def _execute(program: CodeType, namespace: dict[str, Any]) -> None:
    exec(program, namespace)  # noqa: S102  # a program of the league, as it was shipped


class _LineLimit:
    """A limit on executed lines, which ends the code that exceeds it."""

    def __init__(self) -> None:
        self._left = _MAX_LINES

    def __enter__(self) -> None:
        sys.settrace(self._count_line)

    def __exit__(self, *_error: object) -> None:
        sys.settrace(None)

    def _count_line(self, _frame: FrameType, _event: str, _argument: object) -> Any:
        self._left -= 1
        if self._left < 0:
            raise _LineLimitExceeded
        return self._count_line


def nearby_value(value: Any, pick: float) -> CallValue:
    """Return another value of the same type, as a plausible mistake."""
    if isinstance(value, bool):
        return CallValue(not value)
    if isinstance(value, int | float):
        return CallValue(value + (1 if pick < 0.6 else -1))  # more often off by +1
    if isinstance(value, str):
        return CallValue(value[:-1] if value else "a")
    if isinstance(value, list):
        return CallValue([*value[:-1], nearby_value(value[-1], pick).value] if value else [0])
    if isinstance(value, dict) and value:
        last = list(value)[-1]
        return CallValue({**value, last: nearby_value(value[last], pick).value})
    return CallValue(0)
