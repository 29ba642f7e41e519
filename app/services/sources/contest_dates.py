"""Contests by their dates, as the public calendar lists them."""

from collections.abc import Sequence
from datetime import datetime

from app.db.kernel.session import Session
from app.db.sources import contests
from app.db.sources.contests import ContestDates

__all__ = ["ContestDates", "contest_dates"]


def contest_dates(session: Session, start: datetime, end: datetime) -> Sequence[ContestDates]:
    """Return the contests of public sources that begin in [start, end), oldest first."""
    return contests.dated_between(session, start, end)
