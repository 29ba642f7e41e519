"""The pace of an endpoint: how many answers to ask for at once, found by asking and stored between slices.

A round is as many answers as the limit. Growth doubles the limit each round until the first 429, then adds 5 % a round,
a little with every answer. Only a 429 shrinks the limit, by a fifth per episode: the first 429 ever, then any outside a
cooldown that is not a stray one. Every failure delays growth by five answers, so growth stands still while one call in
six fails, and a 429 is stray if far fewer do: an endpoint that refuses a few calls at random is not asked less and
less. Server errors and timeouts never shrink anything, since fewer requests would not cure them.

An endpoint that only fails is left alone for longer and longer, and asked one request at a time until it answers. In
any case it is sent at most 64 requests more than 1.15 times the answers it gave, within any hour.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from app.domain.asking.completions import EndpointSpec

_START = 32  # answers asked for at once from an unknown endpoint: half of what it may fail
_SHRINK = 0.8
_FLOOR = 4.0  # a slower endpoint sets its own `max_concurrency`
_GROWTH = 0.05  # of the limit, a round
_DELAY = 5  # answers by which one failure delays growth
_CLOSED_AFTER = 3  # failures in a row, without an answer between them, before every request waits
_PAUSES_S = (1.0, 120.0)  # the first and the longest pause of a failing endpoint
_SENT, _ANSWERED, _SPARE = 20, 23, 64  # 1.15 requests for each answer, and 64 more an hour
_MINUTES = 61  # begun minutes that cover an hour
_ALONE_S = 3600.0  # in which an endpoint that gave one answer instead of several is asked for one


@dataclass(frozen=True, slots=True)
class RequestMinute:
    """The requests and answers of a minute, in twentieths of a request.

    `owed` is what was sent less what the answers allow, and `most` the highest such sum from any moment in the minute
    to its end.
    """

    owed: int = 0
    most: int = 0

    def add_event(self, owed: int) -> "RequestMinute":
        """Return the minute with a later event added."""
        return RequestMinute(self.owed + owed, max(0, self.most + owed))


@dataclass(slots=True)
class RequestHour:
    """The requests of the last hour beyond those that answers allow; times are seconds since 1970.

    A bound over the last hour as a whole would break when a good hour passes: requests that its answers allowed would
    still be sent when they are forgotten. So the bound holds from every moment of the last hour on.
    """

    minutes: dict[int, RequestMinute] = field(default_factory=dict)
    _minute: int = field(default=-1, init=False, compare=False)  # the minute of `_before`
    _before: int = field(default=0, init=False, compare=False)  # the highest sum up to that minute's start

    def count(self, now: float, *, sent: int = 0, answered: int = 0) -> None:
        """Count requests sent now, then answers received now."""
        self._begin(now)
        minute = self.minutes.get(self._minute, RequestMinute())
        self.minutes[self._minute] = minute.add_event(_SENT * sent).add_event(-_ANSWERED * answered)

    def allows(self, now: float, hoped: int = 0) -> bool:
        """Return whether one more may be sent; `hoped` calls under way are expected to be answered."""
        self._begin(now)
        minute = self.minutes.get(self._minute, RequestMinute())
        most = max(minute.most, self._before + minute.owed)
        return most + _SENT * (1 - hoped) <= _SENT * _SPARE

    def _begin(self, now: float) -> None:
        """Move to the present minute; the sums are updated once a minute, not for every request."""
        minute = int(now // 60)
        if minute != self._minute:
            self._minute = minute
            self.minutes = {number: sums for number, sums in self.minutes.items() if number > minute - _MINUTES}
            self._before = max((most for _, most in self._backwards()), default=0)

    def _backwards(self) -> Iterator[tuple[int, int]]:
        """Yield the minutes before this one, newest first, with each one's highest sum up to the start of this one."""
        later = 0
        for number in sorted((number for number in self.minutes if number < self._minute), reverse=True):
            minute = self.minutes[number]
            yield number, minute.most + later
            later += minute.owed

    def ready_at(self, now: float) -> float:
        """Return when enough is forgotten to send one more, if nothing is answered until then."""
        self._begin(now)
        current = self.minutes.get(self._minute, RequestMinute())
        too_much = [number for number, most in self._backwards() if most + current.owed + _SENT > _SENT * _SPARE]
        if current.most + _SENT > _SENT * _SPARE:
            too_much = [self._minute]
        return 60.0 * (max(too_much) + _MINUTES) if too_much else now


