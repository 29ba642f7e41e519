"""C# with Mono, whose compiler mcs knows C# 7: newer programs do not compile."""

from workers.grading.languages._language import BuildProduct, Language

# Ends with the judge's exit code for "out of memory" after an uncaught error of that kind, in any thread.
_START = """\
using System;
class Start {
    static int Main() {
        AppDomain.CurrentDomain.UnhandledException += (from, what) => {
            if (what.ExceptionObject is OutOfMemoryException) Environment.Exit(86);
        };
        return AppDomain.CurrentDomain.ExecuteAssembly("/judge/main");
    }
}
"""

LANGUAGE = Language(
    name="csharp",
    extension="cs",
    aliases=("c#", "cs", "mono"),
    tools=("mcs", "mono"),
    package="mono-mcs",
    files=("/etc/mono",),
    version_command=("{mono}", "--version=number"),
    hello=(
        "using System;\n"
        "using System.Linq;\n"
        "class Hello {\n"
        "    static void Main() { Console.WriteLine(Console.ReadLine().Split().Select(int.Parse).Sum()); }\n"
        "}\n"
    ),
    compile=("MONO_LOG_DEST=/dev/null {mcs} -optimize+ -nologo -warn:0 -r:System.Numerics -out:main main.cs",),
    # Its log would tell in the program's output that the sandbox forbids thread priorities. Garbage is collected by the
    # program's own thread: other threads fall behind on a busy machine, and garbage would count as used memory.
    run=(
        "/usr/bin/env",
        "MONO_LOG_DEST=/dev/null",
        "MONO_GC_PARAMS=major=marksweep,no-concurrent-sweep",
        "{mono}",
        "/judge/build/start.exe",
    ),
    products=(BuildProduct("start.exe", ("{mcs}", "-optimize+", "-nologo", "-out:{out}", "{source}"), _START),),
    time_factor=1.5,
    memory_base_mb=64,
    reserve_mb=1024,
)
