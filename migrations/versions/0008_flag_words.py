"""Which page gave a problem which flags."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision: str = "0008"
down_revision: str | None = "0007"


def upgrade() -> None:
    """Of flags that are here nobody knows who said them: the next page with a text replaces them."""
    op.add_column("problems", sa.Column("flag_words", JSONB, nullable=False, server_default=sa.text("'[]'::jsonb")))
    op.execute(
        "UPDATE problems SET flag_words = jsonb_build_array(jsonb_build_object("
        "'kind', '', 'at', '1970-01-01T00:00:00+00:00', 'whole', true, 'flags', to_jsonb(flags))) WHERE flags <> '{}'"
    )


def downgrade() -> None:
    """The flags themselves are still there."""
    op.drop_column("problems", "flag_words")
