"""What is found of items by running their code: values, where a file says otherwise, and why there is none."""

from pathlib import Path
from typing import Any

import pytest
from support.files import lines, read, write

from workers.grading.answering_judge import AnsweringJudge
from workers.grading.testing.import_completion import complete_batch

pytestmark = pytest.mark.sandbox


def item(number: int, code: str, given: Any, said: Any) -> dict[str, Any]:
    return {
        "task_id": f"python/{number}", "description": "It does.", "code": code, "input": given, "expected_output": said
    }  # fmt: skip


ITEMS = (
    item(1, "def counted(text):\n    return {letter: text.count(letter) for letter in 'ab'} | {1: len(text)}", "'abba'",
         "{'a': 2, 'b': 2, 1: 4}"),
    item(2, "def hello():\n    return 'hi'", [], "hi"),
    item(3, "def mean(values):\n    return sum(values) / len(values)", "[1, 2, 4]", "2.33"),
    item(4, "def f(x):\n    raise ValueError('no such x\\n    at Main.main(Main.java:3)\\n    at Other')", "5", "1"),
    item(5, "import absent_package\ndef f(x):\n    return x", "5", "5"),
)  # fmt: skip


def test_values_are_those_of_a_run(answering_judge: AnsweringJudge, tmp_path: Path) -> None:
    made = complete_batch(answering_judge, read("coco", write(tmp_path, "items.jsonl", lines(*ITEMS))))
    found = {one.external_id: [(test.input, test.expected) for test in one.tests] for one in made.problems}
    assert found == {
        "CU/python/1": [(["abba"], {"a": 2, "b": 2, "1": 4})],
        "CU/python/2": [([], "hi")],
        "CU/python/3": [([[1, 2, 4]], 7 / 3)],
        "CU/python/4": [],
        "CU/python/5": [],
    }
    assert made.notes == (
        "CU/python/3: its file says 2.33, its code gives 2.3333333333333335",
        "CU/python/4: held, its code gives no value: runtime error: ValueError: no such x",
        "CU/python/5: held, needs absent_package, which the judge's packages do not have",
    )
