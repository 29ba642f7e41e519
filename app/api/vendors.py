"""Vendor routes: models, endpoints, submissions. Every POST carries an Idempotency-Key."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Query, Request
from fastapi.encoders import jsonable_encoder
from fastapi.responses import JSONResponse

from app.api.deps import Now, State, require_key
from app.api.description import error_responses, json_response
from app.api.schemas.public import AskerList
from app.api.vendor_bodies import Body, BudgetBody, DeclarationBody, EndpointBody, ModelBody, Paging, SubmissionBody
from app.db.kernel.session import Session
from app.domain.addresses import Network
from app.domain.errors import InvalidInput, WindowReversed
from app.domain.windows import Window, midnight
from app.services.operations.access import KeyHolder, KeyScope
from app.services.operations.web_state import WebState
from app.services.runs.control.endpoints import NewEndpoint
from app.services.runs.endpoint_secrets import Vault
from app.services.vendors import addresses, idempotency, registrations, submissions
from app.services.vendors.declarations import DeclaredDates
from app.services.vendors.registrations import EndpointAnswer, ModelAnswer
from app.services.vendors.submissions import SubmissionAnswer, SubmissionPage
from workers.broker import Waker
from workers.inference.backends import check_run
from workers.net import check_url

router = APIRouter(prefix="/api/v1/vendor", tags=["vendors"], responses=error_responses(401, 403, 413, 422))


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
MayRead = Annotated[KeyHolder, Depends(require_key(KeyScope.SUBMISSIONS_READ))]


@router.post(
    "/models",
    operation_id="create_model",
    status_code=201,
    responses=json_response(ModelAnswer, 201) | error_responses(409),
)
def create_model(body: ModelBody, key: IdempotencyKey, holder: MayWriteModels, state: State, now: Now) -> JSONResponse:
    """Register a model. The key needs the scope `models:write`.

    `cutoff` in the response is the one in force. Until a maintainer accepts the cutoff that you declare (`waiting`), it
    is the day of registration.
    """
    link = str(body.link) if body.link else None
    new = registrations.NewModel(body.slug, body.name, _read_declaration(body, link), link)
    return _once(
        state, holder, key, body, now,
        lambda session: registrations.create_model(session, holder.organisation_id, new, now),
    )  # fmt: skip


@router.post(
    "/models/{slug}/cutoff",
    operation_id="declare_cutoff",
    responses=json_response(ModelAnswer) | error_responses(404),
)
def declare_cutoff(
    slug: str, body: DeclarationBody, key: IdempotencyKey, holder: MayWriteModels, state: State, now: Now
) -> JSONResponse:
    """Declare the release day and the cutoff of a model of yours, with evidence. This replaces a waiting declaration.

    It has no effect until a maintainer outside your organisation accepts it; then the change is public. The key needs
    the scope `models:write`.
    """
    return _once(
        state, holder, key, {"declare": slug, "body": body.model_dump_json()}, now,
        lambda session: registrations.declare(
            session, holder.organisation_id, slug, _read_declaration(body, None), now
        ),
        status=200,
    )  # fmt: skip


def _read_declaration(body: DeclarationBody, page: str | None) -> DeclaredDates:
    evidence = str(body.cutoff.evidence_url) if body.cutoff and body.cutoff.evidence_url else page
    return DeclaredDates(body.cutoff.date if body.cutoff else None, body.released_on, evidence)


@router.post(
    "/endpoints",
    operation_id="create_endpoint",
    status_code=201,
    responses=json_response(EndpointAnswer, 201) | error_responses(404, 409),
)
def create_endpoint(
    body: EndpointBody, key: IdempotencyKey, holder: MayWriteEndpoints, state: State, context: ContextDep, now: Now
) -> JSONResponse:
    """Register an endpoint that serves a model: a public https address, checked now and at every call.

    Registering the same `model`, `protocol` and `remote_name` again updates that endpoint. Its pace, prices and secret
    change if they are given and stay if they are not. If the endpoint was stopped, requests to it resume. Its
    `base_url` can be changed, with the secret given again, only before the first submission or request; after that the
    response is a 409, since one name stands for one deployment. The key needs the scope `endpoints:write`.
    """
    check_url(body.base_url, context.allow)
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
    return _once(
        state, holder, key, body, now,
        lambda session: registrations.create_endpoint(session, holder.organisation_id, new, now, context.vault),
    )  # fmt: skip


@router.post(
    "/submissions",
    operation_id="create_submission",
    status_code=201,
    responses=json_response(SubmissionAnswer, 201) | error_responses(404, 409),
)
def create_submission(
    body: SubmissionBody, key: IdempotencyKey, holder: MaySubmit, state: State, context: ContextDep, now: Now
) -> JSONResponse:
    """Pre-register a submission. It is queued at once, and its registration is counted publicly.

    Give either a `window` or `continuous`. An organisation may have at most 200 submissions under way. The key needs
    the scope `submissions:write`.
    """
    try:
        window = Window(body.window.start, body.window.end) if body.window else None
    except WindowReversed as fault:
        raise InvalidInput(str(fault), pointer="/window/to") from fault
    new = submissions.NewSubmission(
        endpoint_id=body.endpoint,
        protocol=body.protocol,
        configuration=body.configuration,
        window_start=midnight(window.start) if window and window.start else None,
        window_end=midnight(window.end) if window and window.end else None,
        continuous=body.continuous,
        public=body.visibility == "public",
        embargo_until=body.embargo_until,
        budget_usd=body.budget_usd,
    )
    answer = _once(
        state, holder, key, body, now,
        lambda session: submissions.submit(session, holder.organisation_id, new, now, check_run),
    )  # fmt: skip
    context.wake("sweep")
    return answer


@router.get("/submissions", operation_id="list_submissions", responses=json_response(SubmissionPage))
def list_submissions(holder: MayRead, state: State, paging: Annotated[Paging, Query()]) -> Any:
    """List your organisation's submissions, newest first. The key needs the scope `submissions:read`."""
    with state.sessions() as session:
        return jsonable_encoder(
            submissions.list_submissions(session, holder.organisation_id, paging.cursor, paging.limit)
        )


