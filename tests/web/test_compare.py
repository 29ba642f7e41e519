"""Two rows side by side: the board's own difference, and every problem that it comes from."""

import html
import re
from datetime import date, timedelta

import httpx
import pytest
from factories import World
from sqlalchemy import select

from app.db.tables import Model
from app.domain.judging.verdicts import Verdict

# What orion and lyra do on eight problems; None is not judged yet.
BOTH = [(1, 1), (1, 0), (0, 1), (0, 0), (1, 0), (1, 1), (1, None), (1, 0)]
VERDICTS = {1: Verdict.ACCEPTED, 0: Verdict.WRONG_ANSWER}


@pytest.fixture
def league(world: World) -> World:
    orion, lyra = (world.model(slug, cutoff_on=date(2026, 1, 10)) for slug in ("orion", "lyra"))
    runs = [world.run(orion), world.run(lyra), world.run(orion, configuration={"effort": "high"})]
    for number, outcomes in enumerate(BOTH):
        problem = world.problem(f"p{number}", day=date(2026, 1, 1) + timedelta(days=7 * number), contest=f"c{number}")
        for run, outcome in zip(runs, (*outcomes, 1), strict=True):
            if outcome is not None:
                world.answer(run, problem, VERDICTS[outcome])
    world.count()
    world.session.commit()
    return world


def test_the_problems_add_up_to_the_boards_difference(league: World, client: httpx.Client) -> None:
    asked = {"ref": "orion:", "with": "lyra"}
    found = client.get("/api/v1/boards/codegen/compare", params=asked).json()
    row = next(
        row
        for row in client.get("/api/v1/boards/codegen?ref=orion:").json()["rows"]
        if row["model"] == "lyra"
    )  # fmt: skip
    assert found["counts"] == {
        "common": 7, "second_better": 1, "first_better": 3, "both": 2, "neither": 1, "alike": 0,
    }  # fmt: skip
    assert [problem["problem"] for problem in found["problems"]] == [f"house/p{n}" for n in (7, 4, 2, 1)]
    total = sum(problem["rates"][1] - problem["rates"][0] for problem in found["problems"])
    assert found["difference"]["mean"] == pytest.approx(100 * total / 7)
    assert [found["difference"][end] for end in ("mean", "lo", "hi")] == [
        row["difference"][end] for end in ("mean", "lo", "hi")
    ]
    assert [problem["may_have_seen"] for problem in found["problems"]] == [[False] * 2] * 3 + [[True] * 2]
    split = client.get("/api/v1/boards/codegen/compare", params={**asked, "exposure": "split"}).json()
    assert [split["counts"][name] for name in ("common", "first_better", "both")] == [5, 2, 1], "only what is clean"


def test_a_difference_on_the_board_leads_to_its_problems(league: World, client: httpx.Client) -> None:
    board = client.get("/en/?ref=lyra&from=2026-01-05").text
    links = [html.unescape(part.split('"')[0]) for part in board.split('href="/en/compare?')[1:]]
    asked = "board=codegen&from=2026-01-05&ref=lyra&with=orion"
    assert sorted(links) == [asked, f"{asked}%3Ahigh"]
    rows = client.get("/api/v1/boards/codegen?ref=orion").json()["rows"]
    without = [(row["model"], row["configuration"]) for row in rows if row["difference"] is None]
    assert without == [("orion", "")], "a model alone is its row without a configuration, though another is above it"
    page = client.get(f"/en/compare?{asked}").text
    assert re.findall(r" selected>(.+?)<", page) == ["Lyra", "Orion"]
    for said in (
        "Orion minus Lyra: ",
        "Orion is better",
        "Lyra is better",
        "Both always pass",
        'href="/en/problems/house/p4"',
        "95% interval",
    ):
        assert said in page, said
    assert 'href="/en/problems/house/p0"' not in page
    assert "两个条目的对比" in client.get("/zh/compare").text, "without rows it asks for them"


def test_who_cannot_be_compared_is_named(league: World, client: httpx.Client) -> None:
    for asked, said in (
        ("ref=orion&with=lira", "did you mean lyra"), ("ref=lyra&with=lyra", "with itself"),
        ("ref=lyra", "with must name"), ("ref=lyra&with=vega", "unknown row"),
        ("with=a&with=b&ref=lyra", "with must be given once"),
    ):  # fmt: skip
        answer = client.get(f"/api/v1/boards/codegen/compare?{asked}")
        assert (answer.status_code in (400, 422), said in answer.text) == (True, True), (asked, answer.text)


def test_the_form_begins_with_two_rows_and_names_are_as_they_were_given(league: World, client: httpx.Client) -> None:
    league.session.scalars(select(Model).where(Model.slug == "lyra")).one().name = "Q&A's <Lyra>"
    league.session.commit()
    page = client.get("/en/compare?ref=orion:high").text
    assert re.findall(r' value="([^"]*)" selected>', page) == ["orion:high", "orion"]
    assert re.findall(r' value="([^"]*)" selected>', client.get("/en/compare?with=orion:high").text)[1] == "orion:high"
    page = client.get("/en/compare?ref=orion:high&with=lyra").text
    assert "points over the 7 problems that both have" in page
    one = client.get("/en/compare?ref=orion:high&with=lyra&from=2026-01-01&to=2026-01-02").text
    assert "points over the 1 problem that both have" in one
    assert page.count("Q&amp;A&#39;s &lt;Lyra&gt;") == page.count("Lyra") > 4, "whole, and escaped once"
    assert 'href="/en/?ref=orion%3Ahigh&amp;from="' in page, "the board over all dates, which may open in others"
