"""A context for the tasks of this process, over servers of the test's own and the real judge."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pipeline.flow import a_house
from pipeline.rejudging import Desk, judged_board
from sqlalchemy import Connection
from support.servers import Servers, rolled_back

from app.config import Settings
from app.db.kernel.session import Session
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


@pytest.fixture(scope="session")
def housed(servers: Servers) -> Iterator[Connection]:
    """A database with a house in it, for tests that begin there and roll back."""
    with servers.arranged(a_house) as connection:
        yield connection


@pytest.fixture
def house(housed: Connection) -> Iterator[Session]:
    """A session in that house."""
    with rolled_back(housed) as maker, maker() as session:
        yield session
