"""The first schema, written as SQL beside this file."""

from pathlib import Path

from alembic import op

revision: str = "0001"
down_revision: str | None = None


def upgrade() -> None:
    """Create every table."""
    op.execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8").replace(":", r"\:"))


def downgrade() -> None:
    """Drop every table but alembic's own."""
    op.execute("""
        DO $$ DECLARE name text; BEGIN
            FOR name IN SELECT tablename FROM pg_tables
                        WHERE schemaname = current_schema() AND tablename <> 'alembic_version'
            LOOP EXECUTE format('DROP TABLE %I CASCADE', name); END LOOP;
        END $$
    """)
