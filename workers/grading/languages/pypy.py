"""Python with the local PyPy: whole programs, executed one by one."""

from workers.grading.languages._language import Language

LANGUAGE = Language(
    name="pypy",
    extension="pypy",  # .py is CPython
    tools=("pypy3",),
    version_command=("{pypy3}", "-c", "import sys; print(*sys.version_info[:3], *sys.pypy_version_info[:3], sep='.')"),
    hello="a, b = map(int, input().split())\nprint(a + b)\n",
    run=("{pypy3}", "-I", "-S", "/judge/main"),
    memory_base_mb=64,
    reserve_mb=4096,
)
