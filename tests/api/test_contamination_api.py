"""Contamination from cells to the API and the page: a planted leak is found, and what was sent is on record."""

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import httpx
import numpy as np
import pytest
from factories import World
from sqlalchemy import select
from support.files import board_row, board_text, read, write

from app.db.evidence import evidence
from app.db.tables import Endpoint, ImportedResult, ProtocolRow
from app.domain.asking.protocols import LCB
from app.domain.states import RunOrigin
from app.services.boards.cubes import CubeStore
from app.services.evidence import reports, signing
from app.services.operations.maintenance import Action, ActionOutcome, ActionRequest, carry_out
from app.services.runs import imports
from app.services.runs.cutoffs import CutoffFacts
from app.services.runs.models import edit_cutoff

CUTOFF = date(2025, 7, 1)
MODELS, BEFORE, AFTER = 14, 130, 80


@pytest.fixture
def world(session) -> World:  # type: ignore[no-untyped-def]
    return World(session, protocol=replace(LCB, slug="files"))


def fill(world: World) -> None:
    """Fourteen models on 210 problems; only the first has a cutoff among them, and knows a third of what was before."""
    rng = np.random.default_rng(3)
    days = [CUTOFF - timedelta(days=40 + 2 * place) for place in range(BEFORE)]
    days += [CUTOFF + timedelta(days=40 + 2 * place) for place in range(AFTER)]
    ease, skill = rng.normal(0, 1.5, len(days)), rng.normal(0, 0.7, MODELS)
    problems = [world.problem(f"p{place}", day=day, source="atcoder") for place, day in enumerate(days)]
    for number in range(MODELS):
        cutoff = CUTOFF if number == 0 else date(2020, 1, 1)
        run = world.run(
            f"model-{number}", origin=RunOrigin.IMPORTED, cutoff_on=cutoff, organisation_name=f"Vendor {number}"
        )
        chance = 1 / (1 + np.exp(-(ease + skill[number])))
        if number == 0:
            chance[:BEFORE][rng.random(BEFORE) < 0.4] = 1
        world.session.add_all(
            ImportedResult(
                run_id=run.id, problem_id=problem.id, item=0, n=10, c=int(passed), value="", source_date="",
                source_clock="file", row_number=1, file_sha256="f" * 64,
            )
            for problem, passed in zip(problems, rng.binomial(10, chance), strict=True)
        )  # fmt: skip
    world.session.flush()
    world.count()


def make_report(world: World, folder: Path) -> None:
    cubes = CubeStore(folder)
    while (work := reports.claim_due_report(world.session, cubes, world.now)) is not None:
        reports.store_report(world.session, work, work.make(), world.now)


def sign_all(world: World, action: Action = Action.CONTAMINATION_SIGN) -> ActionOutcome:
    """Sign every result that there is, as the maintainers' page does."""
    subjects = tuple(entry.subject for entry in signing.results_to_sign(world.session))
    made = carry_out(world.session, ActionRequest(action, subjects, "checked by hand"), "ada@example.org", world.now)
    world.session.commit()
    return made


def test_every_sending_of_a_problem_is_on_record(world: World, client: httpx.Client) -> None:
    problems = [world.problem(name, day=date(2026, 3, 1)) for name in ("a", "b", "c")]
    run = world.run("orion")
    endpoint = Endpoint(
        model_id=run.model_id,
        backend="openai_chat",
        remote_name="orion",
        base_url="https://a.example",
        max_concurrency=1,
    )
    world.session.add(endpoint)
    world.session.flush()
    for later in range(2):
        when = world.now + timedelta(days=later)
        evidence.record_sent(world.session, endpoint, [problem.id for problem in problems], when)
    world.session.commit()
    seen, cursor = [], None
    for _page in range(6):
        params: dict[str, str | int] = {"model": "orion", "limit": 1, **({"cursor": cursor} if cursor else {})}
        answer = client.get("/api/v1/exposures", params=params).json()
        seen += answer["exposures"]
        cursor = answer["next_cursor"]
    assert cursor is None
    assert [each["problem"] for each in seen] == 2 * ["house/a", "house/b", "house/c"]
    again = world.now + timedelta(days=1)
    assert [each["sent_at"] for each in seen] == [day.isoformat() for day in (world.now, again) for _ in problems]
    assert client.get("/api/v1/exposures", params={"model": "nobody"}).json()["exposures"] == []


@pytest.mark.parametrize(
    "cursor", ["x", "a~b~c", "2026-01-01~1~1", "2026-01-01T00:00:00Z~1~-1", f"2026-01-01T00:00:00Z~1~{2**70}"]
)
def test_a_cursor_of_somebody_else_is_refused(client: httpx.Client, cursor: str) -> None:
    assert client.get("/api/v1/exposures", params={"cursor": cursor}).status_code == 422


