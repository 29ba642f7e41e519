"""What the payload process does with a program: run it as `python3 main.py` would, or call one function of it.

Runs inside the sandbox with the bare standard library. `prepare` is called in the zygote, before any untrusted
byte is there; everything else runs in the payload. Whatever a program changes here it can only change what
bytes it emits, and bytes are an answer: the expected ones are not on this side.
"""

from __future__ import annotations

import _signal
import _sitebuiltins
import _weakref
import atexit
import builtins
import gc
import io
import os
import sys
import types

TYPE_CHECKING = False  # without importing typing, as in zygote.py
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

# Exit codes that the judge reads as "out of memory" and "does not compile". A program that chooses them itself
# only swaps one failure for another.
OUT_OF_MEMORY, SYNTAX_ERROR = 86, 87
FLUSH_FAILED, INTERRUPTED = 120, -2
# Of a script that makes or checks tests: one that breaks must not end with 1, which is a verdict.
BROKEN, SHORT = 3, 5
show = sys.excepthook
strictly = io.open
HERE = os.path.dirname(__file__) + "/"
PACKAGES, MORE = "/judge/packages", "/packages"  # the second in unittests' sandboxes alone
SORTED = "sortedcontainers"  # LeetCode has its names in scope too

# Function form sees what LeetCode's Python offers. Stars first and modules last, so that `math`, `string` and
# `random` are modules; names that shadow a builtin (pow, sum, open, ...) are taken out again afterwards.
PREAMBLE = """
from typing import *
from string import *
from collections import *
from heapq import *
from bisect import *
from copy import *
from random import *
from itertools import *
from functools import *
from operator import *
from math import *
import bisect, collections, copy, datetime, functools, heapq, itertools, json, math, operator, os, random, re
import string, sys, time, typing

class ListNode:
    def __init__(self, val=0, next=None):
        self.val = val
        self.next = next

class TreeNode:
    def __init__(self, val=0, left=None, right=None):
        self.val = val
        self.left = left
        self.right = right
"""
RECURSION = 550_000  # LeetCode's
DIGITS = 50_000  # of an integer as text, as in LiveCodeBench's harness; the interpreter's own bound is 4,300
# The compiler sets itself up at its first program; done once before forking, no test has to.
WARM = """import sys
def f(a, *b): return [x for x in a if x]
class A: pass
for x in f(map(int, input())): print(f'{x}')
"""
# What runs a test of the unittest form, where this zygote has any: to compile it took a third of each test.
driver: types.CodeType | None = None


def prepare(modules: list[str], *, called: bool, tested: bool = False) -> None:
    """Make the program's module, and import what it will want; `called` in function form, `tested` by unittests."""
    global driver
    if tested:
        driver = type(__loader__)("driver", HERE + "driver.py").get_code("driver")
    builtins.exit = _sitebuiltins.Quitter("exit", "Ctrl-D (i.e. EOF)")
    builtins.quit = _sitebuiltins.Quitter("quit", "Ctrl-D (i.e. EOF)")
    builtins.help = _sitebuiltins._Helper()
    sys.argv[:] = ["main.py"]
    sys.set_int_max_str_digits(DIGITS)
    compile(WARM, "main.py", "exec", dont_inherit=True)
    sys.path += filter(os.path.isdir, (PACKAGES, MORE))
    for name in modules:
        if name != SORTED or os.path.isdir(f"{PACKAGES}/{SORTED}"):
            __import__(name)
    module = types.ModuleType("solution" if called else "__main__")
    module.__dict__.update(__builtins__=builtins, __file__="/tmp/main.py", __cached__=None)
    sys.modules["__main__"] = sys.modules[module.__name__] = module
    if not called:
        module.__annotations__ = {}
        return
    exec(PREAMBLE, module.__dict__)
    if SORTED in sys.modules:
        exec(f"from {SORTED} import *", module.__dict__)
    for name in vars(builtins):
        if not name.startswith("_"):
            module.__dict__.pop(name, None)
    sys.setrecursionlimit(RECURSION)


def run_main(source: bytes, arguments: list[bytes]) -> NoReturn:
    """Run a whole program and exit as the interpreter would."""
    sys.argv[1:] = map(os.fsdecode, arguments)
    finish(main_status(source))  # no frame of ours holds the program's names when they are to go


def main_status(source: bytes) -> int:
    # Made anew: the zygote's own is kept from the garbage collector, and with it all that it holds.
    main, sys.modules["__main__"] = sys.modules["__main__"], types.ModuleType("__main__")
    space = sys.modules["__main__"].__dict__
    space.update(main.__dict__)
    with open(space["__file__"], "wb") as file:  # a program may read itself, and tracebacks show its lines
        file.write(source)
    code = compiled(source)
    return execute(lambda: exec(code, space))


def run_call(source: bytes, call_json: bytes, result: int) -> NoReturn:
    """Ask the program one thing and write its answer to the descriptor `result`; the exit code tells the rest.

    The call is of one function, of a whole class, or what a `driver` (a program of ours) makes of it: one that is sent
    along, or the one that is here.
    """
    module, calling = sys.modules["__main__"], sys.modules["calling"]
    call = sys.modules["json"].loads(call_json)
    code = compiled(source)
    if not call:  # whether it compiles was the question
        os._exit(0)

    def load(space: dict[str, Any]) -> dict[str, Any]:
        if call["preamble"]:
            exec(compile(call["preamble"], "preamble.py", "exec"), space)
        exec(code, space)
        return space

    def answer() -> None:
        if "driver" in call:
            scope = {**globals(), **vars(calling)}
            sent = call["driver"]
            exec(driver if sent is None else compile(sent, __file__, "exec"), scope)
            line = scope["drive"](call, load)
        elif call["name"]:
            line = calling.encode(lambda: calling.one_call(load(module.__dict__), call))
        else:
            line = calling.encode(lambda: calling.design(load(module.__dict__), call))
        write_all(result, line)

    status = execute(answer)
    flush()
    os._exit(status & 0xFF)


