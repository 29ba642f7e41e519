"""A vendor's submissions: ordering, reading, cancelling, and their budgets."""

from typing import Annotated, Any

from fastapi import Query
from fastapi.encoders import jsonable_encoder
from fastapi.responses import JSONResponse

from app.api.deps import Now, State
from app.api.description import error_responses, json_response
from app.api.requests import Paging
from app.api.vendors.bodies import BudgetBody, SubmissionBody
from app.api.vendors.context import ContextDep, IdempotencyKey, MayRead, MaySubmit, answer_once, vendor_router
from app.domain.errors import InvalidInput, WindowReversed
from app.domain.windows import Window, midnight
from app.services.vendors import submissions
from app.services.vendors.submissions import SubmissionAnswer, SubmissionPage
from workers.inference.backends import check_run

router = vendor_router()


@router.post(
    "/submissions",
    operation_id="create_submission",
    status_code=201,
    responses=json_response(SubmissionAnswer, 201) | error_responses(404, 409),
)
def create_submission(
    body: SubmissionBody, key: IdempotencyKey, holder: MaySubmit, state: State, context: ContextDep, now: Now
) -> JSONResponse:
    """Pre-register a submission. It is queued at once, and the public ledger has a line of it before the first prompt.

    That line (`order.registered`) names the model, or nothing if the submission is private or under an embargo. Order
    all your models at once: what one order sends to you counts as served before for orders that come later.

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
    answer = answer_once(
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

    Of several submissions of a model in one configuration, boards show the first that was answered. So a public
    submission that has answers is still shown with them after its embargo. The key needs the scope `submissions:write`.
    """
    return answer_once(
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
    answer = answer_once(
        state, holder, key, request, now,
        lambda session: submissions.set_budget(session, holder.organisation_id, public_id, body.usd, now),
        status=200,
    )  # fmt: skip
    context.wake("sweep")
    return answer
