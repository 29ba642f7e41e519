"""No model is clean for want of a date, and no vendor says alone until when its model was trained."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from typing import Any

import httpx
import pytest
from fakes.model_server import ModelServer
from served import NO_AUTHORITIES
from sqlalchemy import select, update
from support.commands import tidemark
from support.vendors import Maintainer, Vendor, rows_of, settle

from app.db.tables import AuditEntry, CutoffEdit, Declaration, LedgerEntry, Model
from workers.context import Context, now

pytestmark = pytest.mark.usefixtures("published")

CARD = "https://example.com/orion-card"
LONG_AGO = "2001-01-01"


def measured(ctx: Context, vendor: Vendor, url: str, slug: str = "orion", **said: Any) -> dict[str, Any]:
    """A vendor's model with what it says of itself, asked and judged over problems that were published before."""
    [told] = all_measured(ctx, vendor, url, {slug: said}).values()
    return told


def all_measured(
    ctx: Context, vendor: Vendor, url: str, said: dict[str, dict[str, Any]], made_before: timedelta = timedelta()
) -> dict[str, dict[str, Any]]:
    """Each of these models, made so long before it was ordered, and what its vendor was told of it."""
    told = dict[str, dict[str, Any]]()
    for slug, words in said.items():
        answer = vendor.post("/models", {"slug": slug, "name": slug.title()} | words)
        assert answer.status_code == 201, answer.text
        told[slug] = answer.json()
    with ctx.sessions.begin() as session:
        session.execute(update(Model).values(created_at=Model.created_at - made_before))
    endpoints = [vendor.endpoint(url, slug) for slug in said]
    for endpoint in endpoints:
        vendor.submit(endpoint)
    settle(ctx, *endpoints)
    return told


def row(url: str, slug: str = "orion") -> dict[str, Any]:
    """The model's row on the board."""
    return dict(rows_of(url)[slug])


def registered() -> dict[str, Any]:
    return {"date": now().date().isoformat(), "basis": "registered"}


def waiting(ctx: Context) -> list[int]:
    with ctx.sessions() as session:
        return list(session.scalars(select(Declaration.id).where(Declaration.state == "waiting")))


def test_who_says_nothing_or_says_it_alone_has_no_rank_on_problems_from_before(
    ctx: Context, url: str, vendor: Vendor, server: ModelServer
) -> None:
    """Neither the table of known models dates a vendor's model, nor the day on which it was made: its order does."""
    said: dict[str, dict[str, Any]] = {
        "nothing": {},
        "gpt-3-5-turbo-0301": {},
        "date": {"cutoff": {"date": LONG_AGO}},
        "release": {"released_on": LONG_AGO},
        "address": {
            "released_on": LONG_AGO,
            "cutoff": {"date": LONG_AGO, "evidence_url": CARD},
            "link": "https://example.com/",
        },
    }
    told, rows = all_measured(ctx, vendor, server.url, said, timedelta(days=2000)), rows_of(url)
    for slug, words in said.items():
        found = rows[slug]
        assert (found["rank"], found["exposed"], found["score"]) == (None, 2, 100.0), slug
        assert found["cutoff"] == registered(), slug
        assert told[slug]["cutoff"] == registered() | {"evidence": None}, slug
        assert (told[slug]["waiting"] is not None) == bool(words), slug
    with httpx.Client(base_url=url, timeout=60, verify=NO_AUTHORITIES) as client:
        [run] = client.get("/api/v1/models/nothing").json()["runs"]
        assert {cell["exposed"] for cell in run["cells"]} == {True}
    done = tidemark(ctx.settings, "export", "cells")
    assert done.exit_code == 0, done.output
    exported = done.stdout.splitlines()
    assert {json.loads(line)["cutoff_on"] for line in exported} == {registered()["date"]}


def test_white_space_is_no_evidence(ctx: Context, url: str, vendor: Vendor, server: ModelServer) -> None:
    cutoffs = [
        {"date": LONG_AGO, "evidence_url": evidence}
        for evidence in (" ", "\t\n", "https://   /", "https://%20/", "https://\u2000/", "", "card", 7)
    ]
    for cutoff in cutoffs:
        said = vendor.post("/models", {"slug": "orion", "name": "Orion", "cutoff": cutoff})
        assert said.status_code == 422, cutoff
    measured(ctx, vendor, server.url)
    for cutoff in cutoffs:
        assert vendor.post("/models/orion/cutoff", {"cutoff": cutoff}).status_code == 422, cutoff
    assert row(url)["cutoff"] == registered()
    assert waiting(ctx) == []


def test_what_nobody_can_look_at_is_accepted_by_nobody(
    ctx: Context, url: str, vendor: Vendor, server: ModelServer
) -> None:
    evidence = {"none": None, "host": "http://localhost/card", "net": "https://10.1.2.3/card", "bare": "https://card/"}
    all_measured(
        ctx, vendor, server.url,
        {slug: {"cutoff": {"date": LONG_AGO, "evidence_url": each}} for slug, each in evidence.items()},
    )  # fmt: skip
    ada, declared = Maintainer(ctx, url, "ada@example.org"), waiting(ctx)
    assert len(declared) == ada.page().count("no public evidence") == len(evidence)
    for number in declared:
        assert "has no public evidence" in ada.decide("cutoff.accept", number).text
    rows = rows_of(url)
    assert [rows[slug]["cutoff"] for slug in evidence] == [registered()] * len(evidence)
    assert waiting(ctx) == declared
    for number in declared:
        ada.decide("cutoff.refuse", number, reason="nobody can read that")
    assert waiting(ctx) == []
    assert {each["rank"] for each in rows_of(url).values()} == {None}


