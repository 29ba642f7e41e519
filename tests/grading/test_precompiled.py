"""Headers that come precompiled: for C++20 too, and for checkers, unless its names are in their way."""

import pytest
from grading.judging import QUICK

from app.domain.judging.verdicts import Verdict
from app.domain.problems import Checker, CheckerKind, Form, ProblemSpec, Test
from workers.grading.judge import Judge

pytestmark = pytest.mark.sandbox
TWENTY = """#include <bits/stdc++.h>
#ifndef __OPTIMIZE__
#error
#endif
int main() {
    std::vector<int> v{3, 1, 2};
    std::ranges::sort(v);
    for (int x : v | std::views::take(2)) std::cout << x;
}
"""


def test_the_header_is_there_for_both_standards(judge: Judge) -> None:
    toolchain = judge.find("cpp")
    assert toolchain is not None
    assert toolchain.products is not None
    made = sorted(path.relative_to(toolchain.products).as_posix() for path in toolchain.products.rglob("*.gch/*"))
    assert made == ["most/bits/stdc++.h.gch/17", "whole/bits/stdc++.h.gch/17", "whole/bits/stdc++.h.gch/20"]
    seventeen, twenty = toolchain.compile
    assert "-I/judge/build/whole" in twenty
    assert "-std=gnu++17" in seventeen


@pytest.mark.parametrize("code", [TWENTY, TWENTY.replace("bits/stdc++.h", "bits/stdc++.h>\n#include <future")])
def test_a_program_of_the_newer_standard_is_judged(judge: Judge, code: str) -> None:
    problem = ProblemSpec("two", Form.STDIN, (Test("", "12"),), QUICK)
    assert judge.grade(problem, code, "cpp").verdict is Verdict.ACCEPTED


@pytest.mark.parametrize("more", ["", "#include <regex>\n", "template <class T> concept Any = true;\n"])
def test_a_program_may_include_the_library_twice(judge: Judge, more: str) -> None:
    code = f"#include <bits/stdc++.h>\n{more}#include <bits/stdc++.h>\nint main() {{ std::cout << 12; }}\n"
    result = judge.grade(ProblemSpec("two", Form.STDIN, (Test("", "12"),), QUICK), code, "cpp")
    assert result.verdict is Verdict.ACCEPTED, result


PLAIN = """#include "testlib.h"
int main(int argc, char **argv) {
    registerTestlibCmd(argc, argv);
    quitf(ouf.readInt() == ans.readInt() ? _ok : _wa, "%d", 1);
}
"""
# Names that the whole library has and this checker makes its own; without it they are free.
OWN_NAMES = """#include <fstream>
using namespace std;
int async = 0, launch = 1;
int main(int argc, char **argv) {
    int given, right;
    ifstream(argv[2]) >> given;
    ifstream(argv[3]) >> right;
    return given == right ? async : launch;
}
"""


LIBRARY = "#include <bits/stdc++.h>\n"
CHECKERS = {
    "plain": PLAIN, "names of its own": OWN_NAMES, "the library before": LIBRARY + PLAIN,
    "the library after": PLAIN.replace("int main", LIBRARY + "int main"),
}  # fmt: skip


@pytest.mark.parametrize("source", CHECKERS.values(), ids=CHECKERS.keys())
def test_a_checker_compiles_with_the_whole_library_or_without(judge: Judge, source: str) -> None:
    checker = Checker(CheckerKind.TESTLIB, program=source)
    for output, verdict in (("3", Verdict.ACCEPTED), ("4", Verdict.WRONG_ANSWER)):
        problem = ProblemSpec("three", Form.STDIN, (Test("", "3"),), QUICK, checker)
        result = judge.grade(problem, f"print({output})", "python")
        assert result.verdict is verdict, result
