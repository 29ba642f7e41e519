"""How many requests an endpoint is asked at once: found out by asking, and remembered between slices.

A round is as many answers as the limit. Growth doubles the limit each round until the first 429, then adds
5 % a round, a little with every answer. Only a 429 shrinks the limit, by a fifth per episode: the first 429
ever, then any outside a cooldown that is not a stray one. Every failure delays growth by five answers, so
growth stands still where one call in six fails, and a 429 is stray where far fewer do: an endpoint that
refuses a few calls at random is not asked less and less. Server errors and timeouts never shrink anything,
since fewer requests would not cure them.
"""

import hashlib
from dataclasses import dataclass, field

from app.domain.asking.completions import EndpointSpec

_START = 20  # requests at once before anything is known of the endpoint
_SHRINK = 0.8
_FLOOR = 4.0  # a slower endpoint says so with its own `max_concurrency`
_GROWTH = 0.05  # of the limit, a round
_DELAY = 5  # answers by which one failure delays growth
_CLOSED_AFTER = 3  # 429s in a row, with no answer between them, before every request waits


@dataclass(slots=True)
class Pace:
    """What is known of one (endpoint, key): a pure machine; times are seconds of one monotonic clock."""

    ceiling: int
    cooldown_s: float = 15.0
    limit: float = field(init=False)
    opens_at: float = field(default=0.0, init=False)
    _doubling: bool = field(default=True, init=False)
    _cool_until: float = field(default=0.0, init=False)
    _delay: int = field(default=0, init=False)  # answers until growth goes on
    _refused_in_a_row: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.limit = float(min(_START, self.ceiling))

    def has_room(self, in_flight: int, now: float) -> bool:
        """Whether one more request may leave now."""
        return now >= self.opens_at and in_flight < int(self.limit)

    @property
    def refusing(self) -> bool:
        """Whether the endpoint's last answers were all 429s, enough of them to make every request wait."""
        return self._refused_in_a_row >= min(_CLOSED_AFTER, int(self.limit))

    def answered(self) -> None:
        """The endpoint did what it was asked."""
        self._refused_in_a_row = 0
        if self._delay:
            self._delay -= 1
        else:
            self.limit = min(float(self.ceiling), self.limit + (1.0 if self._doubling else _GROWTH))

    def unwell(self) -> None:
        """A server error, a timeout or a broken connection: growth pauses."""
        self._refused_in_a_row = 0
        self._hold()

    def rate_limited(self, now: float, wait_s: float, *, asked: bool) -> None:
        """A 429 that wants `wait_s` seconds; `asked` when the endpoint named them itself.

        An episode shrinks the limit once and starts a cooldown of `cooldown_s`, or as long as the endpoint
        asks if that is longer. Once several 429s come in a row the endpoint is closed: nothing leaves
        before the wait is over.
        """
        stray = not self._doubling and self._delay < self.limit
        self._doubling = False
        self._hold()
        if now >= self._cool_until and not stray:
            self.limit = max(min(_FLOOR, self.ceiling), self.limit * _SHRINK)
            self._cool_until = now + max(self.cooldown_s, wait_s if asked else 0.0)
        self._refused_in_a_row += 1
        if self.refusing:
            self.opens_at = max(self.opens_at, now + wait_s)

    def _hold(self) -> None:
        self._delay = min(self._delay + _DELAY, 2 * int(self.limit) + _DELAY)


class Paces:
    """The paces of one worker's endpoints, kept between its slices; one slice of an endpoint at a time."""

    def __init__(self, cooldown_s: float = 15.0) -> None:
        self._cooldown_s = cooldown_s
        self._known: dict[tuple[int, str, bytes], Pace] = {}

    def of(self, endpoint: EndpointSpec) -> Pace:
        """The pace of this endpoint under this key; its ceiling follows the endpoint's setting."""
        digest = hashlib.sha256((endpoint.secret or "").encode("utf-8", "surrogatepass")).digest()
        key = (endpoint.id, endpoint.base_url, digest)
        ceiling = max(1, endpoint.max_concurrency)
        pace = self._known.get(key)
        if pace is None:
            pace = self._known[key] = Pace(ceiling, self._cooldown_s)
        pace.ceiling = ceiling
        pace.limit = min(pace.limit, float(ceiling))
        return pace
