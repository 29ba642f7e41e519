"""One pace per host for the whole fleet: the next free moment of each host lives in the broker."""

from collections.abc import Callable

from redis import Redis

# Atomically: take the next slot of a host and push the one after it back by the interval.
_TAKE = """
local now = redis.call('TIME')
local ms = now[1] * 1000 + math.floor(now[2] / 1000)
local next = math.max(ms, tonumber(redis.call('GET', KEYS[1]) or '0'))
redis.call('SET', KEYS[1], next + ARGV[1], 'PX', ARGV[1] * 10 + 60000)
return next - ms
"""


def host_pace(redis: "Redis", interval_s: float, prefix: str = "pace:") -> Callable[[str], float]:
    """A callable that reserves the next request to a host and says how many seconds to wait before it."""
    take = redis.register_script(_TAKE)

    def wait(host: str) -> float:
        return float(take(keys=[prefix + host], args=[int(interval_s * 1000)])) / 1000

    return wait
