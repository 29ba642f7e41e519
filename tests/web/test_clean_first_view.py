"""A board on which most rows may have seen problems opens where half of them have not, and says so."""

import re
from datetime import date, timedelta
from pathlib import Path

import pytest
from factories import World
from httpx import Client

from app.cli.boards.text import format_board
from app.domain.boards.board import BoardQuery
from app.services.boards import board_views

FIRST, CLEAN = date(2026, 3, 1), "2026-03-16"
OPENED = "the board opens on the longest window in which half of the rows are clean"
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


@pytest.mark.usefixtures("mostly_seen")
def test_the_first_view_opens_where_half_are_clean(client: Client) -> None:
    page = client.get("/en/").text
    assert OPENED in page
    assert OFFERED not in page
    assert f'name="from" value="{CLEAN}"' in page
    assert f"/api/v1/boards/codegen.csv?from={CLEAN}" in page, "what is taken away is what is shown"
    assert page.count('class="norank"') == 2
    assert "未见过题目的最长日期范围" in client.get("/zh/").text


@pytest.mark.usefixtures("mostly_seen")
@pytest.mark.parametrize("named", ["from=", "from=&to=", "to=2026-04-01", "from=2026-03-02"])
def test_a_window_that_is_named_stays_and_offers_the_other(client: Client, named: str) -> None:
    page = client.get(f"/en/?{named}").text
    assert OPENED not in page
    assert OFFERED in page
    [offered] = {link for link in links(page) if f"from={CLEAN}" in link and "/en/" in link}
    assert OFFERED not in client.get(offered).text


@pytest.mark.usefixtures("mostly_seen")
def test_all_dates_are_one_click_away_and_stay(client: Client) -> None:
    page = client.get("/en/").text
    assert links(page).count("/en/?from=") == 2, "in the notice, and among the windows"
    every = client.get("/en/?from=").text
    assert OPENED not in every
    compared = next(link for link in links(every) if "ref=orion" in link)
    assert OPENED not in client.get(compared.partition("#")[0]).text, "a link on it leads to all dates as well"
    assert "data-named" in every


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


@pytest.mark.usefixtures("mostly_seen")
def test_the_sites_rules_open_as_the_site_does(client: Client) -> None:
    assert OPENED not in client.get("/en/?rules=lcb").text


def test_a_board_of_clean_rows_opens_over_all_dates(world: World, client: Client) -> None:
    run = world.run("tern", cutoff_on=FIRST - timedelta(days=1))
    world.answer(run, world.problem("a", day=FIRST))
    world.count()
    world.session.commit()
    page = client.get("/en/").text
    assert OPENED not in page
    assert OFFERED not in page
    assert "from=&" not in page
    assert 'href="/en/?from="' not in page
    assert client.get("/api/v1/boards/codegen").json()["clean_window"] is None
