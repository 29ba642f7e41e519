"""Packages of Polygon."""

from pathlib import Path

import pytest
from support.packages import (
    GUESS_INTERACTOR,
    POLYGON_XML,
    SPLIT_CHECKER,
    as_folder,
    polygon,
    polygon_interactive,
    problem_of,
    read,
    refusal_of,
)
from support.polygon_downloads import download

from app.domain.problems import Checker, CheckerKind, Form, Limits


def with_xml(old: str, new: str, **files: str | bytes | None) -> dict[str, str | bytes]:
    assert old in POLYGON_XML
    return polygon(**{"problem.xml": POLYGON_XML.replace(old, new), **files})


def test_a_package(tmp_path: Path) -> None:
    problem = problem_of(tmp_path, "any", polygon())
    assert (problem.source, problem.external_id, problem.title) == ("packages", "two-tides", "Two Tides")
    assert (problem.form, problem.limits) == (Form.STDIN, Limits(1500, 256))
    assert problem.released_on is None
    assert problem.tags == ("math",)
    assert problem.titles == {"en": "Two Tides", "zh": "两次潮汐"}
    assert problem.checker == Checker()
    # Line ends are those that programs here expect.
    assert [(test.input, test.expected, test.visible) for test in problem.tests] == [
        ("1 2\n", "3\n", True), ("-5 3\n", "-2\n", False), ("1000000000 1000000000\n", "2000000000\n", False)
    ]  # fmt: skip
    assert [(program.name, program.language, program.reference) for program in problem.programs] == [
        ("solutions/main.cpp", "cpp", True), ("solutions/other.py", "python", True),
        ("solutions/minus.py", "python", False),
    ]  # fmt: skip
    assert problem.statements["en"].text.startswith("Add $a$ and $b$, which may be negative.\n\n## Input\n\nTwo")
    assert problem.statements["zh"].text == "求 $a+b$。\n\n## 输入\n\n两个整数。"


@pytest.mark.parametrize(
    ("stock", "checker"),
    [
        ("wcmp", Checker()),
        ("nyesno", Checker(ignore_case=True)),
        ("rcmp6", Checker(CheckerKind.FLOAT, abs=1e-6, rel=1e-6)),
        ("rcmp", Checker(CheckerKind.FLOAT, abs=1.5e-6, rel=0.0)),
    ],
)
def test_stock_checkers(tmp_path: Path, stock: str, checker: Checker) -> None:
    assert problem_of(tmp_path, "p", with_xml("ncmp", stock)).checker == checker


def test_macros_hold_for_all_parts_of_a_statement(tmp_path: Path) -> None:
    parts = {"statement-sections/english/legend.tex": "\\newcommand{\\most}{10^9}Add $a$ and $b$.",
             "statement-sections/english/input.tex": "Two integers up to $\\most$."}  # fmt: skip
    assert "Two integers up to $10^9$." in problem_of(tmp_path, "p", polygon(**parts)).statements["en"].text


def test_a_stock_checker_with_a_rule_of_its_own_is_run(tmp_path: Path) -> None:
    files = with_xml("ncmp", "lcmp", **{"files/check.cpp": SPLIT_CHECKER})
    assert problem_of(tmp_path, "p", files).checker == Checker(
        CheckerKind.TESTLIB, program=SPLIT_CHECKER, language="cpp"
    )
    # One that reads a single number says nothing of answers of two.
    several = with_xml("ncmp", "icmp", **{"tests/01.a": "3 4\n", "files/check.cpp": SPLIT_CHECKER})
    assert problem_of(tmp_path / "2", "p", several).checker.kind is CheckerKind.TESTLIB


def test_an_interactive_package(tmp_path: Path) -> None:
    problem = problem_of(tmp_path, "p", polygon_interactive())
    assert problem.form is Form.INTERACTIVE
    assert problem.interactor is not None
    assert (problem.interactor.protocol, problem.interactor.program) == (CheckerKind.TESTLIB, GUESS_INTERACTOR)
    assert not any(test.visible for test in problem.tests), "what the interactor reads is no example"
    assert "Read:\n\n```\nmore\nyes\n```" in problem.statements["en"].text


def test_a_statement_of_properties(tmp_path: Path) -> None:
    sections = [path for path in polygon() if path.startswith("statement-sections")]
    properties = '{"name": "x", "legend": "Add \\\\textit{them}.", "input": "Two.", "notes": null}'
    files = polygon(**dict.fromkeys(sections), **{"statements/english/problem-properties.json": properties})
    assert problem_of(tmp_path, "p", files).statements["en"].text == "Add them.\n\n## Input\n\nTwo."


