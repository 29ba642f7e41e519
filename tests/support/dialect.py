"""One dialect for all engines of a process: a statement is compiled once, and not again for every test's database.

SQLAlchemy keeps what it compiled with the engine, by the dialect's identity. Nearly every test that has a database has
engines of its own: without this a quarter of such a test is the compilation of statements that the last one compiled.
"""

from typing import Any

from sqlalchemy import Connection, Engine
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.util import LRUCache

_STATEMENTS = 5000


class SharedDialect(PGDialect_psycopg):
    """psycopg's dialect, of which a process has one for all engines that are made alike: so are the tests' servers."""

    supports_statement_cache = True
    _made: dict[str, "SharedDialect"] = {}  # noqa: RUF012  # the process's own
    _compiled: LRUCache[Any, Any] = LRUCache(_STATEMENTS)
    _whole = False  # its initialisation, which the first engine makes
    _knows_the_server = False

    def __new__(cls, **given: Any) -> "SharedDialect":
        """The one that was made of the same arguments."""
        return cls._made.setdefault(repr(sorted(given.items())), super().__new__(cls))

    def __init__(self, **given: Any) -> None:
        if not self._whole:
            super().__init__(**given)  # type: ignore[no-untyped-call]
            self._whole = True

    def initialize(self, connection: Connection) -> None:
        """Ask the server what it is, once."""
        if not self._knows_the_server:
            super().initialize(connection)  # type: ignore[no-untyped-call]
            self._knows_the_server = True

    @classmethod
    def engine_created(cls, engine: Engine) -> None:
        """Let the engine use what others have compiled."""
        engine.update_execution_options(compiled_cache=cls._compiled)


def pytest_configure() -> None:
    """Every engine that this process makes from here on has it."""
    registry.register("postgresql.psycopg", __name__, SharedDialect.__name__)
