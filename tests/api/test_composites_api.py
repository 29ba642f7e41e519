"""Composite scores of a board's rows, through the API: shape, filters, flags, and what is refused."""

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from factories import World

from app.domain.asking.protocols import LCB
from app.domain.composites import code3_score, dapr_estimate
from app.domain.states import RunOrigin
from app.services.boards.cubes import CubeStore
from app.services.evidence import reports

URL = "/api/v1/boards/codegen/composites"
FILES = {"protocol": "files"}
MODELS, PROBLEMS, ANSWERS = 5, 30, 4


def fill(world: World, folder: Path) -> Any:
    """Five ranked rows on thirty problems with an ease, two of a contest day; a sixth may have seen some of them, a
    seventh is unfinished, and one more problem has no ease. Returns what passed, of shape (models, problems)."""
    rng = np.random.default_rng(5)
    passed = rng.binomial(ANSWERS, rng.random((1, PROBLEMS)) * np.linspace(0.5, 1, MODELS)[:, None])
    protocol = replace(LCB, slug="files")
    problems = [
        world.problem(f"p{n}", day=date(2026, 1, 1) + timedelta(days=n // 2), source="atcoder", level=n % 3 + 1)
        for n in range(PROBLEMS)
    ]
    for number in range(MODELS):
        run = world.run(f"m{number}", protocol=protocol, origin=RunOrigin.IMPORTED, cutoff_on=date(2025, 1, 1))
        for place, problem in enumerate(problems):
            world.imported(run, problem, ANSWERS, int(passed[number, place]), row=place)
    world.count()
    while (work := reports.claim_due_report(world.session, CubeStore(folder), world.now)) is not None:
        reports.store_report(world.session, work, work.make(), world.now)
    late = [world.problem(f"late{n}", day=date(2026, 3, 1), source="atcoder", level=1) for n in range(1)]
    seen = world.run("seen", protocol=protocol, origin=RunOrigin.IMPORTED, cutoff_on=date(2026, 1, 3))
    short = world.run("short", protocol=protocol, origin=RunOrigin.IMPORTED, cutoff_on=date(2025, 1, 1))
    for place, problem in enumerate([*problems, *late]):
        world.imported(seen, problem, 1, 1, row=100 + place)
        if place % 3 == 0 and place < PROBLEMS:
            world.imported(short, problem, 1, 0, row=200 + place)
    world.count()
    world.session.commit()
    return passed / ANSWERS


def rows_of(client: httpx.Client, **params: str) -> dict[str, dict[str, Any]]:
    found = client.get(URL, params={**FILES, **params}).json()
    return {row["model"]: row for row in found["rows"]}


def test_the_rows_are_those_of_the_formulas(world: World, client: httpx.Client, tmp_path: Path) -> None:
    rates = fill(world, tmp_path / "cubes")
    found = client.get(URL, params=FILES).json()
    assert (found["board"], found["protocol"], found["problems"]) == ("codegen", "files", 31)
    assert (found["scale"], found["problems_with_ease"]) == ("ease/codegen", 30)
    order = [row["model"] for row in found["rows"] if row["rank"] is not None]
    assert [row["dapr"] for row in found["rows"][: len(order)]] == sorted(
        (row["dapr"] for row in found["rows"][: len(order)]), reverse=True
    )
    page = client.get("/en/problems/atcoder/p0").text
    assert "Code generation" in page
    eases = []
    for place in range(PROBLEMS):
        text = client.get(f"/en/problems/atcoder/p{place}").text
        eases.append(float(text.split("Code generation ")[1].split(" ")[0]))
    clusters = np.arange(PROBLEMS) // 2
    shown = {row["model"]: row for row in found["rows"]}
    for number in range(MODELS):
        row, expected = shown[f"m{number}"], dapr_estimate(rates[number], eases, clusters)
        assert row["n_problems"] == PROBLEMS
        assert row["clusters"] == expected.clusters == 15
        for name, value in (("dapr", expected.mean), ("ci_lo", expected.lo), ("ci_hi", expected.hi)):
            assert row[name] == pytest.approx(100 * value, abs=0.2), "the page shows one digit of an ease"
        assert row["plain"] == pytest.approx(100 * rates[number].mean())
        levels = [(float(rates[number][level::3].sum()), 10) for level in range(3)]
        assert row["weighted"] == pytest.approx(code3_score(levels))
        assert row["levels"]["hard"] == {"passed": pytest.approx(levels[2][0]), "n": 10, "wanted": 10}
        assert (row["lacking"], row["incomplete"]) == ([], ["easy"]), "another file has one problem more"


def test_rows_without_a_rank_stay_with_their_flags(world: World, client: httpx.Client, tmp_path: Path) -> None:
    fill(world, tmp_path / "cubes")
    board = {row["model"]: row for row in client.get("/api/v1/boards/codegen", params=FILES).json()["rows"]}
    found = rows_of(client)
    assert found.keys() == board.keys()
    for name, row in found.items():
        for field in ("rank", "provisional", "exposed", "coverage", "score", "configuration", "imported", "demo"):
            assert row[field] == board[name][field], (name, field)
    assert (found["seen"]["rank"], found["seen"]["n_problems"], found["seen"]["dapr"]) == (None, 30, 100)
    assert found["short"]["weighted"] is None
    assert (found["short"]["lacking"], found["short"]["incomplete"]) == (["medium", "hard"], ["easy"])
    assert found["short"]["dapr"] == 0
    assert 0 < found["short"]["ci_hi"] < 100
    names = list(found)
    assert set(names[-1:]) <= {"seen", "short"}
    assert "seen" not in names[: MODELS - 1]
    split = rows_of(client, exposure="split")["seen"]
    wanted = [split["levels"][level]["wanted"] for level in ("easy", "medium", "hard")]
    assert wanted == [11 - 2, 10 - 2, 10 - 2], "those it may have seen are left out, the day of its cutoff among them"
    assert split["n_problems"] == 24
    of_files = rows_of(client, rules="lcb")
    assert [of_files[name]["levels"]["easy"]["wanted"] for name in ("m0", "short", "seen")] == [10, 10, 11]
    assert of_files["m0"]["incomplete"] == [], "there a row answers for the problems of its file"
    hidden = client.get(URL, params={**FILES, "exposure": "hide"}).json()
    assert {"model": "seen", "configuration": "", "reason": "exposure"} in hidden["hidden"]


def test_the_filters_of_the_board_apply(world: World, client: httpx.Client, tmp_path: Path) -> None:
    fill(world, tmp_path / "cubes")
    one = client.get(URL, params={**FILES, "model": "m1", "to": "2026-01-06"}).json()
    assert [row["model"] for row in one["rows"]] == ["m1"]
    assert (one["problems"], one["problems_with_ease"], one["rows"][0]["n_problems"]) == (10, 10, 10)
    assert one["filters"] == [["protocol", "files"], ["to", "2026-01-06"], ["model", "m1"]]
    easy = client.get(URL, params={**FILES, "difficulty": "easy"}).json()
    assert easy["rows"][0]["lacking"] == ["medium", "hard"]
    assert easy["problems_with_ease"] == 10
    fresh = client.get(URL, params={**FILES, "from": "2026-02-01"}).json()
    assert fresh["problems_with_ease"] == 0
    assert [(row["model"], row["dapr"], row["n_problems"]) for row in fresh["rows"]] == [("seen", None, 0)]


def test_boards_of_nothing_are_empty(world: World, client: httpx.Client) -> None:
    for params in ({}, {"protocol": "house", "to": "2020-01-01"}):
        found = client.get(URL, params=params).json()
        assert (found["rows"], found["problems_with_ease"]) == ([], 0)
    assert client.get("/api/v1/boards/repair/composites").json()["scale"] == "ease/self_repair"


@pytest.mark.parametrize(
    "query",
    ["nothing=1", "ties=drop", "protocol=nowhere", "from=x", "difficulty=none", "protocol=a&protocol=b",
     "model=%00", "model=" + "m" * 201, "platform=a%0Ab", "exposure=all", "from=2026-02-30",
     "&".join(["model=m"] * 65)],
)  # fmt: skip
def test_what_it_does_not_know_is_refused(client: httpx.Client, query: str) -> None:
    found = client.get(f"{URL}?{query}")
    assert found.status_code == 422
    assert found.headers["content-type"] == "application/problem+json"


def test_an_unknown_board_is_not_found(client: httpx.Client) -> None:
    assert client.get("/api/v1/boards/nowhere/composites").status_code == 404
