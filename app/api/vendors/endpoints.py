"""A vendor's endpoints: registered, read, changed, and who else had their addresses asked."""

from typing import Annotated, Any

from fastapi import Query, Request
from fastapi.encoders import jsonable_encoder
from fastapi.responses import JSONResponse

from app.api.deps import Now, State
from app.api.description import error_responses, json_response
from app.api.schemas.public import AskerList
from app.api.vendors.context import (
    CheckedEndpoint,
    CheckedEndpointChange,
    ContextDep,
    IdempotencyKey,
    MayRead,
    MayWriteEndpoints,
    answer_once,
    vendor_router,
)
from app.api.vendors.pages import EndpointPaging, IfMatch, page_response, tagged_response
from app.db.kernel.session import Session
from app.services.runs.control.endpoints import NewEndpoint
from app.services.vendors import addresses, own_endpoints, registrations
from app.services.vendors.own_endpoints import EndpointChange, EndpointPage
from app.services.vendors.registrations import EndpointAnswer

router = vendor_router()


@router.post(
    "/endpoints",
    operation_id="create_endpoint",
    status_code=201,
    responses=json_response(EndpointAnswer, 201)
    | json_response(EndpointAnswer, 200, "Updated: it was registered before.")
    | error_responses(404, 409),
)
def create_endpoint(
    body: CheckedEndpoint, key: IdempotencyKey, holder: MayWriteEndpoints, state: State, context: ContextDep, now: Now
) -> JSONResponse:
    """Register an endpoint that serves a model: a public https address, checked now and at every call.

    Registering the same `model`, `protocol` and `remote_name` again updates that endpoint, with status 200. Its pace,
    prices and secret change if they are given and stay if they are not. If the endpoint was stopped, requests to it
    resume. Its `base_url` can be changed, with the secret given again, only before the first submission or request;
    after that the response is a 409, since one name stands for one deployment. The key needs the scope
    `endpoints:write`.
    """
    new = NewEndpoint(
        model=body.model,
        backend=body.protocol,
        remote_name=body.remote_name,
        base_url=body.base_url,
        secret=body.secret,
        max_concurrency=body.max_concurrency,
        timeout_s=body.timeout_s,
        price_input=body.price_input,
        price_cached=body.price_cached,
        price_output=body.price_output,
    )
    was_registered = False

    def write(session: Session) -> EndpointAnswer:
        nonlocal was_registered
        was_registered = registrations.has_endpoint(session, holder.organisation_id, new)
        return registrations.create_endpoint(session, holder.organisation_id, new, now, context.vault)

    return answer_once(state, holder, key, body, now, write, status=lambda: 200 if was_registered else 201)


@router.get("/endpoints", operation_id="list_endpoints", responses=json_response(EndpointPage))
def list_endpoints(
    request: Request, holder: MayRead, state: State, paging: Annotated[EndpointPaging, Query()]
) -> JSONResponse:
    """List your organisation's endpoints, newest first. The key needs the scope `submissions:read`."""
    with state.sessions() as session:
        page = own_endpoints.list_endpoints(
            session,
            holder.organisation_id,
            paging.cursor,
            paging.limit,
            model=paging.model,
            stopped=paging.stopped,
        )
    return page_response(request, page)


@router.get(
    "/endpoints/{endpoint}",
    operation_id="get_endpoint",
    responses=json_response(EndpointAnswer) | error_responses(404),
)
def get_endpoint(endpoint: str, holder: MayRead, state: State) -> JSONResponse:
    """Return an endpoint of yours by its `id` or its `endpoint_id`, with the ETag that a change must name.

    The key needs the scope `submissions:read`.
    """
    with state.sessions() as session:
        return tagged_response(own_endpoints.get_endpoint(session, holder.organisation_id, endpoint))


@router.patch(
    "/endpoints/{endpoint}",
    operation_id="update_endpoint",
    responses=json_response(EndpointAnswer) | error_responses(404, 409, 412, 428),
)
def update_endpoint(
    endpoint: str,
    body: CheckedEndpointChange,
    holder: MayWriteEndpoints,
    state: State,
    context: ContextDep,
    now: Now,
    if_match: IfMatch = None,
) -> JSONResponse:
    """Change an endpoint of yours; if it was stopped, requests to it resume. Its `base_url` stays after an answer.

    Send `If-Match` with the ETag of the endpoint as you read it: 428 without it, 412 if it was changed since. A new
    `base_url` needs the secret again, which is never sent to another address. The key needs the scope
    `endpoints:write`.
    """
    change = EndpointChange(**body.model_dump())
    with state.sessions.begin() as session:
        answer = own_endpoints.update_endpoint(
            session, holder.organisation_id, endpoint, change, if_match, now, context.vault
        )
    context.wake("sweep")
    return tagged_response(answer)


@router.get("/addresses", operation_id="list_askers", responses=json_response(AskerList))
def list_askers(holder: MayRead, state: State) -> Any:
    """List the organisations whose endpoints had requests sent to addresses of yours. Null: maintainers of this site.

    An address is listed once an endpoint of yours has answered there, and only public runs are: the problems that were
    sent to them count as sent to you. At a gateway only your own tenant is looked at. Private and embargoed submissions
    of others are not listed; if they cost a row its rank, its `served` counts their problems. Maintainers see them and
    can state that a host is a gateway. The key needs the scope `submissions:read`.
    """
    with state.sessions() as session:
        return jsonable_encoder({"data": addresses.askers_at_own_addresses(session, holder.organisation_id)})
