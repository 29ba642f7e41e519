"""The client package: it is what the API's description gives, and it orders at a real service and over a bad line."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from fakes import model_server
from fakes.model_server import ModelServer, Say
from served import NO_AUTHORITIES
from support.batches import START
from support.proven import RECORDS
from support.rules import ROOT
from support.vendors import Vendor, accept, ask, judge, move_on, publish, show, solves
from tidemark_client import ApiError, Client, OrderFailed, WaitedTooLong
from tidemark_client.__main__ import FAILED, LATE, WRONG, main, make_parser

from workers import tasks
from workers.context import Context

PACKAGE = ROOT / "clients" / "python"
DAYS = ("--from", f"{START:%Y-%m-%d}", "--to", f"{START + timedelta(days=30):%Y-%m-%d}")


@pytest.fixture
def client(url: str, vendor: Vendor) -> Iterator[Client]:
    with Client(url, vendor.key, verify=NO_AUTHORITIES, timeout_s=120, sleep=lambda _: None) as made:
        yield made


@pytest.fixture
def line(url: str, vendor: Vendor, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the command line reads of its environment."""
    monkeypatch.setenv("TIDEMARK_URL", url)
    monkeypatch.setenv("TIDEMARK_KEY", vendor.key)


def test_the_package_is_what_the_description_gives(url: str, tmp_path: Path) -> None:
    described = tmp_path / "openapi.json"
    described.write_bytes(httpx.get(f"{url}/api/v1/openapi.json", timeout=120, verify=NO_AUTHORITIES).content)
    made = tmp_path / "made"
    made.mkdir()
    subprocess.run([sys.executable, PACKAGE / "generate.py", described, made], check=True, timeout=300, cwd=ROOT)
    for name in ("shapes.py", "operations.py"):
        kept = PACKAGE / "tidemark_client" / name
        if os.environ.get(RECORDS) == "1":
            kept.write_bytes((made / name).read_bytes())
        assert (made / name).read_text() == kept.read_text(), f"write {name} anew by clients/python/generate.py"


def ordered(ctx: Context, client: Client, server: ModelServer) -> Any:
    publish(ctx)
    client.create_model({"slug": "orion", "name": "Orion", "cutoff": {
        "date": "2020-01-01", "evidence_url": "https://example.com/card"}})  # fmt: skip
    accept(ctx, "orion")
    return client.create_endpoint({"model": "orion", "remote_name": "orion-1", "base_url": server.url})


def test_an_order_is_made_and_waited_for(
    ctx: Context, client: Client, line: None, capsys: pytest.CaptureFixture[str]
) -> None:
    with ModelServer(solves) as server:
        endpoint = ordered(ctx, client, server)
        arguments = ["submit", "--endpoint", str(endpoint["id"]), *DAYS, "--idempotency-key", "build-7", "--json"]
        assert main(arguments) == 0
        order = json.loads(capsys.readouterr().out)
        assert main(arguments) == 0
        assert json.loads(capsys.readouterr().out)["id"] == order["id"], "the same name orders once"
        assert main(["wait", order["id"], "--timeout", "0"]) == LATE
        move_on()
        tasks.probe_endpoints()
        ask(endpoint["id"])
        judge(ctx)
        show()
    told = []
    found = client.wait(order["id"], timeout_s=0, tell=lambda each: told.append(each["state"]))
    assert (found["state"], told) == ("published", ["published"])
    assert [each["id"] for each in client.all(client.list_submissions, limit=1)] == [order["id"]]


def test_an_order_that_does_not_end_well_is_told_by_the_exit_status(
    ctx: Context, client: Client, line: None, capsys: pytest.CaptureFixture[str]
) -> None:
    with ModelServer(solves) as server:
        endpoint = ordered(ctx, client, server)
        order = client.create_submission({"endpoint": endpoint["id"], "continuous": True})
    with pytest.raises(WaitedTooLong):
        client.wait(order["id"], timeout_s=0)
    client.cancel_submission(order["id"])
    with pytest.raises(OrderFailed, match="cancelled"):
        client.wait(order["id"])
    assert main(["wait", order["id"], "--json"]) == FAILED
    assert json.loads(capsys.readouterr().out)["state"] == "cancelled"
    assert main(["status", "sub_nobody"]) == FAILED
    assert "not_found" in capsys.readouterr().err