def solutions(tags: str, **files: str | bytes | None) -> dict[str, str | bytes]:
    """A package with these solutions beside its main one, in groups 1, 1 and 2."""
    xml = POLYGON_XML.replace("</solutions>", f"{tags}</solutions>")
    for number, group in enumerate("112"):
        xml = xml.replace("<test method", f'<test group="{group}" {number}method', 1)
    for number in range(3):
        xml = xml.replace(f"{number}method", "method")
    return polygon(**{"problem.xml": xml, **files})


def solution(tag: str, path: str = "solutions/slow.py", more: str = "", kind: str = "python.3") -> str:
    return f'<solution tag="{tag}"><source path="{path}" type="{kind}"/>{more}</solution>'


ALL, FAILED = "AC MLE OLE RTE TLE WA", "MLE OLE RTE TLE WA"


@pytest.mark.parametrize(
    ("told", "rules"),
    [
        (solution("main"), [("AC", "AC", None)]),
        (solution("accepted"), [("AC", "AC", None)]),
        (solution("rejected"), [(ALL, FAILED, None)]),
        (solution("failed"), [(ALL, FAILED, None)]),
        (solution("wrong-answer"), [("AC WA", "WA", None)]),
        (solution("presentation-error"), [("AC WA", "WA", None)]),
        (solution("time-limit-exceeded"), [("AC TLE", "TLE", None)]),
        (solution("time-limit-exceeded-or-accepted"), [("AC TLE", "AC TLE", None)]),
        (solution("time-limit-exceeded-or-memory-limit-exceeded"), [("AC MLE TLE", "MLE TLE", None)]),
        (solution("memory-limit-exceeded"), [("AC MLE", "MLE", None)]),
        (solution("do-not-run"), "its tag is do-not-run"),
        (solution("mystery"), "its tag 'mystery' is not known"),
        (solution("time-limit-exceeded", "solutions/none.py"), "the solution is missing"),
        (solution("rejected", "solutions/x.dpr"), "its name is that of no language that is judged here"),
        (solution("rejected", "solutions/cp1251.cpp"), "not UTF-8 text"),
        (solution("accepted", kind="python.2"), "it is in Python 2"),
        (
            solution(
                "rejected",
                more='<extra-tags><extra-tag group="1" tag="accepted"/><extra-tag testset="pretests" tag="accepted"/>'
                '<extra-tag testset="tests" tag="wrong-answer"/></extra-tags>',
            ),
            [(ALL, FAILED, None), ("AC", "AC", (0, 1)), ("AC WA", "WA", None)],
        ),
    ],
)
def test_each_solution_gets_what_its_tag_says_or_is_named_with_the_reason(
    tmp_path: Path, told: str, rules: object
) -> None:
    unread: dict[str, str | bytes] = {"solutions/x.dpr": "begin end.", "solutions/cp1251.cpp": b"// \xcf\xf0\n"}
    files = solutions(told, **unread)
    found = problem_of(tmp_path, "p", files).submissions[-1]
    if isinstance(rules, str):
        assert (found.left_out, found.rules) == (rules, ())
    else:
        assert found.has_limit_verdicts
        assert [
            (" ".join(sorted(rule.permitted)), " ".join(sorted(rule.required)), rule.tests) for rule in found.rules
        ] == rules


def test_every_solution_is_there_and_only_plain_ones_prove_the_tests(tmp_path: Path) -> None:
    problem = problem_of(tmp_path, "p", polygon())
    assert [(each.name, each.left_out) for each in problem.submissions] == [
        ("solutions/main.cpp", ""), ("solutions/other.py", ""), ("solutions/minus.py", ""), ("solutions/slow.py", ""),
    ]  # fmt: skip
    assert "solutions/slow.py" not in [program.name for program in problem.programs]


@pytest.mark.parametrize(
    ("old", "new", "note"),
    [
        ('cpu-speed="1"', 'turbo="1"', "problem.xml:7: the attribute 'turbo' of <judging> is not known"),
        ("<test-count>", "<idle-limit>9</idle-limit><test-count>",
         "problem.xml:11: the element 'idle-limit' of <testset>"),
        ("<solutions>", "<scorer/><solutions>", "problem.xml:23: the element 'scorer' of <assets> is not known"),
        ('method="manual"/>', 'method="manual" weight="5"/>', "problem.xml:16: the attribute 'weight' of <test>"),
        ("</tests>", '</tests><groups><group name="1" points-policy="complete-group"/></groups>',
         "the points policies of its groups (complete-group) are not applied: no points are given here"),
        ("</tests>", '</tests><groups><group name="1"/></groups>', "a program is accepted when it passes all"),
        ('cpu-name="any"', 'treat-points-from-checker-as-percent="true"', "points of the checker are percent"),
        ("<assets>", '<files><resources><file path="files/grader.cpp" type="cpp.g++17" for-types="cpp.*"/>'
         '<file path="files/testlib.h" type="h.g++"/></resources></files><assets>',
         "files/grader.cpp: the package compiles or runs programs with this file, which is not done here"),
        ("<solutions>", '<validators><validator><source path="files/val.cpp"/><testset><tests><test/></tests></testset>'
         "</validator></validators><solutions>",
         "the package has tests of its validators (1), which are not run here"),
    ],
)  # fmt: skip
def test_what_may_change_judging_and_is_not_read_is_named_once(tmp_path: Path, old: str, new: str, note: str) -> None:
    files = polygon(**{"problem.xml": POLYGON_XML.replace(old, new)})
    found = [each for each in read(as_folder(tmp_path, "p", files)).notes if note in each]
    assert len(found) == 1, read(as_folder(tmp_path, "q", files)).notes


