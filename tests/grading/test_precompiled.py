"""Headers that come precompiled: for C++20 too, and for checkers, unless its names are in their way."""

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from grading.judging import QUICK, run
from support.snippets import Snippet, plugged
from support.thinned import thinned

from app.domain.judging.verdicts import Verdict
from app.domain.problems import Checker, CheckerKind, Form, ProblemSpec, Test
from workers.grading.judge import Judge, JudgeSettings
from workers.grading.sandbox.built_folder import BuiltFolder

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


WHOLE = TWENTY.replace("bits/stdc++.h", "bits/stdc++.h>\n#include <future")  # C++17 has it with more of the library


@pytest.mark.parametrize("code", thinned([TWENTY, WHOLE], 2))
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


# A plain one compiles as those of test_checkers_programs.py do.
@pytest.mark.parametrize(
    "source",
    [pytest.param(each, id=name, marks=[pytest.mark.slow] * (each == PLAIN)) for name, each in CHECKERS.items()],
)
def test_a_checker_compiles_with_the_whole_library_or_without(judge: Judge, source: str) -> None:
    checker = Checker(CheckerKind.TESTLIB, program=source)
    for output, verdict in (("3", Verdict.ACCEPTED), ("4", Verdict.WRONG_ANSWER)):
        problem = ProblemSpec("three", Form.STDIN, (Test("", "3"),), QUICK, checker)
        result = judge.grade(problem, f"print({output})", "python")
        assert result.verdict is verdict, result


WITH_HEADER = """# workers/grading/languages/headed.py
from workers.grading.languages._language import BuildProduct, Language

LANGUAGE = Language(
    name="headed", extension="hd", tools=("sh",), version_command=("{sh}", "-c", "echo 1"), run=("{sh}", "/judge/main"),
    hello="read a b; say $((a + b))",
    compile=("grep -q say /judge/build/header && cat /judge/build/header main.hd >main",),
    products=(BuildProduct("header", ("/bin/cp", "{source}", "{out}"), "say() { echo $1; }\\n"),),
)
"""


def emptied(made: BuiltFolder) -> None:
    (made.path / "header").write_bytes(b"")


def gone(made: BuiltFolder) -> None:
    (made.path / "header").unlink()


def changed(made: BuiltFolder) -> None:
    """So that what is made with it is wrong."""
    path = made.path / "header"
    path.write_bytes(path.read_bytes().replace(b"$1", b"$2"))


def changed_in_silence(made: BuiltFolder) -> None:
    """As a disk does, which tells nobody."""
    path, note = made.path / "header", made.path.with_name(f"{made.path.name}.sums")
    sums = json.loads(note.read_text())["sums"]
    path.write_bytes(path.read_bytes().replace(b"say", b"sag"))
    made.record_state()
    note.write_text(json.dumps({**json.loads(note.read_text()), "sums": sums}))


def test_damaged_headers_are_made_anew(settings: JudgeSettings, tmp_path: Path, open_folder: Path) -> None:
    """No right program fails for what became of a header on the disk."""
    with plugged(Snippet("python", "workers/grading/languages/headed.py", WITH_HEADER), tmp_path):
        judge = Judge(replace(settings, sandbox_root=open_folder / "headed", slowness=1.0))
        judge.self_test()
        toolchain = judge.find("headed")
        assert toolchain is not None, judge.refused_languages()
        assert toolchain.folder is not None
        path = toolchain.folder.path / "header"
        whole = path.read_bytes()
        for damage in (emptied, gone, changed, changed_in_silence):
            damage(toolchain.folder)
            result = run(judge, f"say 12 # {os.urandom(8).hex()}", "", "12", language="headed")
            assert result.verdict is Verdict.ACCEPTED, (damage, result)
            assert path.read_bytes() == whole, damage


@pytest.mark.slow
@pytest.mark.parametrize("standard", [17, 20])
def test_damaged_headers_of_cpp_are_made_anew(
    judge: Judge, settings: JudgeSettings, open_folder: Path, standard: int
) -> None:
    """To make them takes ten seconds of a core."""
    root, whole = open_folder / f"headers-{standard}", judge.find("cpp")
    assert whole is not None
    assert whole.products is not None
    shutil.copytree(whole.products, root / whole.products.name)  # what the room has made already
    shutil.copyfile(f"{whole.products}.sums", root / f"{whole.products.name}.sums")
    own = Judge(replace(settings, sandbox_root=root))
    own.self_test()
    assert own.find("cpp") is not None, own.refused_languages()
    for path in root.glob(f"products-cpp-*/*/bits/stdc++.h.gch/{standard}"):
        path.write_bytes(path.read_bytes()[: 1 << 20])
    problem = ProblemSpec("two", Form.STDIN, (Test("", "12"),), QUICK)
    result = own.grade(problem, TWENTY if standard == 20 else f"{LIBRARY}int main() {{ std::cout << 12; }}", "cpp")
    assert result.verdict is Verdict.ACCEPTED, result
    assert min(path.stat().st_size for path in root.glob("products-cpp-*/*/bits/stdc++.h.gch/*")) > 1 << 24
