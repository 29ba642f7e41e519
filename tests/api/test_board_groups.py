"""The board codeelo by bands, by division and as a whole, and C++ beside Python on the same problems: on every face."""

import io
import json
import zipfile
from datetime import date, timedelta
from math import comb
from pathlib import Path
from typing import Any

import httpx
import pytest
from factories import World
from sqlalchemy import select

from app.db.tables import Problem
from app.domain.asking.protocols import PRESETS
from app.domain.metrics.intervals import paired_difference
from app.domain.states import RunOrigin
from app.services.boards import recompute

BY_SLUG = {protocol.slug: protocol for protocol in PRESETS}
CPP, PYTHON = BY_SLUG["codeelo-4k"], BY_SLUG["codeelo-4k-python"]
# Rating, division, and how many of eight answers pass in C++ and in Python.
PROBLEMS: tuple[tuple[float | None, str | None, int, int], ...] = (
    (799, "Div. 4", 8, 8), (800, "Div. 4", 8, 6), (999, "Div. 4", 4, 4), (1000, "Div. 3", 4, 1), (1299, "Div. 3", 1, 0),
    (1300, "Div. 2", 0, 0), (3500, "Div. 2", 2, 0), (3501, None, 0, 0), (None, None, 3, 5),
)  # fmt: skip
BANDS = {"800-1000": (1, 2), "1000-1300": (3, 4), "1300-3500": (5, 6)}
URL = "/api/v1/boards/codeelo"


