"""What files say of people and of problems that nobody published: `import standings`, `human-ratings`, `package`."""

import json
from datetime import date
from pathlib import Path

import pytest
from factories import World
from pipeline.test_import_command import run
from sqlalchemy import select
from support.packages import as_folder, kattis
from typer.testing import Result

from app.db.kernel import blobs
from app.db.sources import people, standings
from app.db.tables import ContestStanding, HumanRatings, Problem, Rewrite, Source
from app.domain.asking.protocols import FRESH
from workers.context import Context

ROUND = "participant,points,penalty,old_rating,actual_delta\n1,3,10,1700,20\n2,2,5,1500,-3\n3,2,5,,\n4,0,0,0,50\n"


def known(ctx: Context) -> None:
    with ctx.sessions.begin() as session:
        world = World(session)
        world.contest(world.source("codeforces"), "1350", date(2026, 5, 1))
        world.problem("1350/A", source="codeforces", contest="1350", day=date(2026, 5, 1))


def write(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder / name


def bad(done: Result) -> list[tuple[int, str]]:
    assert done.exit_code == 1, done.output
    return [(row["line"], row["reason"]) for row in json.loads(done.stdout)["bad_rows"]]


def test_standings_are_kept_as_the_site_gives_them(ctx: Context, tmp_path: Path) -> None:
    known(ctx)
    file = write(tmp_path, "round.csv", ROUND)
    for _ in range(2):
        done = run(ctx.settings, "standings", file, "--contest", "1350", "--json", "--no-wait")
        assert done.exit_code == 0, done.output
        assert json.loads(done.stdout)["rows"] == 4
    with ctx.sessions() as session:
        kept = {
            each.kind: json.loads(blobs.get(session, each.blob_sha256))
            for each in session.scalars(select(ContestStanding))
        }
        [contest] = standings.rated_contests(session, "codeforces", session.scalars(select(Problem.id)).all())
        assert len(session.scalars(select(ContestStanding)).all()) == 2, "the same file twice is one fact"
    assert kept["standing"] == [[1, None, 3, 10, []], [2, None, 2, 5, []], [2, None, 2, 5, []], [4, None, 0, 0, []]]
    assert kept["rating_change"] == [[1, 1700, 1720], [2, 1500, 1497], [4, 0, 50]]
    assert contest.people == ((3, 10, 1700), (2, 5, 1500), (0, 0, 0))
    assert contest.unmatched == 0


def test_standings_of_a_contest_that_is_not_here_are_refused(ctx: Context, tmp_path: Path) -> None:
    known(ctx)
    file = write(tmp_path, "round.csv", ROUND)
    done = run(ctx.settings, "standings", file, "--contest", "9999", "--no-wait")
    assert done.exit_code != 0
    assert "codeforces has no contest 9999 here" in str(done.exception)
    assert run(ctx.settings, "standings", file, file, "--contest", "1350", "--no-wait").exit_code != 0
    with ctx.sessions() as session:
        assert session.scalars(select(ContestStanding)).all() == []
    assert bad(run(ctx.settings, "standings", file, "--json", "--no-wait"))[0][0] == 1


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("points,penalty\n1,2\n", 1, "the header names no old_rating"),
        ("", 1, "the header names no points, penalty, old_rating"),
        ("points,points,penalty,old_rating\n", 1, "the header names a column twice"),
        ("points,penalty,old_rating\n", 1, "the file holds nobody"),
        ("points,penalty,old_rating\n1,2,3\nnan,2,3\n", 3, "points is nan"),
        ("points,penalty,old_rating\n1,x,3\n", 2, "penalty is 'x', not a number"),
        ("points,penalty,old_rating\n1,2,3.5\n", 2, "old_rating is '3.5', not a whole number"),
        ("points,penalty,old_rating\n1,2,99999\n", 2, "old_rating is 99999"),
        ("points,penalty,old_rating\n1,2\n", 2, "2 fields under a header of 3"),
    ],
)
def test_bad_rows_are_listed_with_their_line(ctx: Context, tmp_path: Path, text: str, line: int, said: str) -> None:
    file = write(tmp_path, "round.csv", text)
    [(where, why)] = bad(run(ctx.settings, "standings", file, "--contest", "1350", "--json", "--no-wait"))
    assert where == line
    assert why.startswith(said)


