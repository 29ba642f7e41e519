"""C++ with the local g++; bits/stdc++.h comes precompiled, once whole and once without three seldom used headers.

These take a third of a small program's compile time; a program that names anything of them gets the whole library.

A program is C++17 if it compiles as that, else C++20, so that programs of both standards are judged. Checkers, which
include single headers, get the whole library first, and compile without it if its names are in their way. The AtCoder
Library is searched if it is installed.
"""

from workers.grading.languages._calls import cpp as calls
from workers.grading.languages._language import BuildProduct, Language

_OPTIONS = "-pipe -O2 -w -fmax-errors=20 -fdiagnostics-color=never"
_GOLD = "$(test -x /usr/bin/ld.gold && echo -fuse-ld=gold)"  # links in half the time
_LEFT_OUT = ("filesystem", "future", "regex")
_NAMES = "filesystem|future|async|promise|packaged_task|launch|regex|match"
_WHOLE = "-I/judge/build/whole"
_HEADER = f"-I/judge/build/$(grep -Eq '{_NAMES}' main.cpp && echo whole || echo most)"
_COMPILE = f"{{g++}} -std=gnu++%d {_OPTIONS} {_GOLD} %s{{headers}} main.cpp /judge/build/oom.o -o main"
_INCLUDE = "#include <bits/stdc++.h>\n"


def _precompiled(folder: str, source: str, standard: int = 17) -> BuildProduct:
    """Return a precompiled header in a folder of that name, which the compiler takes if its options are the same."""
    command = ("{g++}", f"-std=gnu++{standard}", *_OPTIONS.split(), "-x", "c++-header", "{source}", "-o", "{out}")
    return BuildProduct(f"{folder}/bits/stdc++.h.gch/{standard}", command, source)


def _named_again(folder: str) -> BuildProduct:
    """Return the plain header, for a source that includes it after the precompiled one has been taken."""
    return BuildProduct(f"{folder}/bits/stdc++.h", ("/bin/cp", "{source}", "{out}"), "#include_next <bits/stdc++.h>\n")


LANGUAGE = Language(
    name="cpp",
    extension="cpp",
    aliases=("c++", "g++", "c++17", "c++20", "cpp17", "cpp20"),
    endings=("cc", "cxx", "c++"),
    tools=("g++",),
    package="g++",
    version_command=("{g++}", "-dumpfullversion"),
    function_form=True,
    caller=calls.add_call,
    hello=(
        "#include <bits/stdc++.h>\n"
        "int main() { long long a, b; std::cin >> a >> b; std::cout << a + b << std::endl; }\n"
    ),
    compile=(_COMPILE % (17, _HEADER), _COMPILE % (20, _WHOLE)),
    helper_compile=(_COMPILE % (17, f"{_WHOLE} -include bits/stdc++.h"),),
    products=(
        _precompiled("whole", _INCLUDE),
        _precompiled("whole", _INCLUDE, 20),
        # A header is empty if its guard is defined already.
        _precompiled("most", "".join(f"#define _GLIBCXX_{name.upper()} 1\n" for name in _LEFT_OUT) + _INCLUDE),
        _named_again("whole"),
        _named_again("most"),
        BuildProduct("oom.o", ("{g++}", *_OPTIONS.split(), "-c", "{source}", "-o", "{out}"), "oom.cpp"),
    ),
)
