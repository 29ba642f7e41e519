"""What a database that is down raises, under a name the upper floors may know."""

from sqlalchemy.exc import OperationalError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeout

# A refused connection or a statement that took too long; no free connection; tables not there yet.
DatabaseDown = (OperationalError, PoolTimeout, ProgrammingError)
