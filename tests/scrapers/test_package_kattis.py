"""Packages of Kattis and ICPC, of every version of the format, and DOMjudge's settings beside them."""

from pathlib import Path

import pytest
from support.packages import SUM, as_folder, kattis, problem_of, read, refusal_of
from support.work import little_work

from app.domain.imports import ImportedProblem
from app.domain.problems import Checker, CheckerKind, Form, Limits

PLAIN = {"output_validator/validate.cpp": None, "output_validator/words.h": None}


def legacy(settings: str, **changes: str | bytes | None) -> dict[str, str | bytes]:
    """A package of the legacy format without a validator of its own."""
    return kattis(**({"problem.yaml": f"name: Split\nlimits:\n  time_limit: 1\n{settings}", **PLAIN} | changes))


def test_a_package(tmp_path: Path) -> None:
    problem = problem_of(tmp_path, "split", kattis())
    assert (problem.external_id, problem.title, problem.titles) == ("split", "Split", {"en": "Split", "sv": "Dela"})
    assert (problem.form, problem.limits, problem.tags) == (Form.STDIN, Limits(1500, 512, 8192), ("easy", "numbers"))
    assert [(test.input, test.visible) for test in problem.tests] == [("5\n", True), ("1000\n", False), ("2\n", False)]
    assert problem.statements["en"].text == "Split $n \\le 1000$ into two positive parts."
    assert problem.statements["sv"].text == "Dela $n$ i två positiva delar."
    assert problem.checker.kind is CheckerKind.KATTIS
    assert "enum { RIGHT = 42" in (problem.checker.program or "")
    assert '#include "words.h"' not in (problem.checker.program or "")
    assert [(program.name.split("/")[-1], program.reference) for program in problem.programs] == [
        ("first.py", True), ("middle.py", True), ("zero.py", False)
    ]  # fmt: skip


def test_macros_of_a_statement(tmp_path: Path) -> None:
    text = "\\newcommand{\\maxn}{1000}\n\\problemname{Split}\nSplit $n$ ($1 \\le n \\le \\maxn$).\n"
    problem = problem_of(tmp_path, "p", kattis(**{"statement/problem.en.tex": text}))
    assert problem.statements["en"].text == "Split $n$ ($1 \\le n \\le 1000$)."


@pytest.mark.parametrize(
    ("flags", "checker"),
    [
        ("", Checker(ignore_case=True)),
        ("validator_flags: case_sensitive", Checker()),
        ("validator_flags: float_tolerance 1e-6", Checker(CheckerKind.FLOAT, abs=1e-6, rel=1e-6, ignore_case=True)),
        ("validator_flags: case_sensitive space_change_sensitive", Checker(CheckerKind.EXACT)),
    ],
)
def test_flags_of_the_default_validator(tmp_path: Path, flags: str, checker: Checker) -> None:
    assert problem_of(tmp_path, "p", legacy(flags)).checker == checker


def test_flags_of_groups(tmp_path: Path) -> None:
    """The nearest group that says something counts, and all tests must be judged alike."""
    said = "output_validator_args: [float_tolerance, 1e-4]\n"
    whole = {"data/testdata.yaml": "output_validator_flags: float_tolerance 1e-4\n"}
    groups = {"data/sample/test_group.yaml": said, "data/secret/test_group.yaml": said}
    for number, files in enumerate((whole, groups)):
        checker = problem_of(tmp_path / str(number), "p", legacy("", **files)).checker
        assert (checker.kind, checker.abs, checker.rel) == (CheckerKind.FLOAT, 1e-4, 1e-4)
    apart = legacy("", **{"data/secret/small/test_group.yaml": said})
    assert "other arguments" in refusal_of(as_folder(tmp_path / "x", "p", apart)).reason
    own = legacy("", **{"data/secret/2.yaml": said})
    assert refusal_of(as_folder(tmp_path / "y", "p", own)).file == "p/data/secret/2.in"


