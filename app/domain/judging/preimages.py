"""Judging an answer that is an input: any is right on which a given program returns a given value. Pure."""

import ast
import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from app.domain.problems import Checker, Entry, Form, Limits, ProblemSpec, Test

LIMITS: Final = Limits(time_ms=2000, memory_mb=256, output_kb=64)
_LONGEST = 20_000  # characters that are parsed; Python's parser stays safe there
_UNREADABLE = (SyntaxError, ValueError, TypeError, MemoryError, RecursionError)


@dataclass(frozen=True, slots=True)
class Preimage:
    """A program, the function of it that an answer's arguments are for, and the value that it must return."""

    code: str
    entry: Entry
    value: Any
    language: str = "python"
    checker: Checker = Checker()
    limits: Limits = LIMITS

    def posed(self, answer: str) -> ProblemSpec:
        """What the program is judged by to judge the answer: one test, whose input is the answer.

        The answer is a call of the function, or its arguments as `asking.inputs.given_in` writes them. Raises
        ValueError where it is neither, they are not those of the function, or one is nothing that JSON writes.
        """
        names = [param.name for param in self.entry.params]
        said = json.loads(answer) if answer.startswith("{") else None
        given = _called(answer, self.entry.name, names) if said is None else _bound(said["given"], said["named"], names)
        tests = (Test(given, self.value, visible=True),)
        return ProblemSpec("preimage", Form.FUNCTION, tests, self.limits, self.checker, self.entry)


def call_in(text: str) -> str | None:
    """A call of a name with literal arguments, in Python's own spelling; None where the text is something else."""
    call = _parsed(text)
    if call is None:
        return None
    try:
        for value in (*call.args, *(keyword.value for keyword in call.keywords)):
            ast.literal_eval(value)
        return ast.unparse(call)
    except _UNREADABLE:
        return None


def _parsed(text: str) -> ast.Call | None:
    text = text.strip()
    if not text or len(text) > _LONGEST:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an odd escape in a model's string is not our warning
            call = ast.parse(text, mode="eval").body
    except _UNREADABLE:
        return None
    return call if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else None


def _called(text: str, name: str, params: Sequence[str]) -> list[Any]:
    """The arguments of a call in the order of the parameters."""
    call = _parsed(text)
    if call is None or not isinstance(call.func, ast.Name) or call.func.id != name:
        raise ValueError(f"no call of {name}")
    named = {str(keyword.arg): keyword.value for keyword in call.keywords}
    if len(named) < len(call.keywords):
        raise ValueError("an argument is named twice")
    nodes = _ordered(call.args, named, params)
    return [_value(param, node) for param, node in zip(params, nodes, strict=True)]


def _bound(given: Sequence[Any], named: Mapping[str, Any], params: Sequence[str]) -> list[Any]:
    """Arguments that were written without a call, in the order of the parameters; one list or object may hold all."""
    if len(given) == 1 and not named:
        match given[0]:
            case dict(whole) if set(whole) == set(params):
                return _ordered([], whole, params)
            case list(whole) if len(params) > 1 and len(whole) == len(params):
                return _ordered(whole, {}, params)
    return _ordered(given, named, params)


def _ordered(given: Sequence[Any], named: Mapping[str, Any], params: Sequence[str]) -> list[Any]:
    """Raises ValueError where these are not one argument for each parameter."""
    values = dict(zip(params, given, strict=False)) | dict(named)
    if len(given) + len(named) != len(params) or set(values) != set(params):
        raise ValueError(f"these are not the arguments {', '.join(params)}")
    return [values[param] for param in params]


def _value(param: str, node: ast.expr) -> Any:
    try:
        value = ast.literal_eval(node)
        if json.loads(json.dumps(value, allow_nan=False)) == value:  # a tuple, or a key that is no text, is not
            return value
    except _UNREADABLE:
        pass
    raise ValueError(f"the value of {param} is none that JSON writes")
