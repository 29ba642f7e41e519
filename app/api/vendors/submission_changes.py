"""Changes of a vendor's submissions: cancelling, pausing, resuming, asking again, and their budgets."""

from collections.abc import Callable
from datetime import datetime

from fastapi.responses import JSONResponse

from app.api.deps import Now, State
from app.api.description import error_responses, json_response
from app.api.vendors.bodies import BudgetBody
from app.api.vendors.context import ContextDep, IdempotencyKey, MaySubmit, VendorContext, answer_once, vendor_router
from app.db.kernel.session import Session
from app.services.operations.access import KeyHolder
from app.services.operations.web_state import WebState
from app.services.vendors import submissions
from app.services.vendors.orders import order_changes
from app.services.vendors.orders.order_views import SubmissionAnswer

router = vendor_router()
_RESPONSES = json_response(SubmissionAnswer) | error_responses(404, 409)

OrderChange = Callable[[Session, int, str, datetime], SubmissionAnswer]


def _change(
    change: OrderChange,
    verb: str,
    public_id: str,
    key: str,
    holder: KeyHolder,
    state: WebState,
    context: VendorContext,
    now: datetime,
) -> JSONResponse:
    answer = answer_once(
        state, holder, key, {verb: public_id}, now,
        lambda session: change(session, holder.organisation_id, public_id, now),
        status=200,
    )  # fmt: skip
    context.wake("sweep")
    return answer


@router.post("/submissions/{public_id}/cancel", operation_id="cancel_submission", responses=_RESPONSES)
def cancel_submission(
    public_id: str, key: IdempotencyKey, holder: MaySubmit, state: State, context: ContextDep, now: Now
) -> JSONResponse:
    """Cancel a submission. No more requests are sent for it; the answers that it has stay.

    Of several submissions of a model in one configuration, boards show the first that was sent a prompt. So a public
    submission that has answers is still shown with them after its embargo. The key needs the scope `submissions:write`.
    """
    return _change(submissions.cancel, "cancel", public_id, key, holder, state, context, now)


@router.post("/submissions/{public_id}/pause", operation_id="pause_submission", responses=_RESPONSES)
def pause_submission(
    public_id: str, key: IdempotencyKey, holder: MaySubmit, state: State, context: ContextDep, now: Now
) -> JSONResponse:
    """Pause a submission: no more requests are sent until `/resume`. What is answered is judged meanwhile.

    A submission may be paused within seven days of its first pause; at the end of them (`deadline`) it goes on by
    itself, since a row that its vendor could hold back would say nothing. The key needs the scope `submissions:write`.
    """
    return _change(order_changes.pause, "pause", public_id, key, holder, state, context, now)


@router.post("/submissions/{public_id}/resume", operation_id="resume_submission", responses=_RESPONSES)
def resume_submission(
    public_id: str, key: IdempotencyKey, holder: MaySubmit, state: State, context: ContextDep, now: Now
) -> JSONResponse:
    """Resume a submission that you paused. The key needs the scope `submissions:write`.

    One that waits for money goes on by a higher budget, one that is stalled by a mended endpoint.
    """
    return _change(order_changes.resume, "resume", public_id, key, holder, state, context, now)


@router.post("/submissions/{public_id}/retry-failed", operation_id="retry_submission", responses=_RESPONSES)
def retry_submission(
    public_id: str, key: IdempotencyKey, holder: MaySubmit, state: State, context: ContextDep, now: Now
) -> JSONResponse:
    """Ask again at once for every sample that failed and has no verdict, without waiting for its next try.

    Samples that were given up by a fault that was not the endpoint's are asked again with all their attempts; a
    no_answer stays, since it is a result. If the order stalled on a stopped endpoint, the stop ends. If it waits for a
    passed probe before its first prompt, its endpoint is probed at once. The key needs the scope `submissions:write`.
    """
    return _change(order_changes.retry_failed, "retry", public_id, key, holder, state, context, now)


@router.post("/submissions/{public_id}/budget", operation_id="set_budget", responses=_RESPONSES)
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
