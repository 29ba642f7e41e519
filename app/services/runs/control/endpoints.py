"""Registration of endpoints, and later changes to them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from app.db.kernel.session import Session
from app.db.runs import endpoints as store
from app.db.runs import models as model_store
from app.db.runs import runs as run_store
from app.db.tables import Endpoint, Model
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.services.runs import endpoint_secrets
from app.services.runs.endpoint_secrets import Vault

DEFAULT_CONCURRENCY = 8


@dataclass(frozen=True, slots=True)
class NewEndpoint:
    """Facts of an endpoint; None leaves a fact as it is. `secret` is sealed at once and never shown again.

    Prices are US dollars per million tokens; `timeout_s` is the limit for one answer.
    """

    model: str
    backend: str
    remote_name: str
    base_url: str
    secret: str | None = None
    max_concurrency: int | None = None
    price_input: Decimal | None = None
    price_cached: Decimal | None = None
    price_output: Decimal | None = None
    extra: Mapping[str, Any] | None = None
    timeout_s: float | None = None


@dataclass(frozen=True, slots=True)
class PriceLine:
    """Prices of an endpoint from a moment on, in US dollars per million tokens."""

    endpoint: str
    since: datetime
    input: Decimal | None
    cached: Decimal | None
    output: Decimal | None


def price_history(session: Session, slug: str) -> list[PriceLine]:
    """Return the prices that a model's endpoints had, oldest first. Raises NotFound."""
    model = model_store.lock_model(session, slug)
    if model is None:
        raise NotFound(f"there is no model {slug}")
    lines = [
        PriceLine(row.remote_name, dated.since, dated.prices.input, dated.prices.cached, dated.prices.output)
        for row in store.of_model(session, model.id)
        for dated in store.prices(session, row.id)
    ]
    return sorted(lines, key=lambda line: (line.since, line.endpoint))


def register(session: Session, model: Model, new: NewEndpoint, now: datetime, vault: Vault) -> Endpoint:
    """Register an endpoint of a model, or change a registered one, which also ends its stop.

    The caller has checked the address. A fact that is not given stays as it is. The address may change until the
    first answer. Raises Unavailable for a
    secret while our key is lost, Conflict for an address that comes too late or a name under which weights are served,
    InvalidInput for a new address without the secret.
    """
    if new.secret:
        endpoint_secrets.refuse_while_lost(session, vault)
    columns = _columns_of(new, now, vault)
    endpoint = store.lock_endpoint(session, model.id, new.backend, new.remote_name)
    if endpoint is None:
        first = {"backend": new.backend, "remote_name": new.remote_name, "max_concurrency": DEFAULT_CONCURRENCY}
        endpoint = run_store.ensure_endpoint(session, model.id, {**first, **columns})
        store.record_prices(session, endpoint, now)
        return endpoint
    if endpoint.weights is not None:
        raise Conflict(f"{model.slug} is served by weights of our own under the name {new.remote_name}")
    _check_address(session, endpoint, new)
    for name, value in columns.items():
        setattr(endpoint, name, value)
    session.flush()
    store.record_prices(session, endpoint, now)
    run_store.revive(session, endpoint.id)
    return endpoint


def is_registered(session: Session, model: Model, new: NewEndpoint) -> bool:
    """Return whether an endpoint of that format and remote name is registered for a model."""
    return store.lock_endpoint(session, model.id, new.backend, new.remote_name) is not None


def _columns_of(new: NewEndpoint, now: datetime, vault: Vault) -> dict[str, Any]:
    """Return the columns of an endpoint that a registration sets."""
    priced = any(price is not None for price in (new.price_input, new.price_cached, new.price_output))
    columns = {
        "secret_encrypted": vault.seal(new.secret) if new.secret else None,
        "max_concurrency": new.max_concurrency,
        "timeout_s": new.timeout_s,
        "price_input": new.price_input,
        "price_cached": new.price_cached,
        "price_output": new.price_output,
        "price_on": now.date() if priced else None,
        "extra": None if new.extra is None else dict(new.extra),
    }
    fixed = {"base_url": new.base_url, "trusted": False, "stopped_at": None, "stopped_reason": None}
    return fixed | {name: value for name, value in columns.items() if value is not None}


def _check_address(session: Session, endpoint: Endpoint, new: NewEndpoint) -> None:
    """Refuse another address once a model has answered at this one: one name is one deployment."""
    if endpoint.base_url == new.base_url:
        return
    message = f"endpoint {endpoint.id} is registered at another base_url"
    if store.has_answered(session, endpoint.id):
        raise Conflict(f"{message} and has answered there: register the new address under another model")
    if endpoint.secret_encrypted is not None and new.secret is None:
        raise InvalidInput(
            f"{message}: its secret is never sent to another address, so give it again", pointer="/secret"
        )
