"""The rules of webhooks: signatures as the independent library reads them, and the delays of retries."""

from datetime import UTC, datetime, timedelta

import pytest
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from app.domain.vendors.webhooks import MAX_DELIVERY_ATTEMPTS, SECRET_BYTES, next_delivery, sign, webhook_secret

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)


def test_the_independent_library_verifies_what_is_signed_by_either_secret() -> None:
    old, new, other = (webhook_secret(bytes([n]) * SECRET_BYTES) for n in range(3))
    body = '{"name":"零"}'.encode()
    headers = sign([new, old], "evt_1", datetime.now(UTC), body)
    for secret in (old, new):
        assert Webhook(secret).verify(body, headers) == {"name": "零"}
    with pytest.raises(WebhookVerificationError):
        Webhook(other).verify(body, headers)
    with pytest.raises(WebhookVerificationError):
        Webhook(new).verify(body + b" ", headers)
    with pytest.raises(WebhookVerificationError):
        Webhook(new).verify(body, headers | {"webhook-id": "evt_2"})


def test_a_secret_of_another_form_is_refused() -> None:
    with pytest.raises(ValueError, match="whsec_ and base64"):
        sign(["whsec_no!"], "evt_1", NOW, b"")


def test_retries_go_on_for_three_days_and_then_end() -> None:
    waits = [next_delivery(attempts, NOW, 0) for attempts in range(1, MAX_DELIVERY_ATTEMPTS + 1)]
    assert waits[-1] is None
    delays = [at - NOW for at in waits[:-1] if at is not None]
    assert delays == sorted(delays)
    assert delays[0] == timedelta(seconds=5)
    assert timedelta(days=3) <= sum(delays, timedelta()) <= timedelta(days=4)


@pytest.mark.parametrize(("asked_s", "waited_s"), [(None, 300), (10, 300), (1000, 1000), (10**9, 86_400)])
def test_a_receiver_may_ask_for_a_longer_wait_of_a_day_at_most(asked_s: float | None, waited_s: float) -> None:
    assert next_delivery(2, NOW, 0, asked_s) == NOW + timedelta(seconds=waited_s)


def test_jitter_lengthens_a_delay_by_a_tenth_at_most() -> None:
    assert next_delivery(2, NOW, 0.5) == NOW + timedelta(seconds=315)
