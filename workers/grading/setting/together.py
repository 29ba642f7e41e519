"""Several setters' checkers as the one checker of a suite: it says what all of them say, and fails where they differ.

An answer that they differ about is judged as one on which a checker fails alone: wrong, and told to maintainers. So no
vendor's program takes, or refuses, an answer against another's.
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


def together(codes: Sequence[str]) -> Checker:
    """One checker that runs all of these, whose protocol is Kattis's."""
    code = codes[0] if len(codes) == 1 else _TOGETHER.format(codes=tuple(codes), fails=_FAILS)
    return Checker(CheckerKind.KATTIS, program=code, language="python")


def who_failed(words: str) -> int | None:
    """The place of the checker that failed, by how the judge tells the failure; None where they only differ."""
    found = _FAILED.search(words.strip())
    return int(found[1]) if found else None
