# ruff: noqa: E501  # tables of whole programs
"""Function form: what is called, what it sees, and how its value is judged."""

from collections import defaultdict
from typing import Any

import pytest
from grading.judging import QUICK, call

from app.domain.judging.verdicts import Verdict
from app.domain.problems import Checker, CheckerKind, Entry, Form, Param, ProblemSpec, Test
from workers.grading.judge import Judge

pytestmark = pytest.mark.sandbox


def solution(body: str) -> str:
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    return f"class Solution:\n    def solve(self, *p):\n{lines}\n"


# Body, arguments, expected, types, return type.
ACCEPTED: dict[str, tuple[str, list[Any], Any, tuple[str, ...], str]] = {
    "list": ("return sorted(p[0])", [[3, 1]], [1, 3], (), "List[int]"),
    "tuple counts as list": ("return (1, (2, 3))", [], [1, [2, 3]], (), ""),
    "dictionary": ("return {'a': [1]}", [], {"a": [1]}, (), ""),
    "none": ("return None", [], None, (), ""),
    "nothing for an empty list node": ("return None", [[]], [], ("ListNode",), "Optional[ListNode]"),
    "list node in and out": ("p[0].next.val = 9\nreturn p[0]", [[1, 2]], [1, 9], ("Optional[ListNode]",), "ListNode"),
    "list nodes in a list": ("return p[0][1]", [[[1], [2, 3]]], [2, 3], ("ListNode[]",), "ListNode"),
    "list of list nodes out": ("return [p[0], None]", [[1]], [[1], []], ("ListNode",), "List[Optional[ListNode]]"),
    "tree in and out": ("return p[0].right", [[1, 2, 3, None, None, 4]], [3, 4], ("TreeNode",), "TreeNode"),
    "tree with holes": ("return p[0]", [[5, None, 3, 7]], [5, None, 3, 7], ("TreeNode",), "TreeNode"),
    "list nodes, spelled at length": ("return p[0]", [[[1], []]], [[1], []], ("Optional[List[Optional[ListNode]]]",), "List[ListNode]"),
    "tree nodes in a list with nulls": ("return [p[0][1], None]", [[None, [2]]], [[2], []], ("List[Optional[TreeNode]]",), "TreeNode[]"),
    "null for a list of nodes": ("return p[0]", [None], None, ("List[int]",), "List[int]"),
    "undeclared nodes": ("return [ListNode(1), TreeNode(2)]", [], [[1], [2]], (), ""),
    "a tree a thousand deep": ("return p[0]", [[1] + [2, None] * 999 + [2]], [1] + [2, None] * 999 + [2], ("TreeNode",), "TreeNode"),
    "an integer of many digits": ("return [-x - 1 for x in p[0]]", [[10**40_000]], [-(10**40_000) - 1], ("List[int]",), "List[int]"),
    "made node": ("return ListNode(1, ListNode(2))", [], [1, 2], (), "ListNode"),
    "double within tolerance": ("return 0.333331", [], 1 / 3, (), "double"),
    "whole number for a double": ("return 2", [], 2.0, (), "double"),
    "undeclared float for int": ("return 2.0", [], 2, (), ""),
    "preamble": ("return [gcd(4, 6), inf > 1, pow(2, 5, 7), len(Counter('aab'))]", [], [2, True, 4, 2], (), ""),
    "modules stay modules": ("return [math.gcd(4, 6), string.digits[0], len([random.random()])]", [], [2, "0", 1], (), ""),
    "builtins win": ("return [sum([1, 2]), abs(-1), max(1, 2)]", [], [3, 1, 2], (), ""),
    "annotations": ("x: Optional[List[int]] = None\nreturn x", [], None, (), ""),
    "deep recursion": (
        "def f(n):\n    return 0 if n == 0 else 1 + f(n - 1)\nreturn f(50000)", [], 50000, (), "int",
    ),
    "sorted containers": ("from sortedcontainers import SortedList\nreturn list(SortedList([2, 1]))", [], [1, 2], (), ""),
    "prints are ignored": ("print('V3')\nreturn 4", [], 4, (), ""),
    "big integers": ("return 10 ** 400", [], 10**400, (), ""),
    "text": ("return p[0] + '\\n\\0é'", ["a"], "a\n\0é", (), "string"),
}  # fmt: skip
WRONG: dict[str, tuple[str, list[Any], Any, tuple[str, ...], str]] = {
    "value": ("return 1", [], 2, (), ""),
    "float for a declared integer": ("return 2.0", [], 2, (), "integer"),
    "boolean for an integer": ("return True", [], 1, (), ""),
    "double out of tolerance": ("return 0.33", [], 1 / 3, (), "double"),
    "nan": ("return float('nan')", [], 1.0, (), "double"),
    "infinity": ("return float('inf')", [], 1e308, (), "double"),
    "set": ("return {1}", [], [1], (), ""),
    "text for a number": ("return '1'", [], 1, (), ""),
    "longer list": ("return [1, 2]", [], [1], (), ""),
    "object": ("return object()", [], None, (), ""),
    "number that lies": (
        "class N(int):\n    def __eq__(self, other): return True\n    def __hash__(self): return 1\nreturn N(3)", [], 4, (), "",
    ),
    "list that holds itself": ("x = []\nx.append(x)\nreturn x", [], [[]], (), ""),
    "list node cycle": ("n = ListNode(1)\nn.next = n\nreturn n", [], [1], (), "ListNode"),
    "tree node cycle": ("n = TreeNode(1)\nn.left = n\nreturn n", [], [1], (), "TreeNode"),
    "list for a declared list node": ("return [1]", [[1]], [1], ("ListNode",), "ListNode"),
    "list node for a declared list": ("return p[0]", [[1]], [1], ("ListNode",), "List[int]"),
    "tree node for a declared list node": ("return TreeNode(1)", [], [1], (), "ListNode"),
    "nothing for a tree that is not empty": ("return None", [], [1], (), "TreeNode"),
    "node that holds a node": ("return ListNode(ListNode(1))", [], [[1]], (), "ListNode"),
    "far too long": ("return 'a' * 900000", [], "b", (), ""),
}  # fmt: skip


