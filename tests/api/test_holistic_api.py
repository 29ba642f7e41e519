"""The holistic board through the API and as a page: scores side by side, how they go together, and against others."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import httpx
import pytest
from factories import World

from app.db.sources import external_scores
from app.db.tables import Derivation, DerivedItem
from app.domain.asking.protocols import HOUSE
from app.domain.imports import ExternalScore, ExternalTable
from app.domain.judging.verdicts import Verdict
from app.domain.scenarios import shipped_protocols
from app.domain.scenarios.review import SCENARIO as REVIEW
from app.domain.scenarios.self_repair import SCENARIO as REPAIR

MODELS, PROBLEMS = 9, 12
IN_CPP = replace(HOUSE, slug="in-cpp", language="cpp")


@pytest.fixture
def filled(world: World) -> World:
    """Model n solves the first n problems, one more after a repair, and two fewer in C++; the last has no repair.

    Of reviews it has the more right the fewer it solves.
    """
    problems = [
        world.problem(f"p{n}", day=date(2026, 1, 1) + timedelta(days=n), contest=f"c{n}", level=1 + n % 3)
        for n in range(PROBLEMS)
    ]
    for problem in problems:
        made = {"test_set_id": problem.current_test_set_id}
        world.session.add(Derivation(since=world.now, derived_at=world.now, **made))
        world.session.flush()
        item = {"facts": {}, "expected": "{}", "checker": {}, "returns": "", "measured": {}}
        world.session.add(DerivedItem(kind="review", number=0, **item, **made))
    reviewed = REVIEW.protocols[0]
    for number in range(MODELS):
        model = world.model(f"m-{number}", cutoff_on=date(2025, 1, 1))
        for protocol, solved in (
            (HOUSE, number),
            (REPAIR.protocols[0], number + 1),
            (IN_CPP, number - 2),
            (reviewed, 11 - number),
        ):
            if protocol.prerequisite and number == MODELS - 1:
                continue
            run = world.run(model, protocol=protocol)
            for place, problem in enumerate(problems):
                world.answer(run, problem, Verdict.ACCEPTED if place < solved else Verdict.WRONG_ANSWER)
    spellings = ["M.4 (N=1)" if n == 4 else f"M.{n}" for n in range(MODELS - 1)]
    scores = tuple(ExternalScore(name, 10.0 * n, 164) for n, name in enumerate(spellings))
    table = ExternalTable("humaneval-plus", (*scores, ExternalScore("Somebody else", 3.0, 164)))
    external_scores.keep(
        world.session, "0" * 64, ExternalTable("humaneval-plus", scores[:1]), datetime(2026, 1, 1, tzinfo=UTC)
    )
    external_scores.keep(world.session, "1" * 64, table, datetime(2026, 1, 2, tzinfo=UTC))
    world.count()
    world.session.commit()
    return world


def check_scores(client: httpx.Client) -> None:
    """Scores stand side by side and go together."""
    found = client.get("/api/v1/holistic").json()
    assert found["family"] == "house"
    repair = {"name": "repair", "board": "repair", "protocol": "house-repair", "problems": PROBLEMS}
    assert repair in found["scenarios"]
    rows = {row["model"]: row["scores"] for row in found["rows"]}
    assert rows["m-3"]["codegen"] == pytest.approx(25.0)
    assert rows["m-3"]["repair"] == pytest.approx(100 / 3)
    assert rows["m-3"]["review"] == pytest.approx(200 / 3)
    assert rows["m-3"]["execution"] is None
    assert rows["m-8"]["repair"] is None
    pair = next(each for each in found["correlations"] if (each["one"], each["other"]) == ("codegen", "repair"))
    assert pair["spearman"] == {"value": pytest.approx(1.0), "lo": None, "hi": None, "n": MODELS - 1}
    other = next(each for each in found["correlations"] if (each["one"], each["other"]) == ("codegen", "review"))
    assert other["pearson"]["value"] == pytest.approx(-1.0)
    nobody = next(each for each in found["correlations"] if each["other"] == "execution")
    assert nobody["pearson"] is None


def check_others(client: httpx.Client) -> None:
    """A table of others is matched by name on all and on easy problems."""
    every, easy = client.get("/api/v1/holistic").json()["external"]
    assert (every["table"], every["difficulty"], easy["difficulty"]) == ("humaneval-plus", None, "easy")
    assert every["unmatched"] == ["Somebody else"]
    spots = {row["model"]: row for row in every["rows"]}
    assert (spots["m-4"]["elsewhere"], spots["m-4"]["named"]) == (40.0, "M.4 (N=1)")
    assert spots["m-4"]["here"] == pytest.approx(100 / 3)
    assert {row["model"]: row["here"] for row in easy["rows"]}["m-4"] == pytest.approx(50.0)
    assert {row["group"] for row in every["rows"]} == {"alike"}
    assert every["spearman"]["n"] == MODELS - 1
    assert every["trend"]["slope"] == pytest.approx(10 / 12)


def check_languages(client: httpx.Client) -> None:
    """The same problems in two languages are paired."""
    pairs = {row["model"]: row for row in client.get("/api/v1/holistic").json()["languages"]}
    assert len(pairs) == MODELS
    five = pairs["m-5"]
    assert five["languages"] == ["python", "cpp"]
    assert five["scores"] == pytest.approx([500 / 12, 300 / 12])
    assert five["gap"] == pytest.approx(200 / 12)
    assert five["ci_lo"] < five["gap"] < five["ci_hi"]
    assert (five["n_problems"], five["clusters"]) == (PROBLEMS, PROBLEMS)
    assert -100 <= pairs["m-0"]["ci_lo"] < 0 < pairs["m-0"]["ci_hi"] <= 100, "where all agree, too"


def check_windows(client: httpx.Client) -> None:
    """A window is that of every scenario and odd questions are refused."""
    early = client.get("/api/v1/holistic", params={"to": "2026-01-05"}).json()
    assert {row["model"]: row["scores"] for row in early["rows"]}["m-4"]["codegen"] == 100.0
    for name, value in (("family", "another"), ("model", "m-1"), ("from", "soon")):
        assert client.get("/api/v1/holistic", params={name: value}).status_code == 422
    fresh = client.get("/api/v1/holistic", params={"family": "fresh"}).json()
    assert fresh["rows"] == []


def check_page(client: httpx.Client) -> None:
    """The page has a chart and a table of each."""
    page = client.get("/en/?tab=skills&from=").text
    assert page.count('<svg class="radar"') == MODELS
    assert page.count('<svg class="scatter"') == 2
    assert page.count('class="trend"') == 2
    assert page.count('<svg class="whisker gap"') == MODELS
    assert page.count('<svg class="matrix"') == 1
    for said in ("Self-repair", "humaneval-plus, easy problems", "+16.7", "as expected", "no interval"):
        assert said in page, said
    assert 'href="/api/v1/holistic?family=house"' in page
    chinese = client.get("/zh/?tab=skills&from=&family=house&from=2026-01-02&utm_source=x").text
    for said in ("能力", "哪些能力彼此相关", "from=2026-01-02"):
        assert said in chinese, said
    empty = client.get("/en/?tab=skills&from=&family=fresh").text
    assert "No model has a score in these scenarios yet." in empty


def test_scenarios_stand_side_by_side_and_against_others(filled: World, client: httpx.Client) -> None:
    check_scores(client)
    check_others(client)
    check_languages(client)
    check_windows(client)
    check_page(client)


def test_the_tasks_of_coco_go_together(world: World, client: httpx.Client) -> None:
    """Figure 3 of the paper: the same matrix, of the tasks of one board."""
    tasks = {name: [f"{name}/{n}" for n in range(count)] for name, count in (("CG", 5), ("CM", 4))}
    items = {
        task: [world.problem(name, source="house-coco", tags=[task, "python"]) for name in names]
        for task, names in tasks.items()
    }
    for number in range(4):
        model = world.model(f"m-{number}", cutoff_on=date(2025, 1, 1))
        for task, slug, solved in (("CG", "house-coco-cg", number + 1), ("CM", "house-coco-cm", 4 - number)):
            run = world.run(model, protocol=shipped_protocols()[slug])
            for place, problem in enumerate(items[task]):
                world.answer(run, problem, Verdict.ACCEPTED if place < solved else Verdict.WRONG_ANSWER)
    world.count()
    world.session.commit()
    found = client.get("/api/v1/holistic", params={"family": "house-coco"}).json()
    assert [(one["name"], one["board"], one["problems"]) for one in found["scenarios"]] == [
        ("cu_f", "coco", 0), ("cu_r", "coco", 0), ("cg", "coco", 5), ("cm", "coco", 4), ("cr", "coco", 0),
    ]  # fmt: skip
    [pair] = [each for each in found["correlations"] if each["spearman"] is not None]
    assert (pair["one"], pair["other"], pair["spearman"]["value"]) == ("cg", "cm", pytest.approx(-1.0))
    page = client.get("/en/?tab=skills&from=&family=house-coco").text
    assert '<svg class="matrix"' in page
    assert "/boards/coco?protocol=house-coco-cm" in page
    assert "CoCo-Bench’s tasks, house league" in page


def test_where_there_are_too_few_scenarios_for_charts_none_is_spoken_of(world: World, client: httpx.Client) -> None:
    problem = world.problem("p", day=date(2026, 1, 1))
    world.answer(world.run(world.model("m", cutoff_on=date(2025, 1, 1))), problem, Verdict.ACCEPTED)
    world.count()
    world.session.commit()
    page = client.get("/en/?tab=skills&from=").text
    assert ">100.0</td>" in page
    assert "radar" not in page
    assert "Each chart shows one model" not in page


def test_an_unfinished_score_is_marked_by_a_word_that_is_explained_once(world: World, client: httpx.Client) -> None:
    problems = [world.problem(name, day=date(2026, 1, 1)) for name in ("a", "b")]
    world.answer(world.run(world.model("tern"), protocol=shipped_protocols()["house"]), problems[0], Verdict.ACCEPTED)
    world.count()
    world.session.commit()
    page = client.get("/en/?tab=skills&from=").text
    row = page.partition("<tbody>")[2].partition("</tr>")[0]
    assert '100.0 <span class="tag prov">provisional</span>' in row
    assert "less than 95%" not in page.partition('id="legend-title"')[0].lower()
    assert "Less than 95% of the selected problems are judged" in page.partition('id="legend-title"')[2]
