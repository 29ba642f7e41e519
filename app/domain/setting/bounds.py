"""How much the making of tests may take, of each problem and of each day, in calls, tokens, money and judging. Pure.

A bound is kept before a call, not after it: a call leaves only if what was used, the most that calls under way may take
and the most that it may take itself stay within the bound.
"""

from dataclasses import dataclass, fields
from decimal import Decimal
from enum import Enum
from typing import Final

from app.domain.asking.money import dollars


@dataclass(frozen=True, slots=True)
class Amounts:
    """Calls to setters, tokens read and written, US dollars, and seconds of judging.

    Answers whose price or number of tokens is not known count as calls alone.
    """

    calls: int = 0
    tokens: int = 0
    usd: Decimal = Decimal(0)
    judge_s: float = 0.0

    def __add__(self, other: "Amounts") -> "Amounts":
        return Amounts(
            self.calls + other.calls, self.tokens + other.tokens, self.usd + other.usd, self.judge_s + other.judge_s
        )

    def beyond(self, limit: "Amounts") -> str | None:
        """The first of them that is greater than its limit; None where all are within."""
        return next((one.name for one in fields(self) if getattr(self, one.name) > getattr(limit, one.name)), None)


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most that the tests of one problem, and those of all problems on one day (UTC), may take.

    `unpublished`: of so many problems a day the making of tests begins, those aside that were published since. Before
    it begins nobody is asked about them, so that no run pays for more of what may never be published.
    """

    problem: Amounts = Amounts(200, 4_000_000, Decimal(25), 1800.0)
    day: Amounts = Amounts(4000, 80_000_000, Decimal(250), 21_600.0)
    unpublished: int = 100


BOUNDS: Final = Bounds()
_UNITS: Final = {"calls": "calls", "tokens": "tokens", "judge_s": "seconds of judging"}


class Answer(Enum):
    """Whether a call may leave: it may, it waits for those under way, or the bound is reached."""

    LEAVES = "leaves"
    WAITS = "waits"
    REACHED = "reached"


@dataclass(slots=True)
class Account:
    """A bound with what was used of it, and the most that calls under way may take besides."""

    limit: Amounts
    used: Amounts
    reserved: Amounts = Amounts()

    def ask(self, need: Amounts) -> Answer:
        """Whether a call that may take so much can leave now."""
        if (self.used + need).beyond(self.limit):
            return Answer.REACHED
        return Answer.WAITS if (self.used + self.reserved + need).beyond(self.limit) else Answer.LEAVES

    def take(self, need: Amounts) -> None:
        """Count a call that leaves as under way."""
        self.reserved += need

    def reason(self, need: Amounts) -> str:
        """Why a call that may take so much never leaves: what is used up."""
        name = (self.used + need).beyond(self.limit) or "calls"
        if name == "usd":
            return f"its bound is reached: {dollars(self.used.usd)} of {dollars(self.limit.usd)} are used up"
        used, limit = (f"{getattr(amounts, name):.0f}" for amounts in (self.used, self.limit))
        return f"its bound is reached: {used} of {limit} {_UNITS[name]} are used up"
