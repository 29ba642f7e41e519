"""Runs as JSON: their progress, once or as server-sent events."""

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, replace
from typing import Annotated, Any

from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from app.api.deps import Now, ReadSession, State, optional_key
from app.api.description import error_responses, json_response
from app.api.events import EventHub, RunUpdate, UpdateReader
from app.domain.errors import NotFound
from app.services.operations import progress
from app.services.operations.access import KeyHolder, KeyScope
from app.services.operations.progress import RunProgress
from app.services.operations.web_state import WebState

router = APIRouter(prefix="/api/v1/runs", tags=["public"])
MayRead = Annotated[KeyHolder | None, Depends(optional_key(KeyScope.SUBMISSIONS_READ))]


@router.get(
    "/{run_id}",
    operation_id="get_run",
    responses=json_response(RunProgress) | error_responses(401, 403, 404, 422),
)
def run(run_id: int, holder: MayRead, session: ReadSession, now: Now) -> dict[str, Any]:
    """Return the progress of a run, with an estimate of when it will be done.

    A run that is not public needs a key of its organisation with the scope `submissions:read`.
    """
    return asdict(progress.visible_progress(session, run_id, holder.organisation_id if holder else None, now))


@router.get(
    "/{run_id}/events",
    operation_id="stream_run",
    response_class=Response,
    responses={
        200: {"description": "Events.", "content": {"text/event-stream": {"schema": {"type": "string"}}}},
        **error_responses(401, 403, 404, 422, 503),
    },
)
async def events(run_id: int, holder: MayRead, request: Request, state: State) -> Response:
    """Stream the progress of a run as server-sent events: `progress` after each change, and `end` as the last event.

    The data of each event has the form of the answer of `GET /api/v1/runs/{run_id}`. An event's `id` names the progress
    it tells of: a client that connects again with `Last-Event-ID` is told of what has changed since. The stream ends
    when nothing more happens for now, and after half an hour at most; a client of server-sent events then connects
    again.
    """
    hub: EventHub = request.app.state.runs
    organisation = holder.organisation_id if holder else None

    def check_access() -> RunProgress:
        with state.sessions() as session:
            return progress.visible_progress(session, run_id, organisation, state.now())

    await run_sync(check_access)
    return hub.stream(run_id, organisation=organisation)


def make_update_reader(state: WebState) -> UpdateReader:
    """Return the function that reads the updates of runs for listeners."""

    def read(run_ids: Collection[int]) -> Mapping[int, RunUpdate]:
        updates = {}
        with state.sessions() as session:
            for run_id in sorted(run_ids):
                try:
                    view = progress.run_progress(session, run_id, state.now(), public=True)
                except NotFound:
                    continue
                updates[run_id] = RunUpdate(asdict(view), _version(view), view.over, view.public)
        return updates

    return read


def _version(view: RunProgress) -> str:
    """Return a name of what has happened to a run so far, the same for equal progress."""
    facts = asdict(replace(view, answers_per_s=None, verdicts_per_s=None, eta_s=None))
    return hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).hexdigest()[:16]
