"""Boards through HTTP: their shape, their filters, and that they equal a naive loop over the verdicts."""

import csv
import io
import random
import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import pytest
from factories import World
from httpx import Client
from sqlalchemy import text
from support.thinned import thinned

from app.db.tables import Problem
from app.domain.asking.protocols import HOUSE, LCB, LCB_RECORDED
from app.domain.judging.verdicts import Verdict
from app.domain.states import ProblemState, RunOrigin, RunState, SampleState

URL = "/api/v1/boards/codegen"


def board(client: Client, **params: Any) -> dict[str, Any]:
    answer = client.get(URL, params=params)
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


def rows(client: Client, **params: Any) -> dict[str, dict[str, Any]]:
    return {row["model"]: row for row in board(client, **params)["rows"]}


def test_a_row_carries_every_documented_field(world: World, client: Client) -> None:
    problem = world.problem("a", day=date(2026, 5, 4), contest="c1", level=1)
    world.answer(world.run("orion", configuration={"effort": "high"}, cutoff_on=date(2026, 1, 1)), problem)
    world.count()
    world.session.commit()
    body = board(client)
    [row] = body["rows"]
    assert body["board"] == "codegen"
    assert body["protocol"] == "house"
    assert body["window"] == {"from": None, "to": None}
    assert body["problems"] == 1
    assert body["snapshot"] is None
    assert body["hidden"] == []
    assert row["model"] == "orion"
    assert row["configuration"] == "high"
    assert row["score"] == 100.0
    assert row["ci_lo"] < 100.0
    assert (row["rank"], row["rank_lo"], row["rank_hi"], row["tier"]) == (1, 1, 1, 1)
    assert (row["n_problems"], row["coverage"], row["exposed"]) == (1, 1.0, 0)
    assert row["by_difficulty"]["easy"] == {"score": 100.0, "n": 1}
    assert row["by_difficulty"]["hard"] == {"score": None, "n": 0}
    assert row["cutoff"] == {"date": "2026-01-01", "basis": "declared"}
    assert row["tokens"] == {"input": 100.0, "cached": None, "reasoning": None, "answer": 50.0}
    assert row["seconds_per_problem"] == 1.5
    assert row["cost_per_solve"] is None  # no price is known, which is not 0
    assert (row["provisional"], row["estimate"], row["trials"], row["unpublished_variants"]) == (False, None, 1, 0)


@dataclass(frozen=True)
class Fact:
    """A problem as the naive count knows it."""

    row: Problem
    day: date
    source: str
    level: str


def random_world(world: World, seed: int) -> tuple[list[Fact], dict[str, tuple[date | None, dict[int, list[bool]]]]]:
    """A database with answers of all kinds; returns what was put in, counted by hand."""
    rng = random.Random(seed)
    levels = {1: "easy", 2: "medium", 3: "hard"}
    world.source("harbour", demo=False)
    facts = []
    for index in range(rng.randint(4, 14)):
        day = date(2026, 1, 1) + timedelta(days=rng.randint(0, 120))
        level = rng.choice([1, 2, 3])
        problem = world.problem(f"p{index}", day=day, contest=f"c{day}-{rng.randint(0, 1)}", level=level)
        facts.append(Fact(problem, day, "house", levels[level]))
    world.problem("held", day=date(2026, 2, 1), state=ProblemState.HELD, hold_reason="no full tests")
    alarm = world.problem("alarm", day=date(2026, 2, 1), canary=True)
    models: dict[str, tuple[date | None, dict[int, list[bool]]]] = {}
    for number in range(rng.randint(1, 5)):
        cutoff = rng.choice([None, date(2025, 12, 31), date(2026, 1, 1) + timedelta(days=rng.randint(0, 90))])
        run = world.run(f"m{number}", cutoff_on=cutoff)
        results: dict[int, list[bool]] = {}
        world.answer(run, alarm, Verdict.WRONG_ANSWER)
        skill, gap = rng.random(), rng.choice([0.0, 0.0, 0.2])
        for fact in facts:
            for ordinal in range(rng.choice([1, 1, 3])):
                if rng.random() < gap:
                    broken = rng.choice([SampleState.PENDING, SampleState.GAVE_UP, SampleState.STUCK])
                    world.answer(run, fact.row, None, ordinal=ordinal, state=broken)
                    continue
                passed = rng.random() < skill
                wrong = rng.choice([Verdict.WRONG_ANSWER, Verdict.NO_ANSWER, Verdict.TIME_LIMIT])
                world.answer(run, fact.row, Verdict.ACCEPTED if passed else wrong, ordinal=ordinal)
                results.setdefault(fact.row.id, []).append(passed)
        models[f"m{number}"] = cutoff, results
    world.count()
    world.session.commit()
    return facts, models


