"""Private and rewritten problems, from cells to the API and the page; and how many people a rating is above."""

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from api.test_contamination_api import make_report
from api.test_ratings_api import contest_of, keep_people, rated
from factories import World

from app.db.sources import people
from app.db.tables import Problem, Run
from app.domain.asking.protocols import FRESH
from app.domain.judging.verdicts import Verdict

CUTOFF = date(2026, 1, 1)


@pytest.fixture
def world(session) -> World:  # type: ignore[no-untyped-def]
    made = World(session, protocol=FRESH)
    made.source("private", show=False)
    return made


def league(world: World, private: int, twins: int) -> list[Run]:
    """Forty public problems of which ten came before the cutoff, and private ones, the first of which rewrite some.

    The first model solves every public problem from after the cutoff and no private one; the second has no cutoff,
    the third a day of release, which only bounds one.
    """
    runs = [world.run("orion", cutoff_on=CUTOFF), world.run("vega"), world.run("halo", released_on=CUTOFF)]
    public = [
        world.problem(f"{n}/A", source="codeforces", contest=str(n), day=CUTOFF + timedelta(days=n - 9))
        for n in range(40)
    ]
    hidden = [
        world.problem(f"h{n}", source="private", day=date(2026, 3, 1) + timedelta(days=n // 2)) for n in range(private)
    ]
    for original, twin in zip(public[-twins:], hidden, strict=False):
        people.set_rewrite(world.session, twin.id, original.id)
    for run in runs:
        for place, problem in enumerate([*public, *hidden]):
            world.answer(run, problem, Verdict.ACCEPTED if 10 <= place < 40 else Verdict.WRONG_ANSWER)
    world.count()
    world.session.commit()
    return runs


def found(world: World, client: httpx.Client, folder: Path) -> dict[str, Any]:
    make_report(world, folder)
    world.session.commit()
    body = client.get("/api/v1/contamination", params={"protocol": "fresh"}).json()
    return {"whole": body, **{row["model"]: row for row in body["models"]}}


def test_gaps_are_told_with_intervals_and_words_once_there_are_enough(
    world: World, client: httpx.Client, tmp_path: Path
) -> None:
    """Too few problems give a reason and no number; one more of each kind gives the numbers."""
    runs = league(world, private=29, twins=9)
    told = found(world, client, tmp_path / "cubes")
    assert told["orion"]["private_gap"]["reason"] == "few_private"
    assert told["orion"]["rewritten"] is None
    assert told["orion"]["rewritten_graded"] == 9
    assert "9 pairs; 10 are needed" in client.get("/en/contamination?protocol=fresh").text

    last = world.problem("h29", source="private", day=date(2026, 3, 15))
    for run in runs:
        world.answer(run, last, Verdict.WRONG_ANSWER)
    names = {problem.external_id: problem.id for problem in world.session.query(Problem)}
    for n in (9, 10, 11):
        people.set_rewrite(world.session, names[f"h{n}"], names[f"{n + 13}/A"])
    world.count()
    world.now += timedelta(days=1)
    told = found(world, client, tmp_path / "cubes")
    assert (told["whole"]["private_problems"], told["whole"]["rewritten_pairs"]) == (30, 12)
    known = told["orion"]["private_gap"]
    assert (known["reason"], known["n_public"], known["n_private"]) == (None, 30, 30)
    assert (known["public"]["score"], known["private"]["score"], known["gap"]) == (100, 0, 100)
    assert 50 < known["lo"] < known["hi"] == 100
    assert known["adjusted_for_difficulty"] is False
    assert told["orion"]["rewritten"]["gap"] == 100
    assert told["orion"]["rewritten"]["n"] == 12
    assert told["orion"]["rewritten"]["lo"] < 100
    assert told["vega"]["private_gap"]["reason"] == "no_cutoff"
    assert told["vega"]["private_gap"]["gap"] is None
    assert told["halo"]["private_gap"]["reason"] == "no_cutoff", "the same rule as of the test beside it"
    page = client.get("/en/contamination?protocol=fresh").text
    for said in ("not adjusted for difficulty", "consistent with recall of the original, and proves nothing more",
                 "the cutoff is unknown", "n 12"):  # fmt: skip
        assert said in page, said
    assert "未按难度校正" in client.get("/zh/contamination?protocol=fresh").text


def test_a_report_without_such_problems_says_so(world: World, client: httpx.Client, tmp_path: Path) -> None:
    world.answer(world.run("orion", cutoff_on=CUTOFF), world.problem("1/A", source="codeforces", contest="1"))
    world.count()
    found(world, client, tmp_path / "cubes")
    assert "There are no private or rewritten problems" in client.get("/en/contamination?protocol=fresh").text


def test_nobody_reads_a_private_problem(world: World, client: httpx.Client) -> None:
    run = world.run("orion", cutoff_on=CUTOFF)
    problem = world.problem("h0", source="private", day=date(2026, 3, 1))
    for each in (problem, world.problem("1/A", source="codeforces", contest="1")):
        world.answer(run, each)
    world.count()
    world.session.commit()
    secret = "Read two numbers and print their sum."
    for path in (f"/en/problems/private/{problem.external_id}", "/en/models/orion"):
        page = client.get(path)
        assert page.status_code == 200
        assert secret not in page.text


def test_the_percentile_is_the_share_of_people_below(world: World, client: httpx.Client, tmp_path: Path) -> None:
    run = world.run("orion")
    keep_people(world, contest_of(world, "100", date(2026, 3, 1)))
    problem = world.problem("100/A", day=date(2026, 3, 1), source="codeforces", contest="100")
    world.difficulty(problem, "points", 500)
    world.answer(run, problem)
    world.count()
    before = rated(world, client, tmp_path / "cubes")
    assert (before["people"], before["rows"][0]["percentile"]) == (None, None)
    rating = before["rows"][0]["rating"]
    people.keep(world.session, "a" * 64, [(float(int(rating)) - 5, 2), (rating, 1), (9000.0, 6)], world.now)
    world.session.commit()
    after = client.get("/api/v1/human-ratings", params={"protocol": "fresh"}).json()
    assert after["people"]["count"] == 9
    assert after["rows"][0]["percentile"] == 22.2, "strictly below: two of nine"
    page = client.get("/en/?tab=rating&from=&protocol=fresh").text
    assert "22.2" in page
    assert "of 9 rated people" in page
