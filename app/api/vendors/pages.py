"""Pages of a vendor's lists: opaque cursors, and a link to the next page."""

from typing import Annotated, Any, Protocol

from fastapi import Header, Request
from fastapi.encoders import jsonable_encoder
from fastapi.responses import JSONResponse
from pydantic import Field

from app.api.requests import Body
from app.api.vendors.bodies import Slug
from app.domain.cursors import MAX_CURSOR_CHARS
from app.domain.etags import etag_of
from app.domain.states import SubmissionState


class CursorPaging(Body):
    """The page of a list."""

    cursor: Annotated[str, Field(min_length=1, max_length=MAX_CURSOR_CHARS)] | None = Field(
        None, description="next_cursor of the page before"
    )
    limit: Annotated[int, Field(ge=1, le=200)] = Field(50, description="the most rows")


class ModelPaging(CursorPaging):
    """The page of a list of models."""

    withdrawn: bool | None = Field(None, description="only those that were withdrawn, or only the others")


class EndpointPaging(CursorPaging):
    """The page of a list of endpoints."""

    model: Slug | None = Field(None, description="only those of this model")
    stopped: bool | None = Field(None, description="only those that are stopped, or only the others")


class SubmissionPaging(CursorPaging):
    """The page of a list of submissions."""

    state: SubmissionState | None = Field(None, description="only those in this state")
    model: Slug | None = Field(None, description="only those of this model")
    protocol: Slug | None = Field(None, description="only those under this protocol")
    group: Annotated[str, Field(pattern=r"^grp_[0-9a-f]{24}$")] | None = Field(
        None, description="only those that one request placed"
    )


class ListPage(Protocol):
    """A page of any list."""

    @property
    def next_cursor(self) -> str | None:
        """The cursor of the next page; None on the last one."""


IfMatch = Annotated[
    str | None,
    Header(alias="If-Match", max_length=400, description="the ETag of the answer that you change; 428 without it"),
]


def tagged_response(answer: object) -> JSONResponse:
    """Return an answer as JSON with the ETag that a change of it must name."""
    return JSONResponse(jsonable_encoder(answer), headers={"ETag": etag_of(answer)})


def page_response(request: Request, page: ListPage) -> JSONResponse:
    """Return a page as JSON, with a `Link` to the next one beside its cursor."""
    body: Any = jsonable_encoder(page)
    if page.next_cursor is None:
        return JSONResponse(body)
    following = request.url.include_query_params(cursor=page.next_cursor)
    link = f'<{following.path}?{following.query}>; rel="next"'
    return JSONResponse(body, headers={"Link": link})
