"""The league against the real judge: references pass and nothing else does; the verbs that make and prove tests."""

import gzip
import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from support.files import READ_AT
from support.small_league import small_league as part_of_it
from typer.testing import CliRunner, Result

from app.cli.problems.league import league as verbs
from app.cli.problems.league_proof import (
    find_input_fault,
    generate_inputs,
    make_tests,
    prove_item,
    prove_league_problem,
)
from app.domain.errors import InvalidProblem, NotFound
from app.domain.imports import ImportedProgram
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Form, Limits, ProblemSpec
from app.domain.testgen.trivial_programs import trivial_programs
from scrapers.suites.house import League, load_items, load_league
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.judge import JudgeSettings

LEAGUE = Path(__file__).resolve().parents[2] / "league"
SLUGS = sorted(path.parent.name for path in LEAGUE.glob("*/problem.toml"))
PLAYED = [slug for slug in SLUGS if slug != "sealed-box"]

MakeLeague = Callable[..., Path]

pytestmark = pytest.mark.sandbox


def too_slow(program: ImportedProgram) -> bool:
    """Known to be right but too slow: each takes the judge seconds."""
    return program.name.startswith("wrong_slow")


# All of them take minutes; what is shipped was proven when it was made, and a test holds the contents against that.
# Of text, of a function, of a class, interactive, and with a checker.
DIFFERENT = ("lamp-quota", "drift-median", "key-ring", "sounding-line", "tow-order")
COMPILED = DIFFERENT[:1]  # of which the reference in C++ is tried as well: most of a second is its compilation
# Of another one of text the references in Python are proven below.
LANGUAGES = (("python", DIFFERENT[1:]), ("cpp", COMPILED))
TRIED = [
    pytest.param(slug, language, marks=[pytest.mark.slow] * (slug not in tried))
    for language, tried in LANGUAGES
    for slug in PLAYED
]


@pytest.mark.parametrize(("slug", "language"), TRIED)
def test_references_pass_and_nothing_else_does(judge: AnsweringJudge, league: League, slug: str, language: str) -> None:
    problem = league.problems[slug]
    programs = [program for program in problem.programs if program.language == language]
    assert {program.language for program in problem.programs} == dict(LANGUAGES).keys()
    assert any(program.reference for program in programs)
    for program in programs:
        if program.reference:
            result = judge.grade(problem.spec, program.code, language)
            assert result.verdict is Verdict.ACCEPTED, (program.name, result.message)
            assert result.cpu_ms < problem.spec.limits.time_ms / 4, program.name
        elif not too_slow(program):
            result = judge.grade(problem.spec, program.code, language)
            assert result.verdict not in (Verdict.ACCEPTED, Verdict.COMPILE_ERROR, Verdict.JUDGE_ERROR), program.name
    for name, code in trivial_programs(problem.spec).items() if language == "python" else ():
        result = judge.grade(problem.spec, code, "python")
        assert result.verdict not in (Verdict.ACCEPTED, Verdict.COMPILE_ERROR, Verdict.JUDGE_ERROR), name


@pytest.mark.slow
@pytest.mark.parametrize("slug", PLAYED)
def test_slow_programs_run_out_of_time_or_ask_too_often(judge: AnsweringJudge, league: League, slug: str) -> None:
    problem = league.problems[slug]
    for program in filter(too_slow, problem.programs):
        result = judge.grade(problem.spec, program.code, program.language)
        asks = problem.spec.form is Form.INTERACTIVE and "too many" in result.message
        # Who remembers every step may run out of memory first, by how fast the host is.
        ends = (Verdict.TIME_LIMIT, Verdict.MEMORY_LIMIT)
        assert asks or result.verdict in ends, (program.name, result.verdict, result.message)


def test_one_slow_program_runs_out_of_time(judge: AnsweringJudge, league: League) -> None:
    problem = league.problems["cargo-balance"]
    slow = next(filter(too_slow, problem.programs))
    hurried = replace(problem.spec, limits=replace(problem.spec.limits, time_ms=300))  # the problem's own takes longer
    result = judge.grade(hurried, slow.code, slow.language)
    assert result.verdict is Verdict.TIME_LIMIT
    assert result.passed > 0


