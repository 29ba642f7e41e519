"""The current instant as a bound parameter, so that statements run every minute are compiled once."""

from datetime import datetime

from sqlalchemy import DateTime, bindparam, func, select

from app.db.kernel.session import Session

NOW = bindparam("now", type_=DateTime(timezone=True))


def database_time(session: Session) -> datetime:
    """Return the database's own time at the moment of the statement."""
    return session.scalars(select(func.clock_timestamp(type_=DateTime(timezone=True)))).one()
