"""Judging of answers that are inputs: any is right on which a given program returns a given value. Pure."""

import ast
import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from app.domain.problems import Checker, Entry, Form, Limits, ProblemSpec, Test

PREIMAGE_LIMITS: Final = Limits(time_ms=2000, memory_mb=256, output_kb=64)
_MAX_PARSED_CHARS = 20_000  # characters that are parsed; Python's parser stays safe there
_UNREADABLE = (SyntaxError, ValueError, TypeError, MemoryError, RecursionError)


@dataclass(frozen=True, slots=True)
class Preimage:
    """Program, its function that an answer's arguments are for, and the value that it must return."""

    code: str
    entry: Entry
    value: Any
    language: str = "python"
    checker: Checker = Checker()
    limits: Limits = PREIMAGE_LIMITS

    def problem_for(self, answer: str) -> ProblemSpec:
        """Return the problem that judges the answer by the program: one test, whose input is the answer.

        The answer is a call of the function, or its arguments as `asking.inputs.given_in` writes them. Raises
        ValueError if it is neither, if the arguments are not those of the function, or if JSON cannot write one of
        them.
        """
        names = [param.name for param in self.entry.params]
        written = json.loads(answer) if answer.startswith("{") else None
        arguments = (
            _call_arguments(answer, self.entry.name, names)
            if written is None
            else _bind_arguments(written["given"], written["named"], names)
        )
        tests = (Test(arguments, self.value, visible=True),)
        return ProblemSpec("preimage", Form.FUNCTION, tests, self.limits, self.checker, self.entry)


def call_in(text: str) -> str | None:
    """Return a call of a name with literal arguments, in Python's own spelling; None if the text is something else."""
    call = _parse_call(text)
    if call is None:
        return None
    try:
        for value in (*call.args, *(keyword.value for keyword in call.keywords)):
            ast.literal_eval(value)
        return ast.unparse(call)
    except _UNREADABLE:
        return None


def _parse_call(text: str) -> ast.Call | None:
    text = text.strip()
    if not text or len(text) > _MAX_PARSED_CHARS:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # ignore odd escapes in a model's string
            call = ast.parse(text, mode="eval").body
    except _UNREADABLE:
        return None
    return call if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else None


def _call_arguments(text: str, name: str, params: Sequence[str]) -> list[Any]:
    """Return the arguments of a call in the order of the parameters."""
    call = _parse_call(text)
    if call is None or not isinstance(call.func, ast.Name) or call.func.id != name:
        raise ValueError(f"no call of {name}")
    named = {str(keyword.arg): keyword.value for keyword in call.keywords}
    if len(named) < len(call.keywords):
        raise ValueError("an argument is named twice")
    nodes = _order_arguments(call.args, named, params)
    return [_literal_value(param, node) for param, node in zip(params, nodes, strict=True)]


def _bind_arguments(given: Sequence[Any], named: Mapping[str, Any], params: Sequence[str]) -> list[Any]:
    """Return arguments written without a call, in the order of the parameters; one list or object may hold them all."""
    if len(given) == 1 and not named:
        match given[0]:
            case dict(whole) if set(whole) == set(params):
                return _order_arguments([], whole, params)
            case list(whole) if len(params) > 1 and len(whole) == len(params):
                return _order_arguments(whole, {}, params)
    return _order_arguments(given, named, params)


def _order_arguments(given: Sequence[Any], named: Mapping[str, Any], params: Sequence[str]) -> list[Any]:
    """Return one argument for each parameter, in order. Raises ValueError if these are others."""
    values = dict(zip(params, given, strict=False)) | dict(named)
    if len(given) + len(named) != len(params) or set(values) != set(params):
        raise ValueError(f"these are not the arguments {', '.join(params)}")
    return [values[param] for param in params]


def _literal_value(param: str, node: ast.expr) -> Any:
    try:
        value = ast.literal_eval(node)
        if json.loads(json.dumps(value, allow_nan=False)) == value:  # false for tuples and for keys that are no text
            return value
    except _UNREADABLE:
        pass
    raise ValueError(f"the value of {param} is none that JSON writes")
