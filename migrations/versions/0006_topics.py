"""What problems are about, in one vocabulary."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY

from app.domain.publishing.tags import split_tags

revision: str = "0006"
down_revision: str | None = "0005"

_PROBLEMS = sa.table(
    "problems",
    sa.column("id", sa.BigInteger),
    sa.column("state", sa.Text),
    sa.column("tags", ARRAY(sa.Text)),
    sa.column("topics", ARRAY(sa.Text)),
)


def upgrade() -> None:
    """Problems that are published already get their topics from their tags; the others when they are."""
    op.add_column("problems", sa.Column("topics", ARRAY(sa.Text), nullable=False, server_default=sa.text("'{}'")))
    connection = op.get_bind()
    tagged = sa.select(_PROBLEMS.c.id, _PROBLEMS.c.tags).where(_PROBLEMS.c.state == "published")
    rows = [
        {"problem": problem, "named": [topic.value for topic in split_tags(tags).topics]}
        for problem, tags in connection.execute(tagged).all()
        if tags
    ]
    if rows:
        named = sa.update(_PROBLEMS).where(_PROBLEMS.c.id == sa.bindparam("problem"))
        connection.execute(named.values(topics=sa.bindparam("named")), rows)


def downgrade() -> None:
    """The tags are still there."""
    op.drop_column("problems", "topics")