@pytest.mark.parametrize(
    ("settings", "files"),
    [
        ("validation: custom interactive\n", {"output_validators/talk/main.py": "import sys\nsys.exit(42)\n"}),
        ("problem_format_version: 2023-07-draft\ntype: interactive\n", {"output_validator/main.py": "exit(42)\n"}),
        ("problem_format_version: 2025-09\ntype: pass-fail interactive\n", {"output_validator/main.py": "exit(42)\n"}),
    ],
)  # fmt: skip
def test_interactive_packages(tmp_path: Path, settings: str, files: dict[str, str]) -> None:
    talk = {"data/sample/1.interaction": ">5\n<more\n>7\n", "data/secret/2.ans": None}
    problem = problem_of(tmp_path, "p", legacy(settings, **files, **talk))
    assert problem.form is Form.INTERACTIVE
    assert problem.interactor is not None
    assert (problem.interactor.protocol, problem.interactor.language) == (CheckerKind.KATTIS, "python")
    assert not any(test.visible for test in problem.tests)
    assert "```\n> 5\n< more\n> 7\n```" in problem.statements["en"].text


def test_limits_from_beside(tmp_path: Path) -> None:
    bare = {"problem.yaml": "name: Split\n", **PLAIN}
    files = kattis(**bare, **{".timelimit": "3\n"})
    assert problem_of(tmp_path / "1", "p", files).limits == Limits(3000, 1024, 8192)
    files = kattis(**bare, **{"domjudge-problem.ini": "short-name = A\ntimelimit='0.5'\nname=Other\n"})
    assert problem_of(tmp_path / "2", "p", files).limits.time_ms == 500
    ini_only = kattis(**(bare | {"problem.yaml": None}), **{"domjudge-problem.ini": "timelimit=2\nname='Cut'\n"})
    assert problem_of(tmp_path / "3", "p", ini_only).title == "Cut"
    batch = read(as_folder(tmp_path / "4", "p", kattis(**bare)))
    assert "p: the package names no time limit: 10 s are taken" in batch.notes


def test_programs(tmp_path: Path) -> None:
    files = kattis(**{
        "submissions/accepted/main.kt": "fun main() {}", "submissions/accepted/Main.java": "class Main {}",
        "submissions/accepted/old.py": "#!/usr/bin/env python2\nprint 1\n",
        "submissions/accepted/two/a.py": SUM, "submissions/accepted/two/b.py": SUM,
        "submissions/accepted/one/a.py": SUM + "# alone\n",
        "submissions/wrong_answer/mixed.py": "# @EXPECTED_RESULTS@: CORRECT, WRONG-ANSWER\n",
        "submissions/wrong_answer/special.py": SUM,
        "submissions/run_time_error/crash.c": "int main() { return 1; }\n",
        "submissions/partially_accepted/some.py": SUM, "submissions/mixed/x.py": SUM,
        "submissions/submissions.yaml": "wrong_answer/spec*.py: {permitted: [AC]}\naccepted/one: {language: python3}\n",
    })  # fmt: skip
    names = {
        program.name.removeprefix("submissions/"): program.reference
        for program in problem_of(tmp_path, "p", files).programs
    }
    assert names == {"accepted/first.py": True, "accepted/middle.py": True, "accepted/one/a.py": True,
                     "wrong_answer/zero.py": False, "run_time_error/crash.c": False}  # fmt: skip
    others = kattis(**dict.fromkeys(("submissions/accepted/first.py", "submissions/accepted/middle.py")),
                    **{"submissions/accepted/Main.java": "class Main {}"})  # fmt: skip
    kept = [program.language for program in problem_of(tmp_path / "2", "p", others).programs if program.reference]
    assert kept == ["java"], "better one that few judge than none"
    bare = kattis(**{path: None for path in kattis() if path.startswith("submissions/accepted")})
    batch = read(as_folder(tmp_path / "3", "p", bare))
    assert not any(program.reference for program in batch.problems[0].programs)
    assert any("unproven" in note for note in batch.notes)


