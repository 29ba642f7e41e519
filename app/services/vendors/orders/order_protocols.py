"""Protocols that accept orders: what each asks, covers now and costs."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from app.db.kernel.session import Session
from app.db.runs import runs as run_store
from app.db.vendors import order_coverage
from app.domain.asking.money import Prices
from app.domain.asking.protocols import Protocol
from app.domain.scenarios import scenarios
from app.services.vendors.orders.dry_runs import OrderCost, count_samples, expected_cost
from app.services.vendors.orders.order_checks import shipped_orderable


@dataclass(frozen=True, slots=True)
class OrderableProtocol:
    """A protocol that accepts submissions, with what it covers now over all time."""

    object: Literal["protocol"]
    slug: str
    title: str
    scenario: str
    language: Annotated[str, Field(description="of the answers")]
    locale: Annotated[str, Field(description="of the problems' texts")]
    answers_per_item: int
    temperature: float
    max_tokens: int
    ranked: Annotated[bool, Field(description="whether its rows are on boards")]
    problems: Annotated[int, Field(description="published problems that it covers now")]
    samples: Annotated[int, Field(description="answers that an order over all of them asks for")]
    cost: Annotated[OrderCost, Field(description="of all these answers, at the prices given with the request")]


@dataclass(frozen=True, slots=True)
class OrderableProtocolList:
    """The protocols that accept submissions."""

    data: list[OrderableProtocol]


def list_protocols(session: Session, organisation_id: int, prices: Prices) -> OrderableProtocolList:
    """Return every protocol that accepts submissions, the shipped ones first."""
    rows = {row.slug: row for row in run_store.asked_protocols(session)}
    shipped = {protocol.slug: protocol for protocol in shipped_orderable()}
    opened = {
        slug: run_store.read_protocol(row.body) for slug, row in rows.items() if row.orderable and slug not in shipped
    }
    return OrderableProtocolList(
        [
            _describe(session, organisation_id, protocol, rows[slug].id if slug in rows else 0, prices)
            for slug, protocol in (shipped | opened).items()
        ]
    )


def _describe(
    session: Session, organisation_id: int, protocol: Protocol, protocol_id: int, prices: Prices
) -> OrderableProtocol:
    scenario, window = scenarios().get(protocol.scenario), order_coverage.ReleaseWindow()
    if scenario is not None and scenario.asks_once:
        problems = order_coverage.count_covered(session, protocol, window)
        samples = problems * protocol.sampling.n
    else:
        covered = order_coverage.covered_problems(session, protocol, window)
        problems, samples = len(covered), count_samples(session, protocol, covered)
    tokens = order_coverage.tokens_of_newest(session, protocol_id, organisation_id)
    return OrderableProtocol(
        object="protocol",
        slug=protocol.slug,
        title=protocol.title,
        scenario=protocol.scenario,
        language=protocol.language,
        locale=protocol.locale,
        answers_per_item=protocol.sampling.n,
        temperature=protocol.sampling.temperature,
        max_tokens=protocol.sampling.max_tokens,
        ranked=scenario is not None and scenario.ranked,
        problems=problems,
        samples=samples,
        cost=expected_cost(tokens, samples, prices),
    )
