"""Writing facts as they never were: what the database refuses, and a test needs."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import text

from app.db.kernel.session import Session


@contextmanager
def facts_may_change(session: Session) -> Iterator[None]:
    """Switch the guards of facts off within the block; it is flushed at its end."""
    session.flush()
    session.execute(text("SET session_replication_role = replica"))
    yield
    session.flush()
    session.execute(text("SET session_replication_role = origin"))
