"""The lock that keeps a single clock running: a PostgreSQL advisory lock on a connection of its own."""

from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

from app.db.kernel.session import Engine

KEY = 7_411_001


class ClockLock:
    """Advisory lock held while its connection lives. PostgreSQL drops it silently on restart, so callers must ask."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Connection | None = None

    def acquire(self) -> bool:
        """Try to take the lock, and return whether this process now holds it."""
        if self._connection is None:
            self._connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        return bool(self._connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": KEY}))

    def close(self) -> None:
        """Return the connection to the pool; the lock ends when the engine closes the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def is_held(self) -> bool:
        """Return whether this connection still holds the lock; a lost connection does not."""
        if self._connection is None:
            return False
        try:
            return bool(
                self._connection.scalar(
                    text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted "
                         "AND pid = pg_backend_pid() AND objid = :key"),
                    {"key": KEY},
                )
            )  # fmt: skip
        except SQLAlchemyError:
            return False
