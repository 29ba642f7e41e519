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
    asked = "board=codegen&from=2026-01-05&m=lyra&m=orion"
    assert set(links) == {asked, f"{asked}%3Ahigh"}
    rows = client.get("/api/v1/boards/codegen?ref=orion").json()["rows"]
    without = [(row["model"], row["configuration"]) for row in rows if row["difference"] is None]
    assert without == [("orion", "")], "a model alone is its row without a configuration, though another is above it"
    page = client.get(f"/en/compare?{asked}").text
    assert rows_of(page) == ["Lyra", "Orion"], "the first one is first"
    assert "Orion leads Lyra by" in page
    assert "all (6)" in page
    assert "they differ (4)" in page
    assert "only A passes (1)" in page
    assert "only B passes (3)" in page
    earlier = client.get("/en/compare?board=codegen&from=2026-01-05&ref=lyra&with=orion").text
    assert (rows_of(earlier), problems_of(earlier)) == (rows_of(page), problems_of(page)), "links made earlier work"
    differ = client.get(f"/en/compare?{asked}&show=differ").text
    assert problems_of(differ) == ["p7", "p4", "p2", "p1"]
    assert problems_of(client.get(f"/en/compare?{asked}&show=only-1").text) == ["p2"]
    assert problems_of(page) == ["p7", "p5", "p4", "p3", "p2", "p1"]
    assert "请选择两至六个条目" in client.get("/zh/compare").text, "without rows it asks for them"
    for wrong in ("show=only-3", "show=some", "skip=x"):
        assert client.get(f"/en/compare?{asked}&{wrong}").status_code == 422, wrong


def test_three_rows_are_compared_on_the_problems_that_all_have(league: World, client: httpx.Client) -> None:
    page = client.get("/en/compare?m=orion:high&m=lyra&m=orion:").text
    assert rows_of(page) == ["Orion (high)", "Lyra", "Orion"]
    assert problems_of(page) == ["p7", "p5", "p4", "p3", "p2", "p1", "p0"]
    only = problems_of(client.get("/en/compare?m=orion:high&m=lyra&m=orion:&show=only-1").text)
    assert only == ["p3"], "of the three only one passes it"
    cells = re.findall(r'class="outcome o-(\w+)[^"]*" href="(/en/samples/\d+)"', page)
    assert len(cells) == 3 * 7, "each outcome leads to its answer"
    assert {client.get(link).status_code for _, link in cells[:3]} == {200}
    assert re.findall(r'href="(/en/compare\?[^"]*)" aria-label="Remove Lyra"', page) == [
        "/en/compare?board=codegen&amp;m=orion%3Ahigh&amp;m=orion"
    ]
    for groups in ("By level", "By month of release"):
        assert groups in page, groups
    seven = "&".join(f"m=row{n}" for n in range(7))
    assert client.get(f"/en/compare?{seven}").status_code == 422


def rows_of(page: str) -> list[str]:
    """The names of the rows compared, in their order."""
    table = page.partition('class="letter"')[2].partition("</table>")[0]
    names = re.findall(r'<th scope="row"><a href="[^"]*">(.+?)</a>(?: <span class="conf">(.+?)</span>)?', table)
    return [f"{name} {configuration}".strip() for name, configuration in names]


def problems_of(page: str) -> list[str]:
    """The problems in the matrix, in their order."""
    matrix = page.partition('id="problems"')[2]
    return re.findall(r'<th scope="row"><a href="/en/problems/house/(\w+)', matrix)


def test_who_cannot_be_compared_is_named(league: World, client: httpx.Client) -> None:
    for asked, said in (
        ("ref=orion&with=lira", "did you mean lyra"), ("ref=lyra&with=lyra", "with itself"),
        ("ref=lyra", "with must name"), ("ref=lyra&with=vega", "unknown row"),
        ("with=a&with=b&ref=lyra", "with must be given once"),
    ):  # fmt: skip
        answer = client.get(f"/api/v1/boards/codegen/compare?{asked}")
        assert (answer.status_code in (400, 422), said in answer.text) == (True, True), (asked, answer.text)


def test_the_form_offers_every_row_and_names_are_as_they_were_given(league: World, client: httpx.Client) -> None:
    league.session.scalars(select(Model).where(Model.slug == "lyra")).one().name = "Q&A's <Lyra>"
    league.session.commit()
    page = client.get("/en/compare?m=orion:high").text
    assert re.findall(r' value="([^"]*)" checked>', page) == ["orion:high"]
    assert sorted(re.findall(r'name="m" value="([^"]*)"', page)) == ["lyra", "orion", "orion:high"]
    assert re.findall(r' value="([^"]*)" checked>', client.get("/en/compare?with=orion:high").text) == ["orion:high"]
    page = client.get("/en/compare?ref=orion:high&with=lyra").text
    assert "points on the 7 problems that both have" in page
    assert re.findall(r'<option value="([^"]*)"', page) == ["orion"], "the row that may be added"
    one = client.get("/en/compare?ref=orion:high&with=lyra&from=2026-01-01&to=2026-01-02").text
    assert "points on the 1 problem that both have" in one
    assert page.count("Q&amp;A&#39;s &lt;Lyra&gt;") == page.count("Lyra") > 3, "whole, and escaped once"
    assert 'href="/en/?from="' in page, "the board over all dates, which may open in others"
