"""Execution of a program in the payload process: as `python3 main.py` would run it, or by a call of one function.

Runs inside the sandbox with the bare standard library. `prepare` is called in the zygote, before any untrusted
byte is there; everything else runs in the payload. A program may change anything here, but that changes only the
bytes it emits, which are its answer: the expected ones are not in the sandbox.
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

# Exit codes that the judge reads as "out of memory" and "does not compile". A program that exits with them itself
# fails in another way, but still fails.
OUT_OF_MEMORY, SYNTAX_ERROR = 86, 87
FLUSH_FAILED, INTERRUPTED = 120, -2
# Exit codes of a script that makes or checks tests: if it raises, it must not end with 1, which is a verdict.
SCRIPT_FAILED, SCRIPT_OUT_OF_MEMORY = 3, 5
show_error = sys.excepthook
open_strictly = io.open
HERE = os.path.dirname(__file__) + "/"
PACKAGES, MORE_PACKAGES = "/judge/packages", "/packages"  # the second only in sandboxes of unittests
SORTED = "sortedcontainers"  # LeetCode puts its names into scope, too

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
RECURSION_LIMIT = 550_000  # LeetCode's
MAX_INT_DIGITS = 50_000  # as in LiveCodeBench's harness; the interpreter's default is 4,300
# The compiler initialises itself at its first program: once before forking, instead of in each test.
WARM_UP = """import sys
def f(a, *b): return [x for x in a if x]
class A: pass
for x in f(map(int, input())): print(f'{x}')
"""
# The driver of unittests, if this zygote runs any: to compile it in each test would take a third of the test's time.
driver: types.CodeType | None = None


def prepare(modules: list[str], *, called: bool, tested: bool = False) -> None:
    """Make the program's module and import `modules`; `called`: in function form, `tested`: by unittests."""
    global driver
    if tested:
        driver = type(__loader__)("driver", HERE + "driver.py").get_code("driver")
    builtins.exit = _sitebuiltins.Quitter("exit", "Ctrl-D (i.e. EOF)")
    builtins.quit = _sitebuiltins.Quitter("quit", "Ctrl-D (i.e. EOF)")
    builtins.help = _sitebuiltins._Helper()
    sys.argv[:] = ["main.py"]
    sys.set_int_max_str_digits(MAX_INT_DIGITS)
    compile(WARM_UP, "main.py", "exec", dont_inherit=True)
    sys.path += filter(os.path.isdir, (PACKAGES, MORE_PACKAGES))
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
    sys.setrecursionlimit(RECURSION_LIMIT)


def run_main(source: bytes, arguments: list[bytes]) -> NoReturn:
    """Run a whole program and exit as the interpreter would."""
    sys.argv[1:] = map(os.fsdecode, arguments)
    finish(execute_main(source))  # then no frame of ours refers to the program's names when they are deleted


def execute_main(source: bytes) -> int:
    """Execute a whole program; return its exit status."""
    # A new module: the garbage collector does not collect the zygote's own, nor anything that it refers to.
    main, sys.modules["__main__"] = sys.modules["__main__"], types.ModuleType("__main__")
    space = sys.modules["__main__"].__dict__
    space.update(main.__dict__)
    with open(space["__file__"], "wb") as file:  # a program may read itself, and tracebacks show its lines
        file.write(source)
    code = compile_program(source)
    return execute(lambda: exec(code, space))


def run_call(source: bytes, call_json: bytes, result: int) -> NoReturn:
    """Make one call and write its answer, a line, to the descriptor `result`; exit with the program's status.

    The call is of one function, of the methods of a class, or whatever a driver (a program of ours) does with it:
    a driver that is in the call, or if `driver` is null, the one that is here. An empty call only compiles.
    """
    module, function_calls = sys.modules["__main__"], sys.modules["function_calls"]
    call = sys.modules["json"].loads(call_json)
    code = compile_program(source)
    if not call:  # it does compile
        os._exit(0)

    def load(space: dict[str, Any]) -> dict[str, Any]:
        if call["preamble"]:
            exec(compile(call["preamble"], "preamble.py", "exec"), space)
        exec(code, space)
        return space

    def write_answer() -> None:
        if "driver" in call:
            scope = {**globals(), **vars(function_calls)}
            sent = call["driver"]
            exec(driver if sent is None else compile(sent, __file__, "exec"), scope)
            line = scope["drive"](call, load)
        elif call["name"]:
            line = function_calls.encode(lambda: function_calls.call_function(load(module.__dict__), call))
        else:
            line = function_calls.encode(lambda: function_calls.call_methods(load(module.__dict__), call))
        write_all(result, line)

    status = execute(write_answer)
    flush()
    os._exit(status & 0xFF)


