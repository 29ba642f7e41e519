"""Who has been sent the problems gains no rank by ordering again, under whatever name and at whatever address."""

from dataclasses import replace
from datetime import timedelta

import httpx
import pytest
from factories import World
from fakes.model_server import ModelServer
from served import NO_AUTHORITIES
from sqlalchemy import select
from support.batches import START, batch, problem
from support.vendors import Vendor, ask, order, publish, rows_of, settle, solves

from app.db.tables import Run, Submission
from app.domain.consensus.prompts import setter_tasks
from app.domain.imports import ImportedStatement
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Form
from app.services.runs import imports
from app.services.runs.consensus import setters
from app.services.runs.consensus.setters import NewSetter
from app.services.runs.control import start
from app.services.runs.control.endpoints import NewEndpoint
from app.services.runs.control.start import RunRequest
from app.services.runs.endpoint_secrets import Vault
from workers.context import Context, now
from workers.inference.backends import check_run

COUNT = 2


@pytest.mark.usefixtures("published")
def test_a_vendor_that_was_sent_the_problems_has_no_rank_when_it_orders_again(
    ctx: Context, url: str, vendor: Vendor, server: ModelServer
) -> None:
    settle(ctx, order(vendor, server.url, "orion"), verdict=Verdict.WRONG_ANSWER)
    settle(ctx, order(vendor, server.url.replace("127.0.0.1", "localhost"), "lyra"))
    rows = rows_of(url)
    assert (rows["orion"]["score"], rows["orion"]["rank"], rows["orion"]["served"]) == (0.0, 1, 0)
    assert (rows["lyra"]["score"], rows["lyra"]["rank"]) == (100.0, None)
    assert (rows["lyra"]["served"], rows["lyra"]["exposed"], rows["lyra"]["started_by"]) == (COUNT, COUNT, "vendor")
    assert rows_of(url, exposure="split")["lyra"]["score"] is None, "nothing clean is left"
    assert rows_of(url, exposure="hide").keys() == {"orion"}
    assert [rows_of(url, rules="lcb")[name]["rank"] for name in ("lyra", "orion")] == [1, 2]
    with httpx.Client(base_url=url, timeout=60, verify=NO_AUTHORITIES) as client:
        page = client.get("/en/?protocol=fresh").text
        assert f"{COUNT} already sent to vendor" in page
        ledger = client.get("/api/v1/exposures").json()["exposures"]
        split = {"protocol": "fresh", "exposure": "split"}
        composed = client.get("/api/v1/boards/codegen/composites", params=split).json()["rows"]
        solved = client.get("/api/v1/boards/codegen/solve-rates", params=split).json()
    assert len(ledger) == 2 * COUNT, "every sending is kept"
    counts = {row["model"]: sum(level["wanted"] for level in row["levels"].values()) for row in composed}
    assert (counts["orion"], counts["lyra"]) == (COUNT, 0), "no table counts what the score does not"
    assert (solved["nobody"], solved["everybody"]) == (COUNT, 0)


@pytest.mark.usefixtures("published")
def test_runs_that_were_registered_before_the_first_sending_do_not_expose_each_other(
    ctx: Context, url: str, vendor: Vendor, server: ModelServer
) -> None:
    one = order(vendor, server.url, "orion")
    other = order(vendor, server.url, "lyra")
    vendor.submit(other, configuration={"reasoning_effort": "high"})
    settle(ctx, one, other, other)
    rows = rows_of(url)
    assert {name: (row["rank"], row["served"]) for name, row in rows.items()} == {"orion": (1, 0), "lyra": (1, 0)}


@pytest.mark.usefixtures("published")
def test_the_address_tells_who_it_is_under_another_name(
    ctx: Context, url: str, vendor: Vendor, server: ModelServer
) -> None:
    settle(ctx, order(vendor, server.url, "orion"), verdict=Verdict.WRONG_ANSWER)
    other = Vendor(ctx, url, "zenith")
    with other.client, ModelServer(solves) as elsewhere:
        settle(ctx, order(other, server.url.replace("http://", "HTTP://") + "/v2/", "nadir"))
        settle(ctx, order(other, elsewhere.url, "halo"))
    rows = rows_of(url)
    assert {name: (row["rank"], row["served"]) for name, row in rows.items()} == {
        "orion": (1, 0),
        "nadir": (None, COUNT),
        "halo": (None, COUNT),  # of the same organisation by now
    }


@pytest.mark.usefixtures("published")
def test_one_text_under_two_sources_is_one_problem(ctx: Context, url: str, vendor: Vendor, server: ModelServer) -> None:
    """Whatever white space and markup a source has."""
    settle(ctx, order(vendor, server.url, "orion"), verdict=Verdict.WRONG_ANSWER)
    again = [
        replace(
            each, statements={"en": ImportedStatement(each.title, f"<p>Add  <B>two</B>\nnumbers&nbsp;(${n}$).</p>")}
        )
        for n, each in enumerate(problem(number, source="leetcode") for number in range(COUNT))
    ]
    ctx.commit(imports.store_batch, batch(*again, source="leetcode"), now())
    settle(ctx, order(vendor, server.url, "lyra"))
    row = rows_of(url, platform="leetcode")["lyra"]
    assert (row["rank"], row["served"], row["exposed"]) == (None, COUNT, COUNT)


