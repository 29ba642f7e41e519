"""A context for the tasks of this process, over servers of the test's own and the real judge."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pipeline.rejudging import Desk, judged_board
from sqlalchemy import Connection
from support.servers import Servers, rolled_back

from app.config import Settings
from app.db.kernel.session import make_engine
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
    with servers.database() as url:
        engine = make_engine(url)
        with engine.connect() as connection, rolled_back(connection) as maker:
            with maker.begin() as session:
                judged_board(session)
            yield connection
        engine.dispose()


@pytest.fixture
def desk(judged: Connection, tmp_path: Path) -> Iterator[Desk]:
    """A rejudging of that board."""
    with rolled_back(judged) as maker, maker() as session:
        yield Desk(session, tmp_path)
