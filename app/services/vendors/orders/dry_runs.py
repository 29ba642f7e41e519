"""Dry runs of orders: what one would ask, cost and take, and whether its row would be ranked."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Annotated, Final, Literal

from pydantic import Field

from app.db.boards import trials
from app.db.boards.trials import MAX_CONFIGURATIONS, configuration_label
from app.db.kernel.session import Session
from app.db.runs.forecasts import TokenSums
from app.db.runs.planning import CoveredProblem
from app.db.vendors import order_coverage, order_pace
from app.domain.asking.completions import RunCheck, Usage
from app.domain.asking.money import Prices, cost
from app.domain.asking.protocols import Protocol
from app.domain.scenarios import scenarios
from app.domain.windows import midnight
from app.services.runs import cutoffs, items
from app.services.vendors.orders import order_checks
from app.services.vendors.orders.order_checks import CheckedOrder, NewSubmission

_WEEKS: Final = 4  # of released problems, from which a week's number is estimated


@dataclass(frozen=True, slots=True)
class OrderCost:
    """Expected cost of an order."""

    usd: Annotated[float | None, Field(description="null while a price is missing, or nothing was answered yet")]
    tokens_input: Annotated[float | None, Field(description="mean tokens read for a sample by earlier answers")]
    tokens_output: Annotated[float | None, Field(description="mean tokens written for a sample by earlier answers")]
    like_answers: Annotated[int, Field(description="the number of those answers, of this protocol; the newest ones")]


@dataclass(frozen=True, slots=True)
class OrderDuration:
    """Expected time of an order's answers at the speed that its endpoint showed."""

    hours: Annotated[float | None, Field(description="null before the endpoint has answered anything")]
    seconds_per_answer: Annotated[float | None, Field(description="mean over the endpoint's newest answers")]
    measured_answers: Annotated[int, Field(description="the number of those answers")]
    at_once: Annotated[int, Field(description="requests at once: the endpoint's max_concurrency")]


@dataclass(frozen=True, slots=True)
class RankForecast:
    """Forecast of a rank: if the row of an order would have one as things stand, and why not."""

    ranked: bool
    because: Annotated[list[str], Field(description="each reason against a rank; if there is none, what it rests on")]


@dataclass(frozen=True, slots=True)
class DryRun:
    """Forecast of an order; nothing was placed."""

    object: Literal["dry_run"]
    model: Annotated[str, Field(description="the slug of its model")]
    protocol: str
    configuration: Annotated[str, Field(description="as the row of the board would name it; empty for the default")]
    problems: Annotated[int, Field(description="published problems that it would ask now")]
    samples: Annotated[int, Field(description="answers that it would ask for now")]
    samples_per_week: Annotated[
        float | None, Field(description="for a continuous order: answers a week, as problems came in four weeks")
    ]
    cost: OrderCost
    duration: OrderDuration
    rank: RankForecast
    warnings: Annotated[list[str], Field(description="why it may never run")]


def dry_run(session: Session, organisation_id: int, new: NewSubmission, now: datetime, check: RunCheck) -> DryRun:
    """Return what an order would do. Raises as the order itself; the caller rolls back."""
    order = order_checks.check_order(session, organisation_id, new, now, check)
    problems = order_coverage.covered_problems(session, order.protocol, order.window)
    samples = count_samples(session, order.protocol, problems)
    tokens = order_coverage.tokens_of_newest(session, order.protocol_id, organisation_id)
    endpoint = order.endpoint
    latency = order_pace.latency_at(session, endpoint.id)
    seconds = None if latency.mean_s is None else samples * latency.mean_s / endpoint.max_concurrency
    return DryRun(
        object="dry_run",
        model=order.model.slug,
        protocol=order.protocol.slug,
        configuration=configuration_label(order.configuration),
        problems=len(problems),
        samples=samples,
        samples_per_week=_weekly_samples(session, order.protocol, now) if new.continuous else None,
        cost=expected_cost(tokens, samples, Prices(endpoint.price_input, endpoint.price_output, endpoint.price_cached)),
        duration=OrderDuration(
            None if seconds is None else round(seconds / 3600, 3),
            None if latency.mean_s is None else round(latency.mean_s, 3),
            latency.answers,
            endpoint.max_concurrency,
        ),
        rank=_forecast_rank(session, organisation_id, order, problems),
        warnings=order_checks.find_warnings(session, order, now),
    )


def count_samples(session: Session, protocol: Protocol, problems: list[CoveredProblem]) -> int:
    """Return the number of answers that these problems ask for under a protocol."""
    scenario = scenarios().get(protocol.scenario)
    if scenario is None:
        return 0
    sizes = items.count_items(session, scenario, problems)
    default = 1 if scenario.asks_once else 0
    return protocol.sampling.n * sum(sizes.get(problem.version, default) for problem in problems)


def _weekly_samples(session: Session, protocol: Protocol, now: datetime) -> float:
    since = midnight(now.date()) - timedelta(weeks=_WEEKS)
    window = order_coverage.ReleaseWindow(since, None)
    newest = order_coverage.covered_problems(session, protocol, window)
    return round(count_samples(session, protocol, newest) / _WEEKS, 2)


def expected_cost(tokens: TokenSums, samples: int, prices: Prices) -> OrderCost:
    """Return the cost of samples that take as many tokens as earlier answers took, at these prices."""
    if not tokens.answers:
        return OrderCost(None, None, None, 0)
    total = cost(Usage(input=tokens.input, cached=tokens.cached, answer=tokens.output), prices)
    usd: Decimal | None = None if total is None else total / tokens.answers * samples
    read, written = (round(count / tokens.answers, 1) for count in (tokens.input, tokens.output))
    return OrderCost(None if usd is None else round(float(usd), 6), read, written, tokens.answers)


def _forecast_rank(
    session: Session, organisation_id: int, order: CheckedOrder, problems: list[CoveredProblem]
) -> RankForecast:
    """Return whether boards would rank the row: their rules, applied to what is known before the first prompt."""
    against = list[str]()
    scenario = scenarios().get(order.protocol.scenario)
    if scenario is None or not scenario.ranked:
        against.append(f"Nothing is ranked under {order.protocol.slug}.")
    if not order.new.public:
        against.append("The order is private: its row is shown to you alone.")
    earlier = trials.trials_of_model(session, order.protocol_id, order.model.id, order.configuration)
    if earlier.standing is not None:
        against.append(
            f"Run {earlier.standing} of this model in this configuration was asked before: the first trial stands."
        )
    label = configuration_label(order.configuration)
    if label not in earlier.configurations and len(earlier.configurations) >= MAX_CONFIGURATIONS:
        against.append(f"{len(earlier.configurations)} other configurations of this model are registered: "
                       f"{MAX_CONFIGURATIONS} are ranked.")  # fmt: skip
    cutoff = cutoffs.effective_cutoff(order.model)
    seen = sum(problem.released.date() <= cutoff.on for problem in problems)
    if seen:
        against.append(
            f"{seen} of {len(problems)} problems came out until the model's cutoff, {cutoff.on} ({cutoff.basis}): "
            "begin the window later, or declare an earlier cutoff with evidence."
        )
    served = order_coverage.count_served(session, organisation_id, [problem.problem for problem in problems])
    if served:
        against.append(f"{served} of {len(problems)} problems were sent to endpoints of yours before.")
    holds = "Every rule that is known before the first prompt is met; at least 95 % of the answers must be judged."
    return RankForecast(not against, against or [holds])
