"""What an answer cost on its day: by the price of the moment at which it was asked, however prices change."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal

import pytest
from pipeline.flow import LEASE, NOW, VAULT, completion, offer
from sqlalchemy import select
from support.batches import batch, problem
from support.commands import tidemark

from app.config import Settings
from app.db.tables import PriceRow, Sample
from app.domain.asking.completions import AnsweredSample
from app.domain.asking.protocols import HOUSE
from app.domain.errors import NotFound
from app.services.runs import imports, inference, plan
from workers.context import Context, leave, make_context, use

LATER = NOW + timedelta(seconds=10)


@pytest.fixture
def ctx(settings: Settings) -> Iterator[Context]:
    made = use(make_context(settings))
    made.commit(imports.store_batch, batch(problem(0), problem(1)), NOW)
    yield made
    leave()
    made.close()


def priced(ctx: Context, usd: float | None, at: datetime) -> None:
    """The model is offered at this price for tokens read; what it writes costs nothing."""
    made = replace(offer("tern"), prices=(usd, None if usd is None else 0.0))
    ctx.commit(plan.register_demo, (made,), HOUSE, at)
    ctx.commit(plan.plan_samples, at)


def test_a_slice_over_which_the_price_changed_pays_each_answer_by_its_own(ctx: Context) -> None:
    priced(ctx, 100_000.0, NOW)
    [endpoint] = ctx.commit(plan.sweep, NOW).endpoints
    work = ctx.commit(inference.open_slice, endpoint, NOW, LEASE, VAULT)
    assert work is not None
    priced(ctx, 300_000.0, LATER)
    long, short = work.requests
    answers = [
        AnsweredSample(long, replace(completion("x"), latency_ms=11_000.0)),
        AnsweredSample(short, replace(completion("y"), latency_ms=500.0)),
    ]
    ctx.commit(inference.record_all, work, answers, NOW + timedelta(seconds=12))
    with ctx.sessions() as session:
        costs = {row.id: row.cost_usd for row in session.scalars(select(Sample))}
    assert costs == {long: Decimal(1), short: Decimal(3)}, "ten tokens were read"


def test_history_has_a_line_for_each_change_and_the_verb_lists_it(ctx: Context) -> None:
    for usd, at in ((None, NOW), (2.5, NOW), (2.5, LATER), (4.0, LATER), (4.0, LATER)):
        priced(ctx, usd, at)
    with ctx.sessions() as session:
        rows = session.scalars(select(PriceRow).order_by(PriceRow.since)).all()
        assert [(row.since, row.input) for row in rows] == [(NOW, Decimal("2.5")), (LATER, Decimal(4))]
    shown = tidemark(ctx.settings, "model", "prices", "tern", COLUMNS="100").stdout.splitlines()
    assert [line.split()[:4] for line in shown[-2:]] == [
        ["2026-11-01", "09:00", "tern", "$2.5"],
        ["2026-11-01", "09:00", "tern", "$4"],
    ]
    listed = json.loads(tidemark(ctx.settings, "model", "prices", "tern", "--json").stdout)["prices"]
    assert [line["input"] for line in listed] == ["2.5", "4"]
    assert isinstance(tidemark(ctx.settings, "model", "prices", "nobody").exception, NotFound)
