"""Boards as files: Parquet, a bundle that readers can recompute, and the packed matrix for a browser."""

from collections.abc import Callable
from typing import NamedTuple

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.api.boards import BOARD_PARAMETERS
from app.api.deps import HeavyRequest, ReadSession, State
from app.api.description import error_responses, file_response
from app.db.kernel.session import Session
from app.domain.boards.board import BoardQuery
from app.services.boards import board_views, bundle, matrix
from app.services.boards.query import parse_query, parse_reference
from app.services.boards.table import board_parquet

router = APIRouter(
    prefix="/api/v1", tags=["boards"], dependencies=[HeavyRequest], responses=error_responses(404, 422, 503)
)

_BuildFile = Callable[[Session, BoardQuery, board_views.CubeStore, str | None], bytes]


class _BoardFile(NamedTuple):
    face: str
    media_type: str
    ending: str
    make: _BuildFile


_PARQUET = _BoardFile(
    "parquet",
    "application/vnd.apache.parquet",
    ".parquet",
    lambda session, query, cubes, ref: board_parquet(
        board_views.board_json(board_views.board(session, query, cubes, ref))
    ),
)
_BUNDLE = _BoardFile("zip", "application/zip", ".zip", bundle.bundle)
_MATRIX = _BoardFile(
    "matrix",
    "application/octet-stream",
    ".tmx",
    lambda session, query, cubes, _ref: matrix.matrix(session, query, cubes),
)


@router.get(
    "/boards/{name}.parquet",
    operation_id="get_board_parquet",
    openapi_extra=BOARD_PARAMETERS,
    response_class=Response,
    responses=file_response(_PARQUET.media_type),
)
def board_as_parquet(name: str, request: Request, state: State, session: ReadSession) -> Response:
    """Return the rows of exactly this view as Parquet, with the columns of the CSV."""
    return _respond(name, request, state, session, _PARQUET)


@router.get(
    "/boards/{name}.zip",
    operation_id="get_board_bundle",
    openapi_extra=BOARD_PARAMETERS,
    response_class=Response,
    responses=file_response(_BUNDLE.media_type),
)
def board_as_bundle(name: str, request: Request, state: State, session: ReadSession) -> Response:
    """Return the view with every cell behind its rows, and a script that recomputes them with only Python and numpy."""
    return _respond(name, request, state, session, _BUNDLE)


@router.get(
    "/boards/{name}/matrix",
    operation_id="get_board_matrix",
    openapi_extra=BOARD_PARAMETERS,
    response_class=Response,
    responses=file_response(_MATRIX.media_type),
)
def board_as_matrix(name: str, request: Request, state: State, session: ReadSession) -> Response:
    """Return every pass rate of the chosen problems and runs in a packed form.

    That is "TMX1", the length of a JSON head (4 bytes, little endian), the head, then a code of 4, 8, 16 or 32 bits for
    each problem of each run.
    """
    return _respond(name, request, state, session, _MATRIX)


def _respond(name: str, request: Request, state: State, session: ReadSession, file: _BoardFile) -> Response:
    params = request.query_params.multi_items()
    query, reference = parse_query(params, name), parse_reference(params)
    tag = board_views.etag(session, query, reference, file.face)
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if board_views.matches_etag(tag, request.headers.get("if-none-match")):
        return Response(status_code=304, headers=headers)
    headers["Content-Disposition"] = f'attachment; filename="tidemark-{name}{file.ending}"'
    content = file.make(session, query, state.cubes, reference)
    return Response(content, media_type=file.media_type, headers=headers)
