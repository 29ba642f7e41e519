"""Cost of calls, the most that a call may cost, and the calls that budgets allow.

A budget is enforced before a call: a call is sent only if the amount spent, the most that calls under way may cost and
the most that this call may cost stay within every budget of its run.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from app.domain.asking.completions import Prompt, Usage
from app.domain.asking.protocols import Sampling
from app.domain.reasons import Reason

# Tokens that a provider's template may add to a prompt. A token is at least one byte of the text.
_TEMPLATE_TOKENS = 1024
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars per million tokens; None if unknown. Cached tokens cost the input price unless they have their own."""

    input: Decimal | None
    output: Decimal | None
    cached: Decimal | None = None


@dataclass(frozen=True, slots=True)
class PriceChange:
    """Prices that hold from a moment on."""

    since: datetime
    prices: Prices


def prices_at(history: Sequence[PriceChange], moment: datetime, otherwise: Prices) -> Prices:
    """Return the prices at a moment. `history` is in order; `otherwise` holds before it begins."""
    return next((row.prices for row in reversed(history) if row.since <= moment), otherwise)


FREE = Prices(Decimal(0), Decimal(0))


def cost(usage: Usage, prices: Prices) -> Decimal | None:
    """Return the cost of one call in US dollars; None (never 0) if a price or a count is unknown."""
    if prices.input is None or prices.output is None or usage.input is None or usage.answer is None:
        return None
    cached = min(usage.cached or 0, usage.input)
    price_cached = prices.input if prices.cached is None else prices.cached
    read = prices.input * (usage.input - cached) + price_cached * cached
    return (read + prices.output * (usage.answer + (usage.reasoning or 0))) / _MILLION


def max_call_tokens(prompt: Prompt, sampling: Sampling) -> tuple[int, int]:
    """Return the most tokens that one call reads and writes: one per byte of the prompt, and the protocol's limit."""
    read = sum(len(message.content.encode("utf-8", "replace")) for message in prompt.messages) + _TEMPLATE_TOKENS
    return read, sampling.max_tokens


def max_cost(prompt: Prompt, sampling: Sampling, prices: Prices) -> Decimal | None:
    """Return the most that one call costs in US dollars; None if a price is unknown."""
    if prices.input is None or prices.output is None:
        return None
    read, written = max_call_tokens(prompt, sampling)
    return (max(prices.input, prices.cached or Decimal(0)) * read + prices.output * written) / _MILLION


@dataclass(slots=True)
class Budget:
    """A limit in US dollars and what counts against it; `reserved` is the most that calls under way may cost."""

    words: str
    limit: Decimal
    spent: Decimal
    reserved: Decimal
    runs: frozenset[int] = frozenset()

    @property
    def over(self) -> bool:
        """True if calls under way may exceed the limit."""
        return self.spent + self.reserved > self.limit

    def used_up(self, usd: Decimal) -> bool:
        """Return whether a call of this cost cannot be sent, even if all calls under way turn out to cost nothing."""
        return self.spent + usd > self.limit

    def reason(self, usd: Decimal) -> Reason:
        """Return why a run that needs a call of this cost is paused."""
        code, may_cost = ("budget_spent", usd) if self.used_up(usd) else ("budget_reserved", self.reserved)
        about = {"spent": self.spent, "limit": self.limit, "usd": may_cost}
        return Reason(code, {name: format_dollars(dollars) for name, dollars in about.items()}, self.words)


@dataclass(frozen=True, slots=True)
class BudgetShortfall:
    """The reason why a run cannot go on, and how many US dollars it lacks at least; 0 if a price is missing."""

    reason: Reason
    usd: Decimal


@dataclass(slots=True)
class RunBudget:
    """The budgets that apply to runs, and the calls that they allow now."""

    budgets: Collection[Budget]
    reservations: dict[int, Decimal] = field(default_factory=dict)  # US dollars by sample
    _refusals: dict[int, list[BudgetShortfall]] = field(default_factory=dict)  # by run
    _affordable_runs: set[int] = field(default_factory=set)

    def reserve(self, sample_id: int, run_id: int, usd: Decimal | None) -> bool:
        """Reserve the cost of a call in every budget of its run. Return whether the call may be sent."""
        budgets = [budget for budget in self.budgets if run_id in budget.runs]
        shortfall = self._shortfall(budgets, usd)
        if shortfall is not None:
            self._refusals.setdefault(run_id, []).append(shortfall)
            return False
        self._affordable_runs.add(run_id)
        if usd is None:
            return True
        if any(budget.spent + budget.reserved + usd > budget.limit for budget in budgets):
            return False  # calls under way may yet turn out to cost less
        for budget in budgets:
            budget.reserved += usd
        self.reservations[sample_id] = usd
        return True

    def _shortfall(self, budgets: Collection[Budget], usd: Decimal | None) -> BudgetShortfall | None:
        if budgets and usd is None:
            words = min(budget.words for budget in budgets)
            return BudgetShortfall(Reason("no_price", cause=words), Decimal(0))
        used_up = [budget for budget in budgets if usd is not None and budget.used_up(usd)]
        if not used_up or usd is None:
            return None
        return BudgetShortfall(max(used_up, key=lambda budget: budget.spent - budget.limit).reason(usd), usd)

    @property
    def shortfalls(self) -> Mapping[int, BudgetShortfall]:
        """The shortfall of the cheapest call of each run that could send none and does not wait for calls under way."""
        return {
            run: min(shortfalls, key=lambda shortfall: shortfall.usd)
            for run, shortfalls in self._refusals.items()
            if run not in self._affordable_runs
        }


def format_dollars(usd: Decimal) -> str:
    """Return an amount for people: cents, or two significant digits for small amounts."""
    exact = usd.normalize()
    if exact == 0 or abs(exact) >= Decimal("0.10"):
        return f"${exact:.2f}"
    return f"${exact:.{1 - exact.adjusted()}f}"
