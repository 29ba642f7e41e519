"""Python with the local PyPy, for whole programs, executed one by one."""

from workers.grading.languages._language import Language

# Runs the program as `pypy3 main.py` would, with the exit(), quit() and help() that -S leaves out. It ends with the
# judge's exit code for "out of memory" (as in guest.py) after an uncaught error of that kind.
_START = """\
def start():
    import builtins, sys
    from _sitebuiltins import Quitter, _Helper
    builtins.exit = Quitter("exit", "Ctrl-D (i.e. EOF)")
    builtins.quit = Quitter("quit", "Ctrl-D (i.e. EOF)")
    builtins.help = _Helper()
    def show(kind, error, trace):
        while trace is not None and trace.tb_frame.f_code.co_filename == "<string>":
            trace = trace.tb_next
        sys.__excepthook__(kind, error.with_traceback(trace), trace)
    sys.excepthook = show
    del sys.argv[0]
    space = sys.modules["__main__"].__dict__
    del space["start"]
    space["__file__"] = sys.argv[0]
    with open(sys.argv[0], "rb") as file:
        code = compile(file.read(), sys.argv[0], "exec", dont_inherit=True)
    try:
        exec(code, space)
    except MemoryError:
        sys.stderr.write("MemoryError\\n")
        sys.exit(86)
start()
"""

LANGUAGE = Language(
    name="pypy",
    extension="pypy",  # .py is CPython
    aliases=("pypy3",),
    tools=("pypy3",),
    package="pypy3",
    version_command=("{pypy3}", "-c", "import sys; print(*sys.version_info[:3], *sys.pypy_version_info[:3], sep='.')"),
    hello="a, b = map(int, input().split())\nprint(a + b)\n",
    run=("{pypy3}", "-I", "-S", "-c", _START, "/judge/main"),
    memory_base_mb=64,
    reserve_mb=4096,
)
