"""The calls of the API behind the console's pages, as commands for a shell."""

import json
import shlex
from collections.abc import Mapping
from typing import Any, Final

from app.domain.etags import etag_of
from app.services.vendors.orders.order_views import SubmissionAnswer
from app.services.vendors.registrations import EndpointAnswer, ModelAnswer
from web.context import PageRequest

_CARD: Final = "https://orion.example/model-card"
_MODEL: Final = {"slug": "orion-1", "name": "Orion 1", "cutoff": {"date": "2026-03-31", "evidence_url": _CARD}}
_ENDPOINT: Final = {
    "model": "orion-1", "remote_name": "orion-1", "base_url": "https://api.orion.example/v1", "secret": "SECRET",
}  # fmt: skip
_ORDER: Final = {"endpoint": 1, "protocol": "fresh", "continuous": True}
_ORDERS: Final = "/vendor/submissions"


_WEBHOOK: Final = {"url": "https://ci.orion.example/tidemark", "events": ["submission.published"]}
_DISPUTE: Final = {
    "about": "cutoff", "model": "orion-1", "evidence_url": _CARD,
    "text": "The model card states an earlier end of the training data.",
}  # fmt: skip


def curl(
    page: PageRequest, method: str, path: str, body: Mapping[str, Any] | None = None, etag: str | None = None
) -> str:
    """Return a curl command for a call of the API; the key is read from `TIDEMARK_KEY`."""
    address = shlex.quote(f"{page.state.public_url}/api/v1{path}")
    parts = [f"curl {address}" if method == "GET" else f"curl -X {method} {address}"]
    parts.append('-H "Authorization: Bearer $TIDEMARK_KEY"')
    if etag is not None:
        parts.append(f"-H {shlex.quote(f'If-Match: {etag}')}")
    if method == "POST":
        parts.append('-H "Idempotency-Key: $(uuidgen)"')
    if body is not None:
        parts += ["-H 'Content-Type: application/json'", f"-d {shlex.quote(json.dumps(body, ensure_ascii=False))}"]
    return " \\\n  ".join(parts)


def of_models(page: PageRequest) -> tuple[str, ...]:
    """Return the call that registers a model."""
    return (curl(page, "POST", "/vendor/models", _MODEL),)


def of_model(page: PageRequest, model: ModelAnswer) -> tuple[str, ...]:
    """Return the calls that declare a model's dates, change, delete and withdraw it."""
    path = f"/vendor/models/{model.slug}"
    return (
        curl(page, "POST", f"{path}/cutoff", {"cutoff": _MODEL["cutoff"]}),
        curl(page, "PATCH", path, {"name": model.name}, etag_of(model)),
        curl(page, "DELETE", path),
        curl(page, "POST", f"{path}/withdraw", {"reason": f"{model.name} is no longer served."}),
    )


def of_endpoints(page: PageRequest) -> tuple[str, ...]:
    """Return the call that registers an endpoint."""
    return (curl(page, "POST", "/vendor/endpoints", _ENDPOINT),)


def of_endpoint(page: PageRequest, line: EndpointAnswer) -> tuple[str, ...]:
    """Return the calls that probe an endpoint, read the probe, and change the endpoint."""
    path = f"/vendor/endpoints/{line.id}"
    return (
        curl(page, "POST", f"{path}/probe", {"protocol": "fresh"}),
        curl(page, "GET", f"{path}/probe"),
        curl(page, "PATCH", path, {"max_concurrency": line.max_concurrency}, etag_of(line)),
    )


def of_orders(page: PageRequest) -> tuple[str, ...]:
    """Return the call that lists orders."""
    return (curl(page, "GET", _ORDERS),)


def of_order(page: PageRequest, order: SubmissionAnswer) -> tuple[str, ...]:
    """Return the calls that read an order, change its budget, pause, resume, retry and cancel it."""
    path = f"{_ORDERS}/{order.id}"
    acts = (curl(page, "POST", f"{path}/{verb}") for verb in ("pause", "resume", "retry-failed", "cancel"))
    return (curl(page, "GET", path), curl(page, "POST", f"{path}/budget", {"usd": 25}), *acts)


def of_items(page: PageRequest, public_id: str) -> tuple[str, ...]:
    """Return the call that lists what an order asks."""
    return (curl(page, "GET", f"{_ORDERS}/{public_id}/items"),)


def of_preview(page: PageRequest, public_id: str) -> tuple[str, ...]:
    """Return the call that reads the row of a hidden order."""
    return (curl(page, "GET", f"{_ORDERS}/{public_id}/preview"),)


def of_new_order(page: PageRequest) -> tuple[str, ...]:
    """Return the calls that try and place an order."""
    return (curl(page, "POST", f"{_ORDERS}?dry_run=true", _ORDER), curl(page, "POST", _ORDERS, _ORDER))


def of_webhooks(page: PageRequest) -> tuple[str, ...]:
    """Return the calls that list and create webhooks."""
    return (curl(page, "GET", "/vendor/webhooks"), curl(page, "POST", "/vendor/webhooks", _WEBHOOK))


def of_webhook(page: PageRequest, public_id: str) -> tuple[str, ...]:
    """Return the calls that read a webhook with its secret and deliveries, change, test and delete it."""
    path = f"/vendor/webhooks/{public_id}"
    return (
        curl(page, "GET", path),
        curl(page, "GET", f"{path}/deliveries"),
        curl(page, "PATCH", path, {"enabled": True}),
        curl(page, "GET", f"{path}/secret"),
        curl(page, "POST", f"{path}/rotate"),
        curl(page, "POST", f"{path}/test"),
        curl(page, "DELETE", path),
    )


def of_disputes(page: PageRequest) -> tuple[str, ...]:
    """Return the calls that list and open disputes."""
    return (curl(page, "GET", "/vendor/disputes"), curl(page, "POST", "/vendor/disputes", _DISPUTE))


def of_dispute(page: PageRequest, public_id: str) -> tuple[str, ...]:
    """Return the call that reads a dispute."""
    return (curl(page, "GET", f"/vendor/disputes/{public_id}"),)
