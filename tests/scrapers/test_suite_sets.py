"""BigCodeBench, CoCo-Bench and SuperCLUE-Code3: what becomes of a row, and rows that only look like one."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.files import bad_rows, lines, read, write

from app.domain.errors import InvalidImport
from app.domain.imports import ImportBatch, TestsSource
from app.domain.problems import CHANGE, Form
from app.domain.publishing.tags import Topic, split_tags

TESTS = (
    "import unittest\nclass TestCases(unittest.TestCase):\n    def test_one(self):\n        self.assertEqual(f(1), 2)\n"
)
CHECK = "def check(candidate):\n    assert candidate(1) == 2\n    assert candidate(0) == 1\n"


def bcb_row(**changes: Any) -> dict[str, Any]:
    return {
        "task_id": "BigCodeBench/9001",
        "complete_prompt": 'import math\n\ndef f(x):\n    """\n    Add one.\n    """\n',
        "instruct_prompt": "Add one. You should write self-contained code starting with: ...",
        "canonical_solution": "    return x + 1",
        "code_prompt": "import math\n\ndef f(x):\n",
        "test": TESTS,
        "entry_point": "f",
        "doc_struct": "{}",
        "libs": "['math']",
    } | changes


def coco_row(**changes: Any) -> dict[str, Any]:
    return {
        "task_id": "python/1",
        "description": "Add one to every number.",
        "incomplete_code": " class Solution:\n    def more(self, nums):\n        return [n + ____ for n in nums]\n",
        "complete_code": " class Solution:\n    def more(self, nums):\n        return [n + 1 for n in nums]\n",
        "input": "{'nums': [1, 2]}",
        "expected_output": "[2, 3]",
        "metadata": {"programming_language": "Python", "difficulty": "Hard", "test_aspect": "Lists"},
    } | changes


def code3_row(**changes: Any) -> dict[str, Any]:
    return {
        "task_id": 17,
        "title": "加一",
        "prompt": "编写函数 f(x)，返回 x 加一。",
        "entry_point": "f",
        "level": 2,
        "test": CHECK,
        "canonical_solution": "def f(x):\n    return x + 1\n",
    } | changes


ROWS = {"bigcodebench": bcb_row, "coco": coco_row, "code3": code3_row}


def batch(tmp_path: Path, kind: str, *rows: Any) -> ImportBatch:
    return read(kind, write(tmp_path, "set.jsonl", lines(*rows)))


def test_a_task_keeps_both_prompts(tmp_path: Path) -> None:
    [problem] = batch(tmp_path, "bigcodebench", bcb_row()).problems
    assert (problem.source, problem.external_id, problem.aliases) == ("bigcodebench", "9001", ("BigCodeBench/9001",))
    assert (problem.form, problem.tags, problem.flags) == (Form.UNITTEST, ("math",), ())
    statement = problem.statements["en"]
    assert statement.text.startswith("Add one. You should")
    assert statement.starter_code["python"].count('"""') == 2
    assert problem.entry is not None
    assert problem.entry.preamble == "import math\n\ndef f(x):\n    pass\n"
    reference, stub = problem.programs
    assert (reference.code, reference.reference) == ("import math\n\ndef f(x):\n    return x + 1", True)
    assert (stub.code, stub.reference) == (problem.entry.preamble, False)
    assert [(test.input, test.expected, test.visible) for test in problem.tests] == [(TESTS, None, False)]


@pytest.mark.parametrize(
    ("changes", "needs"),
    [
        ({"test": "import numpy as np\n" + TESTS}, "numpy"),
        ({"canonical_solution": "    import pandas.io\n    return x + 1"}, "pandas"),
        ({"code_prompt": "from sklearn import svm\ndef f(x):\n"}, "sklearn"),
    ],
)
def test_what_a_task_needs_is_told_and_its_proof_decides(tmp_path: Path, changes: dict[str, Any], needs: str) -> None:
    made = batch(tmp_path, "bigcodebench", bcb_row(**changes))
    assert (len(made.problems[0].tests), made.problems[0].flags) == (1, ())
    assert made.notes == (f"9001: needs {needs}",)


@pytest.mark.parametrize("kind", ROWS)
def test_a_key_that_is_not_known_is_named_once(tmp_path: Path, kind: str) -> None:
    row = ROWS[kind]
    rows = [row(), row(task_id="python/2", hint="x"), row(task_id="python/3", hint="y")]
    note = "set.jsonl:2: the key 'hint' is not known, and changes nothing here"
    made = batch(tmp_path, kind, *rows)
    assert len(made.problems) == 3
    assert [each for each in made.notes if "known" in each] == [note]


