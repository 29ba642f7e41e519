"""The Chinese set beside the league: what its files hold, how a broken one is refused, and that it is proven."""

import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from support.files import READ_AT
from typer.testing import CliRunner

from app.cli.problems.league import league as verbs
from app.cli.problems.league_proof import prove_asserts
from app.domain.asking.protocols import PRESETS
from app.domain.errors import InvalidImport
from app.domain.imports import ImportBatch
from app.domain.unittests.assertions import ConvertedTest, read_tests
from scrapers.suite import find_suite
from scrapers.suites.code3 import HOUSE, TASK_TYPES, Code3Problem, lines_of_code, load_set
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.judge import JudgeSettings

LEAGUE = Path(__file__).resolve().parents[2] / "league"
FOLDER = LEAGUE / "code3"
SLUGS = sorted(path.stem for path in FOLDER.glob("*.toml"))
LENGTHS = {
    1.0: range(2, 6),
    2.0: range(6, 11),
    3.0: range(16, 80),
}  # lines of the first reference, as its README has it


@pytest.fixture(scope="module")
def written() -> dict[str, Code3Problem]:
    """The set as it is shipped."""
    return dict(load_set(FOLDER, READ_AT))


def imported(folder: Path) -> ImportBatch:
    suite = find_suite("code3")
    return suite.read(suite.load(folder), {}, READ_AT)


def test_the_levels_have_the_shares_of_the_published_set(written: dict[str, Code3Problem]) -> None:
    levels = Counter(one.problem.difficulty for one in written.values())
    assert len(written) >= 60
    for level, published in ((1.0, 90), (2.0, 67), (3.0, 38)):
        assert levels["level", level] == round(len(written) * published / 195)
    kinds = Counter(one.problem.tags for one in written.values())
    assert set(kinds) == {(str(kind),) for kind in TASK_TYPES}
    assert min(kinds.values()) >= len(written) // 8


@pytest.mark.parametrize("slug", SLUGS)
def test_a_problem_is_complete(written: dict[str, Code3Problem], slug: str) -> None:
    one = written[slug]
    problem, calls = one.problem, one.calls
    assert len(calls) >= 8
    assert len({repr(call.arguments) for call in calls}) == len(calls)
    assert len(one.examples) >= 2
    assert all(call in calls for call in one.examples)
    assert all(isinstance(test, ConvertedTest) for test in read_tests(problem.tests[0].input, problem.entry))
    assert not problem.title.isascii()
    compile(problem.statements["zh"].starter_code["python"], slug, "exec")
    right = [program for program in problem.programs if program.reference]
    wrong = [program for program in problem.programs if not program.reference]
    assert len(right) >= 2
    assert len(wrong) >= 2
    assert all(program.code.startswith("# ") for program in wrong)
    assert problem.difficulty is not None
    assert lines_of_code(right[0].code) in LENGTHS[problem.difficulty[1]]


@pytest.mark.parametrize("slug", SLUGS)
def test_what_is_shipped_was_proven(written: dict[str, Code3Problem], slug: str) -> None:
    """Any change to a file needs `./tidemark league prove`, which tries every program."""
    problem = written[slug].problem
    proof = problem.shipped_proof
    assert proof is not None, f"the contents of {slug} were not proven: run `./tidemark league prove {slug}`"
    assert proof["references"] == sum(program.reference for program in problem.programs)
    assert proof["wrong"] == sum(not program.reference for program in problem.programs)
    assert proof["shams"] == 4


def test_the_folder_is_imported_as_a_set_of_its_own(written: dict[str, Code3Problem]) -> None:
    batch = imported(FOLDER)
    assert batch.sources == (HOUSE,)
    assert batch.problems == tuple(one.problem for one in written.values())
    assert {problem.source for problem in batch.problems} == {HOUSE.slug}
    [protocol] = [protocol for protocol in PRESETS if protocol.slug == "code3"]
    assert HOUSE.slug in protocol.covers.sources


MakeSet = Callable[..., Path]


