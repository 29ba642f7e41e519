"""Ratings beside the score: task Elo, topics, and a place among people, through the API."""

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from factories import World
from sqlalchemy import select

from app.db.sources.standings import store_rating_changes, store_standings
from app.db.tables import Contest, Model, Problem
from app.domain.asking.protocols import FRESH, LCB, ProtocolScope
from app.domain.judging.verdicts import Verdict
from app.domain.ratings import bradley_terry, bradley_terry_intervals, expected_contest_rating
from app.domain.sources.records import ScrapedRatingChange, ScrapedStanding
from app.domain.states import ProblemState, RunOrigin
from app.services.boards.cubes import CubeStore
from app.services.evidence import reports

MODELS, PROBLEMS = 4, 30


@pytest.fixture
def outcomes(world: World) -> Any:
    """Four complete rows under a protocol of their own, and a fifth whose model may have seen problems."""
    rng = np.random.default_rng(2)
    rates = rng.binomial(1, rng.random((1, PROBLEMS)) * np.linspace(0.6, 1, MODELS)[:, None]).astype(float)
    rates[:, -1] = 1  # the last tenth takes a rate of one in
    protocol = replace(LCB, slug="files")
    problems = [world.problem(f"p{n}", day=date(2026, 1, 1) + timedelta(days=n)) for n in range(PROBLEMS)]
    problems[0].topics = ["graphs", "math"]
    for problem in problems[1:4]:
        problem.topics = ["math"]
    for number in range(MODELS + 1):
        cutoff = date(2026, 1, 3) if number == MODELS else date(2025, 1, 1)
        run = world.run(f"m{number}", protocol=protocol, origin=RunOrigin.IMPORTED, cutoff_on=cutoff)
        for place, problem in enumerate(problems):
            world.imported(run, problem, 1, int(rates[number, place]) if number < MODELS else 1, row=place)
    world.count()
    world.session.commit()
    return rates


def check_elo(client: httpx.Client, outcomes: Any, ties: str) -> None:
    """Elo is Bradley-Terry over the ranked rows."""
    found = client.get("/api/v1/boards/codegen/elo", params={"protocol": "files", "ties": ties}).json()
    expected = bradley_terry(outcomes, "half" if ties == "half" else "drop")
    shown = {row["model"]: row for row in found["rows"]}
    assert set(shown) == {f"m{number}" for number in range(MODELS)}, (
        "whoever may have seen problems battles with nobody"
    )
    for number in range(MODELS):
        row = shown[f"m{number}"]
        assert row["rating"] == pytest.approx(expected[number], abs=1e-6)
        assert row["score"] == pytest.approx(100 * outcomes[number].mean())
    assert [row["rating"] for row in found["rows"]] == sorted((row["rating"] for row in found["rows"]), reverse=True)
    assert [(row["model"], row["reason"]) for row in found["unranked"]] == [(f"m{MODELS}", "exposed")]


def check_intervals(client: httpx.Client, outcomes: Any) -> None:
    """The intervals of elo are of 500 bootstraps."""
    found = client.get("/api/v1/boards/codegen/elo", params={"protocol": "files"}).json()
    drawn = bradley_terry_intervals(outcomes, range(PROBLEMS), replicates=500, seed=found["revision"])
    shown = {row["model"]: (row["lo"], row["hi"]) for row in found["rows"]}
    for number in range(MODELS):
        ends = [float(end) if np.isfinite(end) else None for end in (drawn.lo[number], drawn.hi[number])]
        assert shown[f"m{number}"] == pytest.approx(ends, abs=1e-6)


def test_battles_under_a_second_protocol_count_for_those_with_a_rank_there(
    client: httpx.Client, world: World, outcomes: Any
) -> None:
    others = 1 - outcomes
    problems = world.session.scalars(select(Problem).order_by(Problem.id)).all()
    for number in range(MODELS):
        model = world.session.scalars(select(Model).where(Model.slug == f"m{number}")).one()
        run = world.run(model, protocol=replace(LCB, slug="others"), origin=RunOrigin.IMPORTED)
        for place, problem in enumerate(problems if number else problems[:3]):  # the first is unfinished there
            world.imported(run, problem, 1, int(others[number, place]), row=place)
    world.count()
    world.session.commit()
    asked = {"protocol": "files", "also": "others"}
    found = client.get("/api/v1/boards/codegen/elo", params=asked).json()
    expected = bradley_terry(np.concatenate([outcomes[1:], others[1:]], axis=1), "drop")
    assert found["also"] == "others"
    shown = {row["model"]: row["rating"] for row in found["rows"]}
    assert shown == {f"m{number}": pytest.approx(expected[number - 1], abs=1e-6) for number in range(1, MODELS)}
    for also in ("nowhere", ["others", "files"]):
        assert client.get("/api/v1/boards/codegen/elo", params={**asked, "also": also}).status_code == 422


