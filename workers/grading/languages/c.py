"""C with the local gcc."""

from workers.grading.languages._language import Language

LANGUAGE = Language(
    name="c",
    extension="c",
    aliases=("gcc", "c11", "c17"),
    tools=("gcc",),
    package="gcc libc6-dev",
    version_command=("{gcc}", "-dumpfullversion"),
    hello='#include <stdio.h>\nint main(void) { int a, b; scanf("%d %d", &a, &b); printf("%d\\n", a + b); }\n',
    compile=("{gcc} -std=gnu17 -O2 -w -fmax-errors=20 -fdiagnostics-color=never main.c -o main -lm",),
)
