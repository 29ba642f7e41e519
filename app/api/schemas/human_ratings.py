"""The answer about models as participants of contests for people."""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from app.api.schemas.values import InstantText, RowName


class ContestRating(TypedDict):
    """A row's rating in one contest; `censored` if it is only a bound."""

    contest: str
    rating: float
    better: float
    censored: bool


class DivisionRating(TypedDict):
    """The mean rating in the contests of a division; null stands for contests for everybody."""

    division: str | None
    rating: float
    contests: int


class HumanRatedRow(RowName):
    """A row as one more participant: its mean rating with its interval, and its percentile among people."""

    name: str
    rating: float | None
    lo: float | None
    hi: float | None
    sd: float | None
    joint: Annotated[float | None, Field(description="the one rating that fits all places best")]
    contests: int
    censored: int
    by_contest: list[ContestRating]
    by_division: list[DivisionRating]
    percentile: float | None


class RatedContestAnswer(TypedDict):
    """A contest; `left_out` says why it does not count, null if it does."""

    source: str
    contest: str
    title: str
    division: str | None
    left_out: str | None
    starts_at: InstantText | None
    standings_of: InstantText
    people: int
    problems: int
    lacking: int
    invented: bool


class PeopleCount(TypedDict):
    """Number of people whose ratings are known, and the time of their list."""

    count: int
    stored_at: InstantText


class HumanRatingReport(TypedDict):
    """Ratings of models as participants of contests for people."""

    protocol: str
    people: PeopleCount | None
    percentiles: Annotated[dict[str, float] | None, Field(description="ratings of people, by percentile from 1 to 100")]
    revision: int | None
    made_at: InstantText | None
    compat: str | None
    contests: list[RatedContestAnswer]
    counted: int
    invented: bool
    rows: list[HumanRatedRow]
    aided_since: NotRequired[Annotated[str, Field(description="from this month on people may have used models")]]
