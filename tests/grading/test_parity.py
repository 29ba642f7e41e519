# ruff: noqa: E501  # tables of whole programs
"""The zygote is `python3 main.py`: the same output, the same end and the same verdict, whatever a program does.

Each program runs three ways: bare, as the system's interpreter runs it; executed in the sandbox; forked from the
zygote. Known differences: some nine frames of the zygote's lie below a program's first;
a program that does not compile is told apart by the zygote alone, and so is one that runs out of memory; a NUL in
the source does not compile, where the interpreter may drop the rest of a line.
"""

import subprocess
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
from grading.judging import Passed
from support.thinned import thinned

from app.domain.judging.verdicts import Verdict
from app.domain.problems import Checker, CheckerKind, Form, Limits, ProblemSpec, Test
from workers.grading.host_lock import Host
from workers.grading.judge import Judge, JudgeSettings
from workers.grading.run_verdict import program_limits

pytestmark = pytest.mark.sandbox

LIMITS = Limits(time_ms=5000, memory_mb=256, output_kb=8192)
SITE = "exec mode has no site, so neither exit() nor quit()"
NAMES = "exec mode knows the program by another path"
LINES = b"3 4\n5 6\n\nlast\n"


class Program(NamedTuple):
    """A program, what it reads, and why exec mode may differ, if it may."""

    source: str | bytes
    stdin: bytes = LINES
    exec_differs: str = ""


