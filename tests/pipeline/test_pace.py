"""The fleet's pace: slots that follow one another, and an end to a day."""

import math
from dataclasses import replace

import pytest
from redis import Redis

from app.config import Settings
from app.source_settings import SourceSettings
from scrapers.site import all_sites, find_site
from workers.context import make_context
from workers.pace import host_pace
from workers.sites import Sites


@pytest.fixture
def broker(valkey_url: str) -> Redis:
    """The broker of this test, empty."""
    return Redis.from_url(Settings(_env_file=None, redis_url=valkey_url).plain_redis_url())


def test_two_processes_share_a_hosts_slots(broker: Redis) -> None:
    one, other = host_pace(broker, 10.0, 100), host_pace(broker, 10.0, 100)
    waits = [one("a.test"), other("a.test"), one("a.test")]
    assert waits == pytest.approx([0, 10, 20], abs=2)
    assert one("b.test") == pytest.approx(0, abs=2)


def test_a_slot_from_a_time_that_was_set_ahead_keeps_nobody_waiting(broker: Redis) -> None:
    """The broker's time was ten days ahead when the last request was made, and was set back."""
    pace = host_pace(broker, 10.0, 100)
    seconds, _ = broker.time()
    broker.set("pace:a.test", (int(seconds) + 864_000) * 1000)
    assert [pace("a.test"), pace("a.test")] == pytest.approx([0, 10], abs=2)
    assert 0 < broker.pttl("pace:a.test") <= 160_000


def test_a_slower_site_is_asked_less_often_a_day(valkey_url: str) -> None:
    """A day has room for what a year in fast time and its first day need, many times over."""
    settings = Settings(_env_file=None, redis_url=valkey_url, sources={"leetcode": SourceSettings(per_day=7)})
    ctx = make_context(settings)
    sites = Sites(ctx)
    found = {name: sites.per_day(site) for name, site in all_sites().items()}
    assert found == {"atcoder": 2400, "codeforces": 1800, "harbour": 1800, "leetcode": 7}
    assert sites.per_day(replace(find_site("atcoder"), pace_s=0)) == 3600
    ctx.close()


def test_a_host_is_asked_so_often_a_day_and_no_more(broker: Redis) -> None:
    pace = host_pace(broker, 0.0, 3)
    assert [pace("a.test") < math.inf for _ in range(5)] == [True, True, True, False, False]
    assert pace("b.test") < math.inf
    days = list(broker.scan_iter("pace:a.test:*"))
    assert len(days) == 1
    assert int(broker.get(days[0]) or 0) == 3
    assert 0 < broker.ttl(days[0]) <= 172_800
    broker.delete(*days)  # the next day
    assert pace("a.test") < math.inf
