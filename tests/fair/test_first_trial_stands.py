"""Of several trials the first that was answered stands: nobody chooses among results."""

from datetime import timedelta
from typing import Any

import httpx
import pytest
from fakes.model_server import Asked, ModelServer, Say, error
from pipeline.flow import judge_one
from served import NO_AUTHORITIES
from sqlalchemy import select
from support.commands import tidemark
from support.vendors import (
    Maintainer,
    Vendor,
    ask,
    judge_runs,
    move_on,
    order,
    rows_of,
    settle,
    show,
    solves,
    trials_of,
)

from app.db.tables import AuditEntry
from app.domain.errors import Conflict, InvalidInput
from app.domain.judging.verdicts import Verdict
from app.services.runs.control import run_control
from workers import tasks
from workers.context import Context, now

pytestmark = pytest.mark.usefixtures("published")

COUNT = 2


def orders(vendor: Vendor, url: str, **of_the_first: Any) -> tuple[int, str, str]:
    """An endpoint and two orders of it, placed at once, so that neither exposes the other."""
    vendor.model("orion")
    endpoint = vendor.endpoint(url)
    return endpoint, vendor.submit(endpoint, **of_the_first), vendor.submit(endpoint)


def test_a_second_order_does_not_replace_a_bad_score(
    ctx: Context, url: str, vendor: Vendor, server: ModelServer
) -> None:
    endpoint, _, _ = orders(vendor, server.url)
    ask(endpoint, endpoint)
    judge_runs(ctx, COUNT, Verdict.WRONG_ANSWER, Verdict.ACCEPTED)
    assert trials_of(url) == {"rows": {1: (0.0, 2)}, "hidden": ["later_trial"]}
    vendor.submit(endpoint)
    ask(endpoint)
    judge_runs(ctx, COUNT, Verdict.ACCEPTED)
    for params in ({}, {"rules": "lcb"}, {"started_by": "vendor"}):
        assert trials_of(url, **params) == {"rows": {1: (0.0, 3)}, "hidden": ["later_trial"] * 2}, params


def test_a_cancelled_order_keeps_the_place_it_has(ctx: Context, url: str, vendor: Vendor, server: ModelServer) -> None:
    endpoint, bad, good = orders(vendor, server.url)
    ask(endpoint, endpoint)
    ctx.commit(judge_one, Verdict.WRONG_ANSWER, now())
    assert vendor.post(f"/submissions/{bad}/cancel").status_code == 200
    judge_runs(ctx, COUNT, Verdict.WRONG_ANSWER, Verdict.ACCEPTED)
    assert vendor.state(good)["state"] == "published"
    assert trials_of(url) == {"rows": {1: (0.0, 2)}, "hidden": ["later_trial"]}


def test_an_embargo_holds_the_place_and_tells_nothing(
    ctx: Context, url: str, vendor: Vendor, server: ModelServer
) -> None:
    until = (now() + timedelta(days=30)).isoformat()
    endpoint, bad, good = orders(vendor, server.url, embargo_until=until)
    ask(endpoint, endpoint)
    assert vendor.post(f"/submissions/{bad}/cancel").status_code == 200
    judge_runs(ctx, COUNT, Verdict.WRONG_ANSWER, Verdict.ACCEPTED)
    assert vendor.state(good)["state"] == "published"
    assert trials_of(url) == {"rows": {}, "hidden": ["later_trial"]}


def test_an_order_that_waited_takes_no_place_from_the_one_that_did_not(
    ctx: Context, url: str, vendor: Vendor, server: ModelServer
) -> None:
    endpoint, _, _ = orders(vendor, server.url)
    move_on()
    ctx.commit(run_control.pause, 1, "a look", now())
    ask(endpoint)
    judge_runs(ctx, COUNT, Verdict.WRONG_ANSWER)
    assert trials_of(url) == {"rows": {2: (0.0, 1)}, "hidden": []}
    ctx.commit(run_control.resume, 1, "on it goes", now())
    ask(endpoint)
    judge_runs(ctx, COUNT, Verdict.ACCEPTED)
    assert trials_of(url) == {"rows": {2: (0.0, 2)}, "hidden": ["later_trial"]}
    private = vendor.submit(endpoint, configuration={"reasoning_effort": "high"}, visibility="private")
    open_ = vendor.submit(endpoint, configuration={"reasoning_effort": "high"})
    ask(endpoint, endpoint)
    judge_runs(ctx, COUNT, Verdict.WRONG_ANSWER, Verdict.ACCEPTED)
    assert [vendor.state(each)["state"] for each in (private, open_)] == ["published"] * 2
    assert trials_of(url)["rows"] == {2: (0.0, 2), 4: (100.0, 1)}, "what is private has no place"


