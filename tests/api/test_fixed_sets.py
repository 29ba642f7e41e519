"""A fixed set is no contest: its problems, though all of one day, are clusters of their own."""

from datetime import date

import pytest
from factories import World
from httpx import Client

from app.db.boards.export import cell_rows
from app.domain.asking.protocols import FRESH, HOUSE
from app.domain.judging.verdicts import Verdict

DAY = date(2026, 6, 1)


@pytest.mark.parametrize(
    ("source", "contest", "clusters"), [("house", None, 30), ("house", "one", 1), ("atcoder", None, 1)]
)
def test_what_problems_share(world: World, client: Client, source: str, contest: str | None, clusters: int) -> None:
    """Thirty problems of one day; heron solves all of them, and wren one in three."""
    world = World(world.session, HOUSE if source == "house" else FRESH)
    heron, wren = world.run("heron"), world.run("wren")
    for number in range(30):
        problem = world.problem(f"p{number}", day=DAY, source=source, contest=contest)
        world.answer(heron, problem)
        world.answer(wren, problem, Verdict.WRONG_ANSWER if number % 3 else Verdict.ACCEPTED)
    world.count()
    world.session.commit()
    board = client.get("/api/v1/boards/codegen", params={"protocol": world.protocol.slug}).json()
    rows = {row["model"]: row for row in board["rows"]}
    assert board["clusters"] == clusters
    assert (rows["heron"]["ci_lo"] > 85) is (clusters > 1)
    assert ([row["rank_hi"] for row in board["rows"]] == [1, 2]) is (clusters > 1), "they can be told apart"
    page = client.get("/en/boards/codegen", params={"protocol": world.protocol.slug}).text
    assert (f"from {clusters} contest" in page) is (clusters < 30), "a problem of a set is from no contest"
    assert len({row["cluster"] for row in cell_rows(world.session, world.protocol.slug)}) == clusters
