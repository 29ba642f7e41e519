"""Python, run by the zygote: an interpreter that is already started and forks once per test."""

from workers.grading.languages._language import Language

DIGITS = ("-X", "int_max_str_digits=50000")  # the limit on an integer as text, which the zygote has too (guest.py)

LANGUAGE = Language(
    name="python",
    extension="py",
    aliases=("python3", "py", "py3", "cpython"),
    version_command=("{python}", "-I", "-S", "-c", "import platform; print(platform.python_version())"),
    hello="a, b = map(int, input().split())\nprint(a + b)\n",
    run=("{python}", "-I", "-S", *DIGITS, "/judge/main"),
    zygote=True,
    memory_base_mb=16,
    function_form=True,
)
