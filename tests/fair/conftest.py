"""Attacks on the board go through the API, as a vendor's or a visitor's do."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from factories import World, web_app
from fakes.model_server import ModelServer
from served import NO_AUTHORITIES, served
from support.orders import context_over, published_problems, site_of
from support.servers import Servers
from support.vendors import Vendor, solves

from app.config import Settings
from app.db.kernel.session import Session, SessionMaker
from workers.context import Context


@pytest.fixture
def world(session: Session) -> World:
    """Makes rows that the client sees once committed."""
    return World(session)


@pytest.fixture
def client(sessions: SessionMaker, tmp_path: Path) -> Iterator[httpx.Client]:
    """A caller of the application."""
    with (
        served(web_app(sessions, tmp_path)) as url,
        httpx.Client(base_url=url, timeout=120, verify=NO_AUTHORITIES) as made,
    ):
        yield made


@pytest.fixture(scope="session")
def published(servers: Servers) -> Iterator[str]:
    """Two problems are published where the test begins."""
    with published_problems(servers, 2) as url:
        yield url


@pytest.fixture
def fresh_database(servers: Servers, request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a migrated database for this test alone, whose processes may commit."""
    like = request.getfixturevalue("published") if "published" in request.fixturenames else None
    with servers.database(like, name="orders") as url:
        yield url


@pytest.fixture
def ctx(settings: Settings) -> Iterator[Context]:
    """What the tasks of this process run over; endpoints on the loopback are allowed."""
    with context_over(settings) as made:
        yield made


@pytest.fixture
def url(ctx: Context) -> Iterator[str]:
    """The application over a database of this test's own."""
    with served(site_of(ctx)) as address:
        yield address


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """An endpoint that answers every problem rightly, whoever asks."""
    with ModelServer(solves) as made:
        yield made


@pytest.fixture
def vendor(ctx: Context, url: str) -> Iterator[Vendor]:
    """A vendor with a key of all scopes."""
    made = Vendor(ctx, url)
    with made.client:
        yield made