P = Program
READING = {
    "iterating stdin": P("import sys\nfor line in sys.stdin:\n    print(repr(line))"),
    "buffer.readline": P("import sys\nr = sys.stdin.buffer.readline\nprint(r(), r(), r(), r(), r())"),
    "buffer.readlines": P("import sys\nprint(sys.stdin.buffer.readlines())"),
    "buffer.read": P("import sys\nprint(sys.stdin.buffer.read().split())"),
    "readlines after readline": P("import sys\nprint(sys.stdin.readline(), sys.stdin.readlines())"),
    "open(0)": P("print(open(0).read().split())"),
    "open(0) twice": P("a = open(0, closefd=False)\nprint(a.readline())\nprint(open(0).read())"),
    "open /dev/stdin": P("print(open('/dev/stdin').read())"),
    "os.read": P("import os\nprint(os.read(0, 5), os.read(0, 100), os.read(0, 1))"),
    "os.fdopen": P("import os\nwith os.fdopen(0, 'rb') as f: print(f.read())"),
    "os.fstat": P("import os\nprint(os.fstat(0).st_size, os.lseek(0, 0, 1))"),
    "raw": P("import sys\nprint(sys.stdin.buffer.raw.read(4), sys.stdin.buffer.peek()[:2])"),
    "input then read": P("import sys\na = input()\nprint(a, repr(sys.stdin.read()))"),
    "read then input": P("import sys\nprint(sys.stdin.readline())\nprint(input())"),
    "input with a prompt": P("print(input('name? '))"),
    "input past the end": P("while True:\n    print(input())"),
    "input of a StringIO": P("import io, sys\nsys.stdin = io.StringIO('x\\ny')\nprint(input(), input())"),
    "a wrapper of one's own": P("import io, sys\nf = io.TextIOWrapper(sys.stdin.buffer, newline='')\nprint(list(f))", b"a\r\nb\r"),
    "fileinput": P("import fileinput\nfor line in fileinput.input(): print(fileinput.lineno(), line, end='')"),
    "mmap": P("import mmap\nm = mmap.mmap(0, 0, access=mmap.ACCESS_READ)\nprint(m[:], m.find(b'5'))"),
    "select": P("import select, sys\nprint(select.select([sys.stdin], [], [], 1)[0] == [sys.stdin])"),
    "reconfigure": P("import sys\nsys.stdin.reconfigure(encoding='latin-1')\nprint(ascii(sys.stdin.read()))", b"\xe9\n"),
    "closed stdin": P("import sys\nsys.stdin.close()\nprint(input())"),
    "nothing to read": P("import sys\nprint(repr(sys.stdin.read()))", b""),
    "no final newline": P("print(repr(input()))\nprint(repr(input()))", b"a\nb"),
    "CRLF": P("import sys\nprint(repr(input()), repr(sys.stdin.readline()), sys.stdin.buffer.readline())", b"a\r\nb\r\nc\r\n"),
    "a byte order mark": P("print(ascii(input()))", b"\xef\xbb\xbf1\n"),
    "NUL bytes": P("print(ascii(input()))", b"a\0b\n"),
    "no UTF-8": P("import sys\ns = input()\nprint(ascii(s))\nprint(s)", b"\xff\xfe a\n"),
    "no UTF-8 as bytes": P("import sys\nsys.stdout.buffer.write(sys.stdin.buffer.read())", bytes(range(256))),
    "a huge line": P("s = input()\nprint(len(s), s[-1])", b"7" * 2_000_000 + b"\n"),
    "many lines": P("import sys\nprint(sum(map(int, sys.stdin)))", b"12\n" * 200_000),
}  # fmt: skip
WRITING = {
    "stdout.buffer": P("import sys\nsys.stdout.buffer.write(b'\\xff\\0a')"),
    "buffer and text": P("import sys\nprint('a', flush=True)\nsys.stdout.buffer.write(b'b\\n')\nsys.stdout.buffer.flush()\nprint('c')"),
    "os.write and print": P("import os\nprint('late')\nos.write(1, b'early\\n')"),
    "open(1)": P("f = open(1, 'w', closefd=False)\nf.write('kept open')"),
    "/dev/stdout": P("open('/dev/stdout', 'w').write('x')"),
    "a stream of one's own": P("import io, os, sys\nsys.stdout = io.BytesIO()\nsys.stdout = io.TextIOWrapper(io.FileIO(1, closefd=False))\nprint('q')"),
    "a buffer written at the end": P("import atexit, io, os, sys\nb = io.StringIO()\nsys.stdout = b\natexit.register(lambda: os.write(1, b.getvalue().encode()))\nprint('x')"),
    "redirected": P("import contextlib, io\nb = io.StringIO()\nwith contextlib.redirect_stdout(b): print('in')\nprint(b.getvalue())"),
    "properties of the streams": P("import sys\nfor f in (sys.stdin, sys.stdout, sys.stderr): print(f.name, f.mode, f.encoding, f.errors, f.line_buffering, f.write_through, f.isatty(), f.fileno())\nprint(sys.stdin.newlines, sys.stdout.buffer.raw.name)"),
    "surrogates": P("print('a\\udcffb')\nprint('\\ud800')"),
    "a lot": P("for i in range(200000): print(i)"),
    "no newline": P("print(1, end='')"),
    "warnings": P("import warnings\nwarnings.warn('w')\nprint(1)"),
    "closed stdout": P("import sys\nprint(1)\nsys.stdout.close()"),
    "print to closed stdout": P("import sys\nsys.stdout.close()\nprint(1)"),
    "closed descriptor": P("import os\nprint('lost')\nos.close(1)"),
    "closed descriptors, both": P("import os\nos.close(2)\nprint('lost')\nos.close(1)"),
    "no stdout": P("import sys\nprint(1)\nsys.stdout = None\nprint(2)"),
    "no stderr": P("import sys\nsys.stderr = None\n1 / 0"),
}  # fmt: skip
ENDING = {
    "exit(3)": P("print(1)\nexit(3)", exec_differs=SITE),
    "quit()": P("print(1)\nquit()\nprint(2)", exec_differs=SITE),
    "sys.exit()": P("import sys\nprint(1)\nsys.exit()"),
    "sys.exit(3)": P("import sys\nprint(1)\nsys.exit(3)"),
    "sys.exit of a text": P("import sys\nprint(1)\nsys.exit('bad')"),
    "sys.exit of a tuple": P("import sys\nsys.exit((1, 2))"),
    "sys.exit(True)": P("import sys\nsys.exit(True)"),
    "sys.exit(256)": P("import sys\nsys.exit(256)"),
    "sys.exit(-1)": P("import sys\nsys.exit(-1)"),
    "sys.exit beyond all codes": P("import sys\nsys.exit(2 ** 80)"),
    "raise SystemExit": P("raise SystemExit(7)"),
    "SystemExit with many arguments": P("raise SystemExit(0, 1)"),
    "SystemExit whose code is replaced": P("e = SystemExit(3)\ne.code = 0\nraise e"),
    "os._exit keeps nothing": P("import os\nprint('lost')\nos._exit(4)"),
    "os._exit(0)": P("import os, sys\nprint('kept')\nsys.stdout.flush()\nos._exit(0)"),
    "uncaught": P("print(1)\nprint({}['a'])"),
    "uncaught in a chain": P("try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise ValueError('x') from e"),
    "an error without words": P("class E(Exception):\n    def __str__(self): raise TypeError\nraise E"),
    "a group of errors": P("raise ExceptionGroup('g', [ValueError(1)])"),
    "KeyboardInterrupt": P("print(1)\nraise KeyboardInterrupt"),
    "GeneratorExit": P("raise GeneratorExit"),
    "recursion error": P("def f(): f()\nf()"),
    "assertion": P("assert False, 'no'"),
    "atexit": P("import atexit\natexit.register(print, 'bye')\nprint(1)"),
    "atexit after an error": P("import atexit\natexit.register(print, 'bye')\n1 / 0"),
    "atexit that fails": P("import atexit\natexit.register(lambda: 1 / 0)\natexit.register(print, 'first')\nprint(1)"),
    "atexit that exits": P("import atexit, sys\natexit.register(sys.exit, 5)\nprint(1)"),
    "atexit that leaves": P("import atexit, os\natexit.register(os._exit, 6)\nprint(1, flush=True)"),
    "excepthook": P("import sys\nsys.excepthook = lambda kind, error, trace: print('hook', kind.__name__)\n1 / 0"),
    "excepthook that fails": P("import sys\ndef hook(*a): raise TypeError\nsys.excepthook = hook\n1 / 0"),
    "excepthook that exits": P("import sys\nsys.excepthook = lambda *a: sys.exit(0)\n1 / 0"),
    "excepthook that is gone": P("import sys\ndel sys.excepthook\n1 / 0"),
    "an error nobody can raise": P("class A:\n    def __del__(self): raise ValueError\na = A()\nprint(1)"),
    "destructors": P("class A:\n    def __init__(self, n): self.n = n\n    def __del__(self): print('gone', self.n)\na = A(1)\nb = [A(2)]\nb.append(b)"),
    "destructors that use the module": P("import sys\nclass A:\n    def __del__(self): print(sys is not None, len('ab'))\na = A()"),
    "finalizers": P("import weakref\nclass A: pass\na = A()\nweakref.finalize(a, print, 'finalized')\nprint(1)"),
    "a file left open": P("f = open('/tmp/parity-x', 'w')\nf.write('a')\nprint(open('/tmp/parity-x').read() == '')"),
    "SIGALRM": P("import signal, time\nsignal.signal(signal.SIGALRM, lambda *a: print('rang'))\nsignal.setitimer(signal.ITIMER_REAL, 0.05)\ntime.sleep(0.3)\nprint('on')"),
    "SIGALRM unhandled": P("import signal, time\nsignal.setitimer(signal.ITIMER_REAL, 0.05)\ntime.sleep(2)"),
    "SIGINT to itself": P("import os, signal\ntry:\n    os.kill(os.getpid(), signal.SIGINT)\n    while True: pass\nexcept KeyboardInterrupt: print('caught')"),
    "SIGTERM to itself": P("import os, signal\nos.kill(os.getpid(), signal.SIGTERM)"),
    "SIGPIPE is ignored": P("import os, signal\nprint(signal.getsignal(signal.SIGPIPE) == signal.SIG_IGN)\nr, w = os.pipe()\nos.close(r)\nos.write(w, b'x')"),
    "signals and masks": P("import signal\nprint(sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])), [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD, signal.SIGXFSZ)])"),
    "abort": P("import os\nprint(1)\nos.abort()"),
    "a segmentation fault": P("import ctypes\nctypes.string_at(0)"),
}  # fmt: skip
RUNNING = {
    "future": P("from __future__ import annotations\nx: Nowhere = 1\ndef f(a: Gone) -> Gone: return a\nprint(f(x), f.__annotations__, __annotations__)"),
    "no future of ours": P("x: int = 1\nprint(__annotations__)\ntry:\n    def f(a: Gone): pass\nexcept NameError as e: print(e)"),
    "globals": P("n = 0\ndef f():\n    global n\n    n += 1\nf()\nprint(n, globals()['n'], 'f' in vars(), sorted(k for k in globals() if k[0] == '_'))"),
    "module": P("'''doc'''\nimport sys, __main__\nprint(__name__, __doc__, __package__, __spec__, __builtins__.__name__, __main__ is sys.modules['__main__'], __main__.__dict__ is globals())"),
    "main guard": P("def main(): print(input())\nif __name__ == '__main__':\n    main()"),
    "file": P("import os, sys\nprint(os.path.basename(__file__), os.path.basename(sys.argv[0]), len(sys.argv))", exec_differs=NAMES),
    "reads itself": P("print(open(__file__).read().count('open'))"),
    "inspects itself": P("import inspect\ndef f():\n    return 1\nprint(inspect.getsource(f))"),
    "traceback of its own": P("import traceback\ntry:\n    1 / 0\nexcept ZeroDivisionError:\n    print(traceback.format_exc().splitlines()[-3:])"),
    "outermost frame": P("import sys\nf = sys._getframe()\nprint(f.f_code.co_name, f.f_locals is f.f_globals, f.f_builtins['len'] is len)"),
    "exec and eval": P("exec('y = 2')\nprint(eval('y + 1'), compile('1', 'a', 'eval').co_flags)"),
    "pickle": P("import pickle\nfrom dataclasses import dataclass\n@dataclass\nclass D:\n    x: int\nprint(pickle.loads(pickle.dumps(D(3))), D.__module__)"),
    "named tuples and enums": P("import enum, pickle, typing\nclass E(enum.Enum): A = 1\nclass N(typing.NamedTuple):\n    a: int\nprint(pickle.loads(pickle.dumps([E.A, N(1)])))"),
    "threads": P("import threading\nout = []\nts = [threading.Thread(target=out.append, args=(i,)) for i in range(5)]\n[t.start() for t in ts]\n[t.join() for t in ts]\nprint(sorted(out), threading.current_thread() is threading.main_thread(), threading.active_count())"),
    "a thread that ends last": P("import threading, time\ndef f():\n    time.sleep(0.05)\n    print('thread')\nthreading.Thread(target=f).start()\nprint('main')"),
    "a thread that is left": P("import threading, time\nthreading.Thread(target=time.sleep, args=(9,), daemon=True).start()\nprint('main')"),
    "a thread that fails": P("import threading\nt = threading.Thread(target=lambda: 1 / 0)\nt.start()\nt.join()\nprint('on')"),
    "sys.exit in a thread": P("import sys, threading\nt = threading.Thread(target=sys.exit, args=(3,))\nt.start()\nt.join()\nprint('on')"),
    "a thread with a large stack": P("import sys, threading\nsys.setrecursionlimit(10 ** 6)\nthreading.stack_size(1 << 26)\ndef f(n): return 0 if n == 0 else 1 + f(n - 1)\nt = threading.Thread(target=lambda: print(f(10 ** 5)))\nt.start()\nt.join()"),
    "recursion": P("import sys\nsys.setrecursionlimit(10 ** 6)\ndef f(n): return 0 if n == 0 else 1 + f(n - 1)\nprint(f(10 ** 5))"),
    "recursion limit": P("import sys\nprint(sys.getrecursionlimit())\ndef f(n): return 0 if n == 0 else 1 + f(n - 1)\nprint(f(970))\ntry: f(2000)\nexcept RecursionError: print('deep')"),
    "nearly as deep": P("def f(n):\n    try: return f(n + 1)\n    except RecursionError: return n\nprint(985 < f(1) < 1000)"),
    "pool of threads": P("from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(3) as e: print(list(e.map(abs, [-1, 2])))"),
    "asyncio": P("import asyncio\nasync def f():\n    await asyncio.sleep(0.01)\n    return 4\nprint(asyncio.run(f()))"),
    "multiprocessing": P("import multiprocessing as m\ndef f(q, x): q.put(x * x)\nif __name__ == '__main__':\n    q = m.Queue()\n    p = m.Process(target=f, args=(q, 7))\n    p.start()\n    print(q.get())\n    p.join()\n    print(p.exitcode)"),
    "pool of processes": P("import multiprocessing as m\ndef f(x): return x * x\nif __name__ == '__main__':\n    with m.Pool(2) as p: print(p.map(f, [1, 2, 3]))"),
    "fork": P("import os\nif os.fork() == 0:\n    print('child')\n    os._exit(0) if False else None\nelse:\n    os.wait()\n    print('parent')"),
    "fork and leave": P("import os\npid = os.fork()\nif pid == 0: os._exit(3)\nprint(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))"),
    "subprocess": P("import subprocess, sys\nprint(subprocess.run(['/bin/echo', 'x'], capture_output=True).stdout)"),
    "decimal": P("from decimal import *\ngetcontext().prec = 50\nprint(Decimal(2).sqrt(), Decimal('1e400'))"),
    "fractions": P("from fractions import Fraction\nprint(sum(Fraction(1, n) for n in range(1, 30)))"),
    "big integers": P("print(len(str(10 ** 4000)), 3 ** 2000 % 10 ** 9)"),
    "a very big integer": P("print(str(10 ** 49_999) == '1' + '0' * 49_999)"),
    "too big an integer": P("print(str(10 ** 50_000))"),
    "too big a text": P("print(int('9' * 50_001))"),
    "as big as wanted": P("import sys\nsys.set_int_max_str_digits(0)\nprint(len(str(10 ** 20000)))"),
    "random numbers": P("import random\nrandom.seed(5)\nprint(random.random(), random.sample(range(99), 5))"),
    "garbage": P("import gc\nprint(gc.isenabled(), gc.get_threshold(), gc.get_freeze_count() >= 0)"),
    "temporary files": P("import tempfile, os\nwith tempfile.NamedTemporaryFile('w+') as f:\n    f.write('abc')\n    f.seek(0)\n    print(f.read(), os.path.exists(f.name))"),
    "what is imported": P("import collections, heapq, itertools, bisect, functools, math, re, string, operator, copy\nprint(collections.deque([1]).popleft(), re.sub('a', 'b', 'aa'), math.gcd(4, 6))"),
    "the interpreter": P("import sys\nprint(sys.version_info[:2], sys.byteorder, sys.maxsize, sys.getfilesystemencoding(), sys.getfilesystemencodeerrors(), sys.dont_write_bytecode or True)"),
    "builtins": P("import builtins\nprint([n for n in dir(builtins) if n not in ('copyright', 'credits', 'license', 'exit', 'quit', 'help', '_')])"),
    "constants can be shadowed": P("list = 3\nexit = 4\nprint(list, exit)"),
    "star imports": P("from math import *\nfrom collections import *\nprint(floor(2.5), deque([1]))"),
    "time": P("import time\na = time.time(), time.perf_counter(), time.process_time()\nprint(all(t >= 0 for t in a), time.process_time() < 2)"),
    "locale": P("import locale, os\nprint(locale.getpreferredencoding(), os.environ.get('LANG'))"),
}  # fmt: skip
SOURCES = {
    "no final newline": P("print(1)"),
    "CRLF": P(b"if True:\r\n    print('''a\r\nb''')\r\n"),
    "a byte order mark": P(b"\xef\xbb\xbfprint('\xc3\xa9')\n"),
    "latin-1 with a coding line": P(b"# -*- coding: latin-1 -*-\nprint('\xe9')\n"),
    "a coding line in line 2": P(b"#!/usr/bin/python3\n# vim: set fileencoding=cp1252 :\nprint('\x80')\n"),
    "names that are no ASCII": P("größe = 3\nprint(größe, 'ñ', '\N{GRINNING FACE}')"),
    "tabs": P("if 1:\n\tprint(1)\n\tif 2:\n\t\tprint(2)"),
    "form feeds": P("\fprint(1)\n\f\nprint(2)\n"),
    "a long line": P("x = [" + "1," * 100_000 + "]\nprint(len(x))"),
    "only a comment": P("# nothing"),
    "escapes that warn": P("print('\\d')"),
    "a long string": P("print(len('" + "a" * 1_000_000 + "'))"),
}  # fmt: skip
ALL = {
    f"{group}: {name}": program
    for group, programs in (
        ("reads", READING),
        ("writes", WRITING),
        ("ends", ENDING),
        ("runs", RUNNING),
        ("is", SOURCES),
    )
    for name, program in programs.items()
}


