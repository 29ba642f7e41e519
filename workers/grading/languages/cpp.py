"""C++ with the local g++; bits/stdc++.h comes precompiled.

A program is C++17 if it compiles as that, else C++20: programs of either kind are judged, and most of them with
the smaller library's compile time.
"""

from workers.grading.languages._language import Language, Product

_OPTIONS = "-pipe -O2 -w -fmax-errors=20 -fdiagnostics-color=never"
_GOLD = "$(test -x /usr/bin/ld.gold && echo -fuse-ld=gold)"  # links in half the time
_COMPILE = f"{{g++}} -std=gnu++%d {_OPTIONS} {_GOLD} -I/judge/build main.cpp /judge/build/oom.o -o main"

LANGUAGE = Language(
    name="cpp",
    extension="cpp",
    tools=("g++",),
    version_command=("{g++}", "-dumpfullversion"),
    hello=(
        "#include <bits/stdc++.h>\n"
        "int main() { long long a, b; std::cin >> a >> b; std::cout << a + b << std::endl; }\n"
    ),
    compile=(_COMPILE % 17, _COMPILE % 20),
    products=(
        Product(
            "bits/stdc++.h.gch",
            ("{g++}", "-std=gnu++17", *_OPTIONS.split(), "-x", "c++-header", "{source}", "-o", "{out}"),
            "#include <bits/stdc++.h>\n",
        ),
        Product("oom.o", ("{g++}", *_OPTIONS.split(), "-c", "{source}", "-o", "{out}"), "oom.cpp"),
    ),
)
