"""Exceptions raised when the database is down, under a name that the upper layers may import."""

from sqlalchemy.exc import OperationalError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeout

# A refused connection or a statement timeout; no free connection; missing tables.
DatabaseDown = (OperationalError, PoolTimeout, ProgrammingError)
