"""Packages of DMOJ."""

import subprocess
import sys
from pathlib import Path

import pytest
from support.packages import GUESS_INTERACTOR, SPLIT_CHECKER, as_folder, dmoj, problem_of, read, refusal_of, zipped

from app.domain.problems import UNSTATED_LIMITS, Checker, CheckerKind, Form, Limits
from scrapers.packages import dmoj_checkers as checkers

CASES = "test_cases:\n- {in: 2.in, out: 2.out}\n- {in: 3.in, out: 3.out}\n"


def init(settings: str, **changes: str | bytes | None) -> dict[str, str | bytes]:
    return dmoj(**({"init.yml": f"archive: cases.zip\n{CASES}{settings}"} | changes))


def test_a_package(tmp_path: Path) -> None:
    problem = problem_of(tmp_path, "squares", dmoj())
    assert (problem.external_id, problem.title) == ("squares", "Squares")
    assert [(test.input, test.expected, test.visible) for test in problem.tests] == [
        ("3\n", "1 4 9\n", False), ("1\n", "1\n", False), ("4\n", "1 4 9 16\n", False)
    ]  # fmt: skip
    assert (problem.limits, problem.checker.kind) == (Limits(2000, 64), CheckerKind.TESTLIB)
    assert [(program.name, program.reference) for program in problem.programs] == [
        ("tests/right/right.py", True), ("tests/lines/lines.py", False)
    ]  # fmt: skip


def test_files_beside_and_limits_that_are_not_said(tmp_path: Path) -> None:
    files = {"init.yml": "test_cases:\n- {in: a/1.in, out: a/1.out}\n", "a/1.in": "3\n", "a/1.out": "9\n",
             "statement/problem.md": "Square it. ![sea](sea.png)\n"}  # fmt: skip
    batch = read(as_folder(tmp_path, "square", files))
    [problem] = batch.problems
    assert (problem.limits, problem.checker, problem.title, problem.flags) == (
        UNSTATED_LIMITS,
        Checker(),
        "square",
        ("image",),
    )
    assert problem.unstated == {"time_ms", "memory_mb"}, "nobody said them, and whoever imports it is told"
    assert [note for note in batch.notes if "limit" in note] == [
        "square: the package names no time limit: 10 s are taken",
        "square: the package names no memory limit: 1024 MiB are taken",
    ]


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        ("checker: identical\n", CheckerKind.EXACT),
        ("checker: sorted\n", CheckerKind.UNORDERED),
        ("checker: {name: sorted, args: {split_on: whitespace}}\n", CheckerKind.TESTLIB),
        ("checker: linecount\n", CheckerKind.TESTLIB),
        ("checker: {name: floats, args: {precision: 4}}\n", CheckerKind.TESTLIB),
        ("checker: {name: bridged, args: {files: check.cpp, lang: CPP17, type: testlib}}\n", CheckerKind.TESTLIB),
    ],
)
def test_checkers(tmp_path: Path, settings: str, kind: CheckerKind) -> None:
    assert problem_of(tmp_path, "p", init(settings, **{"check.cpp": SPLIT_CHECKER})).checker.kind is kind


def test_what_a_batch_says_holds_for_its_cases(tmp_path: Path) -> None:
    """And what a case says goes before it; the widest limit of output is the problem's."""
    floats = "{name: floats, args: {precision: 3}}"
    settings = (
        f"archive: cases.zip\ntest_cases:\n- batched:\n  - {{in: 1.in, out: 1.out}}\n  checker: {floats}\n"
        f"  output_limit_length: 1048576\n  binary_data: true\n"
        f"- batched:\n  - {{in: 3.in, out: 3.out, checker: {floats}, output_limit_length: 3145728}}\n"
        "  - batched:\n    - {in: 3.in, out: 3.out}\n    binary_data: true\n"
        f"  checker: {floats}\n  output_limit_length: 2097152\n"
    )
    problem = problem_of(tmp_path, "p", dmoj(**{"init.yml": settings}))
    assert problem.checker.program == checkers.floats_checker(3, "default")
    assert problem.limits.output_kb == 3 << 10
    assert [test.input for test in problem.tests] == ["3\n", "4\n", "4\r\n"], "binary data is given as it is"


def test_an_interactor(tmp_path: Path) -> None:
    settings = "unbuffered: true\ninteractive: {files: talk.cpp, type: testlib, lang: CPP17}\n"
    problem = problem_of(tmp_path, "p", init(settings, **{"talk.cpp": GUESS_INTERACTOR}))
    assert problem.form is Form.INTERACTIVE
    assert problem.interactor is not None
    assert problem.interactor.program == GUESS_INTERACTOR


