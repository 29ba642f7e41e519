"""At one host everything is one deployment, and at a gateway each tenant is: nobody escapes, and no neighbour costs."""

import httpx
import pytest
from fakes.model_server import ModelServer
from served import NO_AUTHORITIES
from support.commands import tidemark
from support.vendors import Vendor, order, rows_of, settle

from app.domain.judging.verdicts import Verdict
from workers import tasks
from workers.context import Context

pytestmark = pytest.mark.usefixtures("published")

COUNT = 2


def named(vendor: Vendor, url: str, model: str, remote_name: str) -> int:
    """An order for a model of its own, which has that name at its endpoint."""
    vendor.model(model)
    endpoint = vendor.endpoint(url, model, remote_name=remote_name)
    vendor.submit(endpoint)
    return endpoint


def standings(url: str, *models: str) -> list[tuple[int | None, int]]:
    rows = rows_of(url)
    return [(rows[model]["rank"], rows[model]["served"]) for model in models]


def test_another_path_or_name_at_one_host_is_the_same_deployment(
    ctx: Context, url: str, vendor: Vendor, server: ModelServer
) -> None:
    """A vendor reads the problems under a second organisation, at its own host, which is no gateway."""
    puppet = Vendor(ctx, url, "puppet")
    with puppet.client:
        settle(ctx, named(puppet, f"{server.url}/hidden/v2", "probe", "some/other-name"))
    settle(ctx, order(vendor, server.url, "orion"))
    assert standings(url, "orion") == [(None, COUNT)]


def test_a_neighbour_at_a_stated_gateway_costs_no_rank(
    ctx: Context, url: str, vendor: Vendor, server: ModelServer
) -> None:
    """It did until a maintainer stated the gateway; one who is of the same namespace still does."""
    neighbour, puppet = Vendor(ctx, url, "neighbour"), Vendor(ctx, url, "puppet")
    with neighbour.client, puppet.client:
        settle(ctx, named(neighbour, f"{server.url}/n", "gull", "Birds/gull"), verdict=Verdict.WRONG_ANSWER)
        settle(ctx, named(vendor, server.url, "orion", "acme/orion"))
        assert standings(url, "orion") == [(None, COUNT)]
        done = tidemark(ctx.settings, "gateway", "state", server.url, "--reason", "it sells models of five vendors")
        assert done.exit_code == 0, done.output
        tasks.aggregate()
        assert standings(url, "orion", "gull") == [(1, 0), (2, 0)], "what was sent before is counted anew"
        settle(ctx, named(puppet, server.url, "probe", "ACME/orion-2:free"))
        assert standings(url, "probe") == [(None, COUNT)], "the namespace tells whose it is"
    with httpx.Client(base_url=url, timeout=60, verify=NO_AUTHORITIES) as client:
        [line] = client.get("/api/v1/ledger", params={"kind": "gateway.stated"}).json()["data"]
        assert "登记网关" in client.get("/zh/changes?kind=gateway.stated").text
    address = server.url.removeprefix("http://").split("/")[0]
    assert (line["subject"], line["reason"]) == (address, "it sells models of five vendors")
    assert address in tidemark(ctx.settings, "gateway", "list").stdout
    done = tidemark(ctx.settings, "gateway", "withdraw", server.url, "--reason", "it was no gateway")
    assert done.exit_code == 0, done.output
    tasks.aggregate()
    assert standings(url, "orion") == [(None, COUNT)]
    assert tidemark(ctx.settings, "gateway", "withdraw", server.url, "--reason", "again").exit_code != 0
