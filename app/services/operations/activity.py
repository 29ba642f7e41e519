"""Charts of the last fortnight for maintainers: lag, visits, responses, missing fields, judging, spending."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import Final

from app.db.kernel.session import Session
from app.db.operations import activity as store
from app.db.operations.activity import DayCount

DAYS: Final = 14
HOURS: Final = 48


class ActivityMeasure(StrEnum):
    """Subjects of the charts."""

    LAG = "lag"
    VISITS = "visits"
    RESPONSES = "responses"
    INCOMPLETE = "incomplete"
    JUDGING = "judging"
    SPENDING = "spending"


@dataclass(frozen=True, slots=True)
class ActivitySeries:
    """One line of a chart: a value for each instant of its axis, None where nothing was measured."""

    name: str
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class ActivityChart:
    """A measure over time: the instants of its axis (starts of days or hours, UTC) and its lines."""

    measure: ActivityMeasure
    axis: tuple[datetime, ...]
    series: tuple[ActivitySeries, ...]

    @property
    def is_empty(self) -> bool:
        """True if no line has a value other than 0."""
        return not any(value for series in self.series for value in series.values)


def activity_charts(session: Session, now: datetime) -> list[ActivityChart]:
    """Return the charts of the last 14 days; judging by the hour, over the last 48."""
    today = now.astimezone(UTC).date()
    days = [today - timedelta(days=ago) for ago in reversed(range(DAYS))]
    since = datetime.combine(days[0], time(), UTC)
    lags = {(line.source, line.day): line.seconds / 3600 for line in store.lags(session, since)}
    spent = store.spending(session, days[0])
    return [
        _chart(ActivityMeasure.LAG, days, _lines(days, sorted({source for source, _ in lags}), lags.get)),
        _chart(ActivityMeasure.VISITS, days, _count_lines(days, store.visits(session, since))),
        _chart(ActivityMeasure.RESPONSES, days, _count_lines(days, store.responses(session, since))),
        _chart(ActivityMeasure.INCOMPLETE, days, _count_lines(days, store.incomplete_responses(session, since))),
        _judging_chart(session, now),
        _chart(ActivityMeasure.SPENDING, days, [ActivitySeries("usd", tuple(spent.get(day, 0.0) for day in days))]),
    ]


def _chart(measure: ActivityMeasure, days: Sequence[date], series: Iterable[ActivitySeries]) -> ActivityChart:
    return ActivityChart(measure, tuple(datetime.combine(day, time(), UTC) for day in days), tuple(series))


def _lines(
    days: Sequence[date], names: Iterable[str], value: Callable[[tuple[str, date]], float | None]
) -> list[ActivitySeries]:
    return [ActivitySeries(name, tuple(value((name, day)) for day in days)) for name in names]


def _count_lines(days: Sequence[date], counts: Sequence[DayCount]) -> list[ActivitySeries]:
    """Return a line for each kind that occurred; a day without it counts 0."""
    found = {(count.kind, count.day): count.total for count in counts}
    return _lines(days, sorted({count.kind for count in counts}), lambda key: float(found.get(key, 0)))


def _judging_chart(session: Session, now: datetime) -> ActivityChart:
    """Return answers that came in beside answers judged, by the hour: if judging falls behind, the lines part."""
    hour = now.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    hours = tuple(hour - timedelta(hours=ago) for ago in reversed(range(HOURS)))
    sides: Mapping[str, Mapping[datetime, int]] = {
        "answered": store.answered_by_hour(session, hours[0]),
        "judged": store.judged_by_hour(session, hours[0]),
    }
    series = (ActivitySeries(name, tuple(float(counts.get(at, 0)) for at in hours)) for name, counts in sides.items())
    return ActivityChart(ActivityMeasure.JUDGING, hours, tuple(series))
