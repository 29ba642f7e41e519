"""The completion scenario: both prompts in full, and what of an answer is the program."""

import ast
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.db.kernel.leases import LeaseKind, new_lease
from app.domain.asking.extraction import Extraction
from app.domain.asking.protocols import Protocol
from app.domain.asking.sanitising import sanitise_program
from app.domain.errors import InvalidInput
from app.domain.judging.non_program_answers import AnswerRun
from app.domain.problems import Entry, Form, Limits, ProblemSpec, Statement
from app.domain.scenarios import Item, Material, prompt_sha256
from app.domain.scenarios.completion import SCENARIO
from app.services.runs.grade import GradingJob

COMPLETE, INSTRUCT, BARE, BARE_INSTRUCT, *_ = SCENARIO.protocols
STATEMENT = Statement(
    problem="bigcodebench/9001",
    locale="en",
    form=Form.UNITTEST,
    title="BigCodeBench/9001",
    text=(
        "Add one to a number.\nYou should write self-contained code starting with:\n"
        "```\nimport math\ndef task_func(x):\n```"
    ),
    starter_code={"python": 'import math\n\ndef task_func(x):\n    """\n    Add one.\n    """\n'},
    examples=(),
    limits=Limits(),
)
REFERENCE = "import math\n\ndef task_func(x):\n    return x + 1\n"


def asked(protocol: Protocol, statement: Statement = STATEMENT) -> str:
    [message] = SCENARIO.ask(statement, protocol, Item()).messages
    assert message.role == "user"
    return message.content


def test_the_prompts_in_full() -> None:
    assert asked(COMPLETE) == (
        "Below are the first lines of a Python program: its imports, and a function with the description of what it "
        "does. Write the whole self-contained program, with the function completed and with everything it needs, in "
        "one fenced block of code.\n\n"
        '```python\nimport math\n\ndef task_func(x):\n    """\n    Add one.\n    """\n```'
    )
    assert asked(INSTRUCT) == (
        "Write a self-contained Python program that does what is asked below, with everything it needs, in one fenced "
        "block of code.\n\nAdd one to a number.\nYou should write self-contained code starting with:\n"
        "```\nimport math\ndef task_func(x):\n```"
    )
    digests = [prompt_sha256(SCENARIO.ask(STATEMENT, protocol, Item())) for protocol in (COMPLETE, INSTRUCT)]
    assert [digest[:16] for digest in digests] == ["3841efdd2d5e404d", "6c902a324948fb83"]


def test_a_fence_in_a_docstring_does_not_break_out() -> None:
    hidden = replace(STATEMENT, starter_code={"python": 'def task_func(x):\n    """\n    ```\n    """\n'})
    assert "\n````python\ndef task_func" in asked(COMPLETE, hidden)


def test_what_is_asked_does_not_depend_on_what_programs_run_behind() -> None:
    assert [protocol.slug for protocol in SCENARIO.protocols if not protocol.imported] == [
        "bcb-complete", "bcb-instruct", "bcb-complete-uncalibrated", "bcb-instruct-uncalibrated",
        "house-bcb-complete", "house-bcb-instruct",
    ]  # fmt: skip
    assert (asked(BARE), asked(BARE_INSTRUCT)) == (asked(COMPLETE), asked(INSTRUCT))
    assert (
        len({protocol.fingerprint for protocol in SCENARIO.protocols}) == 8
    )  # the house league's are asked and judged as the set's
    assert "calibrated" not in COMPLETE.body()  # as protocols were stored before there was a choice
    assert BARE.body()["calibrated"] is False


def test_without_first_lines_there_is_nothing_to_complete() -> None:
    empty = replace(STATEMENT, starter_code={})
    assert SCENARIO.items(Material(empty)) == ()
    for statement, item in ((empty, Item()), (STATEMENT, Item(1))):
        with pytest.raises(InvalidInput, match=f"nothing to complete as item {item.number}"):
            SCENARIO.ask(statement, COMPLETE, item)


def read(text: str) -> Extraction:
    return SCENARIO.extract(text, COMPLETE)


