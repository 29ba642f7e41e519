"""Trivial programs, which do not try to solve the problem: a test set that one of them passes is worthless. Pure."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from app.domain.problems import Entry, Form, ProblemSpec

_CLASS = """\
import json


class {name}:
    def __init__(self, *given):
        self.calls = [list(given)]

    def __getattr__(self, name):
        def method(*given):
            self.calls.append([name, *given])
            {body}
        return method
"""


def trivial_programs(problem: ProblemSpec) -> Mapping[str, str]:
    """Return four programs by name: do nothing, echo the input, print the commonest answer, look up the examples.

    The unittest form has none, since only running its tests shows what they call.
    """
    if problem.form is Form.UNITTEST:
        return {}
    if problem.form is Form.CLASS and problem.entry is not None:
        return _classes(problem, str(problem.entry.cls))
    commonest = _commonest(test.expected for test in problem.tests)
    answers = {_key(problem, test.input): test.expected for test in problem.tests if test.visible}
    if problem.entry is None:
        return {
            "nothing": "pass\n",
            "echo": "import sys\nsys.stdout.write(sys.stdin.read())\n",
            "constant": f"import sys\nsys.stdout.write({commonest or ''!r})\n",
            "examples": f"import sys\nsys.stdout.write({answers!r}.get(sys.stdin.read(), {commonest!r}) or '')\n",
        }
    return {
        "nothing": _function(problem.entry, "return None"),
        "echo": _function(problem.entry, "return given[0] if given else None"),
        "constant": _function(problem.entry, f"return {commonest!r}"),
        "examples": _function(problem.entry, f"return {answers!r}.get(json.dumps(given), {commonest!r})"),
    }


def _commonest(answers: Iterable[Any]) -> Any:
    """Return the commonest answer, the first of them on a tie; None without any."""
    counts = Counter(json.dumps(answer) for answer in answers)
    return json.loads(counts.most_common(1)[0][0]) if counts else None


def _key(problem: ProblemSpec, value: Any) -> str:
    return str(value) if problem.entry is None else json.dumps(value)


def _function(entry: Entry, body: str) -> str:
    head = "import json\n\n\n"
    if entry.cls is None:
        return f"{head}def {entry.name}(*given):\n    {body}\n"
    return f"{head}class {entry.cls}:\n    def {entry.name}(self, *given):\n        {body}\n"


def _classes(problem: ProblemSpec, name: str) -> Mapping[str, str]:
    """Return those for classes: an answer is one call's result, and the calls before it identify an example."""
    commonest = _commonest(answer for test in problem.tests for answer in test.expected if answer is not None)
    answers: dict[str, Any] = {}
    for test in problem.tests:
        names, rows = test.input
        calls = [list(rows[0]), *([name, *row] for name, row in zip(names[1:], rows[1:], strict=True))]
        if test.visible:
            answers |= {json.dumps(calls[: end + 1]): test.expected[end] for end in range(1, len(calls))}
    bodies = {
        "nothing": "return None",
        "echo": "return given[0] if given else None",
        "constant": f"return {commonest!r}",
        "examples": f"return {answers!r}.get(json.dumps(self.calls), {commonest!r})",
    }
    return {kind: _CLASS.format(name=name, body=body) for kind, body in bodies.items()}