def test_keys_that_are_not_known_are_named(tmp_path: Path) -> None:
    settings = ("problem_format_version: 2025-09\nname: Split\nlimits: {time_limit: 1, memroy: 5}\nauthr: me\n"
                "validation: custom\nlanguages: [python3]\ncredits: me\n")  # fmt: skip
    files = kattis(**{
        "problem.yaml": settings, "domjudge-problem.ini": "timelimit=1\nspecial_run=x\n",
        "data/secret/test_group.yaml": "max_score: 5\noutput_validator_arg: [x]\nfull_feedback: true\n",
        "data/secret/2.yaml": "hint: yes\ndescription: x\nnote: x\n", "data/secret/small/1.yaml": "note: y\n",
        "submissions/submissions.yaml": "accepted: {permited: [AC]}\naccepted/f*.py:\n  secret/2: {requird: [AC]}\n"
        "slow/x: {}\n",
        "submissions/README": "x",
    })  # fmt: skip
    notes = read(as_folder(tmp_path, "p", files)).notes
    assert [note.removeprefix("p: ") for note in notes] == [
        "problem.yaml:4: the key 'authr' is not known, and changes nothing here",
        "problem.yaml:5: the key 'validation' is not known, and changes nothing here",
        "problem.yaml:3: the key 'memroy' is not known, and changes nothing here",
        "domjudge-problem.ini:2: the key 'special_run' is not known, and changes nothing here",
        "problem.yaml: programs may be in any language here, not only in those of `languages`",
        "data/secret/test_group.yaml:2: the key 'output_validator_arg' is not known, and changes nothing here",
        "data/secret/2.yaml:3: the key 'note' is not known, and changes nothing here",
        "submissions/submissions.yaml:1: the key 'permited' is not known, and changes nothing here",
        "submissions/submissions.yaml:3: the key 'requird' is not known, and changes nothing here",
        "submissions/README: it lies in no folder of submissions, and is left out",
        "submissions/submissions.yaml: 'slow/x' names no submission",
    ]


def test_thousands_of_keys_and_braces_take_little_work(tmp_path: Path) -> None:
    keys = "".join(f"k{number}: 1\n" for number in range(20_000))
    settings = f"problem_format_version: 2025-09\nname: Split\nconstants: {{most: 5}}\n{keys}"
    line = "x = 1; y = " + "{{x}}," * 30_000
    files = kattis(**{"problem.yaml": settings, "submissions/accepted/first.py": line,
                      "statement/problem.sv.md": "x_{{n}} " * 90_000})  # fmt: skip
    with little_work():
        notes = read(as_folder(tmp_path, "p", files)).notes
    assert "p: problem.yaml: more than 50 keys are not known" in notes
    assert sum("is not known" in note for note in notes) == 50


def rules(problem: ImportedProblem) -> dict[str, list[tuple[str, str, tuple[int, ...] | None]]]:
    """What is said of each submission that can be tried: permitted, required, tests."""
    return {
        submission.name.removeprefix("submissions/"): [
            (" ".join(sorted(rule.permitted)), " ".join(sorted(rule.required)), rule.tests) for rule in submission.rules
        ]
        for submission in problem.submissions
        if not submission.left_out
    }


ALL = "AC RTE TLE WA"


def test_what_folders_say_of_submissions(tmp_path: Path) -> None:
    folders = ("accepted", "rejected", "wrong_answer", "time_limit_exceeded", "run_time_error", "brute_force")
    files = kattis(**{f"submissions/{folder}/x.py": SUM for folder in folders})
    found = rules(problem_of(tmp_path, "p", files))
    assert {name: found[f"{name}/x.py"] for name in folders} == {
        "accepted": [("AC", "AC", None)],
        "rejected": [(ALL, "RTE TLE WA", None)],
        "wrong_answer": [("AC WA", "WA", None)],
        "time_limit_exceeded": [("AC TLE", "TLE", None)],
        "run_time_error": [("AC RTE", "RTE", None)],
        "brute_force": [("AC RTE TLE", "RTE TLE", None)],
    }
    old = legacy("", **{f"submissions/{folder}/x.py": SUM for folder in (*folders, "partially_accepted")})
    found = rules(problem_of(tmp_path / "old", "p", old))
    assert found["time_limit_exceeded/x.py"] == [("AC TLE WA", "TLE", None)]
    assert found["run_time_error/x.py"] == [(ALL, "RTE", None)]
    assert found["partially_accepted/x.py"] == [(ALL, "RTE TLE WA", None)]


