"""Evidence for contamination: the test of every row, what it rests on, and what was sent to whom."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from app.domain.errors import InvalidInput
from app.services import contamination
from app.services.board_query import MAX_LENGTH, board_of
from web.context import Page
from web.render import render


@dataclass(frozen=True, slots=True)
class Point:
    """A mean with its interval as heights in percent from the top; `lo` is None where there is no interval."""

    x: float
    y: float
    lo: float | None
    hi: float | None
    title: str
    before: bool


@dataclass(frozen=True, slots=True)
class Curve:
    """Months of one row, with the place of its cutoff in percent where it lies between them."""

    points: tuple[Point, ...]
    cutoff: float | None


def contamination_page(page: Page) -> Response:
    """What is known of the models under a protocol."""
    given = [value for name, value in page.params if name == "protocol" and value]
    if len(given) > 1 or any(len(value) > MAX_LENGTH for value in given):
        raise InvalidInput("protocol may be given once", pointer="/protocol")
    with page.state.sessions() as session:
        found = contamination.report(session, given[0] if given else None)
    return render(
        page,
        "pages/contamination.html",
        view=found,
        curves={_key(row): curve(row["months"], row["cutoff"]["date"]) for row in found.models},
        key=_key,
        # A report of an earlier version knew neither.
        probed=[row for row in found.models if "private_gap" in row and _is_probed(found.body or {})],
        board=board_of(found.protocol.protocol.scenario),
    )


def _is_probed(body: Mapping[str, Any]) -> bool:
    return bool(body["private_problems"] or body["rewritten_pairs"])


def _key(row: Mapping[str, Any]) -> str:
    return f"{row['model']}:{row['configuration']}"


def curve(months: Sequence[Mapping[str, Any]], cutoff: str | None) -> Curve | None:
    """A row's months from left to right; None with fewer than two."""
    if len(months) < 2:
        return None
    first, last = (_number(months[place]["first"]) for place in (0, -1))
    # A month takes as much room as every other, also where it has no problem.
    width = 100 / (last - first + 1)

    def place(day: str) -> float:
        return (_number(day) - first) * width

    points = tuple(
        Point(
            x=round(place(each["first"]) + width / 2, 2),
            y=100 - each["score"],
            lo=None if each["lo"] is None else round(100 - each["lo"], 2),
            hi=None if each["hi"] is None else round(100 - each["hi"], 2),
            title=f"{each['first'][:7]}: {each['score']:.1f} (n = {each['n']})",
            before=cutoff is not None and each["first"] <= cutoff,
        )
        for each in months
    )
    if cutoff is None or not months[0]["first"][:7] <= cutoff[:7] <= months[-1]["first"][:7]:
        return Curve(points, None)
    return Curve(points, round(place(cutoff) + width * int(cutoff[8:10]) / 31, 2))


def _number(day: str) -> int:
    """Months since the year 0."""
    return 12 * int(day[:4]) + int(day[5:7]) - 1
