"""Boards as JSON and CSV: the same rows as the page, under the same names."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from app.api.deps import ReadSession, State
from app.domain.boards import snapshots
from app.domain.boards.board import Exposure, Rules
from app.domain.errors import NotFound
from app.domain.problems import Level
from app.services.boards import reading
from app.services.boards.query import BOARDS, NAMES, parse_query, parse_reference

router = APIRouter(prefix="/api/v1", tags=["boards"])

_DAY = {"type": "string", "format": "date"}
_SCHEMAS: dict[str, dict[str, Any]] = {
    "from": _DAY,
    "to": _DAY,
    "cutoff_before": _DAY,
    "exposure": {"type": "string", "enum": list(Exposure)},
    "rules": {"type": "string", "enum": list(Rules)},
    "difficulty": {"type": "string", "enum": list(Level)},
}
_MEANINGS = {
    "protocol": "whose rows; the board's own protocol when not given",
    "rules": "lcb: LiveCodeBench's own rules, with an inclusive window end",
    "exposure": "what happens to rows whose model may have seen problems of the window",
    "from": "first release day",
    "to": "the day after the last release day",
    "cutoff_before": "only models whose cutoff is before this day",
    "platform": "only problems of these platforms",
    "difficulty": "only problems of these levels",
    "language": "only runs in these languages",
    "model": "only these models",
    "ref": "the row others are compared with: a model, or model:configuration",
}


def _parameter(name: str, *, repeated: bool) -> dict[str, Any]:
    schema = _SCHEMAS.get(name, {"type": "string", "maxLength": 200})
    shape = {"type": "array", "items": schema, "maxItems": 64} if repeated else schema
    return {"name": name, "in": "query", "required": False, "description": _MEANINGS[name], "schema": shape}


# Declared by hand: parse_query reads the pairs, as it does for the page, so that a repeated or unknown name is
# refused and not silently dropped.
DECLARED = {"parameters": [_parameter(name, repeated=repeated) for name, repeated in NAMES.items()]}


@router.get("/boards")
def list_boards(session: ReadSession) -> dict[str, Any]:
    """Every board, with the protocols that have rows on it."""
    return {
        "boards": [
            {
                "name": name,
                "title": BOARDS[name].titles["en"],
                "protocol": BOARDS[name].protocol,
                "protocols": [{"slug": each.slug, "title": each.title} for each in shown],
            }
            for name, shown in reading.protocols(session).items()
        ]
    }


@router.get("/boards/{name}.csv", openapi_extra=DECLARED, response_class=Response)
def board_csv(name: str, request: Request, state: State, session: ReadSession) -> Response:
    """The rows of exactly this view as comma-separated values, in the order shown."""
    return _answer(name, request, state, session, as_csv=True)


@router.get("/boards/{name}", openapi_extra=DECLARED)
def board(name: str, request: Request, state: State, session: ReadSession) -> Response:
    """The ranked rows of a board over any window, with what a filter hides. Scores are percent, unrounded."""
    return _answer(name, request, state, session, as_csv=False)


def _answer(name: str, request: Request, state: State, session: ReadSession, *, as_csv: bool) -> Response:
    params = request.query_params.multi_items()
    if name not in BOARDS:
        raise NotFound("no such board")
    query, reference = parse_query(params, name), parse_reference(params)
    tag = reading.etag(session, query, reference, "csv" if as_csv else "json")
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if reading.is_known(tag, request.headers.get("if-none-match")):
        return Response(status_code=304, headers=headers)
    found = reading.board(session, query, state.cubes, reference)
    if as_csv:
        headers["Content-Disposition"] = f'attachment; filename="tidemark-{name}.csv"'
        text = snapshots.board_csv(reading.board_json(found))
        return Response(text, media_type="text/csv; charset=utf-8", headers=headers)
    return JSONResponse(reading.board_json(found), headers=headers)
