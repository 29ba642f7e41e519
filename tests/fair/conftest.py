"""Attacks on the board go through the API, as a vendor's or a visitor's do."""

from collections.abc import Iterator
from ipaddress import ip_network

import pytest
from served import served
from support.vendors import Vendor

from app.config import Settings
from app.main import create_app
from workers.context import Context, make_context, use


@pytest.fixture
def ctx(settings: Settings) -> Iterator[Context]:
    """What the tasks of this process run over; endpoints on the loopback are allowed."""
    made = use(make_context(settings.model_copy(update={"endpoint_allow": (ip_network("127.0.0.0/8"),)})))
    yield made
    made.close()


@pytest.fixture
def url(ctx: Context) -> Iterator[str]:
    """The application over a database of this test's own."""
    with served(create_app(ctx.settings)) as address:
        yield address


@pytest.fixture
def vendor(ctx: Context, url: str) -> Iterator[Vendor]:
    """A vendor with a key of all scopes."""
    made = Vendor(ctx, url)
    with made.client:
        yield made