def test_nothing_passes_the_impossible_problem(judge: AnsweringJudge, league: League) -> None:
    sealed = league.problems["sealed-box"]
    tries = {program.name: program.code for program in sealed.programs} | dict(trivial_programs(sealed.spec))
    assert len(tries) >= 6
    for name, code in tries.items():
        verdict = judge.grade(sealed.spec, code, "python").verdict
        assert verdict not in (Verdict.ACCEPTED, Verdict.JUDGE_ERROR), name


def test_a_validator_is_itself_tried(judge: AnsweringJudge, league: League, small_league: MakeLeague) -> None:
    folder = small_league("wave-crests")
    inputs = [test.input for test in league.problems["wave-crests"].spec.tests[:5]]
    refused = find_input_fault(judge, league.problems["wave-crests"], [*inputs, "1\n5000\n"])
    assert refused is not None
    assert f"refuses input {len(inputs) + 1}" in refused
    generator = folder / "wave-crests" / "generate.py"
    generator.write_text("def validate(given):\n    pass\n")
    accepted = find_input_fault(judge, load_league(folder, READ_AT).problems["wave-crests"], inputs)
    assert accepted == 'validate accepts ""'


def test_seals_are_drawn_once(judge: AnsweringJudge, league: League) -> None:
    sealed = league.problems["sealed-box"]
    tests = sealed.spec.tests
    known, half = [test.expected for test in tests], len(tests) // 2
    rows = [row["expected"] for row in make_tests(judge, sealed, tests[:half])]
    kept, drawn = rows[:half], set(rows[half:])
    assert half > 0
    assert kept == known[:half]
    assert len(drawn) == len(tests) - half
    assert not drawn & set(known)


FEW = ("ref_1.py", "ref_2.py", "wrong_open_ends.py", "wrong_shoulder.py")


def brief(folder: Path, count: int = 6) -> Path:
    """The small league's problem with its first inputs and a few of its programs, of which the wrong ones fail on six
    inputs, too."""
    problem = folder / "wave-crests"
    generator, tests = problem / "generate.py", problem / "tests.jsonl.gz"
    text = generator.read_text(encoding="utf-8")
    generator.write_text(
        text.replace("    yield from (", f"    del records[{count}:]\n    yield from ("), encoding="utf-8"
    )
    rows = gzip.decompress(tests.read_bytes()).splitlines(keepends=True)
    tests.write_bytes(gzip.compress(b"".join(rows[:count])))
    for program in (problem / "programs").iterdir():
        if program.name not in FEW:
            program.unlink()
    return folder


def replaced(folder: Path, name: str, text: str) -> None:
    """Put another text into a file of the small league's only problem."""
    (folder / "wave-crests" / name).write_text(text, encoding="utf-8")


def copied(folder: Path, name: str, other: str) -> None:
    programs = folder / "wave-crests" / "programs"
    shutil.copy(programs / other, programs / name)


MISSES: dict[str, tuple[str, Callable[[Path], None]]] = {
    "a wrong program that is right": (
        "wrong program wrong_shoulder: AC",
        lambda folder: copied(folder, "wrong_shoulder.py", "ref_1.py"),
    ),
    "a wrong program that does not compile": (
        "wrong program wrong_shoulder: CE",
        lambda folder: replaced(folder, "programs/wrong_shoulder.py", "# no program\nif\n"),
    ),
    "a reference that is wrong": (
        "reference ref_2: WA",
        lambda folder: copied(folder, "ref_2.py", "wrong_open_ends.py"),
    ),
    "a generator that fails": (
        "input 1: runtime_error",
        lambda folder: replaced(folder, "generate.py", "raise SystemExit(3)\n"),
    ),
    "a generator that makes other inputs": (
        "the generator's inputs differ",
        lambda folder: replaced(
            folder, "generate.py", (folder / "wave-crests/generate.py").read_text().replace("[[0]", "[[2]")
        ),
    ),
    "a generator that makes an input twice": (
        "prints the same input twice",
        lambda folder: replaced(folder, "generate.py", "print('\"1\\\\n5\\\\n\"')\n" * 2),
    ),
    "a generator that prints no JSON": (
        "a line is not JSON",
        lambda folder: replaced(folder, "generate.py", "print(1, 2)\n"),
    ),
}


TOGETHER = ("a wrong program that is right", "a reference that is wrong", "a generator that fails")


