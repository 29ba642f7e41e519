"""A planted leak is found; what was found is public once a maintainer has signed it, for the data it was signed for."""

import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import httpx
import pytest
from api.test_contamination_api import AFTER, BEFORE, CUTOFF, MODELS, fill, make_report, sign_all
from factories import World
from sqlalchemy import Connection, func, select, update
from support.servers import rolled_back
from support.signing_in import sign_in

from app.db.kernel.session import Engine, Session, SessionMaker
from app.db.tables import (
    AuditEntry,
    ImportedResult,
    LedgerEntry,
    Model,
    Organisation,
    Problem,
    ReportRow,
    Run,
    Signature,
)
from app.domain.asking.protocols import LCB
from app.domain.errors import Conflict
from app.domain.states import RunOrigin
from app.services.boards.cubes import CubeStore
from app.services.evidence import reports, signing
from app.services.operations.access import issue_login_link
from app.services.operations.maintenance import Action, ActionOutcome, ActionRequest, carry_out

WORDS = {"en": "Consistent with exposure before the cutoff", "zh": "与截止前见过题目的情形相符"}
WAITS = {"en": "waits for a maintainer’s signature", "zh": "等待维护者签署"}
_COLUMNS = [column.name for column in ImportedResult.__table__.columns]
# What a result is made of, beside words.
_PARTS = ('"drop": {', '"drop":{', '"evidence": true', '"evidence":true', '"beta"', '"placebo"', 'change_point": {')


FILES = replace(LCB, slug="files")