@dataclass(slots=True)
class EndpointPace:
    """The known facts about one (endpoint, key), a pure state machine; times are seconds since 1970.

    `trusted` is an endpoint of our own, which is asked for as much at once as it takes.
    """

    ceiling: int
    cooldown_s: float = 15.0
    trusted: bool = False
    limit: float = field(init=False)
    opens_at: float = field(default=0.0, init=False)
    alone_until: float = field(default=0.0, init=False)  # until then a request asks for one answer
    hour: RequestHour = field(default_factory=RequestHour, init=False)
    _doubling: bool = field(default=True, init=False)
    _cool_until: float = field(default=0.0, init=False)
    _delay: int = field(default=0, init=False)  # answers until growth resumes
    _failed_in_a_row: int = field(default=0, init=False)
    _pauses: int = field(default=0, init=False)  # since the last answer

    def __post_init__(self) -> None:
        self.limit = float(min(_START, self.ceiling))

    def has_room(self, in_flight: int, now: float, *, answers: int = 1, calls: int | None = None) -> bool:
        """Return whether one more request, for `answers` answers, may be sent beside `in_flight` answers under way.

        `calls` are the requests that these were asked for in; by default one each. A request for more answers than may
        be under way is sent alone.
        """
        most = 1 if self.refusing else int(self.limit)
        hoped = (in_flight if calls is None else calls) if self.trusted else 0
        fits = in_flight + answers <= most or not in_flight
        return now >= self.opens_at and fits and self.hour.allows(now, hoped)

    def ask_alone(self, now: float) -> None:
        """Record that the endpoint gives one answer to a request, however many it is asked for; valid for an hour."""
        self.alone_until = now + _ALONE_S

    def ready_at(self, now: float) -> float:
        """Return the first moment from now on at which a request may be sent, if none is under way."""
        return max(self.opens_at, now if self.hour.allows(now) else self.hour.ready_at(now))

    def rests_until(self, now: datetime) -> datetime | None:
        """Return when something may be sent again; None if it may now.

        Until then the endpoint takes no turn: its samples, which may be thousands, would be claimed and released slice
        by slice.
        """
        opens = self.ready_at(now.timestamp())
        return datetime.fromtimestamp(opens, UTC) if opens > now.timestamp() else None

    @property
    def refusing(self) -> bool:
        """True if the endpoint's last calls all failed, enough of them to make every request wait."""
        return self._failed_in_a_row >= min(_CLOSED_AFTER, int(self.limit))

    def record_answer(self) -> None:
        """Record an answer."""
        self._failed_in_a_row = self._pauses = 0
        if self._delay:
            self._delay -= 1
        else:
            self.limit = min(float(self.ceiling), self.limit + (1.0 if self._doubling else _GROWTH))

    def record_failure(self, now: float, wait_s: float = 0.0) -> None:
        """Record a server error, a timeout or a broken connection: growth pauses."""
        self._delay_growth()
        self._count_failure(now, wait_s)

    def record_rate_limit(self, now: float, wait_s: float, *, asked: bool) -> None:
        """Record a 429 that makes its request wait `wait_s` seconds; `asked` if the endpoint named them itself.

        An episode shrinks the limit once and starts a cooldown of `cooldown_s`, or as long as the endpoint asks if that
        is longer.
        """
        stray = not self._doubling and self._delay < self.limit
        self._doubling = False
        self._delay_growth()
        if now >= self._cool_until and not stray:
            self.limit = max(min(_FLOOR, self.ceiling), self.limit * _SHRINK)
            self._cool_until = now + max(self.cooldown_s, wait_s if asked else 0.0)
        self._count_failure(now, wait_s)

    def _count_failure(self, now: float, wait_s: float) -> None:
        """Count a failure; after several in a row the endpoint is closed: nothing is sent before the wait is over."""
        self._failed_in_a_row += 1
        if not self.refusing:
            return
        if now < self.opens_at:  # a call that was sent before the closing
            self.opens_at = max(self.opens_at, now + wait_s)
            return
        first, longest = _PAUSES_S
        pause_s = min(longest, first * 2 ** min(self._pauses, 10))
        self._pauses += 1
        self.opens_at = now + max(wait_s, pause_s)

    def _delay_growth(self) -> None:
        self._delay = min(self._delay + _DELAY, 2 * int(self.limit) + _DELAY)

    def state(self) -> dict[str, Any]:
        """Return what was learned, as JSON; `learn` restores it."""
        own = {name: getattr(self, name) for name in _LEARNED}
        return own | {
            "hour": {str(number): [minute.owed, minute.most] for number, minute in self.hour.minutes.copy().items()}
        }

    def learn(self, state: Any) -> None:
        """Restore what another worker learned; missing fields stay as they are.

        Raises ValueError or TypeError for an invalid state, of which nothing is restored.
        """
        if not isinstance(state, dict):
            raise TypeError("a pace is an object")
        learned = {name: _check_learned(name, state[name]) for name in _LEARNED if name in state}
        hour = RequestHour(_read_minutes(state.get("hour", {})))
        for name, value in learned.items():
            setattr(self, name, value)
        self.limit = min(self.limit, float(self.ceiling))
        self.hour = hour