def verdicts(judge: Judge, cases: dict[str, tuple[str, list[Any], Any, tuple[str, ...], str]]) -> dict[str, Verdict]:
    """What each comes to. Those that declare the same types are tests of one program, in one sandbox: what it is given
    first says which of its methods is meant."""
    alike: dict[Any, list[str]] = defaultdict(list)
    for name, (_, given, _, types, returns) in cases.items():
        alike[types, returns, len(given)].append(name)
    found: dict[str, Verdict] = {}
    for (types, returns, size), names in alike.items():
        methods = [solution(cases[name][0]).replace("solve", f"case_{at}") for at, name in enumerate(names)]
        code = methods[0] + "".join(method.partition("\n")[2] for method in methods[1:])
        code += "    def solve(self, case, *p):\n        return getattr(self, f'case_{case}')(*p)\n"
        kinds = ("", *types, *[""] * (size - len(types)))
        entry = Entry("solve", "Solution", tuple(Param(f"p{at}", kind) for at, kind in enumerate(kinds)), returns)
        tests = tuple(Test([at, *cases[name][1]], cases[name][2]) for at, name in enumerate(names))
        result = judge.grade(
            ProblemSpec("call", Form.FUNCTION, tests, QUICK, entry=entry), code, "python", all_tests=True
        )
        found |= {name: test.verdict for name, test in zip(names, result.tests, strict=True)}
    return found


def test_right_values(judge: Judge) -> None:
    assert verdicts(judge, ACCEPTED) == dict.fromkeys(ACCEPTED, Verdict.ACCEPTED)


def test_wrong_values(judge: Judge) -> None:
    assert verdicts(judge, WRONG) == dict.fromkeys(WRONG, Verdict.WRONG_ANSWER)