@pytest.mark.parametrize("limit", [0, -1, 100_000, "many"])
def test_page_size_outside_its_bounds_is_refused(client: httpx.Client, limit: object) -> None:
    assert client.get("/api/v1/exposures", params={"limit": str(limit)}).status_code == 422


def test_a_protocol_that_nobody_ran_is_not_there(client: httpx.Client) -> None:
    assert client.get("/api/v1/contamination", params={"protocol": "nowhere"}).status_code == 404
    assert client.get("/en/contamination?protocol=nowhere").status_code == 404
    assert client.get("/en/contamination?protocol=a&protocol=b").status_code == 422
    assert client.get("/api/v1/contamination").status_code == 404
    assert "No row has been tested yet" in client.get("/en/contamination").text, "the page of an empty site"


def test_what_is_not_public_is_in_no_ledger_and_no_report(world: World, client: httpx.Client, tmp_path: Path) -> None:
    shown = world.problem("a", day=date(2026, 3, 1))
    canary = world.problem("b", day=date(2026, 3, 1), canary=True)
    runs = [world.run(name, origin=RunOrigin.IMPORTED) for name in ("orion", "secret")]
    for run in runs:
        endpoint = Endpoint(
            model_id=run.model_id,
            backend="openai_chat",
            remote_name="x",
            base_url="https://a.example",
            max_concurrency=1,
        )
        world.session.add(endpoint)
        world.session.flush()
        evidence.record_sent(world.session, endpoint, [shown.id, canary.id], world.now)
        world.imported(run, shown, 1, 1)
    world.count()
    make_report(world, tmp_path / "cubes")
    runs[1].public = False
    world.session.commit()
    assert [(each["model"], each["problem"]) for each in client.get("/api/v1/exposures").json()["exposures"]] == [
        ("orion", "house/a")
    ]
    body = client.get("/api/v1/contamination", params={"protocol": "files"}).json()
    assert [each["model"] for each in body["models"]] == ["orion"]
    people = client.get("/api/v1/human-ratings", params={"protocol": "files"}).json()
    assert [person["model"] for person in people["rows"]] == ["orion"]
    for path in ("/en/contamination", "/en/?tab=rating&from=", "/en/models/orion"):
        assert "ecret" not in client.get(path, params={"protocol": "files"}).text
    page = client.get("/en/contamination", params={"protocol": "files"}).text
    assert '</a> <small class="org">' in page, "a model's name does not run into its maker's"


@pytest.mark.parametrize("path", ["human-ratings?protocol=%00", "exposures?model=%00", "contamination?protocol=%00"])
def test_what_cannot_be_a_name_is_not_found(client: httpx.Client, path: str) -> None:
    assert client.get(f"/api/v1/{path}").status_code == 404


def test_a_computation_that_fails_does_not_hold_up_the_others(world: World, tmp_path: Path) -> None:
    world.imported(world.run("orion", origin=RunOrigin.IMPORTED), world.problem("a", day=date(2026, 3, 1)), 1, 1)
    world.count()
    first = reports.claim_due_report(world.session, CubeStore(tmp_path), world.now)
    assert first is not None
    broken = replace(first, inputs=None)
    assert broken.make() is None
    reports.store_report(world.session, broken, broken.make(), world.now)
    following = reports.claim_due_report(world.session, CubeStore(tmp_path), world.now)
    assert following is not None
    assert following.kind != first.kind


def test_a_report_is_made_again_when_cells_have_changed_and_it_has_rested(
    world: World, client: httpx.Client, tmp_path: Path
) -> None:
    run, problem = world.run("orion", origin=RunOrigin.IMPORTED), world.problem("a", day=date(2026, 3, 1))
    world.imported(run, problem, 1, 1)
    world.count()
    world.session.commit()
    empty = client.get("/api/v1/contamination", params={"protocol": "files"}).json()
    assert (empty["models"], empty["made_at"]) == ([], None)
    assert "No row has been tested yet" in client.get("/en/contamination").text
    cubes = CubeStore(tmp_path)

    def due(minutes: float) -> reports.ReportJob | None:
        return reports.claim_due_report(world.session, cubes, world.now + timedelta(minutes=minutes))

    made: list[str] = []
    while (work := due(0)) is not None:
        reports.store_report(world.session, work, work.make(), world.now + timedelta(seconds=9 - len(made)))
        made.append(work.kind)
    assert sorted(made) == sorted(reports.REPORT_MAKERS)
    assert due(1000) is None, "nothing has changed"
    world.imported(run, world.problem("b", day=date(2026, 3, 2)), 1, 0)
    world.count()
    assert due(15) is None, "it took nine seconds: half an hour is left to other work"
    late = due(31)
    assert late is not None
    assert late.kind == made[-1], "what was kept with the earliest date waits longest"
    while (failed := due(31)) is not None:
        reports.store_report(world.session, failed, None, world.now + timedelta(minutes=31))
    world.session.commit()
    stays = client.get("/api/v1/contamination", params={"protocol": "files"}).json()
    assert [row["model"] for row in stays["models"]] == ["orion"], "where it fails the one before stays"
    found = stays["models"][0]["pooled"]
    assert [each["condition"] for each in found["unmet"]][:1] == [found["reason"]]
    assert set(found["models_left_out"]) == {"same_family", "no_cutoff", "cutoff_inside", "few_answers"}
    assert found["reason"] == "no_cutoff"
    assert "No cutoff with public evidence" in client.get("/en/contamination", params={"protocol": "files"}).text


