"""Values that several answers share."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

DayText = Annotated[str, Field(json_schema_extra={"format": "date"})]
InstantText = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
Cursor = Annotated[int | None, Field(description="the cursor of the next page; null on the last one")]

WindowDays = TypedDict("WindowDays", {"from": DayText | None, "to": DayText | None})
WindowDays.__doc__ = "Release days `[from, to)`, UTC; null for an open end."


class CutoffDay(TypedDict):
    """The day that exposure is decided by, and what it rests on."""

    date: DayText | None
    basis: str


class RowName(TypedDict):
    """The names by which a board tells its rows apart."""

    model: str
    configuration: str


class HiddenRowAnswer(RowName):
    """A run that a board does not show, and the filter or rule that hides it."""

    reason: str


class ScoreOf(TypedDict):
    """A score in percent over `n` judged problems; null without any."""

    score: float | None
    n: int


class RowScore(RowName, ScoreOf):
    """A row's score in percent over `n` judged problems; null without any."""
