"""The league's folder: what the shipped one holds, and how a broken one is refused."""

import gzip
import json
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from support.files import READ_AT

from app.domain.errors import InvalidImport, InvalidProblem
from app.domain.imports import TestsSource
from app.domain.problems import CheckerKind, Form, Level, Test
from app.domain.publishing.bands import LABELS
from scrapers.suite import SourceFile, find_suite, read_file
from scrapers.suites._common.league import LeagueProblem
from scrapers.suites.house import League, as_batch, load_demo_models, load_items, load_league, load_problem

LEAGUE = Path(__file__).resolve().parents[2] / "league"
SLUGS = sorted(path.parent.name for path in LEAGUE.glob("*/problem.toml"))
PLAYED = [slug for slug in SLUGS if slug != "sealed-box"]
CALLED = (Form.FUNCTION, Form.CLASS)
SHIPPED_ON = datetime(2026, 11, 21, tzinfo=UTC)

MakeLeague = Callable[..., Path]


def test_the_league_is_large_and_mixed(league: League) -> None:
    problems = [league.problems[slug] for slug in PLAYED]
    assert len(problems) >= 80
    levels = Counter(problem.level for problem in problems)
    assert min(levels[level] for level in LABELS) >= 20
    assert min(levels[level] for level in (Level.EXPERT, Level.EXTREME)) >= 3
    forms = Counter(problem.spec.form for problem in problems)
    assert min(forms[form] for form in (Form.STDIN, Form.FUNCTION)) >= 30
    assert forms[Form.CLASS] >= 2
    kinds = Counter(problem.spec.checker.kind for problem in problems)
    assert kinds[CheckerKind.FLOAT] >= 2
    assert kinds[CheckerKind.UNORDERED] >= 1
    assert kinds[CheckerKind.TESTLIB] >= 1
    assert forms[Form.INTERACTIVE] >= 8
    assert sum(problem.spec.checker.kind is not CheckerKind.TOKENS for problem in problems) >= 12


def test_contests_are_apart_and_mix_levels_and_forms(league: League) -> None:
    """A contest is one observation of every figure: it must not be of one level or form, nor share its week."""
    starts = [contest.starts_at for contest in league.contests]
    assert starts == sorted(starts)
    assert all(SHIPPED_ON - timedelta(days=365) < start < SHIPPED_ON for start in starts)
    assert all(later - earlier >= timedelta(days=7) for earlier, later in pairwise(starts))
    for contest in league.contests:
        problems = [league.problems[slug] for slug in contest.problems]
        assert 3 <= len(problems) <= 5, contest.slug
        assert len({problem.level for problem in problems}) >= 3, contest.slug
        assert len({problem.spec.form for problem in problems}) >= 2, contest.slug
        assert contest.ends_at - contest.starts_at == timedelta(minutes=120)
        assert set(contest.titles) == {"en", "zh"}
        assert contest.titles["en"].isascii()
        assert not contest.titles["zh"].isascii()


@pytest.mark.parametrize("slug", SLUGS)
def test_a_problem_is_complete(league: League, slug: str) -> None:
    problem = league.problems[slug]
    assert problem.slug == slug
    assert 20 <= len(problem.spec.tests) <= 32
    assert (LEAGUE / slug / "tests.jsonl.gz").stat().st_size <= 250_000
    form = problem.spec.form
    shown = 0 if form is Form.INTERACTIVE else 3
    assert [test.visible for test in problem.spec.tests].count(True) == problem.examples == shown
    for locale, headings in (("en", ("Constraints", "Input", "Output")), ("zh", ("约束", "输入", "输出"))):
        statement = problem.statements[locale]
        wanted = headings[:1] if form in CALLED else headings
        assert all(f"## {heading}\n" in statement.text for heading in wanted)
        assert statement.title not in statement.text.splitlines()
        assert len(statement.examples) == shown
        assert bool(statement.starter_code) is (form in CALLED)
    assert problem.statements["en"].title.isascii()
    assert not problem.statements["zh"].title.isascii()


