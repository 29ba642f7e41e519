"""What a run will take: how many samples it wants, and what those without an answer are expected to cost."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from app.db.kernel.session import Session
from app.db.runs import forecasts as store
from app.db.runs import planning
from app.db.runs.forecasts import Taken
from app.db.tables import Endpoint, Run
from app.domain.asking.completions import Usage
from app.domain.asking.money import Prices, cost
from app.domain.asking.protocols import Protocol
from app.domain.scenarios import Scenario
from app.services.runs import items


@dataclass(frozen=True, slots=True)
class Forecast:
    """Samples that a run wants as of now, those among them without an answer, and what these are expected to cost.

    `cost` is in US dollars: as many tokens as the mean of `answers` earlier ones took, at the endpoint's prices of
    the day `prices_on`. None where a price is unknown, or nothing was answered yet; never 0 for want of knowledge.
    `like` says whose answers those were: `run`, the same model under this protocol; `protocol`, all models under it;
    `scenario`, all its protocols.
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
    """The forecast of a run as it stands, whatever is planned of it already."""
    covered = planning.covered(session, [run], protocol, scenario, now)
    sizes = items.counts(session, scenario, covered)
    wanted = protocol.sampling.n * sum(sizes.get(problem.version, 1) for problem in covered)
    lacking = max(0, wanted - store.answered(session, run.id, protocol.sampling.n))
    prices = Prices(endpoint.price_input, endpoint.price_output, endpoint.price_cached)
    like, taken = _earlier(session, run, protocol)
    return Forecast(
        wanted, lacking, _cost(taken, lacking, prices), like if taken.answers else None, taken.answers,
        endpoint.price_on, priced=prices.input is not None and prices.output is not None,
    )  # fmt: skip


def _earlier(session: Session, run: Run, protocol: Protocol) -> tuple[str, Taken]:
    """The answers that those to come resemble most."""
    own = store.of_protocol(session, run.protocol_id, run.model_id)
    if own.answers:
        return "run", own
    others = store.of_protocol(session, run.protocol_id)
    return ("protocol", others) if others.answers else ("scenario", store.of_scenario(session, protocol.scenario))


def _cost(taken: Taken, lacking: int, prices: Prices) -> Decimal | None:
    if not taken.answers:
        return None
    each = cost(Usage(input=taken.input, cached=taken.cached, answer=taken.output), prices)
    return None if each is None else round(each / taken.answers * lacking, 6)
