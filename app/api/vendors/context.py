"""The context of vendor routes: the vault, the address rule, the holder of the key, and one answer to each request."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Request
from fastapi.encoders import jsonable_encoder
from fastapi.responses import JSONResponse

from app.api.deps import require_key
from app.api.description import error_responses
from app.api.requests import Body
from app.api.vendors.bodies import EndpointBody, EndpointChangeBody, WebhookBody, WebhookChangeBody
from app.db.kernel.session import Session
from app.domain.addresses import Network
from app.domain.errors import AddressRefused
from app.domain.reasons import error_reason
from app.services.operations.access import KeyHolder, KeyScope
from app.services.operations.web_state import WebState
from app.services.runs.endpoint_secrets import Vault
from app.services.vendors import idempotency
from workers.broker import Waker
from workers.net import look_up_url


@dataclass(frozen=True, slots=True)
class VendorContext:
    """The services that vendor routes need beside the database: the vault, the address rule, and a waker."""

    vault: Vault
    allow: Sequence[Network]
    wake: Waker


def _vendor_context(request: Request) -> VendorContext:
    context: VendorContext = request.app.state.vendors
    return context


ContextDep = Annotated[VendorContext, Depends(_vendor_context)]
IdempotencyKey = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=200,
        description="yours to choose, one for each write: a repeat within 48 hours gets the first answer and writes "
        "nothing; a refused request leaves the key free",
    ),
]
MayWriteModels = Annotated[KeyHolder, Depends(require_key(KeyScope.MODELS_WRITE))]
MayWriteEndpoints = Annotated[KeyHolder, Depends(require_key(KeyScope.ENDPOINTS_WRITE))]
MaySubmit = Annotated[KeyHolder, Depends(require_key(KeyScope.SUBMISSIONS_WRITE))]
MayWriteWebhooks = Annotated[KeyHolder, Depends(require_key(KeyScope.WEBHOOKS_WRITE))]
MayRead = Annotated[KeyHolder, Depends(require_key(KeyScope.SUBMISSIONS_READ))]


async def _check_address(url: str | None, context: VendorContext, pointer: str) -> None:
    if url is not None:
        try:
            await look_up_url(url, context.allow)
        except AddressRefused as refused:
            raise AddressRefused(error_reason(refused), pointer=pointer) from refused


async def _check_endpoint(_holder: MayWriteEndpoints, body: EndpointBody, context: ContextDep) -> EndpointBody:
    await _check_address(body.base_url, context, "/base_url")
    return body


async def _check_endpoint_change(
    _holder: MayWriteEndpoints, body: EndpointChangeBody, context: ContextDep
) -> EndpointChangeBody:
    await _check_address(body.base_url, context, "/base_url")
    return body


async def _check_webhook(_holder: MayWriteWebhooks, body: WebhookBody, context: ContextDep) -> WebhookBody:
    await _check_address(body.url, context, "/url")
    return body


async def _check_webhook_change(
    _holder: MayWriteWebhooks, body: WebhookChangeBody, context: ContextDep
) -> WebhookChangeBody:
    await _check_address(body.url, context, "/url")
    return body


# Bodies whose addresses were judged, after the key and without holding a thread that answers requests.
CheckedEndpoint = Annotated[EndpointBody, Depends(_check_endpoint)]
CheckedEndpointChange = Annotated[EndpointChangeBody, Depends(_check_endpoint_change)]
CheckedWebhook = Annotated[WebhookBody, Depends(_check_webhook)]
CheckedWebhookChange = Annotated[WebhookChangeBody, Depends(_check_webhook_change)]


def vendor_router() -> APIRouter:
    """Return a router for routes of vendors."""
    return APIRouter(prefix="/api/v1/vendor", tags=["vendors"], responses=error_responses(401, 403, 413, 422, 429))


def answer_once(
    state: WebState,
    holder: KeyHolder,
    key: str,
    body: Body | dict[str, str],
    now: datetime,
    write: Callable[[Session], object],
    status: int | Callable[[], int] = 201,
) -> JSONResponse:
    """Claim the key, write and store the response under it in one transaction; a repeat gets the stored response.

    Equal requests at once wait for the first. One that is refused stores nothing: its key may be used again. A callable
    `status` is asked once `write` has returned.
    """
    request = body.model_dump(mode="json") if isinstance(body, Body) else body
    request = {"body": type(body).__name__} | request
    with state.sessions.begin() as session:
        idempotency.claim_key(session, holder.organisation_id, key)
        earlier = idempotency.recall_response(session, holder.organisation_id, key, request)
        if earlier is not None:
            return JSONResponse(earlier[1], status_code=earlier[0], headers={"Idempotency-Replayed": "true"})
        answer = jsonable_encoder(write(session))
        sent = status() if callable(status) else status
        idempotency.remember_response(session, holder.organisation_id, key, request, sent, answer, now)
    return JSONResponse(answer, status_code=sent)