# --- scripts that make or check tests ---------------------------------------------------------------------------


def run_helper(source: bytes) -> None:
    """Run the script that the calling program contains, in its place. Exits with `SCRIPT_FAILED` if it raises.

    Only the script's files are left in its folder. It can read any bytes that a program wrote as text.
    """
    os.remove(sys.modules["__main__"].__dict__["__file__"])
    sys.stdin = sys.__stdin__ = open_stream(0, "r", -1)  # type: ignore[misc]
    sys.stdout = sys.__stdout__ = open_stream(1, "w", -1)  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = open_stream(2, "w", 1)  # type: ignore[misc]
    builtins.open = io.open = open_leniently
    sys.excepthook = exit_failed
    try:
        exec(compile(source, "checker.py", "exec", dont_inherit=True), sys.modules["__main__"].__dict__)
    except MemoryError as error:
        exit_failed(MemoryError, error, error.__traceback__)


def open_stream(fd: int, mode: str, buffering: int) -> Any:
    return open_leniently(fd, mode, buffering, "utf-8", None, "\n", closefd=False)


def open_leniently(
    file: Any,
    mode: str = "r",
    buffering: int = -1,
    encoding: str | None = None,
    errors: str | None = None,
    *rest: Any,
    **named: Any,
) -> Any:
    """Open a file; text that is not UTF-8 is read and written with `surrogateescape`."""
    if errors is None and "b" not in mode:
        errors = "surrogateescape"
    return open_strictly(file, mode, buffering, encoding, errors, *rest, **named)


def exit_failed(kind: type[BaseException], error: BaseException, trace: types.TracebackType | None) -> None:
    """Show an error of a script without the frames of this side, and exit."""
    while trace is not None and trace.tb_frame.f_code.co_filename != "checker.py":
        trace = trace.tb_next  # the traceback begins with the script and ends there
    last = trace
    while last is not None and last.tb_next is not None:
        if last.tb_next.tb_frame.f_code.co_filename.startswith(HERE):
            last.tb_next = None
        last = last.tb_next
    try:
        show_error(kind, error.with_traceback(trace), trace)
    finally:
        os._exit(SCRIPT_OUT_OF_MEMORY if issubclass(kind, MemoryError) else SCRIPT_FAILED)


# --- running ------------------------------------------------------------------------------------------------------


def compile_program(source: bytes) -> types.CodeType:
    """Return the code of a program; exit with `SYNTAX_ERROR` or `OUT_OF_MEMORY` if it does not compile."""
    try:
        return compile(source, "main.py", "exec", dont_inherit=True)
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    except (SyntaxError, ValueError, RecursionError) as error:
        report_error(error)
        flush()
        os._exit(SYNTAX_ERROR)


def execute(action: Callable[[], object]) -> int:
    """Run an action; return the exit status that the interpreter would give, and `OUT_OF_MEMORY` for a MemoryError."""
    try:
        action()
    except SystemExit as stop:
        return exit_status(stop)
    except MemoryError:
        os.write(2, b"MemoryError\n")
        return OUT_OF_MEMORY
    except BaseException as error:
        return report_error(error)
    return 0


def exit_status(stop: SystemExit) -> int:
    """Return the exit status of a SystemExit; show its code if that is no integer."""
    code = stop.code
    if code is None:
        return 0
    if isinstance(code, int):
        return (code if -(2**63) <= code < 2**63 else -1) & 0xFF
    try:
        print(code, file=sys.stderr)
    except BaseException:
        pass  # the program broke its own stderr; the interpreter exits with 1, too
    return 1


def report_error(error: BaseException) -> int:
    """Show an error as the interpreter does; return the exit status."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(HERE):
        trace = trace.tb_next  # without our own frames
    try:
        getattr(sys, "excepthook", show_error)(type(error), error.with_traceback(trace), trace)
    except SystemExit as stop:
        return exit_status(stop)
    except BaseException as another:
        try:
            os.write(2, b"Error in sys.excepthook:\n")
            show_error(type(another), another, another.__traceback__)
            os.write(2, b"\nOriginal exception was:\n")
            show_error(type(error), error, trace)
        except BaseException:
            pass  # it cannot be shown; the status still tells that the program failed
    return INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1


def finish(status: int) -> NoReturn:
    """Exit like the interpreter: threads, atexit, flush, then destructors, in which open files flush."""
    threading = sys.modules.get("threading")
    try:
        if threading is not None:
            threading._shutdown()
        atexit._run_exitfuncs()
    except BaseException as error:
        report_error(error)
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
    """Flush stdout and stderr; return False if that fails, which is shown."""
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