class End(NamedTuple):
    """What came of a run: output, exit code as a shell has it (negative: the signal), last line of stderr."""

    stdout: bytes
    code: int
    last: bytes


class Open(Passed):
    """A judge that also shows what a program printed."""

    def end(self, program: Program) -> End:
        toolchain = self.find("python")
        assert toolchain is not None
        pieces: list[bytes] = []
        source = program.source if isinstance(program.source, bytes) else program.source.encode()
        allowed, blank = program_limits(LIMITS, toolchain.language, 1.0), ProblemSpec("p", Form.STDIN, ())
        with self._sandbox() as sandbox, self._runner(sandbox, toolchain, source, blank, Host()) as runner:
            run = runner.run(allowed.bounds, pieces.append, stdin=program.stdin)
        code = run.exit_code if run.exit_code is not None else -(run.signal or 0)
        return End(b"".join(pieces), code, last_line(run.stderr))


def last_line(stderr: bytes) -> bytes:
    return stderr.strip().rpartition(b"\n")[2][:200]


@pytest.fixture(scope="module")
def forked(settings: JudgeSettings, judge: Judge) -> Open:
    return Open(settings, judge)


@pytest.fixture(scope="module")
def executed(settings: JudgeSettings, judge: Judge) -> Open:
    return Open(replace(settings, zygote=False), judge)


