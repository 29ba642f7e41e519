"""C++ with the local g++; bits/stdc++.h comes precompiled.

A program is C++17 if it compiles as that, else C++20: programs of either kind are judged, and most of them with
the smaller library's compile time.
"""

from workers.grading.languages._language import Language, Product

_GXX = "/usr/bin/g++"
_OPTIONS = ("-O2", "-w", "-fmax-errors=20", "-fdiagnostics-color=never")
_COMPILE = f"{_GXX} %s {' '.join(_OPTIONS)} $(test -x /usr/bin/ld.gold && echo -fuse-ld=gold) -I/judge/build"
_MAKE_MAIN = f"{_COMPILE} main.cpp /judge/build/oom.o -o main"  # gold links in half the time
_PRECOMPILE = (_GXX, "-std=gnu++17", *_OPTIONS, "-x", "c++-header", "{source}", "-o", "{out}")

LANGUAGE = Language(
    name="cpp",
    extension="cpp",
    version_command=(_GXX, "-dumpfullversion"),
    hello=(
        "#include <bits/stdc++.h>\n"
        "int main() { long long a, b; std::cin >> a >> b; std::cout << a + b << std::endl; }\n"
    ),
    compile=(_MAKE_MAIN % "-std=gnu++17", _MAKE_MAIN % "-std=gnu++20"),
    products=(
        Product("bits/stdc++.h.gch", _PRECOMPILE, "#include <bits/stdc++.h>\n"),
        Product("oom.o", (_GXX, *_OPTIONS, "-c", "{source}", "-o", "{out}"), "oom.cpp"),
    ),
)
