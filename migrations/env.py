"""Alembic's door: one transaction a migration, impatient with locks, one migrator at a time."""

from alembic import context
from sqlalchemy import create_engine, pool, text

import app.db.tables  # noqa: F401  # the metadata is complete only with every table imported
from app.db.tables.base import Base

MIGRATION_LOCK = 7_411_002


def main() -> None:
    """Run the asked migrations against the URL handed over in the configuration's attributes."""
    engine = create_engine(context.config.attributes["url"], poolclass=pool.NullPool)
    with engine.connect() as connection:
        connection.execute(text("SET lock_timeout = '30s'"))
        connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": MIGRATION_LOCK})
        connection.commit()
        context.configure(
            connection=connection,
            target_metadata=Base.metadata,
            transaction_per_migration=True,
            compare_type=True,
            compare_server_default=True,
        )
        context.run_migrations()
        connection.commit()
    engine.dispose()


main()
