"""Protocols cover kinds of sources; what they cover is no part of their fingerprint; and they have revisions."""

import hashlib
import json
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision: str = "0015"
down_revision: str | None = "0014"

# Whatever named the three sites there were meant the fresh problems of every site.
_SITES = ["atcoder", "codeforces", "leetcode"]


def upgrade() -> None:
    """Bodies name kinds, and fingerprints are made anew: all rows, runs, links and snapshots stay."""
    op.add_column("protocols", sa.Column("revision_of", sa.Text))
    op.drop_constraint("uq_protocols_fingerprint", "protocols")
    connection, protocols = op.get_bind(), _protocols()
    sources = sa.table(
        "sources", sa.column("slug"), sa.column("kind")
    )  # they were covered by name, whatever their kind
    connection.execute(sa.update(sources).where(sources.c.slug.in_(_SITES)).values(kind="site"))
    for row in connection.execute(sa.select(protocols.c.id, protocols.c.body)).all():
        covers = row.body["covers"]
        named = [slug for slug in covers["sources"] if slug not in _SITES]
        every = set(_SITES) <= set(covers["sources"])
        body = {
            "prerequisite": None,
            **row.body,
            "covers": {**covers, "kinds": ["site"], "sources": named} if every else {"kinds": [], **covers},
        }
        left_out = ("title", "covers") if body["imported"] else ("slug", "title", "covers")
        _store(row.id, body, left_out)


def downgrade() -> None:
    """Name the three sites again; earlier revisions stay, under the names that they have."""
    connection, protocols = op.get_bind(), _protocols()
    for row in connection.execute(sa.select(protocols.c.id, protocols.c.body)).all():
        covers = {**row.body["covers"]}
        if "site" in covers.pop("kinds"):
            covers["sources"] = [*_SITES, *covers["sources"]]
        body = {name: value for name, value in row.body.items() if (name, value) != ("prerequisite", None)}
        _store(row.id, {**body, "covers": covers}, ("slug", "title"))
    op.create_unique_constraint("uq_protocols_fingerprint", "protocols", ["fingerprint"])
    op.drop_column("protocols", "revision_of")


def _protocols() -> Any:
    return sa.table("protocols", sa.column("id"), sa.column("fingerprint"), sa.column("body", JSONB))


def _store(protocol_id: int, body: dict[str, Any], left_out: tuple[str, ...]) -> None:
    telling = {name: value for name, value in body.items() if name not in left_out}
    if telling.get("prerequisite") is None:  # told only where there is one, so that older fingerprints stay
        telling.pop("prerequisite", None)
    digest = hashlib.sha256(json.dumps(telling, sort_keys=True).encode()).hexdigest()
    protocols = _protocols()
    op.get_bind().execute(
        sa.update(protocols).where(protocols.c.id == protocol_id).values(body=body, fingerprint=digest)
    )
