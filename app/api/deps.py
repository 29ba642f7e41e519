"""Dependencies of API handlers: a short transaction, the current time, and the holder of an API key."""

from collections.abc import AsyncIterator, Callable, Iterator
from datetime import datetime
from typing import Annotated

from fastapi import Depends, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from app.computation_slots import ComputationSlots
from app.db.kernel.session import Session
from app.domain.addresses import visitor_key
from app.domain.errors import NotAuthenticated, NotFound
from app.rate_limits import LimitReached, RateLimiter
from app.services.operations.access import KeyHolder, KeyScope, check_key
from app.services.operations.web_state import WebState


def web_state(request: Request) -> WebState:
    """Return the state that all requests of this process share."""
    state: WebState = request.app.state.web
    return state


State = Annotated[WebState, Depends(web_state)]


def _read_session(state: State) -> Iterator[Session]:
    with state.sessions() as session:
        yield session


def _now(state: State) -> datetime:
    return state.now()


# Scope "function": the transaction ends before the response is sent.
ReadSession = Annotated[Session, Depends(_read_session, scope="function")]
Now = Annotated[datetime, Depends(_now)]


async def _hold_slot(request: Request) -> AsyncIterator[None]:
    slots: ComputationSlots = request.app.state.computation_slots
    async with slots.hold():
        yield


# For routes with expensive responses. A slot is held until the response is built, not until it is read.
HeavyRequest = Depends(_hold_slot, scope="function")


_BEARER = HTTPBearer(
    scheme_name="ApiKey",
    bearerFormat="tm_PREFIX_SECRET",
    description="An API key, sent as `Authorization: Bearer KEY`. A maintainer issues it with the scopes it needs.",
    auto_error=False,
)


def require_key(scope: KeyScope) -> Callable[[WebState, HTTPAuthorizationCredentials | None, Request], KeyHolder]:
    """Return a dependency that checks `Authorization: Bearer KEY` for `scope`, in a transaction of its own.

    With a good key, an address with unprintable characters, which no id has, is not found.
    """

    def holder(
        state: State,
        credentials: Annotated[HTTPAuthorizationCredentials | None, Security(_BEARER, scopes=[scope])],
        request: Request,
    ) -> KeyHolder:
        found = _check_credentials(state, credentials, scope, request)
        if not all(str(part).isprintable() for part in request.path_params.values()):
            raise NotFound("no id has unprintable characters, such as those of this address")
        return found

    return holder


def optional_key(
    scope: KeyScope,
) -> Callable[[WebState, HTTPAuthorizationCredentials | None, Request], KeyHolder | None]:
    """Return a dependency like `require_key`, which returns None for a caller without a key."""

    def holder(
        state: State,
        credentials: Annotated[HTTPAuthorizationCredentials | None, Security(_BEARER, scopes=[scope])],
        request: Request,
    ) -> KeyHolder | None:
        return None if credentials is None else _check_credentials(state, credentials, scope, request)

    return holder


def _check_credentials(
    state: WebState, credentials: HTTPAuthorizationCredentials | None, scope: KeyScope, request: Request
) -> KeyHolder:
    key = credentials.credentials.strip() if credentials else ""
    if not key or not key.isprintable():
        raise NotAuthenticated("send the API key as 'Authorization: Bearer KEY'")
    limiter: RateLimiter = request.app.state.rate_limiter
    address = visitor_key(request.client.host) if request.client else None
    try:
        counts = limiter.count_request(key, address)
    except LimitReached as limit:
        request.state.rate_limits = (limit.count,)
        raise
    try:
        with state.sessions.begin() as session:
            holder = check_key(session, key, scope, state.now(), request.client.host if request.client else None)
    except NotAuthenticated:
        limiter.count_failure(key, address)
        raise
    limiter.note_valid(key)
    request.state.rate_limits = counts
    return holder
