"""Webhooks: a vendor is told of its orders, verifies what comes, and gets again what it did not receive."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from fakes import model_server
from fakes.model_server import ModelServer, Say
from sqlalchemy import select, text, update
from standardwebhooks.webhooks import Webhook as Verifier
from support.vendors import Vendor, ask, publish, settle, solves

from app.db.tables import VendorEvent, WebhookDelivery
from app.domain.vendors.webhooks import MAX_DELIVERY_ATTEMPTS
from app.services.operations import access
from app.services.vendors import webhook_deliveries
from workers import upkeep
from workers.context import Context, now

TAKEN = Say(b"", 204)


@pytest.fixture
def receiver() -> Iterator[ModelServer]:
    with ModelServer(TAKEN) as made:
        yield made


def created(vendor: Vendor, url: str, **fields: Any) -> str:
    answer = vendor.post("/webhooks", {"url": url} | fields)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def secret(vendor: Vendor, webhook: str) -> str:
    return str(vendor.get(f"/webhooks/{webhook}/secret")["secret"])


def due_again(ctx: Context) -> None:
    """Let the wait of every delivery be over."""
    with ctx.sessions.begin() as session:
        session.execute(update(WebhookDelivery).values(due_at=now()))


def told(receiver: ModelServer) -> list[Any]:
    return [asked.json["type"] for asked in receiver.asked]


def test_an_order_is_told_of_step_by_step_and_each_message_is_verified(
    ctx: Context, vendor: Vendor, receiver: ModelServer
) -> None:
    webhook = created(vendor, receiver.url)
    publish(ctx)
    vendor.model()
    with ModelServer(solves) as server:
        endpoint = vendor.endpoint(server.url)
        order = vendor.submit(endpoint)
        settle(ctx, endpoint)
    upkeep.notify_vendors()
    verifier = Verifier(secret(vendor, webhook))
    events = [verifier.verify(asked.body, dict(asked.headers)) for asked in receiver.asked]
    steps = [event["type"] for event in events if event["type"].startswith("submission.")]
    assert steps[-1] == "submission.published"
    assert "submission.generating" in steps
    assert "contest.judged" in told(receiver)
    assert {event["data"]["id"] for event in events if event["type"].startswith("submission.")} == {order}
    assert len({asked.headers["webhook-id"] for asked in receiver.asked}) == len(events)
    page = vendor.get(f"/webhooks/{webhook}/deliveries")
    assert {(each["state"], each["attempts"], each["status"]) for each in page["data"]} == {("delivered", 1, 204)}
    listed = vendor.get("/events")
    assert [each["id"] for each in listed["data"]] == [event["id"] for event in events]
    assert vendor.get(f"/events?cursor={listed['next_cursor']}")["data"] == []
    upkeep.notify_vendors()
    assert len(receiver.asked) == len(events)  # nothing twice


def test_only_what_was_asked_for_is_sent_and_nothing_of_others(
    ctx: Context, url: str, vendor: Vendor, receiver: ModelServer
) -> None:
    created(vendor, receiver.url, events=["cutoff.decided"])
    other = Vendor(ctx, url, "other")
    publish(ctx)
    with other.client, ModelServer(solves) as server:
        other.model("theirs")
        other.submit(other.endpoint(server.url, "theirs"))
        vendor.model()
        vendor.submit(vendor.endpoint(server.url))
        ask()
        upkeep.notify_vendors()
        assert told(receiver) == ["cutoff.decided"]
        assert {each["type"] for each in other.get("/events")["data"]} >= {"cutoff.decided", "submission.queued"}
        webhook = vendor.get("/webhooks")["data"][0]["id"]
        for path in ("", "/secret", "/deliveries"):
            assert other.client.get(f"/webhooks/{webhook}{path}").status_code == 404
        assert other.client.patch(f"/webhooks/{webhook}", json={"enabled": False}).status_code == 404
        assert other.client.delete(f"/webhooks/{webhook}").status_code == 404
        assert other.post(f"/webhooks/{webhook}/test").status_code == 404


@pytest.mark.parametrize(
    ("said", "status", "words"),
    [
        (model_server.error(500), 500, "it answered 500"),
        (Say(b"", 302, {"location": "http://127.0.0.1:9/"}), 302, "it answered 302"),
        (model_server.html(404), 404, "it answered 404"),
    ],
)
def test_what_is_not_received_is_sent_again_and_can_be_sent_anew(
    ctx: Context, vendor: Vendor, said: Say, status: int, words: str
) -> None:
    with ModelServer(model_server.in_turn(said, TAKEN)) as receiver:
        webhook = created(vendor, receiver.url)
        event = vendor.post(f"/webhooks/{webhook}/test").json()["event"]["id"]
        upkeep.notify_vendors()
        [failed] = vendor.get(f"/webhooks/{webhook}/deliveries")["data"]
        assert (failed["state"], failed["status"]) == ("pending", status)
        assert words in failed["failure"]
        assert failed["next_attempt_at"] > failed["sent_at"]
        due_again(ctx)
        upkeep.notify_vendors()
        [taken] = vendor.get(f"/webhooks/{webhook}/deliveries")["data"]
        assert (taken["state"], taken["attempts"], taken["failure"]) == ("delivered", 2, None)
        assert vendor.post(f"/webhooks/{webhook}/deliveries/{event}/redeliver").status_code == 200
        upkeep.notify_vendors()
        assert {asked.headers["webhook-id"] for asked in receiver.asked} == {event}
        assert len(receiver.asked) == 3


def test_a_closed_port_is_named_and_a_receiver_that_never_takes_anything_is_switched_off(
    ctx: Context, vendor: Vendor
) -> None:
    webhook = created(vendor, "http://127.0.0.1:9/hook")
    vendor.post(f"/webhooks/{webhook}/test")
    for _ in range(MAX_DELIVERY_ATTEMPTS):
        due_again(ctx)
        upkeep.notify_vendors()
    [delivery] = vendor.get(f"/webhooks/{webhook}/deliveries")["data"]
    assert (delivery["state"], delivery["attempts"]) == ("failed", MAX_DELIVERY_ATTEMPTS)
    assert "refuse" in delivery["failure"]
    found = vendor.get(f"/webhooks/{webhook}")
    assert "received nothing" in found["disabled_reason"]
    assert vendor.post(f"/webhooks/{webhook}/test").status_code == 409
    assert vendor.client.patch(f"/webhooks/{webhook}", json={"enabled": True}).json()["disabled_at"] is None
    assert vendor.post(f"/webhooks/{webhook}/test").status_code == 200


def test_a_receiver_that_is_gone_gets_nothing_more(vendor: Vendor) -> None:
    with ModelServer(Say(b"", 410)) as receiver:
        webhook = created(vendor, receiver.url)
        vendor.post(f"/webhooks/{webhook}/test")
        vendor.post(f"/webhooks/{webhook}/test")
        upkeep.notify_vendors()
        assert len(receiver.asked) == 1
        assert "410" in vendor.get(f"/webhooks/{webhook}")["disabled_reason"]


def test_two_secrets_sign_while_one_is_replaced(vendor: Vendor, receiver: ModelServer) -> None:
    webhook = created(vendor, receiver.url)
    before = secret(vendor, webhook)
    assert vendor.post(f"/webhooks/{webhook}/rotate").json()["old_secret_until"] is not None
    after = secret(vendor, webhook)
    assert before != after
    vendor.post(f"/webhooks/{webhook}/test")
    upkeep.notify_vendors()
    [asked] = receiver.asked
    for each in (before, after):
        Verifier(each).verify(asked.body, dict(asked.headers))


def test_no_secret_of_a_webhook_is_in_clear_in_the_database(
    ctx: Context, vendor: Vendor, receiver: ModelServer
) -> None:
    webhook = created(vendor, receiver.url)
    known = secret(vendor, webhook)
    with ctx.sessions() as session:
        for table in ("webhooks", "idempotency", "audit_log", "vendor_events"):
            rows = session.execute(text(f"SELECT t::text FROM {table} t")).scalars().all()
            assert not any(known in row or known.removeprefix("whsec_") in row for row in rows)


@pytest.mark.parametrize(
    "address",
    [
        "http://169.254.169.254/latest", "http://10.0.0.1/", "https://[::1]/", "ftp://example.com/", "https://",
        "https://user:pw@example.com/", "http://8.8.8.8/", "nothing",
    ],
)  # fmt: skip
def test_an_address_that_may_not_be_called_is_refused(vendor: Vendor, receiver: ModelServer, address: str) -> None:
    answer = vendor.post("/webhooks", {"url": address})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/url"), answer.text
    webhook = created(vendor, receiver.url)
    changed = vendor.client.patch(f"/webhooks/{webhook}", json={"url": address})
    assert (changed.status_code, changed.json()["code"]) == (422, "address_refused"), changed.text


def test_an_unknown_event_is_refused_with_those_that_are(vendor: Vendor) -> None:
    answer = vendor.post("/webhooks", {"url": "http://127.0.0.1:9/", "events": ["submission.won"]})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == "/events"
    assert "submission.published" in answer.json()["detail"]


def test_a_key_that_is_about_to_end_is_told_of_once(ctx: Context, vendor: Vendor, receiver: ModelServer) -> None:
    created(vendor, receiver.url)
    short = ctx.commit(access.issue_key, "acme", ["submissions:read"], now(), days=3)
    for _ in range(2):
        upkeep.notify_vendors()
    assert told(receiver) == ["key.expiring"]
    assert receiver.asked[0].json["data"]["prefix"] == short.split("_")[1]


def test_a_message_whose_sender_died_is_sent_by_another(ctx: Context, vendor: Vendor, receiver: ModelServer) -> None:
    webhook = created(vendor, receiver.url)
    vendor.post(f"/webhooks/{webhook}/test")
    [lost] = ctx.commit(webhook_deliveries.claim_messages, now(), ctx.vault)
    assert ctx.commit(webhook_deliveries.claim_messages, now(), ctx.vault) == []
    later = now() + timedelta(minutes=3)
    [found] = ctx.commit(webhook_deliveries.claim_messages, later, ctx.vault)
    assert found.delivery_id == lost.delivery_id
    assert found.token != lost.token


def test_old_events_are_deleted_with_their_deliveries(ctx: Context, vendor: Vendor, receiver: ModelServer) -> None:
    webhook = created(vendor, receiver.url)
    vendor.post(f"/webhooks/{webhook}/test")
    upkeep.notify_vendors()
    vendor.post(f"/webhooks/{webhook}/test")  # waits
    ctx.commit(webhook_deliveries.delete_old_events, now() + timedelta(days=91))
    with ctx.sessions() as session:
        assert len(session.scalars(select(VendorEvent)).all()) == 1
    assert vendor.client.delete(f"/webhooks/{webhook}").status_code == 204
