# ruff: noqa: E501  # tables of whole programs
"""Every language, by the same rules: what is there is offered and judged right, what is not there is no error."""

import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from grading.judging import run, sums
from support.missing import missing
from support.rules import ROOT
from support.thinned import thinned

from app.domain.errors import SandboxUnavailable
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Limits
from workers.grading.compile_cache import Compiled
from workers.grading.judge import POLICY, Judge, JudgeSettings
from workers.grading.sandbox.root import Tools
from workers.grading.toolchains import find_toolchain, known_languages, language_named, language_of

pytestmark = pytest.mark.sandbox

LANGUAGES = sorted(known_languages())
ROOMY = Limits(time_ms=4000, memory_mb=128, output_kb=1024)

# Language -> what the program does -> the program.
PROGRAMS: Mapping[str, Mapping[str, str]] = {
    "python": {
        "loop": "while True: pass",
        "crash": "raise SystemExit(3)",
        "broken": "def (:",
        "hoard": "kept = []\nwhile True: kept.append(bytearray(1 << 20))",
        "deep": "import sys\nsys.setrecursionlimit(10**6)\ndef depth(n): return n and 1 + depth(n - 1)\nprint(depth(100000))",
        "flood": "while True: print('x' * 1000)",
    },
    "pypy": {
        "loop": "while True: pass",
        "crash": "raise SystemExit(3)",
        "hoard": "kept = []\nwhile True: kept.append(bytearray(b'x' * (1 << 20)))",
        "deep": "import sys\nsys.setrecursionlimit(10**6)\ndef depth(n): return n and 1 + depth(n - 1)\nprint(depth(100000))",
        "flood": "while True: print('x' * 1000)",
        "exits": "print(61)\nexit()\nprint(1)",
        "quits": "if callable(help): print(61)\nquit(0)",
        "names": "import sys, __main__\nown = 6\nprint(__main__.own, __name__ == '__main__', sys.argv == [__file__], 'start' in dir(), sep='')",
    },
    "cpp": {
        "loop": "int main() { for (volatile int i = 0;;) i = i + 1; }",
        "crash": "#include <cstdlib>\nint main() { std::abort(); }",
        "broken": "int main() { return nothing; }",
        "hoard": "#include <vector>\nint main() { std::vector<char*> kept; for (;;) { kept.push_back(new char[1 << 20]); for (int i = 0; i < 1 << 20; i += 512) kept.back()[i] = 1; } }",
        "deep": '#include <cstdio>\nint depth(volatile int n) { char room[300]; room[n % 300] = 1; return n ? room[n % 300] + depth(n - 1) : 0; }\nint main() { printf("%d\\n", depth(100000)); }',
        "flood": '#include <cstdio>\nint main() { for (;;) puts("xxxxxxxxxxxxxxxxxxxxxxxxxxxxx"); }',
        "twenty": '#include <bits/stdc++.h>\n#include <span>\n#include <ranges>\nint main() { std::vector v{3, 1, 2}; std::ranges::sort(v); __int128 sum = 0; for (int x : std::span(v)) sum += x; std::cout << (long long)sum << v[0]; }',
        "fast": '#pragma GCC optimize("O3")\n#include <bits/stdc++.h>\nint main() { std::ios::sync_with_stdio(false); std::cin.tie(nullptr); std::cout << 61 << \'\\n\'; }',
    },
    "c": {
        "loop": "int main(void) { for (volatile int i = 0;;) i = i + 1; }",
        "crash": "int main(void) { return 3; }",
        "broken": "int main(void) { return nothing; }",
        "hoard": "#include <stdlib.h>\n#include <string.h>\nint main(void) { for (;;) memset(malloc(1 << 20), 1, 1 << 20); }",
        "deep": '#include <stdio.h>\nint depth(volatile int n) { return n ? 1 + depth(n - 1) : 0; }\nint main(void) { printf("%d\\n", depth(100000)); }',
        "flood": '#include <stdio.h>\nint main(void) { for (;;) puts("xxxxxxxxxxxxxxxxxxxxxxxxxxxxx"); }',
    },
    "java": {
        "loop": "public class Any { public static void main(String[] a) { long i = 0; while (true) i++; } }",
        "crash": 'class Main { public static void main(String[] a) { throw new RuntimeException("no"); } }',
        "broken": "class Main { int x = nothing; }",
        "hoard": "import java.util.*;\nclass Main { public static void main(String[] a) { List<byte[]> kept = new ArrayList<>(); while (true) kept.add(new byte[1 << 20]); } }",
        "deep": "class Main { static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }\n public static void main(String[] a) { System.out.println(depth(100000)); } }",
        "flood": 'class Main { public static void main(String[] a) { while (true) System.out.println("xxxxxxxxxxxxxxxxxxxxxxxxxxxxx"); } }',
        "garbage": "class Main { public static void main(String[] a) { long sum = 0; for (int i = 0; i < 3000; i++) sum += new byte[1 << 20].length >> 20; System.out.println(sum); } }",
        "helpers": 'import java.util.*;\nclass Pair { int x; Pair(int x) { this.x = x; } }\npublic class Solution { record Two(int a, int b) {}\n public static void main(String[] a) { Two two = new Two(new Pair(6).x, 1); System.out.println("" + two.a + two.b); } }',
    },
    "javascript": {
        "loop": "for (;;) {}",
        "crash": "process.exit(3)",
        "hoard": "const kept = []; for (;;) kept.push(new Array(1 << 17).fill(kept.length))",
        "deep": "const depth = n => n ? 1 + depth(n - 1) : 0; console.log(depth(100000))",
        "flood": "const fs = require('fs'); for (;;) fs.writeSync(1, 'x'.repeat(1000))",
        "lines": "const lines = []; require('readline').createInterface({input: process.stdin}).on('line', each => lines.push(each)).on('close', () => console.log(lines.length))",
    },
    "go": {
        "loop": "package main\nfunc main() { for i := 0; ; i++ { } }",
        "crash": 'package main\nfunc main() { panic("no") }',
        "broken": "package main\nfunc main() { nothing() }",
        "hoard": "package main\nfunc main() { var kept [][]byte; for { kept = append(kept, make([]byte, 1<<20)); for i := range kept[len(kept)-1] { kept[len(kept)-1][i] = 1 } } }",
        "deep": 'package main\nimport "fmt"\nfunc depth(n int) int { if n == 0 { return 0 }; return 1 + depth(n-1) }\nfunc main() { fmt.Println(depth(100000)) }',
        "flood": 'package main\nimport "fmt"\nfunc main() { for { fmt.Println("xxxxxxxxxxxxxxxxxxxxxxxxxxxxx") } }',
        "packages": 'package main\nimport ("bufio"; "fmt"; "math/big"; "os"; "sort"; "strings")\nfunc main() { in := bufio.NewReader(os.Stdin); _, _ = in.ReadString(10); v := []int{2, 1}; sort.Ints(v); fmt.Println(strings.Repeat("6", v[0]) + big.NewInt(1).String()) }',
    },
    "rust": {
        "loop": "fn main() { let mut i: u64 = 0; loop { unsafe { std::ptr::write_volatile(&mut i, i + 1) } } }",
        "crash": 'fn main() { panic!("no") }',
        "broken": "fn main() { nothing() }",
        "hoard": "fn main() { let mut kept = Vec::new(); loop { kept.push(vec![1u8; 1 << 20]); } }",
        "deep": '#[inline(never)]\nfn depth(n: &u64) -> u64 { if *n == 0 { 0 } else { let less = *n - 1; depth(&less) + *n - less } }\nfn main() { println!("{}", depth(&100000)); }',
        "flood": 'fn main() { loop { println!("xxxxxxxxxxxxxxxxxxxxxxxxxxxxx"); } }',
    },
}  # fmt: skip
BY_OUTPUT = {"deep": "100000", "twenty": "61", "fast": "61", "garbage": "3000", "helpers": "61", "lines": "3", "packages": "61", "exits": "61", "quits": "61", "names": "6TrueTrueFalse"}  # fmt: skip
BY_VERDICT = {
    "loop": {Verdict.TIME_LIMIT},
    "crash": {Verdict.RUNTIME_ERROR},
    "broken": {Verdict.COMPILE_ERROR},
    "hoard": {Verdict.MEMORY_LIMIT, Verdict.RUNTIME_ERROR},
    "flood": {Verdict.OUTPUT_LIMIT},
}


