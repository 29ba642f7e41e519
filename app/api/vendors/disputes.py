"""A vendor's disputes about verdicts, cutoffs and exposures of its models."""

from typing import Annotated, Any

from fastapi import Query, Request
from fastapi.encoders import jsonable_encoder
from fastapi.responses import JSONResponse

from app.api.deps import Now, State
from app.api.description import error_responses, json_response
from app.api.vendors.bodies import DisputeBody
from app.api.vendors.context import IdempotencyKey, MayRead, MaySubmit, answer_once, vendor_router
from app.api.vendors.pages import CursorPaging, page_response
from app.services.vendors import disputes
from app.services.vendors.disputes import DisputeAnswer, DisputePage, NewDispute

router = vendor_router()


@router.post(
    "/disputes",
    operation_id="open_dispute",
    status_code=201,
    responses=json_response(DisputeAnswer, 201) | error_responses(404, 409),
)
def open_dispute(body: DisputeBody, key: IdempotencyKey, holder: MaySubmit, state: State, now: Now) -> JSONResponse:
    """Dispute a verdict, the cutoff or the exposures of a model of yours.

    A maintainer outside your organisation answers. The answer is public, with what you wrote, unless the model or the
    sample is not public. The key needs the scope `submissions:write`.
    """
    evidence = None if body.evidence_url is None else str(body.evidence_url)
    new = NewDispute(body.about, body.text, body.model, body.sample, evidence)
    return answer_once(
        state, holder, key, body, now,
        lambda session: disputes.open_dispute(session, holder.organisation_id, new, now),
    )  # fmt: skip


@router.get("/disputes", operation_id="list_disputes", responses=json_response(DisputePage))
def list_disputes(request: Request, holder: MayRead, state: State, paging: Annotated[CursorPaging, Query()]) -> Any:
    """List your organisation's disputes, newest first. The key needs the scope `submissions:read`."""
    with state.sessions() as session:
        page = disputes.list_disputes(session, holder.organisation_id, paging.cursor, paging.limit)
    return page_response(request, page)


@router.get(
    "/disputes/{dispute_id}",
    operation_id="get_dispute",
    responses=json_response(DisputeAnswer) | error_responses(404),
)
def get_dispute(dispute_id: str, holder: MayRead, state: State) -> Any:
    """Return a dispute, with its answer once there is one. The key needs the scope `submissions:read`."""
    with state.sessions() as session:
        return jsonable_encoder(disputes.get_dispute(session, holder.organisation_id, dispute_id))
