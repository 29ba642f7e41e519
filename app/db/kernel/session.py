"""Engine and sessions. Callers on the edges open one short transaction at a time."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine, create_engine
from sqlalchemy.orm import Session, sessionmaker

SessionMaker = sessionmaker[Session]

__all__ = ["Engine", "Session", "SessionMaker", "make_engine", "make_sessionmaker", "sessions_on"]


def make_engine(url: str, *, pool_size: int = 4) -> Engine:
    """An engine for a `postgresql+psycopg://` URL; sessions speak UTC and give up on long waits."""
    return create_engine(
        url,
        pool_size=pool_size,
        max_overflow=max(8, pool_size),  # opened when needed and closed again: an idle backend costs memory
        hide_parameters=True,  # an error's words end up in logs; what was to be stored must not
        pool_pre_ping=True,  # PostgreSQL may have restarted since the last use
        connect_args={"options": "-c timezone=UTC -c lock_timeout=10s -c statement_timeout=60s", "connect_timeout": 10},
    )


def make_sessionmaker(engine: Engine) -> SessionMaker:
    """Sessions whose rows stay readable after commit, so that edges can return values made from them."""
    return sessionmaker(engine, expire_on_commit=False, autoflush=True)


@contextmanager
def sessions_on(url: str) -> Iterator[SessionMaker]:
    """Sessions of a short piece of work, one at a time; however it ends, nothing stays open of the database."""
    engine = make_engine(url, pool_size=1)
    try:
        yield make_sessionmaker(engine)
    finally:
        engine.dispose()
