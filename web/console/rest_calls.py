"""The calls of the API behind the console's pages, as commands for a shell."""

import json
import shlex
from collections.abc import Mapping
from typing import Any, Final

from app.services.vendors.console.views import OwnEndpoint
from app.services.vendors.orders.order_views import SubmissionAnswer
from web.context import PageRequest

_CARD: Final = "https://orion.example/model-card"
_MODEL: Final = {"slug": "orion-1", "name": "Orion 1", "cutoff": {"date": "2026-03-31", "evidence_url": _CARD}}
_ENDPOINT: Final = {
    "model": "orion-1", "remote_name": "orion-1", "base_url": "https://api.orion.example/v1", "secret": "SECRET",
}  # fmt: skip
_ORDER: Final = {"endpoint": 1, "protocol": "fresh", "continuous": True}
_ORDERS: Final = "/vendor/submissions"


def curl(page: PageRequest, method: str, path: str, body: Mapping[str, Any] | None = None) -> str:
    """Return a curl command for a call of the API; the key is read from `TIDEMARK_KEY`."""
    address = shlex.quote(f"{page.state.public_url}/api/v1{path}")
    parts = [f"curl {address}" if method == "GET" else f"curl -X {method} {address}"]
    parts.append('-H "Authorization: Bearer $TIDEMARK_KEY"')
    if method != "GET":
        parts.append('-H "Idempotency-Key: $(uuidgen)"')
    if body is not None:
        parts += ["-H 'Content-Type: application/json'", f"-d {shlex.quote(json.dumps(body, ensure_ascii=False))}"]
    return " \\\n  ".join(parts)


def of_models(page: PageRequest) -> tuple[str, ...]:
    """Return the call that registers a model."""
    return (curl(page, "POST", "/vendor/models", _MODEL),)


def of_model(page: PageRequest, slug: str) -> tuple[str, ...]:
    """Return the call that declares a model's dates."""
    return (curl(page, "POST", f"/vendor/models/{slug}/cutoff", {"cutoff": _MODEL["cutoff"]}),)


def of_endpoints(page: PageRequest) -> tuple[str, ...]:
    """Return the call that registers an endpoint."""
    return (curl(page, "POST", "/vendor/endpoints", _ENDPOINT),)


def of_endpoint(page: PageRequest, line: OwnEndpoint) -> tuple[str, ...]:
    """Return the call that changes an endpoint."""
    body = {
        "model": line.model, "protocol": line.protocol, "remote_name": line.remote_name, "base_url": line.base_url,
        "max_concurrency": line.max_concurrency,
    }  # fmt: skip
    return (curl(page, "POST", "/vendor/endpoints", body),)


def of_orders(page: PageRequest) -> tuple[str, ...]:
    """Return the call that lists orders."""
    return (curl(page, "GET", _ORDERS),)


def of_order(page: PageRequest, order: SubmissionAnswer) -> tuple[str, ...]:
    """Return the calls that read an order, change its budget and cancel it."""
    path = f"{_ORDERS}/{order.id}"
    budget = curl(page, "POST", f"{path}/budget", {"usd": 25})
    return (curl(page, "GET", path), budget, curl(page, "POST", f"{path}/cancel"))


def of_new_order(page: PageRequest) -> tuple[str, ...]:
    """Return the call that places an order."""
    return (curl(page, "POST", _ORDERS, _ORDER),)