@pytest.mark.usefixtures("published")
def test_what_maintainers_begin_is_marked_and_keeps_its_rank(
    ctx: Context, url: str, vendor: Vendor, server: ModelServer
) -> None:
    settle(ctx, order(vendor, server.url, "orion"), verdict=Verdict.WRONG_ANSWER)
    with ctx.sessions.begin() as session:
        World(session).model("lyra", organisation_name=" ACME ")
        endpoint = NewEndpoint("lyra", "openai_chat", "lyra", server.url)
        wanted = RunRequest("lyra", "fresh", "to see", endpoint)
        started = start.start(session, wanted, now(), Vault(None), check_run).run
        asked = session.get_one(Run, started).endpoint_id
    assert asked is not None
    settle(ctx, asked)
    row = rows_of(url)["lyra"]
    assert (row["run"], row["rank"], row["served"], row["exposed"]) == (started, 1, COUNT, 0)
    assert row["started_by"] == "maintainers"
    for locale, words in (("en", "run by maintainers"), ("zh", "由维护者发起")):
        with httpx.Client(base_url=url, timeout=60, verify=NO_AUTHORITIES) as client:
            assert client.get(f"/{locale}/?protocol=fresh").text.count(words) == 1, "of the two it is one"
    with httpx.Client(base_url=url, timeout=60, verify=NO_AUTHORITIES) as client:
        [run] = client.get("/api/v1/models/lyra").json()["runs"]
    assert [cell["exposed"] for cell in run["cells"]] == [False] * COUNT
    assert rows_of(url, started_by="vendor").keys() == {"orion"}
    assert rows_of(url, started_by="maintainers").keys() == {"lyra"}


def test_a_run_that_was_registered_before_its_problems_is_prospective_and_can_be_shown_alone(
    ctx: Context, url: str, vendor: Vendor, server: ModelServer
) -> None:
    early = order(vendor, server.url, "orion")
    publish(ctx, COUNT)
    with ctx.sessions.begin() as session:
        for submission in session.scalars(select(Submission)):
            submission.created_at = START - timedelta(days=1)
    settle(ctx, early, order(vendor, server.url, "lyra"))
    rows = rows_of(url)
    assert {name: row["prospective"] for name, row in rows.items()} == {"orion": True, "lyra": False}
    assert rows["orion"]["registered_at"] < START.isoformat()
    alone = rows_of(url, prospective="only")
    assert alone.keys() == {"orion"}
    assert alone["orion"] == rows["orion"], "its place and range are among all rows, as with every filter of rows"
    lags = {name: row["lag_days"] for name, row in rows.items()}
    assert all(lag is not None and lag >= 0 for lag in lags.values()), lags
    with httpx.Client(base_url=url, timeout=60, verify=NO_AUTHORITIES) as client:
        page = client.get("/en/?protocol=fresh").text
        assert ">prospective<" in page
        assert page.count("<dt>Lag</dt>") == 3, "of either row, and what it means"


def test_a_vendor_whose_setters_were_asked_about_the_problems_has_no_rank_by_a_later_order(
    ctx: Context, url: str, vendor: Vendor
) -> None:
    """Its setter is asked elsewhere, and its name is spelt otherwise: it has read the problems all the same."""
    given = (problem(number, source="atcoder") for number in range(COUNT))
    early = [replace(each, tests=(), programs=(), shipped_proof=None) for each in given]
    with ModelServer(solves) as consensus, ModelServer(solves) as ranked, ModelServer(solves) as elsewhere:
        first = order(vendor, ranked.url, "orion")
        ctx.commit(imports.store_batch, batch(*early, source="atcoder"), now())
        ask(*(add_setter(ctx, name, spelt, consensus.url) for name, spelt in (("one", " ACME "), ("two", "birds"))))
        assert len(consensus.asked) == 2 * COUNT * len(setter_tasks(Form.STDIN)), "of both all that setters write"
        publish(ctx, COUNT)
        other = Vendor(ctx, url, "zenith")
        with other.client:
            settle(ctx, first, order(vendor, ranked.url, "lyra"), order(other, elsewhere.url, "halo"))
    rows = rows_of(url)
    assert {name: (row["rank"], row["served"], row["exposed"]) for name, row in rows.items()} == {
        "orion": (1, 0, 0),  # ordered before anybody was asked
        "lyra": (None, COUNT, COUNT),
        "halo": (1, 0, 0),
    }
    assert rows_of(url, exposure="hide").keys() == {"orion", "halo"}


def add_setter(ctx: Context, name: str, vendor: str, url: str) -> int:
    """A setter that is asked there; its endpoint."""
    with ctx.sessions.begin() as session:
        endpoint = NewEndpoint(name, "openai_chat", name, url)
        line = setters.add(session, NewSetter(name, vendor, endpoint, "to see"), now(), Vault(None), check_run)
        asked = session.get_one(Run, line.run).endpoint_id
    assert asked is not None
    return asked
