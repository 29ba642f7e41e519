"""`tidemark import`: what it prints, its exit codes, and that a refused file leaves nothing behind."""

import json
from pathlib import Path
from typing import Any

import pytest
from pipeline.flow import answer_all, judge_one, standing
from sqlalchemy import func, select
from support.files import board_row, board_text, contest_row, dataset_row, lines, write
from typer.testing import CliRunner, Result

from app.cli.__main__ import build_parser, main
from app.cli.problems.board_wait import wait_for_board
from app.config import Settings
from app.db.runs.import_backlog import ImportBacklog, import_backlog
from app.db.tables import CellRow, DirtyCell, ImportedResult, Problem, Rejudging, Run, Sample
from app.domain.asking.protocols import FRESH
from app.domain.states import SampleState
from app.services.evidence import contamination
from app.services.runs.imports import store_batch
from scrapers.suite import find_suite
from workers.context import Context, now, use


def run(settings: Settings, *words: str | Path) -> Result:
    names = {"TIDEMARK_DATABASE_URL": settings.database_url, "TIDEMARK_REDIS_URL": settings.redis_url,
             "TIDEMARK_STATE": str(settings.state_dir)}  # fmt: skip
    return CliRunner(env=names).invoke(build_parser(["import"]), ["import", *map(str, words)])


def count(ctx: Context, table: Any) -> int:
    with ctx.sessions() as session:
        return session.scalar(select(func.count()).select_from(table)) or 0


def test_json_says_what_was_stored(ctx: Context, tmp_path: Path) -> None:
    rows = [board_row(model, problem, 100.0) for model in ("a", "b") for problem in ("p", "q", "r")]
    first, second = write(tmp_path, "1.json", board_text(rows)), write(tmp_path, "2.json.gz", board_text(rows[:1]))
    done = run(ctx.settings, "lcb-board", first, second, "--json", "--no-wait")
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)
    assert {name: said[name] for name in ("protocol", "models", "problems", "rows", "bad_rows")} == {
        "protocol": "lcb",
        "models": 3,
        "problems": 4,
        "rows": 7,
        "bad_rows": [],
    }
    assert (count(ctx, ImportedResult), count(ctx, Run), count(ctx, DirtyCell)) == (7, 3, 7)
    repair = run(ctx.settings, "lcb-board", first, "--board", "repair", "--json", "--no-wait")
    assert json.loads(repair.stdout)["protocol"] == "lcb-repair"
    plain = run(ctx.settings, "lcb-board", first, "--no-wait")
    assert "imported 2 models, 3 problems, 6 rows" in plain.stdout
    assert count(ctx, CellRow) == 0, "counting is the workers'"


def test_tests_that_wait_for_a_decision_are_told_with_where_it_is_made(ctx: Context, tmp_path: Path) -> None:
    """Other tests of a published problem that a board counts are only proposed: whoever imports them is told."""
    texts = [f"assert my_solution.run(nums=[{number}]) == {number}" for number in (1, 2)]
    first, second = (write(tmp_path, f"{at}.jsonl", lines(contest_row("one", text))) for at, text in enumerate(texts))
    quiet = run(ctx.settings, "deepseek-contests", first, "--json", "--no-wait")
    assert json.loads(quiet.stdout)["rejudgings"] == []
    with ctx.sessions.begin() as session:
        standing(session, "tern", protocol=FRESH)
        assert answer_all(session, now=now()) == 1
        assert judge_one(session, now=now())
    done = run(ctx.settings, "deepseek-contests", second, "--json", "--no-wait")
    assert done.exit_code == 0, done.output
    with ctx.sessions() as session:
        row = session.scalars(select(Rejudging)).one()
    assert json.loads(done.stdout)["rejudgings"] == [
        {"id": row.id, "state": "proposed", "problem": row.scope["name"], "test_set": row.scope["test_set"],
         "where": f"/ops/rejudging/{row.id}"}
    ]  # fmt: skip
    plain = run(ctx.settings, "deepseek-contests", second, "--no-wait").stdout
    line = " ".join(plain[plain.index("rejudging") :].split())
    assert line.startswith(f"rejudging {row.id} is proposed: {row.scope['name']} keeps its tests until")
    assert f"on /ops/rejudging/{row.id} " in line
    again = run(ctx.settings, "deepseek-contests", first, "--no-wait")
    assert "rejudging" not in again.stdout, "the tests in use wait for nobody"


def test_a_bad_row_is_listed_and_the_others_are_imported(ctx: Context, tmp_path: Path) -> None:
    rows = [board_row("a", "p", 101.0), board_row("a", "q", "x")]
    good = write(tmp_path, "good.json", board_text([board_row("a", "p", 100.0)]))
    mixed = write(tmp_path, "mixed.json", board_text([rows[0], board_row("b", "r", 50.0)]))
    bad = write(tmp_path, "bad.json", board_text(rows))
    for _again in range(2):
        done = run(ctx.settings, "lcb-board", good, mixed, bad, "--json", "--no-wait")
        assert done.exit_code == 3, done.output
        said = json.loads(done.stdout)
        assert (said["models"], said["rows"]) == (2, 2)
        assert [(row["file"], row["line"] > 1, row["reason"][:6]) for row in said["bad_rows"]] == [
            ("bad.json", True, "row 1:"), ("bad.json", True, "row 2:"), ("mixed.json", True, "row 1:"),
        ]  # fmt: skip
        assert (count(ctx, ImportedResult), count(ctx, Problem), count(ctx, Run)) == (2, 2, 2)
    plain = run(ctx.settings, "lcb-board", mixed, "--no-wait")
    assert "bad rows, left out (1):\n  mixed.json:4: row 1: pass@1 is 101.0" in plain.stdout