@pytest.mark.parametrize("slug", PLAYED)
def test_wrong_programs_say_what_is_wrong_and_differ(league: League, slug: str) -> None:
    problem = league.problems[slug]
    assert all(each.code.startswith(("# ", "// ")) for each in problem.programs_of(reference=False))
    assert any(each.language == "python" for each in problem.programs_of(reference=True))
    assert sum(each.language == "python" for each in problem.programs_of(reference=False)) >= 2
    assert len({program.code for program in problem.programs}) == len(problem.programs)


@pytest.mark.parametrize("slug", PLAYED)
def test_what_is_shipped_was_proven(league: League, slug: str) -> None:
    """Any change to a problem needs `./tidemark league prove`, which tries every program three times."""
    proof = league.problems[slug].proof
    assert proof is not None, f"the contents of {slug} were not proven: run `./tidemark league prove {slug}`"
    assert proof["references"] == len(league.problems[slug].programs_of(reference=True))
    assert proof["wrong"] == len(league.problems[slug].programs_of(reference=False))
    assert proof["shams"] == 4


def test_starter_code_is_python_whichever_spelling_its_types_have(league: League) -> None:
    for problem in league.problems.values():
        for code in problem.statements["en"].starter_code.values():
            compile(code, problem.slug, "exec")
    assert league.problems["reef-paths"].statements["en"].starter_code["python"] == (
        "class Solution:\n"
        "    def countRoutes(self, east: int, north: int, reefs: list[list[int]], scratches: int) -> int:\n"
        "        ...\n"
    )


def test_starter_code_follows_from_the_entry(league: League) -> None:
    assert league.problems["crate-stacks"].statements["en"].starter_code == {
        "python": "class Solution:\n    def fewestStacks(self, crates: List[List[int]]) -> int:\n        ...\n"
    }
    assert league.problems["berth-numbers"].statements["zh"].starter_code == {
        "python": "def digit_plates(first: int, last: int) -> list[int]:\n    ...\n"
    }
    assert league.problems["echo-sounder"].statements["en"].starter_code == {
        "python": (
            "class EchoSounder:\n"
            "    def __init__(self, capacity: int) -> None:\n        ...\n\n"
            "    def ping(self, depth: int) -> None:\n        ...\n\n"
            "    def retract(self) -> int:\n        ...\n\n"
            "    def steepest(self) -> int:\n        ...\n"
        )
    }


def test_a_program_that_decides_lies_beside_its_problem(league: League, small_league: MakeLeague) -> None:
    tow, line = league.problems["tow-order"].spec, league.problems["sounding-line"].spec
    assert tow.checker.program == (LEAGUE / "tow-order" / "checker.py").read_text()
    assert line.interactor is not None
    assert (line.interactor.program, line.interactor.language) == (
        (LEAGUE / "sounding-line" / "interactor.py").read_text(), "python",
    )  # fmt: skip
    batch = {problem.external_id: problem for problem in as_batch(replace(league, live=())).problems}
    assert batch["tow-order"].spec == tow
    assert batch["sounding-line"].spec == line
    folder = small_league("tow-order")
    (folder / "tow-order" / "checker.cpp").write_text("int main() {}\n")
    with pytest.raises(InvalidProblem, match=r"checker\.cpp: this file does not belong here"):
        load_league(folder, READ_AT)


def test_the_impossible_problem_stands_in_no_contest(league: League) -> None:
    sealed = league.problems["sealed-box"]
    assert sealed.canary
    assert league.contest_of("sealed-box") is None
    assert not sealed.programs_of(reference=True)
    assert len({test.expected for test in sealed.spec.tests}) == len(sealed.spec.tests)
    assert all(len(test.expected) == 33 and int(test.expected, 16) >= 0 for test in sealed.spec.tests)


# --- the import ---


