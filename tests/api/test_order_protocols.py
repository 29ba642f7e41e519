"""Which protocols vendors may order runs under: the shipped ones, and those that maintainers opened."""

from dataclasses import replace

import pytest
from fakes.model_server import ModelServer
from sqlalchemy import select
from support.commands import tidemark
from support.vendors import Vendor, infer, right

from app.db.runs import runs as run_store
from app.db.tables import AuditEntry, ProtocolRow, Run
from app.domain.asking.protocols import FRESH
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.services.runs import plan
from app.services.runs.control import protocols
from workers import tasks
from workers.context import Context, now

pytestmark = pytest.mark.usefixtures("published")

COLD = replace(FRESH, slug="fresh-cold", title="Cold", sampling=replace(FRESH.sampling, temperature=0.0))


def test_an_operators_protocol_is_ordered_once_it_is_open(ctx: Context, vendor: Vendor) -> None:
    ctx.commit(protocols.add, COLD, "a colder one", now())
    with ModelServer(right) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url)
        order = {"endpoint": endpoint, "protocol": "fresh-cold", "continuous": True}
        refused = vendor.post("/submissions", order)
        assert refused.status_code == 422
        assert "fresh, " in refused.text
        assert "fresh-cold," not in refused.text, "it does not accept any"
        ctx.commit(protocols.open_to_submissions, "fresh-cold", "vendors asked for it", now())
        submission = vendor.submit(endpoint, protocol="fresh-cold")
        tasks.sweep()
        infer(ctx, endpoint)
        assert {each.json["temperature"] for each in server.asked} == {0.0}
        ctx.commit(protocols.open_to_submissions, "fresh-cold", "enough", now(), orderable=False)
        assert vendor.post("/submissions", order).status_code == 422
    assert vendor.state(submission)["progress"]["generated"] == 3, "an order that there is goes on"
    with ctx.sessions() as session:
        rows = session.scalars(select(ProtocolRow.slug).join(Run, Run.protocol_id == ProtocolRow.id)).all()
        audited = session.scalars(select(AuditEntry.reason).where(AuditEntry.action == "protocol.orders")).all()
    assert (rows, audited) == (["fresh-cold"], ["vendors asked for it", "enough"])


def test_a_later_revision_of_an_open_protocol_is_open(ctx: Context, vendor: Vendor) -> None:
    """As where a new version of this program asks otherwise."""
    old = replace(COLD, prompt_revision=0)
    ctx.commit(protocols.add, old, "before the update", now())
    ctx.commit(protocols.open_to_submissions, "fresh-cold", "vendors asked for it", now())
    ctx.commit(plan.ensure_protocols)
    with ctx.sessions() as session:
        kept = {row.slug: row.orderable for row in session.scalars(select(ProtocolRow)) if "cold" in row.slug}
    assert len(kept) == 2
    assert kept["fresh-cold"]


def test_what_cannot_be_opened_is_refused(ctx: Context) -> None:
    ctx.commit(run_store.ensure_protocol, replace(COLD, slug="later", prerequisite="fresh"))
    for slug, kind in (("fresh", Conflict), ("nothing", NotFound), ("lcb", NotFound), ("later", InvalidInput)):
        done = tidemark(ctx.settings, "protocol", "orders", slug, "--reason", "why not")
        assert isinstance(done.exception, kind), slug


def test_the_verb_opens_and_closes(ctx: Context) -> None:
    ctx.commit(protocols.add, COLD, "a colder one", now())
    words = ("protocol", "orders", "fresh-cold", "--reason", "vendors asked")
    assert tidemark(ctx.settings, *words).stdout == "fresh-cold: vendors may submit runs under it\n"
    with ctx.sessions() as session:
        lines = {line.protocol.slug: line.orderable for line in protocols.protocols(session)}
    assert lines["fresh"]
    assert lines["fresh-cold"]
    assert (
        tidemark(ctx.settings, *words, "--close").stdout == "fresh-cold: vendors may no longer submit runs under it\n"
    )
