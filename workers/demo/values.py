"""What calls return, by a right program of the league: its own text is run, never one that a prompt brought."""

import ast
import copy
import sys
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

from app.domain.deriving.inputs import near
from app.domain.problems import Entry
from workers.demo.recognise import Question

_LONGEST = 2_000  # characters of a call
_MOST_INPUTS = 48
_MOST_LINES = 50_000  # executed


class _TooLong(BaseException):
    pass


@dataclass(frozen=True, slots=True)
class Value:
    """A value that a call returns; None is one too."""

    value: Any


def value_of(question: Question, call: str) -> Value | None:
    """What the call returns; None where it is none of the league's functions, or takes long."""
    entry = question.problem.spec.entry
    if entry is None or len(call) > _LONGEST:
        return None
    try:
        parsed = ast.parse(call, mode="eval").body
        if not isinstance(parsed, ast.Call) or parsed.args:
            return None
        given = {keyword.arg: ast.literal_eval(keyword.value) for keyword in parsed.keywords}
        return _returned(question, entry, [given[param.name] for param in entry.params])
    except Exception:  # whatever a prompt's arguments make of it, this is no call
        return None


def input_for(question: Question, output: str) -> Value | None:
    """Arguments, near the problem's examples, for which its program returns what is written; None where none do."""
    entry = question.problem.spec.entry
    if entry is None:
        return None
    examples = [test.input for test in question.problem.spec.tests if test.visible]
    for given in (*examples, *near(examples, (), _MOST_INPUTS)):
        found = _returned(question, entry, copy.deepcopy(given))
        if found is not None and repr(found.value) == output:
            return Value(given)
    return None


def _returned(question: Question, entry: Entry, arguments: list[Any]) -> Value | None:
    programs = [each.code for each in question.problem.programs_of(reference=True) if each.language == "python"]
    if not programs:
        return None
    try:
        space: dict[str, Any] = {"__name__": "program"}
        program = compile(question.program or programs[0], "<league>", "exec")
        with _Watch():
            _run(program, space)
            function = space[entry.name] if entry.cls is None else getattr(space[entry.cls](), entry.name)
            return Value(function(*arguments))
    except (Exception, _TooLong):  # whatever a prompt's arguments make of it, this is no value
        return None


def _run(program: CodeType, space: dict[str, Any]) -> None:
    exec(program, space)  # noqa: S102  # a program of the league's, as it was shipped


class _Watch:
    """Ends what executes too many lines."""

    def __init__(self) -> None:
        self._left = _MOST_LINES

    def __enter__(self) -> None:
        sys.settrace(self._look)

    def __exit__(self, *_error: object) -> None:
        sys.settrace(None)

    def _look(self, _frame: FrameType, _event: str, _argument: object) -> Any:
        self._left -= 1
        if self._left < 0:
            raise _TooLong
        return self._look


def beside(value: Any, pick: float) -> Value:
    """A value of the same type that is not the same, as one who errs would say."""
    if isinstance(value, bool):
        return Value(not value)
    if isinstance(value, int | float):
        return Value(value + (1 if pick < 0.6 else -1))  # more often one too many
    if isinstance(value, str):
        return Value(value[:-1] if value else "a")
    if isinstance(value, list):
        return Value([*value[:-1], beside(value[-1], pick).value] if value else [0])
    if isinstance(value, dict) and value:
        last = list(value)[-1]
        return Value({**value, last: beside(value[last], pick).value})
    return Value(0)