def test_the_suite_reads_a_league_by_its_folder(league: League) -> None:
    batch = find_suite("house").read(read_file(LEAGUE / "league.toml"), {}, READ_AT)
    assert batch == as_batch(league, "league.toml")
    assert [source.slug for source in batch.sources] == ["house", "harbour", "house-coco", "house-bigcode"]
    assert {(source.demo, source.show_statements) for source in batch.sources} == {(True, True)}
    by_slug = {problem.external_id: problem for problem in batch.problems if problem.source == "house"}
    assert sorted(by_slug) == sorted(set(SLUGS) - league.held_back)
    split = by_slug["ferry-split"]
    assert split.released_on == datetime(2026, 4, 11, 12, tzinfo=UTC)
    assert split.contest is not None
    assert split.contest.external_id == "house-3"
    assert split.difficulty == ("level", 1.0)
    assert split.titles == {"en": "Ferry Split", "zh": league.problems["ferry-split"].statements["zh"].title}
    assert set(split.statements) == {"en", "zh"}
    assert split.shipped_proof is not None
    assert split.programs == league.problems["ferry-split"].programs
    sealed = by_slug["sealed-box"]
    assert sealed.canary
    assert sealed.contest is None
    assert sealed.released_on == min(contest.starts_at for contest in league.contests)


def test_a_text_without_a_folder_is_no_league() -> None:
    with pytest.raises(InvalidImport, match="give the path"):
        find_suite("house").read(SourceFile("league.toml", "0" * 64, ""), {}, READ_AT)


def test_the_digest_follows_every_file(small_league: MakeLeague) -> None:
    folder = small_league("wave-crests", "sealed-box")
    before = load_league(folder, READ_AT).sha256
    program = folder / "wave-crests" / "programs" / "ref_1.py"
    program.write_text(program.read_text() + "\n")
    assert load_league(folder, READ_AT).sha256 != before


def test_a_proof_holds_only_for_the_contents_it_was_made_of(small_league: MakeLeague) -> None:
    folder = small_league("wave-crests")
    sha256 = load_league(folder, READ_AT).problems["wave-crests"].sha256
    (folder / "proofs.json").write_text(json.dumps({"wave-crests": {"sha256": sha256, "references": 2}}))
    assert load_league(folder, READ_AT).problems["wave-crests"].proof == {"sha256": sha256, "references": 2}
    with (folder / "wave-crests" / "statement.en.md").open("a") as statement:
        statement.write("\nOne word more.\n")
    assert load_league(folder, READ_AT).problems["wave-crests"].proof is None


# --- refusals ---


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def pack(path: Path, rows: list[Any]) -> None:
    path.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode(), mtime=0))


Break = Callable[[Path], Any]

