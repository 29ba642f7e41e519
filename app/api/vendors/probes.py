"""Probes of a vendor's endpoints: made while the request waits, and read afterwards."""

import asyncio
from typing import Annotated, Any

from fastapi import Path, Query
from fastapi.encoders import jsonable_encoder
from fastapi.responses import JSONResponse
from starlette.concurrency import run_in_threadpool

from app.api.deps import Now, State
from app.api.description import error_responses, json_response
from app.api.vendors.bodies import ProbeBody
from app.api.vendors.context import ContextDep, IdempotencyKey, MayRead, MayWriteEndpoints, vendor_router
from app.services.vendors import probes
from app.services.vendors.probes import NewProbe, ProbeAnswer
from workers.inference.backends import check_run

router = vendor_router()

_MAX_WAIT_S = 60
_POLL_S = 0.25

EndpointId = Annotated[int, Path(ge=1, le=2**62, description="the id of an endpoint of yours")]


@router.post(
    "/endpoints/{endpoint_id}/probe",
    operation_id="probe_endpoint",
    responses=json_response(ProbeAnswer, description="The finished probe")
    | json_response(ProbeAnswer, 202, "The probe is not finished yet: read it again later")
    | error_responses(404, 409),
)
async def probe_endpoint(
    endpoint_id: EndpointId,
    body: ProbeBody,
    key: IdempotencyKey,
    holder: MayWriteEndpoints,
    state: State,
    context: ContextDep,
    now: Now,
    wait_s: Annotated[int, Query(ge=0, le=_MAX_WAIT_S, description="the longest wait for its end")] = _MAX_WAIT_S,
) -> JSONResponse:
    """Probe an endpoint: at most five requests, with questions that count nowhere, by the code that real ones are sent
    by. It costs nothing here, and shows each check with what was seen and what to change.

    The response waits up to `wait_s` seconds for the result; 202 if there is none yet. A passed probe spares the next
    order under the same protocol and configuration its own, and an endpoint that was stopped is asked again. Only one
    probe of an endpoint is made at a time. The key needs the scope `endpoints:write`.
    """
    new = NewProbe(endpoint_id, body.protocol, body.configuration)

    def request() -> ProbeAnswer:
        with state.sessions.begin() as session:
            found = probes.request_probe(session, holder.organisation_id, new, key, now, check_run)
        if found.state == "waiting":
            context.wake("probe", urgent=True)
        return found

    def read() -> ProbeAnswer:
        with state.sessions() as session:
            return probes.read_requested(session, holder.organisation_id, key, state.now())

    # The request holds no thread and no transaction while the worker asks.
    answer, seconds = await run_in_threadpool(request), asyncio.get_running_loop().time
    until = seconds() + wait_s
    while answer.state != "finished" and seconds() < until:
        await asyncio.sleep(_POLL_S)
        answer = await run_in_threadpool(read)
    return JSONResponse(jsonable_encoder(answer), status_code=200 if answer.state == "finished" else 202)


@router.get(
    "/endpoints/{endpoint_id}/probe",
    operation_id="get_probe",
    responses=json_response(ProbeAnswer) | error_responses(404),
)
def get_probe(endpoint_id: EndpointId, holder: MayRead, state: State, now: Now) -> Any:
    """Return the newest probe of an endpoint, whoever asked for it, and the newest failure of a real request there.

    The key needs the scope `submissions:read`.
    """
    with state.sessions() as session:
        return jsonable_encoder(probes.read_probe(session, holder.organisation_id, endpoint_id, now))
