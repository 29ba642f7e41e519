"""Of several trials the first that was sent a prompt stands: nobody chooses among results."""

from datetime import timedelta
from typing import Any

import httpx
import pytest
from fakes.model_server import ModelServer
from pipeline.flow import judge_one
from served import NO_AUTHORITIES
from sqlalchemy import select
from support.commands import tidemark
from support.vendors import Vendor, ask, board, publish, show

from app.db.tables import AuditEntry
from app.domain.errors import Conflict, InvalidInput
from app.domain.judging.verdicts import Verdict
from app.services.runs.control import steering
from workers import tasks
from workers.context import Context, now

COUNT = 3


def judge(ctx: Context, *verdicts: Verdict) -> None:
    """Judge all answers, the first ones as `verdicts` say, one a run, and publish what is done."""
    for verdict in (*(each for each in verdicts for _ in range(COUNT)), Verdict.ACCEPTED):
        ctx.commit(judge_one, verdict, now())
    show()


def shown(url: str, **params: str) -> dict[str, Any]:
    """The board: its rows by run, and what it hides."""
    body = board(url, **params)
    return {
        "rows": {row["run"]: (row["score"], row["trials"]) for row in body["rows"]},
        "hidden": [each["reason"] for each in body["hidden"]],
    }


def test_a_second_order_does_not_replace_a_bad_score(
    ctx: Context, url: str, vendor: Vendor, server: ModelServer
) -> None:
    publish(ctx, COUNT)
    vendor.model("orion")
    endpoint = vendor.endpoint(server.url)
    for _order in range(2):  # at once, so that neither exposes the other
        vendor.submit(endpoint)
    ask(endpoint, endpoint)
    judge(ctx, Verdict.WRONG_ANSWER, Verdict.ACCEPTED)
    assert shown(url) == {"rows": {1: (0.0, 2)}, "hidden": ["later_trial"]}
    vendor.submit(endpoint)
    ask(endpoint)
    judge(ctx, Verdict.ACCEPTED)
    for params in ({}, {"rules": "lcb"}, {"started_by": "vendor"}):
        assert shown(url, **params) == {"rows": {1: (0.0, 3)}, "hidden": ["later_trial"] * 2}, params


def test_a_cancelled_order_keeps_the_place_it_has(ctx: Context, url: str, vendor: Vendor, server: ModelServer) -> None:
    publish(ctx, COUNT)
    vendor.model("orion")
    endpoint = vendor.endpoint(server.url)
    bad, good = vendor.submit(endpoint), vendor.submit(endpoint)
    ask(endpoint, endpoint)
    ctx.commit(judge_one, Verdict.WRONG_ANSWER, now())
    assert vendor.post(f"/submissions/{bad}/cancel").status_code == 200
    judge(ctx, Verdict.WRONG_ANSWER, Verdict.ACCEPTED)
    assert vendor.state(good)["state"] == "published"
    assert shown(url) == {"rows": {1: (0.0, 2)}, "hidden": ["later_trial"]}


def test_an_embargo_holds_the_place_and_tells_nothing(
    ctx: Context, url: str, vendor: Vendor, server: ModelServer
) -> None:
    publish(ctx, COUNT)
    vendor.model("orion")
    endpoint = vendor.endpoint(server.url)
    until = (now() + timedelta(days=30)).isoformat()
    bad, good = vendor.submit(endpoint, embargo_until=until), vendor.submit(endpoint)
    ask(endpoint, endpoint)
    assert vendor.post(f"/submissions/{bad}/cancel").status_code == 200
    judge(ctx, Verdict.WRONG_ANSWER, Verdict.ACCEPTED)
    assert vendor.state(good)["state"] == "published"
    assert shown(url) == {"rows": {}, "hidden": ["later_trial"]}


