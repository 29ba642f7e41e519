"""Every sending of a problem is kept, with the address it went to."""

from urllib.parse import urlsplit

import sqlalchemy as sa
from alembic import op

from app.db.tables.facts import TRIGGER, guard

revision: str = "0034"
down_revision: str | None = "0033"


def upgrade() -> None:
    """What was sent so far went to where each endpoint is now, as far as anybody knows."""
    op.execute(f"DROP TRIGGER {TRIGGER} ON exposures")
    op.add_column("exposures", sa.Column("address", sa.Text, nullable=False, server_default=sa.text("''")))
    endpoints = op.get_bind().execute(sa.text("SELECT id, base_url FROM endpoints WHERE NOT trusted")).all()
    for endpoint, url in endpoints:
        statement = sa.text("UPDATE exposures SET address = :address WHERE endpoint_id = :endpoint")
        op.get_bind().execute(statement, {"address": _host_of(url), "endpoint": endpoint})
    op.drop_constraint("pk_exposures", "exposures")
    op.create_primary_key("pk_exposures", "exposures", ["endpoint_id", "problem_id", "sent_at"])
    op.create_index("ix_exposures_endpoint", "exposures", ["endpoint_id", "sent_at"])
    op.create_index(
        "ix_exposures_address", "exposures", ["address", "sent_at"], postgresql_where=sa.text("address <> ''")
    )
    op.execute(guard("exposures", ["endpoint_id", "problem_id", "sent_at", "address"]))


def downgrade() -> None:
    """The first sending of each problem to an endpoint stays."""
    op.execute(f"DROP TRIGGER {TRIGGER} ON exposures")
    op.drop_index("ix_exposures_address", "exposures")
    op.drop_index("ix_exposures_endpoint", "exposures")
    op.execute(
        "DELETE FROM exposures x USING exposures o WHERE (o.endpoint_id, o.problem_id) = (x.endpoint_id, x.problem_id) "
        "AND o.sent_at < x.sent_at"
    )
    op.drop_constraint("pk_exposures", "exposures")
    op.create_primary_key("pk_exposures", "exposures", ["endpoint_id", "problem_id"])
    op.drop_column("exposures", "address")
    op.execute(guard("exposures", ["endpoint_id", "problem_id", "sent_at"]))


def _host_of(url: str) -> str:
    # As `app.domain.addresses.host_of` was when this was written.
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").rstrip("."), parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)
    except ValueError:
        return ""
    return f"{host}:{port}" if host else ""
