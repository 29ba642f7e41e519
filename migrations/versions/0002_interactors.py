"""Interactors are kept with the tests, and our own protocols ask interactive and class problems too."""

import hashlib
import json

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision: str = "0002"
down_revision: str | None = "0001"

_BEFORE = ["stdin", "function"]
_SINCE = [*_BEFORE, "class", "interactive"]


def upgrade() -> None:
    """Add the column, and widen the protocols that were made before it."""
    op.add_column("test_sets", sa.Column("interactor", JSONB, nullable=True))
    _cover(_BEFORE, _SINCE)


def downgrade() -> None:
    """Take both back."""
    _cover(_SINCE, _BEFORE)
    op.drop_column("test_sets", "interactor")


def _cover(old: list[str], new: list[str]) -> None:
    """More problems are asked, and nothing about an answer changes: the rows stay comparable under a new print."""
    connection = op.get_bind()
    protocols = sa.table("protocols", sa.column("id"), sa.column("fingerprint"), sa.column("body", JSONB))
    for row in connection.execute(sa.select(protocols.c.id, protocols.c.body)).all():
        if row.body["covers"]["forms"] != old:
            continue
        body = {**row.body, "covers": {**row.body["covers"], "forms": new}}
        telling = {name: value for name, value in body.items() if name not in ("slug", "title")}
        digest = hashlib.sha256(json.dumps(telling, sort_keys=True).encode()).hexdigest()
        connection.execute(sa.update(protocols).where(protocols.c.id == row.id).values(body=body, fingerprint=digest))
