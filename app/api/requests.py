"""Requests of every kind: strict bodies, and the page of a list."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class Body(BaseModel):
    """The fields of a request; unknown ones are refused, so that a misspelt one is not lost."""

    model_config = ConfigDict(extra="forbid")


class Paging(Body):
    """The page of a list."""

    cursor: Annotated[int, Field(ge=1, le=2**62)] | None = Field(None, description="next_cursor of the page before")
    limit: Annotated[int, Field(ge=1, le=200)] = Field(50, description="the most rows")
