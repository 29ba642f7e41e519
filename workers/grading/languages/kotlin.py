"""Kotlin with the local compiler, on the local Java."""

from workers.grading.languages._language import Language

_SMALL = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Xmx640m"
_LIB = "$(dirname {kotlinc})/../lib"

LANGUAGE = Language(
    name="kotlin",
    extension="kt",
    aliases=("kt",),
    tools=("java", "kotlinc"),
    package="kotlin default-jdk-headless",
    seldom=True,
    files=("/etc/java-*-openjdk",),
    version_command=("/bin/sh", "-c", "{kotlinc} -version 2>&1 | grep -Eo '[0-9]+[.][0-9.]+' | head -n 1"),
    hello="fun main() {\n    println(readLine()!!.split(\" \").map { it.toInt() }.sum())\n}\n",
    compile=(
        f"{{java}} {_SMALL} -cp {_LIB}/kotlin-preloader.jar org.jetbrains.kotlin.preloading.Preloader "
        f"-cp {_LIB}/kotlin-compiler.jar org.jetbrains.kotlin.cli.jvm.K2JVMCompiler "
        "-nowarn -no-reflect -include-runtime -d main.jar main.kt && mv main.jar main",
    ),
    run=(
        "{java}", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-XX:TieredStopAtLevel=4", "-Xshare:auto",
        "-XX:+CrashOnOutOfMemoryError", "-XX:+SuppressFatalErrorMessage",
        "-Xms32m", "-Xmx{memory_mb}m", "-Xss256m", "-jar", "/judge/main",
    ),
    time_factor=2.0,
    memory_base_mb=160,
    reserve_mb=8192,
    abort_share=0.0,
)  # fmt: skip