def check_solve_rates(client: httpx.Client, outcomes: Any) -> None:
    """Solve rates are means over the rows."""
    found = client.get("/api/v1/boards/codegen/solve-rates", params={"protocol": "files"}).json()
    rates = [sum(column) / (MODELS + 1) for column in zip(*outcomes.tolist(), [1] * PROBLEMS, strict=True)]
    assert (found["judged"], found["nobody"]) == (PROBLEMS, 0)
    assert found["everybody"] == rates.count(1) > 0
    assert found["tenths"] == [sum(min(int(10 * rate + 1e-9), 9) == tenth for rate in rates) for tenth in range(10)]
    early = client.get("/api/v1/boards/codegen/solve-rates", params={"protocol": "files", "to": "2020-01-01"}).json()
    assert (early["judged"], early["tenths"]) == (0, [0] * 10)


def check_left_out(client: httpx.Client) -> None:
    """Every table says what it leaves out."""
    for table in ("elo", "topics", "composites", "solve-rates"):
        url, asked = f"/api/v1/boards/codegen/{table}", {"protocol": "files", "exposure": "hide", "to": "2026-01-11"}
        found = client.get(url, params=asked).json()
        assert found["hidden"] == [{"model": f"m{MODELS}", "configuration": "", "reason": "exposure"}]
        assert (found["problems"], found["problems_left_out"]) == (10, {"window": 20})
        assert client.get(url, params={**asked, "ref": "nobody"}).status_code == 422


def check_questions(client: httpx.Client) -> None:
    """Elo takes the window and refuses what it does not know."""
    url = "/api/v1/boards/codegen/elo"
    half = client.get(url, params={"protocol": "files", "to": "2026-01-11"}).json()
    assert half["problems"] == 10
    assert client.get(url, params={"protocol": "files", "to": "2020-01-01"}).json()["rows"] == []
    for params in ({"ties": "all"}, {"nothing": "1"}, {"protocol": "nowhere"}):
        assert client.get(url, params=params).status_code == 422
    assert client.get(url, params=[("ties", "drop"), ("ties", "half")]).status_code == 422
    assert client.get("/api/v1/boards/nowhere/elo").status_code == 404


def check_topics(client: httpx.Client, outcomes: Any) -> None:
    """Topics count a problem under each of its topics."""
    found = client.get("/api/v1/boards/codegen/topics", params={"protocol": "files"}).json()
    assert [(each["topic"], each["problems"]) for each in found["topics"]] == [("math", 4), ("graphs", 1)]
    maths = {row["model"]: row for row in found["topics"][0]["rows"]}
    assert maths["m0"]["score"] == pytest.approx(100 * outcomes[0][:4].mean())
    assert maths["m0"]["n"] == 4


def check_split_topics(client: httpx.Client) -> None:
    """Topics of a split board leave out what a model may have seen."""
    params = {"protocol": "files", "exposure": "split"}
    found = client.get("/api/v1/boards/codegen/topics", params=params).json()
    shown = {(each["topic"], row["model"]): row for each in found["topics"] for row in each["rows"]}
    assert (shown["graphs", f"m{MODELS}"]["score"], shown["graphs", f"m{MODELS}"]["n"]) == (None, 0)
    assert shown["math", f"m{MODELS}"]["n"] == 1, "it may have seen the one of the day of its cutoff too"
    assert shown["math", "m0"]["n"] == 4


def test_tables_of_a_board_are_what_its_rows_say(client: httpx.Client, outcomes: Any) -> None:
    for ties in ("drop", "half"):
        check_elo(client, outcomes, ties)
    check_solve_rates(client, outcomes)
    check_left_out(client)
    check_questions(client)
    check_topics(client, outcomes)
    check_split_topics(client)
    check_intervals(client, outcomes)


