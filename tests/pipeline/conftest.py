"""A context for the tasks of this process, over servers of the test's own and the real judge."""

from collections.abc import Iterator

import pytest

from app.config import Settings
from workers.context import Context, leave, make_context, use


@pytest.fixture
def ctx(settings: Settings) -> Iterator[Context]:
    """What the tasks run over."""
    made = use(make_context(settings))
    yield made
    made.close()
    leave()
