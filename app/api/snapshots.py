"""Frozen boards: the bytes under a permanent link, and their list."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from app.api.deps import ReadSession
from app.api.description import error_responses, file_response, json_response
from app.api.requests import Paging
from app.api.schemas.boards import FrozenBoardAnswer, SnapshotEntry, SnapshotPage
from app.services.boards import snapshots
from app.services.boards.board_views import matches_etag
from app.services.boards.snapshots import FrozenBoard

router = APIRouter(prefix="/api/v1", tags=["snapshots"])

_IMMUTABLE = "public, max-age=31536000, immutable"


@router.get(
    "/snapshots",
    operation_id="list_snapshots",
    response_model=dict[str, Any],
    responses=json_response(SnapshotPage) | error_responses(422),
)
def list_snapshots(session: ReadSession, paging: Annotated[Paging, Query()]) -> SnapshotPage:
    """List every frozen board, newest first."""
    rows = snapshots.list_frozen(session, paging.cursor, paging.limit)
    return {
        "data": [_frozen_json(row) for row in rows],
        "next_cursor": rows[-1].id if len(rows) == paging.limit else None,
    }


@router.get(
    "/snapshots/{sha256}.csv",
    operation_id="get_snapshot_csv",
    response_class=Response,
    responses=file_response("text/csv") | error_responses(404, 422),
)
def snapshot_csv(sha256: str, request: Request, session: ReadSession) -> Response:
    """Return the frozen rows as comma-separated values, as they were written on the day they were frozen."""
    frozen = snapshots.find(session, sha256)
    headers = {"Content-Disposition": f'attachment; filename="tidemark-{frozen.board}-{sha256[:12]}.csv"'}
    answer = _not_modified(request, sha256, "csv", headers)
    return answer or Response(
        snapshots.frozen_csv(session, sha256), media_type="text/csv; charset=utf-8", headers=headers
    )


@router.get(
    "/snapshots/{sha256}",
    operation_id="get_snapshot",
    response_class=Response,
    responses=json_response(FrozenBoardAnswer) | error_responses(404, 422),
)
def snapshot(sha256: str, request: Request, session: ReadSession) -> Response:
    """Return a frozen board in the shape of a board. Its bytes never change.

    The hash is the SHA-256 of these bytes with `null` in the place of the value of `snapshot`:
    `curl -s URL | sed 's/"snapshot":"[0-9a-f]*"/"snapshot":null/' | sha256sum`.
    """
    snapshots.find(session, sha256)
    headers: dict[str, str] = {}
    answer = _not_modified(request, sha256, "json", headers)
    return answer or Response(snapshots.frozen_json(session, sha256), media_type="application/json", headers=headers)


def _not_modified(request: Request, sha256: str, face: str, headers: dict[str, str]) -> Response | None:
    """Add the headers for permanent caching, and return a 304 response if the caller has the content."""
    headers |= {"ETag": f'W/"{sha256}-{face}"', "Cache-Control": _IMMUTABLE}
    if matches_etag(headers["ETag"], request.headers.get("if-none-match")):
        return Response(status_code=304, headers=headers)
    return None


def _frozen_json(frozen: FrozenBoard) -> SnapshotEntry:
    """Return a snapshot as the list shows it."""
    query: dict[str, list[str]] = {}
    for name, value in frozen.query:
        query.setdefault(name, []).append(value)
    return {
        "sha256": frozen.sha256,
        "board": frozen.board,
        "query": query,
        "revision": frozen.revision,
        "frozen_at": frozen.frozen_at.isoformat(),
        "frozen_by": frozen.frozen_by,
        "reason": frozen.reason,
    }