BROKEN: dict[str, tuple[str, Break]] = {
    "no toml": ("problem.toml", lambda it: (it / "problem.toml").write_text("level = ")),
    "no level": ("problem.toml", lambda it: edit(it / "problem.toml", 'level = "easy"', 'level = "trivial"')),
    "no title": ("problem.toml", lambda it: edit(it / "problem.toml", "title_zh", "title_fr")),
    "no form": ("problem.toml", lambda it: edit(it / "problem.toml", '"function"', '"telepathy"')),
    "no entry": ("problem.toml", lambda it: edit(it / "problem.toml", "[entry]", "[exit]")),
    "no limit": ("problem.toml", lambda it: edit(it / "problem.toml", "time_ms = 1000", "time_ms = -5")),
    "a strange checker": (
        "problem.toml",
        lambda it: edit(it / "problem.toml", "[entry]", '[checker]\nkind = "guess"\n[entry]'),
    ),
    "no examples": ("problem.toml", lambda it: edit(it / "problem.toml", "examples = 3", "examples = 0")),
    "no statement": ("statement.zh.md", lambda it: (it / "statement.zh.md").unlink()),
    "an empty statement": ("statement.en.md", lambda it: (it / "statement.en.md").write_text(" \n")),
    "a statement with CR": ("statement.en.md", lambda it: (it / "statement.en.md").write_bytes(b"Text\r\n")),
    "a statement that is no UTF-8": ("statement.en.md", lambda it: (it / "statement.en.md").write_bytes(b"\xff")),
    "no tests": ("tests.jsonl.gz", lambda it: (it / "tests.jsonl.gz").unlink()),
    "tests cut off": ("tests.jsonl.gz", lambda it: (it / "tests.jsonl.gz").write_bytes(b"\x1f\x8b")),
    "tests that are no JSON": ("tests.jsonl.gz", lambda it: (it / "tests.jsonl.gz").write_bytes(gzip.compress(b"{\n"))),
    "hidden examples": (
        "tests.jsonl.gz",
        lambda it: pack(it / "tests.jsonl.gz", [{"input": ["A"], "expected": "A", "visible": False}] * 4),
    ),
    "too many arguments": (
        "tests.jsonl.gz",
        lambda it: pack(it / "tests.jsonl.gz", [{"input": ["A", 1], "expected": "A", "visible": True}] * 3),
    ),
    "text for arguments": (
        "problem.toml",
        lambda it: pack(it / "tests.jsonl.gz", [{"input": "A", "expected": "A", "visible": True}] * 3),
    ),
    "too many tests": (
        "tests.jsonl.gz",
        lambda it: pack(
            it / "tests.jsonl.gz", [{"input": ["A"], "expected": "A", "visible": number < 3} for number in range(101)]
        ),
    ),
    "one reference": ("programs", lambda it: (it / "programs" / "ref_2.py").unlink()),
    "a program of no kind": ("good_1.py", lambda it: (it / "programs" / "good_1.py").write_text("pass\n")),
    "an unknown language": ("ref_3.bas", lambda it: (it / "programs" / "ref_3.bas").write_text("END\n")),
    "an empty program": ("wrong_2.py", lambda it: (it / "programs" / "wrong_2.py").write_text("")),
    "a stray file": ("notes.txt", lambda it: (it / "notes.txt").write_text("to do")),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_problem_is_refused_by_its_file(small_league: MakeLeague, name: str) -> None:
    folder = small_league("flag-hoist")
    file, broken = BROKEN[name]
    load_league(folder, READ_AT)
    broken(folder / "flag-hoist")
    with pytest.raises(InvalidProblem, match=rf"{file}\b"):
        load_league(folder, READ_AT)


@pytest.mark.parametrize(
    ("calls", "reason"),
    [
        ([["Ring", "longest"], [[5], []]], "first call does not make a KeyRing"),
        ([["KeyRing", "drop"], [[5], []]], "drop is no method"),
        ([["KeyRing", "hang"], [[5], []]], "takes another number of arguments"),
        ([["KeyRing", "longest"], [[], []]], "takes another number of arguments"),
    ],
)
def test_calls_that_a_class_does_not_have_are_refused(small_league: MakeLeague, calls: Any, reason: str) -> None:
    folder = small_league("key-ring")
    pack(folder / "key-ring" / "tests.jsonl.gz", [{"input": calls, "expected": [None, 1], "visible": True}] * 3)
    with pytest.raises(InvalidProblem, match=rf"tests\.jsonl\.gz:1: .*{reason}"):
        load_league(folder, READ_AT)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[[contest]]", "[[contes]]"),
        ('"flag-hoist"', '"flag-hoist", "flag-hoist"'),
        ('"flag-hoist"', '"flag-hoist", "atlantis"'),
        ('"flag-hoist"', '"flag-hoist", "sealed-box"'),
        ('"flag-hoist"', ""),
        ("12:00:00Z", "12:00:00"),
        ("duration_min = 90", 'duration_min = "90"'),
        ("title_zh", "title_xx"),
    ],
)
def test_broken_contests_are_refused(small_league: MakeLeague, old: str, new: str) -> None:
    folder = small_league("flag-hoist", "sealed-box")
    edit(folder / "league.toml", old, new)
    with pytest.raises(InvalidProblem, match=r"league\.toml"):
        load_league(folder, READ_AT)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"a": 1}'])
def test_broken_proofs_are_refused(small_league: MakeLeague, text: str) -> None:
    folder = small_league("flag-hoist")
    (folder / "proofs.json").write_text(text)
    with pytest.raises(InvalidProblem, match=r"proofs\.json"):
        load_league(folder, READ_AT)


