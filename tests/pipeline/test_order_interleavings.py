"""An order is moved by what is there at one instant, whatever commits between two reads."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from pipeline.flow import answer_all, judge_one
from sqlalchemy import event, select
from sqlalchemy.orm import Session as OrmSession
from support.batches import START, batch, problem
from support.vendors import pass_probe

from app.db.runs import runs as run_store
from app.db.tables import Endpoint, Run, Sample, Submission
from app.domain.imports import ImportedModel
from app.services.runs import imports, plan
from app.services.runs.control import run_control
from app.services.vendors import submissions
from app.services.vendors.submission_steps import advance_submissions
from app.services.vendors.submissions import NewSubmission
from workers.context import Context, now

COUNT = 2


@pytest.fixture
def order(ctx: Context) -> int:
    """An order over a past window whose run is under way, and of which nothing is planned yet; its run."""
    with ctx.sessions.begin() as session:
        acme = run_store.ensure_organisation(session, "acme", "Acme").id
        model = run_store.add_model(session, ImportedModel("orion", "Orion", "Acme"), now(), acme)
        assert model is not None
        where = {"backend": "openai_chat", "remote_name": "orion", "base_url": "https://93.184.216.34/v1",
                 "max_concurrency": 4, "trusted": True}  # fmt: skip
        endpoint = run_store.ensure_endpoint(session, model.id, where)
        new = NewSubmission(endpoint.id, "house", {}, START, START + timedelta(days=30))
        placed = submissions.submit(session, acme, new, now(), lambda *_: None)
    ctx.commit(pass_probe, placed.id, ctx.vault)
    ctx.commit(advance_submissions, now())
    ctx.commit(imports.store_batch, batch(*(problem(number) for number in range(COUNT))), now())
    with ctx.sessions() as session:
        return session.scalars(select(Run.id)).one()


def advance(ctx: Context, meanwhile: Callable[[], Any] = lambda: None, at: int = 0) -> tuple[int, str, str]:
    """Advance orders, with something done before the statement `at`; how many statements, state and owner."""
    count = 0

    def before(connection: Any, *_: Any) -> None:
        nonlocal count
        if connection is mine:
            count += 1
            if count == at:
                meanwhile()

    with ctx.sessions.begin() as session:
        mine = session.connection()
        event.listen(mine.engine, "before_cursor_execute", before)
        try:
            advance_submissions(session, now())
        finally:
            event.remove(mine.engine, "before_cursor_execute", before)
        session.expire_all()
        row = session.scalars(select(Submission)).one()
        found = (count, row.state, row.owner)
        session.rollback()
    return found


def clear(session: OrmSession) -> None:
    for sample in session.scalars(select(Sample)):
        session.delete(sample)


def test_no_plan_that_commits_between_two_reads_fails_an_order(ctx: Context, order: int) -> None:
    """The plan of its problems commits before each statement in turn."""
    statements, _, _ = advance(ctx)
    assert statements > 3
    for at in range(1, statements + 1):
        _, state, owner = advance(ctx, lambda: ctx.commit(plan.plan_samples, now()), at)
        assert (state, owner) == ("generating", "us"), f"before statement {at}"
        ctx.commit(clear)


def test_an_order_is_not_published_while_a_plan_adds_to_it(ctx: Context, order: int) -> None:
    """Otherwise its run would be paused with a sample that nobody asks."""
    ctx.commit(plan.plan_samples, now())
    ctx.commit(answer_all)
    while ctx.commit(judge_one):
        pass
    with ctx.sessions.begin() as other:
        assert plan.plan_samples(other, now()) is not None  # its lock is held until it commits
        assert advance(ctx)[1] == "generating"
    ctx.commit(advance_submissions, now())
    ctx.commit(advance_submissions, now())
    assert advance(ctx)[1] == "published"


def test_a_run_that_is_cancelled_meanwhile_stays_cancelled(ctx: Context, order: int) -> None:
    for act in (run_store.resume, lambda session, run: run_store.pause(session, run, "done")):
        with ctx.sessions.begin() as session:
            assert session.get_one(Run, order).state in ("active", "retired")
            if act is run_store.resume:
                ctx.commit(run_control.cancel, order, "it attacks the judge", now())
            act(session, order)
    with ctx.sessions() as session:
        assert session.get_one(Run, order).state == "retired"
        assert session.scalars(select(Endpoint)).one().stopped_at is None
