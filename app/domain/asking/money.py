"""What calls cost, the most that one may cost, and which of them budgets let leave.

A budget is kept before a call, not after it: a call leaves only if what was spent, what calls under way may cost and
what it may cost itself stay within every budget that its run comes under.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from app.domain.asking.completions import Prompt, Usage
from app.domain.asking.protocols import Sampling

# What a provider's template may add to a prompt, in tokens. A token is at least one byte of the text.
_TEMPLATE_TOKENS = 1024
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars per million tokens; None is unknown. Cached tokens cost what others do unless they have a price."""

    input: Decimal | None
    output: Decimal | None
    cached: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Dated:
    """Prices from a moment on."""

    since: datetime
    prices: Prices


def at(history: Sequence[Dated], moment: datetime, otherwise: Prices) -> Prices:
    """The prices of a request that was sent then; `history` is in order, and `otherwise` holds before it begins."""
    return next((row.prices for row in reversed(history) if row.since <= moment), otherwise)


FREE = Prices(Decimal(0), Decimal(0))


def cost(usage: Usage, prices: Prices) -> Decimal | None:
    """US dollars of one call; None when a price or a count is unknown (never 0)."""
    if prices.input is None or prices.output is None or usage.input is None or usage.answer is None:
        return None
    cached = min(usage.cached or 0, usage.input)
    price_cached = prices.input if prices.cached is None else prices.cached
    read = prices.input * (usage.input - cached) + price_cached * cached
    return (read + prices.output * (usage.answer + (usage.reasoning or 0))) / _MILLION


def most_tokens(prompt: Prompt, sampling: Sampling) -> tuple[int, int]:
    """Tokens that one call reads and writes at most: one for each byte of the prompt, and what the protocol allows."""
    read = sum(len(message.content.encode("utf-8", "replace")) for message in prompt.messages) + _TEMPLATE_TOKENS
    return read, sampling.max_tokens


def most(prompt: Prompt, sampling: Sampling, prices: Prices) -> Decimal | None:
    """US dollars that one call costs at most; None when a price is unknown."""
    if prices.input is None or prices.output is None:
        return None
    read, written = most_tokens(prompt, sampling)
    return (max(prices.input, prices.cached or Decimal(0)) * read + prices.output * written) / _MILLION


@dataclass(slots=True)
class Budget:
    """A limit in US dollars with what counts against it; `reserved` is the most that calls under way may cost."""

    words: str
    limit: Decimal
    spent: Decimal
    reserved: Decimal
    runs: frozenset[int] = frozenset()

    @property
    def over(self) -> bool:
        """Whether calls that are under way may exceed it."""
        return self.spent + self.reserved > self.limit

    def used_up(self, usd: Decimal) -> bool:
        """Whether a call of this much cannot leave, even when all that are under way turn out to cost nothing."""
        return self.spent + usd > self.limit

    def reason(self, usd: Decimal) -> str:
        """Why a run that needs a call of this much is paused."""
        what = f"the next call may cost {dollars(usd)}"
        if not self.used_up(usd):
            what = f"calls under way may cost {dollars(self.reserved)}"
        return f"{self.words} is used up: {dollars(self.spent)} of {dollars(self.limit)} are spent, and {what}"


@dataclass(frozen=True, slots=True)
class Short:
    """Why a run cannot go on, and how many US dollars it lacks at least; 0 where a price is missing."""

    reason: str
    usd: Decimal


@dataclass(slots=True)
class Purse:
    """The budgets that runs come under, and the calls they let leave now."""

    budgets: Collection[Budget]
    taken: dict[int, Decimal] = field(default_factory=dict)  # by sample: what is reserved for it from now on
    _refused: dict[int, list[Short]] = field(default_factory=dict)  # by run
    _may_go_on: set[int] = field(default_factory=set)  # runs

    def take(self, sample_id: int, run_id: int, usd: Decimal | None) -> bool:
        """Whether the call may leave; then it is reserved in every budget of its run."""
        budgets = [budget for budget in self.budgets if run_id in budget.runs]
        short = self._short(budgets, usd)
        if short is not None:
            self._refused.setdefault(run_id, []).append(short)
            return False
        self._may_go_on.add(run_id)
        if usd is None:
            return True
        if any(budget.spent + budget.reserved + usd > budget.limit for budget in budgets):
            return False  # until calls that are under way have turned out to cost less
        for budget in budgets:
            budget.reserved += usd
        self.taken[sample_id] = usd
        return True

    def _short(self, budgets: Collection[Budget], usd: Decimal | None) -> Short | None:
        if budgets and usd is None:
            words = min(budget.words for budget in budgets)
            return Short(f"the price of a call is not known, so that {words} cannot be kept", Decimal(0))
        used_up = [budget for budget in budgets if usd is not None and budget.used_up(usd)]
        if not used_up or usd is None:
            return None
        return Short(max(used_up, key=lambda budget: budget.spent - budget.limit).reason(usd), usd)

    @property
    def exhausted(self) -> Mapping[int, Short]:
        """The runs of which no call was let through, nor waits for others alone, with what the cheapest lacked."""
        return {
            run: min(shorts, key=lambda short: short.usd)
            for run, shorts in self._refused.items()
            if run not in self._may_go_on
        }


def dollars(usd: Decimal) -> str:
    """An amount as people read it: cents, and small amounts to two digits that say something."""
    exact = usd.normalize()
    if exact == 0 or abs(exact) >= Decimal("0.10"):
        return f"${exact:.2f}"
    return f"${exact:.{1 - exact.adjusted()}f}"
