"""Limits of requests a minute, counted in Valkey for all processes of a site.

A count that Valkey does not take is not made: the request goes on, and `report` is told at most every few seconds.
"""

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from redis import Redis
from redis.exceptions import RedisError
from structlog import get_logger

from app.domain.errors import RateLimited

log = get_logger(__name__)

WINDOW_S: Final = 60
# How long a key that was once valid is known as such: it goes on while unknown keys are refused unseen.
KNOWN_KEY_S: Final = 24 * 3600
# After a failure Valkey is not asked for so long.
_REST_S: Final = 5.0
# Keys and addresses that one process remembers.
_MAX_REMEMBERED: Final = 10_000
_LOOK_EVERY_S: Final = 0.1
_FAILED_KEYS: Final = "too many requests with keys that are not valid came lately"
# Name of the counted limits in the state of a request.
RATE_LIMITS: Final = "rate_limits"


@dataclass(frozen=True, slots=True)
class RateLimits:
    """Requests a minute: of one key, and with failing keys of one address and of all. 0 is no limit."""

    of_key: int = 600
    failures_of_address: int = 30
    failures: int = 3000


class LimitCount(NamedTuple):
    """A limit, the requests left of it, and the seconds until it is full again."""

    name: str
    quota: int
    left: int
    reset_s: int


def rate_limit_headers(counts: Iterable[LimitCount]) -> Iterator[tuple[bytes, bytes]]:
    """Yield the fields RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers) of some limits."""
    counted = list(counts)
    if counted:
        policies = ", ".join(f'"{count.name}";q={count.quota};w={WINDOW_S}' for count in counted)
        lefts = ", ".join(f'"{count.name}";r={count.left};t={count.reset_s}' for count in counted)
        yield b"ratelimit-policy", policies.encode()
        yield b"ratelimit", lefts.encode()


class RateLimiter:
    """Counts of the present minute."""

    def __init__(
        self,
        redis: "Redis",
        limits: RateLimits,
        report: Callable[[str], None] = lambda _error: None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._redis, self._limits, self._report, self._clock = redis, limits, report, clock
        self._rests_until = 0.0
        # Keys that were valid in this process, by digest, and addresses whose other keys are refused, until when.
        self._known: OrderedDict[str, None] = OrderedDict()
        self._blocked: dict[str, float] = {}
        self._next_look = 0.0

    def check_blocked(self, key: str, address: str | None) -> None:
        """Raise LimitReached for an unknown key from an address that this process has refused, without any waiting.

        Ten such requests a second go on to `count_request`, which knows the valid keys of the other processes.
        """
        now = self._clock()
        if address is None or _digest(key) in self._known or self._blocked.get(address, 0.0) <= now:
            return
        if now >= self._next_look:
            self._next_look = now + _LOOK_EVERY_S
            return
        self._refuse("failed-keys", self._limits.failures_of_address, _FAILED_KEYS)

    def count_request(self, key: str, address: str | None) -> tuple[LimitCount, ...]:
        """Count a request with a key, before the key is looked up; return the limit of a key as it now stands.

        Raises RateLimited if the key has no requests left, and for a key that was not valid lately if too many keys of
        its address, or of all, failed. An address of None has no limit of its own.
        """
        digest = _digest(key)
        counted = self._ask(
            ("INCR", self._name("key", digest)),
            ("GET", self._name("failed", address or "-")),
            ("GET", self._name("failed", "all")),
            ("EXISTS", f"limit:known:{digest}"),
            ("EXPIRE", self._name("key", digest), 2 * WINDOW_S),
        )
        if counted is None:
            return ()
        requests, failed_there, failed, is_known, _ = (int(value or 0) for value in counted)
        own = self._limits.failures_of_address if address is not None else 0
        for name, quota, used in (
            ("failed-keys", own, failed_there),
            ("all-failed-keys", self._limits.failures, failed),
        ):
            if quota and used >= quota and not is_known:
                if name == "failed-keys":
                    self._block(str(address))
                self._refuse(name, quota, _FAILED_KEYS)
        if not self._limits.of_key:
            return ()
        if requests > self._limits.of_key:
            self._refuse("key", self._limits.of_key, f"this key may send {self._limits.of_key} requests a minute")
        return (LimitCount("key", self._limits.of_key, self._limits.of_key - requests, self._reset_s()),)

    def count_failure(self, key: str, address: str | None) -> None:
        """Count a key that was not valid; from now on it is not known as valid."""
        names = [self._name("failed", "all")] + ([] if address is None else [self._name("failed", address)])
        self._known.pop(_digest(key), None)
        calls: list[tuple[str | int, ...]] = [("DEL", f"limit:known:{_digest(key)}")]
        for name in names:
            calls += [("INCR", name), ("EXPIRE", name, 2 * WINDOW_S)]
        self._ask(*calls)

    def note_valid(self, key: str) -> None:
        """Remember a key as valid for a day."""
        self._known[_digest(key)] = None
        if len(self._known) > _MAX_REMEMBERED:
            self._known.popitem(last=False)
        self._ask(("SET", f"limit:known:{_digest(key)}", 1, "EX", KNOWN_KEY_S))

    def _block(self, address: str) -> None:
        now = self._clock()
        if len(self._blocked) >= _MAX_REMEMBERED:
            self._blocked = {other: until for other, until in self._blocked.items() if until > now}
        if len(self._blocked) < _MAX_REMEMBERED:
            self._blocked[address] = now + self._reset_s()

    def _refuse(self, name: str, quota: int, message: str) -> None:
        reset_s = self._reset_s()
        raise LimitReached(f"{message}; try again in {reset_s} s", LimitCount(name, quota, 0, reset_s))

    def _name(self, kind: str, who: str) -> str:
        return f"limit:{kind}:{int(self._clock() // WINDOW_S)}:{who}"

    def _reset_s(self) -> int:
        return WINDOW_S - int(self._clock() % WINDOW_S)

    def _ask(self, *calls: tuple[str | int, ...]) -> list[bytes | int | None] | None:
        """Return the answers to some calls, made in one round trip; None if Valkey does not answer."""
        if self._clock() < self._rests_until:
            return None
        try:
            pipe = self._redis.pipeline(transaction=False)
            for call in calls:
                pipe.execute_command(*call)  # type: ignore[no-untyped-call]
            return list(pipe.execute())
        except (RedisError, OSError) as down:
            self._rests_until = self._clock() + _REST_S
            log.warning("limits.not_counted", error=str(down), rest_s=_REST_S)
            self._report(str(down))
            return None


class LimitReached(RateLimited):
    """A limit has nothing left."""

    def __init__(self, message: str, count: LimitCount) -> None:
        super().__init__(message, retry_after_s=count.reset_s)
        self.count = count


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:32]