def test_what_ends_a_line_elsewhere_may_stand_in_a_row(tmp_path: Path) -> None:
    """JSON has to escape the line feed alone; other programs write the rest as it stands."""
    text = json.dumps(bcb_row(instruct_prompt="one\u2028two\x85three"), ensure_ascii=False)
    [problem] = read("bigcodebench", write(tmp_path, "set.jsonl", f"{text}\r\n")).problems
    assert problem.statements["en"].text == "one\u2028two\x85three"


def test_tasks_of_the_published_file_of_hard_are_hard(tmp_path: Path) -> None:
    file = write(tmp_path, "hard.jsonl", lines(bcb_row()))
    assert read("bigcodebench", file, board="full").problems[0].difficulty is None
    assert read("bigcodebench", file, board="hard").problems[0].difficulty == ("level", 3.0)


def test_a_completion_with_values_that_fit_has_a_test(tmp_path: Path) -> None:
    made = batch(tmp_path, "coco", coco_row())
    [problem] = made.problems
    assert (problem.external_id, problem.difficulty, made.notes) == ("CG/python/1", ("level", 3.0), ())
    assert [(test.input, test.expected) for test in problem.tests] == [([[1, 2]], [2, 3])]
    assert [(program.name, program.reference) for program in problem.programs] == [
        ("complete_code", True),
        ("incomplete_code", False),
    ]
    assert problem.statements["en"].starter_code["python"].count("____") == 1


@pytest.mark.parametrize("said", ["two and three", "__import__('os').system('id')", "{1, 2}", "[" * 50_000])
def test_what_a_file_says_is_a_claim_that_a_run_decides_on(tmp_path: Path, said: str) -> None:
    [problem] = batch(tmp_path, "coco", coco_row(expected_output=said)).problems
    assert (problem.tests_from, problem.flags) == (TestsSource.RUN, ())
    assert [(test.input, test.expected) for test in problem.tests] == [([[1, 2]], said)]


def test_code_that_takes_nothing_is_given_nothing_and_keys_are_read_as_texts(tmp_path: Path) -> None:
    row = {"task_id": "python/1", "description": "Says hello.", "code": "def hello():\n    return {1: 'a'}\n"}
    nothing: tuple[Any, ...] = ([], {}, None, "")
    for given in nothing:
        made = batch(tmp_path, "coco", row | {"input": given, "expected_output": "{1: ('a', {2: 3})}"})
        [problem] = made.problems
        assert (problem.flags, made.notes) == ((), ())
        assert [(test.input, test.expected) for test in problem.tests] == [([], {"1": ["a", {"2": 3}]})]
    assert "its input is not 0 arguments" in batch(tmp_path, "coco", row | {"input": [1]}).notes[0]


def test_the_calls_of_a_class_and_arguments_in_the_other_column_are_found(tmp_path: Path) -> None:
    counter = (
        "class counter:\n    def __init__(self, n):\n        self.n = n\n    def add(self, k):\n        return k\n"
    )
    made = batch(
        tmp_path, "coco",
        coco_row(complete_code=counter, input="['Counter', 'add']", expected_output="[[1], [2]]"),
        coco_row(task_id="python/2", complete_code="def f(a, b):\n    return a", input="5", expected_output="[[2, 4]]"),
    )  # fmt: skip
    of_class, shifted = made.problems
    assert (of_class.form, of_class.entry and of_class.entry.cls) == (Form.CLASS, "counter")
    assert [test.input for test in of_class.tests] == [[["counter", "add"], [[1], [2]]]]
    assert [(test.input, test.expected) for test in shifted.tests] == [([5, [[2, 4]]], None)]
    assert made.notes == ("CG/python/2: its expected_output is read as the argument that input lacks",)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"input": "['NeighborSum','adjacentSum']", "complete_code": "class more:\n    pass\n"}, "no class"),
        ({"input": "{'other': 1}"}, "its input names other, not nums"),
        ({"input": "__import__('os').system('id')"}, "is not made of literals"),
        ({"input": "[" * 50_000}, "is not made of literals"),
        ({"input": "[{1: 2}]"}, "is not made of literals"),
        ({"input": "[1]", "complete_code": "def f(a, b, c):\n    return a\n"}, "its input is not 3 arguments"),
        ({"metadata": {"programming_language": "C++"}}, "it defines no function"),
    ],
)
def test_a_completion_whose_values_do_not_fit_is_held(tmp_path: Path, changes: dict[str, Any], why: str) -> None:
    made = batch(tmp_path, "coco", coco_row(**changes))
    assert made.problems[0].tests == ()
    assert made.notes[0].startswith("CG/python/1: held, ")
    assert why in made.notes[0]