def test_a_package_that_is_known_whole_has_no_such_note(tmp_path: Path) -> None:
    for files in (polygon(), polygon_interactive(), download()):
        notes = read(as_folder(tmp_path, "p", files)).notes
        assert not [note for note in notes if "known" in note or "files/" in note.split(":")[0]]


REFUSED = [
    (with_xml('input-file=""', 'input-file="in.txt"'), "problem.xml", 7, "files"),
    (with_xml('cpu-name="any"', 'run-count="2"'), "problem.xml", 7, "more than once"),
    (with_xml("testset", "other"), "problem.xml", 7, "there is no testset"),
    (with_xml("<time-limit>1500", "<time-limit>-5"), "problem.xml", 1, "time limit"),
    (with_xml("<memory-limit>268435456", "<memory-limit>" + "9" * 5000), "problem.xml", 1, "memory limit"),
    (with_xml("<test-count>3", "<test-count>4"), "problem.xml", 11, "test-count"),
    (with_xml("tests/%02d<", "tests/%s%n<"), "problem.xml", 12, "pattern"),
    (with_xml("ncmp", "lcmp", **{"files/check.cpp": None}), "files/check.cpp", 1, "the checker is missing"),
    (with_xml("std::ncmp.cpp", "mine.cpp", **{"files/check.cpp": "int x;\nquitp(0.5);"}), "files/check.cpp", 2,
     "points"),
    (with_xml('std::ncmp.cpp" type="testlib"><source path="files/check.cpp', 'x"><source path="files/check.dpr',
              **{"files/check.dpr": "begin end."}), "files/check.dpr", 1, "not in C"),
    (polygon(**{"tests/02": None}), "tests/02", 1, "the test is missing, and the package does not say how to make it"),
    (polygon(**{"tests/03": None}), "tests/03", 1, "the generator 'gen' of the test is not in the package as source"),
    (with_xml('cmd="gen 1"', 'cmd="gen 1" from-file="2"', **{"tests/03": None}), "tests/03", 1, "several files"),
    (with_xml("gen 1", "gen '1", **{"tests/03": None}), "tests/03", 1, "not understood"),
    (with_xml("gen 1", "gen 1 | sort", **{"tests/03": None}), "tests/03", 1, "combines programs"),
    (with_xml("gen 1", "gen 1 &gt;5", **{"tests/03": None}), "tests/03", 1, "combines programs"),
    (with_xml('output-file=""', 'output-file="out.txt"'), "problem.xml", 7, "programs read and write files"),
    (with_xml("gen 1", "gen", **{"tests/03": None, "files/gen.dpr": "begin end."}), "tests/03", 1, "as source"),
    (with_xml('<source path="solutions/other.py', '<source path="solutions/x.dpr', **{
        "tests/02.a": None, "solutions/x.dpr": "begin end.", "solutions/main.cpp": "",
    }), "", 1, "no main or accepted solution is in a language that is run here"),
    (polygon(**{"tests/02": b"\xff\xfe"}), "tests/02", 1, "not UTF-8"),
    (polygon(**{"tests/02": "1\n2\0"}), "tests/02", 2, "NUL"),
    (polygon(**{"solutions/main.cpp": None}), "solutions/main.cpp", 1, "missing"),
    (polygon(**{"solutions/main.cpp": "x" * 300_000}), "solutions/main.cpp", 1, "more than"),
    (polygon(**{"problem.xml": "<problem>"}), "problem.xml", 1, "not well-formed"),
    (polygon(**{"problem.xml": "<a/>"}), "problem.xml", 1, "no element judging"),
    (with_xml("?>", '?>\n<!DOCTYPE p [<!ENTITY a "b">]>'), "problem.xml", 2, "declares"),
    (polygon(**{"problem.xml": POLYGON_XML.encode("utf-16")}), "problem.xml", 1, ""),
    (polygon(**{"problem.xml": "<a>" * 200_000}), "problem.xml", 1, "not well-formed"),
    (polygon(**{"problem.xml": "<a>" * 200_000 + "</a>" * 200_000}), "problem.xml", 1, "no element judging"),
    (polygon(**{"statement-sections/english/legend.tex": "a\n\\foo{x}", "statement-sections/chinese/legend.tex": None}),
     "statement-sections/english/legend.tex", 2, "no statement: the command \\foo"),
    (polygon_interactive(GUESS_INTERACTOR.replace("return", "") + "// tout << 5;"), "files/interactor.cpp", 13, "tout"),
]  # fmt: skip


