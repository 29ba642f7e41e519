"""What the payload process does with a program: run it as `python3 main.py` would, or call one function of it.

Runs inside the sandbox with the bare standard library. `prepare` is called in the zygote, before any untrusted
byte is there; everything else runs in the payload. Whatever a program changes here it can only change what
bytes it emits, and bytes are an answer: the expected ones are not on this side.
"""

from __future__ import annotations

import _sitebuiltins
import atexit
import builtins
import gc
import os
import sys
import types
from itertools import zip_longest

TYPE_CHECKING = False  # without importing typing, as in zygote.py
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

# Exit codes that the judge reads as "out of memory" and "does not compile". A program that chooses them itself
# only swaps one failure for another.
OUT_OF_MEMORY, SYNTAX_ERROR = 86, 87
FLUSH_FAILED = 120
PACKAGES = "/judge/packages"
SORTED = "sortedcontainers"  # LeetCode has its names in scope too
NODES = 1_000_000  # longer linked answers are taken for cycles

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
NESTING = 5000  # of a value; a deeper one holds itself


def prepare(modules: list[str], *, called: bool) -> None:
    """Make the program's module, and import what it will want anyway; `called` in function form."""
    builtins.exit = _sitebuiltins.Quitter("exit", "Ctrl-D (i.e. EOF)")
    builtins.quit = _sitebuiltins.Quitter("quit", "Ctrl-D (i.e. EOF)")
    builtins.help = _sitebuiltins._Helper()
    sys.argv[:] = ["main.py"]
    if os.path.isdir(PACKAGES):
        sys.path.append(PACKAGES)
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


def run_main(source: bytes) -> NoReturn:
    """Run a whole program and exit as the interpreter would."""
    module = sys.modules["__main__"]
    with open(module.__file__, "wb") as file:  # a program may read itself, and tracebacks show its lines
        file.write(source)
    code = compiled(source)
    status = execute(lambda: exec(code, module.__dict__))
    finish(status, module)


def run_call(source: bytes, call_json: bytes, result: int) -> NoReturn:
    """Call the entry once and write its value to the descriptor `result`; the exit code tells the rest."""
    module = sys.modules["__main__"]
    call = sys.modules["json"].loads(call_json)
    code = compiled(source)

    def answer() -> None:
        if call["preamble"]:
            exec(compile(call["preamble"], "preamble.py", "exec"), module.__dict__)
        exec(code, module.__dict__)
        function = entry(module.__dict__, call["name"], call["class"])
        given = [
            decode(value, kind)
            for value, kind in zip_longest(call["arguments"], call["params"][: len(call["arguments"])], fillvalue="")
        ]
        value = function(*given)
        write_all(result, encode(value, call["returns"]))

    status = execute(answer)
    flush()
    os._exit(status)


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
        return exit_status(stop.code)
    except MemoryError:
        os.write(2, b"MemoryError\n")
        return OUT_OF_MEMORY
    except BaseException as error:
        report(error)
        return 1
    return 0


def exit_status(code: object) -> int:
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    try:
        print(code, file=sys.stderr)
    except BaseException:
        pass
    return 1


def report(error: BaseException) -> None:
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next  # our own frames are no business of the program's author
    try:
        sys.excepthook(type(error), error.with_traceback(trace), trace)
    except BaseException:
        os.write(2, b"error in the program's sys.excepthook\n")


def finish(status: int, module: types.ModuleType) -> NoReturn:
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
    module.__dict__.clear()
    gc.collect()
    os._exit(status if flush() and flushed else FLUSH_FAILED)


def flush() -> bool:
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None and not getattr(stream, "closed", False):
                stream.flush()
        except BaseException:
            return False
    return True


def write_all(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]


# --- calling ------------------------------------------------------------------------------------------------------


def entry(namespace: dict[str, Any], name: str, class_name: str | None) -> Callable[..., Any]:
    """The function, or the method of a fresh instance. A bare function does where a class was asked for, and back."""
    holder = namespace.get(class_name or "Solution")
    if name in namespace and (class_name is None or holder is None):
        return namespace[name]
    if holder is None:
        raise NameError(f"the program defines neither {name} nor {class_name or 'Solution'}")
    return getattr(holder(), name)


def decode(value: Any, kind: str) -> Any:
    if "ListNode" in kind:
        return [linked(each) for each in value] if is_list(kind) else linked(value)
    if "TreeNode" in kind:
        return [tree(each) for each in value] if is_list(kind) else tree(value)
    return value


def is_list(kind: str) -> bool:
    return "[]" in kind or kind.lower().startswith(("list[", "list<", "sequence["))


def linked(values: list[Any] | None) -> Any:
    node = None
    make = sys.modules["__main__"].ListNode
    for value in reversed(values or ()):
        node = make(value, node)
    return node


def tree(values: list[Any] | None) -> Any:
    if not values or values[0] is None:
        return None
    make = sys.modules["__main__"].TreeNode
    root = make(values[0])
    waiting, rest = [root], iter(values[1:])
    for node in waiting:
        for side in ("left", "right"):
            value = next(rest, None)
            if value is not None:
                child = make(value)
                setattr(node, side, child)
                waiting.append(child)
    return root


class Unencodable(Exception):
    """A value that is no JSON value; the argument names its type."""


def encode(value: Any, kind: str) -> bytes:
    """One line: V and the value as JSON, or T and the name of the type that cannot be an answer."""
    try:
        sys.setrecursionlimit(NESTING)
        plain = plain_value(value, kind)
        text = sys.modules["json"].dumps(plain, separators=(",", ":"))
    except Unencodable as odd:
        return f"T{odd.args[0]!r}\n".encode()[:200]
    except (ValueError, RecursionError) as odd:  # an integer of thousands of digits, a list that holds itself
        return f"T{type(odd).__name__}\n".encode()
    return b"V" + text.encode() + b"\n"


SCALARS = frozenset((int, float, str, bool, type(None)))


def plain_value(value: Any, kind: str) -> Any:
    """`value` with exact types only: subclasses and look-alikes are refused; tuples count as lists."""
    exact = type(value)
    if exact in SCALARS:
        return [] if value is None and "Node" in kind else value
    if exact is list or exact is tuple:
        if SCALARS.issuperset(map(type, value)) and "Node" not in kind:
            return value
        inner = kind if "Node" in kind else ""
        return [plain_value(each, inner) for each in value]
    if exact is dict and set(map(type, value)) <= {str}:
        return {key: plain_value(each, "") for key, each in value.items()}
    if exact.__name__ == "ListNode":
        return list_values(value)
    if exact.__name__ == "TreeNode":
        return tree_values(value)
    raise Unencodable(exact.__name__)


def list_values(node: Any) -> list[Any]:
    values = []
    while node is not None:
        if len(values) >= NODES:
            raise Unencodable("ListNode cycle")
        values.append(plain_value(node.val, ""))
        node = node.next
    return values


def tree_values(root: Any) -> list[Any]:
    values: list[Any] = []
    level = [root]
    for node in level:
        if len(level) > 2 * NODES:
            raise Unencodable("TreeNode cycle")
        values.append(None if node is None else plain_value(node.val, ""))
        if node is not None:
            level += (node.left, node.right)
    while values and values[-1] is None:
        values.pop()
    return values
