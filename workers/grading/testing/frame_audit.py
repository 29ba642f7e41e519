# ruff: noqa: F821  # names of guest.py and returned_values.py
# mypy: ignore-errors
"""Audit of a program that runs beside its tests: reads of frames, and code with a forged file name. Part of driver.py.

The interpreter raises an audit event for each read of a frame, each list of all objects, and each code object made. The
frames of its callers show a program what a test expects; code with a library's file name would be taken for the
library's.
"""

import _thread
import sys

FRAME_EVENTS = frozenset((
    "sys._getframe", "sys._current_frames", "sys._current_exceptions", "sys.settrace", "sys.setprofile",
    "gc.get_objects", "gc.get_referrers",
))  # fmt: skip
FRAME_ATTRIBUTES = ("tb_frame", "gi_frame", "cr_frame", "ag_frame")
CODE_EVENTS = ("compile", "code.__new__")
TESTS_FILE = "tests.py"


def audit_program(tampered):
    """Append to `tampered`, from now on, what code of the program does of that; libraries it calls may do it."""
    frame_of, busy = sys._getframe, set()
    ours = (*LIBRARY_PATHS, HERE)

    def is_program_file(name):
        return not name.startswith(ours) and name != TESTS_FILE

    def on_event(event, arguments):
        thread = _thread.get_ident()
        frames = event in FRAME_EVENTS or (event == "object.__getattr__" and arguments[1] in FRAME_ATTRIBUTES)
        forged = event in CODE_EVENTS and type(arguments[1]) is str and not is_program_file(arguments[1])
        if thread in busy or not (frames or forged):
            return
        busy.add(thread)
        frame = frame_of(1)
        while frame is not None and frame.f_code.co_filename.endswith("/inspect.py"):
            frame = frame.f_back
        if frame is not None and is_program_file(frame.f_code.co_filename):
            tampered.append("it looks at frames" if frames else "its code says that it is another's")
        busy.discard(thread)

    sys.addaudithook(on_event)
