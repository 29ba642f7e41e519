"""Runs as JSON: how far one has come, once or as server-sent events."""

from collections.abc import Collection, Mapping
from dataclasses import asdict
from typing import Annotated, Any

from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from app.api.deps import Now, ReadSession, State, key_if_given
from app.api.events import EventStream, Hub, News, Reader
from app.api.problem_json import documented
from app.domain.errors import NotFound
from app.services.operations import progress
from app.services.operations.access import KeyHolder, Scope
from app.services.operations.progress import RunProgress
from app.services.operations.webstate import WebState

router = APIRouter(prefix="/api/v1/runs", tags=["public"])
MayRead = Annotated[KeyHolder | None, Depends(key_if_given(Scope.SUBMISSIONS_READ))]


@router.get("/{run_id}", responses=documented(401, 403, 404, 422))
def run(run_id: int, who: MayRead, session: ReadSession, now: Now) -> dict[str, Any]:
    """How far a run has come, and when it will be done.

    A run that is not public needs a key of its organisation with the scope `submissions:read`.
    """
    return asdict(progress.seen_by(session, run_id, who.organisation_id if who else None, now))


@router.get(
    "/{run_id}/events",
    response_class=Response,
    responses={
        200: {"description": "Events.", "content": {"text/event-stream": {"schema": {"type": "string"}}}},
        **documented(401, 403, 404, 422, 503),
    },
)
async def events(run_id: int, who: MayRead, request: Request, state: State) -> Response:
    """The same as it changes, as server-sent events: `progress`, and `end` as the last one.

    Each carries what `GET /api/v1/runs/{run_id}` answers. The stream ends when nothing more happens for now, and after
    half an hour at most; a client of server-sent events then connects again.
    """
    hub: Hub = request.app.state.runs
    organisation = who.organisation_id if who else None

    def look() -> RunProgress:
        with state.sessions() as session:
            return progress.seen_by(session, run_id, organisation, state.now())

    await run_sync(look)
    return EventStream(hub, run_id, organisation=organisation)


def reader(state: WebState) -> Reader:
    """What listeners are told of runs."""

    def read(run_ids: Collection[int]) -> Mapping[int, News]:
        found = {}
        with state.sessions() as session:
            for run_id in sorted(run_ids):
                try:
                    view = progress.of_run(session, run_id, state.now(), public=True)
                except NotFound:
                    continue
                found[run_id] = News(asdict(view), view.over, view.public)
        return found

    return read
