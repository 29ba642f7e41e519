"""What API handlers are given: one short transaction, the time, and whom a key speaks for."""

from collections.abc import AsyncIterator, Callable, Iterator
from datetime import datetime
from typing import Annotated

from fastapi import Depends, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from app.db.kernel.session import Session
from app.domain.errors import Unauthenticated
from app.places import Places
from app.services.operations.access import KeyHolder, Scope, check_key
from app.services.operations.webstate import WebState


def web_state(request: Request) -> WebState:
    """What all requests of this process share."""
    state: WebState = request.app.state.web
    return state


State = Annotated[WebState, Depends(web_state)]


def _read(state: State) -> Iterator[Session]:
    with state.sessions() as session:
        yield session


def _now(state: State) -> datetime:
    return state.now()


# Scope "function": the transaction ends before the response is sent, so that what was answered is committed.
ReadSession = Annotated[Session, Depends(_read, scope="function")]
Now = Annotated[datetime, Depends(_now)]


async def _place(request: Request) -> AsyncIterator[None]:
    places: Places = request.app.state.places
    async with places.one():
        yield


# For routes whose answers take long to make. It is held until the answer is made, however slowly it is read.
Place = Depends(_place, scope="function")


_BEARER = HTTPBearer(
    scheme_name="ApiKey",
    bearerFormat="tm_PREFIX_SECRET",
    description="An API key, sent as `Authorization: Bearer KEY`. A maintainer issues it with the scopes it needs.",
    auto_error=False,
)


def key_with(scope: Scope) -> Callable[[WebState, HTTPAuthorizationCredentials | None], KeyHolder]:
    """A dependency that proves `Authorization: Bearer KEY` with `scope`, in a transaction of its own."""

    def holder(
        state: State, credentials: Annotated[HTTPAuthorizationCredentials | None, Security(_BEARER, scopes=[scope])]
    ) -> KeyHolder:
        return _proved(state, credentials, scope)

    return holder


def key_if_given(scope: Scope) -> Callable[[WebState, HTTPAuthorizationCredentials | None], KeyHolder | None]:
    """As `key_with`, but None for a caller who sends no key at all."""

    def holder(
        state: State, credentials: Annotated[HTTPAuthorizationCredentials | None, Security(_BEARER, scopes=[scope])]
    ) -> KeyHolder | None:
        return None if credentials is None else _proved(state, credentials, scope)

    return holder


def _proved(state: WebState, credentials: HTTPAuthorizationCredentials | None, scope: Scope) -> KeyHolder:
    key = credentials.credentials.strip() if credentials else ""
    if not key or not key.isprintable():
        raise Unauthenticated("send the API key as 'Authorization: Bearer KEY'")
    with state.sessions.begin() as session:
        return check_key(session, key, scope, state.now())
