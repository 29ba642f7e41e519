"""Counts of what the service did, by day or by hour (UTC), for maintainers' charts."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, Date, cast, func, select
from sqlalchemy.dialects.postgresql import JSONPATH
from sqlalchemy.orm import InstrumentedAttribute

from app.db.kernel.session import Session
from app.db.tables import Capture, Contest, ExpectedDataRow, Sample, ScrapeRun, Source, Spending, VerdictRow
from app.domain.sources.schedule import PROBLEMS, ExpectedData
from app.domain.states import ExpectedDataState

TimeColumn = InstrumentedAttribute[datetime] | InstrumentedAttribute[datetime | None]

# Findings of a page that lacks a required field begin so.
_MISSING = '$[*] ? (@.code starts with "missing_")'


class DayCount(NamedTuple):
    """Number of events of one kind on a day."""

    kind: str
    day: date
    total: int


class DayLag(NamedTuple):
    """The median seconds from a contest's end until its problems were here, for arrivals of one source on a day."""

    source: str
    day: date
    seconds: float


def _day(column: TimeColumn) -> ColumnElement[date]:
    return cast(func.timezone("UTC", column), Date)


def visits(session: Session, since: datetime) -> list[DayCount]:
    """Return the visits to sources since `since` by state."""
    day = _day(ScrapeRun.started_at)
    rows = session.execute(
        select(ScrapeRun.state, day, func.count()).where(ScrapeRun.started_at >= since).group_by(ScrapeRun.state, day)
    )
    return [DayCount(*row) for row in rows]


def responses(session: Session, since: datetime) -> list[DayCount]:
    """Return the responses of sources since `since` by class."""
    day = _day(Capture.fetched_at)
    rows = session.execute(
        select(Capture.classification, day, func.count())
        .where(Capture.fetched_at >= since)
        .group_by(Capture.classification, day)
    )
    return [DayCount(*row) for row in rows]


def incomplete_responses(session: Session, since: datetime) -> list[DayCount]:
    """Return the responses since `since` that lacked a required field, by source."""
    day = _day(Capture.fetched_at)
    rows = session.execute(
        select(Source.slug, day, func.count())
        .join(Source, Source.id == Capture.source_id)
        .where(Capture.fetched_at >= since, func.jsonb_path_exists(Capture.findings, cast(_MISSING, JSONPATH)))
        .group_by(Source.slug, day)
    )
    return [DayCount(*row) for row in rows]


def lags(session: Session, since: datetime) -> list[DayLag]:
    """Return the median lag of each source by day of arrival, for arrivals since `since`."""
    day = _day(ExpectedDataRow.settled_at)
    seconds = func.extract("epoch", ExpectedDataRow.settled_at - Contest.ends_at)
    rows = session.execute(
        select(Source.slug, day, func.percentile_cont(0.5).within_group(seconds))
        .join(Contest, Contest.source_id == Source.id)
        .join(ExpectedDataRow, ExpectedDataRow.contest_id == Contest.id)
        .where(
            ExpectedDataRow.purpose == PROBLEMS,
            ExpectedDataRow.state == ExpectedDataState.MET,
            ExpectedDataRow.settled_at >= since,
            # A contest that had ended before we knew of it says nothing about our freshness.
            ExpectedDataRow.late_at <= Contest.ends_at + ExpectedData().grace,
        )
        .group_by(Source.slug, day)
    )
    return [DayLag(slug, on, float(median)) for slug, on, median in rows]


def spending(session: Session, since: date) -> Mapping[date, float]:
    """Return the US dollars of each day since `since`."""
    rows = session.execute(
        select(Spending.day, func.sum(Spending.usd)).where(Spending.day >= since).group_by(Spending.day)
    )
    return {day: float(usd) for day, usd in rows}


def answered_by_hour(session: Session, since: datetime) -> Mapping[datetime, int]:
    """Return the answers that came in each hour since `since`."""
    return _by_hour(session, Sample.answered_at, since)


def judged_by_hour(session: Session, since: datetime) -> Mapping[datetime, int]:
    """Return the verdicts of each hour since `since`."""
    return _by_hour(session, VerdictRow.judged_at, since)


def _by_hour(session: Session, column: TimeColumn, since: datetime) -> Mapping[datetime, int]:
    hour = func.date_trunc("hour", column, "UTC")
    rows = session.execute(select(hour, func.count()).where(column >= since).group_by(hour))
    return {row[0]: row[1] for row in rows}
