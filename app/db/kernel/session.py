"""Engine and sessions. Callers open one short transaction at a time."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine, create_engine
from sqlalchemy.orm import Session, sessionmaker

SessionMaker = sessionmaker[Session]

__all__ = ["Engine", "Session", "SessionMaker", "make_engine", "make_sessionmaker", "sessions_on"]


def make_engine(url: str, *, pool_size: int = 4) -> Engine:
    """Return an engine for a `postgresql+psycopg://` URL, with UTC sessions and lock and statement timeouts."""
    return create_engine(
        url,
        pool_size=pool_size,
        max_overflow=max(8, pool_size),  # opened when needed and closed again: an idle backend costs memory
        hide_parameters=True,  # error messages are logged, and stored values must not be
        pool_pre_ping=True,  # PostgreSQL may have restarted since the last use
        connect_args={"options": "-c timezone=UTC -c lock_timeout=10s -c statement_timeout=60s", "connect_timeout": 10},
    )


def make_sessionmaker(engine: Engine) -> SessionMaker:
    """Return a session factory whose rows stay readable after commit."""
    return sessionmaker(engine, expire_on_commit=False, autoflush=True)


@contextmanager
def sessions_on(url: str) -> Iterator[SessionMaker]:
    """Yield a session factory for a short task, one session at a time, and close every connection at the end."""
    engine = make_engine(url, pool_size=1)
    try:
        yield make_sessionmaker(engine)
    finally:
        engine.dispose()
