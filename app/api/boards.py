"""Boards as JSON and CSV: the rows of the page, under the same names."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from app.api.deps import HeavyRequest, ReadSession, State
from app.api.description import error_responses, file_response, json_response
from app.api.schemas.boards import BoardList, RankedBoard
from app.domain.boards import snapshots
from app.domain.boards.named_boards import boards
from app.services.boards import board_views
from app.services.boards.query import (
    MAX_VALUE_CHARS,
    MAX_VALUES,
    Parameter,
    parameters,
    parse_query,
    parse_reference,
)

router = APIRouter(
    prefix="/api/v1", tags=["boards"], dependencies=[HeavyRequest], responses=error_responses(404, 422, 503)
)


def _parameter(parameter: Parameter) -> dict[str, Any]:
    kind: dict[str, Any] = {"format": "date"} if parameter.day else {"maxLength": MAX_VALUE_CHARS}
    schema = {"type": "string", **({"enum": list(parameter.values)} if parameter.values else kind)}
    shape = {"type": "array", "items": schema, "maxItems": MAX_VALUES} if parameter.repeated else schema
    return {"name": parameter.name, "in": "query", "required": False, "description": parameter.meaning, "schema": shape}


# Only declared here; parse_query reads them as for the page, and refuses a repeated or unknown name.
BOARD_PARAMETERS = {"parameters": [_parameter(parameter) for parameter in parameters()]}


@router.get("/boards", operation_id="list_boards", responses=json_response(BoardList))
def list_boards(session: ReadSession) -> dict[str, Any]:
    """List every board, with the protocols that have rows on it."""
    return {
        "boards": [
            {
                "name": name,
                "title": board.titles["en"],
                "protocol": board.protocol,
                "columns": [
                    {"name": column.name, "title": column.titles["en"], "meaning": column.meanings["en"]}
                    for column in board.columns
                ],
                "protocols": [{"slug": protocol.slug, "title": protocol.title} for protocol in protocols],
            }
            for name, protocols in board_views.protocols(session).items()
            for board in [boards()[name]]
        ]
    }


@router.get(
    "/boards/{name}.csv",
    operation_id="get_board_csv",
    openapi_extra=BOARD_PARAMETERS,
    response_class=Response,
    responses=file_response("text/csv"),
)
def board_csv(name: str, request: Request, state: State, session: ReadSession) -> Response:
    """Return the rows of exactly this view as comma-separated values, in the order shown."""
    return _respond(name, request, state, session, as_csv=True)


@router.get(
    "/boards/{name}",
    operation_id="get_board",
    openapi_extra=BOARD_PARAMETERS,
    responses=json_response(RankedBoard),
)
def board(name: str, request: Request, state: State, session: ReadSession) -> Response:
    """Return the ranked rows of a board over any window, and what a filter hides. Scores are unrounded percent."""
    return _respond(name, request, state, session, as_csv=False)


def _respond(name: str, request: Request, state: State, session: ReadSession, *, as_csv: bool) -> Response:
    params = request.query_params.multi_items()
    query, reference = parse_query(params, name), parse_reference(params)
    tag = board_views.etag(session, query, reference, "csv" if as_csv else "json")
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if board_views.matches_etag(tag, request.headers.get("if-none-match")):
        return Response(status_code=304, headers=headers)
    view = board_views.board(session, query, state.cubes, reference)
    if as_csv:
        headers["Content-Disposition"] = f'attachment; filename="tidemark-{name}.csv"'
        text = snapshots.board_csv(board_views.board_json(view))
        return Response(text, media_type="text/csv; charset=utf-8", headers=headers)
    return JSONResponse(board_views.board_json(view), headers=headers)
