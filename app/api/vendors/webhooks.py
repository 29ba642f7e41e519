"""A vendor's events, and the webhooks that they are sent to by the Standard Webhooks specification."""

from typing import Annotated, Any

from fastapi import Query, Request
from fastapi.encoders import jsonable_encoder
from fastapi.responses import JSONResponse
from starlette.responses import Response

from app.api.deps import Now, State
from app.api.description import error_responses, json_response
from app.api.vendors.context import (
    CheckedWebhook,
    CheckedWebhookChange,
    ContextDep,
    IdempotencyKey,
    MayRead,
    MayWriteWebhooks,
    answer_once,
    vendor_router,
)
from app.api.vendors.pages import CursorPaging, page_response
from app.services.vendors import webhooks
from app.services.vendors.webhooks import (
    DeliveryAnswer,
    DeliveryPage,
    EventPage,
    WebhookAnswer,
    WebhookChange,
    WebhookList,
    WebhookSecret,
)

router = vendor_router()


@router.post(
    "/webhooks",
    operation_id="create_webhook",
    status_code=201,
    responses=json_response(WebhookAnswer, 201) | error_responses(409),
)
def create_webhook(
    body: CheckedWebhook, key: IdempotencyKey, holder: MayWriteWebhooks, state: State, context: ContextDep, now: Now
) -> JSONResponse:
    """Register an address that events are sent to, as POST requests by the Standard Webhooks specification.

    A message is sent until a response of 200 to 299 comes within 15 seconds: ten times in three days. Its body is an
    event as `GET /events` shows it. `GET /webhooks/{id}/secret` shows the secret that verifies the signatures. The key
    needs the scope `webhooks:write`.
    """
    return answer_once(
        state, holder, key, body, now,
        lambda session: webhooks.create_webhook(
            session, holder.organisation_id, body.url, body.events, now, context.vault
        ),
    )  # fmt: skip


@router.get("/webhooks", operation_id="list_webhooks", responses=json_response(WebhookList))
def list_webhooks(holder: MayWriteWebhooks, state: State, now: Now) -> Any:
    """List your organisation's webhooks, oldest first. The key needs the scope `webhooks:write`."""
    with state.sessions() as session:
        return jsonable_encoder(webhooks.list_webhooks(session, holder.organisation_id, now))


@router.get(
    "/webhooks/{webhook_id}", operation_id="get_webhook", responses=json_response(WebhookAnswer) | error_responses(404)
)
def get_webhook(webhook_id: str, holder: MayWriteWebhooks, state: State, now: Now) -> Any:
    """Return a webhook, and why nothing is sent to it if so. The key needs the scope `webhooks:write`."""
    with state.sessions() as session:
        return jsonable_encoder(webhooks.get_webhook(session, holder.organisation_id, webhook_id, now))


@router.patch(
    "/webhooks/{webhook_id}",
    operation_id="update_webhook",
    responses=json_response(WebhookAnswer) | error_responses(404),
)
def update_webhook(
    webhook_id: str, body: CheckedWebhookChange, holder: MayWriteWebhooks, state: State, now: Now
) -> Any:
    """Change a webhook, or switch it off or on; what waited when it was switched off is not sent by itself.

    The key needs the scope `webhooks:write`.
    """
    change = WebhookChange(body.url, body.events, body.enabled)
    with state.sessions.begin() as session:
        return jsonable_encoder(webhooks.update_webhook(session, holder.organisation_id, webhook_id, change, now))


@router.delete(
    "/webhooks/{webhook_id}",
    operation_id="delete_webhook",
    status_code=204,
    response_class=Response,
    responses=error_responses(404),
)
def delete_webhook(webhook_id: str, holder: MayWriteWebhooks, state: State, now: Now) -> Response:
    """Delete a webhook with the list of its deliveries. The key needs the scope `webhooks:write`."""
    with state.sessions.begin() as session:
        webhooks.delete_webhook(session, holder.organisation_id, webhook_id, now)
    return Response(status_code=204)


