"""The citation of any view: it names a snapshot, which is made once and within a visitor's daily quota."""

import json
from datetime import date

import pytest
from bs4 import BeautifulSoup
from factories import World
from httpx import Client
from sqlalchemy import select

from app.db.tables import Snapshot


@pytest.fixture(autouse=True)
def league(world: World) -> None:
    """Two models on two problems."""
    problems = [world.problem(name, day=date(2026, 5, place)) for place, name in enumerate("ab", start=1)]
    for model in ("orion", "lyra"):
        run = world.run(model)
        for problem in problems:
            world.answer(run, problem)
    world.count()
    world.session.commit()


def read(client: Client, path: str) -> BeautifulSoup:
    """A page as a tree."""
    answer = client.get(path)
    assert answer.status_code == 200, path
    return BeautifulSoup(answer.text, "lxml")


def pin(client: Client, path: str, visitor: str = "8.8.8.8", **more: str) -> int:
    """Press the button of a page, as a visitor behind the proxy of this machine."""
    field = read(client, path).select_one("form input[name=query]")
    assert field is not None
    answer = client.post(
        "/en/cite",
        data={"query": str(field["value"]), **more},
        headers={"X-Forwarded-For": visitor},
        follow_redirects=False,
    )
    return answer.status_code


def test_a_view_is_frozen_once_and_cited_from_then_on(world: World, client: Client) -> None:
    view = "/en/cite?board=codegen&from=2026-05-02&sort=score&tab=cost"
    assert world.session.scalars(select(Snapshot.sha256)).all() == []
    assert read(client, view).find(id="bibtex") is None, "a look freezes nothing"
    assert world.session.scalars(select(Snapshot.sha256)).all() == []
    assert pin(client, view) == 303
    [frozen] = world.session.scalars(select(Snapshot)).all()
    assert (frozen.frozen_by, frozen.query) == ("visitor", {"protocol": ["house"], "from": ["2026-05-02"]})
    page = read(client, view)
    link = f"http://127.0.0.1:8321/snapshots/{frozen.sha256}"
    bibtex, csl, plain = (part.get_text() for part in page.select("pre"))
    assert f"@misc{{tidemark-{frozen.sha256[:12]}," in bibtex
    assert f"\\url{{{link}}}" in bibtex
    [entry] = json.loads(csl)
    assert (entry["type"], entry["URL"], entry["issued"]) == ("dataset", link, {"date-parts": [[2026, 11, 20]]})
    assert "1 problems released from 2026-05-02" in entry["title"]
    assert link in plain
    assert client.get(f"/en/snapshots/{frozen.sha256}").status_code == 200
    assert "a visitor</dd>" in client.get(f"/en/snapshots/{frozen.sha256}").text
    repeated = {"query": "board=codegen&from=2026-05-02"}
    assert client.post("/en/cite", data=repeated, follow_redirects=False).status_code == 303
    assert len(world.session.scalars(select(Snapshot.sha256)).all()) == 1, "the same content is the same snapshot"


def test_a_visitor_freezes_a_few_views_a_day(client: Client) -> None:
    views = [f"/en/cite?from=2026-05-01&to=2026-05-{day:02}" for day in range(10, 16)]
    assert [pin(client, view) for view in views[:5]] == [303] * 4 + [429]
    assert pin(client, views[4], "8.8.4.4") == 303
    assert pin(client, views[5], "8.8.4.4", website="spam") == 422
    assert pin(client, views[5], "8.8.4.4") == 303, "what was refused takes nothing of the quota"


def test_a_view_that_cannot_be_is_refused(client: Client) -> None:
    assert client.get("/en/cite?board=nothing").status_code == 404
    assert client.get("/en/cite?nothing=1").status_code == 422
    assert client.post("/en/cite", data={"query": "board=codegen&from=soon"}).status_code == 422
    assert "固定此视图并引用" in client.get("/zh/cite").text
