"""A board opens on the newest window in which it says something, and offers one in which half of its rows are clean."""

import re
from datetime import date, timedelta
from pathlib import Path

import pytest
from factories import NOW, World
from httpx import Client

from app.cli.boards.text import format_board
from app.domain.boards.board import BoardQuery
from app.domain.scenarios import shipped_protocols
from app.services.boards import board_views

FIRST, CLEAN = date(2026, 3, 1), "2026-03-16"
OFFERED = "The longest window in which half of the rows are clean:"


@pytest.fixture
def mostly_seen(world: World) -> World:
    """Ten weeks; of four models one is clean everywhere, one from the fourth week on, and two in the last week."""
    problems = [world.problem(f"week-{week}", day=FIRST + timedelta(weeks=week)) for week in range(10)]
    for slug, weeks in (("tern", -1), ("orion", 2), ("lyra", 8), ("vega", 8)):
        run = world.run(slug, cutoff_on=FIRST + timedelta(weeks=weeks))
        for problem in problems:
            world.answer(run, problem)
    world.count()
    world.session.commit()
    return world


def links(page: str) -> list[str]:
    return [link.replace("&amp;", "&") for link in re.findall(r'href="([^"]+)"', page)]


@pytest.fixture
def lively(world: World) -> World:
    """Thirty weeks of contests up to today; of two models one may have seen all but the last six months."""
    days = [NOW.date() - timedelta(weeks=week) for week in range(30)]
    problems = [world.problem(f"week-{week}", day=day, contest=f"c{week}") for week, day in enumerate(days)]
    for slug, cutoff in (("tern", FIRST), ("orion", date(2026, 5, 1))):
        run = world.run(slug, cutoff_on=cutoff)
        for problem in problems:
            world.answer(run, problem)
    world.count()
    world.session.commit()
    return world


def window_of(page: str) -> tuple[str, str]:
    """The dates in the form."""
    [start] = re.findall(r'type="date" name="from" value="([^"]*)"', page)
    [end] = re.findall(r'type="date" name="to" value="([^"]*)"', page)
    return start, end


@pytest.mark.usefixtures("lively")
def test_the_first_view_is_the_newest_preset_with_ten_contests_and_half_of_the_rows_clean(client: Client) -> None:
    page = client.get("/en/").text
    start = (NOW.date() - timedelta(days=91)).isoformat()
    assert window_of(page) == (start, "")
    assert f"/api/v1/boards/codegen.csv?from={start}" in page, "what is taken away is what is shown"
    assert '<span aria-current="true">3 months</span>' in page
    assert "Filters</summary>" in page, "a preset is no filter"
    assert "data-named" in page
    few = client.get("/en/?model=orion").text
    assert window_of(few) == (start, ""), "a filter of rows changes no window"


@pytest.mark.usefixtures("lively")
def test_all_dates_are_one_click_away_and_stay(client: Client) -> None:
    page = client.get("/en/").text
    assert links(page).count("/en/?from=") == 1, "among the windows"
    every = client.get("/en/?from=").text
    assert window_of(every) == ("", "")
    assert '<span aria-current="true">All</span>' in every
    compared = next(link for link in links(every) if "ref=orion" in link)
    assert window_of(client.get(compared.partition("#")[0]).text) == ("", ""), "a link on it leads to all dates as well"
    assert "data-named" in every


@pytest.mark.usefixtures("lively")
def test_a_date_that_is_no_preset_is_a_filter_that_a_link_removes(client: Client) -> None:
    page = client.get("/en/?from=2026-09-01&difficulty=easy").text
    assert "Filters (2)</summary>" in page
    assert "since 2026-09-01" in page
    assert "Difficulty: easy" in page
    removed = re.findall(r'class="set-filter">([^<]*) <a href="([^"]*)"', page.replace("&amp;", "&"))
    assert dict(removed) == {
        "since 2026-09-01": "/en/?difficulty=easy&from=",
        "Difficulty: easy": "/en/?from=2026-09-01",
    }


