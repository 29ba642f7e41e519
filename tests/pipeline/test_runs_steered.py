"""What maintainers may do with a run: nothing is told of what nobody may know, and an order keeps what is its own."""

from decimal import Decimal
from typing import Any

import pytest
from pipeline.flow import NOW, VAULT
from pipeline.test_orders_moved import WEEK, Desk, ordered
from sqlalchemy import select, update
from support.batches import START, batch, problem

from app.db.kernel import revision
from app.db.kernel.session import Session
from app.db.runs import runs as run_store
from app.db.tables import Endpoint, Run, Sample
from app.domain.errors import Conflict, InvalidInput
from app.domain.imports import ImportedModel
from app.domain.judging.verdicts import Verdict
from app.domain.states import RunState
from app.services.operations.access import issue_login_link
from app.services.runs import budgets, imports, plan
from app.services.runs.control import run_control
from app.services.runs.control.endpoints import NewEndpoint
from app.services.runs.control.start import RunRequest, start


@pytest.mark.parametrize(
    ("fields", "why"), [({"public": False}, "is private"), ({"embargo_until": NOW + WEEK}, "under an embargo")]
)
def test_no_void_tells_of_a_run_that_nobody_may_know_of(session: Session, fields: dict[str, Any], why: str) -> None:
    desk = ordered(session, **fields)
    assert desk.asked() == 1
    with pytest.raises(Conflict, match=why):
        run_control.void(session, desk.run.id, "our template was wrong", NOW)
    assert (desk.run.voided_at, desk.run.state, desk.told()) == (None, "active", [])
    [line] = run_control.runs(session)
    assert line.standing == ("private" if "public" in fields else "stands")
    if "embargo_until" in fields:
        run_control.void(session, desk.run.id, "our template was wrong", NOW + WEEK)
        assert (desk.run.voided_at, desk.run.state, desk.told()) == (NOW + WEEK, "retired", ["score.voided"])
        assert run_control.runs(session)[0].standing == "voided"


def published(session: Session) -> Desk:
    """A continuous order that is on the board."""
    desk = ordered(session, window_start=None, window_end=None, continuous=True)
    desk.run.window_start = START
    desk.asked()
    desk.moved()
    desk.judged(Verdict.WRONG_ANSWER)
    assert desk.moved() == ("published", "us")
    return desk


def test_a_run_that_is_ordered_for_good_is_paused_and_goes_on(session: Session) -> None:
    desk = published(session)
    issue_login_link(session, NOW, "grace@example.org", "acme")
    with pytest.raises(Conflict, match="you belong to the organisation of orion"):
        run_control.void(session, desk.run.id, "it went badly", NOW, "grace@example.org")
    run_control.pause(session, desk.run.id, "a look", NOW)
    with pytest.raises(Conflict):
        run_control.pause(session, desk.run.id, "once more", NOW)
    run_control.resume(session, desk.run.id, "on it goes", NOW)
    assert desk.run.state == RunState.ACTIVE
    before = revision.current(session)[1]
    run_control.cancel(session, desk.run.id, "it attacks the judge", NOW)
    assert (revision.current(session)[1] > before, desk.told()) == (True, ["model.added", "score.withdrawn"])


def test_what_an_order_gave_up_stays_given_up(session: Session) -> None:
    """It has its meaning there: its vendor is not asked until it answers well."""
    desk = ordered(session, 1)
    desk.asked()
    session.execute(update(Sample).values(state="gave_up", error_owner="us", error="no room"))
    run_control.pause(session, desk.run.id, "a look", NOW)
    run_control.resume(session, desk.run.id, "on it goes", NOW)
    with pytest.raises(Conflict, match="already active"):
        run_control.resume(session, desk.run.id, "again", NOW)
    session.expire_all()
    assert session.scalars(select(Sample.state)).all() == ["gave_up"]


def test_what_a_budget_paused_and_a_maintainer_then_did_no_money_lets_go(session: Session) -> None:
    desk = ordered(session)
    plan.plan_samples(session, NOW)
    desk.run.state, desk.run.needs_usd = RunState.PAUSED, Decimal("0.5")
    session.flush()
    run_control.pause(session, desk.run.id, "a look", NOW)
    assert budgets.resume_runs(session, NOW) == 0
    [line] = run_control.runs(session)
    assert (line.state, line.reason) == ("paused", "a look")


def model_at(session: Session, *names: str) -> None:
    """A model of ours that is served under these names."""
    imports.store_batch(session, batch(problem(0)), NOW)
    model = run_store.ensure_model(session, ImportedModel("orion", "Orion", "Acme"), NOW)
    for name in names:
        where = {"backend": "openai_chat", "remote_name": name, "base_url": "https://93.184.216.34/v1",
                 "max_concurrency": 4, "trusted": True}  # fmt: skip
        run_store.ensure_endpoint(session, model.id, where)


def begin(session: Session, name: str | None = None) -> int:
    where = None if name is None else NewEndpoint("orion", "openai_chat", name, "https://93.184.216.34/v1")
    return start(session, RunRequest("orion", "house", "to see", where), NOW, VAULT, lambda *_: None).run


def test_a_run_stays_at_its_endpoint_and_paused(session: Session) -> None:
    model_at(session, "one")
    run = begin(session)
    assert begin(session) == run
    model_at(session, "two")
    with pytest.raises(InvalidInput, match="several places"):
        begin(session)
    with pytest.raises(Conflict, match="at another endpoint; cancel it first"):
        begin(session, "two")
    run_control.pause(session, run, "a look", NOW)
    with pytest.raises(Conflict, match="is paused: a look; resume it"):
        begin(session, "one")
    assert session.get_one(Run, run).state == RunState.PAUSED


def test_what_is_registered_is_trusted_no_more_and_its_failed_runs_go_on(session: Session) -> None:
    model_at(session, "one")
    run = session.get_one(Run, begin(session))
    run.state, run.state_reason = RunState.FAILED, "answered 400"
    session.flush()
    assert begin(session, "one") == run.id
    [line] = run_control.runs(session)
    assert (line.state, line.reason) == ("active", None)
    assert session.scalars(select(Endpoint.trusted)).all() == [False]
    session.execute(update(Endpoint).values(weights="/weights", base_url=""))
    with pytest.raises(Conflict, match="served by weights of our own"):
        begin(session, "one")