def offered(judge: Judge, language: str) -> None:
    if judge.find(language) is None:
        why = judge.refused()[language]
        assert "apt-get install" in why, why
        missing(language, why)


COMMON = ("cpp", "c")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_hello_program_is_right_and_a_wrong_one_is_not(judge: Judge, language: str) -> None:
    offered(judge, language)
    hello = known_languages()[language].hello
    assert judge.grade(sums(), hello, language).verdict is Verdict.ACCEPTED
    result = run(judge, hello, "1 2\n", "4", language=language)
    assert result.verdict is Verdict.WRONG_ANSWER, result
    assert result.grader_revision.startswith(f"{POLICY}.{language}-{judge.languages()[language]}.")


@pytest.mark.parametrize(
    ("language", "does"),
    [
        # What every language has of the sandbox, time and memory, is tried in an ordinary run on two of them.
        pytest.param(language, does, marks=[pytest.mark.slow] * (does in ("loop", "hoard") and language not in COMMON))
        for language in LANGUAGES
        for does in PROGRAMS[language]
    ],
)
def test_programs_end_as_they_should(judge: Judge, language: str, does: str) -> None:
    offered(judge, language)
    limits = replace(ROOMY, time_ms=300) if does == "loop" else ROOMY
    result = run(
        judge, PROGRAMS[language][does], "1\n2\n3\n", BY_OUTPUT.get(does, ""), language=language, limits=limits
    )
    assert result.verdict in BY_VERDICT.get(does, {Verdict.ACCEPTED}), result