def test_a_file_without_a_good_row_is_refused(ctx: Context, tmp_path: Path) -> None:
    bad = write(tmp_path, "bad.json", board_text([board_row("a", "p", 101.0), board_row("a", "q", "x")]))
    for files in ((bad,), (bad, bad)):
        done = run(ctx.settings, "lcb-board", *files, "--json", "--no-wait")
        assert done.exit_code == 1
        said = json.loads(done.stdout)
        assert (said["models"], said["rows"], len(said["bad_rows"])) == (0, 0, 2 * len(files))
        assert "bad.json:4: row 1: pass@1 is 101.0" in done.stderr
    assert (count(ctx, ImportedResult), count(ctx, Problem)) == (0, 0)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("lcb-board", "{good}", "--board", "other"), 2),
        (("leetcode-dataset", "{good}", "--board", "codegen"), 2),
        (("nothing", "{good}"), 2),
        (("house", "{empty}"), 1),
        (("lcb-submission", "{empty}"), 1),
        (("lcb-board", "{absent}"), 1),
        (("lcb-board", "{good}", "board\udcff.json"), 2),
        (("lcb-board", "{good}", "board\x1b[31m.json"), 2),
        (("programs", "\udcff", "{odd}"), 2),
        (("atcoder-tests", "{odd}"), 2),
    ],
)
def test_import_exits_2_for_a_wrong_call_and_1_for_what_cannot_be_done(
    tmp_path: Path, words: tuple[str, ...], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """2 for a call that cannot be right, 1 for what cannot be done; one clear line, and no database is asked."""
    good = write(tmp_path, "good.json", board_text([board_row("a", "p", 100.0)]))
    empty = write(tmp_path, "empty.json", "")
    (tmp_path / "odd" / "abc\x1b1" / "A" / "in").mkdir(parents=True)
    places = {"good": good, "empty": empty, "absent": tmp_path / "absent.json", "odd": tmp_path / "odd"}
    filled = [word.format_map(places) for word in words]
    try:
        ended = main(["import", *filled])
    except SystemExit as left:
        ended = int(left.code or 0)
    assert ended == code
    said = capsys.readouterr().err.strip().splitlines()
    assert said[0].startswith("tidemark: ")
    assert all(line.isprintable() for line in said)
    assert all(line.startswith("  empty.json:1: ") for line in said[1:]), "a bad row has a line of its own"
    assert words[-1] != "other" or "it takes codegen, repair, test-output, execution, execution-cot" in said[0]


def test_a_board_that_is_not_there_is_a_usage_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["board", "nothing"]) == 2
    assert "unknown board 'nothing'; known: codegen" in capsys.readouterr().err


def test_problems_of_a_set_wait_for_their_proof(ctx: Context, tmp_path: Path) -> None:
    file = write(tmp_path, "set.jsonl.gz", lines(dataset_row("one"), dataset_row("two")))
    done = run(ctx.settings, "leetcode-dataset", file, "--json", "--no-wait")
    assert json.loads(done.stdout)["problems"] == 2
    with ctx.sessions() as session:
        assert session.scalars(select(Problem.state)).all() == ["found", "found"]


def test_an_import_returns_when_the_reports_have_it(ctx: Context, tmp_path: Path) -> None:
    use(ctx)
    suite = find_suite("lcb-board")
    for models in ("a", "ab"):
        rows = [board_row(model, problem, 100.0) for model in models for problem in "pq"]
        file = suite.load(write(tmp_path, f"{models}.json", board_text(rows)))
        stored = ctx.commit(store_batch, suite.read(file, {}, now()), now())
        wait_for_board(ctx, running=False, runs=stored.runs)
        with ctx.sessions() as session:
            found = contamination.report(session, "lcb")
            assert [row["model"] for row in found.models] == list(models)


def test_an_import_waits_for_itself_and_for_nobody_else(ctx: Context, tmp_path: Path) -> None:
    """An answer of another run stays before the judge: the import counts its own cells and returns."""
    contest = write(tmp_path, "contest.jsonl", lines(contest_row("one", "assert my_solution.run(nums=[1]) == 1")))
    assert run(ctx.settings, "deepseek-contests", contest, "--no-wait").exit_code == 0
    with ctx.sessions.begin() as session:
        standing(session, "tern", protocol=FRESH)
        assert answer_all(session, now=now()) == 1
    people = run(ctx.settings, "human-ratings", write(tmp_path, "people.csv", "rating,count\n1200,10\n1500,5\n"))
    assert (people.exit_code, people.stderr) == (0, ""), people.output
    board = write(tmp_path, "board.json", board_text([board_row("a", problem, 100.0) for problem in "pq"]))
    use(ctx)
    suite = find_suite("lcb-board")
    stored = ctx.commit(store_batch, suite.read(suite.load(board), {}, now()), now())
    with ctx.sessions() as session:
        assert import_backlog(session, stored.runs, stored.test_sets) == ImportBacklog(proofs=0, judging=0, dirty=2)
    wait_for_board(ctx, running=False, runs=stored.runs, test_sets=stored.test_sets)
    assert count(ctx, CellRow) >= 2
    with ctx.sessions() as session:
        assert session.scalars(select(Sample.state)).all() == [SampleState.ANSWERED]