PEOPLE = [(3000.0 - 10 * place, 0.0, 2600.0 - 8 * place) for place in range(220)]


def keep_people(world: World, contest: Contest, unknown: int = 0) -> None:
    ranked = [
        ScrapedStanding(place + 1, points=points, penalty=penalty) for place, (points, penalty, _) in enumerate(PEOPLE)
    ]
    olds = [int(old) for _, _, old in PEOPLE]
    changes = [ScrapedRatingChange(place + 1 + unknown, old, old + 5) for place, old in enumerate(olds)]
    store_standings(world.session, contest.id, ranked, world.now)
    store_rating_changes(world.session, contest.id, changes, world.now)


def rated(world: World, client: httpx.Client, folder: Path) -> Any:
    cubes = CubeStore(folder)
    world.session.commit()
    while (work := reports.claim_due_report(world.session, cubes, world.now)) is not None:
        reports.store_report(world.session, work, work.make(), world.now)
    world.session.commit()
    return client.get("/api/v1/human-ratings", params={"protocol": "fresh"}).json()


def contest_of(world: World, name: str, day: date) -> Contest:
    found = world.contest(world.source("codeforces"), name, day)
    found.kind, found.division = "CF", "Div. 2"
    return found


def test_a_row_takes_part_where_every_problem_is_graded(world: World, client: httpx.Client, tmp_path: Path) -> None:
    world.protocol = FRESH
    runs = [world.run("orion"), world.run("lyra")]
    for number, name in enumerate(("100", "101", "102", "103", "104", "105", "106")):
        day = date(2026, 3, 1 + number)
        contest = contest_of(world, name, day)
        if name in ("105", "106"):  # a problem is known that nobody is asked, and one that is not known was solved
            tests: dict[str, Any] = {"state": ProblemState.HELD, "hold_reason": "no_tests"} if name == "105" else {}
            world.problem(f"{name}/C", day=day, source="codeforces", contest=name, **tests)
        contest.division = {"103": "Div. 1", "104": None}.get(name, contest.division)
        keep_people(world, contest, unknown=50 if name == "102" else 0)
        for letter, worth in (("A", 500), ("B", 1000)):
            problem = world.problem(f"{name}/{letter}", day=day, source="codeforces", contest=name)
            world.difficulty(problem, "points", worth)
            if (name, letter) != ("101", "B"):
                hard = (name, letter) == ("104", "A")
                world.answer(runs[0], problem, Verdict.WRONG_ANSWER if hard else Verdict.ACCEPTED)
            if name == "100":
                world.answer(runs[1], problem)
    world.count()
    found = rated(world, client, tmp_path / "cubes")
    assert [each["contest"] for each in found["contests"]] == ["100", "101", "102", "103", "104", "105", "106"]
    assert [each["left_out"] for each in found["contests"]] == [
        None, None, "few_people", "first_division", None, "problems", "points",
    ]  # fmt: skip
    assert [each["lacking"] for each in found["contests"]] == [0, 0, 0, 0, 0, 1, 0]
    assert found["contests"][0]["division"] == "Div. 2"
    assert found["contests"][0]["standings_of"] == world.now.isoformat()
    assert found["counted"] == 3, "of the third too few ratings have a score"
    [high, row] = found["rows"]
    assert [each["contest"] for each in row["by_contest"]] == ["100", "104"], "the second is not all graded"
    scores, ratings = [(points, penalty) for points, penalty, _ in PEOPLE], [old for *_, old in PEOPLE]
    solved, half = (
        float(expected_contest_rating([(1, first, 500.0), (1, 1, 1000.0)], scores, ratings, "points"))
        for first in (1, 0)
    )
    assert high["rating"] == pytest.approx(solved)
    assert (high["lo"], high["sd"], high["contests"]) == (None, None, 1), "one contest gives no interval"
    assert row["rating"] == pytest.approx((solved + half) / 2)
    assert row["sd"] == pytest.approx((solved - half) / 2**0.5)
    assert [(part["division"], part["contests"]) for part in row["by_division"]] == [(None, 1), ("Div. 2", 1)]
    assert [part["rating"] for part in row["by_division"]] == [pytest.approx(half), pytest.approx(solved)]
    page = client.get("/en/?tab=rating&from=&protocol=fresh").text
    assert "4 contests do not count" in page
    assert (
        page.count("some of its problems are not judged here")
        == page.count("the points of its problems are unknown")
        == 1
    )
    assert page.count("only for the first division") == page.count("too few participants") == 1
    assert f"open to all: {half:.0f}" in " ".join(page.split())


