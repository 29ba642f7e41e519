"""Real packages of public repositories, of which only the data files are here: what can be judged, and what cannot."""

import shutil
from pathlib import Path

import pytest
from support.packages import problem_of, read, refusal_of

from app.domain.problems import CheckerKind, Form, Limits

STATEMENT = "# A problem\n\nIts text is kept elsewhere.\n"


@pytest.fixture(scope="module")
def packages(shared: Path) -> Path:
    return shared / "captures" / "packages"


def copied(packages: Path, name: str, root: Path, **files: str) -> Path:
    """A package with what a test gives it besides."""
    shutil.copytree(packages / name, root / name)
    for path, text in files.items():
        place = root / name / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return root / name


@pytest.mark.parametrize(
    ("name", "place", "reason"),
    [
        ("bapc_divsort", "", "no test"),
        ("bapc_multipass", "/problem.yaml", "multi-pass"),
        ("dmoj_batched", "", "no statement"),
        ("dmoj_bridged_checker", "/checker.c", "the checker is missing"),
        ("dmoj_bridged_interactor", "/interactor.cpp", "the interactor is missing"),
        ("dmoj_floats", "", "no statement"),
        ("dmoj_interactive", "/init.yml", "'custom_judge' is not judged here"),
        ("dmoj_normalize", "/init.yml", "DMOJ's own Python"),
        ("domjudge_boolfind", "/data/secret/10.in", "the test's input is missing"),
        ("domjudge_fltcmp", "", "no statement"),
        ("kattis_different", "/output_validators", "the output validator is missing"),
        ("kattis_format_interactive", "/output_validator", "the interactor is missing"),
        ("kattis_guess", "/output_validator", "the interactor is missing"),
        ("lc_aplusb", "", "none of problem.xml"),
        ("lc_maximum_independent_set", "", "none of problem.xml"),
        ("lc_sqrt_mod", "", "none of problem.xml"),
    ],
)
def test_what_is_missing_is_said(packages: Path, name: str, place: str, reason: str) -> None:
    row = refusal_of(packages / name)
    assert row.file == f"{name}{place}"
    assert reason in row.reason


def test_the_format_with_every_feature(packages: Path) -> None:
    batch = read(packages / "kattis_format_maximal")
    [problem] = batch.problems
    assert problem.titles == {"en": "Sample Problem", "sv": "Exempelproblem"}
    assert (problem.limits, len(problem.tests), problem.tags) == (Limits(10_000, 1024, 8192), 5, ("example",))
    assert "Print $N \\pm 1$." in problem.statements["en"].text
    assert problem.flags == ("image",)
    assert problem.checker.ignore_case


def test_a_scoring_package(packages: Path) -> None:
    batch = read(packages / "kattis_oddecho")
    [problem] = batch.problems
    assert [test.visible for test in problem.tests] == [True] * 2 + [False] * 13
    assert problem.statements["sv"].text.startswith("**EKO! Eko! Ek...**")
    assert "Group | Points | Constraints\n$1$ | $1$ | $N$ is always $5$" in problem.statements["en"].text
    assert any("accepted when it passes all tests" in note for note in batch.notes)


@pytest.mark.parametrize("name", ["kattis_different", "kattis_guess", "domjudge_boolfind", "kattis_format_interactive"])
def test_packages_with_a_validator_again(packages: Path, tmp_path: Path, name: str) -> None:
    old = name in ("kattis_different", "domjudge_boolfind")
    validator = {f"output_validator{'s/v' if old else ''}/validate.py": "import sys\nsys.exit(42)\n"}
    extra = (
        {"statement/problem.en.tex": "Find it."} if name in ("domjudge_boolfind", "kattis_format_interactive") else {}
    )
    inputs = {"kattis_format_interactive": ("1",), "domjudge_boolfind": ("9", "10")}.get(name, ())
    tests = {f"data/secret/{each}.in": "1\n" for each in inputs}
    [problem] = read(copied(packages, name, tmp_path, **validator, **extra, **tests)).problems
    if name == "kattis_different":
        assert (problem.form, problem.checker.kind, len(problem.tests)) == (Form.STDIN, CheckerKind.KATTIS, 3)
        assert problem.limits.time_ms == 10_000
        return
    assert problem.interactor is not None
    assert (problem.form, problem.interactor.protocol) == (Form.INTERACTIVE, CheckerKind.KATTIS)
    if name == "kattis_guess":
        assert "> 792\n< higher" in problem.statements["en"].text
        assert "## Interaction" in problem.statements["en"].text
        assert "- `lower` om talet" in problem.statements["sv"].text
    if name == "domjudge_boolfind":
        assert (problem.limits.time_ms, len(problem.tests), problem.title) == (5000, 10, "Boolean switch search")


def test_domjudge_floats(packages: Path, tmp_path: Path) -> None:
    [problem] = read(copied(packages, "domjudge_fltcmp", tmp_path, **{"statement/problem.en.md": STATEMENT})).problems
    checker = problem.checker
    assert (checker.kind, checker.abs, checker.rel, problem.limits.time_ms) == (CheckerKind.FLOAT, 1e-6, 1e-6, 5000)
    assert [test.visible for test in problem.tests] == [True, False, False, False]


def test_dmoj_packages_with_what_they_lack(packages: Path, tmp_path: Path) -> None:
    """Test cases without a file read nothing; batches are in their order."""
    said = {"statement/problem.en.md": STATEMENT}
    floats = read(copied(packages, "dmoj_floats", tmp_path, **said)).problems[0]
    assert (len(floats.tests), floats.checker.kind, floats.title) == (7, CheckerKind.TESTLIB, "A problem")
    batched = read(copied(packages, "dmoj_batched", tmp_path, **said)).problems[0]
    assert [test.input for test in batched.tests] == ["", "", ""]
    assert batched.tests[0].expected == batched.tests[2].expected != batched.tests[1].expected
    bridged = copied(packages, "dmoj_bridged_checker", tmp_path, **said, **{"checker.c": '#include "testlib.h"\n'})
    assert read(bridged).problems[0].checker.language == "c"
    talk = copied(packages, "dmoj_bridged_interactor", tmp_path, **said, **{"interactor.cpp": '#include "testlib.h"\n'})
    [problem] = read(talk).problems
    assert problem.form is Form.INTERACTIVE
    assert [len(test.input) > 0 for test in problem.tests] == [True, True]


def test_reading_a_package_reads_nothing_else(packages: Path, tmp_path: Path) -> None:
    """Twice the same, from wherever it lies."""
    first = problem_of(tmp_path, "kattis_oddecho", {
        path.relative_to(packages / "kattis_oddecho").as_posix(): path.read_bytes()
        for path in (packages / "kattis_oddecho").rglob("*") if path.is_file()
    })  # fmt: skip
    assert read(packages / "kattis_oddecho").problems == (first,)