def test_a_stray_file_beside_the_problems_is_refused(small_league: MakeLeague) -> None:
    folder = small_league("flag-hoist")
    (folder / "league.toml.orig").write_text("old")
    with pytest.raises(InvalidProblem, match=r"league\.toml\.orig"):
        load_league(folder, READ_AT)


def test_a_problem_can_be_read_before_its_tests_are_built(small_league: MakeLeague) -> None:
    folder = small_league("flag-hoist") / "flag-hoist"
    (folder / "tests.jsonl.gz").unlink()
    problem: LeagueProblem = load_problem(folder, built=False)
    assert problem.spec.tests == ()
    assert problem.spec.entry is not None


# --- demo models ---


def test_demo_models() -> None:
    models = {model.slug: model for model in load_demo_models(LEAGUE)}
    assert list(models) == ["pipit-mini", "tern-large", "heron-recall", "plover-busy", "dunlin-think"]
    assert models["tern-large"].efforts == ("low", "high")
    assert all(not model.efforts for slug, model in models.items() if slug != "tern-large")
    for model in models.values():
        assert model.cutoff_on < model.released_on
        assert set(model.behaviours) == set(model.efforts or ("",))
        for manner in model.behaviours.values():
            assert all(0 <= chance <= 1 for chance in (*manner.skill.values(), *manner.habits.values()))
            assert 50 <= manner.latency_ms[0] < manner.latency_ms[1] <= 400
    high, low = models["tern-large"].behaviours["high"], models["tern-large"].behaviours["low"]
    assert all(high.skill[level] > low.skill[level] for level in Level)
    assert high.thought_tokens > low.thought_tokens
    recall = models["heron-recall"].behaviours[""]
    assert recall.skill_late is not None
    assert all(recall.skill[level] - recall.skill_late[level] >= 0.5 for level in Level)


@pytest.mark.parametrize(("old", "new"), [("latency_ms = [50, 110]", "latency_ms = 50"), ("hard = 0.06", "nasty = 1")])
def test_broken_demo_models_are_refused(small_league: MakeLeague, old: str, new: str) -> None:
    folder = small_league("flag-hoist")
    edit(folder / "models.toml", old, new)
    with pytest.raises(InvalidProblem, match=r"models\.toml"):
        load_demo_models(folder)


def test_tests_keep_their_order_and_values(league: League) -> None:
    first = league.problems["flag-hoist"].spec.tests[0]
    assert first == Test(["AB213 C1"], "ABBAB CC", visible=True)


def test_items_in_the_forms_of_suites_are_whole(league: League) -> None:
    kinds = Counter(item.problem.external_id.partition("/")[0] for item in league.items)
    assert min(kinds[kind] for kind in ("CU", "CG", "CM", "CR", "harbour")) >= 4
    for item in league.items:
        problem = item.problem
        assert problem.tests
        assert not problem.flags
        assert problem.tests_from is TestsSource.FILE
        assert all(program.code.strip() for program in problem.programs)


def test_an_item_that_was_changed_must_be_built_again(tmp_path: Path) -> None:
    for name in ("coco.toml", "items.json"):
        shutil.copy(LEAGUE / name, tmp_path)
    assert len(load_items(tmp_path, READ_AT)) >= 16
    rows = tmp_path / "coco.toml"
    rows.write_text(rows.read_text().replace("places = 2", "places = 3"))
    with pytest.raises(InvalidProblem, match=r"CU/lock-queue has changed; run `league build items`"):
        load_items(tmp_path, READ_AT)


def test_an_item_that_cannot_be_judged_is_refused(tmp_path: Path) -> None:
    (tmp_path / "coco.toml").write_text(
        "[[item]]\ntask_id = 'one'\nreleased_on = 2026-05-30\ndescription = 'None.'\ncode = 'x = 1'\ninput = 1\n"
        "metadata = { programming_language = 'Python' }\n"
    )
    with pytest.raises(InvalidProblem, match=r"coco\.toml: one: unfit:"):
        load_items(tmp_path, READ_AT)
