"""Functions in C++ and Java: arguments by the types that a program declares, values as JSON, and how it may fail."""

from dataclasses import replace
from typing import Any

import pytest

from app.domain.judging.verdicts import Verdict
from app.domain.problems import Entry, Form, Limits, Param, ProblemSpec, Test
from workers.grading.judge import Judge
from workers.grading.languages._calls import tokens

pytestmark = pytest.mark.sandbox

ROOM = Limits(time_ms=5000, memory_mb=256, output_kb=1024)
MANY = [[1, -2], 3000000000, 2.5, True, "a", 'é"\n', [["x"], []]]
CPP = """class Solution { public:
    string f(vector<int>& a, long long b, double c, bool d, char e, string g, vector<vector<string>> h) const {
        cout << "noise"; return to_string(a[1] + b) + (d ? "T" : "F") + e + g + h[0][0] + to_string((int)(2 * c)); } };
int main() { return 3; }"""
JAVA = """import java.util.List;
public class Solution {
    public String f(int[] a, long b, double c, boolean d, char e, String g, List<List<String>> h) {
        System.out.print("noise");
        return (a[1] + b) + (d ? "T" : "F") + e + g + h.get(0).get(0) + (int) (2 * c); } }"""


def verdict(
    judge: Judge,
    language: str,
    code: str,
    given: list[Any],
    expected: Any,
    returns: str = "",
    limits: Limits = ROOM,
) -> Verdict:
    entry = Entry("f", "Solution", tuple(Param(f"p{number}") for number in range(len(given))), returns)
    problem = ProblemSpec("f", Form.FUNCTION, (Test(given, expected),), limits, entry=entry)
    result = judge.grade(problem, code, language)
    assert result.verdict is not Verdict.JUDGE_ERROR, result.message
    return result.verdict


@pytest.mark.parametrize(("language", "code"), [("cpp", CPP), ("java", JAVA)])
def test_arguments_come_by_their_types_and_what_is_printed_is_no_answer(judge: Judge, language: str, code: str) -> None:
    assert verdict(judge, language, code, MANY, '2999999998Taé"\nx5') is Verdict.ACCEPTED
    assert verdict(judge, language, code, MANY, "another") is Verdict.WRONG_ANSWER
    assert verdict(judge, language, code, [MANY[0], "no", *MANY[2:]], "") is Verdict.RUNTIME_ERROR


@pytest.mark.parametrize(
    ("language", "code", "expected"),
    [
        ("cpp", "vector<vector<double>> f(int n) { return {{n / 2.0}, {}}; }", Verdict.ACCEPTED),
        pytest.param(
            "java",
            "double[][] f(int n) { return new double[][]{{n / 2.0}, {}}; }",
            Verdict.ACCEPTED,
            marks=pytest.mark.slow,
        ),
        ("cpp", "int f(int n) { return n }", Verdict.COMPILE_ERROR),
        ("java", "class Solution { int g(int n) { return n; } }", Verdict.RUNTIME_ERROR),
        ("cpp", "int f(int n) { exit(0); }", Verdict.RUNTIME_ERROR),
        ("cpp", "int f(int n) { while (true) n++; }", Verdict.TIME_LIMIT),
        ("cpp", 'int f(int n) { write(1, "V[[1.5],[]]\\n", 12); _exit(0); }', Verdict.RUNTIME_ERROR),
    ],
)
def test_functions_end_as_programs_do(judge: Judge, language: str, code: str, expected: Verdict) -> None:
    limits = replace(ROOM, time_ms=100) if expected is Verdict.TIME_LIMIT else ROOM
    assert verdict(judge, language, code, [3], [[1.5], []], "double[][]", limits) is expected


def test_tokens_hold_no_text_that_could_be_another_token() -> None:
    assert tokens([[1, True], "l9 s", None, {"a": 1}, 1.5]) == b"l2 1 true s6c392073 null null 1.5\n"