def test_an_order_that_waited_takes_no_place_from_the_one_that_did_not(
    ctx: Context, url: str, vendor: Vendor, server: ModelServer
) -> None:
    publish(ctx, COUNT)
    vendor.model("orion")
    endpoint = vendor.endpoint(server.url)
    for _order in range(2):
        vendor.submit(endpoint)
    tasks.sweep()
    ctx.commit(steering.pause, 1, "a look", now())
    ask(endpoint)
    judge(ctx, Verdict.WRONG_ANSWER)
    assert shown(url) == {"rows": {2: (0.0, 1)}, "hidden": []}
    ctx.commit(steering.resume, 1, "on it goes", now())
    ask(endpoint)
    judge(ctx, Verdict.ACCEPTED)
    assert shown(url) == {"rows": {2: (0.0, 2)}, "hidden": ["later_trial"]}
    private = vendor.submit(endpoint, configuration={"reasoning_effort": "high"}, visibility="private")
    open_ = vendor.submit(endpoint, configuration={"reasoning_effort": "high"})
    ask(endpoint, endpoint)
    judge(ctx, Verdict.WRONG_ANSWER, Verdict.ACCEPTED)
    assert [vendor.state(each)["state"] for each in (private, open_)] == ["published"] * 2
    assert shown(url)["rows"] == {2: (0.0, 2), 4: (100.0, 1)}, "what is private has no place"


def test_a_public_void_by_a_maintainer_lets_the_next_trial_stand(
    ctx: Context, url: str, vendor: Vendor, server: ModelServer
) -> None:
    publish(ctx, COUNT)
    vendor.model("orion")
    endpoint = vendor.endpoint(server.url)
    for _order in range(2):
        vendor.submit(endpoint)
    tasks.sweep()
    with pytest.raises(Conflict, match="no prompt"):
        ctx.commit(steering.void, 1, "too early", now())
    ask(endpoint, endpoint)
    judge(ctx, Verdict.WRONG_ANSWER, Verdict.ACCEPTED)
    ctx.commit(steering.cancel, 1, "its vendor asks for it", now())
    assert shown(url) == {"rows": {}, "hidden": ["later_trial", "retired"]}
    tasks.aggregate()
    with pytest.raises(InvalidInput, match="reason"):
        ctx.commit(steering.void, 1, " ", now())
    assert shown(url)["rows"] == {}
    done = tidemark(ctx.settings, "run", "void", "1", "--reason", "our template was wrong")
    assert done.exit_code == 0, done.output
    assert done.stdout == "run 1 is void; run 2 stands now. The public ledger says so.\n"
    tasks.aggregate()
    assert shown(url) == {"rows": {2: (100.0, 1)}, "hidden": ["voided"]}
    with httpx.Client(base_url=url, timeout=60, verify=NO_AUTHORITIES) as client:
        [line], [moved, left] = (
            client.get("/api/v1/ledger", params={"kind": kind}).json()["data"]
            for kind in ("score.voided", "score.changed")
        )
        pages = [client.get(f"/{locale}/changes?kind=score.voided").text for locale in ("en", "zh")]
        boards = [client.get(f"/{locale}/?protocol=fresh").text for locale in ("en", "zh")]
    about = {"protocol": "fresh", "configuration": ""}
    assert (line["subject"], line["reason"]) == ("orion", "our template was wrong")
    assert (line["before"], line["after"]) == (about | {"run": 1, "trial": 1}, about | {"run": 2, "trial": 2})
    assert [word in page for word, page in zip(("score void", "成绩作废"), pages, strict=True)] == [True, True]
    assert [word in page for word, page in zip(("1 void", "1 个已作废"), boards, strict=True)] == [True, True]
    assert (moved["subject"], moved["reason"]) == ("orion", line["reason"])
    for each, values in ((left, [1, 0.0, None, None]), (moved, [None, None, 2, 100.0])):
        assert [each[side][name] for side in ("before", "after") for name in ("run", "score")] == values
    assert [each["line"] for each in moved["after"]["because"]] == [line["id"]]
    with ctx.sessions() as session:
        assert session.scalar(select(AuditEntry.reason).where(AuditEntry.action == "run.voided")) == line["reason"]
    with pytest.raises(Conflict, match="void already"):
        ctx.commit(steering.void, 1, "again", now())
    ctx.commit(steering.void, 2, "this one as well", now())
    assert shown(url) == {"rows": {}, "hidden": ["voided", "voided"]}
