"""Ways of sampling side by side, through the API and as a page: what a sweep made, and nothing else."""

from dataclasses import replace
from datetime import date, timedelta

import httpx
import pytest
from factories import World

from app.domain.asking.decoding_sweeps import SweepGrid, sweep, sweep_members, swept_axes
from app.domain.asking.protocols import FRESH, HOUSE
from app.domain.judging.verdicts import Verdict

SWEPT = sweep(HOUSE, SweepGrid(temperature=(0.0, 0.8), top_k=(20, None)))
URL = "/api/v1/boards/codegen/sampling"


@pytest.fixture
def filled(world: World) -> World:
    """Model orion solves n + 1 of four problems under the n-th protocol of the sweep."""
    problems = [world.problem(f"p{n}", day=date(2026, 1, 1) + timedelta(days=n), contest=f"c{n}") for n in range(4)]
    orion = world.model("orion", cutoff_on=date(2025, 1, 1))
    for number, protocol in enumerate((*SWEPT, replace(SWEPT[0], slug="terse", title="Terse", system="Be brief."))):
        run = world.run(orion, protocol=protocol)
        for place, problem in enumerate(problems):
            world.answer(run, problem, Verdict.ACCEPTED if place <= number else Verdict.WRONG_ANSWER)
    world.count()
    world.session.commit()
    return world


def test_only_sampling_may_differ() -> None:
    others = (FRESH, replace(HOUSE, slug="other", system=""), replace(HOUSE, slug="twice", sampling=replace(
        HOUSE.sampling, n=2)))  # fmt: skip
    assert sweep_members(HOUSE, (*others, HOUSE, *reversed(SWEPT))) == [SWEPT[1], SWEPT[0], HOUSE, SWEPT[3], SWEPT[2]]
    assert swept_axes(SWEPT) == ["temperature", "top_k"]
    assert swept_axes([HOUSE]) == []


def test_a_sweep_stands_side_by_side(filled: World, client: httpx.Client) -> None:
    found = client.get(URL, params={"protocol": SWEPT[0].slug}).json()
    assert found["axes"] == ["temperature", "top_k"]
    assert [(each["values"], each["rows"][0]["score"]) for each in found["protocols"]] == [
        ({"temperature": 0.0, "top_k": None}, 50.0), ({"temperature": 0.0, "top_k": 20}, 25.0),
        ({"temperature": 0.8, "top_k": None}, 100.0), ({"temperature": 0.8, "top_k": 20}, 75.0),
    ]  # fmt: skip
    row = found["protocols"][0]["rows"][0]
    assert row["ci_lo"] < row["score"] < row["ci_hi"]
    part = client.get(URL, params={"protocol": SWEPT[0].slug, "to": "2026-01-02"}).json()
    assert {each["rows"][0]["n_problems"] for each in part["protocols"]} == {1}


def test_the_page_has_a_grid_of_two_axes(filled: World, client: httpx.Client) -> None:
    board = client.get(f"/en/boards/codegen?protocol={SWEPT[0].slug}").text
    link = f"/en/sampling?board=codegen&amp;protocol={SWEPT[0].slug}"
    assert link in board
    page = " ".join(client.get(link.replace("&amp;", "&")).text.split())
    assert "temperature × top-k" in page
    assert '<th scope="col" class="num">off</th><th scope="col" class="num">20</th>' in page
    assert page.index(">75.0</a>") > page.index(">50.0</a>")
    assert "Terse" not in page
    assert "<caption>" not in page
    alone = client.get("/en/sampling?board=codegen&protocol=terse").text
    assert "No other protocol differs" in alone
    assert "/sampling" not in client.get("/en/boards/codegen?protocol=terse").text.split("<main")[1]
    assert "采样方式" in client.get("/zh/sampling").text


def test_of_three_axes_there_is_a_grid_for_each_value_of_the_first(world: World, client: httpx.Client) -> None:
    problem, orion = world.problem("p"), world.model("orion", cutoff_on=date(2025, 1, 1))
    warm = sweep(HOUSE, SweepGrid(temperature=(0.9,), top_p=(0.5, 0.8), top_k=(20, 50)))
    for protocol in (HOUSE, *warm):
        world.answer(world.run(orion, protocol=protocol), problem)
    world.count()
    world.session.commit()
    page = client.get("/en/sampling?board=codegen").text
    assert page.count("<caption>") == 1
    assert "<caption>temperature 0.9</caption>" in page