@pytest.mark.parametrize("names", [TOGETHER, *[pytest.param((name,), marks=pytest.mark.slow) for name in MISSES]])
def test_a_test_set_that_proves_nothing_is_told(
    judge: AnsweringJudge, small_league: MakeLeague, names: Sequence[str]
) -> None:
    folder = brief(small_league("wave-crests"))
    for name in names:
        MISSES[name][1](folder)
    proof = prove_league_problem(judge, load_league(folder, READ_AT).problems["wave-crests"])
    assert [
        words for words, _ in map(MISSES.__getitem__, names) if not any(words in miss for miss in proof.misses)
    ] == []
    assert proof.line().endswith("MISSED")


@pytest.mark.parametrize("name", ["a generator that prints no JSON", "a generator that makes an input twice"])
def test_a_generator_that_makes_no_inputs_is_told(judge: AnsweringJudge, small_league: MakeLeague, name: str) -> None:
    folder = small_league("wave-crests")
    words, broken = MISSES[name]
    broken(folder)
    with pytest.raises(InvalidProblem, match=words):
        generate_inputs(judge, load_league(folder, READ_AT).problems["wave-crests"])


def test_too_few_tests_let_wrong_programs_and_shams_pass(judge: AnsweringJudge, small_league: MakeLeague) -> None:
    folder = brief(small_league("wave-crests"), 1)
    for name in ("generate.py", "problem.toml"):
        path = folder / "wave-crests" / name
        path.write_text(path.read_text().replace("examples = 3", "examples = 1"))
    proof = prove_league_problem(judge, load_league(folder, READ_AT).problems["wave-crests"])
    assert any(miss.startswith("wrong program") for miss in proof.misses)
    assert {"trivial program constant: AC", "trivial program examples: AC"} <= set(proof.misses)
    assert proof.trivial_rejected == 2


# --- the verbs ---


def run(*arguments: str) -> Result:
    """One call of `tidemark league`."""
    return CliRunner().invoke(verbs, list(arguments))


@pytest.fixture(autouse=True)
def _sandbox_of_the_session(judge_settings: JudgeSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Verbs find the sandbox by the environment, like any caller's."""
    monkeypatch.setenv("TIDEMARK_SANDBOX_ROOT", str(judge_settings.sandbox_root))
    monkeypatch.setenv("TIDEMARK_SCRATCH_DIR", str(judge_settings.scratch))


def test_building_again_gives_the_same_bytes(small_league: MakeLeague) -> None:
    folder = small_league("flag-hoist", "sealed-box")
    (folder / "flag-hoist" / "tests.jsonl.gz").unlink()
    result = run("build", "--league", str(folder))
    assert result.exit_code == 0, result.output
    shipped = (LEAGUE / "flag-hoist" / "tests.jsonl.gz").read_bytes()
    assert (folder / "flag-hoist" / "tests.jsonl.gz").read_bytes() == shipped
    assert result.output.startswith("flag-hoist: 23 tests, ")
    sealed = folder / "sealed-box" / "tests.jsonl.gz"
    assert sealed.read_bytes() == (LEAGUE / "sealed-box" / "tests.jsonl.gz").read_bytes()


def test_proving_records_what_holds_and_fails_on_a_miss(small_league: MakeLeague) -> None:
    """One problem is proven, and of another a wrong program is right: what was kept of its proof goes."""
    folder = brief(small_league("wave-crests", "sealed-box"))
    league, other = folder / "league.toml", folder / "wave-troughs"
    shutil.copytree(folder / "wave-crests", other)
    shutil.copy(other / "programs" / "ref_1.py", other / "programs" / "wrong_shoulder.py")
    league.write_text(league.read_text().replace('"wave-crests"', '"wave-crests", "wave-troughs"'))
    missed = load_league(folder, READ_AT).problems["wave-troughs"]
    (folder / "proofs.json").write_text(json.dumps({"wave-troughs": {"sha256": missed.sha256}}))
    assert load_league(folder, READ_AT).problems["wave-troughs"].proof is not None
    result = run("prove", "--league", str(folder))
    assert result.exit_code == 1, result.output
    lines = [line.split() for line in result.output.splitlines()]
    assert [line[0] for line in lines] == ["problem", "sealed-box", "wave-crests", "wave-troughs", "MISS", "1"]
    assert [line[-1] for line in lines[1:4]] == ["ok", "ok", "MISSED"]
    assert "MISS wrong program wrong_shoulder: AC" in result.output
    proofs = json.loads((folder / "proofs.json").read_text())
    problem = load_league(folder, READ_AT).problems["wave-crests"]
    assert list(proofs) == ["wave-crests"]
    assert problem.proof == proofs["wave-crests"]
    assert proofs["wave-crests"]["runs"] == 3


def test_proofs_of_items_are_kept_but_for_unittests(tmp_path: Path) -> None:
    folder = part_of_it(tmp_path / "league", {"house-1": ("wave-crests",)}, items=("berth-gaps", "harbour/waits"))
    known = json.loads((folder / "proofs.json").read_text())
    without = {name: proof for name, proof in known.items() if name != "house-coco CU/berth-gaps"}
    (folder / "proofs.json").write_text(json.dumps(without))
    result = run("prove", "items", "--league", str(folder))
    assert result.exit_code == 0, result.output
    assert [line.split()[0] for line in result.output.splitlines()] == ["problem", "CU/berth-gaps", "harbour/waits"]
    assert set(json.loads((folder / "proofs.json").read_text())) == {"wave-crests", "house-coco CU/berth-gaps"}


def test_an_unknown_problem_is_named(small_league: MakeLeague) -> None:
    result = run("prove", "atlantis", "--league", str(small_league("wave-crests")))
    assert isinstance(result.exception, NotFound)
    assert "atlantis" in str(result.exception)


# --- what programs answer ---


def test_answers_come_from_the_sandbox(judge: AnsweringJudge) -> None:
    spec = ProblemSpec("double", Form.STDIN, ())
    code = "import os\nprint(2 * int(input()), os.getuid() == 0, os.path.exists('/etc/passwd'))\n"
    assert judge.answers(spec, code, "python", ["1\n", "21\n"]) == ["2 False False\n", "42 False False\n"]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("print(input())\nraise SystemExit(1)\n", "input 1: runtime_error: exit code 1"),
        ("if input() == 'b':\n    while True:\n        pass\n", "input 2: time_limit"),
        ("import sys\nsys.stdout.buffer.write(b'\\xff')\n", "input 1: 'utf-8' codec"),
        ("x = [0] * (1 << 30)\n", "input 1: memory_limit"),
    ],
)
def test_a_program_without_an_answer_is_told(judge: AnsweringJudge, code: str, words: str) -> None:
    spec = ProblemSpec("echo", Form.STDIN, (), limits=Limits(time_ms=100))
    with pytest.raises(InvalidProblem, match=words):
        judge.answers(spec, code, "python", ["a\n", "b\n"])


