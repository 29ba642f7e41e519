"""Problems that rewrite others, the ratings of all people, and private problems beside the fresh ones."""

import hashlib
import json

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision: str = "0011"
down_revision: str | None = "0010"

_BEFORE = ["atcoder", "codeforces", "leetcode"]
_SINCE = [*_BEFORE, "private"]


def upgrade() -> None:
    """Add the tables, and let the protocol over fresh problems ask private ones too."""
    op.create_table(
        "rewrites",
        sa.Column("problem_id", sa.BigInteger, sa.ForeignKey("problems.id", name="fk_rewrites_problem_id")),
        sa.Column(
            "original_id", sa.BigInteger, sa.ForeignKey("problems.id", name="fk_rewrites_original_id"), nullable=False
        ),
        sa.PrimaryKeyConstraint("problem_id", name="pk_rewrites"),
        sa.CheckConstraint("problem_id <> original_id", name=op.f("ck_rewrites_other")),
    )
    op.create_index("ix_rewrites_original_id", "rewrites", ["original_id"])
    op.create_table(
        "human_fields",
        sa.Column("file_sha256", sa.Text),
        sa.Column("stored_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("people", sa.BigInteger, nullable=False),
        sa.Column(
            "blob_sha256", sa.Text, sa.ForeignKey("blobs.sha256", name="fk_human_fields_blob_sha256"), nullable=False
        ),
        sa.PrimaryKeyConstraint("file_sha256", name="pk_human_fields"),
    )
    _cover(_BEFORE, _SINCE)


def downgrade() -> None:
    """Take all of it back."""
    _cover(_SINCE, _BEFORE)
    op.drop_table("human_fields")
    op.drop_table("rewrites")


def _cover(old: list[str], new: list[str]) -> None:
    """More problems are asked, and nothing about an answer changes: the rows stay comparable under a new print."""
    connection = op.get_bind()
    protocols = sa.table("protocols", sa.column("id"), sa.column("fingerprint"), sa.column("body", JSONB))
    for row in connection.execute(sa.select(protocols.c.id, protocols.c.body)).all():
        if row.body["covers"]["sources"] != old:
            continue
        body = {**row.body, "covers": {**row.body["covers"], "sources": new}}
        telling = {name: value for name, value in body.items() if name not in ("slug", "title")}
        digest = hashlib.sha256(json.dumps(telling, sort_keys=True).encode()).hexdigest()
        connection.execute(sa.update(protocols).where(protocols.c.id == row.id).values(body=body, fingerprint=digest))