CHEATS = {
    "ends with 0 before it is called": "import sys\nsys.exit(0)\ndef solve(): return 1",
    "ends at once": "import os\nos._exit(0)",
    "ends in the call": "import os\ndef solve(): os._exit(0)",
    "writes half a value": "import os\nos.write(5, b'V1')\nos._exit(0)",
    "writes a value and a second one": "import os\nos.write(5, b'V2\\nV2\\n')\nos._exit(0)",
    "writes no value": "import os\nos.write(5, b'accepted\\n')\nos._exit(0)",
    "writes a value that is too deep": "import os\nos.write(5, b'V' + b'[' * 50000 + b']' * 50000 + b'\\n')\nos._exit(0)",
    "replaces the encoder": "import json\njson.dumps = lambda *a, **k: 'true'\ndef solve(): return 7",
    "claims to be equal": "class A:\n    def __eq__(self, other): return True\ndef solve(): return A()",
    "right value, then a failed exit": "import atexit, os\natexit.register(os._exit, 0)\nimport sys\ndef solve(): sys.exit(4)",
    "raises": "def solve(): raise ValueError",
    "is not there": "def other(): return 2",
}


@pytest.mark.parametrize("code", CHEATS.values(), ids=CHEATS.keys())
def test_no_way_round_returning_the_value(judge: Judge, code: str) -> None:
    result = call(judge, code, [], 2, cls=None)
    assert result.verdict in (Verdict.WRONG_ANSWER, Verdict.RUNTIME_ERROR), result


def test_a_function_does_for_a_method_and_back(judge: Judge) -> None:
    assert call(judge, "def solve(x):\n    return x", [1], 1, cls="Solution").verdict is Verdict.ACCEPTED
    assert call(judge, solution("return p[0]"), [1], 1, cls=None).verdict is Verdict.ACCEPTED


def test_each_test_has_a_fresh_instance_and_arguments(judge: Judge) -> None:
    code = "class Solution:\n    seen = []\n    def solve(self, x):\n        self.seen.append(1)\n        return len(self.seen)"
    for _ in range(2):
        assert call(judge, code, [0], 1).verdict is Verdict.ACCEPTED


def test_the_problems_own_preamble_comes_first(judge: Judge) -> None:
    result = call(judge, solution("return HELPER + p[0]"), [1], 42, preamble="HELPER = 41")
    assert result.verdict is Verdict.ACCEPTED


@pytest.mark.parametrize("preamble", ["HELPER = ", "raise ValueError", "import no_such_module"])
def test_a_preamble_that_fails_is_not_the_programs_fault(judge: Judge, preamble: str) -> None:
    result = call(judge, solution("return 1"), [], 1, preamble=preamble)
    assert (result.verdict, "preamble fails by itself" in result.message) == (Verdict.JUDGE_ERROR, True)


def test_beside_a_sound_preamble_a_program_fails_by_itself(judge: Judge) -> None:
    result = call(judge, solution("return HELPER / 0"), [], 1, preamble="HELPER = 41")
    assert (result.verdict, "ZeroDivisionError" in result.message) == (Verdict.RUNTIME_ERROR, True)


def test_a_list_node_of_the_programs_own_may_take_the_value_alone(judge: Judge) -> None:
    own = "class ListNode:\n    def __init__(self, x):\n        self.val, self.next = x, None\n"
    result = call(judge, own + solution("return p[0].next"), [[1, 2]], [2], types=("ListNode",), returns="ListNode")
    assert result.verdict is Verdict.ACCEPTED


def test_keys_that_are_numbers_are_what_json_makes_of_them(judge: Judge) -> None:
    assert call(judge, solution("return {1: [2]}"), [], {"1": [2]}).verdict is Verdict.ACCEPTED
    assert call(judge, solution("return {1: 2, '1': 3}"), [], {"1": 3}).verdict is Verdict.WRONG_ANSWER


def test_many_small_values_are_wrong_unread(judge: Judge) -> None:
    result = call(judge, solution("return [[]] * 300_000"), [], [0] * 100_000)
    assert (result.verdict, "too much" in result.message) == (Verdict.WRONG_ANSWER, True)


@pytest.mark.parametrize("arguments", [[], [1, 2]])
def test_a_test_with_other_arguments_is_our_failure(judge: Judge, arguments: list[int]) -> None:
    entry = Entry("solve", "Solution", (Param("a"),))
    problem = ProblemSpec("p", Form.FUNCTION, (Test(arguments, 1),), entry=entry)
    result = judge.grade(problem, solution("return 1"), "python")
    assert (result.verdict, "1 are declared" in result.message) == (Verdict.JUDGE_ERROR, True)