def ruled(tmp_path: Path, program: str, output: bytes, answer: bytes) -> bool:
    """What one of our own checkers says; it is no untrusted program."""
    for name, body in (("out", output), ("ans", answer), ("check.py", program.encode())):
        (tmp_path / name).write_bytes(body)
    command = [sys.executable, "-I", "check.py", "in", "out", "ans"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=120, check=False)
    assert done.returncode in (0, 1)
    assert done.stderr == b""
    return done.returncode == 0


@pytest.mark.parametrize(
    ("program", "output", "answer", "right"),
    [
        (checkers.STANDARD_CHECKER, b" 1  2 \n3\n\n", b"1 2\n3", True),
        (checkers.STANDARD_CHECKER, b"1\n2\n3\n", b"1 2\n3", False),
        (checkers.STANDARD_CHECKER, b"1 2 3\n", b"1 2\n3", False),
        (checkers.STANDARD_CHECKER, b"1 2 \n\r\n 3\n", b"1 2\n3", True),
        (checkers.STANDARD_CHECKER, b"", b" \n", True),
        (checkers.STANDARD_CHECKER, b"12\n3", b"1 2\n3", False),
        (checkers.STANDARD_CHECKER, b"1\xff\x002\n3", b"1 2\n3", False),
        (checkers.LINECOUNT_CHECKER, b" 1 2 \n\n3", b"1 2\n3\n", True),
        (checkers.LINECOUNT_CHECKER, b"1 2\n", b"1 2\n3\n", False),
        (checkers.LINECOUNT_CHECKER, b"1  2\n3\n", b"1 2\n3\n", False),
        (checkers.SORTED_WORDS_CHECKER, b"3 1\n2", b"1 2 3", True),
        (checkers.SORTED_WORDS_CHECKER, b"3 1\n2 2", b"1 2 3", False),
        (checkers.floats_checker(2, "default"), b"100.9 x\n0.001\n", b"100 x\n0\n", True),
        (checkers.floats_checker(2, "default"), b"102 x\n0\n", b"100 x\n0\n", False),
        (checkers.floats_checker(2, "default"), b"100 x 0\n", b"100 x\n0\n", False),
        (checkers.floats_checker(2, "default"), b"nan\n", b"1\n", False),
        (checkers.floats_checker(2, "default"), b"1.5\r\n\r\n\r2\r\n", b"1.5\n2\n", True),
        (checkers.floats_checker(2, "default"), b"1.5\n\n2\n", b"1.5\n2\n", True),
        (checkers.floats_checker(2, "default"), b"1.5\n \n2\n", b"1.5\n2\n", False),
        (checkers.floats_checker(2, "default"), b"1.5\r2\n", b"1.5 2\n", False),
        (checkers.floats_checker(2, "default"), b"1_0\n", b"10\n", False),
        (checkers.floats_checker(2, "default"), b"\xff\n", b"10\n", False),
        (checkers.floats_checker(2, "absolute"), b"100.9\n", b"100\n", False),
        (checkers.floats_checker(2, "relative"), b"0.005\n", b"0\n", False),
    ],
)
def test_our_checkers_know_their_rules(tmp_path: Path, program: str, output: bytes, answer: bytes, right: bool) -> None:
    assert ruled(tmp_path, program, output, answer) is right


def trial(source: str, *lines: str) -> str:
    return "\n".join((f"source: {source}", *lines)) + "\n"


def tried(files: dict[str, str | bytes], tmp_path: Path) -> dict[str, object]:
    """What is said of each submission that can be tried: permitted, required, tests; and why another cannot."""
    return {
        submission.name: [
            (" ".join(sorted(rule.permitted)), " ".join(sorted(rule.required)), rule.tests) for rule in submission.rules
        ]
        or submission.left_out
        for submission in problem_of(tmp_path, "p", files).submissions
    }


