"""Judging an answer that is a call: it is right if a given program returns a given value for it. Pure."""

import ast
import json
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from app.domain.problems import Entry, Form, Limits, Param, ProblemSpec, Test

LIMITS: Final = Limits(time_ms=2000, memory_mb=256, output_kb=64)
_LONGEST = 20_000  # characters that are parsed; Python's parser stays safe there
_UNREADABLE = (SyntaxError, ValueError, TypeError, MemoryError, RecursionError)


@dataclass(frozen=True, slots=True)
class Preimage:
    """The function `name` of a Python program, with these parameters, and the value that a call of it must return."""

    code: str
    name: str
    params: tuple[str, ...]
    value: Any
    returns: str = ""

    def posed(self, answer: str) -> ProblemSpec:
        """What the program is judged by to judge the answer: one test, whose input is the answer.

        Raises ValueError where the answer is no call of the function, or an argument is nothing that JSON writes.
        """
        given = _arguments(answer, self.name, self.params)
        entry = Entry(self.name, params=tuple(map(Param, self.params)), returns=self.returns)
        return ProblemSpec("preimage", Form.FUNCTION, (Test(given, self.value, visible=True),), LIMITS, entry=entry)


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


def _arguments(text: str, name: str, params: Sequence[str]) -> list[Any]:
    """The arguments of a call in the order of the parameters."""
    call = _parsed(text)
    if call is None or not isinstance(call.func, ast.Name) or call.func.id != name:
        raise ValueError(f"no call of {name}")
    if len(call.args) > len(params):
        raise ValueError(f"{name} takes {len(params)} arguments, not {len(call.args)}")
    given = dict(zip(params, call.args, strict=False))
    for keyword in call.keywords:
        if keyword.arg is None or keyword.arg not in params or keyword.arg in given:
            raise ValueError(f"{name} does not take {keyword.arg} there")
        given[keyword.arg] = keyword.value
    missing = [param for param in params if param not in given]
    if missing:
        raise ValueError(f"the call lacks {', '.join(missing)}")
    return [_value(param, given[param]) for param in params]


def _value(param: str, node: ast.expr) -> Any:
    try:
        value = ast.literal_eval(node)
        if json.loads(json.dumps(value, allow_nan=False)) == value:  # a tuple, or a key that is no text, is not
            return value
    except _UNREADABLE:
        pass
    raise ValueError(f"the value of {param} is none that JSON writes")
