"""One pace per host for the whole fleet: each host's next free moment, and the day's count, live in the broker."""

import math
from collections.abc import Callable

from redis import Redis

# Atomically: take the next slot of a host and push the one after it back by the interval; -1 when the day is used up.
# A slot that is further off than any is kept was taken while the broker's time was set ahead.
_TAKE = """
local now = redis.call('TIME')
local day = KEYS[1] .. ':' .. math.floor(now[1] / 86400)
if tonumber(redis.call('GET', day) or '0') >= tonumber(ARGV[2]) then return -1 end
redis.call('INCR', day)
redis.call('EXPIRE', day, 172800)
local ms = now[1] * 1000 + math.floor(now[2] / 1000)
local kept, next = ARGV[1] * 10 + 60000, math.max(ms, tonumber(redis.call('GET', KEYS[1]) or '0'))
if next - ms > kept then next = ms end
redis.call('SET', KEYS[1], next + ARGV[1], 'PX', kept)
return next - ms
"""


def host_pace(redis: "Redis", interval_s: float, per_day: int, prefix: str = "pace:") -> Callable[[str], float]:
    """A callable that reserves the next request to a host and says how many seconds to wait before it.

    Infinity, and nothing is reserved, when the host was asked `per_day` times this UTC day.
    """
    take = redis.register_script(_TAKE)

    def wait(host: str) -> float:
        milliseconds = int(take(keys=[prefix + host], args=[int(interval_s * 1000), per_day]))
        return math.inf if milliseconds < 0 else milliseconds / 1000

    return wait