def test_the_newest_ratings_of_all_people_count(ctx: Context, tmp_path: Path) -> None:
    histogram = write(tmp_path, "all.csv", "rating,count\n1000,3\n1200,6\n1600,1\n")
    one_a_line = write(tmp_path, "some.txt", "1000\n1400\n\n1400\n")
    as_json = write(tmp_path, "sorted_ratings.json", "[348, 1400,\n 1400, 4009]")
    for file, total in ((histogram, 10), (one_a_line, 3), (as_json, 4), (histogram, 10)):
        assert run(ctx.settings, "human-ratings", file, "--no-wait").exit_code == 0
        with ctx.sessions() as session:
            newest = people.newest(session)
            assert newest is not None
            assert newest.total == total
    with ctx.sessions() as session:
        assert len(session.scalars(select(HumanRatings)).all()) == 3
    broken = write(tmp_path, "broken.csv", "rating,count\n1000,3\nx,1\n1200,-1\n")
    assert [line for line, _ in bad(run(ctx.settings, "human-ratings", broken, "--json", "--no-wait"))] == [3, 4]
    for empty in ("", "\n", "rating\n", "rating,count\n1000,0\n", "[]"):
        assert bad(run(ctx.settings, "human-ratings", write(tmp_path, "e", empty), "--json", "--no-wait"))
    assert bad(run(ctx.settings, "human-ratings", write(tmp_path, "e", "12\nx\n"), "--json", "--no-wait"))[0][0] == 2
    odd = write(tmp_path, "odd.json", "[1500, null, [1400], 99999, 1600.5]")
    assert [why for _, why in bad(run(ctx.settings, "human-ratings", odd, "--json", "--no-wait"))] == [
        "number 2: rating is 'None', not a whole number",
        "number 3: rating is '[1400]', not a whole number",
        "number 4: rating is 99999, not from -1000 to 10000",
        "number 5: rating is '1600.5', not a whole number",
    ]


def test_a_private_problem_is_asked_with_the_fresh_ones_and_never_shown(ctx: Context, tmp_path: Path) -> None:
    known(ctx)
    package = as_folder(tmp_path, "split", kattis())
    words = (
        "package",
        package,
        "--private",
        "--rewrites",
        "codeforces/1350/A",
        "--released",
        "2026-05-01",
        "--no-wait",
    )
    for _ in range(2):
        done = run(ctx.settings, *words)
        assert done.exit_code == 0, done.output
    with ctx.sessions() as session:
        [source] = session.scalars(select(Source).where(Source.slug == "private"))
        assert not source.show_statements
        assert source.slug in FRESH.covers.sources
        [problem] = session.scalars(select(Problem).where(Problem.source_id == source.id))
        assert people.private_problems(session) == {problem.id}
        [kept] = session.scalars(select(Rewrite))
        original = session.get_one(Problem, kept.original_id)
        assert (kept.problem_id, original.external_id) == (problem.id, "1350/A")
        source.show_statements = True
        assert people.private_problems(session) == frozenset(), "what pages show is private no more"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--private", "--source", "mine"), "give --private without --source"),
        (("--source", "private"), "private ones with --private"),
        (("--rewrites", "nonsense"), "is not SOURCE/PROBLEM"),
        (("--rewrites", "codeforces/"), "is not SOURCE/PROBLEM"),
    ],
)
def test_words_that_do_not_fit_are_refused(ctx: Context, tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    package = as_folder(tmp_path, "split", kattis())
    [(_, why)] = bad(run(ctx.settings, "package", package, *words, "--json", "--no-wait"))
    assert said in why


@pytest.mark.parametrize("name", ["codeforces/1350/Z", "nowhere/1", "packages/split"])
def test_what_is_rewritten_is_another_problem_and_here(ctx: Context, tmp_path: Path, name: str) -> None:
    known(ctx)
    package = as_folder(tmp_path, "split", kattis())
    done = run(ctx.settings, "package", package, "--rewrites", name, "--released", "2026-05-01", "--no-wait")
    assert done.exit_code != 0
    assert "rewrit" in str(done.exception)
    with ctx.sessions() as session:
        assert session.scalars(select(Rewrite)).all() == []
        assert session.scalars(select(Problem).where(Problem.external_id == "split")).all() == []
