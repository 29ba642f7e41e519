"""The public ledger as JSON."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.encoders import jsonable_encoder
from pydantic import Field

from app.api.deps import ReadSession
from app.api.description import error_responses, json_response
from app.api.requests import Paging
from app.api.schemas.public import ChangePage
from app.services.operations import changes

router = APIRouter(prefix="/api/v1", tags=["ledger"], responses=error_responses(422))


class LedgerQuery(Paging):
    """The lines of the ledger to list."""

    kind: Annotated[list[Annotated[str, Field(min_length=1, max_length=300)]], Field(max_length=32)] = Field(
        [], description="only lines of these kinds, such as problem.added"
    )
    subject: Annotated[str, Field(min_length=1, max_length=300)] | None = Field(
        None, description="only lines about this problem (`source/id`), model or snapshot"
    )


@router.get("/ledger", operation_id="list_changes", responses=json_response(ChangePage))
def ledger(session: ReadSession, query: Annotated[LedgerQuery, Query()]) -> Any:
    """List changes, newest first: what was added, withdrawn, rescored, edited or frozen, and why."""
    rows = changes.changes(session, query.cursor, query.limit, kinds=query.kind, subject=query.subject)
    return jsonable_encoder(
        {
            "data": [asdict(row) for row in rows],
            "next_cursor": rows[-1].id if len(rows) == query.limit else None,
        }
    )