@pytest.fixture(scope="module")
def reported(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    """Where a model is evidence, and nothing signed."""
    with engine.connect() as connection, rolled_back(connection) as sessions:
        with sessions() as session:
            world = World(session, protocol=FILES)
            fill(world)
            make_report(world, tmp_path_factory.mktemp("cubes"))
            session.commit()
        yield connection


@pytest.fixture
def sessions(reported: Connection) -> Iterator[SessionMaker]:
    with rolled_back(reported) as made:
        yield made


@pytest.fixture
def tested(session: Session) -> World:
    """That world, of each test's own."""
    return World(session, protocol=FILES)


def _row(client: httpx.Client) -> dict[str, object]:
    body = client.get("/api/v1/contamination", params={"protocol": "files"}).json()
    return next(row for row in body["models"] if row["model"] == "model-0")


def _public(client: httpx.Client) -> dict[str, str]:
    """Everything public that could tell of a result, by address."""
    paths = ["/api/v1/contamination?protocol=files", "/api/v1/models/model-0", "/api/v1/ledger", "/feeds/changes.json",
             "/metrics", "/api/v1/boards/codegen?protocol=files"]  # fmt: skip
    for locale in ("en", "zh"):
        names = ("contamination?protocol=files", "models/model-0", "?protocol=files", "changes", "status")
        paths += [f"/{locale}/{name}" for name in names]
    answers = {path: client.get(path) for path in paths}
    assert {answer.status_code for answer in answers.values()} == {200}
    bundle = client.get("/api/v1/boards/codegen.zip", params={"protocol": "files"})
    assert bundle.status_code == 200
    with zipfile.ZipFile(io.BytesIO(bundle.content)) as packed:
        files = {name: packed.read(name).decode("utf-8", "replace") for name in packed.namelist()}
    return {path: answer.text for path, answer in answers.items()} | files


def _one_more_pass(world: World, folder: Path, after: timedelta) -> None:
    """Other data: one answer of the tested model is right that was wrong, and the report is made again."""
    early = select(Problem.id).where(Problem.released_on < CUTOFF - timedelta(days=30))
    rows = world.session.scalars(
        select(ImportedResult)
        .join(Run, Run.id == ImportedResult.run_id)
        .where(Run.id == signing.results_to_sign(world.session)[0].row["run"], ImportedResult.c < 10)
        .where(ImportedResult.problem_id.in_(early))
        .order_by(ImportedResult.problem_id)
    ).all()
    kept = rows[0]
    world.session.delete(kept)
    world.session.flush()
    values = {name: getattr(kept, name) for name in _COLUMNS if name != "id"}
    world.session.add(ImportedResult(**{**values, "c": kept.c + 1}))
    world.session.flush()
    world.count()
    world.now = world.now + after
    make_report(world, folder)
    world.session.commit()


def sign_one(world: World, subject: str, action: Action = Action.CONTAMINATION_SIGN) -> ActionOutcome:
    """Sign what a subject names, as a form does."""
    made = carry_out(world.session, ActionRequest(action, (subject,), "because"), "ada@example.org", world.now)
    world.session.commit()
    return made


def test_a_planted_leak_is_found_and_worded_with_care(tested: World, client: httpx.Client, tmp_path: Path) -> None:
    world = tested
    assert reports.claim_due_report(world.session, CubeStore(tmp_path / "other"), world.now) is None, (
        "nothing has changed"
    )
    assert sign_all(world).done == 1
    found = client.get("/api/v1/contamination", params={"protocol": "files"}).json()
    first, *others = sorted(found["models"], key=lambda row: row["cutoff"]["date"], reverse=True)
    assert first["model"] == "model-0"
    assert (first["pooled"]["evidence"], first["pooled"]["finding"]) == (True, "evidence")
    assert first["pooled"]["drop"]["effect"] > 5
    assert first["pooled"]["drop"]["lo"] > 0
    assert first["pooled"]["drop"]["q"] < 0.05
    assert first["platforms"]["atcoder"]["status"] == "assessed"
    assert (first["review"], first["tested_at"]) == ("signed", world.now.isoformat())
    assert {row["pooled"]["reason"] for row in others} == {"few_pre"}
    assert {row["review"] for row in others} == {"none"}
    assert sum(month["n"] for month in first["months"]) == BEFORE + AFTER
    assert first["months_by_platform"] == {}, "all of one platform"
    assert json.dumps(found, allow_nan=False)
    page = client.get("/en/contamination")
    assert page.status_code == 200
    assert WORDS["en"] in page.text
    assert f"Of {len(found['models'])} rows, 1 has enough data for the test; 1 show a drop" in page.text
    assert "Too little data: 0 of 100 older problems" in page.text
    raw = first["pooled"]["raw"]
    assert raw["mean"] == pytest.approx(first["pooled"]["rate_pre"] - first["pooled"]["rate_post"])
    assert raw["lo"] < raw["mean"] < raw["hi"]
    assert f'{raw["mean"]:+.1f}</span> <small class="nowrap">[{raw["lo"]:+.1f}, {raw["hi"]:+.1f}]' in page.text
    for word in ("cheat", "is clean", "contaminated model"):
        assert word not in page.text.lower()
    assert WORDS["zh"] in client.get("/zh/contamination").text


def test_months_are_shown_by_platform_where_there_are_several(
    tested: World, client: httpx.Client, tmp_path: Path
) -> None:
    world = tested
    run = world.run("elsewhere", origin=RunOrigin.IMPORTED)
    for month, passed in ((1, 3), (2, 7), (2, 5)):
        problem = world.problem(f"c{month}{passed}", day=date(2025, month, 9), source="codeforces")
        world.imported(run, problem, 10, passed)
    world.count()
    world.now += timedelta(days=1)
    make_report(world, tmp_path / "cubes")
    world.session.commit()
    found = client.get("/api/v1/contamination", params={"protocol": "files"}).json()
    rows = {row["model"]: row["months_by_platform"] for row in found["models"]}
    shown = [(month["first"], month["n"], month["score"]) for month in rows["elsewhere"]["codeforces"]]
    assert shown == [("2025-01-01", 1, pytest.approx(30)), ("2025-02-01", 2, pytest.approx(60))]
    assert (rows["elsewhere"]["atcoder"], rows["model-0"]["codeforces"]) == ([], [])
    assert sum(month["n"] for month in rows["model-0"]["atcoder"]) == BEFORE + AFTER
    page = client.get("/en/contamination?protocol=files").text
    assert page.count("<summary>By platform</summary>") == MODELS + 1
    assert "Score of Elsewhere, codeforces by month of release" in page


def test_models_of_whom_no_cutoff_is_known_are_no_controls(tested: World, tmp_path: Path) -> None:
    world = tested
    for released, controls in ((0, 13), (5, 8), (6, 7)):
        unknown = [f"model-{MODELS - place}" for place in range(1, released + 1)]
        known = {"cutoff_on": None, "cutoff_evidence": None, "released_on": date(2020, 1, 1)}
        if released:
            world.session.execute(update(Model).where(Model.slug.in_(unknown)).values(known))
            world.count()
            world.now += timedelta(days=1)
            make_report(world, tmp_path / "cubes")
        body = world.session.scalars(select(ReportRow.body).where(ReportRow.kind == "contamination")).one()
        rows = {row["model"]: row["pooled"] for row in body["models"]}
        assert rows["model-0"]["controls"] == controls
        assert rows["model-0"]["reason"] == ("few_controls" if controls < 8 else None)
        assert [rows[slug]["reason"] for slug in unknown] == ["no_cutoff"] * released


def test_before_it_is_signed_nothing_of_it_is_public(tested: World, client: httpx.Client) -> None:
    for path, text in _public(client).items():
        for words in (*WORDS.values(), *_PARTS):
            assert words not in text, (path, words)
    row = _row(client)
    assert (row["review"], row["pooled"], row["platforms"], row["change_point"], row["tested_at"]) == (
        "waiting", None, {}, None, None,
    )  # fmt: skip
    assert "data" not in row
    for locale, words in WAITS.items():
        assert words in client.get(f"/{locale}/contamination?protocol=files").text
    assert "Contamination test:" not in client.get("/en/models/model-0").text
    assert sign_all(tested).done == 1
    assert _row(client)["review"] == "signed"
    for locale, words in WORDS.items():
        assert words in client.get(f"/{locale}/contamination?protocol=files").text
        assert words in client.get(f"/{locale}/models/model-0").text


def test_where_a_row_stands_among_others_tells_nothing_before_it_is_signed(tested: World, client: httpx.Client) -> None:
    def places() -> list[str]:
        text = client.get("/en/contamination?protocol=files").text
        return sorted((f"model-{n}" for n in range(14)), key=lambda slug: text.index(f'/models/{slug}"'))

    assert places() == sorted(places())
    sign_all(tested)
    assert places()[0] == "model-0"


def test_signing_is_on_record_with_its_reason_for_everybody(tested: World, client: httpx.Client) -> None:
    assert sign_all(tested).done == 1
    again = sign_all(tested)
    assert (again.done, again.refused) == (0, ("the result of model-0 is signed already",))
    [audit] = tested.session.scalars(select(AuditEntry).where(AuditEntry.action == "contamination.sign"))
    assert (audit.actor, audit.subject, audit.reason) == ("ada@example.org", "model-0 (files)", "checked by hand")
    [line] = tested.session.scalars(select(LedgerEntry).where(LedgerEntry.kind == "model.contamination"))
    assert (line.subject, line.reason, line.before) == ("model-0", "checked by hand", None)
    assert line.after is not None
    drop = _row(client)["pooled"]["drop"]  # type: ignore[index]  # it is signed
    assert line.after["found"]["all"] == {
        "finding": "evidence",
        **{name: drop[name] for name in ("effect", "lo", "hi", "q")},
    }
    assert "contamination test" in client.get("/en/changes").text
    assert "数据污染检验" in client.get("/zh/changes").text


def test_new_data_ask_again_and_what_speaks_against_a_model_goes(
    tested: World, client: httpx.Client, tmp_path: Path
) -> None:
    sign_all(tested)
    [signed] = signing.results_to_sign(tested.session)
    _one_more_pass(tested, tmp_path / "cubes", timedelta(days=1))
    [now] = signing.results_to_sign(tested.session)
    assert now.subject != signed.subject
    assert (now.review, now.row["pooled"]["finding"]) == ("waiting", "evidence")
    row = _row(client)
    assert (row["review"], row["pooled"]) == ("waiting", None)
    assert WORDS["en"] not in client.get("/en/models/model-0").text
    made = sign_one(tested, signed.subject)
    assert made.done == 0
    assert "newer data" in made.refused[0], "a signature of what was seen is none of what came since"
    assert _row(client)["review"] == "waiting"
    assert tested.session.scalars(select(func.count()).select_from(Signature)).one() == 1
    assert sign_all(tested).done == 1
    assert _row(client)["tested_at"] == tested.now.isoformat()
    lines = tested.session.scalars(
        select(LedgerEntry).where(LedgerEntry.kind == "model.contamination").order_by(LedgerEntry.id)
    ).all()
    assert lines[1].before == lines[0].after
    assert lines[1].after != lines[0].after


def test_the_same_data_ask_nobody_again(tested: World, client: httpx.Client, tmp_path: Path) -> None:
    sign_all(tested)
    first = _row(client)
    stranger = tested.run("stranger", organisation_name="Elsewhere")  # of whom no cutoff is known
    tested.imported(stranger, tested.session.scalars(select(Problem)).first(), 1, 1)  # type: ignore[arg-type]
    tested.count()
    tested.now = tested.now + timedelta(days=1)
    make_report(tested, tmp_path / "cubes")
    tested.session.commit()
    assert (
        tested.session.scalars(select(ReportRow.made_at).where(ReportRow.kind == "contamination")).one() == tested.now
    )
    assert _row(client) == first


def test_what_was_not_found_cannot_be_signed(tested: World) -> None:
    for subject in ("0:", "x:y", ":", "99999999999999999999:a", "1\x00:a"):
        for action in (Action.CONTAMINATION_SIGN, Action.CONTAMINATION_RETRACT):
            assert sign_one(tested, subject, action).refused == ("there is no such result",), (subject, action)


def test_a_model_that_cannot_be_assessed_has_nothing_to_sign(tested: World) -> None:
    body = tested.session.scalars(select(ReportRow.body).where(ReportRow.kind == "contamination")).one()
    row = next(row for row in body["models"] if row["model"] == "model-3")
    assert sign_one(tested, f"{row['run']}:{row['data']}").refused == ("model-3 has no result to sign",)


def test_a_signature_can_be_taken_back(tested: World, client: httpx.Client) -> None:
    none_yet = sign_all(tested, Action.CONTAMINATION_RETRACT)
    assert none_yet.refused == ("no result of model-0 is signed",)
    assert signing.count_unsigned(tested.session) == 1
    sign_all(tested)
    assert signing.count_unsigned(tested.session) == 0
    assert sign_all(tested, Action.CONTAMINATION_RETRACT).done == 1
    assert sign_all(tested, Action.CONTAMINATION_RETRACT).refused == none_yet.refused
    assert (_row(client)["review"], _row(client)["pooled"]) == ("waiting", None)
    lines = tested.session.scalars(
        select(LedgerEntry).where(LedgerEntry.kind == "model.contamination").order_by(LedgerEntry.id)
    ).all()
    assert (lines[1].before, lines[1].after) == (lines[0].after, None)
    assert sign_all(tested).done == 1
    assert _row(client)["review"] == "signed"


def test_what_does_not_speak_against_a_model_stays_with_its_date(
    tested: World, client: httpx.Client, tmp_path: Path
) -> None:
    stored = tested.session.scalars(select(ReportRow.body).where(ReportRow.kind == "contamination")).one()
    body = json.loads(json.dumps(stored))
    row = next(row for row in body["models"] if row["model"] == "model-0")
    for part in (row["pooled"], *row["platforms"].values()):
        part |= {"finding": "no_evidence", "evidence": False}
    tested.session.execute(update(ReportRow).where(ReportRow.kind == "contamination").values(body=body))
    tested.session.commit()
    assert sign_all(tested).done == 1
    was = tested.now
    _one_more_pass(tested, tmp_path / "cubes", timedelta(days=1))
    shown = _row(client)
    assert (shown["review"], shown["tested_at"]) == ("older", was.isoformat())
    assert shown["pooled"]["finding"] == "no_evidence"  # type: ignore[index]  # it is signed
    [entry] = signing.results_to_sign(tested.session)
    assert (entry.review, entry.row["pooled"]["finding"]) == ("older", "evidence")
    assert WORDS["en"] not in client.get("/en/contamination?protocol=files").text


def test_a_maintainer_signs_on_the_page(tested: World, client: httpx.Client) -> None:
    assert client.get("/en/ops/contamination").status_code == 401
    sign_in(tested, client)
    for locale, words in WORDS.items():
        page = client.get(f"/{locale}/ops/contamination").text
        assert words in page
        assert 'name="subject"' in page
        assert {"en": "of the step in logits is left", "zh": "以 logit 计，落差还剩"}[locale] in page
    assert "Contamination results to sign" in client.get("/en/ops").text
    csrf = page.split('name="csrf" value="')[1].split('"')[0]
    [entry] = signing.results_to_sign(tested.session)
    form = {"csrf": csrf, "back": "/ops/contamination", "action": "contamination.sign", "subject": entry.subject}
    assert client.post("/zh/ops/act", data=form).status_code == 422, "a reason is asked for"
    assert client.post("/zh/ops/act", data={**form, "reason": "seen", "csrf": "x"}).status_code == 403
    done = client.post("/zh/ops/act", data={**form, "reason": "seen"}, follow_redirects=False)
    assert (done.status_code, done.headers["location"]) == (303, "/zh/ops/contamination?done=1")
    assert "已签署" in client.get("/zh/ops/contamination").text
    assert _row(client)["review"] == "signed"
    assert tested.session.scalars(select(Signature.signed_by)).one() == "maintainer@localhost"


@pytest.mark.parametrize("tie", ["registered it", "goes by its name"])
def test_nobody_signs_for_or_against_a_model_of_their_own_organisation(
    tested: World, client: httpx.Client, tie: str
) -> None:
    acme = Organisation(slug="acme", name="ACME  Labs")
    tested.session.add(acme)
    tested.session.flush()
    model = tested.session.scalars(select(Model).where(Model.slug == "model-0")).one()
    if tie == "registered it":
        model.organisation_id = acme.id
    else:
        model.organisation_name = " Acme labs"
    issue_login_link(tested.session, tested.now, "ada@example.org", "acme")
    tested.session.commit()
    [entry] = signing.results_to_sign(tested.session)
    assert "another maintainer must decide" in sign_one(tested, entry.subject).refused[0]
    for alone in (signing.sign, signing.retract):  # not by the page alone, which also refuses whoever has rows
        with pytest.raises(Conflict, match="you belong to the organisation of model-0"):
            alone(tested.session, entry.subject, "because", tested.now, "ada@example.org")
    assert _row(client)["review"] == "waiting"
    issue_login_link(tested.session, tested.now, "bo@example.org")
    tested.session.commit()
    order = ActionRequest(Action.CONTAMINATION_SIGN, (entry.subject,), "because")
    assert carry_out(tested.session, order, "bo@example.org", tested.now).done == 1
    tested.session.commit()
    assert "another maintainer must decide" in sign_one(tested, entry.subject, Action.CONTAMINATION_RETRACT).refused[0]
    assert _row(client)["review"] == "signed"
