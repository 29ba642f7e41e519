"""Checks of an order before it is placed: what cannot run is refused, and what may not run is said."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from app.db.kernel.session import Session
from app.db.runs import runs as run_store
from app.db.sources.scope import may_gain_problems
from app.db.tables import Endpoint, Model
from app.db.vendors import order_coverage
from app.db.vendors import submissions as store
from app.db.vendors.order_coverage import ReleaseWindow
from app.domain.asking.completions import RunCheck
from app.domain.asking.configuration import convert_configuration
from app.domain.asking.protocols import BUILT_IN_PROTOCOLS, Protocol
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.domain.scenarios import Need, scenarios
from app.domain.windows import midnight
from app.services.runs import inference
from app.services.vendors import practice


@dataclass(frozen=True, slots=True)
class NewSubmission:
    """A new submission: an endpoint's model in one configuration under a protocol, over a window or continuously.

    `endpoint_id` is an endpoint's number or its opaque id.
    """

    endpoint_id: int | str
    protocol: str
    configuration: Mapping[str, Any]
    window_start: datetime | None = None
    window_end: datetime | None = None
    continuous: bool = False
    public: bool = True
    embargo_until: datetime | None = None
    budget_usd: Decimal | None = None


@dataclass(frozen=True, slots=True)
class CheckedOrder:
    """An order that may be placed, with what its names stand for."""

    new: NewSubmission
    endpoint: Endpoint
    model: Model
    protocol_id: int
    protocol: Protocol
    configuration: dict[str, Any]
    window: ReleaseWindow


def check_order(
    session: Session, organisation_id: int, new: NewSubmission, now: datetime, check: RunCheck
) -> CheckedOrder:
    """Return an order that may be placed.

    Raises NotFound for an endpoint of others, Conflict if its model was withdrawn, and InvalidInput with the pointer of
    the field at fault for what can never run: a stopped endpoint, a budget without prices, a window already known.
    """
    endpoint = store.own_endpoint(session, organisation_id, new.endpoint_id)
    if endpoint is None:
        raise NotFound(f"you have no endpoint {new.endpoint_id}")
    model = session.get_one(Model, endpoint.model_id)
    if model.withdrawn_at is not None:
        raise Conflict(f"you withdrew {model.slug}: register the new model under another slug")
    if practice.is_practice_protocol(new.protocol):
        practice.check_practice(
            session, organisation_id, now, continuous=new.continuous, embargo_until=new.embargo_until
        )
        new = replace(new, public=False, window_end=new.window_end or now)
    if new.continuous == (new.window_end is not None):
        raise InvalidInput("give the window's end, or set continuous", pointer="/window")
    if new.embargo_until is not None and new.embargo_until <= now:
        raise InvalidInput("the embargo is already over: give a time in the future, or none", pointer="/embargo_until")
    protocol_id, protocol = _open_protocol(session, new.protocol)
    configuration = convert_configuration(new.configuration)
    check(inference.spec_of(endpoint, None), protocol.sampling, configuration)
    if endpoint.stopped_at is not None:
        raise InvalidInput(
            f"endpoint {new.endpoint_id} is stopped: {endpoint.stopped_reason}; mend it and change it with "
            "PATCH /endpoints/{id}, which ends its stop",
            pointer="/endpoint",
        )
    if new.budget_usd is not None and None in (endpoint.price_input, endpoint.price_output):
        raise InvalidInput(
            f"a budget needs the prices of endpoint {new.endpoint_id}: give price_input and price_output with "
            "PATCH /endpoints/{id}",
            pointer="/budget_usd",
        )
    start = midnight(now.date()) if new.continuous else new.window_start
    return CheckedOrder(
        new, endpoint, model, protocol_id, protocol, configuration, ReleaseWindow(start, new.window_end)
    )  # fmt: skip


def find_warnings(session: Session, order: CheckedOrder, now: datetime) -> list[str]:
    """Return why an order may never be asked anything, in sentences; mostly nothing."""
    scenario = scenarios().get(order.protocol.scenario)
    if scenario is None or Need.DERIVED in scenario.needs or order.protocol.prerequisite is not None:
        return []
    if order_coverage.count_covered(session, order.protocol, order.window):
        return []
    past, start = order.window.end is not None and order.window.end <= now, order.window.start
    if may_gain_problems(session, order.protocol.covers, start, order.window.end or now):
        return ["No problem of this window is published yet: the order waits for problems."] if past else []
    if past:
        return [f"No problem that {order.protocol.slug} covers came out in this window: the order will fail as empty."]
    if order_coverage.count_covered(session, order.protocol, ReleaseWindow()):
        return []
    return [f"{order.protocol.slug} covers no published problem yet: the order waits until one comes out."]


def _open_protocol(session: Session, slug: str) -> tuple[int, Protocol]:
    """Return a protocol that accepts submissions (shipped, or opened), with its id. Raises InvalidInput."""
    shipped = {protocol.slug: protocol for protocol in shipped_orderable()}
    if slug in shipped:
        return run_store.ensure_protocol(session, shipped[slug]).id, shipped[slug]
    opened = {row.slug: row for row in run_store.asked_protocols(session) if row.orderable}
    if slug not in opened:
        names = ", ".join([*shipped, *opened])
        raise InvalidInput(f"no protocol {slug} accepts submissions; these do: {names}", pointer="/protocol")
    return opened[slug].id, run_store.read_protocol(opened[slug].body)


def shipped_orderable() -> list[Protocol]:
    """Return the shipped protocols under which models are asked: each accepts submissions."""
    return [protocol for protocol in BUILT_IN_PROTOCOLS if not (protocol.imported or protocol.recorded)]