@pytest.mark.parametrize("seed", thinned(range(12), 3))
def test_board_equals_brute_force(world: World, client: Client, seed: int) -> None:
    facts, models = random_world(world, seed)
    rng = random.Random(seed + 1000)
    for _ in range(6):
        start = rng.choice([None, date(2026, 1, 1) + timedelta(days=rng.randint(0, 80))])
        end = rng.choice([None, date(2026, 2, 20) + timedelta(days=rng.randint(0, 80))])
        levels = rng.sample(["easy", "medium", "hard"], rng.choice([0, 1, 2]))
        exposure = rng.choice(["unrank", "hide"])
        if start and end and end < start:
            continue
        params = {"exposure": exposure, "difficulty": levels, "from": start, "to": end}
        found = board(client, **{name: value for name, value in params.items() if value})
        chosen = [
            fact
            for fact in facts
            if (start is None or fact.day >= start)
            and (end is None or fact.day < end)
            and (not levels or fact.level in levels)
        ]
        assert found["problems"] == len(chosen)
        check(found, chosen, models, hide=exposure == "hide")


def check(
    found: dict[str, Any],
    chosen: list[Fact],
    models: dict[str, tuple[date | None, dict[int, list[bool]]]],
    *,
    hide: bool,
) -> None:
    """Compare a board with sums made one answer at a time."""
    expected: dict[str, dict[str, Any]] = {}
    hidden = {}
    for model, (cutoff, results) in models.items():
        judged = [fact for fact in chosen if fact.row.id in results]
        exposed = sum(1 for fact in chosen if cutoff is not None and fact.day <= cutoff)
        if not judged:
            hidden[model] = "unjudged"
            continue
        if hide and exposed:
            hidden[model] = "exposure"
            continue
        rates = [sum(results[fact.row.id]) / len(results[fact.row.id]) for fact in judged]
        expected[model] = {
            "score": 100 * sum(rates) / len(rates),
            "n": len(judged),
            "coverage": len(judged) / len(chosen),
            "exposed": exposed,
            "levels": {
                level: [rate for fact, rate in zip(judged, rates, strict=True) if fact.level == level]
                for level in ("easy", "medium", "hard")
            },
        }
    assert {row["model"]: row["reason"] for row in found["hidden"]} == hidden
    assert {row["model"] for row in found["rows"]} == set(expected)
    ranked = [value["score"] for value in expected.values() if value["exposed"] == 0 and value["coverage"] >= 0.95]
    for row in found["rows"]:
        naive = expected[row["model"]]
        assert row["score"] == pytest.approx(naive["score"], abs=1e-9)
        assert row["n_problems"] == naive["n"]
        assert row["coverage"] == pytest.approx(naive["coverage"], abs=1e-12)
        assert row["exposed"] == naive["exposed"]
        assert row["ci_lo"] <= row["score"] <= row["ci_hi"]
        may_rank = naive["exposed"] == 0 and naive["coverage"] >= 0.95
        above = sum(score > naive["score"] + 1e-9 for score in ranked)
        assert row["rank"] == (1 + above if may_rank else None)
        for level, values in naive["levels"].items():
            shown = row["by_difficulty"][level]
            assert shown["n"] == len(values)
            if values:
                assert shown["score"] == pytest.approx(100 * sum(values) / len(values), abs=1e-9)


def test_an_imported_board_is_the_mean_over_its_file(world: World, client: Client) -> None:
    rng = random.Random(5)
    run = world.run("anchor", protocol=LCB, origin=RunOrigin.IMPORTED, provenance={"n_inferred": True})
    days = [date(2024, 7, 31), date(2024, 8, 1), date(2025, 4, 30), date(2025, 5, 1)]
    counts = {}
    for index in range(40):
        problem = world.catalogued(f"abc{index}_a", day=rng.choice(days), source="atcoder")
        counts[problem.id] = (problem.released_on, rng.randint(0, 10))
        world.imported(run, problem, 10, counts[problem.id][1], row=index)
    world.count()
    world.session.commit()
    body = board(client, protocol="lcb", **{"from": "2024-08-01", "to": "2025-05-01"})
    inside = [c / 10 for day, c in counts.values() if day and date(2024, 8, 1) <= day.date() < date(2025, 5, 1)]
    [row] = body["rows"]
    assert row["score"] == pytest.approx(100 * sum(inside) / len(inside), abs=1e-9)
    assert row["n_problems"] == len(inside)
    assert row["coverage"] == 1.0
    assert row["imported"]
    assert row["n_inferred"]