def test_a_page_says_all_that_an_assessment_would_take(world: World, client: httpx.Client, tmp_path: Path) -> None:
    days = [CUTOFF + timedelta(days=40 * (place - 3) + 20) for place in range(6)]
    problems = [world.problem(f"p{place}", day=day, source="atcoder") for place, day in enumerate(days)]
    for number, cutoff in enumerate((CUTOFF, CUTOFF, date(2020, 1, 1))):
        run = world.run(f"m-{number}", origin=RunOrigin.IMPORTED, cutoff_on=cutoff, organisation_name=f"V {number}")
        for place, problem in enumerate(problems):
            world.imported(run, problem, 2, place % 2)
    world.count()
    make_report(world, tmp_path)
    world.session.commit()
    rows = client.get("/api/v1/contamination", params={"protocol": "files"}).json()["models"]
    found = next(row["pooled"] for row in rows if row["model"] == "m-0")
    assert found["unmet"][:3] == [
        {"condition": "few_pre", "have": 2, "need": 100}, {"condition": "few_post", "have": 2, "need": 60},
        {"condition": "few_controls", "have": 1, "need": 8},
    ]  # fmt: skip
    assert found["models_left_out"] == {"same_family": 0, "no_cutoff": 0, "cutoff_inside": 1, "few_answers": 0}
    assert found["window"]["from"] == "2024-07-01"
    page = client.get("/en/contamination", params={"protocol": "files"}).text
    for words in ("100 problems before the cutoff (there are 2)", "8 models to compare with (there are 1)",
                  "1 have a cutoff from 2024-07-01 to", "Too little data: 2 of 100 older problems",
                  "too little data yet to test any of the 3 rows"):  # fmt: skip
        assert words in page


def test_a_report_is_made_at_once_after_an_import_and_an_edit_of_a_cutoff(world: World, tmp_path: Path) -> None:
    """Its rest is for cells that change all day."""

    def of(board: str, *models: str) -> None:
        rows = [board_row(model, problem, 100.0) for model in models for problem in ("p", "q")]
        path = write(tmp_path, "board.json", board_text(rows))
        imports.store_batch(world.session, read("lcb-board", path, board=board), world.now)

    def due() -> set[tuple[str, int]]:
        found = set()
        while (work := reports.claim_due_report(world.session, cubes, world.now + timedelta(seconds=5))) is not None:
            found.add((work.kind, work.protocol))
            reports.store_report(world.session, work, work.make(), world.now + timedelta(minutes=4))
        return found

    cubes = CubeStore(tmp_path / "cubes")
    of("codegen", "a")
    of("repair", "a", "b")
    assert due() == set(), "what was imported is not counted yet"
    world.aggregate()
    ids = {row.slug: row.id for row in world.session.scalars(select(ProtocolRow))}
    assert due() >= {(kind, ids[slug]) for kind in ("contamination", "human_rating") for slug in ("lcb", "lcb-repair")}
    of("codegen", "a", "c")
    assert due() == set()
    assert reports.count_wanted(world.session, world.now, {ids["lcb"]}) > 0
    assert reports.count_wanted(world.session, world.now, {ids["lcb-repair"]}) == 0
    world.aggregate()
    assert {protocol for kind, protocol in due() if kind == "contamination"} == {ids["lcb"]}
    assert reports.count_wanted(world.session, world.now, set(ids.values())) == 0
    row = evidence.report(world.session, "contamination", ids["lcb"])
    assert row is not None
    assert [model["model"] for model in row.body["models"]] == ["a", "c"]
    edit_cutoff(world.session, "b", CutoffFacts(date(2026, 1, 31), "https://example.com/b"), "its card", world.now)
    assert {protocol for kind, protocol in due() if kind == "contamination"} == {ids["lcb-repair"]}
