"""An order's way to the board: each state has an owner, and none is a dead end."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from fakes import model_server
from fakes.model_server import ModelServer
from sqlalchemy import inspect, select
from support.batches import START, batch, problem
from support.vendors import Vendor, infer, judge, move_on, right

from app.db.tables import Endpoint, LedgerEntry, Run, Submission
from app.domain.errors import Conflict
from app.domain.imports import ImportedStatement
from app.domain.judging.verdicts import Verdict
from app.domain.reasons import text_reason
from app.services.runs import imports, plan
from app.services.runs.control import run_control
from workers import tasks
from workers.context import Context, now

pytestmark = pytest.mark.usefixtures("published")


def test_an_order_becomes_rows_on_the_board(ctx: Context, vendor: Vendor) -> None:
    with ModelServer(right) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url)
        order = vendor.submit(endpoint, configuration={"reasoning_effort": "high"})
        queued = vendor.state(order)
        assert (queued["state"], queued["owner"], queued["progress"]) == ("queued", "us", None)
        assert queued["deadline"] is not None
        assert (queued["protocol"], queued["run"], queued["embargo_until"]) == ("fresh", None, None)
        tasks.sweep()
        run_id = vendor.state(order)["run"]
        told = vendor.client.get(vendor.client.base_url.join(f"../runs/{run_id}"))
        assert (told.status_code, told.json()["protocol"]) == (200, "fresh"), "the order says where its run is"
        infer(ctx, endpoint)
        assert {each.json["reasoning_effort"] for each in server.asked} == {"high"}
        judging = vendor.state(order)
        none = {"no_answer": 0, "failed_vendor": 0, "failed_ours": 0}
        assert judging["progress"] == {"total": 3, "generated": 3, "judged": 0, **none}
    tasks.sweep()
    assert vendor.state(order)["state"] == "judging"
    with ctx.sessions() as session:
        assert session.scalars(select(Run.public)).all() == [False], "nothing shows before it is published"
    judge(ctx)
    tasks.sweep()
    done = vendor.state(order)
    assert (done["state"], done["progress"]["judged"], done["deadline"]) == ("published", 3, None)
    tasks.sweep()
    with ctx.sessions() as session:
        [run] = session.scalars(select(Run))
        assert (run.public, run.state, run.trial) == (True, "paused", 1)
        assert (
            f"submission {order}"
            in session.scalars(select(LedgerEntry.reason).where(LedgerEntry.kind == "model.added")).all()
        )
    again = vendor.post(f"/submissions/{order}/cancel")
    assert (again.status_code, again.json()["detail"]) == (409, "the submission is published and cannot be cancelled")


def test_an_order_whose_run_maintainers_cancel_is_cancelled_for_good(ctx: Context, vendor: Vendor) -> None:
    with ModelServer(right) as server:
        vendor.model()
        order = vendor.submit(vendor.endpoint(server.url))
        move_on()
        with ctx.sessions() as session:
            run = session.scalars(select(Run.id)).one()
        ctx.commit(run_control.pause, run, "a look", now())
        move_on()
        assert vendor.state(order)["state"] == "generating"
        ctx.commit(run_control.cancel, run, "it attacks the judge", now())
        move_on()
        state = vendor.state(order)
        assert (state["state"], state["state_reason"], state["deadline"]) == (
            "cancelled", "its run was cancelled: it attacks the judge", None,
        )  # fmt: skip
        assert vendor.post(f"/submissions/{order}/cancel").status_code == 409
    with ctx.sessions() as session:
        assert session.scalars(select(LedgerEntry).where(LedgerEntry.kind == "score.withdrawn")).all() == []


def test_a_run_is_not_asked_on_when_its_order_was_cancelled(ctx: Context, vendor: Vendor) -> None:
    with ModelServer(right) as server:
        vendor.model()
        order = vendor.submit(vendor.endpoint(server.url))
        move_on()
        assert vendor.post(f"/submissions/{order}/cancel").status_code == 200
    with ctx.sessions() as session:
        run = session.scalars(select(Run.id)).one()
    with pytest.raises(Conflict, match=order):
        ctx.commit(run_control.resume, run, "on it goes", now())


def test_a_later_order_neither_hides_nor_changes_an_earlier_one(ctx: Context, vendor: Vendor) -> None:
    with ModelServer(right) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url)
        orders = [vendor.submit(endpoint)]
        for visibility in ("public", "private"):
            move_on()
            infer(ctx, endpoint)
            judge(ctx, Verdict.ACCEPTED if visibility == "public" else Verdict.WRONG_ANSWER)
            move_on()
            move_on()
            if visibility == "public":
                orders.append(vendor.submit(endpoint, visibility="private"))
        assert [vendor.state(order)["state"] for order in orders] == ["published", "published"]
        assert len(server.asked) == 6
    with ctx.sessions() as session:
        rows = session.execute(select(Run.trial, Run.public).order_by(Run.trial)).all()
        assert [tuple(row) for row in rows] == [(1, True), (2, False)]
        told = session.scalars(select(LedgerEntry.reason).where(LedgerEntry.kind == "model.added")).all()
        assert told == [f"submission {orders[0]}"], "what is private is announced to nobody"


def test_a_text_that_is_replaced_meanwhile_is_asked_anew_and_not_waited_for(ctx: Context, vendor: Vendor) -> None:
    with ModelServer(right) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url)
        order = vendor.submit(endpoint)
        move_on()
        tasks.plan_runs()
        replace_text(ctx, 0, "Another text.")  # before it was asked
        infer(ctx, endpoint)
        assert vendor.state(order)["progress"]["total"] == 3
        replace_text(ctx, 1, "A third text.")  # after its answer
        move_on()
        assert vendor.state(order)["state"] == "generating"
        infer(ctx, endpoint)
        move_on()
        replace_text(ctx, 2, "A fourth text.")  # while the answers are judged
        tasks.plan_runs()
        judge(ctx)
        move_on()
        assert vendor.state(order)["state"] == "judging"
        infer(ctx, endpoint)
        judge(ctx)
        move_on()
    done = vendor.state(order)
    assert (done["state"], done["progress"]["total"], done["progress"]["judged"]) == ("published", 3, 3)
    assert len(server.asked) == 5


def replace_text(ctx: Context, number: int, text: str) -> None:
    changed = replace(problem(number, source="atcoder"), statements={"en": ImportedStatement(f"Sum {number}", text)})
    ctx.commit(imports.store_batch, batch(changed, source="atcoder"), now())


def test_a_refused_key_stalls_the_order_until_the_vendor_mends_it(ctx: Context, vendor: Vendor) -> None:
    with ModelServer(right) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url, secret="wrong")
        order = vendor.submit(endpoint)
        move_on()
        infer(ctx, endpoint)
        move_on()
        stalled = vendor.state(order)
        assert (stalled["state"], stalled["owner"]) == ("stalled", "vendor")
        assert "401" in stalled["state_reason"]
        assert "wrong key Bearer wrong" not in stalled["state_reason"]
        assert stalled["progress"]["judged"] == 0
        move_on()
        assert vendor.state(order)["state"] == "stalled"
        assert vendor.endpoint(server.url) == endpoint
        move_on()
        move_on()
        assert vendor.state(order)["state"] == "generating"
        infer(ctx, endpoint)
    for _turn in range(2):
        judge(ctx)
        move_on()
    assert vendor.state(order)["state"] == "published"


def test_a_cancelled_order_asks_nothing_more(ctx: Context, vendor: Vendor) -> None:
    with ModelServer(right) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url)
        order = vendor.submit(endpoint)
        move_on()
        tasks.plan_runs()
        cancelled = vendor.post(f"/submissions/{order}/cancel", key="c")
        assert (cancelled.status_code, cancelled.json()["state"]) == (200, "cancelled")
        assert vendor.post(f"/submissions/{order}/cancel", key="c").headers["idempotency-replayed"] == "true"
        assert vendor.post(f"/submissions/{order}/cancel").status_code == 409
        infer(ctx, endpoint)
        move_on()
        assert server.asked == []
    assert vendor.state(order)["state_reason"] == "by the vendor"


def test_an_open_window_waits_for_its_first_problem(ctx: Context, vendor: Vendor) -> None:
    """A window that is not over waits for its problems; its clock starts at its end."""
    opens = (datetime.now(UTC) + timedelta(days=1)).date()
    closes = opens + timedelta(days=30)
    vendor.model()
    order = vendor.submit(vendor.endpoint("https://93.184.216.34/v1"), window={"from": str(opens), "to": str(closes)})
    move_on()
    ctx.commit(plan.plan_samples, now())
    move_on()
    state = vendor.state(order)
    assert (state["state"], state["owner"]) == ("generating", "us")
    assert state["state_reason"] == "no problem of its window is here yet"
    assert datetime.fromisoformat(state["deadline"]).date() == closes + timedelta(days=7)


def test_an_embargo_and_a_delay_of_ours_end(ctx: Context, vendor: Vendor) -> None:
    with ModelServer(right) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url)
        until = (now() + timedelta(hours=1)).isoformat()
        order = vendor.submit(endpoint, embargo_until=until)
        move_on()
        infer(ctx, endpoint)
    with ctx.sessions.begin() as session:
        session.scalars(select(Submission)).one().state_deadline = now() - timedelta(seconds=1)
    move_on()
    late = vendor.state(order)
    assert (late["state"], late["owner"]) == ("stalled", "us")
    judge(ctx)
    for _turn in range(5):
        move_on()
    assert vendor.state(order)["state"] == "embargoed"
    with ctx.sessions.begin() as session:
        assert session.scalars(select(Run.public)).all() == [False]
        session.scalars(select(Submission)).one().embargo_until = now()
    move_on()
    assert vendor.state(order)["state"] == "published"


def test_an_order_that_we_fail_at_stops_no_other(ctx: Context, vendor: Vendor) -> None:
    """Rows of before windows were bounded are still there."""
    with ModelServer(right) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url)
        bad, good = vendor.submit(endpoint), vendor.submit(endpoint)
        with ctx.sessions.begin() as session:
            row = session.scalars(select(Submission).where(Submission.public_id == bad)).one()
            row.window_end = datetime(9999, 12, 31, tzinfo=UTC)
        for _twice in range(2):
            tasks.sweep()
            assert vendor.state(good)["state"] == "generating"
            waiting = vendor.state(bad)
            assert (waiting["state"], waiting["owner"], waiting["progress"]) == ("queued", "us", None)
            assert "fault of ours" in waiting["state_reason"]
            assert "OverflowError" in waiting["state_reason"]
        with ctx.sessions.begin() as session:
            row = session.scalars(select(Submission).where(Submission.public_id == bad)).one()
            row.window_end = START + timedelta(days=30)
        tasks.sweep()
    mended = vendor.state(bad)
    assert (mended["state"], mended["state_reason"]) == ("generating", None)


def test_orders_that_wait_leave_room_for_later_ones(ctx: Context, vendor: Vendor) -> None:
    vendor.model()
    stopped, good = vendor.endpoint("https://93.184.216.34/v1"), vendor.endpoint("https://8.8.8.8/v1", remote_name="b")
    first = vendor.submit(stopped)
    with ctx.sessions.begin() as session:
        row = session.get_one(Endpoint, stopped)
        row.stopped_at, row.stopped_reason = now(), text_reason("the key was refused")
    with ctx.sessions.begin() as session:
        one = session.scalars(select(Submission)).one()
        names = [attr.key for attr in inspect(Submission).column_attrs if attr.key not in ("id", "public_id")]
        copied = {name: getattr(one, name) for name in names}
        session.add_all(Submission(public_id=f"sub_{number}", **copied) for number in range(120))
    last = vendor.submit(good)
    move_on()
    assert vendor.state(first)["state"] == "stalled"
    assert vendor.state(last)["state"] == "generating"


def test_an_order_whose_requests_are_refused_fails_at_once_with_the_providers_words(
    ctx: Context, vendor: Vendor
) -> None:
    with ModelServer(model_server.error(400, "unknown field reasoning_effort")) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url)
        order = vendor.submit(endpoint, configuration={"reasoning_effort": "high"})
        move_on()
        infer(ctx, endpoint)
        met = vendor.state(order)["failure"]
        assert met == {"reason": "answered 400: unknown field reasoning_effort", "owner": "vendor", "samples": 3}
        move_on()
        failed = vendor.state(order)
        assert (failed["state"], failed["owner"], failed["deadline"]) == ("failed", "vendor", None)
        assert failed["state_reason"] == "answered 400: unknown field reasoning_effort"
        assert len(server.asked) == 3
        vendor.endpoint(server.url)  # registered again: the order stays failed, and asks nothing
        infer(ctx, endpoint)
        assert len(server.asked) == 3


def test_an_order_without_one_answer_is_failed_and_not_published(ctx: Context, vendor: Vendor) -> None:
    with ModelServer(model_server.error(400, "too long", code="context_length_exceeded")) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url)
        order = vendor.submit(endpoint)
        move_on()
        infer(ctx, endpoint)
        for _turn in range(2):
            move_on()
    failed = vendor.state(order)
    assert (failed["state"], failed["owner"]) == ("failed", "vendor")
    assert "too long" in failed["state_reason"]
    assert (failed["progress"]["failed_vendor"], failed["progress"]["no_answer"]) == (0, 3)
    with ctx.sessions() as session:
        [run] = session.scalars(select(Run))
        assert (run.public, run.state) == (False, "paused")


def test_money_that_is_spent_stalls_the_order_until_it_is_paid(ctx: Context, vendor: Vendor) -> None:
    with ModelServer(model_server.error(402, "top up your account")) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url)
        order = vendor.submit(endpoint)
        move_on()
        infer(ctx, endpoint)
        move_on()
        stalled = vendor.state(order)
        assert (stalled["state"], stalled["owner"]) == ("stalled", "vendor")
        assert "top up your account" in stalled["state_reason"]
        server.script = right
        vendor.endpoint(server.url)
        for _turn in range(2):
            move_on()
        infer(ctx, endpoint)
    assert vendor.state(order)["progress"]["generated"] == 3