@pytest.mark.parametrize(
    ("lines", "rules", "proves"),
    [
        (("language: PY3",), [("AC", "AC", None)], True),
        (("language: PY3", "expect: AC"), [("AC", "AC", None)], True),
        (("language: PY3", "expect: WA"), [("AC WA", "WA", None)], False),
        (("language: PY3", "expect: IR"), [("AC RTE", "RTE", None)], False),
        (("language: PY3", "expect: TLE"), [("AC TLE", "TLE", None)], None),
        (("language: PY3", "expect: MLE"), [("AC MLE", "MLE", None)], None),
        (("language: PY3", "expect: OLE"), [("AC OLE", "OLE", None)], None),
        (("language: PY3", "expect: [AC, TLE]"), [("AC TLE", "AC TLE", None)], None),
        (("language: PY3", "expect: [WA, IR]"), [("AC RTE WA", "RTE WA", None)], False),
        (("language: PY3", "expect: '*'"), [("AC CE MLE OLE RTE TLE WA", "AC CE MLE OLE RTE TLE WA", None)], None),
        (("language: PY3", "cases: {2: WA}"), [("WA", "WA", (1,)), ("AC", "AC", (0, 2))], False),
        (
            ("language: PY3", "cases: [AC, [WA, TLE], SC]"),
            [
                ("AC", "AC", (0,)),
                ("TLE WA", "TLE WA", (1,)),
                ("AC CE MLE OLE RTE TLE WA", "AC CE MLE OLE RTE TLE WA", (2,)),
            ],
            None,
        ),
        (("language: PY2",), "it is in 'PY2', which is not judged here", None),
        (("language: COBOL",), "it is in 'COBOL', which is not judged here", None),
        (("language: PY3", "skip: true"), "its package skips it", None),
        (("language: PY3", "expect: XX"), "it is to get 'XX', which is no verdict", None),
        (("language: PY3", "expect: {AC: 1}"), "it is to get \"{'AC': 1}\", which is no verdict", None),
        (("language: PY3", "cases: {2: [[WA]]}"), "it is to get \"['WA']\", which is no verdict", None),
        (("language: [PY3]",), "it is in \"['PY3']\", which is not judged here", None),
        (("language: PY3", "expect: IE"), "it is to fail in the judge itself", None),
        (("language: PY3", "cases: 5"), "what its test.yml says of cases is not understood", None),
    ],
)
def test_each_program_gets_what_its_test_says_or_is_named_with_the_reason(
    tmp_path: Path, lines: tuple[str, ...], rules: object, proves: bool | None
) -> None:
    files = dmoj(**{"tests/other/test.yml": trial("x.py", "time: 2", "memory: 65536", *lines),
                    "tests/other/x.py": "print(1)\n"})  # fmt: skip
    name = "tests/other" if isinstance(rules, str) else "tests/other/x.py"
    assert tried(files, tmp_path)[name] == rules
    programs = {program.name: program.reference for program in problem_of(tmp_path, "p", files).programs}
    assert programs.get("tests/other/x.py") is proves


def test_of_several_sources_each_is_tried_and_one_that_is_missing_is_named(tmp_path: Path) -> None:
    files = dmoj(**{"tests/many/test.yml": trial("[a.py, b.txt, c.py]", "language: PY3", "expect: TLE", "time: 2",
                                                 "memory: 65536"),
                    "tests/many/a.py": "1\n", "tests/many/b.txt": "2\n"})  # fmt: skip
    found = tried(files, tmp_path)
    assert list(found)[1:4] == ["tests/many/a.py", "tests/many/b.txt", "tests/many/c.py"]
    assert found["tests/many/a.py"] == found["tests/many/b.txt"] == [("AC TLE", "TLE", None)]
    assert found["tests/many/c.py"] == "the program is missing"


def test_a_program_that_is_to_exceed_a_narrower_limit_is_not_tried_under_the_problem_s(tmp_path: Path) -> None:
    said = ("language: PY3", "expect: TLE", "time: 1", "memory: 65536")
    files = dmoj(**{"tests/slow/test.yml": trial("x.py", *said), "tests/slow/x.py": "while True: pass\n"})
    reason = "it is to exceed 1000 ms, and others of its package have 2000 ms"
    assert tried(files, tmp_path)["tests/slow/x.py"] == reason


def test_keys_that_are_not_known_are_named_once(tmp_path: Path) -> None:
    more = "feedback: no\ncasts: {1: WA}\n"
    files = init("checker: {name: floats, args: {precision: 3, epsilon: 5}, weight: 1}\n")
    for name in ("right", "lines"):
        files[f"tests/{name}/test.yml"] = f"{files[f'tests/{name}/test.yml']!s}{more}"
    notes = read(as_folder(tmp_path, "p", files)).notes
    assert [note for note in notes if "not known" in note] == [
        "p: init.yml:5: the key 'weight' is not known, and changes nothing here",
        "p: init.yml:5: the key 'epsilon' is not known, and changes nothing here",
        "p: tests/lines/test.yml:7: the key 'casts' is not known, and changes nothing here",
    ]