# Short of memory at once, little by little, or elsewhere than in the main thread: all is told as what it is.
SHORT = [
    ("python", "kept = [0] * 10**10"),
    ("pypy", "kept = [0] * 10**9"),
    ("pypy", "kept = bytearray(10**10)"),
    ("cpp", "#include <vector>\nint main() { std::vector<int> kept(1 << 30, 1); return kept[5]; }"),
    ("cpp", "#include <iostream>\nint a[1 << 28];\nint main() { for (auto& x : a) x = 1; std::cout << a[5]; }"),
    ("java", "class Main { public static void main(String[] a) { System.out.println(new int[1000000000].length); } }"),
    ("java", "class Main { public static void main(String[] a) { int[][] kept = new int[1000][]; for (int i = 0; i < 1000; i++) kept[i] = new int[10000000]; } }"),
    ("java", "class Main { public static void main(String[] a) { new Thread(null, () -> { int[][] kept = new int[1000][]; for (int i = 0; i < 1000; i++) kept[i] = new int[1000000]; }, \"\", 1 << 28).start(); } }"),
    ("javascript", "const kept = []; for (;;) kept.push(new Array(100000).fill(1.5))"),
    ("javascript", "const kept = new Map(); for (let i = 0; i < 1e8; i++) kept.set(i, i)"),
]  # fmt: skip
# What looks like it and holds little.
NOT_SHORT = [
    ("python", "import os\nos.abort()"),
    ("pypy", "import os\nos.abort()"),
    ("pypy", "raise ValueError('MemoryError')"),
    ("cpp", "#include <cstdlib>\n#include <iostream>\nint main() { std::cerr << \"std::bad_alloc\"; std::abort(); }"),
    ("java", "class Main { public static void main(String[] a) { System.err.println(\"java.lang.OutOfMemoryError: Java heap space\"); System.exit(3); } }"),
    ("javascript", "console.error('FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory'); process.abort()"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "code"), SHORT)
def test_who_runs_out_of_memory_is_told_so(judge: Judge, language: str, code: str) -> None:
    offered(judge, language)
    result = run(judge, code, language=language, limits=ROOMY)
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
        5,
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
    ], 2),
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


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("c", "int main(void) { ODD return nothing; }"),
        ("cpp", "int main() { ODD return nothing; }"),
        ("java", "class Main { ODD int x = nothing; }"),
        ("go", "package main\nfunc main() { nothing(`ODD`) }\nODD"),
        ("rust", "fn main() { nothing(\"\"); ODD }"),
    ],
)  # fmt: skip
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
    assert 300 << 10 < Compiled(program).mapped_kb < 301 << 10
    whole = program.read_bytes()
    for odd in (b"", b"print(1)", whole[:40], whole[:100], whole[:54] + b"\xff" * 40, b"\x7fELF" * 100):
        (tmp_path / "odd").write_bytes(odd)
        assert Compiled(tmp_path / "odd").mapped_kb == 0
    assert Compiled(None).mapped_kb == 0


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
    ):  # fmt: skip
        found = language_named(said)
        assert found is not None, said
        assert found.name == meant
    assert [language_named(said) for said in ("cobol", "", "c++98", "python2")] == [None] * 4


def test_an_absent_toolchain_is_no_error(judge: Judge) -> None:
    assert judge.find("cobol") is None
    assert judge.refused()["cobol"] == "no such language"
    assert run(judge, "x", language="cobol").verdict is Verdict.JUDGE_ERROR


def test_executed_python_is_judged_as_the_zygotes(judge: Judge, settings: JudgeSettings) -> None:
    plain = Judge(replace(settings, zygote=False))
    plain.self_test()
    for does in ("loop", "crash", "deep", "flood"):
        limits = replace(ROOMY, time_ms=300) if does == "loop" else ROOMY
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
