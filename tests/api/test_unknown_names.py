"""A name that nothing on a board has is an error with the nearest names, in every face of the board."""

import pytest
from factories import World
from httpx import Client

from app.domain.asking.protocols import HOUSE
from app.domain.states import RunState

URL = "/api/v1/boards/codegen"


def test_an_unknown_name_has_the_nearest_ones_beside_it(world: World, client: Client) -> None:
    world.answer(world.run("orion", protocol=HOUSE), world.problem("a"))
    world.answer(world.run("retired", protocol=HOUSE, state=RunState.RETIRED), world.problem("b"))
    world.count()
    world.session.commit()
    assert client.get(f"{URL}?model=retired").status_code == 200, "links to a retired model stay"
    for query, nearest in (
        ("model=orin&from=2026-01-01", ["orion"]),
        ("platform=hause", ["house"]),
        ("language=pyton", ["python"]),
        ("difficulty=meduim", ["medium"]),
        ("exposure=hid", ["hide"]),
        ("protocol=hose", ["house"]),
        ("ref=Orion", ["orion"]),
    ):
        name, value = query.partition("&")[0].split("=")
        for ending in ("", ".csv", ".zip", ".parquet", "/matrix", "/elo"):
            if name != "ref" or ending not in ("/matrix", "/elo"):
                answer = client.get(f"{URL}{ending}?{query}")
                assert (answer.status_code, answer.json()["code"]) == (422, "unknown_name"), (query, ending)
                [field] = answer.json()["errors"]
                assert (field["pointer"], field["nearest"]) == (f"/{name}", nearest), (query, ending)
        page = client.get(f"/en/?{query}")
        assert page.status_code == 422, query
        assert f"Unknown name: “{value}”" in page.text
        assert (
            f'<a href="/en/?{query.replace(value, nearest[0], 1)}">{nearest[0]}</a>'.replace("&", "&amp;") in page.text
        )
        assert client.get(f"/en/?{query.replace(value, nearest[0], 1)}").status_code == 200
        assert "未知名称" in client.get(f"/zh/?{query}").text


def test_an_unknown_field_is_told_which_there_are(client: Client) -> None:
    detail = client.get(f"{URL}?form=2026-01-01").json()["detail"]
    assert detail.startswith("unknown field 'form'; known: protocol, from, to, platform")


def test_days_the_wrong_way_round_are_swapped_by_a_link(client: Client) -> None:
    page = client.get("/zh/?from=2026-06-01&to=2026-05-01&difficulty=easy")
    assert page.status_code == 422
    assert "结束日期早于开始日期" in page.text
    assert "the window ends" not in page.text, "no English beside it"
    assert 'href="/zh/?to=2026-06-01&amp;from=2026-05-01&amp;difficulty=easy"' in page.text
    assert client.get("/zh/?to=2026-06-01&from=2026-05-01&difficulty=easy").status_code == 200


@pytest.mark.parametrize("name", ["also", "ties", "compat", "board"])
def test_text_that_no_name_can_have_is_refused_beside_a_boards_own_parameters_too(client: Client, name: str) -> None:
    page = client.get(f"/en/?tab=rating&{name}=%00" if name != "board" else "/en/ratings?board=%00")
    assert page.status_code == 422
    if name in ("also", "ties"):
        answer = client.get(f"{URL}/elo?{name}=%00")
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, f"/{name}")
