# ruff: noqa: E501  # tables of whole programs
"""Every language, by the same rules: what is there is offered and judged right, what is not there is no error."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from grading.judging import Passed, run, sums
from grading.small_programs import BY_INPUT, BY_OUTPUT, PROGRAMS
from support.missing import missing
from support.rules import ROOT
from support.thinned import thinned

from app.domain.errors import SandboxUnavailable
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Limits
from app.domain.scenarios.codegen import SCENARIO
from workers.grading.compile_cache import CompiledProgram
from workers.grading.judge import POLICY, Judge, JudgeSettings
from workers.grading.sandbox.root import Tools
from workers.grading.toolchains import find_toolchain, known_languages, language_named, language_of

pytestmark = pytest.mark.sandbox

LANGUAGES = sorted(known_languages())
SELDOM = {name for name, language in known_languages().items() if language.seldom}
ROOMY = Limits(time_ms=4000, memory_mb=128, output_kb=1024)

BY_VERDICT = {
    "loop": {Verdict.TIME_LIMIT},
    "crash": {Verdict.RUNTIME_ERROR},
    "broken": {Verdict.COMPILE_ERROR},
    "hoard": {Verdict.MEMORY_LIMIT, Verdict.RUNTIME_ERROR},
    "flood": {Verdict.OUTPUT_LIMIT},
}


def offered(judge: Judge, language: str) -> None:
    if judge.find(language) is None:
        why = judge.refused_languages()[language]
        assert "apt-get install" in why, why
        missing(language, why)


COMMON = ("cpp", "c")
SANDBOXED = ("loop", "hoard", "flood", "escape")
# Tried elsewhere in an ordinary run: the same ends and both standards of C++ in test_stdin_form.py and, as a program may
# go without the precompiled header, in test_precompiled.py; several classes of Java, of which one is run, below.
ELSEWHERE = {("cpp", does) for does in ("loop", "crash", "hoard", "deep", "twenty", "fast")} | {("java", "helpers")}
# What each compiler repeats of a program that it refuses.
ODD = {
    "c": "int main(void) { ODD return nothing; }",
    "cpp": "int main() { ODD return nothing; }",
    "java": "class Main { ODD int x = nothing; }",
    "go": "package main\nfunc main() { nothing(`ODD`) }\nODD",
    "typescript": "let x: = `ODD`; ODD",
    "csharp": "class Main { ODD int x = nothing; }",
    "ruby": "puts 'ODD'\nODD (",
    "php": "<?php echo 'ODD'; ODD (",
    "rust": 'fn main() { nothing(""); ODD }',
}


def everyday(language: str, does: str) -> bool:
    """Whether an ordinary run tries it: what all languages have of the sandbox in two of them, no compile error of which
    we look at the words besides, and nothing that it tries elsewhere."""
    here = does not in SANDBOXED or language in COMMON
    known = (does == "broken" and language in ODD) or (language, does) in ELSEWHERE
    return language not in SELDOM and here and not known


@pytest.mark.parametrize(
    "language", [pytest.param(language, marks=[pytest.mark.slow] * (language in SELDOM)) for language in LANGUAGES]
)
def test_the_hello_program_is_right_and_a_wrong_one_is_not(judge: Judge, language: str) -> None:
    offered(judge, language)
    hello = known_languages()[language].hello
    assert judge.grade(sums(1), hello, language).verdict is Verdict.ACCEPTED
    result = run(judge, hello, "1 2\n", "4", language=language)
    assert result.verdict is Verdict.WRONG_ANSWER, result
    assert result.grader_revision.startswith(f"{POLICY}.{language}-{judge.languages()[language]}.")


@pytest.mark.parametrize(
    ("language", "does"),
    [
        pytest.param(language, does, marks=[pytest.mark.slow] * (not everyday(language, does)))
        for language in LANGUAGES
        for does in PROGRAMS[language]
    ],
)
def test_programs_end_as_they_should(judge: Judge, language: str, does: str) -> None:
    offered(judge, language)
    limits = replace(ROOMY, time_ms=150) if does == "loop" else ROOMY
    given, wanted = BY_INPUT.get(does, "1\n2\n3\n"), BY_OUTPUT.get(does, "")
    result = run(judge, PROGRAMS[language][does], given, wanted, language=language, limits=limits)
    assert result.verdict in BY_VERDICT.get(does, {Verdict.ACCEPTED}), result


# One program, as compiling it takes most of the time.
JAVA_SHORT = """class Main {
    static void fill(int size) { int[][] kept = new int[1000][]; for (int i = 0; i < 1000; i++) kept[i] = new int[size]; }
    public static void main(String[] a) throws Exception {
        switch (System.in.read()) {
            case 'a': System.out.println(new int[1000000000].length); break;
            case 'l': fill(10000000); break;
            case 'e': new Thread(null, () -> fill(1000000), "", 1 << 28).start();
        }
    }
}
"""
# Short of memory at once, little by little, or elsewhere than in the main thread: all is told as what it is.
SHORT = [
    ("python", "kept = [0] * 10**10"),
    ("pypy", "kept = [0] * 10**9"),
    ("pypy", "kept = bytearray(10**10)"),
    ("cpp", "#include <vector>\nint main() { std::vector<int> kept(1 << 30, 1); return kept[5]; }"),
    ("cpp", "#include <iostream>\nint a[1 << 28];\nint main() { for (auto& x : a) x = 1; std::cout << a[5]; }"),
    *[("java", JAVA_SHORT, given) for given in ("at once", "little by little", "elsewhere")],
    ("javascript", "const kept = []; for (;;) kept.push(new Array(100000).fill(1.5))"),
    ("javascript", "const kept = new Map(); for (let i = 0; i < 1e8; i++) kept.set(i, i)"),
    ("typescript", "const kept: number[][] = []; for (;;) kept.push(new Array<number>(100000).fill(1.5))"),
    ("csharp", "class P { static void Main() { System.Console.WriteLine(new int[1000000000].Length); } }"),
    ("ruby", "puts ('x' * 10**10).size"),
    ("ruby", "kept = {}\n(0..).each { |each| kept[each] = 'x' * 10000 }"),
    ("php", "<?php echo strlen(str_repeat('x', 10**10));"),
    ("php", "<?php $kept = []; for ($i = 0;; $i++) { $kept[] = $i; }"),
]  # fmt: skip
# What looks like it and holds little.
NOT_SHORT = [
    ("python", "import os\nos.abort()"),
    ("pypy", "import os\nos.abort()"),
    ("pypy", "raise ValueError('MemoryError')"),
    ("cpp", "#include <cstdlib>\n#include <iostream>\nint main() { std::cerr << \"std::bad_alloc\"; std::abort(); }"),
    ("java", "class Main { public static void main(String[] a) { System.err.println(\"java.lang.OutOfMemoryError: Java heap space\"); System.exit(3); } }"),
    ("ruby", "raise 'failed to allocate memory (NoMemoryError)'"),
    ("php", "<?php fwrite(STDERR, 'Allowed memory size exhausted'); exit(255);"),
    ("csharp", "class P { static void Main() { throw new System.Exception(\"OutOfMemoryException\"); } }"),
    ("javascript", "console.error('FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory'); process.abort()"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "code", "given"), [(*case, "")[:3] for case in SHORT])
def test_who_runs_out_of_memory_is_told_so(judge: Judge, language: str, code: str, given: str) -> None:
    offered(judge, language)
    limits = replace(ROOMY, memory_mb=64) if language == "ruby" else ROOMY
    result = run(judge, code, given, language=language, limits=limits)
    assert result.verdict is Verdict.MEMORY_LIMIT, result


@pytest.mark.parametrize(("language", "code"), thinned(NOT_SHORT, 4))
def test_words_and_exits_are_no_evidence_of_memory_shortage(judge: Judge, language: str, code: str) -> None:
    offered(judge, language)
    result = run(judge, code, language=language, limits=ROOMY)
    assert result.verdict is Verdict.RUNTIME_ERROR, result


MAIN = "public static void main(String[] a) { System.out.println(61); }"
OTHER = "public static void main(String[] a) { System.out.println(1); }"


@pytest.mark.parametrize(
    "code",
    thinned(
        [
            "class Main {\n public static class Node { int x; }\n %s }",
            "class Helper {\n public static class Pair { int x; }\n}\npublic class Main { %s }",
            "class A {\n public static class Pair { int x; }\n}\nclass B { %s }",
            "/*\n public class Fake {}\n*/\npublic class Main { %s }",
            'public class Main { static String s = """\n public class Zed {\n"""; %s }',
            '@SuppressWarnings("unchecked") public class Sol { %s }',
            "package foo.bar;\npublic class Main { %s }",
            "package foo;\nclass Sol { static class In { } %s }",
            "class Other { OTHER }\npublic class Sol { %s }",
            "class Other { OTHER }\nclass Main { %s }",
            "class First { %s }\nclass Second { OTHER }",
            "public class Helper { int x; }\nclass Sol { %s }",
            "public class Sol extends Base { }\nclass Base { %s }",
            "interface Sol { %s }",
            "public strictfp class Größe<T extends Comparable<T>> { %s }",
            "import java.util.*;\r\npublic final class Main {\r\n %s \r\n}\r\n",
            "\ufeffpublic class Main { %s }",
            "// caf\udce9\npublic class Main { %s }",
            "class Main { static public void main(final String... words) { System.out.println(61); } }",
        ],
        10,
    ),
)
def test_the_java_class_with_a_main_method_is_run(judge: Judge, code: str) -> None:
    offered(judge, "java")
    result = run(judge, code.replace("OTHER", OTHER).replace("%s", MAIN), "", "61", language="java", limits=ROOMY)
    assert result.verdict is Verdict.ACCEPTED, result


@pytest.mark.parametrize(
    ("code", "verdict", "words"),
    thinned([
        ("public class A { MAIN }\npublic class B { }", Verdict.COMPILE_ERROR, "main.java:2: error: class B is public"),
        ("class A { MAIN\n", Verdict.COMPILE_ERROR, "main.java:1: error: reached end of file"),
        ("class A { int x = nothing; }", Verdict.COMPILE_ERROR, "main.java:1: error: cannot find symbol"),
        ("class A { int x = nothing", Verdict.COMPILE_ERROR, "main.java:1: error: "),
        ("class A extends Maker { MAIN }", Verdict.COMPILE_ERROR, "cannot find symbol"),
        ("class A { int x; }", Verdict.RUNTIME_ERROR, "Main method not found in class A"),
        ("// nothing", Verdict.RUNTIME_ERROR, "find or load main class Main"),
    ], 6),
)  # fmt: skip
def test_what_is_wrong_with_java_is_said(judge: Judge, code: str, verdict: Verdict, words: str) -> None:
    offered(judge, "java")
    result = run(judge, code.replace("MAIN", MAIN), language="java", limits=ROOMY)
    assert result.verdict is verdict, result
    assert words in result.message


GO_PACKAGES = (
    "archive/zip bufio compress/gzip container/ring context crypto/md5 crypto/rand crypto/sha256 database/sql embed "
    "encoding/base64 encoding/csv encoding/gob encoding/json expvar flag go/ast hash/adler32 hash/crc32 html "
    "index/suffixarray io/fs io/ioutil log math/bits math/cmplx net/http os/exec os/signal path path/filepath "
    "runtime/pprof sort strconv sync/atomic syscall testing text/scanner text/template time unicode/utf16 unsafe"
)


@pytest.mark.slow
def test_go_has_its_whole_standard_library(judge: Judge) -> None:
    offered(judge, "go")
    imports = "".join(f'import _ "{name}"\n' for name in GO_PACKAGES.split())
    code = f'package main\nimport "fmt"\n{imports}func main() {{ fmt.Println(61) }}\n'
    result = run(judge, code, "", "61", language="go", limits=ROOMY)
    assert result.verdict is Verdict.ACCEPTED, result


def test_a_compiler_that_speaks_on_stdout_is_heard(judge: Judge) -> None:
    offered(judge, "go")
    result = run(judge, "package main\nfunc main() {\n\tx := 1\n}\n", language="go")
    assert result.verdict is Verdict.COMPILE_ERROR
    assert result.message.startswith("main.go:3:")
    assert "declared" in result.message


@pytest.mark.parametrize(("language", "code"), ODD.items(), ids=ODD)
def test_what_compilers_repeat_of_a_program_reaches_no_terminal(judge: Judge, language: str, code: str) -> None:
    offered(judge, language)
    result = run(judge, code.replace("ODD", "\x1b[31mRED\x07\x9b2J\u202e"), language=language)
    assert result.verdict is Verdict.COMPILE_ERROR, result
    assert "main." in result.message
    assert not set("\x1b\x07\x9b\u202e\r") & set(result.message)


def test_the_first_words_of_a_compiler_are_the_ones_shown(judge: Judge) -> None:
    long = "int main() {\n" + "".join(f"    not_declared_{line} = {'x' * 300}_{line};\n" for line in range(50)) + "}\n"
    result = run(judge, long, language="cpp")
    assert result.verdict is Verdict.COMPILE_ERROR
    assert "‘not_declared_0’ was not declared" in result.message
    assert len(result.message) <= 2000


def test_the_size_of_a_compiled_program_is_known(judge: Judge, settings: JudgeSettings, tmp_path: Path) -> None:
    offered(judge, "c")
    program = tmp_path / "program"
    command = [settings.compiler, "-x", "c", "-", "-o", str(program)]
    subprocess.run(command, input=b"static char kept[300 << 20]; int main(void) { return kept[5]; }", check=True)
    assert 300 << 10 < CompiledProgram(program).mapped_kb < 301 << 10
    whole = program.read_bytes()
    for odd in (b"", b"print(1)", whole[:40], whole[:100], whole[:54] + b"\xff" * 40, b"\x7fELF" * 100):
        (tmp_path / "odd").write_bytes(odd)
        assert CompiledProgram(tmp_path / "odd").mapped_kb == 0
    assert CompiledProgram(None).mapped_kb == 0


def test_a_file_name_tells_one_language() -> None:
    known = known_languages().values()
    endings = [ending for language in known for ending in (language.extension, *language.endings)]
    assert len(set(endings)) == len(endings)
    for name in ("a.cpp", "a.cc", "a.cxx", "a.mjs", "folder.py/a.b.pypy"):
        found = language_of(name)
        assert found is not None
        assert name.rpartition(".")[2] in (found.extension, *found.endings)
    assert [found and found.name for found in map(language_of, ("a.cc", "a.cxx", "a.mjs"))] == [
        "cpp",
        "cpp",
        "javascript",
    ]
    assert [language_of(name) for name in ("py", "a", "a.", "a.cobol", "")] == [None] * 5


def test_a_name_means_one_language() -> None:
    known = known_languages().values()
    names = [name for language in known for name in (language.name, *language.aliases)]
    assert len(set(names)) == len(names)
    assert all(name == name.lower().strip() for name in names)
    for said, meant in (
        ("python", "python"), ("python3", "python"), ("pypy3", "pypy"), ("c++", "cpp"), ("C++17", "cpp"),
        ("cpp17", "cpp"), ("cpp20", "cpp"), (" Go ", "go"), ("golang", "go"), ("node", "javascript"), ("c", "c"),
        ("ts", "typescript"), ("C#", "csharp"), ("kt", "kotlin"), ("rb", "ruby"),
    ):  # fmt: skip
        found = language_named(said)
        assert found is not None, said
        assert found.name == meant
    assert [language_named(said) for said in ("cobol", "", "c++98", "python2")] == [None] * 4


def test_programs_are_asked_for_only_in_languages_that_are_judged() -> None:
    assert set(SCENARIO.languages) == set(known_languages()) - {"pypy"}  # whose programs are asked for as Python


def test_an_absent_toolchain_is_no_error(judge: Judge) -> None:
    assert judge.find("cobol") is None
    assert judge.refused_languages()["cobol"] == "no such language"
    assert run(judge, "x", language="cobol").verdict is Verdict.JUDGE_ERROR


def test_executed_python_is_judged_as_the_zygotes(judge: Judge, settings: JudgeSettings) -> None:
    plain = Passed(replace(settings, zygote=False), judge)
    for does in ("loop", "crash", "deep", "flood"):
        limits = replace(ROOMY, time_ms=150) if does == "loop" else ROOMY
        one, other = (
            run(each, PROGRAMS["python"][does], "", BY_OUTPUT.get(does, ""), limits=limits) for each in (judge, plain)
        )
        assert one.verdict is other.verdict, (does, one, other)


def test_the_documents_say_how_to_get_each_language() -> None:
    text = (ROOT / "docs" / "grading.md").read_text(encoding="utf-8")
    for language in known_languages().values():
        assert not language.tools or f"| `{language.package}` |" in text, language.name


def test_somebodys_own_copy_is_named_with_the_line_that_helps(
    settings: JudgeSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = tmp_path / "no-such-compiler"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    language = replace(known_languages()["rust"], tools=(tool.name,))
    tools = Tools(tmp_path, "", launcher=True, packages=())
    with pytest.raises(SandboxUnavailable, match=r"no-such-compiler is not installed: apt-get install rustc"):
        find_toolchain(language, settings, tools)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxUnavailable, match=rf"see only /usr, and .* is {tool}: apt-get install rustc"):
        find_toolchain(language, settings, tools)