def test_a_public_void_by_a_maintainer_of_another_organisation_lets_the_next_trial_stand(
    ctx: Context, url: str, vendor: Vendor, server: ModelServer
) -> None:
    endpoint, _, _ = orders(vendor, server.url)
    move_on()
    with pytest.raises(Conflict, match="no answer"):
        ctx.commit(run_control.void, 1, "too early", now())
    ask(endpoint, endpoint)
    judge_runs(ctx, COUNT, Verdict.WRONG_ANSWER, Verdict.ACCEPTED)
    grace = Maintainer(ctx, url, "grace@example.org", "acme")
    assert "another maintainer must decide" in grace.decide("run.void", 1, "it went badly").text, (
        "it is of her organisation"
    )
    assert trials_of(url) == {"rows": {1: (0.0, 2)}, "hidden": ["later_trial"]}
    ctx.commit(run_control.cancel, 1, "its vendor asks for it", now())
    assert trials_of(url) == {"rows": {}, "hidden": ["later_trial", "retired"]}
    tasks.aggregate()
    with pytest.raises(InvalidInput, match="reason"):
        ctx.commit(run_control.void, 1, " ", now())
    assert trials_of(url)["rows"] == {}
    done = tidemark(ctx.settings, "run", "void", "1", "--reason", "our template was wrong")
    assert done.exit_code == 0, done.output
    assert done.stdout == "run 1 is void; run 2 stands now. The public ledger records it.\n"
    tasks.aggregate()
    assert trials_of(url) == {"rows": {2: (100.0, 1)}, "hidden": ["voided"]}
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
    with pytest.raises(Conflict, match="already void"):
        ctx.commit(run_control.void, 1, "again", now())
    Maintainer(ctx, url, "ada@example.org").decide("run.void", 2, "this one as well")
    assert trials_of(url) == {"rows": {}, "hidden": ["voided", "voided"]}


@pytest.mark.parametrize("failure", [error(404, "no such path"), error(400, "no such parameter"), error(401, "no key")])
def test_an_order_that_nothing_was_answered_of_is_no_trial_and_unranks_nothing(
    ctx: Context, url: str, vendor: Vendor, failure: Say
) -> None:
    """A mistake on the first day: what was sent is listed, and the corrected order ranks, at whatever endpoint."""
    mended: list[bool] = []
    with ModelServer(lambda asked: solves(asked) if mended else failure) as server, ModelServer(solves) as elsewhere:
        vendor.model("orion")
        endpoint = vendor.endpoint(server.url)
        first = vendor.submit(endpoint)
        ask(endpoint)
        show()
        vendor.post(f"/submissions/{first}/cancel")
        assert vendor.state(first)["state"] in ("cancelled", "failed")
        mended.append(True)
        other = vendor.endpoint(server.url)
        assert other == endpoint, "registered again, it may be asked again"
        vendor.submit(endpoint)
        settle(ctx, endpoint)
        settle(ctx, order(vendor, elsewhere.url, "lyra", visibility="private"))
        with httpx.Client(base_url=url, timeout=60, verify=NO_AUTHORITIES) as client:
            listed = client.get("/api/v1/exposures", params={"model": "orion"}).json()["exposures"]
    [row] = rows_of(url).values()
    assert (row["run"], row["rank"], row["served"], row["score"]) == (2, 1, 0, 100.0)
    assert trials_of(url)["hidden"] == []
    assert len(listed) > COUNT, "what was sent in vain is listed, too"


def test_a_trial_that_hung_takes_no_place_from_the_one_that_was_answered(
    ctx: Context, url: str, vendor: Vendor
) -> None:
    """Otherwise a vendor could let one trial wait, look at the score of the next, and answer the first after all."""
    refusing = [True]

    def says(asked: Asked) -> Say:
        return error(402, "no money") if refusing else solves(asked)

    with ModelServer(says) as server:
        endpoint, _, _ = orders(vendor, server.url)
        move_on()
        ctx.commit(run_control.pause, 2, "a look", now())
        ask(endpoint)  # the first is sent its prompts, and answers none
        ctx.commit(run_control.pause, 1, "another look", now())
        refusing.clear()
        ctx.commit(run_control.resume, 2, "on it goes", now())
        ask(endpoint)
        judge_runs(ctx, COUNT, Verdict.WRONG_ANSWER)
        ctx.commit(run_control.resume, 1, "on it goes", now())
        ask(endpoint)
        judge_runs(ctx, COUNT, Verdict.ACCEPTED)
    assert trials_of(url) == {"rows": {2: (0.0, 2)}, "hidden": ["later_trial"]}