@pytest.mark.usefixtures("mostly_seen")
def test_without_such_a_window_it_is_all_dates_and_the_clean_one_is_offered(client: Client) -> None:
    page = client.get("/en/").text
    assert window_of(page) == ("", "")
    assert OFFERED in page
    [offered] = {link for link in links(page) if f"from={CLEAN}" in link and "/en/" in link}
    there = client.get(offered).text
    assert window_of(there) == (CLEAN, "")
    assert OFFERED not in there
    assert "半数条目未见过其中题目的最长日期范围" in client.get("/zh/").text


@pytest.mark.usefixtures("mostly_seen")
@pytest.mark.parametrize("named", ["from=", "from=&to=", "to=2026-04-01", "from=2026-03-02"])
def test_a_window_that_is_named_stays(client: Client, named: str) -> None:
    page = client.get(f"/en/?{named}").text
    days = dict(pair.split("=") for pair in named.split("&"))
    assert window_of(page) == (days.get("from", ""), days.get("to", ""))
    assert OFFERED in page


@pytest.mark.usefixtures("mostly_seen")
def test_the_api_offers_it_and_shows_what_was_asked_for(client: Client) -> None:
    def offered(**params: str) -> tuple[object, int]:
        body = client.get("/api/v1/boards/codegen", params=params).json()
        return body["clean_window"], body["problems"]

    assert offered() == ({"from": CLEAN, "to": None}, 10)
    assert offered(exposure="hide") == offered(exposure="split") == offered()
    assert offered(model="tern") == offered(), "a filter of rows changes nothing of all rows"
    assert offered(**{"from": CLEAN}) == (None, 7)
    assert offered(rules="lcb") == (None, 10), "the site's rules are the site's"
    assert offered(to="2026-04-01") == ({"from": CLEAN, "to": "2026-04-01"}, 5)
    assert offered(to="2026-03-10") == (None, 2), "there is none"


def test_the_command_line_says_it(mostly_seen: World, tmp_path: Path) -> None:
    cubes = board_views.CubeStore(tmp_path / "cubes")
    told = format_board(board_views.board(mostly_seen.session, BoardQuery(), cubes), width=200)
    assert f"The longest window in which half are clean: --from {CLEAN}." in told
    assert board_views.suggested_window(mostly_seen.session, "house", cubes) is not None
    assert board_views.suggested_window(mostly_seen.session, None, cubes) is None
    assert board_views.suggested_window(mostly_seen.session, "fresh", cubes) is None


@pytest.mark.usefixtures("lively")
def test_the_sites_rules_open_over_all_dates_as_the_site_does(client: Client) -> None:
    assert window_of(client.get("/en/?rules=lcb").text) == ("", "")


def test_a_board_of_few_contests_opens_over_all_dates(world: World, client: Client) -> None:
    run = world.run("tern", cutoff_on=FIRST - timedelta(days=1))
    world.answer(run, world.problem("a", day=FIRST))
    world.count()
    world.session.commit()
    page = client.get("/en/").text
    assert window_of(page) == ("", ""), "one contest says too little for a window of its own"
    assert OFFERED not in page
    assert client.get("/api/v1/boards/codegen").json()["clean_window"] is None


def test_a_service_without_a_league_of_its_own_opens_on_the_rows_that_it_has(world: World, client: Client) -> None:
    """The house's protocol is the board's own: where nothing ran under it, another that has rows is shown."""
    fresh = shipped_protocols()["fresh"]
    world.answer(world.run("orion", protocol=fresh), world.problem("a"))
    world.count()
    world.session.commit()
    opened = client.get("/en/?weights=open", follow_redirects=False)
    assert (opened.status_code, opened.headers["location"]) == (302, "/en/?weights=open&protocol=fresh")
    assert client.get("/en/?protocol=house", follow_redirects=False).status_code == 200, "what is asked for is shown"
    world.answer(world.run("tern"), world.problem("b"))
    world.session.commit()
    assert client.get("/en/", follow_redirects=False).status_code == 200
