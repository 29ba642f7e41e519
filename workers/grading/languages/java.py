"""Java with the local JDK. The class that is run is the public one, or the one that has a main method."""

from workers.grading.languages._language import Language

# javac wants a public class in a file of its name.
_COMPILE = r"""
name=$(sed -nE 's/^[^\/*"]*public[a-z ]* (class|record|enum|interface) +([A-Za-z_0-9$]+).*/\2/p' main.java | head -n 1)
mkdir out && cp main.java "${name:-Main}.java" &&
{javac} -J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1 -J-XX:-UsePerfData -J-Xmx640m -nowarn -encoding UTF-8 \
    -d out "${name:-Main}.java" && {
    if [ -z "$name" ]; then
        name=Main
        [ -f out/Main.class ] || name=$(cd out && for file in *.class; do
            {javap} "${file%.class}" | grep -q 'static void main(java.lang.String' && echo "${file%.class}" && break
        done)
    fi
    {jar} --create --no-compress --file main --main-class "$name" -C out .
}
"""

LANGUAGE = Language(
    name="java",
    extension="java",
    tools=("java", "javac", "jar", "javap"),
    files=("/etc/java-*-openjdk",),
    version_command=("{javac}", "-version"),
    hello=(
        "import java.util.*;\n"
        "class Hello {\n"
        "    public static void main(String[] words) {\n"
        "        Scanner in = new Scanner(System.in);\n"
        "        System.out.println(in.nextLong() + in.nextLong());\n"
        "    }\n"
        "}\n"
    ),
    compile=(_COMPILE,),
    run=(
        "{java}", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-XX:TieredStopAtLevel=4", "-Xshare:auto",
        "-Xms32m", "-Xmx{memory_mb}m", "-Xss256m", "-jar", "/judge/main",
    ),
    time_factor=2.0,
    memory_base_mb=160,
    reserve_mb=8192,
)  # fmt: skip