@pytest.fixture
def filled(world: World) -> World:
    values: dict[str, Any] = {"origin": RunOrigin.IMPORTED}
    models = [world.model(slug, cutoff_on=date(2020, 1, 1)) for slug in ("orion", "lyra")]
    first, second = (world.run(models[0], protocol=protocol, **values) for protocol in (CPP, PYTHON))
    lyra = world.run(models[1], protocol=CPP, **values)
    for number, (rating, division, cpp, python) in enumerate(PROBLEMS):
        name, day = f"{100 + number // 2}", date(2026, 1, 1) + timedelta(days=number // 2)
        problem = world.problem(f"{name}/{number}", day=day, source="codeforces", contest=name, level=None)
        world.contest(world.source("codeforces"), name, day).division = division
        if rating is not None:
            world.difficulty(problem, "codeforces", rating)
        world.imported(first, problem, 8, cpp, row=number)
        world.imported(second, problem, 8, python, row=number)
        if number < 3:
            world.imported(lyra, problem, 4, 1, row=number)
    world.count()
    world.session.commit()
    return world


def pass_at(k: int, passed: list[int]) -> float:
    return sum(100 * (1 - comb(8 - c, k) / comb(8, k)) for c in passed) / len(passed)


def test_bands_are_those_of_the_paper(filled: World, client: httpx.Client) -> None:
    board = client.get(URL, params={"protocol": "codeelo-4k"}).json()
    rows = {row["model"]: row for row in board["rows"]}
    assert board["groups"]["band"] == {"ks": [1, 2, 4, 8], "problems": dict.fromkeys(BANDS, 2), "unplaced": 3}
    for name, places in BANDS.items():
        found = rows["orion"]["groups"]["band"][name]
        assert found["n"] == 2
        for k in (1, 2, 4, 8):
            assert found["pass_at"][str(k)] == pytest.approx(pass_at(k, [PROBLEMS[place][2] for place in places])), name
    whole = rows["orion"]["groups"]["all"]["all"]
    assert (whole["n"], whole["pass_at"]["1"]) == (9, pytest.approx(rows["orion"]["score"]))
    assert whole["pass_at"]["8"] == pytest.approx(100 * 7 / 9)
    easy = rows["lyra"]["groups"]["band"]["800-1000"]
    assert (easy["n"], easy["pass_at"]) == (2, {"1": 25.0, "2": 50.0, "4": 100.0, "8": None}), "it answered four times"
    assert rows["lyra"]["groups"]["band"]["1300-3500"] == {"n": 0, "pass_at": dict.fromkeys("1248")}
    divisions = board["groups"]["division"]["problems"]
    assert divisions == {"Div. 2": 2, "Div. 3": 2, "Div. 4": 2, "everybody": 3}, "a contest's, not a problem's"


def test_pass_rates_by_division_follow_the_contests(filled: World, client: httpx.Client) -> None:
    board = client.get(URL, params={"protocol": "codeelo-4k", "to": "2026-01-02"}).json()
    assert board["groups"]["division"]["problems"] == {"Div. 4": 2}
    orion = next(row for row in board["rows"] if row["model"] == "orion")
    assert orion["groups"]["division"]["Div. 4"]["pass_at"]["1"] == 100.0
    assert board["groups"]["band"]["problems"] == {"800-1000": 1, "1000-1300": 0, "1300-3500": 0}


def test_languages_are_compared_on_the_same_problems(filled: World, client: httpx.Client) -> None:
    board = client.get(URL, params={"protocol": "codeelo-4k"}).json()
    rows = {row["model"]: row for row in board["rows"]}
    cpp, python = ([row[place] / 8 for row in PROBLEMS] for place in (2, 3))  # type: ignore[operator]
    expected = paired_difference(cpp, python, [number // 2 for number in range(9)])
    found = rows["orion"]["paired"]["python"]
    assert found["n"] == 9
    for name, value in (("mean", expected.mean), ("lo", expected.lo), ("hi", expected.hi)):
        assert found[name] == pytest.approx(100 * value), name
    assert found["mean"] == pytest.approx(rows["orion"]["columns"]["gap"])
    assert rows["lyra"]["paired"] == {"python": None}
    page = client.get("/en/boards/codeelo?protocol=codeelo-4k").text
    assert f"[{found['lo']:+.1f}, {found['hi']:+.1f}]" in page
    assert "In brackets: its 95% interval" in page


def test_page_of_codeelo_shows_its_groups_and_what_is_in_none(filled: World, client: httpx.Client) -> None:
    page = " ".join(client.get("/en/boards/codeelo?protocol=codeelo-4k").text.split())
    for said in (
        "800–1000 <small>2 problems",
        "By division",
        "open to all",
        "pass@8",
        "3 problems are in none of these groups",
    ):
        assert said in page, said
    assert "chose Python" not in page.split("<tbody>")[0], "a column in which nobody has a value"
    assert "按难度" in client.get("/zh/boards/codeelo?protocol=codeelo-4k").text
    assert "groups" not in client.get("/api/v1/boards/codegen").json()


def test_a_bundle_computes_them_again(filled: World, client: httpx.Client, tmp_path: Path) -> None:
    def differences(change: Any = None) -> int:
        archive = client.get(f"{URL}.zip", params={"protocol": "codeelo-4k"}).content
        with zipfile.ZipFile(io.BytesIO(archive)) as packed:
            packed.extractall(tmp_path)
        if change is not None:
            body = json.loads((tmp_path / "board.json").read_bytes())
            change(body)
            (tmp_path / "board.json").write_text(json.dumps(body))
        return recompute.main(tmp_path)

    def better(body: Any) -> None:
        body["rows"][0]["groups"]["band"]["1300-3500"]["pass_at"]["2"] += 0.1

    assert differences() == 0
    assert differences(better) == 1


def test_topics_of_few_problems_are_kept_apart(filled: World, client: httpx.Client) -> None:
    for number, problem in enumerate(filled.session.scalars(select(Problem)).all()):
        problem.topics = ["math"] if number < 8 else ["graphs"]
    filled.session.commit()
    found = client.get(f"{URL}/topics", params={"protocol": "codeelo-4k"}).json()
    assert (found["least"], [topic["rare"] for topic in found["topics"]]) == (30, [True, True])
    page = client.get("/en/boards/codeelo?tab=rating&from=&protocol=codeelo-4k").text
    assert "No topic has 30 problems here." in page
    assert "2 topics with fewer than 30 problems" in page
    assert client.get("/api/v1/boards/codegen/topics").json()["least"] == 1
