"""Evidence for contamination, and the problems sent to each model's endpoint, as JSON."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.encoders import jsonable_encoder

from app.api.deps import ReadSession
from app.api.description import error_responses, json_response
from app.api.schemas.evidence import ContaminationAnswer
from app.services.evidence import contamination
from app.services.evidence.contamination import ExposurePage

router = APIRouter(prefix="/api/v1", tags=["evidence"], responses=error_responses(404, 422))


@router.get("/contamination", operation_id="get_contamination", responses=json_response(ContaminationAnswer))
def contamination_report(
    session: ReadSession, protocol: Annotated[str | None, Query(max_length=200)] = None
) -> dict[str, Any]:
    """Return the contamination report: how much better models do before their cutoff than after it, beyond what
    difficulty, platform and their peers explain.

    `evidence` is consistent with exposure before the cutoff; its absence proves nothing.
    """
    report = contamination.report(session, protocol)
    body = report.body or contamination.EMPTY
    return {
        "protocol": report.protocol.slug,
        "protocols": [protocol.slug for protocol in report.protocols],
        "revision": report.revision,
        "made_at": None if report.made_at is None else report.made_at.isoformat(),
        **body,
    }


@router.get("/exposures", operation_id="list_exposures", responses=json_response(ExposurePage))
def exposures(
    session: ReadSession,
    model: Annotated[str | None, Query(max_length=200)] = None,
    cursor: Annotated[str | None, Query(max_length=200)] = None,
    limit: int = 200,
) -> Any:
    """List every time that a problem was sent to a model's endpoint. Those who serve the model may have kept it."""
    return jsonable_encoder(contamination.exposure_ledger(session, model, cursor, limit))
