"""A vendor's submissions: ordering, reading and listing."""

from typing import Annotated, Any

from fastapi import Query, Request
from fastapi.encoders import jsonable_encoder
from fastapi.responses import JSONResponse

from app.api.deps import Now, State
from app.api.description import error_responses, json_response
from app.api.vendors.bodies import OrderTerms, SubmissionBody, SubmissionGroupBody
from app.api.vendors.context import ContextDep, IdempotencyKey, MayRead, MaySubmit, answer_once, vendor_router
from app.api.vendors.pages import SubmissionPaging, page_response
from app.db.vendors.order_lists import OrderFilter
from app.domain.errors import InvalidInput, WindowReversed
from app.domain.windows import Window, midnight
from app.services.vendors import submissions
from app.services.vendors.orders import dry_runs, order_views
from app.services.vendors.orders.dry_runs import DryRun
from app.services.vendors.orders.order_checks import NewSubmission
from app.services.vendors.orders.order_views import SubmissionAnswer, SubmissionGroup, SubmissionPage
from workers.inference.backends import check_run

router = vendor_router()

DryRunFlag = Annotated[
    bool,
    Query(description="place nothing: answer 200 with what the order would ask, cost and take, and if it would rank"),
]


@router.post(
    "/submissions",
    operation_id="create_submission",
    status_code=201,
    responses=json_response(SubmissionAnswer, 201, "The order.")
    | json_response(DryRun, 200, "With dry_run: what the order would do.")
    | error_responses(404, 409),
)
def create_submission(
    body: SubmissionBody,
    key: IdempotencyKey,
    holder: MaySubmit,
    state: State,
    context: ContextDep,
    now: Now,
    *,
    dry_run: DryRunFlag = False,
) -> JSONResponse:
    """Pre-register a submission. It is queued at once, and the public ledger has a line of it before the first prompt.

    That line (`order.registered`) names the model, or nothing if the submission is private or under an embargo. Order
    all your models at once: what one order sends to you counts as served before for orders that come later.

    Give either a `window` or `continuous`. What can never run is refused, with the field at fault: a stopped endpoint,
    a budget without prices. What may never run is said in `warnings`. With `dry_run` nothing is placed, and the answer
    tells samples, cost, hours, and whether the row would be ranked. An organisation may have at most 200 submissions
    under way. The key needs the scope `submissions:write`.
    """
    new = _read_terms(body, body.endpoint)
    if dry_run:
        with state.sessions() as session:
            return JSONResponse(
                jsonable_encoder(dry_runs.dry_run(session, holder.organisation_id, new, now, check_run))
            )
    answer = answer_once(
        state, holder, key, body, now,
        lambda session: submissions.submit(session, holder.organisation_id, new, now, check_run),
    )  # fmt: skip
    context.wake("sweep")
    return answer


@router.post(
    "/submission-groups",
    operation_id="create_submissions",
    status_code=201,
    responses=json_response(SubmissionGroup, 201) | error_responses(404, 409),
)
def create_submissions(
    body: SubmissionGroupBody, key: IdempotencyKey, holder: MaySubmit, state: State, context: ContextDep, now: Now
) -> JSONResponse:
    """Pre-register submissions of several models on the same terms in one call: all are placed, or none.

    `GET /submissions?group=` lists them. The key needs the scope `submissions:write`.
    """
    new = _read_terms(body, body.endpoints[0])
    answer = answer_once(
        state, holder, key, body, now,
        lambda session: submissions.submit_group(
            session, holder.organisation_id, new, body.endpoints, now, check_run
        ),
    )  # fmt: skip
    context.wake("sweep")
    return answer


def _read_terms(body: OrderTerms, endpoint: int | str) -> NewSubmission:
    try:
        window = Window(body.window.start, body.window.end) if body.window else None
    except WindowReversed as fault:
        raise InvalidInput(str(fault), pointer="/window/to") from fault
    return NewSubmission(
        endpoint_id=endpoint,
        protocol=body.protocol,
        configuration=body.configuration,
        window_start=midnight(window.start) if window and window.start else None,
        window_end=midnight(window.end) if window and window.end else None,
        continuous=body.continuous,
        public=body.visibility == "public",
        embargo_until=body.embargo_until,
        budget_usd=body.budget_usd,
    )


@router.get("/submissions", operation_id="list_submissions", responses=json_response(SubmissionPage))
def list_submissions(
    request: Request, holder: MayRead, state: State, paging: Annotated[SubmissionPaging, Query()]
) -> JSONResponse:
    """List your organisation's submissions, newest first. The key needs the scope `submissions:read`."""
    where = OrderFilter(state=paging.state, model=paging.model, protocol=paging.protocol, group=paging.group)
    with state.sessions() as session:
        page = order_views.list_orders(session, holder.organisation_id, where, paging.cursor, paging.limit)
    return page_response(request, page)


@router.get(
    "/submissions/{public_id}",
    operation_id="get_submission",
    responses=json_response(SubmissionAnswer) | error_responses(404),
)
def get_submission(public_id: str, holder: MayRead, state: State) -> Any:
    """Return a submission: its state, the owner of the next step and the step in words, its place and its progress.

    `run` is the id of its run once there is one. `GET /api/v1/runs/{run_id}` estimates when the run will be done, and
    its `/events` stream the progress. `eta` is a promise: it moves back only with a reason. The key needs the scope
    `submissions:read`.
    """
    with state.sessions() as session:
        return jsonable_encoder(submissions.get(session, holder.organisation_id, public_id))
