"""Migration of a database to the newest schema."""

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from app.domain.errors import Conflict

ROOT = Path(__file__).resolve().parents[3]


def config(url: str) -> Config:
    """Return Alembic's configuration for this project's migrations against one database."""
    settings = Config(ROOT / "alembic.ini")
    settings.set_main_option("script_location", str(ROOT / "migrations").replace("%", "%%"))
    settings.attributes["url"] = url
    return settings


def upgrade(url: str, revision: str = "head") -> None:
    """Apply every missing migration; an advisory lock serialises concurrent callers.

    Raises Conflict, having changed nothing, when the database is newer than this program.
    """
    refuse_newer(url)
    command.upgrade(config(url), revision)


def refuse_newer(url: str) -> None:
    """Raise Conflict when a newer Tidemark has migrated the database: this one does not know its tables."""
    with create_engine(url, poolclass=NullPool).connect() as connection:
        applied = set(MigrationContext.configure(connection).get_current_heads())
    if newer := sorted(applied - _known_revisions()):
        raise Conflict(
            f"this database was made by a newer Tidemark (revision {', '.join(newer)}); "
            "upgrade the program or restore a backup"
        )


@cache
def _known_revisions() -> frozenset[str]:
    """Return this program's migration revisions; cached, because reading the files is slower than a query."""
    scripts = ScriptDirectory(str(ROOT / "migrations"))
    return frozenset(script.revision for script in scripts.walk_revisions())


def downgrade(url: str, revision: str) -> None:
    """Undo migrations down to `revision`."""
    command.downgrade(config(url), revision)