def bare(program: Program, folder: Path) -> End:
    """As anybody would run it: our own programs, in a folder of their own."""
    source = program.source if isinstance(program.source, bytes) else program.source.encode()
    (folder / "main.py").write_bytes(source)
    (folder / "input").write_bytes(program.stdin)
    with (folder / "input").open("rb") as stdin:
        done = subprocess.run(
            ["/usr/bin/python3", "-I", "-X", "int_max_str_digits=50000", "main.py"],
            stdin=stdin,
            capture_output=True,
            cwd=folder,
            env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
            timeout=300,
            check=False,
        )
    return End(done.stdout, done.returncode, last_line(done.stderr))


@pytest.mark.parametrize("name", thinned(ALL, 9))
def test_forked_as_bare(forked: Open, executed: Open, name: str, tmp_path: Path) -> None:
    program = ALL[name]
    wanted = bare(program, tmp_path)
    assert forked.end(program) == wanted
    if not program.exec_differs:
        found = executed.end(program)
        assert (found.stdout, found.code) == (wanted.stdout, wanted.code)


@pytest.mark.parametrize("name", thinned(list(ALL)[::4], 2))
def test_the_same_verdict(forked: Open, executed: Open, name: str, tmp_path: Path) -> None:
    program = ALL[name]
    wanted = bare(program, tmp_path)
    source = program.source if isinstance(program.source, str) else program.source.decode("utf-8", "surrogateescape")
    stdin, stdout = (text.decode("utf-8", "surrogateescape") for text in (program.stdin, wanted.stdout))
    problem = ProblemSpec("p", Form.STDIN, (Test(stdin, stdout),), LIMITS, Checker(CheckerKind.EXACT))
    verdict = Verdict.ACCEPTED if wanted.code == 0 else Verdict.RUNTIME_ERROR
    for judge in (forked, executed):
        if judge is forked or not program.exec_differs:
            result = judge.grade(problem, source, "python")
            assert result.verdict is verdict, result


def test_what_does_not_compile_is_told_apart_by_the_zygote_alone(forked: Open, executed: Open) -> None:
    problem = ProblemSpec("p", Form.STDIN, (Test("", ""),), LIMITS)
    for code in ("print(", "return", "x = " + "(" * 300 + ")" * 300, "# coding: nonesuch\n"):
        assert forked.grade(problem, code, "python").verdict is Verdict.COMPILE_ERROR
        assert executed.grade(problem, code, "python").verdict is Verdict.RUNTIME_ERROR
