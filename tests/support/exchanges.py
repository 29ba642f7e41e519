"""One endpoint that is asked in a back end's format through the real client, in time of its own."""

from datetime import datetime

from fakes.model_server import Asked, ModelServer, Say, in_turn

from app.domain.asking.completions import Completion, EndpointSpec, InferenceRequest, Message, Prompt
from app.domain.asking.protocols import Sampling
from app.domain.registry import discover
from support import virtual
from support.asking import SECRET
from workers.inference.backends import Backend
from workers.inference.wire import CallFailure, ask_once, open_endpoint

BACKENDS = discover("workers.inference.backends", "BACKEND", Backend)


def ask(
    name: str, *says: Say, timeout_s: float | None = None, sampling: Sampling | None = None, own: bool = False
) -> list[tuple[Completion | CallFailure, Asked]]:
    """Requests one after the other in the format of that name, their outcomes, and what the endpoint saw of each.

    `own`: the endpoint serves weights of our own.
    """

    async def in_order() -> list[tuple[Completion | CallFailure, Asked]]:
        async with ModelServer(in_turn(*says)).within() as server:
            endpoint = EndpointSpec(1, name, server.url, "m", SECRET, trusted=True, own=own)
            messages = (Message("system", "be terse"), Message("user", "sum"))
            request = InferenceRequest(1, Prompt(messages), sampling or Sampling(), 7)
            outcomes = []
            async with open_endpoint(BACKENDS[name], endpoint, (), 1) as way:
                for _ in says:
                    found = await ask_once(way, BACKENDS[name], endpoint, request, timeout_s=timeout_s, clock=_now)
                    assert isinstance(found, Completion | CallFailure)
                    outcomes.append(found)
            return list(zip(outcomes, server.asked, strict=True))

    return virtual.run(in_order())


def _now() -> datetime:
    return virtual.now()
