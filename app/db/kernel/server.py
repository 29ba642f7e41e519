"""A database server as a whole: its readiness and its databases."""

import time
from collections.abc import Callable

from sqlalchemy import create_engine, make_url, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

from app.domain.errors import Unavailable

_POLL_S = 0.03
# After a loss of power a server replays its last writes, and takes no connection meanwhile. Killing it makes it
# start over the next time.
RECOVERY_S = 3600.0
_STARTING_UP = "the database system is "  # starting up, in recovery mode, not yet accepting connections


def wait_until_ready(url: str, timeout_s: float, check: Callable[[], None] = lambda: None) -> None:
    """Return once the server takes connections; `check` may raise earlier, as when its process has died.

    Raises Unavailable with the server's last error after `timeout_s` seconds, or after an hour while the server reports
    that it is starting up.
    """
    started_s = time.monotonic()
    engine = create_engine(url, poolclass=NullPool, connect_args={"connect_timeout": 5})
    while True:
        try:
            with engine.connect():
                return
        except OperationalError as refused:
            check()
            patience_s = max(timeout_s, RECOVERY_S) if _STARTING_UP in str(refused.orig) else timeout_s
            if time.monotonic() > started_s + patience_s:
                raise Unavailable(f"the database does not answer: {refused.orig}") from refused
            time.sleep(_POLL_S)


def create_database(url: str, name: str, template: str = "template0") -> None:
    """Create a database as a copy of `template` on the server of `url`, unless it exists."""
    _execute(
        url,
        "SELECT count(*) FROM pg_database WHERE datname = :name",
        f'CREATE DATABASE "{name}" TEMPLATE "{template}"',
        name=name,
    )


def tool_connection(url: str) -> tuple[str, dict[str, str]]:
    """Return a database's URL for PostgreSQL's own programs, and its password as an environment variable.

    Every user of the host can read a command line, so the password must not be in the URL.
    """
    tool_url = make_url(url).set(drivername="postgresql")
    variables = {} if tool_url.password is None else {"PGPASSWORD": str(tool_url.password)}
    return tool_url._replace(password=None).render_as_string(), variables


def holds_tables(url: str) -> bool:
    """Return whether the database has any table in its public schema."""
    with create_engine(url, poolclass=NullPool).connect() as connection:
        count = text("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
        return bool(connection.scalar(count))


def _execute(url: str, question: str, statement: str, **values: str) -> None:
    """Run a statement outside any transaction, unless the query `question` returns a positive count."""
    engine = create_engine(make_url(url).set(database="postgres"), poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        if not connection.scalar(text(question), values):
            connection.execute(text(statement))
