"""What vendors' calls leave in logs: nothing secret."""

import logging
from collections.abc import Iterator

import pytest
from structlog.testing import capture_logs
from support.vendor_routes import Tenant, vendor_site
from support.vendors import SECRET

from workers.context import Context


@pytest.fixture
def acme(ctx: Context) -> Iterator[Tenant]:
    with vendor_site(ctx) as site, site.tenant("acme") as made:
        yield made


def test_no_log_has_a_secret_whatever_is_called(acme: Tenant, caplog: pytest.LogCaptureFixture) -> None:
    """Every route with a good key and with a bad one, with and without a body, and what the workers then send."""
    made = acme.vendor.get(f"/webhooks/{acme.ids['webhooks']}/secret")["secret"]
    bad = "tm_0123456789ab_a-secret-that-opens-nothing"
    with caplog.at_level(logging.DEBUG), capture_logs() as events:
        for route in acme.routes:
            for key, body in ((acme.vendor.key, None), (bad, None), (acme.vendor.key, {"secret": SECRET, "x": bad})):
                given = {"Authorization": f"Bearer {key}"} | dict.fromkeys(route.headers, f"{SECRET}-{route.name}")
                params = dict.fromkeys(route.queries & {"wait_s"}, "0") | ({"token": bad} if body else {})
                answer = acme.client.request(
                    route.method, route.address(acme.ids), json=body or acme.body(route), headers=given, params=params
                )
                assert SECRET not in answer.text.replace(f"{SECRET}-", ""), route.name
        acme.make("webhooks")
        acme.client.post(f"/webhooks/{acme.ids['webhooks']}/test", headers={"Idempotency-Key": "x"})
    ours = [record for record in caplog.records if not record.name.startswith(("httpx", "httpcore", "asyncio"))]
    told = "\n".join([*map(str, events), *(record.getMessage() for record in ours)])
    for secret in (SECRET, bad, acme.vendor.key, acme.vendor.key.split("_", 2)[2], made, made.removeprefix("whsec_")):
        assert secret not in told, told[:2000]


def test_a_failure_of_ours_tells_no_secret_either(
    ctx: Context, acme: Tenant, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database is gone while each route is called: the log has the failure and no value of the request."""

    def fail(*_rest: object, **_named: object) -> object:
        raise RuntimeError("the pool is broken")

    monkeypatch.setattr(type(ctx.sessions), "__call__", fail)
    monkeypatch.setattr(type(ctx.sessions), "begin", fail)
    with caplog.at_level(logging.DEBUG), capture_logs() as events:
        statuses = {
            acme.client.request(
                route.method, route.address(acme.ids), json=acme.body(route) and {**acme.body(route), "secret": SECRET},
                headers=dict.fromkeys(route.headers, SECRET) | {"Connection": "close"},
            ).status_code
            for route in acme.routes
        }  # fmt: skip
    monkeypatch.undo()
    assert 500 in statuses
    assert events
    told = str(events) + "".join(f"{record.getMessage()} {record.exc_text}" for record in caplog.records)
    for secret in (SECRET, acme.vendor.key, acme.vendor.key.split("_", 2)[2]):
        assert secret not in told
