"""Limits on making tests, for each problem and each day, in calls, tokens, money and judging. Pure.

A limit is checked before a call, not after it: a call is sent only if the amount used, the most that calls under way
may use and the most that this call may use stay within the limit together.
"""

from dataclasses import dataclass, fields
from decimal import Decimal
from enum import Enum
from typing import Final

from app.domain.asking.money import format_dollars
from app.domain.reasons import Reason


@dataclass(frozen=True, slots=True)
class ConsensusUsage:
    """Usage: calls to setters, tokens read and written, US dollars, and seconds of judging.

    Answers with an unknown price or number of tokens count as calls alone.
    """

    calls: int = 0
    tokens: int = 0
    usd: Decimal = Decimal(0)
    judge_s: float = 0.0

    def __add__(self, other: "ConsensusUsage") -> "ConsensusUsage":
        return ConsensusUsage(
            self.calls + other.calls, self.tokens + other.tokens, self.usd + other.usd, self.judge_s + other.judge_s
        )

    def first_above(self, limit: "ConsensusUsage") -> str | None:
        """Return the name of the first amount that exceeds its limit; None if all are within."""
        return next(
            (field.name for field in fields(self) if getattr(self, field.name) > getattr(limit, field.name)), None
        )


@dataclass(frozen=True, slots=True)
class ConsensusLimits:
    """Limits for the tests of one problem, and for those of all problems on one day (UTC).

    `unpublished` is the number of problems a day for which test making may begin, without those published since. Before
    it begins no model is asked about them, so runs do not pay for problems that may never be published.
    """

    problem: ConsensusUsage = ConsensusUsage(200, 4_000_000, Decimal(25), 1800.0)
    day: ConsensusUsage = ConsensusUsage(4000, 80_000_000, Decimal(250), 21_600.0)
    unpublished: int = 100


CONSENSUS_LIMITS: Final = ConsensusLimits()


class CallDecision(Enum):
    """Decision on a call: it is sent, it waits for calls under way, or the limit is reached."""

    LEAVES = "leaves"
    WAITS = "waits"
    REACHED = "reached"


@dataclass(slots=True)
class UsageAccount:
    """Limit with the usage so far, and the most that calls under way may add."""

    limit: ConsensusUsage
    used: ConsensusUsage
    reserved: ConsensusUsage = ConsensusUsage()

    def check_call(self, need: ConsensusUsage) -> CallDecision:
        """Decide whether a call that may use this much can be sent now."""
        if (self.used + need).first_above(self.limit):
            return CallDecision.REACHED
        return CallDecision.WAITS if (self.used + self.reserved + need).first_above(self.limit) else CallDecision.LEAVES

    def reserve(self, need: ConsensusUsage) -> None:
        """Count a call that is sent as under way."""
        self.reserved += need

    def reason(self, need: ConsensusUsage) -> Reason:
        """Return the reason why a call that may use this much is never sent: the amount that is used up."""
        name = (self.used + need).first_above(self.limit) or "calls"
        spent, limit = (
            format_dollars(amounts.usd) if name == "usd" else f"{getattr(amounts, name):.0f}"
            for amounts in (self.used, self.limit)
        )
        return Reason(f"{name}_spent", {"spent": spent, "limit": limit})
