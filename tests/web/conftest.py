"""The pages over a test's own rows, all rolled back."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from factories import World, web_app
from served import NO_AUTHORITIES, served

from app.db.kernel.session import Session, SessionMaker


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