def test_recorded_answers_want_only_their_own_problems(world: World, client: Client) -> None:
    run = world.run("anchor", protocol=LCB_RECORDED)
    world.answer(run, world.problem("two-sum", source="leetcode"))
    world.problem("never-asked", source="leetcode")
    world.count()
    world.session.commit()
    body = board(client, protocol="lcb-recorded")
    assert body["problems"] == 1
    assert body["rows"][0]["coverage"] == 1.0


def test_a_run_of_an_ordered_window_has_a_rank_there_alone(world: World, client: Client) -> None:
    old, new = world.problem("old", day=date(2026, 1, 1)), world.problem("new", day=date(2026, 3, 1))
    run = world.run("orion", window=(new.released_on, None))
    world.answer(run, new)
    world.answer(world.run("lyra"), old)
    world.count()
    world.session.commit()
    found = rows(client)
    for name in ("orion", "lyra"):
        assert (found[name]["coverage"], found[name]["provisional"], found[name]["rank"]) == (0.5, True, None)
    assert rows(client, **{"from": "2026-03-01"})["orion"]["rank"] == 1


def test_private_runs_are_counted_and_not_shown(world: World, client: Client) -> None:
    problem = world.problem("a")
    model = world.model("orion")
    world.answer(world.run(model), problem)
    world.answer(world.run(model, configuration={"effort": "max"}, public=False), problem)
    world.count()
    world.session.commit()
    [row] = board(client)["rows"]
    assert row["unpublished_variants"] == 1


def test_later_trials_and_retired_runs_are_named(world: World, client: Client) -> None:
    problem = world.problem("a")
    model = world.model("orion")
    world.answer(world.run(model, trial=1), problem, Verdict.WRONG_ANSWER)
    world.answer(world.run(model, trial=2), problem)
    world.answer(world.run("gone", state=RunState.RETIRED), problem)
    world.count()
    world.session.commit()
    body = board(client)
    assert [(row["model"], row["score"], row["trials"]) for row in body["rows"]] == [("orion", 0.0, 2)]
    assert {(each["model"], each["reason"]) for each in body["hidden"]} == {
        ("orion", "later_trial"),
        ("gone", "retired"),
    }


def test_filters_hide_and_say_so(world: World, client: Client) -> None:
    problem = world.problem("a", day=date(2026, 6, 1))
    for slug, cutoff in (("early", date(2026, 1, 1)), ("late", date(2026, 5, 1))):
        world.answer(world.run(slug, cutoff_on=cutoff), problem)
    world.count()
    world.session.commit()
    body = board(client, cutoff_before="2026-03-01")
    assert [row["model"] for row in body["rows"]] == ["early"]
    assert body["hidden"] == [{"model": "late", "configuration": "", "reason": "cutoff"}]
    assert list(rows(client, model="late")) == ["late"]


def test_the_release_date_stands_in_for_a_cutoff(world: World, client: Client) -> None:
    world.answer(
        world.run("orion", released_on=date(2026, 7, 1)), world.problem("a", day=date(2026, 6, 1)), Verdict.ACCEPTED
    )
    world.count()
    world.session.commit()
    [row] = board(client)["rows"]
    assert row["cutoff"] == {"date": "2026-07-01", "basis": "released"}
    assert row["exposed"] == 1
    assert row["rank"] is None


def test_new_verdicts_reach_the_board_by_revision(world: World, client: Client) -> None:
    problems = [world.problem(f"p{index}") for index in range(4)]
    run = world.run("orion")
    samples = [world.answer(run, problem, None) for problem in problems]
    world.count()
    world.session.commit()
    assert board(client)["rows"] == []
    for index, (sample, problem) in enumerate(zip(samples, problems, strict=True)):
        sample.state = SampleState.GRADED
        world.verdict(sample, problem, Verdict.ACCEPTED if index else Verdict.WRONG_ANSWER)
        world.session.execute(
            text("INSERT INTO dirty_cells (run_id, problem_id, item) VALUES (:run, :problem, 0)"),
            {"run": run.id, "problem": problem.id},
        )
        world.aggregate()
        world.session.commit()
        [row] = board(client)["rows"]
        assert row["n_problems"] == index + 1
        assert row["score"] == pytest.approx(100 * index / (index + 1))