REFUSED = [
    (init("custom_judge: interact.py\n"), "init.yml", 5, "custom_judge"),
    (init("signature_grader: {}\n"), "init.yml", 5, "signature_grader"),
    (init("generator: gen.cpp\n"), "init.yml", 5, "generator"),
    (init("file_io: {}\n"), "init.yml", 5, "file_io"),
    (init("checker: check.py\n"), "init.yml", 5, "DMOJ's own Python"),
    (init("checker: easy\n"), "init.yml", 5, "'easy'"),
    (init("checker: {name: linecount, args: {match: x}}\n"), "init.yml", 5, "linecount"),
    (init("checker: {name: floats, args: {precision: -4}}\n"), "init.yml", 5, "numbers"),
    (init("checker: {name: floats, args: {precision: 999999999}}\n"), "init.yml", 5, "numbers"),
    (init("checker: [x]\n"), "init.yml", 1, "name and arguments"),
    (init("checker: {name: bridged, args: {files: c.cpp, type: coci}}\n"), "init.yml", 5, "type testlib"),
    (init("checker: {name: bridged, args: {files: c.cpp, type: testlib, flags: [x]}}\n"), "init.yml", 5, "arguments"),
    (init("checker: {name: bridged, args: {files: ../c.cpp, type: testlib}}\n"), "../c.cpp", 1, "missing"),
    (init("checker: {name: bridged, args: {files: c.cpp, type: testlib}}\n", **{"c.cpp": "quitp(1);"}), "c.cpp", 1,
     "points"),
    (init("interactive: {files: talk.py}\n"), "init.yml", 5, "type testlib"),
    (init("interactive: {files: talk.cpp, type: testlib}\n"), "talk.cpp", 1, "the interactor is missing"),
    (dmoj(**{"init.yml": "archive: cases.zip\ntest_cases: {input_format: x}\n"}), "init.yml", 2, "patterns"),
    (dmoj(**{"init.yml": "archive: cases.zip\ntest_cases:\n- {in: 9.in, out: 1.out}\n"}), "init.yml", 3, "'9.in'"),
    (dmoj(**{"init.yml": "archive: cases.zip\ntest_cases:\n- {in: 1.in}\n"}), "init.yml", 2, "without an output"),
    (init("- {in: 1.in, out: 1.out, checker: identical}\n"), "init.yml", 5, "'standard' and 'identical'"),
    (init("- batched:\n  - {in: 1.in, out: 1.out}\n  checker: identical\n"), "init.yml", 7, "'standard' and 'ident"),
    (init("- batched:\n  - {in: 1.in, out: 1.out}\n  time_limit: 9\n"), "init.yml", 7, "time_limit"),
    (init("- {in: 1.in, out: 1.out, output_limit_length: many}\n"), "init.yml", 5, "no number of bytes: 'many'"),
    (dmoj(**{"init.yml": "archive: cases.zip\ntest_cases:\n- batched:\n  - {in: 1.in}\n  checker: "
     "{name: bridged, args: {files: c.cpp, type: testlib}}\n"}), "c.cpp", 1, "missing"),
    (dmoj(**{"init.yml": "archive: cases.zip\ntest_cases:\n- {in: 1.in, out: 1.out, generator_args: [5]}\n"}),
     "init.yml", 3, "generator_args"),
    (dmoj(**{"init.yml": "test_cases: []\n"}), "", 1, "no test"),
    (dmoj(**{"init.yml": "test_cases: [5]\n"}), "init.yml", 1, "not a case"),
    (dmoj(**{"cases.zip": b"PK"}), "cases.zip", 1, "neither a folder nor a zip"),
    (dmoj(**{"cases.zip": zipped({"../1.in": "x"})}), "cases.zip", 1, "leaves the package"),
    (dmoj(**{"cases.zip": zipped({"1.in": b"7\n\xff"})}), "cases.zip/1.in", 2, "UTF-8"),
    (dmoj(**{"cases.zip": None}), "cases.zip", 1, "missing"),
    (dmoj(**{"statement/problem.en.md": None}), "", 1, "no statement"),
    (dmoj(**{"tests/right/test.yml": "language: PY3\ntime: x\nmemory: 5\nsource: right.py\nexpect: AC\n"}), "tests", 1,
     "not a number"),
    (dmoj(**{"tests/right/test.yml": f"language: PY3\ntime: 1\nmemory: 1{'0' * 400}\nsource: right.py\n"}), "tests", 1,
     "more than 1e+12"),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_what_is_not_judged_is_refused_with_its_place(tmp_path: Path, number: int) -> None:
    files, path, line, reason = REFUSED[number]
    row = refusal_of(as_folder(tmp_path, "p", files))
    assert row.file == f"p/{path}".rstrip("/")
    assert reason in row.reason
    assert row.line == line


def test_one_large_file_in_many_cases(tmp_path: Path) -> None:
    """A small archive must not become tests of any size by naming a file over and over."""
    cases = zipped({"1.in": "7" * (20 << 20), "1.out": "1\n"})
    many = "archive: cases.zip\ntest_cases:\n" + "- {in: 1.in, out: 1.out}\n" * 40
    files = {**dmoj(**{"init.yml": many}), "cases.zip": cases}
    assert "Mi characters" in refusal_of(as_folder(tmp_path, "p", files)).reason