def test_compat_repeats_the_published_tool(world: World, client: httpx.Client, tmp_path: Path) -> None:
    world.protocol = FRESH
    run = world.run("orion")
    for name, unknown in (("100", 0), ("101", 1)):
        keep_people(world, contest_of(world, name, date(2026, 3, 1)), unknown=unknown)
        problem = world.problem(f"{name}/A", day=date(2026, 3, 1), source="codeforces", contest=name)
        world.difficulty(problem, "points", 1000)
        world.answer(run, problem, Verdict.ACCEPTED)
    world.count()
    ours = rated(world, client, tmp_path / "cubes")
    tool = client.get("/api/v1/human-ratings", params={"protocol": "fresh", "compat": "codeelo"}).json()
    assert (ours["compat"], tool["compat"]) == (None, "codeelo")
    assert (ours["counted"], tool["counted"]) == (2, 1), "the tool takes no contest in which somebody has no score"
    scores, ratings = [(points, penalty) for points, penalty, _ in PEOPLE], [old for *_, old in PEOPLE]
    [held] = tool["rows"][0]["by_contest"]
    expected = expected_contest_rating([(1, 1, 1000.0)], scores, ratings, "points", compat="codeelo")
    assert held["rating"] == float(expected) == int(expected)
    assert held["rating"] < ours["rows"][0]["by_contest"][0]["rating"] + 100
    assert client.get("/api/v1/human-ratings", params={"protocol": "fresh", "compat": "mine"}).status_code == 422


def test_people_who_solved_an_unknown_problem_leave_a_contest_out(
    world: World, client: httpx.Client, tmp_path: Path
) -> None:
    world.protocol = FRESH
    run = world.run("orion")
    for name, kind, solved in (("100", "CF", ("100/A", "100/B")), ("101", "ICPC", ()), ("102", "ICPC", ("102/A",))):
        contest = contest_of(world, name, date(2026, 3, 1))
        contest.kind = kind
        points = 2 if name == "101" else 1
        ranked = [ScrapedStanding(place + 1, None, None, points, place, solved) for place in range(220)]
        changes = [ScrapedRatingChange(place + 1, 1500, 1500) for place in range(220)]
        store_standings(world.session, contest.id, ranked, world.now)
        store_rating_changes(world.session, contest.id, changes, world.now)
        problem = world.problem(f"{name}/A", day=date(2026, 3, 1), source="codeforces", contest=name)
        world.difficulty(problem, "points", 1000)
        world.answer(run, problem, Verdict.ACCEPTED)
    world.count()
    found = rated(world, client, tmp_path / "cubes")
    assert [(held["contest"], held["left_out"]) for held in found["contests"]] == [
        ("100", "problems"), ("101", "problems"), ("102", None),
    ]  # fmt: skip


def test_an_invented_field_never_counts_beside_people(world: World, client: httpx.Client, tmp_path: Path) -> None:
    world.protocol = replace(FRESH, covers=ProtocolScope())
    run = world.run("orion")
    for name, source in (("100", "codeforces"), ("house-1", "house")):
        contest = world.contest(world.source(source), name, date(2026, 3, 1))
        keep_people(world, contest)
        problem = world.problem(f"{name}/A", day=date(2026, 3, 1), source=source, contest=name)
        world.answer(run, problem, Verdict.ACCEPTED)
        contest.kind = "ICPC"
        ranked = [ScrapedStanding(place + 1, points=1, penalty=place) for place in range(220)]
        store_standings(world.session, contest.id, ranked, world.now + timedelta(seconds=1))
    world.count()
    found = rated(world, client, tmp_path / "cubes")
    assert {held["contest"]: held["left_out"] for held in found["contests"]} == {"100": None, "house-1": "invented"}
    assert not found["invented"]


def test_human_ratings_without_rated_contests_are_empty(world: World, client: httpx.Client, tmp_path: Path) -> None:
    world.protocol = FRESH
    world.run("orion")
    assert client.get("/api/v1/human-ratings", params={"protocol": "nowhere"}).status_code == 404
    found = rated(world, client, tmp_path / "cubes")
    assert (found["contests"], found["rows"][0]["rating"]) == ([], None)
