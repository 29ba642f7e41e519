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
from app.db.kernel.session import Session
from app.domain.addresses import Network
from app.services.operations.access import KeyHolder, KeyScope
from app.services.operations.web_state import WebState
from app.services.runs.endpoint_secrets import Vault
from app.services.vendors import idempotency
from workers.broker import Waker


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
        description="yours to choose, one for each order of yours: a repeat within 48 hours gets the first answer "
        "and writes nothing",
    ),
]
MayWriteModels = Annotated[KeyHolder, Depends(require_key(KeyScope.MODELS_WRITE))]
MayWriteEndpoints = Annotated[KeyHolder, Depends(require_key(KeyScope.ENDPOINTS_WRITE))]
MaySubmit = Annotated[KeyHolder, Depends(require_key(KeyScope.SUBMISSIONS_WRITE))]
MayWriteWebhooks = Annotated[KeyHolder, Depends(require_key(KeyScope.WEBHOOKS_WRITE))]
MayRead = Annotated[KeyHolder, Depends(require_key(KeyScope.SUBMISSIONS_READ))]


def vendor_router() -> APIRouter:
    """Return a router for routes of vendors."""
    return APIRouter(prefix="/api/v1/vendor", tags=["vendors"], responses=error_responses(401, 403, 413, 422))


def answer_once(
    state: WebState,
    holder: KeyHolder,
    key: str,
    body: Body | dict[str, str],
    now: datetime,
    write: Callable[[Session], object],
    status: int = 201,
) -> JSONResponse:
    """Write and store the response under the key in one transaction; a repeat gets the stored response."""
    request = body.model_dump(mode="json") if isinstance(body, Body) else body
    request = {"body": type(body).__name__} | request
    with state.sessions.begin() as session:
        earlier = idempotency.recall_response(session, holder.organisation_id, key, request)
        if earlier is not None:
            return JSONResponse(earlier[1], status_code=earlier[0], headers={"Idempotency-Replayed": "true"})
        answer = jsonable_encoder(write(session))
        idempotency.remember_response(session, holder.organisation_id, key, request, status, answer, now)
    return JSONResponse(answer, status_code=status)