def test_a_vendor_accepts_nothing_of_its_own(ctx: Context, url: str, vendor: Vendor, server: ModelServer) -> None:
    """Neither with its key, nor through a maintainer who belongs to it, nor with another's form."""
    measured(ctx, vendor, server.url, cutoff={"date": LONG_AGO, "evidence_url": CARD})
    [number] = waiting(ctx)
    form = {"action": "cutoff.accept", "subject": str(number), "reason": "ours", "csrf": "x"}
    with httpx.Client(base_url=url, timeout=60, verify=NO_AUTHORITIES) as client:
        assert client.get("/en/ops/cutoffs").status_code == 401
        assert client.post("/en/ops/act", data=form).status_code == 401
        assert "no maintainer has accepted this yet" in client.get("/en/models/orion").text
        assert "尚未被维护者接受" in client.get("/zh/models/orion").text
        client.headers["Authorization"] = f"Bearer {vendor.key}"
        assert client.post("/en/ops/act", data=form).status_code == 401
    grace = Maintainer(ctx, url, "grace@example.org", "acme")
    assert "your own organisation" in grace.page()
    assert f'value="{number}"' not in grace.page(), "there is nothing to choose"
    for action in ("cutoff.accept", "cutoff.refuse"):
        assert "another maintainer must decide" in grace.decide(action, number).text
    assert grace.decide("cutoff.accept", number, csrf="another's").status_code == 403
    assert waiting(ctx) == [number]
    assert row(url)["cutoff"] == registered()
    ada = Maintainer(ctx, url, "ada@example.org")
    assert "厂商声明的训练截止日期" in ada.page("/zh/ops/cutoffs")
    assert ada.decide("cutoff.accept", number, reason=" ").status_code == 422, "a reason is kept"
    ada.decide("cutoff.accept", number)
    assert (row(url)["rank"], row(url)["cutoff"]) == (1, {"date": LONG_AGO, "basis": "declared"})
    assert "has already been decided" in ada.decide("cutoff.refuse", number).text


def test_a_date_that_is_changed_after_results_are_known_waits_and_is_told_with_before_and_after(
    ctx: Context, url: str, vendor: Vendor, server: ModelServer
) -> None:
    measured(ctx, vendor, server.url, cutoff={"date": "2026-03-05", "evidence_url": CARD})
    ada = Maintainer(ctx, url, "ada@example.org")
    ada.decide("cutoff.accept", waiting(ctx)[0])
    assert (row(url)["exposed"], row(url)["rank"]) == (1, None)
    earlier = {"cutoff": {"date": "2026-02-01", "evidence_url": CARD}}
    assert vendor.post("/models", {"slug": "orion", "name": "Orion"} | earlier).status_code == 409
    with ctx.sessions() as session:
        edits = len(session.scalars(select(CutoffEdit.id)).all())
    for _twice in range(2):
        answer = vendor.post("/models/orion/cutoff", earlier)
        assert (answer.status_code, answer.json()["cutoff"]["date"]) == (200, "2026-03-05")
    [number] = waiting(ctx)
    with ctx.sessions() as session:
        assert len(session.scalars(select(CutoffEdit.id)).all()) == edits, "nothing has changed yet"
    assert (row(url)["exposed"], row(url)["rank"]) == (1, None)
    ada.decide("cutoff.accept", number, reason="its card was wrong")
    assert (row(url)["exposed"], row(url)["rank"]) == (0, 1)
    with ctx.sessions() as session:
        line = session.scalars(select(LedgerEntry).where(LedgerEntry.kind == "model.cutoff")).all()[-1]
        assert (line.subject, line.reason) == ("orion", "its card was wrong")
        assert line.before == {"date": "2026-03-05", "basis": "declared", "evidence": CARD}
        assert line.after == {"date": "2026-02-01", "basis": "declared", "evidence": CARD}
        edit = session.scalars(select(CutoffEdit).order_by(CutoffEdit.id)).all()[-1]
        assert (edit.old_on, edit.new_on, edit.actor) == (date(2026, 3, 5), date(2026, 2, 1), "ada@example.org")
        actions = session.scalars(select(AuditEntry.action).where(AuditEntry.subject == "orion")).all()
        assert [each for each in actions if each.startswith("cutoff.")] == [
            "cutoff.declared", "cutoff.accepted", "cutoff.declared", "cutoff.declared", "cutoff.accepted",
        ]  # fmt: skip
    with httpx.Client(base_url=url, timeout=60, verify=NO_AUTHORITIES) as client:
        assert "2026-03-05 → 2026-02-01" in client.get("/en/changes", params={"kind": "model.cutoff"}).text
        assert "2026-03-05 → 2026-02-01" in client.get("/en/models/orion").text


def test_only_the_owner_declares(ctx: Context, vendor: Vendor, url: str) -> None:
    vendor.post("/models", {"slug": "orion", "name": "Orion"})
    body = {"cutoff": {"date": LONG_AGO, "evidence_url": CARD}}
    assert Vendor(ctx, url, "zenith").post("/models/orion/cutoff", body).status_code == 404
    assert waiting(ctx) == []
    late = {"cutoff": {"date": (now() + timedelta(days=900)).date().isoformat(), "evidence_url": CARD}}
    assert vendor.post("/models/orion/cutoff", late).status_code == 422


def test_of_declarations_that_come_at_once_one_waits(ctx: Context, vendor: Vendor) -> None:
    vendor.post("/models", {"slug": "orion", "name": "Orion"})
    bodies = [{"cutoff": {"date": f"2025-0{month}-01", "evidence_url": CARD}} for month in range(1, 7)]
    with ThreadPoolExecutor(len(bodies)) as pool:
        answers = list(pool.map(lambda body: vendor.post("/models/orion/cutoff", body), bodies))
    assert {answer.status_code for answer in answers} == {200}
    assert len(waiting(ctx)) == 1
