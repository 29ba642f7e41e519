# ruff: noqa: E501  # tables of whole programs
"""Class form: LeetCode's constructor and method calls, each result compared by the type of its method."""

import json
from pathlib import Path
from typing import Any

import pytest
from grading.judging import QUICK

from app.domain.errors import InvalidProblem
from app.domain.judging.problem_file import parse_problem
from app.domain.judging.verdicts import GradeResult, Verdict
from app.domain.problems import ProblemSpec
from workers.grading.judge import Judge

pytestmark = pytest.mark.sandbox

INT, VOID = {"name": "x", "type": "integer"}, "void"
CACHE = {
    "name": None,
    "class": "LRUCache",
    "params": [{"name": "capacity", "type": "integer"}],
    "methods": {"get": {"params": [INT], "returns": "integer"}, "put": {"params": [INT, INT], "returns": VOID}},
}
CALLS = [["LRUCache", "put", "put", "get", "put", "get"], [[2], [1, 1], [2, 2], [1], [3, 3], [2]]]
RESULTS = [None, None, None, 1, None, -1]
LRU = """\
class LRUCache:
    def __init__(self, capacity: int):
        self.capacity, self.held = capacity, OrderedDict()

    def get(self, key: int) -> int:
        if key not in self.held:
            return -1
        self.held.move_to_end(key)
        return self.held[key]

    def put(self, key: int, value: int) -> None:
        self.held[key] = value
        self.held.move_to_end(key)
        if len(self.held) > self.capacity:
            self.held.popitem(last=False)
"""


def problem(tests: list[dict[str, Any]], entry: dict[str, Any] = CACHE, **more: Any) -> ProblemSpec:
    limits = {"time_ms": QUICK.time_ms, "memory_mb": QUICK.memory_mb, "output_kb": QUICK.output_kb}
    return parse_problem({"id": "c", "form": "class", "entry": entry, "tests": tests, "limits": limits, **more})


def one(judge: Judge, code: str, given: Any, expected: Any, entry: dict[str, Any] = CACHE, **more: Any) -> GradeResult:
    return judge.grade(problem([{"input": given, "expected": expected}], entry, **more), code, "python")


def entry(cls: str, params: list[str], methods: dict[str, tuple[list[str], str]]) -> dict[str, Any]:
    def declared(types: list[str]) -> list[dict[str, str]]:
        return [{"name": f"p{place}", "type": kind} for place, kind in enumerate(types)]

    return {
        "class": cls,
        "params": declared(params),
        "methods": {
            name: {"params": declared(types), "returns": returns} for name, (types, returns) in methods.items()
        },
    }


def test_the_calls_of_a_class(judge: Judge) -> None:
    assert one(judge, LRU, CALLS, RESULTS).verdict is Verdict.ACCEPTED


def test_a_wrong_result_is_named_by_its_call(judge: Judge) -> None:
    result = one(judge, LRU.replace("return -1", "return 0"), CALLS, RESULTS)
    assert (result.verdict, result.message) == (Verdict.WRONG_ANSWER, "test 1: wrong answer at call 6, get")


def test_a_method_that_raises_ends_the_test(judge: Judge) -> None:
    result = one(judge, LRU.replace("return -1", "raise KeyError(key)"), CALLS, RESULTS)
    assert result.verdict is Verdict.RUNTIME_ERROR
    assert "KeyError: 2" in result.message
    assert "guest" not in result.message


def test_methods_need_not_be_declared(judge: Judge) -> None:
    bare = {"class": "LRUCache"}
    assert one(judge, LRU, CALLS, RESULTS, bare).verdict is Verdict.ACCEPTED


def test_what_a_void_method_returns_does_not_count(judge: Judge) -> None:
    chatty = LRU.replace("self.held[key] = value", "self.held[key] = value; out = object()") + "        return out\n"
    assert one(judge, chatty, CALLS, RESULTS).verdict is Verdict.ACCEPTED


def test_nothing_of_an_earlier_test_is_left(judge: Judge) -> None:
    code = "seen = []\nclass C:\n    kept = []\n    def add(self):\n        seen.append(1); self.kept.append(1)\n        return len(seen) + len(self.kept)\n"
    tests = [{"input": [["C", "add", "add"], [[], [], []]], "expected": [None, 2, 4]}] * 3
    assert judge.grade(problem(tests, {"class": "C"}), code, "python").passed == 3


def test_a_result_is_taken_as_it_is_at_the_call(judge: Judge) -> None:
    code = "class C:\n    def __init__(self): self.held = []\n    def add(self, x):\n        self.held.append(x)\n        return self.held\n"
    given = [["C", "add", "add"], [[], [1], [2]]]
    assert one(judge, code, given, [None, [1], [1, 2]], {"class": "C"}).verdict is Verdict.ACCEPTED


def test_nodes_in_the_constructor_and_in_methods(judge: Judge) -> None:
    code = (
        "class C:\n    def __init__(self, root): self.root = root\n    def left(self): return self.root.left\n"
        "    def sums(self, head):\n        total = 0\n        while head: total, head = total + head.val, head.next\n        return total\n"
        "    def both(self, heads): return [each and each.next for each in heads]\n"
    )
    declared = entry("C", ["Optional[TreeNode]"], {
        "left": ([], "TreeNode"), "sums": (["ListNode"], "integer"), "both": (["List[Optional[ListNode]]"], "ListNode[]"),
    })  # fmt: skip
    given = [["C", "left", "sums", "both"], [[[1, 2, 3, None, 4]], [], [[5, 6]], [[[1, 2], [], [3]]]]]
    assert one(judge, code, given, [None, [2, None, 4], 11, [[2], [], []]], declared).verdict is Verdict.ACCEPTED