# --- scripts that make or check tests ---------------------------------------------------------------------------


def run_helper(source: bytes) -> None:
    """Called by a program that holds such a script, which runs in its place: one that breaks is told apart.

    In its folder are its files alone. What a program wrote may be no text; read as text it comes all the same.
    """
    os.remove(sys.modules["__main__"].__dict__["__file__"])
    sys.stdin = sys.__stdin__ = stream(0, "r", -1)  # type: ignore[misc]
    sys.stdout = sys.__stdout__ = stream(1, "w", -1)  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = stream(2, "w", 1)  # type: ignore[misc]
    builtins.open = io.open = leniently
    sys.excepthook = broken
    try:
        exec(compile(source, "checker.py", "exec", dont_inherit=True), sys.modules["__main__"].__dict__)
    except MemoryError as error:
        broken(MemoryError, error, error.__traceback__)


def stream(fd: int, mode: str, buffering: int) -> Any:
    return leniently(fd, mode, buffering, "utf-8", None, "\n", closefd=False)


def leniently(
    file: Any,
    mode: str = "r",
    buffering: int = -1,
    encoding: str | None = None,
    errors: str | None = None,
    *rest: Any,
    **named: Any,
) -> Any:
    if errors is None and "b" not in mode:
        errors = "surrogateescape"
    return strictly(file, mode, buffering, encoding, errors, *rest, **named)


def broken(kind: type[BaseException], error: BaseException, trace: types.TracebackType | None) -> None:
    while trace is not None and trace.tb_frame.f_code.co_filename != "checker.py":
        trace = trace.tb_next  # what its author sees begins with the script, and ends there
    last = trace
    while last is not None and last.tb_next is not None:
        if last.tb_next.tb_frame.f_code.co_filename.startswith(HERE):
            last.tb_next = None
        last = last.tb_next
    try:
        show(kind, error.with_traceback(trace), trace)
    finally:
        os._exit(SHORT if issubclass(kind, MemoryError) else BROKEN)


# --- running ------------------------------------------------------------------------------------------------------


def compiled(source: bytes) -> types.CodeType:
    try:
        return compile(source, "main.py", "exec", dont_inherit=True)
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    except (SyntaxError, ValueError, RecursionError) as error:
        report(error)
        flush()
        os._exit(SYNTAX_ERROR)


def execute(action: Callable[[], object]) -> int:
    """Run it; the exit status the interpreter would give, with memory shortage told apart."""
    try:
        action()
    except SystemExit as stop:
        return exit_status(stop)
    except MemoryError:
        os.write(2, b"MemoryError\n")
        return OUT_OF_MEMORY
    except BaseException as error:
        return report(error)
    return 0


def exit_status(stop: SystemExit) -> int:
    code = stop.code
    if code is None:
        return 0
    if isinstance(code, int):
        return (code if -(2**63) <= code < 2**63 else -1) & 0xFF
    try:
        print(code, file=sys.stderr)
    except BaseException:
        pass  # the program broke its own stderr; the status is 1 all the same, as the interpreter has it
    return 1


def report(error: BaseException) -> int:
    """Show an error as the interpreter does; the exit status that comes of it."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(HERE):
        trace = trace.tb_next  # our own frames are no business of the program's author
    try:
        getattr(sys, "excepthook", show)(type(error), error.with_traceback(trace), trace)
    except SystemExit as stop:
        return exit_status(stop)
    except BaseException as another:
        try:
            os.write(2, b"Error in sys.excepthook:\n")
            show(type(another), another, another.__traceback__)
            os.write(2, b"\nOriginal exception was:\n")
            show(type(error), error, trace)
        except BaseException:
            pass  # nowhere is left to say it; the status still tells that the program failed
    return INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1


def finish(status: int) -> NoReturn:
    """The interpreter's end: threads, atexit, flush, then destructors, as files left open flush in theirs."""
    threading = sys.modules.get("threading")
    try:
        if threading is not None:
            threading._shutdown()
        atexit._run_exitfuncs()
    except BaseException as error:
        report(error)
    flushed = flush()
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
    reference = _weakref.ref(sys.modules.pop("__main__", None) or types.ModuleType("__main__"))
    gc.collect()
    if reference() is not None:
        reference().__dict__.clear()
    flushed = flush() and flushed
    if status == INTERRUPTED:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
        os.kill(os.getpid(), _signal.SIGINT)
    os._exit(status if flushed else FLUSH_FAILED)


def flush() -> bool:
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None and not getattr(stream, "closed", False):
                stream.flush()
        except BaseException as error:
            try:
                os.write(2, f"Exception ignored in: {stream!r}\n{type(error).__name__}: {error}\n".encode())
            except BaseException:
                pass  # stderr is closed too; False becomes the exit status
            return False
    return True


def write_all(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]
