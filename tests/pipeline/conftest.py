"""A context for the tasks of this process, over servers of the test's own and the real judge."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pipeline.rejudging import Desk, judged_board
from sqlalchemy import Connection
from support.servers import Servers, rolled_back

from app.config import Settings
from workers.context import Context, leave, make_context, use


@pytest.fixture
def ctx(settings: Settings) -> Iterator[Context]:
    """What the tasks run over."""
    made = use(make_context(settings))
    yield made
    leave()
    made.close()


@pytest.fixture(scope="session")
def judged(servers: Servers) -> Iterator[Connection]:
    """A database in which a board is judged, for tests that begin there and roll back."""
    with servers.arranged(judged_board) as connection:
        yield connection


@pytest.fixture
def desk(judged: Connection, tmp_path: Path) -> Iterator[Desk]:
    """A rejudging of that board."""
    with rolled_back(judged) as maker, maker() as session:
        yield Desk(session, tmp_path)
