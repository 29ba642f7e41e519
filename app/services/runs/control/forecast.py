"""Forecast of a run: how many samples it wants, and the expected cost of those without an answer."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from app.db.kernel.session import Session
from app.db.runs import forecasts as store
from app.db.runs import planning
from app.db.runs.forecasts import TokenSums
from app.db.tables import Endpoint, Run
from app.domain.asking.completions import Usage
from app.domain.asking.money import Prices, cost
from app.domain.asking.protocols import Protocol
from app.domain.scenarios import Scenario
from app.services.runs import items


@dataclass(frozen=True, slots=True)
class Forecast:
    """Samples that a run wants as of now, those among them without an answer, and their expected cost.

    `cost` is in US dollars: the mean tokens of `answers` earlier answers, at the endpoint's prices of the day
    `prices_on`. None if a price is unknown or nothing was answered yet; never 0 for want of knowledge. `like` says
    whose answers those were: `run`, the same model under this protocol; `protocol`, all models under it; `scenario`,
    all its protocols.
    """

    wanted: int
    lacking: int
    cost: Decimal | None
    like: str | None
    answers: int
    prices_on: date | None
    priced: bool


def forecast(
    session: Session, run: Run, endpoint: Endpoint, protocol: Protocol, scenario: Scenario, now: datetime
) -> Forecast:
    """Return the forecast of a run as it stands, counting samples that are already planned."""
    covered = planning.covered_problems(session, [run], protocol, scenario, now)
    sizes = items.count_items(session, scenario, covered)
    wanted = protocol.sampling.n * sum(sizes.get(problem.version, 1) for problem in covered)
    lacking = max(0, wanted - store.count_answered(session, run.id, protocol.sampling.n))
    prices = Prices(endpoint.price_input, endpoint.price_output, endpoint.price_cached)
    like, usage = _earlier_answers(session, run, protocol)
    return Forecast(
        wanted, lacking, _cost(usage, lacking, prices), like if usage.answers else None, usage.answers,
        endpoint.price_on, priced=prices.input is not None and prices.output is not None,
    )  # fmt: skip


def _earlier_answers(session: Session, run: Run, protocol: Protocol) -> tuple[str, TokenSums]:
    """Return the earlier answers most like those to come, and which they are."""
    own_answers = store.tokens_of_protocol(session, run.protocol_id, run.model_id)
    if own_answers.answers:
        return "run", own_answers
    other_answers = store.tokens_of_protocol(session, run.protocol_id)
    return (
        ("protocol", other_answers)
        if other_answers.answers
        else ("scenario", store.tokens_of_scenario(session, protocol.scenario))
    )


def _cost(usage: TokenSums, lacking: int, prices: Prices) -> Decimal | None:
    if not usage.answers:
        return None
    total = cost(Usage(input=usage.input, cached=usage.cached, answer=usage.output), prices)
    return None if total is None else round(total / usage.answers * lacking, 6)
