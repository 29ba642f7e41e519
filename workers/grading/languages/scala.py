"""Scala with the local compiler, on the local Java. A program with several objects with a main starts at `Main`."""

from workers.grading.languages._language import BuildProduct, Language

_SMALL = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Xmx640m"
_LIB = "$(dirname {scalac})/../lib"
_LIBRARY = f'cp -L {_LIB}/scala-library.jar "$0"'
_MAIN = "$(grep -Eq 'object +Main\\b' main.scala && echo -Xmain-class Main)"

LANGUAGE = Language(
    name="scala",
    extension="scala",
    tools=("java", "scalac"),
    package="scala default-jdk-headless",
    seldom=True,
    files=("/etc/java-*-openjdk",),
    version_command=("/bin/sh", "-c", "{scalac} -version 2>&1 | grep -Eo '[0-9]+[.][0-9.]+' | head -n 1"),
    hello=(
        "object Hello {\n"
        "  def main(words: Array[String]): Unit = println(scala.io.StdIn.readLine().split(\" \").map(_.toInt).sum)\n"
        "}\n"
    ),
    compile=(
        f"{{java}} {_SMALL} -cp \"{_LIB}/*\" scala.tools.nsc.Main -usejavacp -nowarn {_MAIN} -d main.jar main.scala "
        "&& mv main.jar main",
    ),
    run=(
        "{java}", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-XX:TieredStopAtLevel=4", "-Xshare:auto",
        "-XX:+CrashOnOutOfMemoryError", "-XX:+SuppressFatalErrorMessage", "-Xbootclasspath/a:/judge/build/library.jar",
        "-Xms32m", "-Xmx{memory_mb}m", "-Xss256m", "-jar", "/judge/main",
    ),
    products=(BuildProduct("library.jar", ("/bin/sh", "-c", _LIBRARY, "{out}"), "object None\n"),),
    time_factor=2.0,
    memory_base_mb=160,
    reserve_mb=8192,
    abort_share=0.0,
)  # fmt: skip
