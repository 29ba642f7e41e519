"""`import atcoder-tests`: the site's own tests, by its contests' own letters, each contest whole or not at all."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from factories import NOW, World
from sqlalchemy import select
from support.atcoder_pages import tasks as task_list
from support.facts import facts_may_change
from support.tables import rows_of
from typer.testing import CliRunner, Result

from app.cli.__main__ import build_parser, main
from app.config import Settings
from app.db.sources import captures
from app.db.tables import Problem, ProblemVersion, Rejudging, TestRow, TestSet
from app.domain.imports import ImportedProgram
from app.domain.judging.verdicts import Verdict
from app.domain.problems import TestsOrigin
from app.domain.sources.crawl_events import PageCaptured
from app.domain.sources.records import Classification
from app.domain.states import ProblemState
from app.services.problems import publishing
from workers.context import Context

NO_TESTS = "no full tests: 1 public samples only"
EXAMPLE = {"input": "1 2\n", "expected": "3\n"}
# Two contests of one evening: what `abc049` calls C is the third task of it and the first of `arc065`.
JOINT = {"abc049": ["abc049_a", "abc049_b", "arc065_a", "arc065_b"], "arc065": ["arc065_a", "arc065_b", "arc065_c"]}


@pytest.fixture
def world(ctx: Context) -> Iterator[World]:
    """The tasks of both contests, read from their pages and held for want of tests."""
    with ctx.sessions.begin() as session:
        made = World(session)
        owner = made.source("atcoder")
        for contest, names in JOINT.items():
            made.contest(owner, contest, date(2026, 6, 1))
            url = f"https://atcoder.jp/contests/{contest}/tasks?lang=en"
            keep_page(made, owner.id, contest, names, url)
        for name in dict.fromkeys(name for names in JOINT.values() for name in names):
            add(made, name, "abc049" if name.startswith("abc") else "arc065")
    with ctx.sessions() as session:
        made.session = session
        yield made


def keep_page(world: World, source_id: int, contest: str, names: Sequence[str], url: str) -> None:
    body = task_list(contest, names, "2026-06-01 21:00:00+0900", "2026-06-01 23:00:00+0900")
    page = PageCaptured(url, "tasks", 200, Classification.OK, body, {}, NOW, contest=contest)
    captures.store_capture(world.session, source_id, None, page)


def add(world: World, name: str, contest: str) -> Problem:
    problem = world.problem(
        name, source="atcoder", contest=contest, state=ProblemState.HELD, hold_reason=NO_TESTS, level=None
    )
    version = world.session.get_one(ProblemVersion, problem.current_version_id)
    version.examples, problem.current_test_set_id = [EXAMPLE], None
    world.session.flush()
    return problem


def lay(root: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, body in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body if isinstance(body, bytes) else body.encode())
    return root


def run(settings: Settings, folder: Path, *more: str) -> Result:
    names = {"TIDEMARK_DATABASE_URL": settings.database_url, "TIDEMARK_REDIS_URL": settings.redis_url,
             "TIDEMARK_STATE": str(settings.state_dir)}  # fmt: skip
    words = ["import", "atcoder-tests", str(folder), "--no-wait", *more]
    return CliRunner(env=names).invoke(build_parser(["import"]), words)


def said(done: Result) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(done.stdout)
    return body


def held(world: World) -> dict[str, str | None]:
    world.session.expire_all()
    return {row.external_id: row.hold_reason for row in world.session.scalars(select(Problem))}


def stored(world: World, name: str) -> list[tuple[str, str, bool]]:
    world.session.expire_all()
    problem = world.session.scalars(select(Problem).where(Problem.external_id == name)).one()
    rows = world.session.scalars(
        select(TestRow).where(TestRow.test_set_id == problem.current_test_set_id).order_by(TestRow.ordinal)
    )
    return [(row.input, row.expected, row.visible) for row in rows]


PAIRS = {"in/a.txt": "1 2\r\n", "out/a.txt": "3\n", "in/b.txt": "4 5\n", "out/b.txt": "9\n"}


def task(folder: str, files: Mapping[str, str] = PAIRS) -> dict[str, str]:
    return {f"{folder}/{name}": body for name, body in files.items()}


def test_a_published_folder_becomes_official_tests_by_the_contests_own_letters(
    ctx: Context, world: World, tmp_path: Path
) -> None:
    older = {"in/01.in": "1 1\n", "out/01.out": "2\n", "in/02": "1\n", "out/02.diff": "1\n"}
    folder = lay(tmp_path, {
        "README.md": "not ours", "ABC049/notes.txt": "x", "ABC049/C/checker.cpp": "int main(){}",
        "ABC049/C/in/.DS_Store": b"\0", **task("ABC049/C"), **task("ABC049/d", older),
        **task("ABC049/B", {"in/a.txt": "1\n"}), **task("ABC049/checker", {"src/a.cpp": ""}),
    })  # fmt: skip
    done = run(ctx.settings, folder, "--json")
    assert done.exit_code == 0, done.output
    told = said(done)
    assert (told["problems"], told["rows"], told["bad_rows"], told["unmatched"]) == (2, 4, [], [])
    assert told["notes"] == [
        "abc049/B (atcoder/abc049_b): it has no out/: a checker or an interactor decides"
    ]  # fmt: skip
    assert stored(world, "arc065_a") == [("1 2\r\n", "3\n", True), ("4 5\n", "9\n", False)]
    assert stored(world, "arc065_b") == [("1 1\n", "2\n", False), ("1\n", "1\n", False)]
    made = world.session.scalars(select(TestSet).where(TestSet.origin == "official")).all()
    assert {(row.proof, row.brought_by, tuple(row.setters)) for row in made} == {
        ("unproven", "published tests of abc049", ())
    }
    assert held(world) == {"abc049_a": NO_TESTS, "abc049_b": NO_TESTS, "arc065_a": None, "arc065_b": None,
                           "arc065_c": NO_TESTS}  # fmt: skip
    before = rows_of(ctx.sessions, TestSet, TestRow, Problem)
    assert said(run(ctx.settings, folder, "--json")) == told
    assert rows_of(ctx.sessions, TestSet, TestRow, Problem) == before, "the same again is no news"


def test_a_joint_contest_may_lie_under_either_name_in_any_spelling(ctx: Context, world: World, tmp_path: Path) -> None:
    folder = lay(tmp_path, {**task("AtCoder/arc_065/C"), **task("AtCoder/Contest abc049/A")})
    assert run(ctx.settings, folder).exit_code == 0
    assert (len(stored(world, "arc065_c")), len(stored(world, "abc049_a"))) == (2, 2)
    assert stored(world, "arc065_a") == [], "the letter in the id of another contest's task says nothing"
    one = lay(tmp_path / "one", task("ARC065/Task arc065_b"))
    assert run(ctx.settings, one / "ARC065").exit_code == 0, "a contest's own folder"
    assert len(stored(world, "arc065_b")) == 2, "by its title"


def test_bad_files_are_named_and_leave_nothing_of_their_contest(ctx: Context, world: World, tmp_path: Path) -> None:
    folder = lay(tmp_path, {**task("ABC049/A"), **task("ARC065/A")})
    lay(folder, {"ABC049/B/in/a.txt": b"1\n\xff\n", "ABC049/B/out/a.txt": "2\n", "ABC049/B/in/lone.txt": "",
                 "ABC049/B/out/other.txt": ""})  # fmt: skip
    done = run(ctx.settings, folder, "--json")
    assert done.exit_code == 1
    assert [(row["file"], row["line"], row["reason"]) for row in said(done)["bad_rows"]] == [
        ("ABC049/B/in/a.txt", 2, "not UTF-8 text"),
        ("ABC049/B/in/lone.txt", 1, "it has no counterpart in out/"),
        ("ABC049/B/out/other.txt", 1, "it has no counterpart in in/"),
    ]
    assert (stored(world, "abc049_a"), len(stored(world, "arc065_a"))) == ([], 2)
    (folder / "ABC049/B/in/a.txt").unlink()
    (folder / "ABC049/B/in/a.txt").symlink_to("/etc/passwd")
    refused = run(ctx.settings, folder)
    assert (refused.exit_code, "the link to '/etc/passwd' leads out of the package" in refused.output) == (1, True)


def test_two_folders_of_one_task_are_refused(ctx: Context, world: World, tmp_path: Path) -> None:
    """Each import would make the tests of either those of the other."""
    others = {"in/a.txt": "7 8\n", "out/a.txt": "15\n"}
    folder = lay(tmp_path, {**task("ABC049/A"), **task("ABC049/a", others), **task("ARC065/A")})
    done = run(ctx.settings, folder, "--json")
    assert done.exit_code == 1
    assert [(row["file"], row["reason"]) for row in said(done)["bad_rows"]] == [
        ("abc049/a", "it is the same task as abc049/A: keep one of them")
    ]
    assert (stored(world, "abc049_a"), len(stored(world, "arc065_a"))) == ([], 2)


def test_what_is_not_known_here_is_named(
    ctx: Context, world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with ctx.sessions.begin() as session:
        bare = World(session)
        bare._sources["atcoder"] = world.source("atcoder")
        bare.contest(bare.source("atcoder"), "abc050", date(2026, 6, 8))
        lost = session.scalars(select(Problem).where(Problem.external_id == "abc049_b")).one()
        lost.current_version_id = None
        talks = session.scalars(select(Problem).where(Problem.external_id == "arc065_a")).one()
        with facts_may_change(session):
            session.get_one(ProblemVersion, talks.current_version_id).form = "interactive"
    names = ("ABC049/B", "ABC049/C", "ABC049/Z", "ABC050/A", "ABC999/A")
    done = run(ctx.settings, lay(tmp_path, {key: body for name in names for key, body in task(name).items()}), "--json")
    assert done.exit_code == 0, done.output
    assert said(done)["unmatched"] == [
        "ABC050: its table of tasks is not stored; visit the contest first",
        "ABC999: atcoder has no contest of that name here; visit it first",
    ]
    assert said(done)["notes"] == [
        "abc049/B (atcoder/abc049_b): it has no statement yet; import again once it has one",
        "abc049/C (atcoder/arc065_a): it is interactive: an interactor decides",
        "abc049/Z: the contest's table of tasks has no such task",
    ]
    assert main(["import", "atcoder-tests", str(tmp_path / "nowhere")]) == 2
    assert main(["import", "atcoder-tests", str(tmp_path), "--source", "x"]) == 2
    assert "no such folder" in capsys.readouterr().err


def test_answers_are_compared_as_the_statement_says_or_as_before(ctx: Context, world: World, tmp_path: Path) -> None:
    with ctx.sessions.begin() as session, facts_may_change(session):
        near = session.scalars(select(Problem).where(Problem.external_id == "arc065_a")).one()
        near.flags = ["float_tolerance"]
        text = "Your answer is right when its absolute or relative error is at most $10^{-9}$."
        session.get_one(ProblemVersion, near.current_version_id).statement = text
    with ctx.sessions.begin() as session, facts_may_change(session):
        other = session.scalars(select(Problem).where(Problem.external_id == "arc065_b")).one()
        kept = World(session).tests(other, 1)
        kept.checker_kind, other.current_test_set_id = "unordered", kept.id
    assert run(ctx.settings, lay(tmp_path, {**task("ARC065/A"), **task("ARC065/B")})).exit_code == 0
    made = {row.problem_id: row for row in world.session.scalars(select(TestSet).where(TestSet.origin == "official"))}
    ids = {row.external_id: row.id for row in world.session.scalars(select(Problem))}
    assert (made[ids["arc065_a"]].checker_kind, made[ids["arc065_a"]].checker["abs"]) == ("float", 1e-9)
    assert made[ids["arc065_b"]].checker_kind == "unordered"


def test_models_programs_have_no_say_on_official_tests(ctx: Context, world: World, tmp_path: Path) -> None:
    """They made the suite that these are to be compared with."""
    with ctx.sessions.begin() as session:
        problem = session.scalars(select(Problem).where(Problem.external_id == "arc065_a")).one()
        theirs = [ImportedProgram("tern solution 0", "python", "print(0)")]
        publishing.add_programs(session, problem, theirs, TestsOrigin.CONSENSUS, secret=True)
    assert run(ctx.settings, lay(tmp_path, task("ARC065/A"))).exit_code == 0
    made = world.session.scalars(select(TestSet).where(TestSet.origin == "official")).one()
    assert made.proof == "unproven"
    with ctx.sessions.begin() as session, facts_may_change(session):
        session.get_one(TestSet, made.id).proof = "waiting"
    with ctx.sessions.begin() as session:
        job = publishing.claim_proof(session, NOW, timedelta(minutes=5))
        assert job is not None
        assert job.programs == ()


def test_what_a_board_counts_keeps_its_tests_until_a_maintainer_decides(
    ctx: Context, world: World, tmp_path: Path
) -> None:
    with ctx.sessions.begin() as session:
        counted = World(session)
        counted._sources["atcoder"] = world.source("atcoder")
        problem = session.scalars(select(Problem).where(Problem.external_id == "arc065_a")).one()
        problem.current_test_set_id = counted.tests(problem, 2).id
        session.flush()
        problem.state, problem.hold_reason = ProblemState.PUBLISHED, None
        session.flush()
        counted.answer(counted.run("orion"), problem, Verdict.ACCEPTED)
        counted.count()
        before = problem.current_test_set_id
    done = run(ctx.settings, lay(tmp_path, task("ARC065/A")), "--json")
    assert done.exit_code == 0, done.output
    [proposed] = said(done)["rejudgings"]
    assert (proposed["problem"], proposed["state"]) == ("atcoder/arc065_a", "proposed")
    world.session.expire_all()
    assert world.session.scalars(select(Rejudging.reason)).one() == (
        "other tests (official): its site published its tests"
    )
    kept = world.session.scalars(select(Problem).where(Problem.external_id == "arc065_a")).one()
    assert kept.current_test_set_id == before, "although no program speaks for the new ones, and one did for the old"
    assert run(ctx.settings, tmp_path).exit_code == 0
    assert len(world.session.scalars(select(Rejudging)).all()) == 1, "once while it is open"
