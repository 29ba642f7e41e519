"""How many answers an endpoint is asked for at once: found out by asking, and remembered between slices.

A round is as many answers as the limit. Growth doubles the limit each round until the first 429, then adds
5 % a round, a little with every answer. Only a 429 shrinks the limit, by a fifth per episode: the first 429
ever, then any outside a cooldown that is not a stray one. Every failure delays growth by five answers, so
growth stands still where one call in six fails, and a 429 is stray where far fewer do: an endpoint that
refuses a few calls at random is not asked less and less. Server errors and timeouts never shrink anything,
since fewer requests would not cure them.

An endpoint that only fails is left alone for longer and longer, and asked one request at a time until it
answers. Whatever happens, it is sent at most 64 requests more than 1.15 times the answers it gave, within any hour.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from app.domain.asking.completions import EndpointSpec

_START = 32  # answers asked for at once before anything is known of the endpoint: half of what it may fail
_SHRINK = 0.8
_FLOOR = 4.0  # a slower endpoint says so with its own `max_concurrency`
_GROWTH = 0.05  # of the limit, a round
_DELAY = 5  # answers by which one failure delays growth
_CLOSED_AFTER = 3  # failures in a row, with no answer between them, before every request waits
_PAUSES_S = (1.0, 120.0)  # first and longest time in which a failing endpoint is left alone
_SENT, _ANSWERED, _SPARE = 20, 23, 64  # 1.15 requests for each answer, and so many an hour
_MINUTES = 61  # so many begun minutes cover an hour
_ALONE_S = 3600.0  # for so long, who gave one answer where several were asked for is asked for one


@dataclass(frozen=True, slots=True)
class Minute:
    """What was sent and answered in a minute, in twentieths of a request.

    `owed` is what was sent less what answers account for, and `most` the highest of it from any moment in it on.
    """

    owed: int = 0
    most: int = 0

    def then(self, owed: int) -> "Minute":
        """With something that came later in it."""
        return Minute(self.owed + owed, max(0, self.most + owed))


@dataclass(slots=True)
class Hour:
    """What was sent in the last hour more than answers account for; times are seconds since 1970.

    A bound of the last hour as a whole breaks when a good hour goes by: what its answers allowed is still sent when
    they are forgotten. So the bound is kept from every moment of the last hour on.
    """

    minutes: dict[int, Minute] = field(default_factory=dict)
    _minute: int = field(default=-1, init=False, compare=False)  # that `_before` is of
    _before: int = field(default=0, init=False, compare=False)  # the highest from any moment before it to its start

    def count(self, now: float, *, sent: int = 0, answered: int = 0) -> None:
        """So many were sent, and then answered, now."""
        self._begin(now)
        minute = self.minutes.get(self._minute, Minute())
        self.minutes[self._minute] = minute.then(_SENT * sent).then(-_ANSWERED * answered)

    def allows(self, now: float, hoped: int = 0) -> bool:
        """Whether one more may be sent; `hoped` are those under way that will be answered, on all we know."""
        self._begin(now)
        minute = self.minutes.get(self._minute, Minute())
        most = max(minute.most, self._before + minute.owed)
        return most + _SENT * (1 - hoped) <= _SENT * _SPARE

    def _begin(self, now: float) -> None:
        """Once a minute, and not for every request."""
        minute = int(now // 60)
        if minute != self._minute:
            self._minute = minute
            self.minutes = {each: one for each, one in self.minutes.items() if each > minute - _MINUTES}
            self._before = max((most for _, most in self._backwards()), default=0)

    def _backwards(self) -> Iterator[tuple[int, int]]:
        """The minutes before this one, newest first, with the highest from any moment of each to the start of this."""
        later = 0
        for number in sorted((number for number in self.minutes if number < self._minute), reverse=True):
            minute = self.minutes[number]
            yield number, minute.most + later
            later += minute.owed

    def ready_at(self, now: float) -> float:
        """When so much is forgotten that one more may be sent, if nothing is answered until then."""
        self._begin(now)
        current = self.minutes.get(self._minute, Minute())
        too_much = [number for number, most in self._backwards() if most + current.owed + _SENT > _SENT * _SPARE]
        if current.most + _SENT > _SENT * _SPARE:
            too_much = [self._minute]
        return 60.0 * (max(too_much) + _MINUTES) if too_much else now


@dataclass(slots=True)
class Pace:
    """What is known of one (endpoint, key): a pure machine; times are seconds since 1970.

    `trusted` is an endpoint of our own, which is asked as much at once as it takes.
    """

    ceiling: int
    cooldown_s: float = 15.0
    trusted: bool = False
    limit: float = field(init=False)
    opens_at: float = field(default=0.0, init=False)
    alone_until: float = field(default=0.0, init=False)  # a request asks for one answer
    hour: Hour = field(default_factory=Hour, init=False)
    _doubling: bool = field(default=True, init=False)
    _cool_until: float = field(default=0.0, init=False)
    _delay: int = field(default=0, init=False)  # answers until growth goes on
    _failed_in_a_row: int = field(default=0, init=False)
    _pauses: int = field(default=0, init=False)  # since the last answer

    def __post_init__(self) -> None:
        self.limit = float(min(_START, self.ceiling))

    def has_room(self, in_flight: int, now: float, *, answers: int = 1, calls: int | None = None) -> bool:
        """Whether one more request, for so many answers, may leave now, beside so many answers that are under way.

        `calls` are the requests that these were asked for in, each in its own where nothing is said. A request for
        more answers than may be under way leaves alone.
        """
        most = 1 if self.refusing else int(self.limit)
        hoped = (in_flight if calls is None else calls) if self.trusted else 0
        fits = in_flight + answers <= most or not in_flight
        return now >= self.opens_at and fits and self.hour.allows(now, hoped)

    def ask_alone(self, now: float) -> None:
        """The endpoint gives one answer to a request, whatever it is asked for; it is asked for more in an hour."""
        self.alone_until = now + _ALONE_S

    def ready_at(self, now: float) -> float:
        """The first moment from now on at which a request may leave, if none is under way."""
        return max(self.opens_at, now if self.hour.allows(now) else self.hour.ready_at(now))

    def rests_until(self, now: datetime) -> datetime | None:
        """When something may be sent again; None where it may now.

        Until then it is not the endpoint's turn: its samples, which may be thousands, would be taken and put back slice
        by slice.
        """
        opens = self.ready_at(now.timestamp())
        return datetime.fromtimestamp(opens, UTC) if opens > now.timestamp() else None

    @property
    def refusing(self) -> bool:
        """Whether the endpoint's last calls all failed, enough of them to make every request wait."""
        return self._failed_in_a_row >= min(_CLOSED_AFTER, int(self.limit))

    def answered(self) -> None:
        """The endpoint did what it was asked."""
        self._failed_in_a_row = self._pauses = 0
        if self._delay:
            self._delay -= 1
        else:
            self.limit = min(float(self.ceiling), self.limit + (1.0 if self._doubling else _GROWTH))

    def unwell(self, now: float, wait_s: float = 0.0) -> None:
        """A server error, a timeout or a broken connection: growth pauses."""
        self._hold()
        self._failed(now, wait_s)

    def rate_limited(self, now: float, wait_s: float, *, asked: bool) -> None:
        """A 429 that makes its request wait `wait_s` seconds; `asked` when the endpoint named them itself.

        An episode shrinks the limit once and starts a cooldown of `cooldown_s`, or as long as the endpoint
        asks if that is longer.
        """
        stray = not self._doubling and self._delay < self.limit
        self._doubling = False
        self._hold()
        if now >= self._cool_until and not stray:
            self.limit = max(min(_FLOOR, self.ceiling), self.limit * _SHRINK)
            self._cool_until = now + max(self.cooldown_s, wait_s if asked else 0.0)
        self._failed(now, wait_s)

    def _failed(self, now: float, wait_s: float) -> None:
        """Once several calls in a row fail the endpoint is closed: nothing leaves before the wait is over."""
        self._failed_in_a_row += 1
        if not self.refusing:
            return
        if now < self.opens_at:  # sent before it was closed
            self.opens_at = max(self.opens_at, now + wait_s)
            return
        first, longest = _PAUSES_S
        pause_s = min(longest, first * 2 ** min(self._pauses, 10))
        self._pauses += 1
        self.opens_at = now + max(wait_s, pause_s)

    def _hold(self) -> None:
        self._delay = min(self._delay + _DELAY, 2 * int(self.limit) + _DELAY)

    def state(self) -> dict[str, Any]:
        """What was learned, as JSON; `learn` takes it back."""
        own = {name: getattr(self, name) for name in _LEARNED}
        return own | {"hour": {str(at): [each.owed, each.most] for at, each in self.hour.minutes.copy().items()}}

    def learn(self, state: Any) -> None:
        """Take over what another worker learned; a field it does not know stays as it is.

        Raises ValueError or TypeError for what no worker wrote; then nothing is taken over.
        """
        if not isinstance(state, dict):
            raise TypeError("a pace is an object")
        learned = {name: _learned(name, state[name]) for name in _LEARNED if name in state}
        hour = Hour(_minutes(state.get("hour", {})))
        for name, value in learned.items():
            setattr(self, name, value)
        self.limit = min(self.limit, float(self.ceiling))
        self.hour = hour


