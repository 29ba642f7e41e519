# ruff: noqa: E501  # tables of whole programs
"""Interactive problems: a right program is accepted, and whatever either side does, both end with the right verdict."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from grading.judging import QUICK, Passed
from grading.telling import told
from grading.test_grade_command import suite
from support.thinned import thinned

from app.domain.judging.verdicts import GradeResult, Verdict
from app.domain.problems import Checker, CheckerKind, Form, Interactor, Limits, ProblemSpec, Test
from workers.grading.judge import Judge, JudgeSettings
from workers.grading.settings import HelperLimits

pytestmark = pytest.mark.sandbox

COMPILED = """#include "testlib.h"
using namespace std;
int main(int argc, char **argv) {
    registerInteraction(argc, argv);
    int number = inf.readInt(), asked = 0;
    ensuref(ans.readInt() == number, "input and answer differ");
    while (true) {
        string sign = ouf.readWord();
        int x = ouf.readInt(1, 1000000, "x");
        if (sign == "!") {
            tout << asked << endl;
            if (x != number) quitf(_wa, "it is not %d", x);
            quitf(_ok, "found with %d queries", asked);
        }
        if (sign != "?") quitf(_pe, "neither a query nor an answer");
        if (++asked > 40) quitf(_wa, "too many queries");
        cout << (number < x ? '<' : number > x ? '>' : '=') << endl;
    }
}
"""
VALIDATOR = """import os, sys
number, asked = int(open(sys.argv[1]).read()), 0
assert int(open(sys.argv[2]).read()) == number and os.path.isdir(sys.argv[3]) and sys.argv[4:] == ["flag"]
open(sys.argv[3] + "judgemessage.txt", "w").write("started")
while True:
    sign, _, word = sys.stdin.buffer.readline(100).rstrip().partition(b" ")
    if not word.isdigit() or len(word) > 7:
        exit(43)
    if sign == b"!":
        exit(42 if int(word) == number else 43)
    asked += 1
    if asked > 40:
        exit(43)
    print("<" if number < int(word) else ">" if number > int(word) else "=", flush=True)
"""
INTERACTORS = {
    "testlib": Interactor(COMPILED),
    "kattis": Interactor(VALIDATOR, CheckerKind.KATTIS, flags="flag"),
}
SEARCH = """low, high = 1, 1000000
while True:
    middle = (low + high) // 2
    print("?", middle, flush=True)
    answer = input()
    if answer == "=":
        break
    if answer == "<":
        high = middle - 1
    else:
        low = middle + 1
