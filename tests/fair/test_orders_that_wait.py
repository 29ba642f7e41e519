"""An order does not wait until the answers are public: what is answered too late was served before."""

from datetime import datetime, timedelta

import httpx
from fakes import model_server
from fakes.model_server import Asked, ModelServer, Say
from served import NO_AUTHORITIES
from sqlalchemy import update
from support.batches import START, batch, problem
from support.vendors import Vendor, ask, judge, order, publish, rows_of, settle, show, solves

from app.db.tables import Endpoint, Problem, Run, Submission
from app.domain.asking.retry_policy import MAX_SUBMISSION_WAIT
from app.domain.judging.verdicts import Verdict
from app.services.runs import imports
from workers.context import Context, now

COUNT = 2
LONG = MAX_SUBMISSION_WAIT + timedelta(hours=1)


def publish_before(ctx: Context, span: timedelta) -> None:
    """Problems that were published so long ago."""
    given = (problem(number, source="atcoder") for number in range(COUNT))
    ctx.commit(imports.store_batch, batch(*given, source="atcoder"), now() - span)
    with ctx.sessions.begin() as session:
        session.execute(update(Problem).values(found_at=now() - span))


def ordered_before(ctx: Context, span: timedelta) -> None:
    """What was ordered was ordered so long ago."""
    with ctx.sessions.begin() as session:
        session.execute(update(Submission).values(created_at=now() - span))


def mend(ctx: Context) -> None:
    with ctx.sessions.begin() as session:
        session.execute(update(Endpoint).values(stopped_at=None, stopped_reason=None))


def parked(ctx: Context, url: str, vendor: Vendor, waits: timedelta) -> dict[str, object]:
    """The row of a model whose endpoint says 402 to the first prompt, and solves everything once it is mended."""
    mended: list[bool] = []

    def says(asked: Asked) -> Say:
        return solves(asked) if mended else model_server.error(402, "no money left")

    with ModelServer(says) as server:
        endpoint = order(vendor, server.url, "orion")
        publish_before(ctx, waits)
        ask(endpoint)
        show()
        ordered_before(ctx, waits)
        assert [each["state"] for each in vendor.get("/submissions")["data"]] == ["stalled"]
        mended.append(True)
        mend(ctx)
        settle(ctx, endpoint)
        settle(ctx, endpoint)
    row = rows_of(url)["orion"]
    return {name: row[name] for name in ("score", "rank", "served", "exposed")}


def test_an_order_that_is_stopped_until_the_answers_are_public_has_no_rank(
    ctx: Context, url: str, vendor: Vendor
) -> None:
    found = parked(ctx, url, vendor, LONG)
    assert found == {"score": 100.0, "rank": None, "served": COUNT, "exposed": COUNT}
    assert rows_of(url, exposure="hide") == {}


def test_one_that_is_mended_in_time_keeps_its_rank(ctx: Context, url: str, vendor: Vendor) -> None:
    found = parked(ctx, url, vendor, MAX_SUBMISSION_WAIT - timedelta(days=1))
    assert found == {"score": 100.0, "rank": 1, "served": 0, "exposed": 0}


def test_the_second_of_two_orders_does_not_wait_without_end(ctx: Context, url: str, vendor: Vendor) -> None:
    with ModelServer(solves) as first, ModelServer(solves) as second:
        publish_before(ctx, LONG)
        one, other = order(vendor, first.url, "orion"), order(vendor, second.url, "lyra")
        settle(ctx, one, verdict=Verdict.WRONG_ANSWER)
        ordered_before(ctx, LONG)
        settle(ctx, other)
        rows = rows_of(url)
    assert (rows["lyra"]["score"], rows["lyra"]["rank"], rows["lyra"]["served"]) == (100.0, None, COUNT)


def test_a_problem_that_waited_for_us_is_not_late(ctx: Context, url: str, vendor: Vendor) -> None:
    with ModelServer(solves) as server:
        publish(ctx, COUNT)
        endpoint = order(vendor, server.url, "orion")
        ordered_before(ctx, LONG)
        with ctx.sessions.begin() as session:  # found long ago, and held until now
            session.execute(update(Problem).values(found_at=now() - LONG))
        ask(endpoint)
        judge(ctx)
        show()
    row = rows_of(url)["orion"]
    assert (row["rank"], row["served"]) == (1, 0)


def test_a_row_that_is_shown_loses_its_rank_by_what_comes_late(ctx: Context, url: str, vendor: Vendor) -> None:
    with ModelServer(solves) as server:
        publish_before(ctx, timedelta(hours=1))
        vendor.model("orion")
        endpoint = vendor.endpoint(server.url)
        vendor.submit(endpoint, window=None, continuous=True)
        ask(endpoint)
        with ctx.sessions.begin() as session:  # from the first of them on
            session.execute(update(Run).values(window_start=START))
        settle(ctx, endpoint)
        assert (rows_of(url)["orion"]["rank"], rows_of(url)["orion"]["served"]) == (1, 0)
        ordered_before(ctx, LONG)
        given = problem(COUNT, source="atcoder")
        ctx.commit(imports.store_batch, batch(given, source="atcoder"), now() - LONG)
        with ctx.sessions.begin() as session:
            session.execute(
                update(Problem).where(Problem.external_id == given.external_id).values(found_at=now() - LONG)
            )
        settle(ctx, endpoint)
        found = rows_of(url)["orion"]
    assert (found["n_problems"], found["rank"], found["served"]) == (COUNT + 1, None, 1)


def test_an_order_without_any_answer_fails_in_the_end(ctx: Context, url: str, vendor: Vendor) -> None:
    with ModelServer(lambda _: model_server.error(401, "no such key")) as server:
        publish(ctx, COUNT)
        for model, visibility in (("orion", "public"), ("lyra", "private")):
            ask(order(vendor, server.url, model, visibility=visibility))
        show()
        waiting = vendor.get("/submissions")["data"]
        assert {each["state"] for each in waiting} == {"stalled"}
        spans = [[datetime.fromisoformat(each[name]) for name in ("state_since", "deadline")] for each in waiting]
        assert {until - since for since, until in spans} == {MAX_SUBMISSION_WAIT}, "its vendor is told"
        with ctx.sessions.begin() as session:
            session.execute(update(Submission).values(state_since=now() - MAX_SUBMISSION_WAIT + timedelta(hours=1)))
        show()
        assert {each["state"] for each in vendor.get("/submissions")["data"]} == {"stalled"}
        with ctx.sessions.begin() as session:
            session.execute(update(Submission).values(state_since=now() - MAX_SUBMISSION_WAIT))
        show()
    ended = vendor.get("/submissions")["data"]
    assert {each["state"] for each in ended} == {"failed"}
    assert all(each["state_reason"].startswith("no answer came within 14 days: ") for each in ended)
    with httpx.Client(base_url=url, timeout=60, verify=NO_AUTHORITIES) as client:
        [line] = client.get("/api/v1/ledger?kind=order.unanswered").json()["data"]
        assert (line["subject"], line["reason"]) == ("orion", "no answer came within 14 days"), "none of a private one"
        assert "14 天内未收到任何回答" in client.get("/zh/changes?kind=order.unanswered").text
