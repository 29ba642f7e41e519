# ruff: noqa: E501  # tables of whole programs
"""A judged Python program behaves as under `python3 main.py`; verdicts are as the rules say."""

from dataclasses import replace

import pytest
from grading.judging import QUICK, Passed, run, sums

from app.domain.judging.verdicts import Verdict
from app.domain.problems import Checker, CheckerKind, Form, Limits, ProblemSpec, Test
from workers.grading.judge import POLICY, Judge, JudgeSettings

pytestmark = pytest.mark.sandbox

# Program, input, output: each right in any ordinary interpreter.
BEHAVIOURS = {
    "input until the end": (
        "total = 0\ntry:\n    while True:\n        total += int(input())\nexcept EOFError:\n    print(total)",
        "1\n2\n3",
        "6",
    ),
    "lines of stdin": ("import sys\nprint(sum(int(line) for line in sys.stdin))", "1\n2\n", "3"),
    "stdin.buffer": ("import sys\nread = sys.stdin.buffer.readline\nprint(int(read()) + int(read()))", "1\n2\n", "3"),
    "input then the rest": ("import sys\nn = input()\nprint(n + sys.stdin.read().strip())", "a\nb\n", "ab"),
    "open(0)": ("print(sum(map(int, open(0).read().split())))", "1 2", "3"),
    "os.read": ("import os\nprint(int(os.read(0, 100)) + 1)", "1\n", "2"),
    "/dev/stdin": ("print(open('/dev/stdin').read())", "x", "x"),
    "/dev/stdout": ("open('/dev/stdout', 'w').write('x')", "", "x"),
    "fileinput": ("import fileinput\nprint(sum(int(line) for line in fileinput.input()))", "1\n2\n", "3"),
    "seekable stdin": ("import sys\nsys.stdin.read()\nsys.stdin.seek(0)\nprint(sys.stdin.read())", "x", "x"),
    "bytes out": ("import sys\nsys.stdout.buffer.write(b'x\\n')", "", "x"),
    "unflushed file": ("f = open(1, 'w', closefd=False)\nf.write('x')", "", "x"),
    "unflushed fdopen in a list": ("import os\nkept = [os.fdopen(1, 'w')]\nkept[0].write('x')", "", "x"),
    "atexit": ("import atexit\natexit.register(print, 'b')\nprint('a')", "", "a b"),
    "exit and quit": ("print('a')\nexit()\nprint('b')", "", "a"),
    "sys.exit(None)": ("import sys\nprint('a')\nsys.exit()", "", "a"),
    "main guard": ("if __name__ == '__main__':\n    print('a')", "", "a"),
    "globals": ("x = 1\ndef f():\n    global x\n    x += 1\nf()\nprint(globals()['x'], x)", "", "2 2"),
    "__main__ module": ("import __main__\nx = 5\nprint(__main__.x)", "", "5"),
    "future import": ("from __future__ import annotations\nprint(1)", "", "1"),
    "star import in a try": ("try:\n    from math import *\nexcept ImportError:\n    pass\nprint(gcd(4, 6))", "", "2"),
    "argv": ("import sys\nprint(len(sys.argv))", "", "1"),
    "thread": ("from threading import Thread\nt = Thread(target=print, args=(1,))\nt.start()", "", "1"),
    "deep recursion in a roomy thread": (
        "import sys, threading\nsys.setrecursionlimit(10**6)\nthreading.stack_size(1 << 26)\n"
        "def f(n):\n    return 0 if n == 0 else 1 + f(n - 1)\n"
        "t = threading.Thread(target=lambda: print(f(100000)))\nt.start()\nt.join()",
        "",
        "100000",
    ),
    "deep recursion through C": (
        "import sys\nfrom functools import lru_cache\nsys.setrecursionlimit(10**6)\n@lru_cache(None)\n"
        "def f(n):\n    return 0 if n == 0 else 1 + f(n - 1)\nprint(f(60000))",
        "",
        "60000",
    ),
    "processes": (
        "from multiprocessing import Pool\ndef f(x):\n    return x * x\n"
        "if __name__ == '__main__':\n    with Pool(2) as pool:\n        print(sum(pool.map(f, range(5))))",
        "",
        "30",
    ),
    "a child": ("import subprocess\nprint(subprocess.check_output(['echo', 'a'], text=True))", "", "a"),
    "asyncio": ("import asyncio\nasync def f():\n    print(1)\nasyncio.run(f())", "", "1"),
    "dataclass": ("from dataclasses import dataclass\n@dataclass\nclass A:\n    x: int\nprint(A(1))", "", "A(x=1)"),
    "pickle": ("import pickle\nclass A:\n    x = 3\nprint(pickle.loads(pickle.dumps(A())).x)", "", "3"),
    "own stdout": (
        "import io, sys\nclass Fast(io.StringIO):\n    def flush(self):\n        sys.__stdout__.write(self.getvalue())\n"
        "        sys.__stdout__.flush()\n        self.seek(0)\n        self.truncate()\nsys.stdout = Fast()\nprint('a')",
        "",
        "a",
    ),
    "temporary file": ("open('x', 'w').write('a')\nprint(open('x').read())", "", "a"),
    "as many digits as may be": ("print(-(int(input()) + 1))", "9" * 49_999, "-1" + "0" * 49_999),
    "non-ASCII": ("print(input()[::-1])", "ab中文", "文中ba"),
    "coding cookie": ("# -*- coding: latin-1 -*-\nprint('a')", "", "a"),
}


