"""C++ with the local g++; bits/stdc++.h comes precompiled.

A program is C++17 if it compiles as that, else C++20: programs of either kind are judged, and most of them with
the smaller library's compile time.
"""

from workers.grading.languages._language import Language, Product

_GXX = "/usr/bin/g++"
_OPTIONS = ("-O2", "-w", "-fmax-errors=20", "-fdiagnostics-color=never")
_MAKE_MAIN = ("-I/judge/build", "main.cpp", "/judge/build/oom.o", "-o", "main")
_PRECOMPILE = (_GXX, "-std=gnu++17", *_OPTIONS, "-x", "c++-header", "{source}", "-o", "{out}")

LANGUAGE = Language(
    name="cpp",
    extension="cpp",
    version_command=(_GXX, "-dumpfullversion"),
    hello=(
        "#include <bits/stdc++.h>\n"
        "int main() { long long a, b; std::cin >> a >> b; std::cout << a + b << std::endl; }\n"
    ),
    compile=(
        (_GXX, "-std=gnu++17", *_OPTIONS, *_MAKE_MAIN),
        (_GXX, "-std=gnu++20", *_OPTIONS, *_MAKE_MAIN),
    ),
    run=("/judge/main",),
    products=(
        Product("bits/stdc++.h.gch", _PRECOMPILE, "#include <bits/stdc++.h>\n"),
        Product("oom.o", (_GXX, *_OPTIONS, "-c", "{source}", "-o", "{out}"), "oom.cpp"),
    ),
)