@pytest.mark.parametrize(
    ("text", "followed"),
    [
        (f"```python\n{REFERENCE}```", True),
        (f"Here it is:\n\n```python\n{REFERENCE}```\nIt adds one.", True),
        (f"```python\n{REFERENCE}\nprint(task_func(1))\n```", True),
        (f"```python\n{REFERENCE}\nif __name__ == '__main__':\n    print(task_func(1))\n```", True),
        (f"```python\n{REFERENCE}\nresult = task_func(1)\nassert result == 2\n```", True),
        (f"```python\n{REFERENCE}\nThis adds one to x.\n```", True),
        (f"```python\nSure, this is it:\n{REFERENCE}```", True),
        (f"<think>\ndef task_func(x): return 0\n</think>\n```python\n{REFERENCE}```", True),
        (f"Sure! This is the program:\n\n{REFERENCE}\nIt adds one to x, as was asked.", False),
    ],
)
def test_a_reference_comes_out_as_it_went_in(text: str, followed: bool) -> None:
    found = read(text)
    assert found.followed_format is followed
    assert found.code is not None
    assert ast.dump(ast.parse(found.code)) == ast.dump(ast.parse(REFERENCE))


@pytest.mark.parametrize(
    "text", ["", "I cannot help with that.", "```python\n```", "<think>\ndef task_func(x): return x"]
)
def test_no_program_is_none(text: str) -> None:
    assert read(text) == Extraction(None, followed_format=False)


def test_a_truncated_answer_is_what_of_it_is_a_program() -> None:
    cut = "```python\nimport math\n\ndef helper(x):\n    return x\n\ndef task_func(x):\n    return helper(x"
    assert read(cut).code == "import math\ndef helper(x):\n    return x\n"


def test_what_the_function_needs_is_kept_and_nothing_else() -> None:
    code = (
        "import math\nfrom os import path\ntry:\n    import numpy as np\nexcept ImportError:\n    np = None\n"
        "LIMIT = 3\nTABLE = {}\nTABLE['a'] = LIMIT\nUNUSED = open('/nowhere')\nprint('hello')\n"
        "@decorated\ndef helper(x):\n    return TABLE\n\ndef decorated(f): return f\n\ndef other(): pass\n\n"
        "class Kept:\n    limit = LIMIT\n\ndef task_func(x):\n    # a comment of its own\n    return helper(Kept)\n\n"
        "for n in range(9): print(n)\nfigure = task_func(1)\n"
    )
    kept = sanitise_program(code, "task_func")
    assert kept == (
        "import math\nfrom os import path\ntry:\n    import numpy as np\nexcept ImportError:\n    np = None\n"
        "LIMIT = 3\nTABLE = {}\nTABLE['a'] = LIMIT\n"
        "@decorated\ndef helper(x):\n    return TABLE\ndef decorated(f): return f\n"
        "class Kept:\n    limit = LIMIT\ndef task_func(x):\n    # a comment of its own\n    return helper(Kept)\n"
    )
    assert sanitise_program("x = 1\ndef g(): return x\nprint(g())\n", "task_func") == "x = 1\ndef g(): return x\n"
    for broken in ("def task_func(x:\n", "((((" * 1000, "\0", "x" * 70_000):
        assert sanitise_program(broken, "task_func") == broken


def test_an_uncalibrated_program_has_no_lines_of_the_task_before_it() -> None:
    problem = ProblemSpec("9001", Form.UNITTEST, (), entry=Entry("task_func", preamble="import math\n"))
    assert _posed(problem, calibrated=True) == problem
    assert _posed(problem, calibrated=False).entry == Entry("task_func")
    assert _posed(replace(problem, entry=None), calibrated=False).entry is None


def _posed(problem: ProblemSpec, *, calibrated: bool) -> ProblemSpec:
    lease = new_lease(datetime(2026, 5, 1, tzinfo=UTC), timedelta(minutes=1), LeaseKind.SAMPLES)
    job = GradingJob(1, lease, 1, 1, REFERENCE, "python", 1.0, 0, calibrated=calibrated)
    run = job.decide(lambda: problem)
    assert isinstance(run, AnswerRun)
    return run.problem