@pytest.mark.parametrize(("code", "given", "expected"), BEHAVIOURS.values(), ids=BEHAVIOURS.keys())
def test_a_program_runs_as_in_an_ordinary_interpreter(judge: Judge, code: str, given: str, expected: str) -> None:
    result = run(judge, code, given, expected, limits=Limits(time_ms=5000))
    assert result.verdict is Verdict.ACCEPTED, result


# Program, verdict; the expected output is always "1".
VERDICTS = {
    "right": ("print(1)", Verdict.ACCEPTED),
    "wrong": ("print(2)", Verdict.WRONG_ANSWER),
    "silent": ("pass", Verdict.WRONG_ANSWER),
    "exit code with the right output": ("import sys\nprint(1)\nsys.exit(3)", Verdict.RUNTIME_ERROR),
    "more digits than may be": ("print(1)\nstr(10**50_000)", Verdict.RUNTIME_ERROR),
    "exit message": ("import sys\nprint(1)\nsys.exit('bad')", Verdict.RUNTIME_ERROR),
    "exception": ("print(1)\nraise ValueError", Verdict.RUNTIME_ERROR),
    "exception in atexit does not count": ("import atexit\natexit.register(lambda: 1 / 0)\nprint(1)", Verdict.ACCEPTED),
    "signal": ("import os, signal\nprint(1, flush=True)\nos.kill(os.getpid(), signal.SIGSEGV)", Verdict.RUNTIME_ERROR),
    "kills itself": ("import os\nos.kill(os.getpid(), 9)", Verdict.RUNTIME_ERROR),
    "leaves at once": ("import os\nos._exit(0)", Verdict.WRONG_ANSWER),
    "syntax error": ("print(1", Verdict.COMPILE_ERROR),
    "null byte": ("print(1)\0", Verdict.COMPILE_ERROR),
    "no UTF-8": ("print('\udcff')", Verdict.COMPILE_ERROR),
    "deep nesting": ("x = " + "(" * 5000 + ")" * 5000, Verdict.COMPILE_ERROR),
    "endless recursion": ("def f():\n    f()\nf()", Verdict.RUNTIME_ERROR),
    "busy": ("while True:\n    pass", Verdict.TIME_LIMIT),
    "idle": ("import time\ntime.sleep(30)", Verdict.TIME_LIMIT),
    "busy and deaf": (
        "import signal\nfor n in range(1, 65):\n    try:\n        signal.signal(n, signal.SIG_IGN)\n"
        "    except (OSError, ValueError):\n        pass\nwhile True:\n    pass",
        Verdict.TIME_LIMIT,
    ),
    "touches too much": ("x = b'1' * (300 << 20)\nprint(1)", Verdict.MEMORY_LIMIT),
    "asks for too much": ("x = bytearray(10 << 30)", Verdict.MEMORY_LIMIT),
    "maps much, touches little": (
        "import mmap\nx = mmap.mmap(-1, 400 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)\nprint(1)",
        Verdict.ACCEPTED,
    ),
    "shares memory that nobody could count": (
        "import mmap\ntry:\n    x = mmap.mmap(-1, 4096)\nexcept PermissionError:\n    print(1)",
        Verdict.ACCEPTED,
    ),
    "catches its MemoryError": (
        "try:\n    x = bytearray(10 << 30)\nexcept MemoryError:\n    print(1)",
        Verdict.ACCEPTED,
    ),
    "writes too much": ("print('1' * (2 << 20))", Verdict.OUTPUT_LIMIT),
    "missing module": ("import numpy_that_is_not_there", Verdict.RUNTIME_ERROR),
    "closed stdout": ("import os\nos.close(1)\nprint(1)", Verdict.RUNTIME_ERROR),
}


