# ruff: noqa: E501  # tables of whole programs
"""Checkers that are programs: what their exit codes mean, what hostile answers cannot do, and that they are confined."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from grading.judging import QUICK, Passed, run
from support.thinned import thinned

from app.domain.judging.verdicts import GradeResult, Verdict
from app.domain.problems import Checker, CheckerKind, Entry, Form, ProblemSpec, Test
from workers.grading.judge import Judge, JudgeSettings
from workers.grading.settings import HelperLimits

pytestmark = pytest.mark.sandbox

# Several in one, which is compiled once: the input says which of them it is, else it looks for one number.
MANY = """#include <iostream>
#include "testlib.h"
using namespace std;
void number() {
    int expected = ans.readInt();
    int found = ouf.readInt(0, 100, "n");
    if (found != expected) quitf(_wa, "expected %d, found %d", expected, found);
    quitf(_ok, "%d%s", found, englishEnding(found).c_str());
}
double take(InStream &stream) { return stream.readDouble(-1e9, 1e9, "x"); }
void real() {
    double expected = take(ans), found = take(ouf);
    if (!doubleCompare(expected, found, 1e-6)) quitf(_wa, "%.10f is not %.10f", found, expected);
    quitf(_ok, "%.10f", found);
}
void words() {
    while (!ans.seekEof()) {
        string expected = ans.readToken(), found = ouf.readToken("[0-9]{1,3}", "word");
        if (expected != found) quitf(_wa, "expected '%s', found '%s'", compress(expected).c_str(), compress(found).c_str());
    }
    quitf(_ok, "all");
}
void lines() {
    while (!ans.eof()) {
        string expected = ans.readLine(), found = ouf.readString();
        if (trim(expected) != trim(found)) quitf(_wa, "%s", compress(found).c_str());
    }
    ouf.readEof();
    quitf(_ok, "all");
}
void two_sums() {
    int sum = 0, rows = 0;
    for (; !ouf.seekEof(); rows++)
        while (!ouf.seekEoln()) sum += ouf.readInt();
    if (sum != ans.readInt()) quitf(_wa, "%d", sum);
    quitf(rows == 2 ? _ok : _wa, "%d lines", rows);
}
void two_lines() {
    ouf.readInt();
    ouf.readEoln();
    if (ouf.readLine() != "b") quitf(_wa, "another line");
    ouf.readEoln();
    quitf(_ok, "%s", join(std::vector<int>{rnd.next(1, 1), 2}, ", ").c_str());
}
void points(string which) {
    ouf.readInt();
    if (which == "points") quitp(0.75, "%d", 3);
    if (which == "full_points") quitp(1);
    if (which == "share") quitf(_pc(100), "half");
}
int main(int argc, char *argv[]) {
    setName("one of many");
    registerTestlibCmd(argc, argv);
    string which = inf.readToken();
    if (which == "real") real();
    if (which == "words") words();
    if (which == "lines") lines();
    if (which == "two_sums") two_sums();
    if (which == "two_lines") two_lines();
    if (which == "points" || which == "full_points" || which == "share") points(which);
    number();
}
"""
SCRIPT = """import sys
answer, output = (open(name, "rb").read().split() for name in (sys.argv[3], sys.argv[2]))
assert open(sys.argv[1]).read().split()[0] == "given"
sys.exit(answer != output)
"""
VALIDATOR = """import sys
with open(sys.argv[3] + "judgemessage.txt", "w") as file:
    file.write("a word")