def test_doubles_and_integers_by_the_methods_own_type(judge: Judge) -> None:
    code = "class C:\n    def mean(self): return 0.333333\n    def count(self): return 2.0\n"
    declared = entry("C", [], {"mean": ([], "double"), "count": ([], "integer")})
    assert one(judge, code, [["C", "mean"], [[], []]], [None, 1 / 3], declared).verdict is Verdict.ACCEPTED
    assert one(judge, code, [["C", "count"], [[], []]], [None, 2], declared).verdict is Verdict.WRONG_ANSWER


CHEATS = {
    "ends in the constructor": "import os\nclass LRUCache:\n    def __init__(self, c): os._exit(0)",
    "equals everything": "class A:\n    def __eq__(self, o): return True\nclass LRUCache:\n    def __init__(self, c): pass\n    def get(self, k): return A()\n    def put(self, k, v): return A()",
    "writes another list": "import os\nclass LRUCache:\n    def __init__(self, c):\n        os.write(5, b'V[null,null,null,1,null,-1,7]\\n')\n        os._exit(0)",
    "writes half of it": "import os\nclass LRUCache:\n    def __init__(self, c):\n        os.write(5, b'V[null,nu')\n        os._exit(0)",
    "is not there": "class Other: pass",
    "has no such method": "class LRUCache:\n    def __init__(self, c): pass",
    "is a number that lies": "class N(int): pass\nclass LRUCache:\n    def __init__(self, c): pass\n    def get(self, k): return N(1)\n    def put(self, k, v): pass",
}


@pytest.mark.parametrize("code", CHEATS.values(), ids=CHEATS.keys())
def test_no_way_round_returning_the_values(judge: Judge, code: str) -> None:
    assert one(judge, code, CALLS, RESULTS).verdict in (Verdict.WRONG_ANSWER, Verdict.RUNTIME_ERROR)


def test_a_broken_test_is_our_fault(judge: Judge) -> None:
    given = [["LRUCache", "pop"], [[2], []]]
    assert one(judge, LRU, given, [None, 1]).verdict is Verdict.JUDGE_ERROR
    declared = entry("C", ["TreeNode"], {})
    assert one(judge, "class C: pass", [["C"], [[3]]], [None], declared).verdict is Verdict.JUDGE_ERROR
    declared, code = entry("C", [], {"put": (["TreeNode"], "integer")}), "class C:\n    def put(self, *_): return 1"
    assert one(judge, code, [["C", "put"], [[], [[3]]]], [None, 1], declared).verdict is Verdict.ACCEPTED
    for row in ([3], [], [[3], [3]]):
        assert one(judge, code, [["C", "put"], [[], row]], [None, 1], declared).verdict is Verdict.JUDGE_ERROR


def test_a_test_of_another_class_is_our_failure(judge: Judge) -> None:
    result = one(judge, "class A: pass\nclass B: pass", [["B"], [[]]], [None], entry("A", [], {}))
    assert (result.verdict, "the entry is the class A" in result.message) == (Verdict.JUDGE_ERROR, True)


@pytest.mark.parametrize("kind", ["Node", "Optional[Node]", "List[NestedInteger]"])
def test_other_nodes_are_refused_in_words(judge: Judge, kind: str) -> None:
    result = one(judge, "class C: pass", [["C"], [[]]], [None], entry("C", [kind], {}))
    assert (result.verdict, "only ListNode and TreeNode" in result.message) == (Verdict.JUDGE_ERROR, True)
    for method in (([kind], "integer"), ([], kind)):
        result = one(judge, "class C: pass", [["C"], [[]]], [None], entry("C", [], {"m": method}))
        assert (result.verdict, "only ListNode and TreeNode" in result.message) == (Verdict.JUDGE_ERROR, True)


@pytest.mark.parametrize(
    ("given", "expected"),
    [([], []), ([["C"], []], [None]), ([["C"], [1]], [None]), ([["C"], [[]]], []), ([["C"], [[]]], 1), ("C", [None])],
)
def test_tests_of_another_shape_are_unreadable(given: Any, expected: Any) -> None:
    with pytest.raises(InvalidProblem):
        problem([{"input": given, "expected": expected}])


@pytest.mark.parametrize("given", [None, {}, {"class": None}, {"class": "C", "output_param": 1}])
def test_entries_that_name_no_class_are_unreadable(given: Any) -> None:
    with pytest.raises(InvalidProblem):
        problem([{"input": [["C"], [[]]], "expected": [None]}], given)


def test_by_the_command(judge: Judge, tmp_path: Path) -> None:
    from app.cli.runs.grade import result_json

    data = {"id": "c", "form": "class", "entry": CACHE, "tests": [{"input": CALLS, "expected": RESULTS}]}
    result = result_json(judge.grade(parse_problem(json.loads(json.dumps(data))), LRU, "python"))
    assert (result["verdict"], result["passed"], result["total"]) == ("accepted", 1, 1)
    assert "in_process" not in result