def limits_of(verdict: Verdict) -> Limits:
    """Who uses up the time it has is given little."""
    return replace(QUICK, time_ms=150) if verdict is Verdict.TIME_LIMIT else QUICK


@pytest.mark.parametrize(("code", "verdict"), VERDICTS.values(), ids=VERDICTS.keys())
def test_verdicts_of_python_programs(judge: Judge, code: str, verdict: Verdict) -> None:
    result = run(judge, code, "", "1", limits=limits_of(verdict))
    assert result.verdict is verdict, result
    assert result.total == 1
    assert result.passed == (verdict is Verdict.ACCEPTED)


CPP_VERDICTS = {
    "right": ("#include <bits/stdc++.h>\nint main() { std::cout << 1; }", Verdict.ACCEPTED),
    "deep recursion": (
        "#include <cstdio>\nint f(int n) { volatile char pad[500] = {1}; return n ? f(n - 1) + pad[0] : 0; }\n"
        "int main() { printf(\"%d\", f(100000) == 100000); }",
        Verdict.ACCEPTED,
    ),
    "thread": ("#include <thread>\n#include <cstdio>\nint main() { std::thread t([] { puts(\"1\"); }); t.join(); }",
               Verdict.ACCEPTED),
    "fails before main": ("#include <cstdlib>\nstruct A { A() { abort(); } } a;\nint main() {}", Verdict.RUNTIME_ERROR),
    "does not compile": ("int main() { return x; }", Verdict.COMPILE_ERROR),
    "does not link": ("int f();\nint main() { return f(); }", Verdict.COMPILE_ERROR),
    "includes itself": ("#include __FILE__\nint main() {}", Verdict.COMPILE_ERROR),
}  # fmt: skip


# One program, as compiling takes most of the time: which end it comes to is what it reads.
CPP_ENDS = """#include <bits/stdc++.h>
int main() {
    switch (getchar()) {
        case 'r': puts("1"); return 1;
        case 'c': puts("1"); fflush(stdout); *(volatile int *)0 = 1; break;
        case 'u': throw std::runtime_error("x");
        case 'a': { std::vector<long> v(1L << 40); return v[7]; }
        case 't': { std::vector<char> v(300 << 20, 1); return v[7] - 1; }
        case 'b': for (volatile int i = 0;; i = i + 1) {}
        default: puts("1");
    }
}
"""
ENDS = {
    "return code": Verdict.RUNTIME_ERROR, "crash": Verdict.RUNTIME_ERROR, "uncaught": Verdict.RUNTIME_ERROR,
    "asks for too much": Verdict.MEMORY_LIMIT, "touches too much": Verdict.MEMORY_LIMIT, "busy": Verdict.TIME_LIMIT,
    "none of these": Verdict.ACCEPTED,
}  # fmt: skip


@pytest.mark.parametrize(("end", "verdict"), ENDS.items(), ids=ENDS.keys())
def test_ends_of_a_cpp_program(judge: Judge, end: str, verdict: Verdict) -> None:
    result = run(judge, CPP_ENDS, end, "1", language="cpp", limits=limits_of(verdict))
    assert result.verdict is verdict, result


@pytest.mark.parametrize(("code", "verdict"), CPP_VERDICTS.values(), ids=CPP_VERDICTS.keys())
def test_verdicts_of_cpp_programs(judge: Judge, code: str, verdict: Verdict) -> None:
    result = run(judge, code, "", "1", language="cpp", limits=limits_of(verdict))
    assert result.verdict is verdict, result