def test_a_change_bears_the_tag_of_what_was_read_and_a_forecast_places_nothing(
    ctx: Context, client: Client, url: str, vendor: Vendor
) -> None:
    with ModelServer(solves) as server:
        endpoint = ordered(ctx, client, server)
    with pytest.raises(ApiError, match="If-Match"):
        client.update_endpoint(endpoint["endpoint_id"], {"max_concurrency": 2})
    client.get_endpoint(endpoint["endpoint_id"])
    with Client(url, vendor.key, verify=NO_AUTHORITIES) as other:
        other.get_endpoint(endpoint["endpoint_id"])
        assert other.update_endpoint(endpoint["endpoint_id"], {"max_concurrency": 3})["max_concurrency"] == 3
        assert other.update_endpoint(endpoint["endpoint_id"], {"max_concurrency": 4})["max_concurrency"] == 4
    with pytest.raises(ApiError) as late:
        client.update_endpoint(endpoint["endpoint_id"], {"max_concurrency": 2})
    assert late.value.status == 412
    forecast = client.forecast({"endpoint": endpoint["id"], "continuous": True})
    assert (forecast["object"], forecast["rank"]["ranked"]) == ("dry_run", True)
    assert client.list_submissions()["data"] == []


def test_without_an_address_the_command_line_is_wrong(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("TIDEMARK_URL", raising=False)
    assert main(["status", "sub_1"]) == WRONG
    assert "TIDEMARK_URL" in capsys.readouterr().err


def test_a_refusal_says_what_is_wrong(client: Client) -> None:
    with pytest.raises(ApiError) as refused:
        client.create_model({"slug": "Not A Slug", "name": "x"})
    assert (refused.value.status, refused.value.code) == (422, "invalid_input")
    assert refused.value.problem["errors"][0]["pointer"] == "/slug"


@pytest.mark.parametrize(
    "fault",
    [
        model_server.error(503, headers={"retry-after": "7"}), model_server.rate_limited("7"), model_server.html(502),
        model_server.as_json({"code": "in_progress"}, 409, headers={"retry-after": "7"}),
    ],
)  # fmt: skip
def test_a_repeat_bears_the_same_key_and_waits_as_long_as_it_is_asked_to(fault: Say) -> None:
    rests: list[float] = []
    with ModelServer(model_server.in_turn(fault, fault, model_server.as_json({"slug": "orion"}))) as server:
        with Client(server.url, "tm_a_b", sleep=rests.append) as client:
            assert client.create_model({"slug": "orion", "name": "Orion"})["slug"] == "orion"
        keys = {asked.headers["idempotency-key"] for asked in server.asked}
    assert (len(server.asked), len(keys), len(rests)) == (3, 1, 2)
    assert all(rest >= (7 if b"Welcome" not in fault.body else 0.5) for rest in rests)


def test_a_closed_port_is_tried_as_often_as_was_said() -> None:
    rests: list[float] = []
    with Client("http://127.0.0.1:9", retries=2, sleep=rests.append) as client, pytest.raises(httpx.ConnectError):
        client.list_boards()
    assert len(rests) == 2


def test_the_ci_files_call_the_command_with_arguments_that_it_knows() -> None:
    action = yaml.safe_load((PACKAGE / "ci" / "github-action.yml").read_text())
    job = yaml.safe_load((PACKAGE / "ci" / "gitlab.yml").read_text())["tidemark"]
    assert action["runs"]["using"] == "composite"
    for script in (action["runs"]["steps"][-1]["run"], job["script"][-1]):
        call = script.partition("tidemark-client ")[2].partition(">")[0].replace("\\\n", " ")
        words = [word for word in shlex.split(call) if "ARGUMENTS" not in word]
        given = make_parser().parse_args(["120" if "TIMEOUT" in word else word for word in words])
        assert (given.wait, given.json) == (True, True)
