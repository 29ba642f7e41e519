"""Promises of when an order is done: a promise does not move back without a reason. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from app.domain.asking.eta import RATE_WINDOW, seconds_left
from app.domain.reasons import Reason, reason_from_json, reason_to_json

# A later estimate within this share of the time left, or this time, keeps the promise: rates of ten minutes vary.
_SLACK_SHARE: Final = 0.1
_LEAST_SLACK: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class OrderPace:
    """Work that an order has left, in samples, and its speed in the last ten minutes, per second."""

    waiting: int
    judging: int
    retried: int  # of the waiting ones, those whose last request failed
    answers_per_s: float | None
    verdicts_per_s: float | None

    @property
    def samples_left(self) -> int:
        """The samples without a verdict."""
        return self.waiting + self.judging

    @property
    def per_s(self) -> float | None:
        """The speed of the stage that decides."""
        rates = [rate for rate in (self.answers_per_s, self.verdicts_per_s) if rate is not None]
        return min(rates, default=None)


@dataclass(frozen=True, slots=True)
class Promise:
    """Time at which an order is expected to be done, and why that is later than promised before, if it is.

    `samples_left` and `per_s` are the samples left and their speed when the time was promised.
    """

    at: datetime
    made_at: datetime
    samples_left: int
    per_s: float | None
    reason: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the stored form."""
        return {
            "at": self.at.isoformat(),
            "made_at": self.made_at.isoformat(),
            "left": self.samples_left,
            "per_s": self.per_s,
            "reason": None if self.reason is None else reason_to_json(self.reason),
        }

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> "Promise":
        """Return a stored promise."""
        reason = body["reason"]
        return cls(
            datetime.fromisoformat(body["at"]),
            datetime.fromisoformat(body["made_at"]),
            body["left"],
            body["per_s"],
            None if reason is None else reason_from_json(reason),
        )


def next_promise(earlier: Promise | None, pace: OrderPace, now: datetime) -> Promise | None:
    """Return the promise that holds now; None if no time can be said yet.

    An earlier time replaces the promise at once, a later one only beyond some slack, and with the reason.
    """
    seconds = seconds_left(pace.waiting, pace.judging, pace.answers_per_s, pace.verdicts_per_s)
    if seconds is None:
        return None if earlier is None else _delay(earlier, now, Reason("eta_silent", {"n": _minutes(RATE_WINDOW)}))
    at = now + timedelta(seconds=seconds)
    if earlier is None or at <= earlier.at:
        return Promise(at, now, pace.samples_left, pace.per_s)
    slack = max(_LEAST_SLACK, (at - now) * _SLACK_SHARE)
    if now < earlier.at and at <= earlier.at + slack:
        return earlier
    return Promise(at, now, pace.samples_left, pace.per_s, _why_later(earlier, pace))


def _delay(earlier: Promise, now: datetime, reason: Reason) -> Promise:
    """Return the promise with the reason of its delay; a time that has passed moves on by the window of rates."""
    at = earlier.at if now < earlier.at else now + RATE_WINDOW
    return Promise(at, earlier.made_at if at == earlier.at else now, earlier.samples_left, earlier.per_s, reason)


def _why_later(earlier: Promise, pace: OrderPace) -> Reason:
    if pace.samples_left > earlier.samples_left:
        return Reason("eta_more_samples", {"n": pace.samples_left - earlier.samples_left})
    if pace.retried:
        return Reason("eta_retries", {"n": pace.retried})
    return Reason("eta_slower", {"value": _per_minute(pace.per_s), "least": _per_minute(earlier.per_s)})


def _per_minute(per_s: float | None) -> str:
    return "0" if per_s is None else f"{60 * per_s:.3g}"


def _minutes(span: timedelta) -> int:
    return int(span.total_seconds() // 60)
