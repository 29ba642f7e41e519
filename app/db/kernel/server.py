"""A database server as a whole: whether it answers, and which databases it holds."""

import time
from collections.abc import Callable

from sqlalchemy import create_engine, make_url, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

from app.domain.errors import Unavailable

_POLL_S = 0.03
# After a loss of power a server goes through what was written last, and takes no connection meanwhile. Who ends it for
# that has it begin anew the next time.
RECOVERY_S = 3600.0
_RECOVERS = "the database system is "  # starting up, in recovery mode, not yet accepting connections


def wait_until_ready(url: str, timeout_s: float, check: Callable[[], None] = lambda: None) -> None:
    """Return once the server takes connections; `check` may raise earlier, as when its process has died.

    Raises Unavailable with the server's last words after `timeout_s` seconds; one that says that it is starting up has
    an hour.
    """
    began = time.monotonic()
    engine = create_engine(url, poolclass=NullPool, connect_args={"connect_timeout": 5})
    while True:
        try:
            with engine.connect():
                return
        except OperationalError as refused:
            check()
            patience_s = max(timeout_s, RECOVERY_S) if _RECOVERS in str(refused.orig) else timeout_s
            if time.monotonic() > began + patience_s:
                raise Unavailable(f"the database does not answer: {refused.orig}") from refused
            time.sleep(_POLL_S)


def create_database(url: str, name: str, template: str = "template0") -> None:
    """Make a database, a copy of `template`, on the server of `url`; one that exists already stays."""
    _execute(
        url,
        "SELECT count(*) FROM pg_database WHERE datname = :name",
        f'CREATE DATABASE "{name}" TEMPLATE "{template}"',
        name=name,
    )


def for_tools(url: str) -> tuple[str, dict[str, str]]:
    """The address of a database as PostgreSQL's own programs read it, and its password as a variable for them: what is
    on a command line is read by everybody on this host."""
    made = make_url(url).set(drivername="postgresql")
    variables = {} if made.password is None else {"PGPASSWORD": str(made.password)}
    return made._replace(password=None).render_as_string(), variables


def holds_tables(url: str) -> bool:
    """Whether a database holds any table of ours or of others."""
    with create_engine(url, poolclass=NullPool).connect() as connection:
        count = text("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
        return bool(connection.scalar(count))


def _execute(url: str, question: str, statement: str, **values: str) -> None:
    """Run a statement outside any transaction, unless the question counts something."""
    engine = create_engine(make_url(url).set(database="postgres"), poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        if not connection.scalar(text(question), values):
            connection.execute(text(statement))
