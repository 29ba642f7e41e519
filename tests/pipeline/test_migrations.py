"""The schema: every migration goes up, down and up again, and says what the tables say."""

from alembic import command
from sqlalchemy import inspect

from app.db.migrate import config, downgrade, upgrade
from app.db.session import make_engine


def test_up_down_up_without_drift(fresh_database: str) -> None:
    engine = make_engine(fresh_database)
    full = set(inspect(engine).get_table_names())
    downgrade(fresh_database, "base")
    assert set(inspect(engine).get_table_names()) == {"alembic_version"}
    upgrade(fresh_database)
    assert set(inspect(engine).get_table_names()) == full
    command.check(config(fresh_database))  # raises when tables and migrations differ
    engine.dispose()