def test_what_submissions_yaml_says(tmp_path: Path) -> None:
    said = """\
time_limit_exceeded: {permitted: [AC, WA, TLE]}
mixed/{a,b*}.py: {permitted: [AC, WA], required: [WA]}
mixed/a.py:
  sample: {permitted: [AC]}
  secret/s*: {required: [WA]}
  message: wrong
wrong_answer/zero.py: {required: [RTE]}
accepted/f*: {language: python3, model_solution: true}
mixed/named.txt: {language: cpp, permitted: [AC]}
mixed/old.py: {language: python2, permitted: [AC]}
mixed/entry.java: {entrypoint: Other, permitted: [AC]}
"""
    files = kattis(**{
        "submissions/submissions.yaml": said, "submissions/mixed/a.py": SUM, "submissions/mixed/bc.py": SUM,
        "submissions/mixed/named.txt": "int main() {}", "submissions/mixed/old.py": SUM,
        "submissions/mixed/entry.java": "class Other {}", "submissions/mixed/unsaid.py": SUM,
        "submissions/mixed/x.kt": "fun", "submissions/mixed/two/1.py": SUM, "submissions/mixed/two/2.py": SUM,
    })  # fmt: skip
    problem = problem_of(tmp_path, "p", files)
    found = rules(problem)
    assert found["time_limit_exceeded/forever.py"] == [("AC TLE WA", "TLE", None)]
    assert found["mixed/bc.py"] == [("AC WA", "WA", None)]
    assert found["mixed/a.py"] == [("AC WA", "WA", None), ("AC", ALL, (0,)), (ALL, "WA", (2,))]
    assert found["wrong_answer/zero.py"] == [("AC WA", "WA", None), (ALL, "RTE", None)]
    assert found["accepted/first.py"] == [("AC", "AC", None)]
    assert found["mixed/named.txt"] == [("AC", ALL, None)]
    left = {one.name.split("/")[-1]: one.left_out for one in problem.submissions if one.left_out}
    assert left == {
        "old.py": "it is in 'python2', which is not judged here", "entry.java": "its entry point is named",
        "unsaid.py": "neither its folder nor submissions.yaml says what it gets",
        "x.kt": "its name is that of no language that is judged here", "two": "it has 2 files",
    }  # fmt: skip
    proving = {one.name.split("/")[-1]: one.reference for one in problem.programs}
    assert proving == {"first.py": True, "middle.py": True, "named.txt": True, "a.py": False, "bc.py": False,
                       "zero.py": False}  # fmt: skip


def test_submissions_of_domjudge_say_themselves_what_they_get(tmp_path: Path) -> None:
    files = kattis(**{
        "submissions/wrong_answer/zero.py": "# @EXPECTED_RESULTS@: CORRECT, WRONG-ANSWER\n",
        "submissions/mixed/x.py": "# @EXPECTED_RESULTS@: TIMELIMIT,RUN-ERROR",
    })  # fmt: skip
    found = rules(problem_of(tmp_path, "p", files))
    assert found["wrong_answer/zero.py"] == [("AC WA", "AC WA", None)]
    assert found["mixed/x.py"] == [("AC RTE TLE", "RTE TLE", None)]