def test_an_answered_etag_is_not_sent_again(world: World, client: Client) -> None:
    world.answer(world.run("orion"), world.problem("a"))
    world.count()
    world.session.commit()
    first = client.get(URL)
    tag = first.headers["etag"]
    assert client.get(URL, headers={"If-None-Match": tag}).status_code == 304
    assert client.get(URL, headers={"If-None-Match": "*"}).status_code == 304
    assert client.get(f"{URL}.csv", headers={"If-None-Match": "*"}).status_code == 304
    assert client.get(URL, params={"from": "2026-01-01"}).headers["etag"] != tag
    world.count()
    world.session.commit()
    assert client.get(URL, headers={"If-None-Match": tag}).status_code == 200


def test_csv_is_the_view_and_no_formula(world: World, client: Client) -> None:
    model = world.model("orion", organisation_name="=cmd()", name="Orion")
    world.answer(world.run(model), world.problem("a"))
    world.count()
    world.session.commit()
    answer = client.get(f"{URL}.csv")
    assert answer.headers["content-type"].startswith("text/csv")
    [row] = csv.DictReader(io.StringIO(answer.text))
    assert row["model"] == "orion"
    assert float(row["score"]) == 100.0
    assert row["organisation"] == "'=cmd()"


def test_odd_queries_name_their_field(world: World, client: Client) -> None:
    world.answer(world.run("orion", protocol=HOUSE), world.problem("a"))
    world.count()
    world.session.commit()
    for query, pointer in (
        ("from=soon", "/from"),
        ("from=2026-W01-1", "/from"),
        ("to=2026-0401", "/to"),
        ("from=0000-01-01", "/from"),
        ("to=9999-12-31", "/to"),
        ("to=2026-02-30", "/to"),
        ("from=2026-05-01&to=2026-01-01", "/to"),
        ("from=2026-05-01&from=2026-05-02", "/from"),
        ("exposure=maybe", "/exposure"),
        ("rules=none", "/rules"),
        ("difficulty=impossible", "/difficulty"),
        ("platform=%00", "/platform"),
        ("model=" + "x" * 300, "/model"),
        ("&".join(f"model=m{index}" for index in range(70)), "/model"),
        ("protocol=nothing", "/protocol"),
        ("protocol=%ed%a0%80", "/protocol"),
        ("ref=nobody", "/ref"),
        ("cutoff_before=1e400", "/cutoff_before"),
    ):
        answer = client.get(f"{URL}?{query}")
        assert answer.status_code == 422, (query, answer.text)
        assert answer.headers["content-type"] == "application/problem+json", query
        assert answer.json()["errors"][0]["pointer"] == pointer, query
        page = client.get(f"/en/?{query}")
        assert page.status_code == 422, query
        assert pointer.lstrip("/") in page.text, query


@pytest.mark.parametrize("name", ["utm_source", "fbclid", "colour"])
def test_names_that_others_add_to_a_link_are_refused_here_and_passed_over_on_pages(
    world: World, client: Client, name: str
) -> None:
    world.answer(world.run("orion"), world.problem("a"))
    world.count()
    world.session.commit()
    answer = client.get(f"{URL}?{name}=red")
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == f"/{name}"
    for path in ("/en/", "/en/boards/codegen", "/en/models/orion"):
        plain, added = client.get(f"{path}?from=2026-01-01"), client.get(f"{path}?from=2026-01-01&{name}=%00red")
        assert added.status_code == 200, path
        assert added.headers.get("etag") == plain.headers.get("etag"), "the same page"
        assert client.get(f"{path}?from=soon&{name}=red").status_code == 422


@pytest.mark.parametrize("day", [date(9998, 12, 30), date(9998, 12, 31), date(9999, 12, 31)])
def test_a_cutoff_at_the_end_of_time_breaks_no_board(world: World, client: Client, day: date) -> None:
    """A vendor cannot declare one; a file of models could."""
    world.answer(world.run("orion", cutoff_on=day), world.problem("a"))
    world.count()
    world.session.commit()
    assert rows(client)["orion"]["cutoff"]["date"] == day.isoformat()
    for path in ("/en/", "/en/models/orion"):
        page = client.get(path)
        assert page.status_code == 200, path
    links = re.findall(r'href="(/en/\?from=9[^"]*)"', client.get("/en/").text)
    assert all(client.get(link).status_code == 200 for link in links)


def test_an_unknown_board_is_not_found(client: Client) -> None:
    answer = client.get("/api/v1/boards/nothing")
    assert answer.status_code == 404
    assert answer.json()["code"] == "not_found"
