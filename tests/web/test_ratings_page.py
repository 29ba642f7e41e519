"""Ratings by tasks, against people and by topic, as a page; and what a model's page says of its months."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from api.test_contamination_api import make_report
from api.test_ratings_api import contest_of, keep_people, rated
from factories import World
from httpx import Client
from sqlalchemy import select

from app.db.evidence import evidence
from app.db.sources import people
from app.db.tables import Endpoint, Problem
from app.domain.asking.protocols import FRESH, LCB
from app.domain.imports import ImportBatch, ImportedStandings
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Level
from app.domain.ratings.invented_field import invented_field
from app.domain.states import RunOrigin
from app.services.sources import people as sources

FILES = replace(LCB, slug="files")


def fill(world: World) -> None:
    """Thirty problems; the second row wins some and loses some against the first, the third wins nothing."""
    problems = [world.problem(f"p{n}", day=date(2026, 1, 5) + timedelta(days=3 * n)) for n in range(30)]
    for place, problem in enumerate(problems):
        problem.topics = ["graphs"] if place < 10 else ["math"] if place < 16 else ["games"] if place == 20 else []
    solved: dict[str, Callable[[int], object]] = {
        "orion": lambda n: n < 10 or n % 2,
        "lyra": lambda n: n % 3,
        "vega": lambda _: False,
        "nova": lambda _: True,
    }
    for name, passes in solved.items():
        cutoff = date(2026, 2, 1) if name == "nova" else date(2025, 1, 1)
        run = world.run(name, protocol=FILES, origin=RunOrigin.IMPORTED, cutoff_on=cutoff)
        for place, problem in enumerate(problems):
            world.imported(run, problem, 1, int(bool(passes(place))), row=place)
    world.count()
    world.session.commit()


def test_the_page_says_who_battles_marks_topics_and_takes_filters(world: World, client: Client) -> None:
    fill(world)
    check_battles(client)
    check_topics(client)
    check_filters(client)


def check_battles(client: Client) -> None:
    """The page says who battles and who does not."""
    page = client.get("/en/?tab=rating&from=&protocol=files").text
    for said in ("Orion", "Lyra", "not identifiable", "1 row that is not compared", "may have seen problems",
                 "won or lost every comparison", "ties dropped", "ties count half", "30 problems"):  # fmt: skip
        assert said in page, said
    api = client.get("/api/v1/boards/codegen/elo", params={"protocol": "files"}).json()
    shown = {row["model"]: row["rating"] for row in api["rows"]}
    assert shown["vega"] is None
    assert f">{shown['orion']:.0f}<" in page
    half = client.get("/en/?tab=rating&from=&protocol=files&ties=half").text
    assert "Nova" in half
    assert 'value="half"' in half
    assert "任务 Elo" in client.get("/zh/?tab=rating&from=&protocol=files").text


def check_topics(client: Client) -> None:
    """Topics mark the best and the worst of a row."""
    page = client.get("/en/?tab=rating&from=&protocol=files&model=orion").text
    assert page.count("▲</span><span") == 1
    assert page.count("▼</span><span") == 1
    best = page[: page.index("▲</span><span")].rindex("<tr>")
    assert "graphs" in page[best : page.index("▲</span><span")], "the topic of one problem is not named"


def check_filters(client: Client) -> None:
    """The page takes the filters of the board."""
    page = client.get("/en/?tab=rating&from=&protocol=files&to=2026-01-20&utm=1").text
    assert "5 problems" in page
    assert 'name="to" value="2026-01-20"' in page
    assert "to=2026-01-20" in page[page.index("/api/v1/boards/codegen/elo") :][:200]
    assert client.get("/en/?tab=rating&from=&protocol=house").status_code == 200, "nobody has run the default protocol"
    assert client.get("/en/boards/repair?tab=rating&from=").status_code == 200
    assert "There is nothing to compare" in client.get("/en/?tab=rating&from=&protocol=files&to=2020-01-01").text
    for wrong in ("ties=all", "ties=drop&ties=half", "protocol=nowhere", "from=x"):
        assert client.get(f"/en/?tab=rating&from=&{wrong}").status_code == 422, wrong
    assert client.get("/en/boards/nothing?tab=rating&from=").status_code == 404


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("/en/ratings", "/en/?tab=rating&from="),
        ("/zh/ratings?ties=half&to=2026-01-20", "/zh/?tab=rating&ties=half&to=2026-01-20"),
        ("/en/ratings?board=repair&compat=codeelo", "/en/boards/repair?tab=rating&compat=codeelo&from="),
        ("/en/holistic?family=fresh&from=2026-01-02", "/en/?tab=skills&family=fresh&from=2026-01-02"),
        ("/zh/holistic", "/zh/?tab=skills&from="),
    ],
)
def test_old_addresses_lead_to_the_tabs_of_the_board(client: Client, old: str, new: str) -> None:
    answer = client.get(old)
    assert (answer.status_code, answer.headers["location"]) == (301, new)
    assert client.get(new).status_code == 200


def test_composites_and_months_of_a_model_are_shown_before_and_after_a_report(
    world: World, client: Client, tmp_path: Path
) -> None:
    fill(world)
    assert "0 of 30 problems have a fixed ease" in client.get("/en/?tab=rating&from=&protocol=files").text
    early = client.get("/en/models/nova").text
    assert early.count('<g class="seen">') == 2, "January, and the month whose first day is the cutoff"
    assert early.count('<g class="clean">') == 2
    assert "The dashed line marks the cutoff, 2026-02-01" in early
    assert "Contamination test:" not in early
    fifth = world.run("fifth", protocol=FILES, origin=RunOrigin.IMPORTED, cutoff_on=date(2025, 1, 1))
    for place, each in enumerate(world.session.scalars(select(Problem).order_by(Problem.id)).all()):
        world.imported(fifth, each, 1, place % 2, row=place)
    world.count()
    make_report(world, tmp_path / "cubes")
    world.session.commit()
    page = client.get("/en/?tab=rating&from=&protocol=files").text
    section = page.split('id="composites-title"')[1].split("</section>")[0]
    for said in ("weighted by the inverse of its ease", "(1 × easy + 2 × medium + 3 × hard) / 6",
                 "A new model changes no old score",
                 "30 of 30 problems have a fixed ease", "no judged problem: easy, hard",
                 "no rank: may have seen some of these problems"):  # fmt: skip
        assert said in section, said
    for row in client.get("/api/v1/boards/codegen/composites", params={"protocol": "files"}).json()["rows"]:
        assert f">{row['dapr']:.1f}</td>" in section
        assert f"{row['ci_lo']:.1f} – {row['ci_hi']:.1f}" in section
    chinese = client.get("/zh/?tab=rating&from=&protocol=files&to=2026-01-20").text
    assert "新模型不会改变已有得分" in chinese
    assert "没有已评测的题目：简单、困难" in chinese
    assert "/api/v1/boards/codegen/composites?protocol=files&amp;to=2026-01-20" in chinese
    assert "No answer has been judged here yet" in client.get("/en/?tab=rating&from=&protocol=files&to=2020-01-01").text
    problem = client.get("/en/problems/house/p0").text
    assert "Ease (measured here)" in problem
    assert "ease/" not in problem
    late = client.get("/en/models/nova").text
    assert late.count('<g class="seen">') == 2
    assert late.count('<g class="clean">') == 2
    assert "Contamination test:" in late
    assert "Too little data: " in late
    assert "/en/?protocol=files&amp;tab=rating" in late
    assert "数据污染检验" in client.get("/zh/models/nova").text


def test_people_are_shown_by_contest_with_what_limits_them(world: World, client: Client, tmp_path: Path) -> None:
    world.protocol = FRESH
    run = world.run("orion")
    for name in ("100", "101"):
        keep_people(world, contest_of(world, name, date(2026, 3, 1)))
        problem = world.problem(f"{name}/A", day=date(2026, 3, 1), source="codeforces", contest=name)
        world.difficulty(problem, "points", 500)
        world.answer(run, problem, Verdict.ACCEPTED if name == "100" else Verdict.WRONG_ANSWER)
    world.count()
    found = rated(world, client, tmp_path / "cubes")
    page = client.get("/en/?tab=rating&from=&protocol=fresh").text
    for said in (f">{found['rows'][0]['rating']:.0f}<", f">{found['rows'][0]['joint']:.0f}<", "Contest 100 (Div. 2)",
                 "since 2024-07 may themselves have used models", "standings of 2026-11-20", "220 participants",
                 "There is no percentile", "Verdicts are those of our judge",
                 'aria-label="Orion: mean '):  # fmt: skip
        assert said in page, said
    chart = page.partition('class="strips"')[2].partition("</figure>")[0]
    assert chart.count('<circle cx="') + chart.count('<circle class="bound" cx="') == 2
    api = client.get("/api/v1/human-ratings?protocol=fresh&compat=codeelo").json()
    tool = client.get("/en/?tab=rating&from=&protocol=fresh&compat=codeelo").text
    assert f">{api['rows'][0]['rating']:.0f}<" in tool
    assert "CodeElo’s published tool" in tool
    assert "so that a newcomer has 0" in tool
    assert "so that a newcomer has 0" not in page
    assert client.get("/en/?tab=rating&from=&protocol=fresh&compat=mine").status_code == 422
    people.keep(world.session, "0" * 64, [(rating, 10) for rating in range(400, 1400)], world.now)
    world.session.commit()
    table = client.get("/en/?tab=rating&from=&protocol=fresh").text.partition("Ratings of all people by percentile")[2]
    for percent, rating in client.get("/api/v1/human-ratings?protocol=fresh").json()["percentiles"].items():
        assert f">{rating:.0f}<" in table, percent


def test_an_invented_field_is_labelled_and_says_nothing_of_people(world: World, client: Client, tmp_path: Path) -> None:
    run = world.run("orion")
    for name, day in (("house-1", date(2026, 3, 1)), ("house-2", date(2026, 4, 1))):
        contest = world.contest(world.source(), name, day)
        problems = [world.problem(f"{name}-{letter}", day=day, contest=name) for letter in "ab"]
        field = invented_field(name, {problem.external_id: Level.EASY for problem in problems})
        standings = ImportedStandings("house", name, field)
        sources.store_people(
            world.session, ImportBatch("house", "0" * 64, "league", (), standings=(standings,)), world.now
        )
        for problem in problems[: 1 if name == "house-2" else 2]:
            world.answer(run, problem, Verdict.ACCEPTED)
        assert contest.kind is None
    people.keep(world.session, "0" * 64, [(1000, 10)], world.now)
    world.count()
    world.session.commit()
    rated(world, client, tmp_path / "cubes")
    [row] = (found := client.get("/api/v1/human-ratings?protocol=house").json())["rows"]
    assert found["invented"]
    assert [(held["contest"], held["left_out"], held["invented"]) for held in found["contests"]] == [
        ("house-1", None, True), ("house-2", None, True),
    ]  # fmt: skip
    assert (row["contests"], row["percentile"]) == (1, None), "of the second it has not solved every problem yet"
    page = client.get("/en/?tab=rating&from=&protocol=house").text
    assert "These participants are invented" in page
    assert "may themselves have used models" not in page
    assert "percentile is the share" not in page
    assert "这里的选手是虚构的" in client.get("/zh/?tab=rating&from=&protocol=house").text


def test_a_model_says_what_was_sent_to_it(world: World, client: Client) -> None:
    run = world.run("orion")
    problems = [world.problem(name) for name in ("a", "b")]
    endpoint = Endpoint(
        model_id=run.model_id, backend="openai_chat", remote_name="o", base_url="https://a.example", max_concurrency=1
    )
    world.session.add(endpoint)
    world.session.flush()
    world.session.commit()
    assert "were sent" not in client.get("/en/models/orion").text
    evidence.record_sent(world.session, endpoint, [problem.id for problem in problems], world.now)
    world.session.commit()
    page = client.get("/en/models/orion").text
    assert "2 problems were sent to this model&#39;s endpoints, first on 2026-11-20 18:00Z." in page
    assert "/api/v1/exposures?model=orion" in page
