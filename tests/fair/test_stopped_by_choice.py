"""A vendor gains nothing by letting its endpoint be stopped before the problems that it would fail."""

from datetime import timedelta

import httpx
from api.test_order_no_answer import judge_as_the_judge
from fakes import model_server
from fakes.model_server import Asked, ModelServer, Say
from served import NO_AUTHORITIES
from sqlalchemy import update
from support.vendors import Vendor, order, publish, rows_of, show, solves

from app.db.tables import Endpoint, Problem
from app.domain.asking.retry_policy import RETRY_POLICY
from workers import tasks
from workers.context import Context, now

COUNT = 4


def stops_at_the_last(asked: Asked) -> Say:
    """Answers all but one problem, and says then that there is no money."""
    return solves(asked) if asked.number < COUNT - 1 else model_server.error(402, "no money left")


def test_what_a_stopped_endpoint_left_counts_as_wrong_once_patience_ends(
    ctx: Context, url: str, vendor: Vendor
) -> None:
    publish(ctx, COUNT)
    with ModelServer(stops_at_the_last) as server:
        endpoint = order(vendor, server.url, "orion")
        tasks.sweep()
        tasks.plan_runs()
        tasks.infer_slice(endpoint)
        judge_as_the_judge(ctx)
        show()
        [placed] = vendor.get("/submissions")["data"]
        assert (placed["state"], rows_of(url)) == ("stalled", {})
        with ctx.sessions.begin() as session:  # the time passes
            session.execute(update(Endpoint).values(stopped_at=now() - RETRY_POLICY.span - timedelta(minutes=1)))
            session.execute(update(Problem).values(found_at=now() - timedelta(days=1)))
        tasks.sweep()
        judge_as_the_judge(ctx)
        for _step in range(3):
            show()
    told = vendor.state(placed["id"])
    assert (told["state"], told["progress"]["no_answer"]) == ("published", 1)
    row = rows_of(url)["orion"]
    assert (row["coverage"], row["score"]) == (1.0, round(100 * (COUNT - 1) / COUNT, 4))
    with httpx.Client(base_url=url, timeout=60, verify=NO_AUTHORITIES) as client:
        assert client.get(f"/api/v1/runs/{row['run']}").json()["no_answer"] == 1