def test_a_package_without_some_of_its_tests_says_how_they_are_made(tmp_path: Path) -> None:
    problem = problem_of(tmp_path, "p", download())
    assert (problem.tests, problem.titles, problem.tags) == ((), {"en": "Many Tides"}, ("sums",))
    recipe = problem.recipe
    assert recipe is not None
    assert [(step.path, step.text, step.generator, step.arguments) for step in recipe.steps[:3]] == [
        ("tests/01", "2\n3 4\n", "", ()),
        ("tests/02", None, "gen", ("10", "-most=1000")),
        ("tests/03", None, "gen", ("10", "-most=1000", "seed")),
    ]
    assert {name: program.name for name, program in recipe.generators.items()} == {
        "gen": "files/gen.cpp", "line": "files/line.py",
    }  # fmt: skip
    assert '#include "shape.h"' not in recipe.generators["gen"].code, "headers beside a source stand in their places"
    assert recipe.solution is not None
    assert (recipe.solution.name, [program.name for program in recipe.validators]) == (
        "solutions/main.cpp", ["files/val.cpp"],
    )  # fmt: skip
    assert recipe.testlib is None
    notes = " ".join(read(as_folder(tmp_path, "q", download())).notes)
    assert "generators may print other tests than the author's" in notes
    assert "of several testsets tests is used; left out: pretests" in notes


def test_another_accepted_solution_answers_where_the_main_one_cannot(tmp_path: Path) -> None:
    files = download({"solutions/main.kt": "fun main() {}"}, **{"solutions/main.cpp": "solutions/main.kt"})
    recipe = problem_of(tmp_path, "p", files).recipe
    assert recipe is not None
    assert recipe.solution is not None
    assert recipe.solution.name == "solutions/other.py"


def test_the_only_testset_may_have_any_name(tmp_path: Path) -> None:
    assert len(problem_of(tmp_path, "p", with_xml('name="tests"', 'name="pretests"')).tests) == 3


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_what_is_not_judged_is_refused_with_its_place(tmp_path: Path, number: int) -> None:
    files, path, line, reason = REFUSED[number]
    row = refusal_of(as_folder(tmp_path, "p", files))
    assert row.file == f"p/{path}".rstrip("/")
    assert reason in row.reason
    assert row.line == line


def test_one_unreadable_language_is_noted(tmp_path: Path) -> None:
    problem = problem_of(tmp_path, "p", polygon(**{"statement-sections/chinese/legend.tex": "\\foo"}))
    assert set(problem.statements) == {"en"}
    assert set(problem.titles) == {"en"}


def in_language(language: str) -> dict[str, str | bytes]:
    """A package whose only statement is in a language."""
    moved = {
        path.replace("/english/", f"/{language}/"): body for path, body in polygon().items() if "/chinese/" not in path
    }
    xml = str(moved["problem.xml"]).replace('language="english"', f'language="{language}"')
    return {**moved, "problem.xml": xml}


@pytest.mark.parametrize(
    ("language", "locale"),
    [("vietnamese", "vi"), ("hebrew", "he"), ("slovene", "sl"), ("azerbaijani", "az"), ("kazakh", "kk")],
)
def test_a_statement_in_any_language_is_imported(tmp_path: Path, language: str, locale: str) -> None:
    problem = problem_of(tmp_path, "p", in_language(language))
    assert set(problem.statements) == {locale}
    assert problem.title == "Two Tides"


def test_a_language_that_is_not_known_is_named(tmp_path: Path) -> None:
    row = refusal_of(as_folder(tmp_path, "p", in_language("tidalese")))
    assert (row.file, row.reason) == (
        "p/statement-sections/tidalese/legend.tex", "no statement: the language 'tidalese' is not known"
    )  # fmt: skip
    both = {**polygon(), "statement-sections/tidalese/legend.tex": "a + b"}
    notes = read(as_folder(tmp_path, "q", both)).notes
    assert [note for note in notes if "'tidalese' is not known" in note], notes
