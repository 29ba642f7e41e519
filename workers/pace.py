"""One pace per host for the whole fleet: each host's next free moment, and the day's count, are in the broker."""

import math
from collections.abc import Callable

from redis import Redis

# Atomically: take the next slot of a host and move the one after it back by the interval; -1 if the day is used up.
# A slot beyond the longest wait was taken while the broker's clock was ahead, so it is ignored.
_TAKE_SLOT = """
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
    """Return a function that reserves the next request to a host and returns the seconds to wait before it.

    It returns infinity, and reserves nothing, if the host was asked `per_day` times this UTC day.
    """
    take = redis.register_script(_TAKE_SLOT)

    def wait(host: str) -> float:
        milliseconds = int(take(keys=[prefix + host], args=[int(interval_s * 1000), per_day]))
        return math.inf if milliseconds < 0 else milliseconds / 1000

    return wait
