"""Disputes: a vendor disputes what concerns its own models, a maintainer answers, and the public reads the outcome."""

from typing import Any

import pytest
from fakes.model_server import ModelServer
from sqlalchemy import select
from support.vendors import Maintainer, Vendor, publish, settle, solves

from app.db.tables import Sample
from workers.context import Context

TEXT = "The second test expects an answer that the statement does not allow."


@pytest.fixture
def maintainer(ctx: Context, url: str) -> Maintainer:
    return Maintainer(ctx, url, "ada@example.org")


@pytest.fixture
def sample(ctx: Context, vendor: Vendor) -> int:
    """A judged sample of the vendor's published order."""
    publish(ctx)
    vendor.model()
    with ModelServer(solves) as server:
        endpoint = vendor.endpoint(server.url)
        vendor.submit(endpoint)
        settle(ctx, endpoint)
    with ctx.sessions() as session:
        return session.scalars(select(Sample.id).order_by(Sample.id)).first() or 0


def opened(vendor: Vendor, **fields: Any) -> str:
    answer = vendor.post("/disputes", {"text": TEXT} | fields)
    assert answer.status_code == 201, answer.text
    assert answer.json()["state"] == "open"
    return str(answer.json()["id"])


def answered(maintainer: Maintainer, action: str) -> None:
    page = maintainer.page("/en/ops/quarantine")
    assert TEXT in page
    number = page.partition('name="subject" value="')[2].partition('"')[0]
    assert maintainer.decide(action, number, "the statement allows both").status_code == 200


def ledger(maintainer: Maintainer) -> list[Any]:
    lines = maintainer.client.get("/api/v1/ledger").json()["data"]
    return [line for line in lines if line["kind"] == "model.dispute"]


def test_the_public_reads_what_became_of_a_disputed_verdict(
    vendor: Vendor, maintainer: Maintainer, sample: int
) -> None:
    dispute = opened(vendor, about="verdict", sample=sample)
    answered(maintainer, "dispute.uphold")
    found = vendor.get(f"/disputes/{dispute}")
    assert (found["state"], found["answer"], found["model"]) == ("upheld", "the statement allows both", "orion")
    [line] = ledger(maintainer)
    assert (line["subject"], line["reason"], line["after"]) == ("orion", found["answer"], {"state": "upheld"})
    assert line["before"] == {"about": "verdict", "sample": sample, "text": TEXT}
    assert vendor.get("/events")["data"][-1]["type"] == "dispute.answered"
    assert "the statement allows both" in maintainer.page("/en/changes")


@pytest.mark.parametrize("about", ["cutoff", "exposure"])
def test_nobody_else_reads_a_dispute_of_a_model_that_is_not_public(
    vendor: Vendor, maintainer: Maintainer, about: str
) -> None:
    vendor.model()
    opened(vendor, about=about, model="orion", evidence_url="https://example.com/card")
    answered(maintainer, "dispute.reject")
    assert [each["state"] for each in vendor.get("/disputes")["data"]] == ["rejected"]
    assert ledger(maintainer) == []


def test_a_dispute_is_about_ones_own(ctx: Context, url: str, vendor: Vendor, sample: int) -> None:
    other = Vendor(ctx, url, "other")
    with other.client:
        for fields in ({"about": "verdict", "sample": sample}, {"about": "cutoff", "model": "orion"}):
            assert other.post("/disputes", {"text": TEXT} | fields).status_code == 404
        dispute = opened(vendor, about="verdict", sample=sample)
        assert other.client.get(f"/disputes/{dispute}").status_code == 404
        assert other.get("/disputes")["data"] == []


def test_who_belongs_to_the_organisation_does_not_answer(ctx: Context, url: str, vendor: Vendor) -> None:
    vendor.model()
    dispute = opened(vendor, about="cutoff", model="orion")
    member = Maintainer(ctx, url, "bob@example.org", member_of="acme")
    answered(member, "dispute.uphold")
    assert vendor.get(f"/disputes/{dispute}")["state"] == "open"


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"about": "verdict", "model": "orion"}, "/sample"), ({"about": "cutoff", "sample": 1}, "/sample"),
        ({"about": "cutoff"}, "/model"), ({"about": "taste", "model": "orion"}, "/about"),
        ({"about": "cutoff", "model": "orion", "text": "  short  "}, "/text"),
        ({"about": "cutoff", "model": "orion", "text": "hidden \u202e direction of it"}, "/text"),
    ],
)  # fmt: skip
def test_what_cannot_be_disputed_is_refused(vendor: Vendor, fields: dict[str, Any], pointer: str) -> None:
    answer = vendor.post("/disputes", {"text": TEXT} | fields)
    assert answer.status_code == 422
    assert pointer in {error["pointer"] for error in answer.json()["errors"]}