# What a worker learns, and the least of it; its kind is the value's.
_LEARNED = {"limit": 1.0, "opens_at": 0.0, "alone_until": 0.0, "_doubling": False, "_cool_until": 0.0, "_delay": 0,
            "_failed_in_a_row": 0, "_pauses": 0}  # fmt: skip
_MOST = 1e12


def _learned(name: str, value: object) -> Any:
    """The value of that kind. Raises ValueError where it is none."""
    least = _LEARNED[name]
    if isinstance(least, bool):
        if isinstance(value, bool):
            return value
    elif isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= _MOST:
        return type(least)(value)
    raise ValueError(f"{name} is {value!r:.40}")


def _minutes(value: object) -> dict[int, Minute]:
    """The minutes of an hour. Raises ValueError or TypeError where they are none."""
    if not isinstance(value, dict):
        raise TypeError(f"the hour is {value!r:.40}")
    minutes = {}
    for minute, pair in value.items():
        if not isinstance(pair, list | tuple) or len(pair) != 2 or not all(type(each) is int for each in pair):
            raise ValueError(f"a minute is {pair!r:.40}")
        owed, most = pair
        if not (max(0, owed) <= most <= _MOST and owed >= -_MOST):
            raise ValueError(f"a minute is {pair!r:.40}")
        minutes[int(minute)] = Minute(owed, most)
    return minutes


class Paces:
    """The paces of one worker's endpoints, kept between its slices; one slice of an endpoint at a time."""

    def __init__(self, cooldown_s: float = 15.0, backoff_s: float = 1.0) -> None:
        self.backoff_s = backoff_s  # the first wait before a retry
        self._cooldown_s = cooldown_s
        self._known: dict[str, Pace] = {}

    def of(self, endpoint: EndpointSpec) -> Pace:
        """The pace of this endpoint under this key; its ceiling follows the endpoint's setting."""
        ceiling = max(1, endpoint.max_concurrency)
        pace = self._known.setdefault(name_of(endpoint), Pace(ceiling, self._cooldown_s, endpoint.trusted))
        pace.ceiling = ceiling
        pace.limit = min(pace.limit, float(ceiling))
        return pace

    def keep(self, endpoint: EndpointSpec, pace: Pace) -> None:
        """Called every second of a slice and at its end: what was learned until now."""


def name_of(endpoint: EndpointSpec) -> str:
    """One (endpoint, key) among all, without showing the key."""
    digest = hashlib.sha256()
    for part in (endpoint.base_url, endpoint.secret or ""):
        digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return f"{endpoint.id}:{digest.hexdigest()[:32]}"