@router.get(
    "/submissions/{public_id}",
    operation_id="get_submission",
    responses=json_response(SubmissionAnswer) | error_responses(404),
)
def get_submission(public_id: str, holder: MayRead, state: State) -> Any:
    """Return a submission: its state, the owner of the next step, and the progress of its run.

    `run` is the id of its run once there is one. `GET /api/v1/runs/{run_id}` estimates when the run will be done, and
    its `/events` stream the progress. The key needs the scope `submissions:read`.
    """
    with state.sessions() as session:
        return jsonable_encoder(submissions.get(session, holder.organisation_id, public_id))


@router.post(
    "/submissions/{public_id}/cancel",
    operation_id="cancel_submission",
    responses=json_response(SubmissionAnswer) | error_responses(404, 409),
)
def cancel_submission(public_id: str, key: IdempotencyKey, holder: MaySubmit, state: State, now: Now) -> JSONResponse:
    """Cancel a submission. No more requests are sent for it; the answers that it has stay.

    Of several submissions of a model in one configuration, boards show the first that was sent a prompt. So a public
    submission that has answers is still shown with them after its embargo. The key needs the scope `submissions:write`.
    """
    return _once(
        state, holder, key, {"cancel": public_id}, now,
        lambda session: submissions.cancel(session, holder.organisation_id, public_id, now),
        status=200,
    )  # fmt: skip


@router.post(
    "/submissions/{public_id}/budget",
    operation_id="set_budget",
    responses=json_response(SubmissionAnswer) | error_responses(404, 409),
)
def set_budget(
    public_id: str,
    body: BudgetBody,
    key: IdempotencyKey,
    holder: MaySubmit,
    state: State,
    context: ContextDep,
    now: Now,
) -> JSONResponse:
    """Change the budget of a submission. If the old budget paused it, it resumes once the new one covers a request.

    The key needs the scope `submissions:write`.
    """
    request = {"budget": public_id, "usd": str(body.usd)}
    answer = _once(
        state, holder, key, request, now,
        lambda session: submissions.set_budget(session, holder.organisation_id, public_id, body.usd, now),
        status=200,
    )  # fmt: skip
    context.wake("sweep")
    return answer


@router.get("/addresses", operation_id="list_askers", responses=json_response(AskerList))
def list_askers(holder: MayRead, state: State) -> Any:
    """List the organisations whose endpoints had requests sent to addresses of yours. Null: maintainers of this site.

    An address is listed once an endpoint of yours has answered there. If `answered` is true, the problems that were
    sent there count as sent to you. The key needs the scope `submissions:read`.
    """
    with state.sessions() as session:
        return jsonable_encoder({"data": addresses.askers_at_own_addresses(session, holder.organisation_id)})


def _once(
    state: WebState,
    holder: KeyHolder,
    key: str,
    body: Body | dict[str, str],
    now: datetime,
    write: Callable[[Session], ModelAnswer | EndpointAnswer | SubmissionAnswer],
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
