"""Bringing a database to the newest schema."""

from pathlib import Path

from alembic import command
from alembic.config import Config

ROOT = Path(__file__).resolve().parents[3]


def config(url: str) -> Config:
    """Alembic's configuration for this project's migrations against one database."""
    made = Config(ROOT / "alembic.ini")
    made.set_main_option("script_location", str(ROOT / "migrations").replace("%", "%%"))
    made.attributes["url"] = url
    return made


def upgrade(url: str, revision: str = "head") -> None:
    """Apply every missing migration; two callers at once are put in order by an advisory lock."""
    command.upgrade(config(url), revision)


def downgrade(url: str, revision: str) -> None:
    """Undo migrations down to `revision`."""
    command.downgrade(config(url), revision)
