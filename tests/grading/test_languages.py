# ruff: noqa: E501  # tables of whole programs
"""Every language, by the same rules: what is there is offered and judged right, what is not there is no error."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from grading.judging import run, sums

from app.domain.problems import Limits
from app.domain.verdicts import Verdict
from workers.grading.judge import Judge, JudgeSettings
from workers.grading.toolchains import known_languages

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
BY_OUTPUT = {"deep": "100000", "twenty": "61", "fast": "61", "garbage": "3000", "helpers": "61", "lines": "3", "packages": "61"}  # fmt: skip
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
        assert "is not installed" in why, why
        pytest.skip(f"{language}: {why}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_hello_program_is_right_and_a_wrong_one_is_not(judge: Judge, language: str) -> None:
    offered(judge, language)
    hello = known_languages()[language].hello
    assert judge.grade(sums(), hello, language).verdict is Verdict.ACCEPTED
    result = run(judge, hello, "1 2\n", "4", language=language)
    assert result.verdict is Verdict.WRONG_ANSWER, result
    assert result.grader_revision.startswith(f"1.{language}-{judge.languages()[language]}.")


@pytest.mark.parametrize(
    ("language", "does"), [(language, does) for language in LANGUAGES for does in PROGRAMS[language]]
)
def test_programs_end_as_they_should(judge: Judge, language: str, does: str) -> None:
    offered(judge, language)
    limits = replace(ROOMY, time_ms=1000) if does == "loop" else ROOMY
    result = run(
        judge, PROGRAMS[language][does], "1\n2\n3\n", BY_OUTPUT.get(does, ""), language=language, limits=limits
    )
    assert result.verdict in BY_VERDICT.get(does, {Verdict.ACCEPTED}), result


def test_a_file_name_tells_one_language() -> None:
    extensions = [language.extension for language in known_languages().values()]
    assert len(set(extensions)) == len(extensions)


def test_an_absent_toolchain_is_no_error(judge: Judge) -> None:
    assert judge.find("cobol") is None
    assert judge.refused()["cobol"] == "no such language"
    assert run(judge, "x", language="cobol").verdict is Verdict.JUDGE_ERROR


def test_executed_python_is_judged_as_the_zygotes(judge: Judge, settings: JudgeSettings) -> None:
    plain = Judge(replace(settings, zygote=False))
    plain.self_test()
    for does in ("loop", "crash", "deep", "flood"):
        limits = replace(ROOMY, time_ms=1000) if does == "loop" else ROOMY
        one, other = (
            run(each, PROGRAMS["python"][does], "", BY_OUTPUT.get(does, ""), limits=limits) for each in (judge, plain)
        )
        assert one.verdict is other.verdict, (does, one, other)
