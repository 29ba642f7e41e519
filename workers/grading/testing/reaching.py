# ruff: noqa: F821  # names of guest.py and returned.py
# mypy: ignore-errors
"""Hears of it when a program beside its tests reaches for what is not its own. Part of driver.py.

The interpreter tells of each look at a frame, of a list of all objects, and of code that is made. Whoever may look at
the frames of its callers finds there what a test expects; and code that says it is a library's is taken for that.
"""

import _thread
import sys

REACHES = frozenset((
    "sys._getframe", "sys._current_frames", "sys._current_exceptions", "sys.settrace", "sys.setprofile",
    "gc.get_objects", "gc.get_referrers",
))  # fmt: skip
FRAMES = ("tb_frame", "gi_frame", "cr_frame", "ag_frame")
MAKES = ("compile", "code.__new__")
TESTS = "tests.py"


def overhear(tampered):
    """Write down, from now on, what code of the program does of that; what libraries do for it is theirs."""
    frame_of, busy = sys._getframe, set()
    ours = (*PLACES, HERE)

    def its_own(name):
        return not name.startswith(ours) and name != TESTS

    def hear(event, about):
        me = _thread.get_ident()
        reaches = event in REACHES or (event == "object.__getattr__" and about[1] in FRAMES)
        if me in busy or not (reaches or (event in MAKES and type(about[1]) is str and not its_own(about[1]))):
            return
        busy.add(me)
        frame = frame_of(1)
        while frame is not None and frame.f_code.co_filename.endswith("/inspect.py"):
            frame = frame.f_back
        if frame is not None and its_own(frame.f_code.co_filename):
            tampered.append("it looks at frames" if reaches else "its code says that it is another's")
        busy.discard(me)

    sys.addaudithook(hear)
