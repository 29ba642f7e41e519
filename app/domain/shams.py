"""Programs that solve nothing, in Python: a test set that lets one of them pass is worthless. Pure."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from app.domain.problems import Entry, ProblemSpec


def shams(problem: ProblemSpec) -> Mapping[str, str]:
    """Four programs by name: do nothing, echo the input, say the commonest answer, look the examples up."""
    commonest = _commonest(problem)
    known = {_key(problem, test.input): test.expected for test in problem.tests if test.visible}
    if problem.entry is None:
        return {
            "nothing": "pass\n",
            "echo": "import sys\nsys.stdout.write(sys.stdin.read())\n",
            "constant": f"import sys\nsys.stdout.write({commonest!r})\n",
            "examples": f"import sys\nsys.stdout.write({known!r}.get(sys.stdin.read(), {commonest!r}))\n",
        }
    return {
        "nothing": _function(problem.entry, "return None"),
        "echo": _function(problem.entry, "return given[0] if given else None"),
        "constant": _function(problem.entry, f"return {commonest!r}"),
        "examples": _function(problem.entry, f"return {known!r}.get(json.dumps(given), {commonest!r})"),
    }


def _commonest(problem: ProblemSpec) -> Any:
    """The expected answer of most tests, the first of them on a tie: what a constant does best with."""
    by_text = {json.dumps(test.expected): test.expected for test in problem.tests}
    counted = Counter(json.dumps(test.expected) for test in problem.tests)
    return by_text[counted.most_common(1)[0][0]]


def _key(problem: ProblemSpec, given: Any) -> str:
    return str(given) if problem.entry is None else json.dumps(given)


def _function(entry: Entry, body: str) -> str:
    head = "import json\n\n\n"
    if entry.cls is None:
        return f"{head}def {entry.name}(*given):\n    {body}\n"
    return f"{head}class {entry.cls}:\n    def {entry.name}(self, *given):\n        {body}\n"