def test_a_returned_object_is_no_answer(judge: AnsweringJudge, league: League) -> None:
    spec = league.problems["berth-numbers"].spec
    with pytest.raises(InvalidProblem, match="input 1"):
        judge.answers(spec, "def digit_plates(first, last):\n    return object()\n", "python", [[1, 2]])


def test_an_unknown_language_has_no_answers(judge: AnsweringJudge) -> None:
    with pytest.raises(InvalidProblem, match="fortran is not judged here"):
        judge.answers(ProblemSpec("echo", Form.STDIN, ()), "END", "fortran", [""])


def test_items_are_shipped_proven_but_for_unittests(league: League) -> None:
    """Any change needs `./tidemark league prove items`. What unittests reach depends on a judge's packages."""
    for item in league.items:
        proof, programs = item.problem.shipped_proof, item.problem.programs
        assert (proof is not None) == (bool(programs) and item.problem.form is not Form.UNITTEST), item.name
        if proof is not None:
            assert proof["references"] == sum(program.reference for program in programs) > 0
            assert proof["wrong"] == sum(not program.reference for program in programs)
            assert proof["runs"] == 3


def test_an_item_is_not_proven_by_a_proof_of_another_content(tmp_path: Path) -> None:
    for name in ("coco.toml", "items.json", "proofs.json"):
        shutil.copy(LEAGUE / name, tmp_path)
    (tmp_path / "proofs.json").write_text((LEAGUE / "proofs.json").read_text().replace('sha256": "', 'sha256": "0'))
    assert {item.problem.shipped_proof for item in load_items(tmp_path, READ_AT)} == {None}


@pytest.mark.slow
def test_items_in_the_forms_of_suites_tell_right_from_wrong(judge: AnsweringJudge, league: League) -> None:
    assert {item.name: misses for item in league.items if (misses := prove_item(judge, item).misses)} == {}
