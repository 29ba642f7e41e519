"""Unittests are proven again: a proof says what they reach, and which values of a reference answer for themselves."""

from alembic import op

revision: str = "0059"
down_revision: str | None = "0058"


def upgrade() -> None:
    """Answers wait while their suite does; verdicts stay."""
    op.execute(
        "UPDATE test_sets SET proof = 'waiting', attempts = 0 FROM problems "
        "JOIN problem_versions ON problem_versions.id = problems.current_version_id "
        "WHERE problems.current_test_set_id = test_sets.id AND problem_versions.form = 'unittest' "
        "AND test_sets.proof IN ('proven', 'refuted') AND test_sets.lease_token IS NULL"
    )


def downgrade() -> None:
    """A proof made since holds for older versions too."""