@router.get(
    "/webhooks/{webhook_id}/secret",
    operation_id="get_webhook_secret",
    responses=json_response(WebhookSecret) | error_responses(404, 503),
)
def get_webhook_secret(webhook_id: str, holder: MayWriteWebhooks, state: State, context: ContextDep) -> JSONResponse:
    """Return the secret that a webhook's messages are signed with. The key needs the scope `webhooks:write`."""
    with state.sessions() as session:
        secret = webhooks.get_secret(session, holder.organisation_id, webhook_id, context.vault)
    return JSONResponse(jsonable_encoder(secret), headers={"Cache-Control": "no-store"})


@router.post(
    "/webhooks/{webhook_id}/rotate",
    operation_id="rotate_webhook_secret",
    responses=json_response(WebhookAnswer) | error_responses(404, 409, 503),
)
def rotate_webhook_secret(
    webhook_id: str, key: IdempotencyKey, holder: MayWriteWebhooks, state: State, context: ContextDep, now: Now
) -> JSONResponse:
    """Replace a webhook's secret; for a day messages bear a signature by the old one, too.

    The key needs the scope `webhooks:write`.
    """
    return answer_once(
        state, holder, key, {"rotate": webhook_id}, now,
        lambda session: webhooks.rotate_secret(session, holder.organisation_id, webhook_id, now, context.vault),
        status=200,
    )  # fmt: skip


@router.post(
    "/webhooks/{webhook_id}/test",
    operation_id="test_webhook",
    responses=json_response(DeliveryAnswer) | error_responses(404, 409),
)
def test_webhook(
    webhook_id: str, key: IdempotencyKey, holder: MayWriteWebhooks, state: State, context: ContextDep, now: Now
) -> JSONResponse:
    """Send a test event to a webhook; its delivery is in the list within seconds. The key needs `webhooks:write`."""
    answer = answer_once(
        state, holder, key, {"test": webhook_id}, now,
        lambda session: webhooks.send_test(session, holder.organisation_id, webhook_id, now),
        status=200,
    )  # fmt: skip
    context.wake("notify")
    return answer


@router.get(
    "/webhooks/{webhook_id}/deliveries",
    operation_id="list_deliveries",
    responses=json_response(DeliveryPage) | error_responses(404),
)
def list_deliveries(
    request: Request, webhook_id: str, holder: MayWriteWebhooks, state: State, paging: Annotated[CursorPaging, Query()]
) -> Any:
    """List what was sent to a webhook, newest first, with the receiver's answers. The key needs `webhooks:write`."""
    with state.sessions() as session:
        page = webhooks.list_deliveries(session, holder.organisation_id, webhook_id, paging.cursor, paging.limit)
    return page_response(request, page)


@router.post(
    "/webhooks/{webhook_id}/deliveries/{event_id}/redeliver",
    operation_id="redeliver_event",
    responses=json_response(DeliveryAnswer) | error_responses(404, 409),
)
def redeliver_event(
    webhook_id: str,
    event_id: str,
    key: IdempotencyKey,
    holder: MayWriteWebhooks,
    state: State,
    context: ContextDep,
    now: Now,
) -> JSONResponse:
    """Send an event to a webhook once more, received or not. The key needs the scope `webhooks:write`."""
    answer = answer_once(
        state, holder, key, {"redeliver": event_id, "to": webhook_id}, now,
        lambda session: webhooks.redeliver(session, holder.organisation_id, webhook_id, event_id, now),
        status=200,
    )  # fmt: skip
    context.wake("notify")
    return answer


@router.get("/events", operation_id="list_events", responses=json_response(EventPage))
def list_events(request: Request, holder: MayRead, state: State, paging: Annotated[CursorPaging, Query()]) -> Any:
    """List your organisation's events of the last 90 days, oldest first: what webhooks are sent, to be read instead.

    `next_cursor` is where to read on once there are more. The key needs the scope `submissions:read`.
    """
    with state.sessions() as session:
        page = webhooks.list_events(session, holder.organisation_id, paging.cursor, paging.limit)
    return page_response(request, page)