assert sys.argv[4:] == ["case_sensitive", "a b"], sys.argv
exit(42 if open(sys.argv[2], "rb").read().split() == sys.stdin.buffer.read().split() else 43)
"""
CPP_VALIDATOR = """#include <iostream>
#include <fstream>
int main(int argc, char **argv) {
    std::ifstream answer(argv[2]);
    std::ofstream(std::string(argv[3]) + "/judgemessage.txt") << "looked at";
    std::string one, other;
    do {
        one = other = "";
        answer >> one, std::cin >> other;
        if (one != other) return 43;
    } while (!one.empty());
    return 42;
}
"""


def told_by(program: str, **options: str) -> Checker:
    return Checker(CheckerKind.TESTLIB, program=program, **options)  # type: ignore[arg-type]


CHECKERS = {
    "number": told_by(MANY),
    "real": told_by(MANY),
    "words": told_by(MANY),
    "lines": told_by(MANY),
    "script": told_by(SCRIPT),
    "validator": Checker(CheckerKind.KATTIS, program=VALIDATOR, flags="case_sensitive 'a b'"),
    "compiled validator": Checker(CheckerKind.KATTIS, program=CPP_VALIDATOR, language="cpp"),
}
HOSTILE = {
    "another number": b"4",
    "nothing": b"",
    "blanks": b" \n\t \r\n",
    "a word more": b"3 3",
    "a line more": b"3\nx\n",
    "nan": b"nan",
    "infinity": b"inf",
    "overflow": b"1e400",
    "hexadecimal": b"0x3",
    "foreign digits": "\u0663".encode(),
    "wide digits": "\uff13".encode(),
    "no text": b"\xff\xfe\x00\x01",
    "zero byte after": b"3\0",
    "zero byte before": b"\x003",
    "many digits": b"3" * 10**6,
    "many words": b"3 " * 10**5,
    "minus": b"-",
    "minus zero": b"-0",
    "too large": b"99999999999999999999999",
    "least": b"-9223372036854775809",
    "a verdict": b"ok 3\npoints 1\n",
    "formats": b"%s%n%n%d",
}


def asked(judge: Judge, checker: Checker, output: bytes, expected: str = "3\n", given: str = "given") -> GradeResult:
    return run(
        judge,
        f"import os\nos.write(1, {output!r})" if len(output) < 5000 else flood(output),
        given,
        expected,
        checker=checker,
    )


def flood(output: bytes) -> str:
    return f"import sys\nsys.stdout.buffer.write({output[:2]!r} * {len(output) // 2})"


# What it is told to print, byte by byte, or two of them again and again.
PRINTS = """import sys
_, text, times = input().split()
sys.stdout.buffer.write(bytes.fromhex(text.strip("x")) * int(times))
"""


def told_all(judge: Judge, name: str, outputs: Sequence[bytes]) -> list[Verdict]:
    """What a checker says of each of these answers to one test; each is a test of one problem."""
    which = name if CHECKERS[name].program == MANY else "given"
    texts = [(output.hex(), 1) if len(output) < 5000 else (output[:2].hex(), len(output) // 2) for output in outputs]
    tests = tuple(Test(f"{which} x{text} {times}\n", "3\n") for text, times in texts)
    problem = ProblemSpec("some", Form.STDIN, tests, QUICK, CHECKERS[name])
    result = judge.grade(problem, PRINTS, "python", all_tests=True)
    assert len(result.tests) == len(outputs), result
    return [test.verdict for test in result.tests]


@pytest.mark.parametrize("name", CHECKERS)
def test_a_right_answer_is_accepted(judge: Judge, name: str) -> None:
    assert told_all(judge, name, (b"3\n", b"3", b"3 \r\n")) == [Verdict.ACCEPTED] * 3


# Eleven and seven have no common divisor: each checker meets two or three of the answers in an ordinary run.
MET = {name: [hostile for place, (hostile, other) in enumerate(product(HOSTILE, CHECKERS)) if other == name
              and place % 11 == 0] for name in CHECKERS}  # fmt: skip


@pytest.mark.parametrize(
    "hostile", [pytest.param(HOSTILE, marks=pytest.mark.slow, id="all"), pytest.param(None, id="some")]
)
@pytest.mark.parametrize("name", CHECKERS)
def test_a_hostile_answer_is_wrong_and_nothing_else(judge: Judge, name: str, hostile: Sequence[str] | None) -> None:
    names = list(hostile or MET[name])
    found = told_all(judge, name, [HOSTILE[one] for one in names])
    assert dict(zip(names, found, strict=True)) == dict.fromkeys(names, Verdict.WRONG_ANSWER)


def test_what_the_checker_says_is_told(judge: Judge) -> None:
    assert "expected 3, found 4" in asked(judge, CHECKERS["number"], b"4").message
    assert "expected an integer" in asked(judge, CHECKERS["number"], b"nan").message
    assert "unexpected eof" in asked(judge, CHECKERS["number"], b"").message
    assert "n is 101, which is not between 0 and 100" in asked(judge, CHECKERS["number"], b"101").message
    assert asked(judge, CHECKERS["real"], b"3.0000001", given="real").verdict is Verdict.ACCEPTED


def exits(code: int, words: str = "") -> str:
    return f"import sys\nsys.stderr.write({words!r})\nsys.exit({code})"


VERDICTS = {
    "right": (exits(0), Verdict.ACCEPTED),
    "wrong": (exits(1), Verdict.WRONG_ANSWER),
    "presentation": (exits(2), Verdict.WRONG_ANSWER),
    "dirt": (exits(4), Verdict.WRONG_ANSWER),
    "end of file": (exits(8), Verdict.WRONG_ANSWER),
    "no points": (exits(7, "points 0 x"), Verdict.WRONG_ANSWER),
    "half the points": (exits(7, "points 0.5 half"), Verdict.WRONG_ANSWER),
    "all points": (exits(7, "points 1.0 all"), Verdict.ACCEPTED),
    "some of 200": (exits(116, "half"), Verdict.WRONG_ANSWER),
    "200 of 200": (exits(200, "all"), Verdict.ACCEPTED),
    "points in the header": (MANY, Verdict.WRONG_ANSWER, "points"),
    "full points in the header": (MANY, Verdict.ACCEPTED, "full_points"),
    "a share in the header": (MANY, Verdict.WRONG_ANSWER, "share"),
}  # fmt: skip


@pytest.mark.parametrize("name", thinned(VERDICTS, 3))
def test_exit_codes_that_are_verdicts(judge: Judge, name: str) -> None:
    program, verdict, *given = VERDICTS[name]
    assert asked(judge, told_by(program), b"3", given="".join(given)).verdict is verdict


FAILURES = {
    "failure": (exits(3, "the jury's answer is wrong"), "the jury's answer is wrong"),
    "code 5": (exits(5), "exit code 5"),
    "code 15": (exits(15), "exit code 15"),
    "points without a score": (exits(7, "well done"), "0 scores"),
    "two scores": (exits(7, "points 1 x\npoints 0 y"), "2 scores"),
    "too many points": (exits(7, "points 50 of 100"), "score 50"),
    "an exception": ("1/0", "ZeroDivisionError"),
    "no Python": ("def", "SyntaxError"),
    "a failed check": ("assert False, 'odd'", "odd"),
    "a signal": ("import os\nos.abort()", "SIGABRT"),
    "kills itself": ("import os\nos.kill(os.getpid(), 9)", "SIGKILL"),
    "a crash": ("#include <cstdlib>\nint main() { volatile int *p = nullptr; *p = 1; }", "SIGSEGV"),
    "an uncaught exception": ("#include <stdexcept>\nint main() { throw std::runtime_error(\"odd\"); }", "odd"),
    "no verdict": ('#include "testlib.h"\nint main(int n, char **a) { registerTestlibCmd(n, a); }', "without a verdict"),
    "the jury's answer is no number": ('#include "testlib.h"\nint main(int n, char **a) { registerTestlibCmd(n, a); inf.readInt(); quitf(_ok, "."); }', "input.txt"),
    "does not compile": ("#include <nothing.h>\nint main() {}", "does not compile"),
    "prints without end": ("while True: print('x' * 10000)", "too much output"),
    "loops": ("while True: pass", "limits"),
    "sleeps": ("import time\ntime.sleep(100)", "limits"),
    "eats memory": ("x = b'x' * (1 << 28)\ny = [bytes([n % 256]) * (1 << 24) for n in range(64)]", "M"),
}  # fmt: skip


@pytest.fixture(scope="module")
def strict(settings: JudgeSettings, judge: Judge) -> Judge:
    """A judge that gives checkers little."""
    room = replace(HelperLimits().bounds, cpu_ms=250, wall_ms=1000, memory_mb=256, reserve_mb=512, output_bytes=1 << 20)
    return Passed(replace(settings, helpers=HelperLimits(room)), judge)


@pytest.mark.parametrize("name", thinned(FAILURES, 3))
def test_a_checker_that_fails_is_our_failure(strict: Judge, name: str) -> None:
    program, words = FAILURES[name]
    result = asked(strict, told_by(program), b"3")
    assert result.verdict is Verdict.JUDGE_ERROR, result
    assert words in result.message


@pytest.mark.parametrize("code", [0, 1, 41, 44])
def test_a_validator_says_42_or_43(judge: Judge, code: int) -> None:
    assert asked(judge, Checker(CheckerKind.KATTIS, program=exits(code)), b"3").verdict is Verdict.JUDGE_ERROR


@pytest.mark.parametrize(
    ("checker", "words"),
    [
        (told_by(""), "empty"),
        (told_by("pass", language="cobol"), "must be in one of"),
        (told_by("pass", language="javascript"), "must be in one of"),
        (told_by("pass", flags="'"), "quotation"),
    ],
)
def test_a_checker_that_cannot_be_run_is_our_failure(judge: Judge, checker: Checker, words: str) -> None:
    result = asked(judge, replace(checker, kind=CheckerKind.KATTIS), b"3")
    assert result.verdict is Verdict.JUDGE_ERROR
    assert words in result.message


AS_ALONE = {
    "lines end with a line feed alone": (b"1\r2\n", "import sys\nexit(42 if sys.stdin.readline() == '1\\r2\\n' else 43)"),
    "its own last resort": (b"3", "import os, sys\nsys.excepthook = lambda *error: os._exit(42)\n1 / 0"),
    "its own classes": (b"3", "import pickle, typing\nclass A: b: 'A'\npickle.dumps(A())\nexit(42 if typing.get_type_hints(A)['b'] is A else 43)"),
    "the streams it began with": (b"\xff", "import sys\nexit(42 if sys.__stdin__.read() == '\\udcff' and sys.__stdout__ is sys.stdout else 43)"),
}  # fmt: skip


@pytest.mark.parametrize("name", AS_ALONE)
def test_a_script_finds_what_it_would_find_alone(judge: Judge, name: str) -> None:
    output, program = AS_ALONE[name]
    result = asked(judge, Checker(CheckerKind.KATTIS, program=program), output)
    assert result.verdict is Verdict.ACCEPTED, result


def test_the_traceback_of_a_script_is_its_own(judge: Judge) -> None:
    message = asked(judge, told_by("def f():\n    1 / 0\nf()"), b"3").message
    assert 'last):\n  File "checker.py", line 3' in message
    assert "main.py" not in message


def test_without_tests_or_with_another_form_no_checker_is_asked(judge: Judge) -> None:
    checker = told_by(exits(0))
    empty = ProblemSpec("none", Form.STDIN, (), QUICK, checker)
    called = ProblemSpec("call", Form.FUNCTION, (Test([], 1),), QUICK, checker, Entry("solve"))
    assert judge.grade(empty, "print(3)", "python").verdict is Verdict.JUDGE_ERROR
    assert judge.grade(called, "def solve(): return 1", "python").verdict is Verdict.JUDGE_ERROR


@pytest.mark.parametrize(
    ("code", "verdict"),
    [
        ("raise SystemExit(42)", Verdict.RUNTIME_ERROR),
        ("print(3)\nraise SystemExit(1)", Verdict.RUNTIME_ERROR),
        ("while True: pass", Verdict.TIME_LIMIT),
        ("while True: print('3' * 1000)", Verdict.OUTPUT_LIMIT),
        ("x = b'x' * (1 << 30)", Verdict.MEMORY_LIMIT),
        ("print(", Verdict.COMPILE_ERROR),
    ],
)
def test_a_program_that_fails_needs_no_checker(judge: Judge, code: str, verdict: Verdict) -> None:
    limits = replace(QUICK, time_ms=150 if verdict is Verdict.TIME_LIMIT else QUICK.time_ms)
    assert run(judge, code, "given", "3", checker=told_by("1/0"), limits=limits).verdict is verdict


def test_each_test_has_a_fresh_checker_with_its_own_files(judge: Judge) -> None:
    program = """import os, sys