BOMB = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n"
REFUSED = [
    (kattis(**{"problem.yaml": BOMB}), "problem.yaml", 2, "aliases"),
    (kattis(**{"problem.yaml": "a: 1\nb: [\n"}), "problem.yaml", 3, ""),
    (kattis(**{"problem.yaml": "a: 1\na: 2\n"}), "problem.yaml", 1, "twice"),
    (kattis(**{"problem.yaml": "- 1\n"}), "problem.yaml", 1, "not an object"),
    (kattis(**{"problem.yaml": "x: " + "[" * 5000}), "problem.yaml", 1, "nested"),
    (kattis(**{"problem.yaml": "x: !!python/object/apply:os.system [ls]\n"}), "problem.yaml", 1, "tag"),
    (kattis(**{"problem.yaml": "x: 2001-99-99\n"}), "problem.yaml", 1, "month"),
    (kattis(**{"problem.yaml": "x: y\n" + "# more\n" * 50_000}), "problem.yaml", 1, "more than"),
    (kattis(**{"problem.yaml": b"\xff\xfe"}), "problem.yaml", 1, "UTF-8"),
    (kattis(**{"problem.yaml": "name: [1]\n"}), "problem.yaml", 1, "name"),
    (legacy("problem_format_version: 2031-01\n"), "problem.yaml", 4, "not known"),
    (legacy("type: multi-pass\n"), "problem.yaml", 4, "multi-pass"),
    (legacy("type: submit-answer\n"), "problem.yaml", 4, "submit-answer"),
    (legacy("validation: custom multi-pass\n"), "problem.yaml", 4, "multi-pass"),
    (legacy("validation: custom score\n"), "problem.yaml", 4, "score"),
    (legacy("validation: custom\n"), "output_validators", 1, "is missing"),
    (legacy("validator_flags: surprise\n"), "problem.yaml", 4, "surprise"),
    (legacy("validator_flags: \"it's\"\n"), "problem.yaml", 1, "cannot be read"),
    (legacy("limits: 5\n").copy() | {"problem.yaml": "name: x\nlimits: 5\n"}, "problem.yaml", 2, "limits"),
    (kattis(**{"problem.yaml": "limits: {time_limit: -1}\n"}), "problem.yaml", 1, "time limit"),
    (kattis(**{"problem.yaml": "limits: {time_limit: .nan}\n"}), "problem.yaml", 1, "time limit"),
    (kattis(**{"problem.yaml": "limits: {memory: true}\n"}), "problem.yaml", 1, "memory limit"),
    (kattis(**{"problem.yaml": f"limits: {{memory: {'9' * 400}}}\n"}), "problem.yaml", 1, "memory limit"),
    (kattis(**{"problem.yaml": "problem_format_version: 2025-09\ntype: scoring\n"}), "problem.yaml", 2, "scores"),
    (kattis(**{"output_validator/other.cpp": "x"}), "output_validator", 1, "one source file"),
    (kattis(**{"output_validator/validate.cpp": None, "output_validator/v.rs": "x"}), "output_validator/v.rs", 1,
     "not in C"),
    (kattis(**{"output_validator/build": "#!/bin/sh"}), "output_validator", 1, "not build"),
    (kattis(**{"output_validator/validate.cpp": '#include "x"\n"nextpass.in"'}), "output_validator", 1, "another pass"),
    (kattis(**{"data/secret/2.ans": None}), "data/secret/2.ans", 1, "answer is missing"),
    (kattis(**{"data/secret/2.args": "-x"}), "data/secret/2.args", 1, "arguments or files"),
    (kattis(**{"data/secret/test_group.yaml": "args: [x]\n"}), "data/secret/test_group.yaml", 1, "get arguments"),
    (kattis(**{"data/secret/2.yaml": "args: [x]\n"}), "data/secret/2.yaml", 1, "get arguments"),
    (kattis(**{"data/secret/test_group.yaml": "static_validation_score: 5\n"}), "data/secret/test_group.yaml", 1,
     "static validator"),
    (legacy("", **{"data/testdata.yaml": "grader_flags: min always_accept\n"}), "data/testdata.yaml", 1,
     "always_accept: the group"),
    (kattis(**{"submissions/submissions.yaml": "accepted: {permitted: [OK]}\n"}), "submissions/submissions.yaml", 1,
     "the verdict 'OK' is none of AC, WA, TLE, RTE"),
    (kattis(**{"submissions/submissions.yaml": "accepted: [AC]\n"}), "submissions/submissions.yaml", 1, "no object"),
    (kattis(**{"submissions/submissions.yaml": "'" + "{a,b}" * 9 + "': {}\n"}), "submissions/submissions.yaml", 1,
     "more than 64"),
    (kattis(**{"data/secret/2.in": b"1\n\xff"}), "data/secret/2.in", 2, "UTF-8"),
    (kattis(**{"data/testdata.yaml": "grading: custom\n"}), "data/testdata.yaml", 1, "program of its own"),
    (kattis(**{path: None for path in kattis() if path.startswith("data/")}), "", 1, "no test"),
    (kattis(**{path: None for path in kattis() if path.startswith("statement/")}), "", 1, "no statement"),
    (kattis(**{"statement/problem.en.tex": "\\newcommand", "statement/problem.sv.md": None}),
     "statement/problem.en.tex", 1, "no statement"),
    (kattis(**{"statement/problem.en.tex": " % nothing", "statement/problem.sv.md": " \n"}),
     "statement/problem.en.tex", 1, "empty"),
]  # fmt: skip


def test_what_is_not_judged_is_refused_with_its_place(tmp_path: Path) -> None:
    for number, (files, path, line, reason) in enumerate(REFUSED):
        row = refusal_of(as_folder(tmp_path / str(number), "p", files))
        assert row.file == f"p/{path}".rstrip("/"), number
        assert reason in row.reason, row
        assert row.line == line, row


def test_too_many_tests(tmp_path: Path) -> None:
    more = {f"data/secret/{number:04}.{end}": "1\n" for number in range(2000) for end in ("in", "ans")}
    assert "more than 2000 tests" in refusal_of(as_folder(tmp_path, "p", kattis(**more))).reason
