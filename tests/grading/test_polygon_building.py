"""Packages of Polygon as they are downloaded: their programs make the tests in the sandbox, or it is said why not."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from grading.judging import Passed
from support.packages import GUESS, GUESS_INTERACTOR, as_folder, problem_of, zipped
from support.packages import read as read_package
from support.polygon_downloads import MAIN, TESTS, download

from app.domain.errors import BuildFailed
from app.domain.imports import ImportedProblem
from app.domain.judging.verdicts import Verdict
from app.domain.problems import CheckerKind, Form
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.judge import JudgeSettings
from workers.grading.settings import HelperLimits
from workers.grading.testing.package_tests import build_tests

pytestmark = pytest.mark.sandbox

Changes = Mapping[str, str | bytes | None]


@pytest.fixture(scope="module")
def answering_judge(settings: JudgeSettings, judge: AnsweringJudge) -> AnsweringJudge:
    """A judge that gives the programs of a package a tenth of a second."""
    return Passed(replace(settings, helpers=HelperLimits(replace(HelperLimits().bounds, cpu_ms=100))), judge)


def read(folder: Path, changes: Changes | None = None, **words: str) -> ImportedProblem:
    return problem_of(folder, "many-tides", download(changes, **words))


def failure(answering_judge: AnsweringJudge, folder: Path, changes: Changes | None = None, **words: str) -> str:
    with pytest.raises(BuildFailed) as failed:
        build_tests(answering_judge, read(folder, changes, **words), "p.zip")
    [row] = failed.value.bad_rows
    assert str(row) in str(failed.value)
    return f"{row.file}: {row.reason}"


def test_a_download_becomes_a_problem_with_tests(answering_judge: AnsweringJudge, tmp_path: Path) -> None:
    raw = read(tmp_path)
    assert (raw.tests, raw.checker.kind, raw.limits.time_ms) == ((), CheckerKind.TESTLIB, 2000)
    problem = build_tests(answering_judge, raw, "p.zip")
    assert problem.recipe is None
    inputs = [test.input for test in problem.tests]
    assert (inputs[0], inputs[3]) == ("2\n3 4\n", "1\n5\n")
    assert inputs[1] == inputs[5] != inputs[2], "one command makes one test, and another argument another"
    assert inputs[4] == "100\n" + " ".join(map(str, range(1, 101))) + "\n"
    assert all(0 < int(value) <= 1000 for value in inputs[1].split()[1:])
    assert [test.expected for test in problem.tests] == [
        f"{sum(map(int, text.splitlines()[1].split()))}\n" for text in inputs
    ]
    assert [test.visible for test in problem.tests] == [True] + [False] * 5
    assert build_tests(answering_judge, raw, "p.zip") == problem, "the same again"
    for program in problem.programs:
        right = answering_judge.grade(problem.spec, program.code, program.language).verdict is Verdict.ACCEPTED
        assert right == program.reference


def test_what_the_package_holds_is_not_made_again(answering_judge: AnsweringJudge, tmp_path: Path) -> None:
    """Inputs and answers that are there are taken, and checked by the validator."""
    held = {"tests/02": "1\n7\n", "tests/01.a": "007\n"}
    problem = build_tests(answering_judge, read(tmp_path, held), "p.zip")
    assert [(test.input, test.expected) for test in problem.tests[:2]] == [("2\n3 4\n", "007\n"), ("1\n7\n", "7\n")]


def test_its_own_testlib_is_used(answering_judge: AnsweringJudge, tmp_path: Path) -> None:
    generator = """\
