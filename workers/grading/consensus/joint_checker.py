"""Several setters' checkers as the one checker of a suite, which gives their common verdict and fails if they differ.

An answer on which they differ is judged like one on which a checker fails alone: it is wrong, and maintainers are told.
So no vendor's checker accepts or refuses an answer against another's.
"""

import re
from collections.abc import Sequence
from typing import Final

from app.domain.problems import Checker, CheckerKind

_TOGETHER: Final = """\
# What setters of several vendors wrote, each of which runs by itself: 42 or 43 if all end so.
import ctypes
import os
import sys

CHECKERS = {codes!r}
DUMPABLE = ctypes.CDLL(None).prctl
DUMPABLE(4, 0)  # PR_SET_DUMPABLE: no child reads or writes this process


def ended(code):
    os.lseek(0, 0, os.SEEK_SET)
    child = os.fork()
    if not child:
        DUMPABLE(4, 1)
        status = 1
        try:
            exec(compile(code, "checker.py", "exec"), {{"__name__": "__main__"}})
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        except BaseException as wrong:
            print(type(wrong).__name__, file=sys.stderr)
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(status & 255)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    try:
        os.kill(-1, 9)  # what it left behind
    except ProcessLookupError:
        pass
    return code


codes = [ended(code) for code in CHECKERS]
for place, code in enumerate(codes):
    if code not in (42, 43):
        sys.exit(f"{fails} {{place}} ends with exit code {{code}}")
if len(set(codes)) > 1:
    sys.exit("setters' checkers differ about this output")
sys.exit(codes[0])
"""
_FAILS: Final = "setter's checker"
_FAILED: Final = re.compile(rf"{_FAILS} (\d+) ends with exit code -?\d+$")


def joint_checker(codes: Sequence[str]) -> Checker:
    """Return one checker that runs all of these, with Kattis's protocol."""
    code = codes[0] if len(codes) == 1 else _TOGETHER.format(codes=tuple(codes), fails=_FAILS)
    return Checker(CheckerKind.KATTIS, program=code, language="python")


def failed_checker(words: str) -> int | None:
    """Return the place of the checker that failed by the judge's message; None if they only differ."""
    match = _FAILED.search(words.strip())
    return int(match[1]) if match else None