# The learned fields, each with its least value, which also gives its type.
_LEARNED = {"limit": 1.0, "opens_at": 0.0, "alone_until": 0.0, "_doubling": False, "_cool_until": 0.0, "_delay": 0,
            "_failed_in_a_row": 0, "_pauses": 0}  # fmt: skip
_MAX_VALUE = 1e12


def _check_learned(name: str, value: object) -> Any:
    """Return the value as the field's type. Raises ValueError for an invalid value."""
    least = _LEARNED[name]
    if isinstance(least, bool):
        if isinstance(value, bool):
            return value
    elif isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= _MAX_VALUE:
        return type(least)(value)
    raise ValueError(f"{name} is {value!r:.40}")


def _read_minutes(value: object) -> dict[int, RequestMinute]:
    """Return the minutes of an hour. Raises ValueError or TypeError for an invalid value."""
    if not isinstance(value, dict):
        raise TypeError(f"the hour is {value!r:.40}")
    minutes = {}
    for minute, pair in value.items():
        if not isinstance(pair, list | tuple) or len(pair) != 2 or not all(type(number) is int for number in pair):
            raise ValueError(f"a minute is {pair!r:.40}")
        owed, most = pair
        if not (max(0, owed) <= most <= _MAX_VALUE and owed >= -_MAX_VALUE):
            raise ValueError(f"a minute is {pair!r:.40}")
        minutes[int(minute)] = RequestMinute(owed, most)
    return minutes


class Paces:
    """The paces of one worker's endpoints, kept between its slices; one slice of an endpoint at a time."""

    def __init__(self, cooldown_s: float = 15.0, backoff_s: float = 1.0) -> None:
        self.backoff_s = backoff_s  # the first wait before a retry
        self._cooldown_s = cooldown_s
        self._known: dict[str, EndpointPace] = {}

    def of(self, endpoint: EndpointSpec) -> EndpointPace:
        """Return the pace of this endpoint under this key; its ceiling follows the endpoint's setting."""
        ceiling = max(1, endpoint.max_concurrency)
        pace = self._known.setdefault(pace_key(endpoint), EndpointPace(ceiling, self._cooldown_s, endpoint.trusted))
        pace.ceiling = ceiling
        pace.limit = min(pace.limit, float(ceiling))
        return pace

    def keep(self, endpoint: EndpointSpec, pace: EndpointPace) -> None:
        """Store what was learned until now; called every second of a slice and at its end."""


def pace_key(endpoint: EndpointSpec) -> str:
    """Return an identifier of one (endpoint, key) that does not show the key."""
    digest = hashlib.sha256()
    for part in (endpoint.base_url, endpoint.secret or ""):
        digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return f"{endpoint.id}:{digest.hexdigest()[:32]}"
