"""Limits of requests with keys, good and bad, and what is said of them."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
from served import NO_AUTHORITIES, served
from sqlalchemy import select
from structlog.testing import capture_logs
from support.orders import site_of
from support.vendors import Vendor

from app.db.tables import Alert
from app.rate_limits import LimitReached, RateLimiter, RateLimits
from app.services.operations import alerts
from workers.context import Context, now

# Addresses of the documentation's network are refused as visitors: these are public.
ATTACKER, OTHER = "93.184.216.34", "93.184.216.35"


@contextmanager
def limited_site(ctx: Context, **settings: int) -> Iterator[str]:
    """The site with limits of its own, all of whose counts begin at nothing."""
    given = ctx.settings.model_copy(update=settings)
    app = site_of(Context(given, ctx.sessions, ctx.wake))
    app.state.rate_limiter._redis.flushdb()
    with served(app) as url:
        yield url


def read(url: str, key: str, address: str) -> httpx.Response:
    headers = {"Authorization": f"Bearer {key}", "X-Forwarded-For": address}
    return httpx.get(f"{url}/api/v1/vendor/submissions", headers=headers, verify=NO_AUTHORITIES, timeout=60)


def test_failing_keys_of_an_address_are_refused_and_good_ones_go_on(ctx: Context) -> None:
    with limited_site(ctx, failed_keys_per_minute=5) as url:
        good, fresh = Vendor(ctx, url, "acme").key, Vendor(ctx, url, "zenith").key
        assert read(url, good, ATTACKER).status_code == 200
        statuses = [read(url, f"tm_nobody_{number}", ATTACKER).status_code for number in range(8)]
        assert statuses == [401] * 5 + [429] * 3
        refused = read(url, "tm_nobody_9", ATTACKER)
        problem = refused.json()
        assert (problem["code"], problem["owner"], problem["retryable"]) == ("rate_limited", "you", True)
        wait = int(refused.headers["retry-after"])
        assert 1 <= wait <= 60
        assert refused.headers["ratelimit-policy"] == '"failed-keys";q=5;w=60'
        assert re.fullmatch(r'"failed-keys";r=0;t=\d+', refused.headers["ratelimit"])
        assert read(url, good, ATTACKER).status_code == 200, "a key that was valid lately"
        assert read(url, fresh, ATTACKER).status_code == 429, "unknown there, so it is not looked up"
        assert read(url, fresh, OTHER).status_code == 200
        assert read(url, "tm_nobody_0", OTHER).status_code == 401, "another address has its own limit"


def test_failing_keys_of_all_addresses_have_a_limit(ctx: Context) -> None:
    with limited_site(ctx, all_failed_keys_per_minute=6) as url:
        good = Vendor(ctx, url, "acme").key
        assert read(url, good, OTHER).status_code == 200
        statuses = [read(url, "tm_nobody_x", f"93.184.216.{number}").status_code for number in range(1, 9)]
        assert statuses == [401] * 6 + [429] * 2
        assert read(url, good, OTHER).status_code == 200


def test_a_key_has_a_limit_and_is_told_how_much_is_left(ctx: Context) -> None:
    with limited_site(ctx, key_requests_per_minute=3) as url:
        one, two = Vendor(ctx, url, "acme").key, Vendor(ctx, url, "zenith").key
        answers = [read(url, one, OTHER) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert {answer.headers["ratelimit-policy"] for answer in answers} == {'"key";q=3;w=60'}
        left = [answer.headers["ratelimit"].partition(";t=")[0] for answer in answers]
        assert left == ['"key";r=2', '"key";r=1', '"key";r=0', '"key";r=0']
        assert "this key may send 3 requests a minute" in answers[3].json()["detail"]
        assert read(url, two, OTHER).status_code == 200
        assert "ratelimit" not in httpx.get(f"{url}/api/v1/models", verify=NO_AUTHORITIES).headers


def test_without_valkey_nothing_is_refused_and_an_alert_is_raised(ctx: Context) -> None:
    nowhere = {"redis_url": f"redis+socket://{ctx.settings.state_dir}/none.sock"}
    given = ctx.settings.model_copy(update={"failed_keys_per_minute": 1, **nowhere})
    with served(site_of(Context(given, ctx.sessions, ctx.wake))) as url, capture_logs() as events:
        key = Vendor(ctx, url, "acme").key
        assert [read(url, "tm_nobody_x", ATTACKER).status_code for _ in range(3)] == [401] * 3
        assert read(url, key, ATTACKER).status_code == 200
    assert [event["event"] for event in events].count("limits.not_counted") == 1, "once in some seconds"
    with ctx.sessions() as session:
        [alert] = session.scalars(select(Alert))
    assert (alert.key, alert.message[:34]) == ("limits", "limits of requests are not counted")
    ctx.commit(alerts.update_alerts, now())
    with ctx.sessions() as session:
        assert session.scalars(select(Alert.cleared_at)).one() is not None


def test_a_blocked_address_is_refused_without_asking_valkey(ctx: Context) -> None:
    moment = [600.0]
    limiter = RateLimiter(
        site_of(ctx).state.rate_limiter._redis, RateLimits(failures_of_address=1), clock=lambda: moment[0]
    )
    limiter._redis.flushdb()
    limiter.note_valid("good")
    limiter.count_failure("bad-1", ATTACKER)
    with pytest.raises(LimitReached):
        limiter.count_request("bad-2", ATTACKER)
    limiter._redis = None  # type: ignore[assignment]  # any call of it would fail
    limiter.check_blocked("bad-3", ATTACKER)  # one in a tenth of a second is looked up
    with pytest.raises(LimitReached) as refused:
        limiter.check_blocked("bad-4", ATTACKER)
    assert (refused.value.count, refused.value.retry_after_s) == (("failed-keys", 1, 0, 60), 60)
    limiter.check_blocked("good", ATTACKER)
    limiter.check_blocked("bad-5", OTHER)
    moment[0] = 660.0
    for number in range(3):
        limiter.check_blocked(f"bad-{number}", ATTACKER)


def test_counts_begin_anew_each_minute(ctx: Context) -> None:
    minute = [600.0]
    site = site_of(ctx)
    limiter = RateLimiter(site.state.rate_limiter._redis, RateLimits(of_key=2), clock=lambda: minute[0])
    limiter._redis.flushdb()
    assert [limiter.count_request("k", None)[0].left for _ in range(2)] == [1, 0]
    minute[0] = 659.0
    assert limiter.count_request("other", None)[0] == ("key", 2, 1, 1)
    minute[0] = 660.0
    assert limiter.count_request("k", None)[0] == ("key", 2, 1, 60)
