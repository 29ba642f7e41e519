"""The boards coco and bigcode by groups of their items: length of context, language, and libraries, on every face."""

import io
import zipfile
from datetime import date
from pathlib import Path

import httpx
import pytest
from factories import World

from app.domain.judging.verdicts import Verdict
from app.domain.problems import FAILURE, Form
from app.domain.scenarios import shipped_protocols
from app.services.boards import recompute


@pytest.fixture
def filled(world: World) -> World:
    model = world.model("orion", cutoff_on=date(2020, 1, 1))
    slugs = ("coco-cg", "bcb-complete", "bcb-complete-uncalibrated")
    coco, bigcode, bare = (world.run(model, protocol=shipped_protocols()[slug]) for slug in slugs)
    for number, (length, language) in enumerate(((390, "python"), (401, "python"), (1600, "java"), (100, "sql"))):
        code = {"python": "x" * 10, FAILURE: "y" * 900}  # how code fails is not part of what is completed
        problem = world.problem(
            f"CG/{number}", source="coco", statement="a" * (length - 10), starter_code=code, tags=["CG", language]
        )
        world.answer(coco, problem, Verdict.ACCEPTED if number % 2 else Verdict.WRONG_ANSWER)
    for number, tags in enumerate((["csv", "json"], ["csv"], [])):
        problem = world.problem(f"{number}", source="bigcodebench", form=Form.UNITTEST, tags=tags)
        world.answer(bare, problem, Verdict.WRONG_ANSWER)
        world.answer(bigcode, problem, Verdict.WRONG_ANSWER if number else Verdict.ACCEPTED)
    world.count()
    world.session.commit()
    return world


def test_scores_by_length_of_context_and_language(filled: World, client: httpx.Client) -> None:
    board = client.get("/api/v1/boards/coco", params={"protocol": "coco-cg"}).json()
    sizes = {"0-400": 2, "401-600": 1, "601-900": 0, "901-1500": 0, "1501+": 1}
    assert board["groups"]["context"] == {"ks": [1], "problems": sizes, "unplaced": 0}
    assert board["groups"]["language"]["problems"] == {"Python": 2, "Java": 1, "C++": 0, "SQL": 1}
    [row] = board["rows"]
    found = {name: score["pass_at"]["1"] for name, score in row["groups"]["context"].items()}
    assert found == {"0-400": 50.0, "401-600": 100.0, "601-900": None, "901-1500": None, "1501+": 0.0}
    page = " ".join(client.get("/en/boards/coco?protocol=coco-cg").text.split())
    assert "By length of context" in page
    assert "0–400 <small>2 problems" in page
    assert board["columns_empty"]["dapr"] == "ease"
    assert "<dt>by numbers, DAPR</dt><dd>No value: items are weighted by ease, and none has been measured yet." in page


def test_a_task_counts_for_each_of_its_libraries(filled: World, client: httpx.Client, tmp_path: Path) -> None:
    board = client.get("/api/v1/boards/bigcode", params={"protocol": "bcb-complete"}).json()
    assert board["groups"]["library"] == {"ks": [1], "problems": {"csv": 2, "json": 1}, "unplaced": 1}
    [row] = board["rows"]
    found = {name: (score["n"], score["pass_at"]["1"]) for name, score in row["groups"]["library"].items()}
    assert found == {"csv": (2, 50.0), "json": (1, 100.0)}
    sizes = board["groups"]["domain"]["problems"]
    assert {name: size for name, size in sizes.items() if size} == {"System": 2}, "csv and json are of one domain"
    assert (len(sizes), board["groups"]["domain"]["unplaced"]) == (7, 1)
    assert row["groups"]["domain"]["System"]["pass_at"]["1"] == 50.0
    assert (row["columns"]["uncalibrated"], row["score"]) == (0.0, pytest.approx(100 / 3))
    archive = client.get("/api/v1/boards/bigcode.zip", params={"protocol": "bcb-complete"}).content
    with zipfile.ZipFile(io.BytesIO(archive)) as packed:
        packed.extractall(tmp_path)
    assert recompute.main(tmp_path) == 0


def test_what_people_solved_stands_beside_the_published_tasks(filled: World, client: httpx.Client) -> None:
    assert client.get("/api/v1/boards/bigcode", params={"protocol": "bcb-complete"}).json()["marks"] == {"people": 97.0}
    assert "marks" not in client.get("/api/v1/boards/bigcode").json()  # of the house league's tasks nobody knows
    page = client.get("/en/boards/bigcode?protocol=bcb-complete").text
    assert page.count('class="mark" x1="97.0%"') == 1
    assert "97 %: what people solved" in page