#include "testlib.h"
#include "shape.h"
int main(int argc, char *argv[]) {
    registerGen(argc, argv, 1);
    int count = opt<int>(1), most = opt<int>("most", 9);
    print_all(count, [&] { return rnd.next(1, most); });
}
"""
    own = (
        "#include <bits/stdc++.h>\ninline void registerGen(int, char **, int) {}\n"
        "template <class T> T opt(int) { return 3; }\n"
        "template <class T> T opt(const char *, T value) { return value; }\n"
        "struct { int next(int, int most) { return most; } } rnd;\n"
        "struct { int readInt(int, int, const char *) { return 0; } void readEoln() {} void readSpace() {}"
        " void readEof() {} } inf;\ninline void registerValidation(int, char **) {}\n"
        "inline void addFeature(const char *) {}\ninline void feature(const char *) {}\n"
    )
    problem = build_tests(
        answering_judge, read(tmp_path, {"files/testlib.h": own, "files/gen.cpp": generator}), "p.zip"
    )
    assert problem.tests[1].input == "3\n9 9 9\n"


def test_generators_print_lists_and_parts_of_them(answering_judge: AnsweringJudge, tmp_path: Path) -> None:
    """As testlib's users write them; without the package's own header ours has the calls."""
    tests = '<test cmd="gen 4 -lists=1" method="generated"/>'
    words = {"{tests}": tests, "<test-count>6<": "<test-count>1<", "{more}": ""}
    changes = {"files/val.cpp": "int main() {}", "tests/01": None, "tests/04": None}
    made = build_tests(answering_judge, problem_of(tmp_path, "many-tides", download(changes, **words)), "p.zip")
    assert made.tests[0].input == "words 2\na b\n7 8\n4\n2 3 4\n1 2 3 4\n"


def test_an_interactive_package_needs_no_answers(answering_judge: AnsweringJudge, tmp_path: Path) -> None:
    interactor = '<interactor><source path="files/interactor.cpp" type="cpp.g++17"/></interactor>'
    changes = {
        "tests/01": None, "tests/04": None,
        "files/interactor.cpp": GUESS_INTERACTOR, "files/line.py": "import sys\nprint(sys.argv[1])\n",
        "solutions/main.cpp": "int main() {}", "solutions/other.py": GUESS, "solutions/wrong.py": "print(1)\n",
        "files/val.cpp": "#include <iostream>\nint main() { int n; std::cin >> n; return n < 1 || n > 1000; }\n",
    }  # fmt: skip
    tests = '<test cmd="line 7" method="generated" sample="true"/><test cmd="line 900" method="generated"/>'
    raw = read(tmp_path, changes, **{"{tests}": tests, "{more}": interactor, "<test-count>6<": "<test-count>2<"})
    problem = build_tests(answering_judge, raw, "p.zip")
    assert problem.form is Form.INTERACTIVE
    assert [(test.input, test.expected, test.visible) for test in problem.tests] == [
        ("7\n", "", False), ("900\n", "", False),
    ]  # fmt: skip
    assert answering_judge.grade(problem.spec, GUESS, "python").verdict is Verdict.ACCEPTED


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"files/line.py": "raise SystemExit(3)"},
         "p.zip/tests/05: the generator files/line.py failed on this test (100): exit code 3"),
        ({"files/line.py": "while True: pass"}, "it took too long"),
        ({"files/line.py": "while True: print('0123456789' * 999)"}, "it printed too much"),
        ({"files/gen.cpp": "int main() {}"}, "it printed nothing; generators that write files are not run here"),
        ({"files/line.py": "open('1', 'w').write('1\\n1\\n')"}, "on this test (100): it printed nothing; gen"),
        ({"files/line.py": "open('/tests/1', 'w')"}, "FileNotFoundError: [Errno 2] No such file or directory"),
        ({"solutions/main.cpp": MAIN.replace("int n", 'freopen("output.txt", "w", stdout);\n    int n')},
         "p.zip/solutions/main.cpp: the solution solutions/main.cpp prints nothing to any test; programs that write"),
        ({"files/line.py": "import sys\nsys.stdout.buffer.write(b'\\xff')"}, "it printed no UTF-8 text"),
        ({"files/gen.cpp": "int main() { return x; }"},
         "p.zip/files/gen.cpp: the generator files/gen.cpp: it does not compile: "),
        ({"files/line.py": "print('1\\n0')"},
         "p.zip/tests/05: the validator files/val.cpp refuses this test: FAIL the input: value is 0, which is not"),
        ({"files/val.cpp": "int main() { return x; }"}, "the validator files/val.cpp: it does not compile: "),
        ({"files/val.cpp": "int main() { for (;;); }"}, "the validator files/val.cpp failed on this test: it took too"),
        ({"solutions/main.cpp": "#include <cstdlib>\nint main() { std::abort(); }"},
         "p.zip/tests/01: the solution solutions/main.cpp gives no answer to this test: runtime error: SIGABRT"),
        ({"solutions/main.cpp": "int main() { return x; }"}, "the solution solutions/main.cpp does not compile"),
    ],
    ids=["fails", "loops", "floods", "is silent", "writes a file", "writes elsewhere", "answers elsewhere",
         "is no text", "is broken", "is refused", "bad validator",
         "slow validator", "no answer", "broken solution"],
)  # fmt: skip
def test_a_program_that_fails_is_named(
    answering_judge: AnsweringJudge, tmp_path: Path, changes: Changes, said: str
) -> None:
    words = failure(answering_judge, tmp_path, changes)
    assert said in words
    assert "\n" not in words


def test_a_build_ends_in_its_time(answering_judge: AnsweringJudge, tmp_path: Path) -> None:
    with pytest.raises(BuildFailed, match="making the tests takes longer"):
        build_tests(answering_judge, read(tmp_path), "p.zip", most_s=0.0)


def test_programs_of_a_package_see_nothing_of_the_machine(answering_judge: AnsweringJudge, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("7")
    source = f"import sys\nprint(1)\ntry:\n    print(open({str(secret)!r}).read())\nexcept OSError:\n    print(5)\n"
    problem = build_tests(answering_judge, read(tmp_path, {"files/line.py": source}), "p.zip")
    assert problem.tests[4].input == "1\n5\n"


def test_an_archive_is_the_same_as_its_folder(answering_judge: AnsweringJudge, tmp_path: Path) -> None:
    folder, archive = as_folder(tmp_path, "many-tides", download()), tmp_path / "many-tides-12.zip"
    archive.write_bytes(zipped(download()))
    one, other = (read_package(path).problems[0] for path in (folder, archive))
    assert build_tests(answering_judge, one, "a") == build_tests(
        answering_judge, replace(other, external_id=one.external_id), "b"
    )


def test_tests_keep_their_order_and_groups(tmp_path: Path) -> None:
    raw = read(tmp_path, None, **{"{tests}": TESTS.replace('group="1"', 'group="9"')})
    assert raw.recipe is not None
    assert [step.group for step in raw.recipe.steps] == ["", "9", "9", "9", "2", "2"]