def test_a_main_guard_is_not_entered(judge: Judge) -> None:
    code = solution("return 1") + "\nif __name__ == '__main__':\n    raise SystemExit(1)\n"
    assert call(judge, code, [], 1).verdict is Verdict.ACCEPTED


def test_any_order_where_the_problem_says_so(judge: Judge) -> None:
    unordered = Checker(CheckerKind.UNORDERED)
    assert call(judge, solution("return [[2], [1]]"), [], [[1], [2]], checker=unordered).verdict is Verdict.ACCEPTED
    assert call(judge, solution("return [[2], [2]]"), [], [[1], [2]], checker=unordered).verdict is Verdict.WRONG_ANSWER


def test_what_the_program_says_of_its_error_is_shown(judge: Judge) -> None:
    result = call(judge, solution("raise ValueError('why')"), [], 1)
    assert (result.verdict, "ValueError: why" in result.message) == (Verdict.RUNTIME_ERROR, True)
    assert "guest.py" not in result.message


def test_c_has_no_function_form_and_cpp_none_of_classes_whose_methods_nobody_declares(judge: Judge) -> None:
    problem = ProblemSpec("f", Form.FUNCTION, (Test([], 1),), QUICK, entry=Entry("solve"))
    assert judge.grade(problem, "int main() {}", "c").verdict is Verdict.JUDGE_ERROR
    of_class = ProblemSpec("f", Form.CLASS, (Test([["A"], [[]]], [None]),), QUICK, entry=Entry("", "A"))
    assert judge.grade(of_class, "class A {};", "cpp").verdict is Verdict.JUDGE_ERROR


def test_in_place_the_argument_is_the_answer(judge: Judge) -> None:
    def judged(code: str, given: list[Any], expected: Any, kind: str, place: int = 0) -> Verdict:
        entry = Entry("solve", "Solution", (Param("a", kind), Param("b")), "void", output_param=place)
        return judge.grade(
            ProblemSpec("i", Form.FUNCTION, (Test(given, expected),), QUICK, entry=entry), code, "python"
        ).verdict

    assert judged(solution("p[0].sort()"), [[3, 1], 0], [1, 3], "integer[]") is Verdict.ACCEPTED
    assert judged(solution("return sorted(p[0])"), [[3, 1], 0], [1, 3], "integer[]") is Verdict.WRONG_ANSWER
    assert judged(solution("p[0].next.val = 7"), [[3, 1], 0], [3, 7], "ListNode") is Verdict.ACCEPTED
    assert judged(solution("p[1].append(p[0])"), [1, [2]], [2, 1], "integer", 1) is Verdict.ACCEPTED
    assert judged(solution("return p[0]"), [[1, 2], 0], [2], "ListNode") is Verdict.WRONG_ANSWER


def test_values_that_are_no_nodes_are_our_fault(judge: Judge) -> None:
    result = call(judge, solution("return p[0]"), [5], 5, types=("TreeNode",))
    assert (result.verdict, "a list of values is needed" in result.message) == (Verdict.JUDGE_ERROR, True)


def test_other_nodes_are_refused(judge: Judge) -> None:
    result = call(judge, solution("return p[0]"), [[1]], [1], types=("Optional[Node]",), returns="Node")
    assert (result.verdict, "only ListNode and TreeNode" in result.message) == (Verdict.JUDGE_ERROR, True)


def test_words_of_a_compile_error_come_from_no_test(judge: Judge) -> None:
    secret = "sys.stderr.write(str(p[0])); sys.stderr.flush(); os._exit(87)"
    result = call(judge, "import os, sys\n" + solution(secret), ["hidden"], 1)
    assert (result.verdict, "compile" in result.message) == (Verdict.RUNTIME_ERROR, False)
    always = "import os, sys\nsys.stderr.write('no'); sys.stderr.flush()\nos._exit(87)"
    assert call(judge, always, ["hidden"], 1).verdict is Verdict.RUNTIME_ERROR
    assert call(judge, "def solve(:", [], 1).verdict is Verdict.COMPILE_ERROR