def test_the_other_tasks_are_kept_without_tests(tmp_path: Path) -> None:
    code = "def f(x):\n    return x\n"
    rows = [
        {"task_id": "python/1", "description": "Mend it.", "bug_code": code, "corrected_code": code + "\n"},
        {"task_id": "python/1", "description": "Review it.", "code": code, "issue_categories": {}},
        {"task_id": "sql/1", "description": "Read it.", "code": "SELECT 1", "input": [], "expected_output": [[1]]},
    ]
    made = read("coco", write(tmp_path, "set.json", json.dumps(rows)))
    assert [problem.external_id for problem in made.problems] == ["CM/python/1", "CR/python/1", "CU/sql/1"]
    assert all(problem.tests == () for problem in made.problems)
    assert [len(problem.programs) for problem in made.problems] == [2, 0, 0]
    assert [problem.flags for problem in made.problems] == [
        ("unfit:which inputs are legal is not known",),
        ("unfit:none of its findings is about a line of its code",),
        ("unfit:its input holds one table, and its query reads none",),
    ]
    assert len(made.notes) == 3


def test_code_for_a_changed_api_is_a_task_of_its_own(tmp_path: Path) -> None:
    fixed = "from math import gcd\ndef f(a: int, b: int) -> int:\n    return gcd(a, b)\n"
    row = {
        "task_id": "python/7", "description": "Divide both.\nConstraints:\n1 <= a, b <= 9", "corrected_code": fixed,
        "bug_code": fixed.replace("math", "fractions"), "api_change": "gcd is in math.\n",
    }  # fmt: skip
    [problem] = read("coco", write(tmp_path, "set.json", json.dumps([row]))).problems
    assert (problem.external_id, problem.tags, problem.flags) == ("API/python/7", ("API", "python"), ())
    assert problem.tests_from is TestsSource.MADE
    assert problem.statements["en"].starter_code == {"python": row["bug_code"].strip(), CHANGE: "gcd is in math."}
    assert [program.reference for program in problem.programs] == [True, False]
    with pytest.raises(InvalidImport, match="api_change"):
        read("coco", write(tmp_path, "none.json", json.dumps([row | {"api_change": None}])))


def test_a_chinese_problem_of_a_level(tmp_path: Path) -> None:
    made = batch(
        tmp_path, "code3", code3_row(), code3_row(task_id="b", canonical_solution=None, released_on="2026-01-02")
    )
    first, second = made.problems
    assert (first.external_id, first.titles, first.difficulty) == ("17", {"zh": "加一"}, ("level", 2.0))
    assert first.statements["zh"].text == "编写函数 f(x)，返回 x 加一。"
    assert (first.form, first.tests[0].input, len(first.programs)) == (Form.UNITTEST, CHECK, 1)
    assert (second.programs, made.notes) == ((), ("b: no reference, so its tests are unproven",))
    assert second.released_on is not None
    assert second.released_on.date().isoformat() == "2026-01-02"
    held = batch(tmp_path, "code3", code3_row(test="import numpy\n" + CHECK))
    assert (held.problems[0].tests, held.problems[0].flags) == ((), ("needs:numpy",))


def test_more_programs_of_a_chinese_problem(tmp_path: Path) -> None:
    right, wrong = (
        {"by_sum": "def f(x):\n    return sum((x, 1))\n"},
        {"minus": "# minus\ndef f(x):\n    return x - 1\n"},
    )
    made = batch(tmp_path, "code3", code3_row(solutions=right, wrong_solutions=wrong))
    programs = [(program.name, program.reference) for program in made.problems[0].programs]
    assert programs == [("canonical_solution", True), ("by_sum", True), ("minus", False)]
    assert made.notes == ()
    alone = batch(tmp_path, "code3", code3_row(canonical_solution=None, wrong_solutions=wrong))
    assert alone.notes == ("17: no reference, so its tests are unproven",)


@pytest.mark.parametrize(("lines_long", "level"), [(2, 1), (5, 1), (6, 2), (10, 2), (11, 2), (15, 2), (16, 3)])
def test_without_a_level_the_length_of_the_reference_says_it(tmp_path: Path, lines_long: int, level: float) -> None:
    code = "def f(x):\n" + "    x += 0\n" * (lines_long - 2) + "    return x + 1\n"
    noise = code.replace("def f(x):\n", 'def f(x):\n    """Add\n\n    one."""\n\n    # one more\n')
    for text in (code, noise):
        [found] = batch(tmp_path, "code3", code3_row(level=None, canonical_solution=text)).problems
        assert found.difficulty == ("level", level)


def test_without_code_to_begin_with_the_reference_shows_how_the_function_begins(tmp_path: Path) -> None:
    typed = "from typing import List\n\ndef f(x: List[int], by=2) -> int:\n    return sum(x) + by\n"
    for changes, starter in (
        ({}, "def f(x):\n    ...\n"),
        ({"canonical_solution": typed}, "def f(x: List[int], by=2) -> int:\n    ...\n"),
        ({"starter_code": "def f(number):\n"}, "def f(number):\n"),
        ({"canonical_solution": None}, "def f("),
    ):
        [found] = batch(tmp_path, "code3", code3_row(**changes)).problems
        assert found.statements["zh"].starter_code == {"python": starter}


