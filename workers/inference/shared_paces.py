"""Paces that all workers share, through the broker's database."""

import json

from redis import Redis
from redis.exceptions import RedisError
from structlog import get_logger

from app.domain.asking.completions import EndpointSpec
from workers.inference.limiter import EndpointPace, Paces, pace_key

log = get_logger(__name__)

_KEPT_S = 2 * 3600  # longer than the hour that is counted


class SharedPaces(Paces):
    """Facts that any worker learned of an endpoint, loaded at the start of a slice and stored while it runs.

    The lease on the endpoint lets one slice ask it at a time, so the last writer knows all. While the broker is down a
    worker uses what it learned itself.
    """

    def __init__(self, redis: "Redis", cooldown_s: float = 15.0, prefix: str = "asked:") -> None:
        super().__init__(cooldown_s)
        self._redis, self._prefix = redis, prefix

    def of(self, endpoint: EndpointSpec) -> EndpointPace:
        """Return the pace of this endpoint under this key, as the fleet knows it.

        The broker may hold anything: an invalid pace is ignored, and the next `keep` replaces it.
        """
        pace = super().of(endpoint)
        try:
            stored = self._redis.get(self._prefix + pace_key(endpoint))
        except (RedisError, OSError) as down:
            log.warning("pace.not_read", error=str(down))
            return pace
        if stored is not None:
            try:
                pace.learn(json.loads(stored))
            except (ValueError, TypeError, RecursionError) as broken:
                log.warning("pace.broken", error=str(broken)[:200])
        return pace

    def keep(self, endpoint: EndpointSpec, pace: EndpointPace) -> None:
        """Store the pace for the other workers."""
        try:
            self._redis.set(self._prefix + pace_key(endpoint), json.dumps(pace.state()), ex=_KEPT_S)
        except (RedisError, OSError) as down:
            log.warning("pace.not_kept", error=str(down))
