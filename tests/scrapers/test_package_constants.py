"""Constants of packages: what they stand for in statements, programs and settings, and those that are not defined."""

from pathlib import Path

import pytest
from support.packages import as_folder, kattis, problem_of, refusal_of

CONSTANTS = "constants:\n  maxn:\n    value: 1000\n    tex: 1\\,000\n  eps: 1e-6\n  half: 0.5\n"


def with_constants(constants: str = CONSTANTS, **changes: str | bytes | None) -> dict[str, str | bytes]:
    settings = "problem_format_version: 2025-09\nname: Split\nlimits: {time_limit: 1}\n" + constants
    text = "Split $n \\le {{maxn.tex}}$.\n"
    plain = {"problem.yaml": settings, "statement/problem.en.tex": None, "statement/problem.sv.md": None,
             "statement/problem.en.md": text}  # fmt: skip
    return kattis(**(plain | changes))


def test_constants_and_their_variants(tmp_path: Path) -> None:
    files = with_constants(**{
        "statement/problem.en.md": "# X\n\n$n \\le {{maxn.tex}}$, {{maxn}}, {{maxn.value}}, {{eps}}, {{half}}.\n",
        "statement/problem.sv.tex": "$n \\le \\constant{maxn.tex}$, \\constant{maxn}, {{maxn.value}}, \\constant{eps}.",
        "output_validator/validate.cpp": '#include "words.h"\nint n = {{maxn}}, m = {{maxn.value}}, a[1][1] = {{n}};\n',
        "output_validator/words.h": "double eps = {{eps}};\n",
        "submissions/accepted/first.py": "print({{half.value}}, f'{{made}}')\n",
        "data/secret/test_group.yaml": "output_validator_args: [limit={{maxn}}, {{eps}}]  # not {{this}}\n",
        "data/sample/test_group.yaml": "output_validator_args: [limit=1000, 1e-6]\n",
        "data/secret/2.in": "{{maxn}}\n",
    })  # fmt: skip
    problem = problem_of(tmp_path, "p", files)
    assert problem.statements["en"].text == "$n \\le 1\\,000$, 1000, 1000, 1e-6, 0.5."
    assert problem.statements["sv"].text == "$n \\le 1\\,000$, 1000, 1000, 1e-6."
    assert problem.checker.program == "double eps = 1e-6;\n\nint n = 1000, m = 1000, a[1][1] = {{n}};\n"
    assert problem.checker.flags == "limit=1000 1e-6"
    assert problem.programs[0].code == "print(0.5, f'{{made}}')\n"
    assert [test.input for test in problem.tests][1] == "{{maxn}}\n", "tests stay as they are"


def test_braces_that_are_no_constant_stay(tmp_path: Path) -> None:
    text = "$x_{{i}}$, $\\frac{{a}}{{b}}$, `{{maxm}}`\n\n```\n{{maxm}}\n```\n{{nextsample}}\n{{remainingsamples}}\nEnd."
    problem = problem_of(tmp_path, "p", with_constants(**{"statement/problem.en.md": text}))
    assert problem.statements["en"].text == text.replace("{{nextsample}}", "").replace("{{remainingsamples}}", "")
    without = with_constants("", **{"statement/problem.en.md": "{{maxm}}"})
    assert problem_of(tmp_path / "2", "p", without).statements["en"].text == "{{maxm}}"


@pytest.mark.parametrize(
    ("path", "text", "line", "reason"),
    [
        ("statement/problem.en.md", "# X\n\n$n \\le {{maxm}}$", 3, "the constant 'maxm' is not defined"),
        ("statement/problem.en.md", "{{maxn.text}}", 1, "the constant 'maxn.text' is not defined"),
        ("output_validator/validate.cpp", "int n =\n{{maxm}};", 2, "the constant 'maxm' is not defined"),
        ("output_validator/validate.cpp", "int maxn = {{maxn.foo}};", 1, "the constant 'maxn.foo' is not defined"),
        ("submissions/accepted/first.py", "print({{maxm}})", 1, "the constant 'maxm' is not defined"),
        ("data/secret/test_group.yaml", "\noutput_validator_args: [{{eps2}}]", 2, "the constant 'eps2' is not defined"),
    ],
)
def test_a_constant_that_is_not_defined_is_named(tmp_path: Path, path: str, text: str, line: int, reason: str) -> None:
    row = refusal_of(as_folder(tmp_path, "p", with_constants(**{path: text})))
    place = "output_validator" if path.startswith("output") else path
    assert (row.file, row.line, row.reason) == (f"p/{place}", line, reason)


def test_a_constant_of_a_tex_statement_that_is_not_defined_is_named(tmp_path: Path) -> None:
    tex = {"statement/problem.en.md": None, "statement/problem.en.tex": "x\n\\constant{maxm}"}
    files = {path: text for path, text in (with_constants() | tex).items() if text is not None}
    row = refusal_of(as_folder(tmp_path, "p", files))
    assert (row.file, row.line) == ("p/statement/problem.en.tex", 2)
    assert "the constant 'maxm' is not defined" in row.reason


@pytest.mark.parametrize(
    ("constants", "reason"),
    [
        ("constants: 5\n", "constants must be numbers and texts by name"),
        ("constants: {a: {tex: 5}}\n", "the constant 'a' has no value"),
        ("constants: {a: true}\n", "the constant 'a' must be a number or a text, not True"),
        ("constants: {a: [1]}\n", "the constant 'a' must be a number or a text"),
        ("constants: {a: {value: {b: 1}}}\n", "the constant 'a' must be a number or a text"),
        ("constants: {a: {value: 1, 2: x}}\n", "the constant 'a' has the variant 2, which is no name"),
        ("constants: {a-b: 1}\n", "the constant 'a-b' has no name"),
        ("constants: {1: 1}\n", "the constant 1 has no name"),
        ("constants: {a: " + "x" * 2001 + "}\n", "the constant 'a' must be a number or a text"),
    ],
)
def test_constants_that_are_none(tmp_path: Path, constants: str, reason: str) -> None:
    row = refusal_of(as_folder(tmp_path, "p", with_constants(constants)))
    assert (row.file, row.line) == ("p/problem.yaml", 4)
    assert reason in row.reason


def test_constants_put_no_gigabytes_into_a_file(tmp_path: Path) -> None:
    files = with_constants(f"constants: {{a: {'x' * 2000}}}\n", **{"statement/problem.en.md": "{{a}}" * 100_000})
    assert "its constants have more than 4 Mi characters" in refusal_of(as_folder(tmp_path, "p", files)).reason