def test_a_task_type_is_a_topic(tmp_path: Path) -> None:
    [found] = batch(tmp_path, "code3", code3_row(task_type="data-analysis")).problems
    assert split_tags(found.tags).topics == (Topic.DATA_ANALYSIS,)


@pytest.mark.parametrize(
    ("kind", "changes", "reason"),
    [
        ("bigcodebench", {"task_id": ""}, "task_id is missing or empty"),
        ("bigcodebench", {"test": None}, "test is missing or not text"),
        ("bigcodebench", {"test": "class:"}, "test is no Python: invalid syntax"),
        ("bigcodebench", {"test": "(" * 100_000}, ""),
        ("bigcodebench", {"canonical_solution": "return x"}, "canonical_solution is no Python: "),
        ("bigcodebench", {"code_prompt": "def f(x)"}, "code_prompt is no Python: "),
        ("bigcodebench", {"entry_point": "f; import os"}, "is not a function name"),
        ("bigcodebench", {"libs": "open('/etc/passwd')"}, "libs is not a list of names"),
        ("bigcodebench", {"libs": r"['\ud800']"}, "surrogate"),
        ("bigcodebench", {"libs": "{'a': 1}"}, "libs is not a list of names"),
        ("bigcodebench", {"libs": "[" * 100_000}, "libs is not a list of names"),
        ("bigcodebench", {"instruct_prompt": "\0"}, "NUL"),
        ("coco", {"task_id": 7}, "task_id is missing or not text"),
        ("coco", {"description": None}, "description is missing or not text"),
        ("coco", {"metadata": [1]}, "[1] is not an object"),
        ("coco", {"metadata": []}, "[] is not an object"),
        ("coco", {"metadata": {"difficulty": "Odd"}}, "difficulty 'Odd' is not known"),
        ("coco", {"metadata": {"programming_language": "COBOL"}}, "language 'cobol' is not known"),
        ("coco", {"complete_code": None}, "complete_code is missing or not text"),
        ("coco", {"description": "\ud800"}, "surrogate"),
        ("coco", {"input": r'["\ud800"]'}, "surrogate"),
        ("coco", {"expected_output": r"'\x00'"}, "NUL"),
        ("code3", {"prompt": "  "}, "prompt is empty"),
        ("code3", {"level": 4}, "level is 4, not 1, 2 or 3"),
        ("code3", {"level": None, "canonical_solution": None}, "level is None, not 1, 2 or 3"),
        ("code3", {"task_type": "graphs"}, "task_type 'graphs' is not known"),
        ("code3", {"level": True}, "level is True, not 1, 2 or 3"),
        ("code3", {"level": [1]}, "level is [1], not 1, 2 or 3"),
        ("code3", {"entry_point": "a b"}, "is not a function name"),
        ("code3", {"test": "x = 1"}, "test: the test source has no tests"),
        ("code3", {"test": "def"}, "invalid syntax"),
        ("code3", {"test": "assert 1"}, "test: it asks nothing of f"),
        ("code3", {"test": "def check(candidate):\n    assert 1 == 1\ncheck(f)\n"}, "test: it asks nothing of f"),
        ("code3", {"canonical_solution": "x = 1"}, "canonical_solution does not define f"),
        ("code3", {"solutions": ["x"]}, "solutions is missing or not an object"),
        ("code3", {"wrong_solutions": {"w": 1}}, "w is missing or not text"),
        ("code3", {"wrong_solutions": {"w": "x = 1"}}, "w does not define f"),
        ("code3", {"wrong_solutions": {"canonical_solution": "def f(x): ..."}}, "is both right and wrong"),
        ("code3", {"released_on": "1970-01-01"}, "before the year 2000"),
    ],
)
def test_rows_that_only_look_like_one(tmp_path: Path, kind: str, changes: dict[str, Any], reason: str) -> None:
    good = ROWS[kind](task_id="python/0" if kind == "coco" else "0")
    made = batch(tmp_path, kind, good, ROWS[kind](**changes))
    assert made.problems == batch(tmp_path, kind, good).problems
    [bad] = made.bad_rows
    assert (bad.file, bad.line) == ("set.jsonl", 2)
    assert reason in bad.reason
    assert len(bad.reason) < 300


@pytest.mark.parametrize("kind", list(ROWS))
def test_every_bad_row_is_listed(tmp_path: Path, kind: str) -> None:
    text = lines(ROWS[kind](), ROWS[kind]()) + "{\n[]\n" + '{"a": ' * 50_000 + "\n"
    bad = bad_rows(kind, write(tmp_path, "set.jsonl", text))
    assert [row.line for row in bad] == [2, 3, 4, 5]
    assert "appears twice; first in row 1" in bad[0].reason