def test_the_first_failing_test_decides_and_ends_the_trial(judge: Judge) -> None:
    code = "a, b = map(int, input().split())\nassert a != 3\nprint(a + b if a < 2 else 0)\n"
    result = judge.grade(sums(5), code, "python")
    assert (result.verdict, result.passed, len(result.tests)) == (Verdict.WRONG_ANSWER, 2, 3)
    assert result.message.startswith("test 3")
    whole = judge.grade(sums(5), code, "python", all_tests=True)
    assert (whole.verdict, whole.passed) == (Verdict.WRONG_ANSWER, 2)
    assert [test.verdict.short for test in whole.tests] == ["AC", "AC", "WA", "RTE", "WA"]


def test_trials_go_on_after_a_sandbox_was_ended(judge: Judge) -> None:
    code = (
        "import sys\na, b = map(int, input().split())\n"
        "while a == 1:\n    try:\n        sys.stdout.write('1' * 99999)\n    except OSError:\n        pass\nprint(a + b)\n"
    )
    result = judge.grade(sums(3), code, "python", all_tests=True)
    assert [test.verdict.short for test in result.tests] == ["AC", "OLE", "AC"]


def test_measured_time_and_memory_are_the_programs(judge: Judge) -> None:
    code = "import time\nx = b'1' * (60 << 20)\nwhile time.process_time() < 0.3:\n    pass\ntime.sleep(0.2)\nprint(1)\n"
    result = run(judge, code, "", "1", limits=Limits(time_ms=5000))
    assert result.verdict is Verdict.ACCEPTED
    assert 250 < result.cpu_ms < 600
    assert result.wall_ms > result.cpu_ms + 150
    assert 60 << 10 < result.memory_kb < 90 << 10


def test_a_factor_stretches_the_time(settings: JudgeSettings, judge: Judge) -> None:
    judge = Passed(replace(settings, slowness=1.0), judge)  # a slow host's own factor would do for this program
    code = "import time\nwhile time.process_time() < 0.2:\n    pass\nprint(1)\n"
    problem = ProblemSpec("slow", Form.STDIN, (Test("", "1"),), Limits(time_ms=80))
    assert judge.grade(problem, code, "python").verdict is Verdict.TIME_LIMIT
    assert judge.grade(problem, code, "python", time_factor=5).verdict is Verdict.ACCEPTED


@pytest.mark.parametrize("code", [None, "", " \n"])
def test_no_program_is_no_answer(judge: Judge, code: str | None) -> None:
    result = judge.grade(sums(), code, "python")
    assert (result.verdict, result.total, result.tests) == (Verdict.NO_ANSWER, 3, ())


@pytest.mark.parametrize(
    ("problem", "language"),
    [
        (sums(0), "python"),
        (sums(), "cobol"),
        (ProblemSpec("x", Form.INTERACTIVE, (Test("", ""),), QUICK), "python"),
        (ProblemSpec("x", Form.STDIN, (Test("", ""),), QUICK, Checker(CheckerKind.TESTLIB)), "python"),
    ],
)
def test_what_cannot_be_judged_is_our_failure_and_no_verdict(judge: Judge, problem: ProblemSpec, language: str) -> None:
    result = judge.grade(problem, "print(1)", language)
    assert result.verdict is Verdict.JUDGE_ERROR
    assert result.message


def test_a_judged_program_prints_the_same_twice(judge: Judge) -> None:
    """The order of sets belongs to the program, not to the run."""
    code = "print(''.join({str(n) for n in range(50)}), file=__import__('sys').stderr)\nraise SystemExit(1)"
    assert run(judge, code).message == run(judge, code).message


def test_the_revision_names_policy_language_and_toolchain(judge: Judge) -> None:
    judge.self_test()  # forgets what it found; where the first answer has no program, too
    python, cpp = (run(judge, "", language=name).grader_revision for name in ("python", "cpp"))
    assert python.startswith(f"{POLICY}.python-{judge.languages()['python']}.")
    assert cpp.startswith(f"{POLICY}.cpp-{judge.languages()['cpp']}.")


def test_a_program_may_read_itself(judge: Judge) -> None:
    code = "print(open(__file__).read(), end='')\n"
    assert run(judge, code, "", code, checker=Checker(CheckerKind.EXACT)).verdict is Verdict.ACCEPTED
