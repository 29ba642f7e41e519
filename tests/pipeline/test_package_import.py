"""Problem packages through the pipeline: stored once, proven in the sandbox, joined to a site's problem."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pipeline.test_import_command import run
from sqlalchemy import func, select
from support.packages import (
    DIFFERENCE,
    POLYGON_XML,
    SUM,
    as_folder,
    dmoj,
    kattis,
    polygon,
    polygon_interactive,
    read,
    zipped,
)
from support.polygon_downloads import download

from app.db.problems import problems as store
from app.db.tables import Contest, Problem, ProblemVersion, ProgramRow, ProofState, Source, TestRow, TestSet
from app.domain.judging.verdicts import Verdict
from app.domain.problems import ProblemSpec
from app.domain.sources.records import ScrapedContest, ScrapedProblem
from app.domain.states import ProblemState
from app.services.runs import imports
from app.services.sources import ingest
from workers import tasks
from workers.context import Context, now
from workers.readiness import ready_judge

WRONG = {
    "two-tides": DIFFERENCE,
    "lost-buoy": "print(0, flush=True)\ninput()\n",
    "split": "n = int(input())\nprint(n, 0)\n",
    "squares": "n = int(input())\nfor k in range(n):\n    print((k + 1) ** 2)\n",
}


def shipped(root: Path) -> list[Path]:
    """One package of each format and kind, two as folders and two as archives."""
    # One program never ends: it sleeps, as one that works on and on would keep a CPU from others.
    ends = {"problem.yaml": str(kattis()["problem.yaml"]).replace("time_limit: 1.5", "time_limit: 0.5"),
            "submissions/time_limit_exceeded/forever.py": "import time\ntime.sleep(1000)\n"}  # fmt: skip
    (root / "split.zip").write_bytes(zipped(kattis(**ends)))
    (root / "squares.zip").write_bytes(zipped(dmoj(), "squares/"))
    folders = {"a": polygon(), "b": polygon_interactive()}
    return [
        *(as_folder(root, name, files) for name, files in folders.items()),
        root / "split.zip",
        root / "squares.zip",
    ]


def counts(ctx: Context) -> list[int]:
    with ctx.sessions() as session:
        tables = (Problem, ProblemVersion, TestSet, TestRow, ProgramRow)
        return [session.scalar(select(func.count()).select_from(table)) or 0 for table in tables]


def states(ctx: Context) -> dict[str, tuple[str, str | None]]:
    with ctx.sessions() as session:
        return {each.external_id: (each.state, each.hold_reason) for each in session.scalars(select(Problem))}


@pytest.mark.sandbox
def test_packages_are_proven_published_and_judge(ctx: Context, tmp_path: Path) -> None:
    packages = shipped(tmp_path)
    done = run(ctx.settings, "package", *packages, "--released", "2026-05-01", "--json", "--no-wait")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["problems"] == 4
    for _turn in packages:  # on a busy machine one turn's time is enough for one package
        tasks.prove_tests()
    assert states(ctx) == dict.fromkeys(WRONG, (ProblemState.PUBLISHED, None))
    before = counts(ctx)
    again = run(ctx.settings, "package", *packages, "--released", "2026-05-01", "--no-wait")
    assert again.exit_code == 0, again.output
    assert counts(ctx) == before
    judge = ready_judge(ctx)
    assert judge is not None
    with ctx.sessions() as session:
        assert set(session.scalars(select(TestSet.proof))) == {ProofState.PROVEN}
        assert not session.scalars(select(Source)).one().show_statements
        for problem in session.scalars(select(Problem)):
            result = judge.grade(_spec(ctx, problem), WRONG[problem.external_id], "python")
            assert result.verdict is Verdict.WRONG_ANSWER, (problem.external_id, result.message)


def _spec(ctx: Context, problem: Problem) -> ProblemSpec:
    assert problem.current_test_set_id is not None
    assert problem.current_version_id is not None
    with ctx.sessions() as session:
        return store.problem_spec(session, problem.current_test_set_id, problem.current_version_id)


@pytest.mark.sandbox
def test_a_download_of_polygon_is_built_proven_and_published(ctx: Context, tmp_path: Path) -> None:
    archive = tmp_path / "many-tides-12.zip"
    archive.write_bytes(zipped(download()))
    for _again in range(2):
        done = run(ctx.settings, "package", archive, "--released", "2026-05-01", "--no-wait", "--json")
        assert done.exit_code == 0, done.output
        assert "many-tides: 4 tests are made by the package's generators" in json.loads(done.stdout)["notes"]
    tasks.prove_tests()
    assert states(ctx) == {"many-tides": (ProblemState.PUBLISHED, None)}
    assert counts(ctx) == [1, 1, 1, 6, 3], "the same programs make the same tests"


@pytest.mark.sandbox
def test_a_download_that_cannot_be_built_stores_nothing(ctx: Context, tmp_path: Path) -> None:
    archive = tmp_path / "many-tides-12.zip"
    archive.write_bytes(zipped(download({"files/gen.cpp": "int main() { return 9; }"})))
    done = run(ctx.settings, "package", archive, "--no-wait", "--json")
    assert done.exit_code == 1
    said = json.loads(done.stdout)
    assert said["error"] == "build_failed"
    assert said["bad_rows"][0]["file"] == "many-tides-12.zip/tests/02"
    assert "the generator files/gen.cpp failed on this test (10 -most=1000): exit code 9" in done.stderr
    assert states(ctx) == {}


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("changes", "state", "reason"),
    [
        ({"data/secret/2.ans": "5 5\n"}, ProblemState.PUBLISHED, None),  # the validator knows better
        ({"submissions/accepted/first.py": "print(1, 1)"}, ProblemState.HELD, "tests refuted: reference"),
        ({"submissions/wrong_answer/zero.py": "n = int(input())\nprint(n - 1, 1)\n"}, ProblemState.HELD,
         "tests refuted: known-wrong program submissions/wrong_answer/zero.py is accepted"),
    ],
)  # fmt: skip
def test_proof_of_an_imported_package_publishes_or_holds_it(
    ctx: Context, tmp_path: Path, changes: Mapping[str, str], state: ProblemState, reason: str | None
) -> None:
    ends = {"submissions/time_limit_exceeded/forever.py": None, **changes}
    batch = read(as_folder(tmp_path, "split", kattis(**ends)), released="2026-05-01")
    ctx.commit(imports.store_batch, batch, now())
    tasks.prove_tests()
    found, why = states(ctx)["split"]
    assert found == state
    assert (why or "").startswith(reason or "")


@pytest.mark.sandbox
def test_each_submission_gets_what_its_package_says_or_the_import_says_why_not(
    ctx: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    split = "n = int(input())\n"
    said = {
        "submissions/time_limit_exceeded/forever.py": "import time\ntime.sleep(1000)\n",
        "submissions/time_limit_exceeded/quick.py": f"{split}print(1, n - 1)\n",
        "submissions/run_time_error/crash.py": f"{split}print(1, n - 1)\nif n > 500: raise SystemExit(3)\n",
        "submissions/run_time_error/wrong.py": f"{split}print(n, 0)\n",
        "submissions/brute_force/some.py": f"{split}print(1, n - 1 if n < 5 else n / 0)\n",
        "submissions/mixed/some.py": f"{split}print(0 if n > 500 else 1, n - 1)\n",
        "submissions/mixed/other.py": f"{split}print(0 if n > 500 else 1, n - 1)\n",
        "submissions/mixed/broken.cpp": "int main() { return }\n",
        "submissions/mixed/x.kt": "fun main() {}",
        "submissions/submissions.yaml": "mixed/some.py:\n  sample: {permitted: [AC]}\n  secret/2: {required: [WA]}\n"
        "mixed/other.py:\n  secret/small: {required: [WA]}\nmixed/broken.cpp: {permitted: [RTE]}\n",
        "problem.yaml": str(kattis()["problem.yaml"]).replace("time_limit: 1.5", "time_limit: 0.5"),
    }
    folder = as_folder(tmp_path, "split", kattis(**said))
    first = run(ctx.settings, "package", folder, "--released", "2026-05-01", "--no-wait")
    assert "example submissions: 0 of 12 get the verdicts that their packages state" in first.stdout
    assert "split: submissions/accepted/first.py: not tried: --no-wait was given" in first.stdout
    tasks.prove_tests()
    assert states(ctx) == {"split": (ProblemState.PUBLISHED, None)}
    done = run(ctx.settings, "package", folder, "--released", "2026-05-01", "--json")
    assert done.exit_code == 0, done.output
    trials = {each["submission"].removeprefix("submissions/"): each for each in json.loads(done.stdout)["submissions"]}
    assert {name: each["verdict"] for name, each in trials.items()} == {
        "accepted/first.py": "AC", "accepted/middle.py": "AC", "wrong_answer/zero.py": "WA",
        "time_limit_exceeded/forever.py": "TLE", "time_limit_exceeded/quick.py": "AC", "run_time_error/crash.py": "RTE",
        "run_time_error/wrong.py": "WA", "brute_force/some.py": "RTE", "mixed/some.py": "WA", "mixed/other.py": "WA",
        "mixed/broken.cpp": "CE", "mixed/x.kt": None,
    }  # fmt: skip
    reasons = {name: each["reason"] for name, each in trials.items() if not each["as_said"]}
    assert reasons.pop("mixed/broken.cpp").startswith("it does not compile: ")
    assert reasons == {
        "time_limit_exceeded/quick.py": "no test gets TLE",
        "run_time_error/wrong.py": "test 1 gets WA, where only AC or RTE may come",
        "mixed/other.py": "no test gets WA",
        "mixed/x.kt": "its name is that of no language that is judged here",
    }
    monkeypatch.setenv("TIDEMARK_BWRAP", str(tmp_path / "absent"))
    done = run(ctx.settings, "package", folder, "--released", "2026-05-01", "--json")
    assert done.exit_code == 0, done.output
    trials = {each["submission"].removeprefix("submissions/"): each for each in json.loads(done.stdout)["submissions"]}
    assert not any(each["as_said"] for each in trials.values())
    assert str(tmp_path / "absent") in trials["accepted/first.py"]["reason"]
    assert trials["mixed/x.kt"]["reason"] == "its name is that of no language that is judged here"


def trials_of(ctx: Context, folder: Path) -> dict[str, tuple[str | None, str]]:
    """The verdict of each submission of a package, and why it is not what the package says."""
    assert run(ctx.settings, "package", folder, "--released", "2026-05-01", "--no-wait").exit_code == 0
    tasks.prove_tests()
    done = run(ctx.settings, "package", folder, "--released", "2026-05-01", "--json")
    assert done.exit_code == 0, done.output
    trials = json.loads(done.stdout)["submissions"]
    assert [each["as_said"] for each in trials] == [not each["reason"] for each in trials]
    return {each["submission"].rpartition("/")[2]: (each["verdict"], each["reason"]) for each in trials}


GREEDY = "a = []\nwhile True: a.append(bytearray(1 << 20))\n"


@pytest.mark.sandbox
def test_programs_of_a_dmoj_package_are_tried(ctx: Context, tmp_path: Path) -> None:
    right = "print(*(k * k for k in range(1, int(input()) + 1)))\n"
    said = {
        "quick": ("TLE", right), "slow": ("TLE", "import time\ntime.sleep(1000)\n"), "crash": ("IR", "print(1 / 0)\n"),
        "greedy": ("MLE", GREEDY), "one": ("[AC, WA]", "print(int(input()) ** 2)\n"),
        "fine": ("[WA, TLE]", right),
    }  # fmt: skip
    files = dmoj()
    for name, (codes, code) in said.items():
        files[f"tests/{name}/test.yml"] = f"language: PY3\ntime: 1\nmemory: 65536\nsource: {name}.py\nexpect: {codes}\n"
        files[f"tests/{name}/{name}.py"] = code
    files["tests/old/test.yml"] = "language: PY2\ntime: 1\nmemory: 65536\nsource: old.py\nexpect: AC\n"
    for name in ("right", "lines"):
        files[f"tests/{name}/test.yml"] = str(files[f"tests/{name}/test.yml"]).replace("time: 2", "time: 1")
    files["tests/per-case/test.yml"] = "language: PY3\ntime: 1\nsource: by.py\ncases: [WA, AC, AC]\n"
    files["tests/per-case/by.py"] = "print(int(input()) ** 2)\n"
    assert trials_of(ctx, as_folder(tmp_path, "squares", files)) == {
        "crash.py": ("RTE", ""), "fine.py": ("AC", "no test gets TLE or WA"), "greedy.py": ("MLE", ""),
        "lines.py": ("WA", ""), "one.py": ("WA", ""), "quick.py": ("AC", "no test gets TLE"),
        "right.py": ("AC", ""), "slow.py": ("TLE", ""),
        "old": (None, "it is in 'PY2', which is not judged here"),
        "by.py": ("WA", "test 3 gets WA, where only AC may come"),
    }  # fmt: skip


@pytest.mark.sandbox
def test_solutions_of_a_polygon_package_are_tried(ctx: Context, tmp_path: Path) -> None:
    tags = {
        "fine.py": ("rejected", SUM), "either.py": ("time-limit-exceeded-or-accepted", SUM),
        "wrong.py": ("rejected", DIFFERENCE), "large.py": ("memory-limit-exceeded", GREEDY),
        "greedy.py": ("time-limit-exceeded-or-memory-limit-exceeded", GREEDY),
        "broken.cpp": ("rejected", "int main() { return }\n"), "crash.py": ("wrong-answer", "print(1 / 0)\n"),
        "never.py": ("do-not-run", SUM),
    }  # fmt: skip
    told = "".join(
        f'<solution tag="{tag}"><source path="solutions/{name}" type="python.3"/></solution>'
        for name, (tag, _) in tags.items()
    )
    xml = POLYGON_XML.replace("</solutions>", f"{told}</solutions>").replace("268435456", "67108864")
    files = polygon(**{"problem.xml": xml} | {f"solutions/{name}": code for name, (_, code) in tags.items()})
    found = trials_of(ctx, as_folder(tmp_path, "sum", files))
    assert found.pop("broken.cpp")[1].startswith("it does not compile: ")
    assert found == {
        "main.cpp": ("AC", ""), "other.py": ("AC", ""), "minus.py": ("WA", ""), "slow.py": ("AC", "no test gets TLE"),
        "fine.py": ("AC", "no test gets MLE or OLE or RTE or TLE or WA"), "either.py": ("AC", ""),
        "wrong.py": ("WA", ""), "greedy.py": ("MLE", ""), "large.py": ("MLE", ""),
        "crash.py": ("RTE", "test 1 gets RTE, where only AC or WA may come"),
        "never.py": (None, "its tag is do-not-run"),
    }  # fmt: skip


def test_without_a_date_it_is_held(ctx: Context, tmp_path: Path) -> None:
    folder = as_folder(tmp_path, "split", kattis())
    ctx.commit(imports.store_batch, read(folder), now())
    assert states(ctx) == {"split": (ProblemState.HELD, "no release date")}
    ctx.commit(imports.store_batch, read(folder, released="2026-05-01"), now())
    assert states(ctx)["split"][0] == ProblemState.CHECKED, "now it waits for its proof"


@pytest.mark.sandbox
def test_without_a_reference_it_is_unproven_and_its_validator_is_tried(ctx: Context, tmp_path: Path) -> None:
    bare = kattis(**{path: None for path in kattis() if path.startswith("submissions/")})
    ctx.commit(imports.store_batch, read(as_folder(tmp_path, "split", bare), released="2026-05-01"), now())
    assert states(ctx)["split"][0] == ProblemState.FOUND
    tasks.prove_tests()
    assert states(ctx) == {"split": (ProblemState.PUBLISHED, None)}
    with ctx.sessions() as session:
        assert session.scalars(select(TestSet.proof)).one() == ProofState.UNPROVEN
        assert _spec(ctx, session.scalars(select(Problem)).one()).proven, "its validator never fails by itself"


@pytest.mark.sandbox
def test_an_interactor_that_no_reference_shows_to_work_waits_for_one(ctx: Context, tmp_path: Path) -> None:
    """Else every program could choose that nothing is said of it."""
    breaks = "import sys\nsys.exit(int(sys.stdin.readline()) != 2)"
    files = polygon_interactive() | {"files/interactor.py": breaks, "solutions/other.py": "print(2)"}
    xml = str(files["problem.xml"]).replace(
        'files/interactor.cpp" type="cpp.g++17', 'files/interactor.py" type="python.3'
    )
    bare = {path: text for path, text in files.items() if not path.startswith("solutions/")}
    (tmp_path / "bare").mkdir()
    (tmp_path / "with").mkdir()
    without = xml[: xml.index("<solutions>")] + xml[xml.index("</solutions>") + len("</solutions>") :]
    batch = read(as_folder(tmp_path / "bare", "buoy", {**bare, "problem.xml": without}), released="2026-05-01")
    ctx.commit(imports.store_batch, batch, now())
    tasks.prove_tests()
    state, reason = states(ctx)["lost-buoy"]
    assert state == ProblemState.HELD
    assert reason == (
        "tests refuted: the interactor fails with a program that says nothing (test 1), "
        "and no reference shows that it works"
    )
    batch = read(as_folder(tmp_path / "with", "buoy", {**files, "problem.xml": xml}), released="2026-05-01")
    ctx.commit(imports.store_batch, batch, now())
    tasks.prove_tests()
    assert states(ctx) == {"lost-buoy": (ProblemState.PUBLISHED, None)}


CONTEST = ScrapedContest(
    "1550",
    "Round",
    starts_at=datetime(2026, 7, 14, 14, 35, tzinfo=UTC),
    ends_at=datetime(2026, 7, 14, 16, 35, tzinfo=UTC),
)
KNOWN = ScrapedProblem("1550/B", "1550", title="B. Two tides", tags=("strings",))


@pytest.mark.sandbox
def test_a_package_brings_a_sites_problem_its_statement_and_tests(ctx: Context, tmp_path: Path) -> None:
    """Contest, date and tags stay as the site gave them."""
    with ctx.sessions() as session, session.begin():
        values = {"name": "Codeforces", "kind": "site", "base_url": "https://codeforces.com"}
        source_id = store.upsert_source(session, "codeforces", values).id
        ingest.store_records(session, source_id, [CONTEST, KNOWN], None, now())
    folder = as_folder(tmp_path, "two", polygon())
    done = run(ctx.settings, "package", folder, "--source", "codeforces", "--problem", "1550/B", "--no-wait")
    assert done.exit_code == 0, done.output
    tasks.prove_tests()
    with ctx.sessions() as session:
        problem = session.scalars(select(Problem)).one()
        contest = session.scalars(select(Contest)).one()
        assert (problem.external_id, problem.state, problem.tags) == ("1550/B", ProblemState.PUBLISHED, ["strings"])
        assert (problem.contest_id, problem.released_on) == (contest.id, datetime(2026, 7, 14, 14, 35, tzinfo=UTC))
        assert contest.title == "Round"
        assert session.get_one(TestSet, problem.current_test_set_id).origin == "package"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--source", "codeforces"), 1, "say which one this is"),
        (("--source", "house"), 1, "packages cannot be imported"),
        (("--source", "../x"), 1, "neither a site"),
        (("--problem", "../x"), 1, "not a problem name"),
        (("--released", "soon"), 1, "not a date"),
        (("--released", "1999-01-01"), 1, "before the year 2000"),
        (("--problem", "x", "{again}"), 2, "give only one"),
        (("--board", "codegen"), 2, "does not take --board"),
    ],
)
def test_wrong_options_of_a_package_import_store_nothing(
    ctx: Context, tmp_path: Path, words: tuple[str, ...], code: int, said: str
) -> None:
    folder = as_folder(tmp_path, "split", kattis())
    filled = [word.format(again=folder) for word in words]
    done = run(ctx.settings, "package", folder, *filled, "--no-wait")
    assert done.exit_code == code or code == 2
    assert said in done.stderr or said in str(done.exception)
    assert states(ctx) == {}


def test_package_is_stored_under_the_names_that_options_give(ctx: Context, tmp_path: Path) -> None:
    folder = as_folder(tmp_path, "a package with blanks", kattis())
    assert "name its problem with --problem" in run(ctx.settings, "package", folder, "--no-wait").stderr
    done = run(ctx.settings, "package", folder, "--source", "spring-camp", "--problem", "split-2", "--no-wait")
    assert done.exit_code == 0, done.output
    with ctx.sessions() as session:
        source = session.scalars(select(Source)).one()
        assert (source.slug, source.name, source.kind) == ("spring-camp", "Spring Camp", "suite")
    assert list(states(ctx)) == ["split-2"]


def test_a_refused_package_costs_no_other(ctx: Context, tmp_path: Path) -> None:
    good = as_folder(tmp_path, "good", kattis())
    bad = as_folder(tmp_path, "bad", kattis(**{"problem.yaml": "type: multi-pass\n"}))
    done = run(ctx.settings, "package", good, bad, "--json", "--no-wait")
    assert done.exit_code == 3
    [row] = json.loads(done.stdout)["bad_rows"]
    assert (row["file"], row["line"]) == ("bad/problem.yaml", 1)
    assert set(states(ctx)) == {"good"}
    alone = run(ctx.settings, "package", bad, "--json", "--no-wait")
    assert alone.exit_code == 1
    assert set(states(ctx)) == {"good"}