assert sorted(os.listdir(".")) == ["answer.txt", "input.txt", "output.txt"], os.listdir(".")
given, output, answer = (open(name).read() for name in sys.argv[1:])
for name in sys.argv[1:]:
    open(name, "w").write("changed")
open("left", "w").close()
if os.fork() == 0:
    os.setsid()
    while True: pass
sys.exit(0 if (given, output) == (answer, answer) else 1)
"""
    tests = tuple(Test(f"{n}\n", f"{n}\n") for n in range(4))
    problem = ProblemSpec("echo", Form.STDIN, tests, QUICK, told_by(program))
    assert judge.grade(problem, "print(input())", "python").passed == 4


def test_a_checker_is_confined(judge: Judge) -> None:
    program = """import os, socket, sys
try:
    os.listdir("/root")
except OSError:
    pass
else:
    sys.exit(1)
assert os.getpid() == 2 and not [fd for fd in range(3, 1000) if os.path.exists(f"/proc/self/fd/{fd}") and os.readlink(f"/proc/self/fd/{fd}").startswith(("pipe", "socket", "/memfd"))]
try:
    socket.create_connection(("127.0.0.1", 22), 1)
except OSError:
    sys.exit(0)
sys.exit(1)
"""
    result = asked(judge, told_by(program), b"3")
    assert result.verdict is Verdict.ACCEPTED, result


def test_large_files_reach_the_checker_whole(judge: Judge) -> None:
    program = (
        "import os, sys\nsys.exit([os.path.getsize(name) for name in sys.argv[1:]] != [90 << 20, 30 << 20, 40 << 20])"
    )
    code = "import sys\nfor _ in range(30): sys.stdout.write('x' * (1 << 20))"
    tests = (Test("i" * (90 << 20), "a" * (40 << 20)),)
    roomy = replace(QUICK, time_ms=4000, output_kb=65536)
    result = judge.grade(ProblemSpec("large", Form.STDIN, tests, roomy, told_by(program)), code, "python")
    assert result.verdict is Verdict.ACCEPTED, result


def test_no_descriptor_is_left_open(judge: Judge) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for output in (b"3", b"4"):
        asked(judge, CHECKERS["number"], output)
        asked(judge, told_by("1/0"), output)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_all_tests_are_judged_where_that_is_asked(judge: Judge) -> None:
    tests = tuple(Test("given", text) for text in ("3", "4", "3"))
    problem = ProblemSpec("some", Form.STDIN, tests, QUICK, CHECKERS["script"])
    result = judge.grade(problem, "print(3)", "python", all_tests=True)
    assert [test.verdict.short for test in result.tests] == ["AC", "WA", "AC"]