@pytest.fixture
def small_set(tmp_path: Path) -> MakeSet:
    """Makes a set of shipped problems in a temporary folder, where a change is made to the first."""

    def make(*slugs: str, old: str = "", new: str = "") -> Path:
        folder = tmp_path / "code3"
        folder.mkdir(exist_ok=True)
        for slug in slugs:
            shutil.copy(FOLDER / f"{slug}.toml", folder)
        path = folder / f"{slugs[0]}.toml"
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return folder

    return make


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("level = 1", "level = ", "line 2"),
        ("level = 1", "level = 7", "level is 7, not 1, 2 or 3"),
        ('task_type = "math"', 'task_type = "maths"', "task_type 'maths' is not known"),
        ("def check(", "def chec(", "the test source has no tests"),
        ("def ganzhi(year):", "def 干支(year):", "canonical_solution does not define ganzhi"),
    ],
)
def test_a_broken_file_is_named(small_set: MakeSet, old: str, new: str, reason: str) -> None:
    folder = small_set("ganzhi-year", "mahjong-sort", old=old, new=new)
    batch = imported(folder)
    assert [problem.external_id for problem in batch.problems] == ["mahjong-sort"]
    [bad] = batch.bad_rows
    assert bad.file == "ganzhi-year.toml"
    assert reason in bad.reason


def test_what_does_not_belong_is_refused(small_set: MakeSet, tmp_path: Path) -> None:
    folder = small_set("ganzhi-year")
    (folder / "ganzhi-year.toml.orig").write_text("old")
    batch = imported(folder)
    assert [(bad.file, bad.reason) for bad in batch.bad_rows] == [
        ("ganzhi-year.toml.orig", "this file does not belong here")
    ]
    assert len(batch.problems) == 1
    (folder / "ganzhi-year.toml.orig").unlink()
    (folder / "proofs.json").write_text("[]")
    with pytest.raises(InvalidImport, match="not an object of objects"):
        imported(folder)
    (tmp_path / "none").mkdir()
    with pytest.raises(InvalidImport, match="the folder holds no problem"):
        imported(tmp_path / "none")


def test_a_proof_and_the_digest_follow_the_contents(small_set: MakeSet) -> None:
    folder = small_set("ganzhi-year")
    shutil.copy(FOLDER / "proofs.json", folder)
    before = imported(folder)
    assert before.problems[0].shipped_proof is not None
    after = imported(small_set("ganzhi-year", old="六十年一轮回", new="六十年一循环"))
    assert after.problems[0].shipped_proof is None
    assert after.file_sha256 != before.file_sha256


# --- the judge ---


@pytest.mark.slow
@pytest.mark.sandbox
@pytest.mark.parametrize("slug", SLUGS)
def test_references_pass_and_nothing_else_does(
    judge: AnsweringJudge, written: dict[str, Code3Problem], slug: str
) -> None:
    """All of them take minutes. What is shipped was proven when it was made, and a test above holds the contents to
    that; one of them is proven below."""
    assert prove_asserts(judge, written[slug]).misses == []


@pytest.mark.sandbox
def test_the_verb_proves_the_set_and_tells_what_passes(
    small_set: MakeSet, tmp_path: Path, judge_settings: JudgeSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIDEMARK_SANDBOX_ROOT", str(judge_settings.sandbox_root))
    monkeypatch.setenv("TIDEMARK_SCRATCH_DIR", str(judge_settings.scratch))
    shutil.copytree(LEAGUE / "sealed-box", tmp_path / "sealed-box")
    (tmp_path / "league.toml").write_text(
        '[[contest]]\nslug = "one"\ntitle_en = "One"\ntitle_zh = "一"\n'
        "starts_at = 2026-01-10T12:00:00Z\nduration_min = 90\nproblems = []\n"
    )
    right = "order = year - 4 + (year < 0)\n"
    folder = small_set("ganzhi-year", "mahjong-sort", old="order = year - 4\n", new=right)
    done = CliRunner().invoke(verbs, ["prove", "ganzhi-year", "mahjong-sort", "--league", str(tmp_path)])
    assert done.exit_code == 1
    assert done.output.count("MISS ") == done.output.count("MISS wrong program year_zero: AC") == 1
    proofs = json.loads((folder / "proofs.json").read_text())
    assert list(proofs) == ["mahjong-sort"]
    assert [problem.shipped_proof for problem in imported(folder).problems] == [None, proofs["mahjong-sort"]]
