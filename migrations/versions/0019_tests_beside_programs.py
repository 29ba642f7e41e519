"""Which unittests run beside a program is decided when they are proven, and their verdicts count."""

from alembic import op

revision: str = "0019"
down_revision: str | None = "0018"

# Their references are run again: what they decide was not written down before.
_PROVE_AGAIN = """
UPDATE test_sets SET proof = 'waiting', attempts = 0
WHERE proof = 'proven'
  AND EXISTS (SELECT 1 FROM problem_versions v WHERE v.problem_id = test_sets.problem_id AND v.form = 'unittest')
"""
# A program could choose to be judged so, and these verdicts were in no score: the answers are judged anew.
_JUDGE_AGAIN = """
UPDATE samples SET state = 'answered', grading_attempts = 0, not_before = NULL
WHERE state = 'graded'
  AND EXISTS (SELECT 1 FROM verdicts v WHERE v.sample_id = samples.id AND v.in_process AND v.counts)
"""
_MARK = """
INSERT INTO dirty_cells (run_id, problem_id, item)
SELECT DISTINCT s.run_id, s.problem_id, s.item FROM samples s JOIN verdicts v ON v.sample_id = s.id
WHERE v.in_process AND v.counts
"""
_NO_MORE = "UPDATE verdicts SET counts = false WHERE in_process AND counts"


def upgrade() -> None:
    """Answers to such problems wait until their tests are proven."""
    for statement in (_PROVE_AGAIN, _JUDGE_AGAIN, _MARK, _NO_MORE):
        op.execute(statement)


def downgrade() -> None:
    """What is proven and judged again by then stays."""
