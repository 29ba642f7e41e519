"""Forecast of what making tests takes: calls, tokens, judging and cost, for a problem and for a contest. Pure.

The constants hold until something is measured. docs/consensus.md ("What it takes") says where each comes from.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from app.domain.asking.completions import Usage
from app.domain.asking.money import Prices, cost
from app.domain.consensus.agreement import LEAST_VENDORS
from app.domain.consensus.prompts import setter_tasks
from app.domain.problems import Form

# A setter's prompts for the house league have 2,213 bytes in the mean, some three to a token.
INPUT_TOKENS_PER_CALL: Final = 750
# Half of the recorded answers have fewer than 300 tokens, but no reasoning: what models write before is assumed.
OUTPUT_TOKENS_PER_CALL: Final = 4000
# The median suite took 128 s of judging (docs/evidence.md, "Suites by consensus").
JUDGE_S_PER_PROBLEM: Final = 128.0
PROBLEMS_PER_CONTEST: Final = 6.0  # a contest has four to eight
CONTESTS_PER_WEEK: Final = 2.0  # of one site
CALLS_PER_PROBLEM: Final = len(setter_tasks(Form.STDIN))  # of one setter in the first round


@dataclass(frozen=True, slots=True)
class SetterUse:
    """Mean use of one setter for the tests of one problem that it is asked about.

    `problems` is the number of problems that this was measured on; 0 if the figures are the documented ones.
    """

    calls: float
    tokens_input: float
    tokens_cached: float
    tokens_output: float
    problems: int


DOCUMENTED_USE: Final = SetterUse(
    CALLS_PER_PROBLEM, CALLS_PER_PROBLEM * INPUT_TOKENS_PER_CALL, 0, CALLS_PER_PROBLEM * OUTPUT_TOKENS_PER_CALL, 0
)


@dataclass(frozen=True, slots=True)
class ForecastSetter:
    """A setter with its use and its prices; `share` of the problems are drawn for its vendor."""

    name: str
    vendor: str
    share: float
    use: SetterUse
    prices: Prices


@dataclass(frozen=True, slots=True)
class ForecastAmount:
    """Expected calls, tokens, seconds of judging and US dollars (None if a price is unknown)."""

    calls: float = 0.0
    tokens: float = 0.0
    judge_s: float = 0.0
    usd: Decimal | None = Decimal(0)

    def __add__(self, other: "ForecastAmount") -> "ForecastAmount":
        usd = None if self.usd is None or other.usd is None else self.usd + other.usd
        return ForecastAmount(
            self.calls + other.calls, self.tokens + other.tokens, self.judge_s + other.judge_s, usd
        )  # fmt: skip

    def times(self, number: float) -> "ForecastAmount":
        """Return the amount of so many like it."""
        usd = None if self.usd is None else self.usd * Decimal(number)
        return ForecastAmount(self.calls * number, self.tokens * number, self.judge_s * number, usd)


def vendor_share(vendors: int) -> float:
    """Return the share of problems that each of so many vendors is asked about: two are drawn for each problem."""
    return min(1.0, LEAST_VENDORS / vendors) if vendors else 0.0


def forecast_problem(setters: Sequence[ForecastSetter], judge_s: float) -> ForecastAmount:
    """Return the expected amount for the tests of one problem."""
    return sum(map(_forecast_setter, setters), ForecastAmount(judge_s=judge_s))


def _forecast_setter(setter: ForecastSetter) -> ForecastAmount:
    use = setter.use
    read, cached, written = round(use.tokens_input), round(use.tokens_cached), round(use.tokens_output)
    usd = cost(Usage(input=read, cached=cached, answer=written), setter.prices)
    whole = ForecastAmount(use.calls, use.tokens_input + use.tokens_output, 0.0, usd)
    return whole.times(setter.share)
