"""Functions and classes in C++ and Java: arguments by declared types, values as JSON, how they may fail."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from app.domain.judging.verdicts import Verdict
from app.domain.problems import Entry, Form, Limits, Method, Param, ProblemSpec, Test
from workers.grading.judge import Judge
from workers.grading.languages._calls import encode_arguments, encode_calls

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


# How it ends is what it is given: compiling takes most of the time.
CPP_ENDS = """vector<vector<double>> f(int n) {
    if (n == 1) exit(0);
    for (volatile int turn = n; n == 2; turn = turn + 1) {}
    if (n == 4) { write(1, "V[[1.5],[]]\\n", 12); _exit(0); }
    return {{n / 2.0}, {}};
}"""


@pytest.mark.parametrize(
    ("language", "code", "given", "expected"),
    [
        ("cpp", CPP_ENDS, 3, Verdict.ACCEPTED),
        ("cpp", CPP_ENDS, 1, Verdict.RUNTIME_ERROR),
        ("cpp", CPP_ENDS, 2, Verdict.TIME_LIMIT),
        ("cpp", CPP_ENDS, 4, Verdict.RUNTIME_ERROR),
        ("cpp", "int f(int n) { return n }", 3, Verdict.COMPILE_ERROR),
        ("java", "class Solution { int g(int n) { return n; } }", 3, Verdict.RUNTIME_ERROR),
        pytest.param(
            "java",
            "double[][] f(int n) { return new double[][]{{n / 2.0}, {}}; }",
            3,
            Verdict.ACCEPTED,
            marks=pytest.mark.slow,
        ),
    ],
    ids=["right", "it exits", "no end", "it answers itself", "no program", "no function in java", "right in java"],
)
def test_functions_end_as_programs_do(judge: Judge, language: str, code: str, given: int, expected: Verdict) -> None:
    limits = replace(ROOM, time_ms=100) if expected is Verdict.TIME_LIMIT else ROOM
    assert verdict(judge, language, code, [given], [[1.5], []], "double[][]", limits) is expected


METHODS = {
    "add": Method((Param("text", "string"), Param("many", "integer[]")), "integer"),
    "mean": Method((), "double"),
    "clear": Method((), "void"),
    "size": Method(),
    "all": Method((Param("from", "integer"),), "string[][]"),
    "median": Method((), "double"),  # which the classes below lack
}
GIVEN = (Param("names", "string[]"), Param("room", "integer"), Param("even", "double[]"))
BUILT = Entry("", "Store", GIVEN, methods=METHODS)
CALLS: list[Any] = [
    ["Store", "add", "mean", "clear", "add", "size", "all"],
    [[["a b", "é"], 3, [0.5]], ["x", [1, 2]], [], [], ["", []], [], [0]],
]
ANSWERS = [None, 1, 3.5 / 3, None, 1, 2, [["only", ""], []]]
CPP_CLASS = """class Store { vector<string> names; int room; double sum; public:
    Store(vector<string>& names, const long long& room, vector<double> even) : names(names), room(room), sum(even[0]) {}
    Store(const Store& other) = delete;
    int add(const string& text, vector<int> many) { names.push_back(text); for (int one : many) sum += one;
        cout << "noise"; return room -= many.size(); }
    double mean() const { return sum / names.size(); }
    double mean(int of) { return of; }
    static int size() { return 2; }
    int clear() { names = {"only"}; return 5; }
    vector<vector<string>> all(int from) { return {names, {}}; } };"""
JAVA_CLASS = """class Store { List<String> names; int room; double sum;
    Store(String[] names, long room, double[] even) {
        this.names = new ArrayList<>(List.of(names)); this.room = (int) room; sum = even[0]; }
    public int add(String text, int[] many) { names.add(text); for (int one : many) sum += one;
        System.out.print("noise"); return room -= many.length; }
    double mean() { return sum / names.size(); }
    double mean(int of) { return of; }
    static int size() { return 2; }
    int clear() { names = new ArrayList<>(List.of("only")); return 5; }
    public List<List<String>> all(int from) { return List.of(names, List.of()); } }"""


def judged(judge: Judge, language: str, code: str, calls: list[Any], expected: list[Any]) -> Verdict:
    result = judge.grade(ProblemSpec("c", Form.CLASS, (Test(calls, expected),), ROOM, entry=BUILT), code, language)
    assert result.verdict is not Verdict.JUDGE_ERROR, result.message
    return result.verdict


@pytest.mark.parametrize(("language", "code"), [("cpp", CPP_CLASS), ("java", JAVA_CLASS)])
def test_of_a_class_an_object_is_made_and_its_methods_are_called(judge: Judge, language: str, code: str) -> None:
    assert judged(judge, language, code, CALLS, ANSWERS) is Verdict.ACCEPTED
    assert judged(judge, language, code, CALLS, [*ANSWERS[:-1], [["only"], []]]) is Verdict.WRONG_ANSWER
    no_list = [["Store"], [[["a"], 3, 1]]]
    assert judged(judge, language, code, no_list, [None]) is Verdict.RUNTIME_ERROR
    names, rows = CALLS
    no_method = [[*names[:2], "median"], [*rows[:2], []]]
    assert judged(judge, language, code, no_method, [*ANSWERS[:2], 1.5]) is Verdict.RUNTIME_ERROR


again = partial(pytest.param, marks=pytest.mark.slow)


@pytest.mark.parametrize(
    ("language", "old", "new", "expected"),
    [
        ("cpp", ", vector<double> even", ", vector<double> even, int more", Verdict.RUNTIME_ERROR),
        again("cpp", "room -= many.size()", "exit(0), 1", Verdict.RUNTIME_ERROR),
        again("java", ", double[] even", ", double[] even, int more", Verdict.RUNTIME_ERROR),
    ],
    ids=["no constructor", "it exits", "no constructor in java"],
)
def test_classes_that_lack_something_fail(judge: Judge, language: str, old: str, new: str, expected: Verdict) -> None:
    code = {"cpp": CPP_CLASS, "java": JAVA_CLASS}[language]
    assert judged(judge, language, code.replace(old, new), CALLS, ANSWERS) is expected


def test_calls_are_told_with_how_many_arguments_each_has() -> None:
    assert encode_calls(["A", "f", "g"], [[1], [[2]], []]) == b"l1 1 l2 s66 l1 l1 2 s67 l0\n"


def test_tokens_hold_no_text_that_could_be_another_token() -> None:
    assert encode_arguments([[1, True], "l9 s", None, {"a": 1}, 1.5]) == b"l2 1 true s6c392073 null null 1.5\n"