print("!", middle, flush=True)
"""
# Wrong about the last number.
CPP_SEARCH = """#include <bits/stdc++.h>
int main() {
    const int high_most = 1000000;
    int low = 1, high = high_most;
    char answer = 0;
    while (answer != '=') {
        int middle = (low + high) / 2;
        std::cout << "? " << middle << std::endl;
        if (!(std::cin >> answer)) return 1;
        if (answer == '<') high = middle - 1;
        if (answer == '>') low = middle + 1;
        if (answer == '=') std::cout << "! " << middle % high_most << std::endl;
    }
}
"""
# Who waits is ended after 1.75 times the wall limit, which is a second more than this.
BRISK = Limits(time_ms=150, memory_mb=128, output_kb=1024)
AC, WA, RTE = Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.RUNTIME_ERROR
TLE, MLE, OLE = Verdict.TIME_LIMIT, Verdict.MEMORY_LIMIT, Verdict.OUTPUT_LIMIT
PROGRAMS = {
    "search": (SEARCH, (AC,)),
    "search by lines": (SEARCH.replace("input()", "sys.stdin.readline().strip()").replace("low, high = 1", "import sys\nlow, high = 1", 1), (AC,)),
    "search by bytes": (SEARCH.replace("input()", "os.read(0, 10).decode().strip()").replace("low, high = 1", "import os\nlow, high = 1", 1), (AC,)),
    "search by device": (SEARCH.replace("input()", "stdin.readline().strip()").replace("low, high = 1", "stdin = open('/dev/stdin')\nlow, high = 1", 1), (AC,)),
    "a guess": ("print('! 5')", (WA,)),
    "an early end": ("pass", (WA,)),
    "a query, then the end": ("print('? 5', flush=True)\ninput()", (WA,)),
    "a query, then a crash": ("print('? 5', flush=True)\ninput()\n1 / 0", (RTE,)),
    "a failed exit at once": ("raise SystemExit(3)", (RTE,)),
    "killed by itself": ("import os\nos.kill(os.getpid(), 11)", (RTE,)),
    "right, then a failed exit": (SEARCH + "raise SystemExit(1)\n", (RTE,)),
    "right, then a loop": (SEARCH + "while True: pass\n", (TLE,)),
    "right, then sleep": (SEARCH + "import time\ntime.sleep(60)\n", (TLE,)),
    "right, then a flood": (SEARCH + "while True: print('x' * 1000)\n", (OLE,)),
    "right, then memory": (SEARCH + "x = b'x' * (1 << 30)\n", (MLE,)),
    "right, then a late child": (SEARCH + "import os, time\nif os.fork() == 0:\n    time.sleep(60)\n", (AC,)),
    "waits for the first word": ("input()", (TLE,)),
    "does not flush": ("import sys\nsys.stdout.write('? 5')\nsys.stdin.readline()", (TLE,)),
    "no end of line": ("import sys\nsys.stdout.write('? 5')\nsys.stdout.flush()\nsys.stdin.readline()", (TLE,)),
    "sleeps": ("import time\ntime.sleep(60)", (TLE,)),
    "stops itself": ("import os\nos.kill(os.getpid(), 19)", (TLE,)),
    "loops": ("while True: pass", (TLE,)),
    "a long sentence": ("while True: print('9' * 1000, end='')", (OLE, WA)),
    "queries without reading": ("while True: print('? 5')", (WA, OLE)),
    "eats memory": ("x = b'x' * (1 << 30)", (MLE,)),
    "errors without end": ("import sys\nwhile True: sys.stderr.write('x' * 10000)", (TLE,)),
    "closes all and goes on": ("import os, time\nfor fd in (0, 1, 2): os.close(fd)\ntime.sleep(0.2)\nos._exit(0)", (WA,)),
    "closes all and stays": ("import os, time\nfor fd in (0, 1, 2): os.close(fd)\ntime.sleep(60)", (TLE,)),
    "closes its input": ("import os\nos.close(0)\nfor n in range(20): os.write(1, b'? 5\\n')", (WA,)),
    "closes its output": ("import os\nos.close(1)\nos.read(0, 10)", (WA,)),
    "no number": ("print('! nan')", (WA,)),
    "a huge number": ("print('! ' + '9' * 10**6)", (WA,)),
    "a zero byte": ("print('! \\0')", (WA,)),
    "foreign digits": ("print('! \\u0665')", (WA,)),
    "no text": ("import os\nos.write(1, bytes(range(256)))", (WA,)),
    "writes into its own input": ("import os\ntry:\n    fd = os.open('/dev/stdin', os.O_WRONLY)\n    os.write(fd, b'=\\n')\nexcept OSError: pass\nprint('! 5')", (WA,)),
    "does not compile": ("def", (Verdict.COMPILE_ERROR,)),
    "nothing": ("", (Verdict.NO_ANSWER,)),
}  # fmt: skip


def guess(judge: Judge, code: str, interactor: Interactor, language: str = "python", **options: Any) -> GradeResult:
    tests = tuple(Test(f"{number}\n", f"{number}\n") for number in (777, 1, 1000000))
    return judge.grade(
        ProblemSpec("guess", Form.INTERACTIVE, tests, BRISK, interactor=interactor), code, language, **options
    )


@pytest.mark.parametrize("kind", ["testlib", pytest.param("kattis", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", thinned(PROGRAMS, 3))
def test_programs(judge: Judge, kind: str, name: str) -> None:
    code, verdicts = PROGRAMS[name]
    result = guess(judge, code, INTERACTORS[kind])
    assert result.verdict in verdicts, result
    assert result.passed == (3 if verdicts == (AC,) else 0)


@pytest.fixture(scope="module")
def executing(settings: JudgeSettings, judge: Judge) -> Judge:
    """A judge that starts an interpreter for each program."""
    return Passed(replace(settings, zygote=False), judge)


@pytest.mark.parametrize("kind", INTERACTORS)
def test_other_ways_to_run_a_program(judge: Judge, executing: Judge, kind: str) -> None:
    result = guess(judge, CPP_SEARCH, INTERACTORS[kind], "cpp", all_tests=True)
    assert [test.verdict for test in result.tests] == [AC, AC, WA]
    assert guess(executing, SEARCH, INTERACTORS[kind]).verdict is AC


def test_idleness_and_words_are_told(judge: Judge) -> None:
    assert "idle" in guess(judge, "input()", INTERACTORS["testlib"]).message
    assert "idle" not in guess(judge, "while True: pass", INTERACTORS["testlib"]).message
    assert "it is not 5" in guess(judge, "print('! 5')", INTERACTORS["testlib"]).message
    assert "ZeroDivisionError" in guess(judge, "1 / 0", INTERACTORS["testlib"]).message


def test_all_tests_go_on_after_one_that_was_cut_short(judge: Judge) -> None:
    code = SEARCH.replace("low, high", "import sys, time\nif input_is_odd():\n    time.sleep(60)\nlow, high", 1)
    code = code.replace("input_is_odd()", "(print('? 2', flush=True), input())[1] == '<'")
    result = guess(judge, code, INTERACTORS["testlib"], all_tests=True)
    assert [test.verdict for test in result.tests] == [AC, TLE, AC]


# --- interactors ------------------------------------------------------------------------------------------------------

READY = "import sys, time\n"
TALKS = "print('go', flush=True)\nanswer = sys.stdin.readline()\n"
OURS = Verdict.JUDGE_ERROR
HELPERS = {
    "decides at once": (READY + "sys.exit(0)", "print(input(), flush=True) if 0 else None", (AC,)),
    "accepts before it is spoken to": (READY + "sys.exit(0)", "import sys\nfor _ in range(1000): print('x' * 100)\nsys.stdin.read()", (AC,)),
    "refuses before it is spoken to": (READY + "sys.exit(1)", "import time\ntime.sleep(60)", (WA,)),
    "refuses, and the program breaks of it": (READY + "print(-1, flush=True)\nsys.exit(1)", "input()\nint(input())", (WA,)),
    "accepts and the program breaks of it": (READY + "sys.exit(0)", "input()", (RTE,)),
    "closes its streams first": (READY + "import os\nos.close(0)\nos.close(1)\ntime.sleep(0.3)\nos._exit(0)", "import sys\nsys.stdin.read()\nprint(1)", (AC,)),
    "talks first": (READY + TALKS + "sys.exit(answer != 'went\\n')", "input()\nprint('went')", (AC,)),
    "waits for the end": (READY + "sys.exit(sys.stdin.read() != 'a\\n')", "print('a')", (AC,)),
    "finds more after the end": (READY + "sys.exit(sys.stdin.read() != 'a\\n')", "print('a\\n')", (WA,)),
    "thinks when the program has ended": (READY + "sys.stdin.read()\ntime.sleep(0.5)\nwhile time.process_time() < 0.5: pass\nsys.exit(0)", "print(1)", (AC,)),
    "says much that nobody reads": (READY + "for _ in range(100): print('x' * 100000)\nsys.exit(0)", "pass", (AC,)),
    "both only write": (READY + "while True: print('x' * 1000)", "while True: print('x' * 1000)", (OLE, TLE)),
    "both only read": (READY + "sys.stdin.readline()\nsys.exit(1)", "input()", (TLE,)),
    "reads nothing, program writes": (READY + "time.sleep(1)\nsys.exit(0)", "while True: print('x' * 1000)", (OLE, TLE)),
    "partial score": (READY + "sys.stderr.write('points 0.5')\nsys.exit(7)", "pass", (WA,)),
    "full score": (READY + "sys.stderr.write('points 1')\nsys.exit(7)", "pass", (AC,)),
    "fails": (READY + "sys.exit(3)", "pass", (OURS,)),
    "breaks": (READY + "1 / 0", "input()", (OURS,)),
    "breaks of what it reads": (READY + "int(input())", "print('x')", (OURS,)),
    "breaks of the end of a program that broke": (READY + "int(input())", "1 / 0", (RTE,)),
    "breaks at the end of one that did nothing": (READY + "int(input())", "pass", (OURS,)),
    "is killed": (READY + "import os\nos.kill(os.getpid(), 9)", "input()", (OURS,)),
    "no Python": ("def", "input()", (OURS,)),
    "does not compile": ("#include <nothing.h>", "input()", (OURS,)),
    "is empty": (" \n", "input()", (OURS,)),
    "loops": (READY + "while True: pass", "input()", (OURS,)),
    "keeps it waiting": (READY + "sys.stdin.readline()\nwhile True: pass", "print(1, flush=True)\ninput()", (OURS,)),
    "sleeps when the program has ended": (READY + "time.sleep(60)", "pass", (OURS,)),
    "says too much": (READY + "while True: print('x' * 100000)", "import sys\nwhile sys.stdin.read(1 << 20): pass", (OURS,)),
}  # fmt: skip


@pytest.fixture(scope="module")
def strict(settings: JudgeSettings, judge: Judge) -> Judge:
    """A judge that gives interactors little: some use up all of it, and are tried again."""
    bounds = replace(HelperLimits().bounds, cpu_ms=300, wall_ms=5000)
    return Passed(replace(settings, helpers=HelperLimits(bounds, afterwards_ms=100, talk_bytes=20 << 20)), judge)


@pytest.mark.parametrize("name", thinned(HELPERS, 3))
def test_interactors(strict: Judge, name: str) -> None:
    program, code, verdicts = HELPERS[name]
    tests = (Test("given\n", None),)
    problem = ProblemSpec("talk", Form.INTERACTIVE, tests, replace(BRISK, time_ms=50), interactor=Interactor(program))
    result = strict.grade(problem, code, "python")
    assert result.verdict in verdicts, result
    assert result.message or result.verdict is AC


# Interactors that come to an end with some programs, and fail when they are told "x".
AT_SOME = {
    "an exception": "sys.exit(int(word or 0) != 3)",
    "a loop": "while word == 'x': pass\nsys.exit(word != '3')",
    "a sleep": "if word == 'x': time.sleep(60)\nsys.exit(word != '3')",
    "a signal": "import os\nif word == 'x': os.abort()\nsys.exit(word != '3')",
    "memory": "y = 'y' * ((word == 'x') << 40)\nsys.exit(word != '3')",
    "no score": "if word == 'x': sys.exit(7)\nsys.exit(word != '3')",
    "a flood": "while word == 'x': print('y' * 100000)\nsys.exit(word != '3')",
}


@pytest.mark.parametrize("name", thinned(AT_SOME, 3))
def test_a_program_that_makes_its_interactor_fail_is_wrong(strict: Judge, name: str) -> None:
    """Else it would choose not to be counted."""
    interactor = Interactor(READY + "word = sys.stdin.readline().strip()\n" + AT_SOME[name])
    problem = ProblemSpec("talk", Form.INTERACTIVE, (Test("", None),), BRISK, interactor=interactor)
    for code in ("import sys\nprint('x', flush=True)\nwhile sys.stdin.read(1 << 20): pass", "print('x')"):
        result = strict.grade(problem, code, "python")
        assert (result.verdict, result.checker_failed) == (WA, True), result
        assert "fails with this program, and not with right ones" in result.message
    result = strict.grade(problem, "print(3)", "python")
    assert (result.verdict, result.checker_failed) == (AC, False), result


def test_of_proven_tests_no_interactor_fails_by_itself(strict: Judge) -> None:
    interactor = Interactor(READY + "sys.exit(int(input()) != 3)")
    problem = ProblemSpec("talk", Form.INTERACTIVE, (Test("", None),), BRISK, interactor=interactor)
    assert strict.grade(problem, "print('x')", "python").verdict is OURS
    result = strict.grade(replace(problem, proven=True), "print('x')", "python")
    assert (result.verdict, result.checker_failed) == (WA, True), result


def test_the_interactors_time_is_not_the_programs(judge: Judge) -> None:
    program = (
        READY
        + "for _ in range(3):\n    sys.stdin.readline()\n    end = time.process_time() + 0.25\n    while time.process_time() < end: pass\n    print('on', flush=True)\nsys.exit(0)"
    )
    code = "import time\nfor _ in range(3):\n    time.sleep(0.5)\n    print('x', flush=True)\n    input()"
    problem = ProblemSpec("slow", Form.INTERACTIVE, (Test("", ""),), QUICK, interactor=Interactor(program))
    result = judge.grade(problem, code, "python")
    if result.verdict is OURS:  # on a busy machine; never the program's fault
        assert "the machine kept the interactor waiting" in result.message
    else:
        assert (result.verdict, result.wall_ms > 2000) == (AC, True), result
        assert result.tests[0].waited_ms > 700, "its clock stood still for as long"


def test_thousands_of_words_are_exchanged(judge: Judge) -> None:
    program = (
        READY
        + "for n in range(5000):\n    if sys.stdin.readline() != f'{n}\\n': sys.exit(1)\n    print(n, flush=True)\nsys.exit(0)"
    )
    code = "for n in range(5000):\n    print(n, flush=True)\n    assert input() == str(n)"
    problem = ProblemSpec("echo", Form.INTERACTIVE, (Test("", ""),), QUICK, interactor=Interactor(program))
    assert judge.grade(problem, code, "python").verdict is AC


def test_long_texts_pass_both_ways_at_once(judge: Judge) -> None:
    program = (
        READY
        + "import os, threading\ndef say():\n    os.write(1, b'b' * 900000)\n    os.close(1)\nthreading.Thread(target=say).start()\nos._exit(os.fstat(0).st_size + len(sys.stdin.read()) != 900000)"
    )
    program = program.replace("os._exit(", "code = (").replace(
        "!= 900000)", "!= 900000)\ntime.sleep(0.1)\nos._exit(code)"
    )
    code = "import os, sys, threading\ndef say():\n    os.write(1, b'a' * 900000)\n    os.close(1)\nthreading.Thread(target=say).start()\nassert len(sys.stdin.read()) == 900000"
    problem = ProblemSpec("echo", Form.INTERACTIVE, (Test("", ""),), QUICK, interactor=Interactor(program))
    result = judge.grade(problem, code, "python")
    assert result.verdict is AC, result


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (ProblemSpec("none", Form.INTERACTIVE, (Test("", ""),), BRISK), "no interactor"),
        (ProblemSpec("none", Form.INTERACTIVE, (), BRISK, interactor=Interactor("pass")), "no tests"),
        (
            ProblemSpec(
                "two", Form.INTERACTIVE, (Test("", ""),), BRISK, Checker(CheckerKind.TESTLIB, program="x"), None, Interactor("pass")
            ),
            "testlib",
        ),
        (ProblemSpec("odd", Form.INTERACTIVE, (Test(5, ""),), BRISK, interactor=Interactor("pass")), "encode"),
    ],
)  # fmt: skip
def test_what_cannot_be_judged_is_our_failure(judge: Judge, problem: ProblemSpec, words: str) -> None:
    result = judge.grade(problem, SEARCH, "python")
    assert result.verdict is OURS
    assert words in result.message


def test_no_descriptor_is_left_open(judge: Judge) -> None:
    def opened() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    before = opened()
    for code in (SEARCH, "print('! 5')", "1 / 0", "while True: print('x' * 1000)"):
        guess(judge, code, INTERACTORS["testlib"])
        guess(judge, code, Interactor("1 / 0"))
    assert opened() == before


# --- doors ------------------------------------------------------------------------------------------------------------


def test_the_command(settings: JudgeSettings, judge: Judge, tmp_path: Path) -> None:
    assert judge.find("cpp")
    problem = {
        "id": "guess",
        "form": "interactive",
        "limits": {"time_ms": 1000},
        "interactor": {"program": "talk/interactor.cpp"},
        "tests": [{"input": "5\n", "expected": "5\n"}],
    }
    (tmp_path / "talk").mkdir()
    (tmp_path / "talk" / "interactor.cpp").write_text(COMPILED)
    (tmp_path / "problem.json").write_text(json.dumps(problem))
    (tmp_path / "program.py").write_text(SEARCH)
    done = told(settings, "grade", tmp_path / "problem.json", tmp_path / "program.py", "--json")
    assert (done.exit_code, json.loads(done.stdout)["verdict"]) == (0, "accepted"), done.stderr
    problem["interactor"] = {"program": "pass", "protocol": "tokens"}
    (tmp_path / "problem.json").write_text(json.dumps(problem))
    assert told(settings, "grade", tmp_path / "problem.json", tmp_path / "program.py").exit_code == 2


def test_the_harness_judges_interactive_programs(judge: Judge, settings: JudgeSettings, tmp_path: Path) -> None:
    bomb = "import os, time\nfor _ in range(5): os.fork()\nos.setsid()\ntime.sleep(60)"
    programs = {
        "right": (SEARCH, ["AC"]),
        "trailing": (SEARCH + "print('! 5')\n", ["WA"]),
        "idle": ("input()", ["TLE"]),
        "queries": ("while True:\n    print('? 1', flush=True)\n    input()", ["WA", "RTE"]),
        "bomb": (bomb, ["TLE", "RTE"]),
    }
    for name, (code, _) in programs.items():
        (tmp_path / f"{name}.py").write_text(code)
    entries = [
        {"id": name, "file": f"{name}.py", "mode": "interactive", "problem": "guess", "verdict_in": verdicts,
         "also": ["no_survivor", "next_ok"] if name == "bomb" else []}
        for name, (_, verdicts) in programs.items()
    ]  # fmt: skip
    always = ["no_internal_error", "bounded_time"]
    report = suite(tmp_path, judge, *entries, every_entry_also_requires=always)
    assert [row for row in report["rows"] if not row["ok"]] == []
    slow = Passed(replace(settings, slowness=3.0), judge)  # its limits are three times as long, and so may this take
    [row] = suite(tmp_path, slow, entries[2], every_entry_also_requires=always)["rows"]
    assert (row["id"], row["verdict"], row["missed"]) == ("idle", "TLE", [])
