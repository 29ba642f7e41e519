"""Agreement of verdicts under consensus tests and under better tests of the same problem."""

from typing import NamedTuple

from sqlalchemy import case, func, select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.orm import aliased

from app.db.kernel.session import Session
from app.db.tables import Run, Sample, TestSet, VerdictRow
from app.domain.judging.verdicts import Verdict
from app.domain.problems import TestsOrigin

BETTER_ORIGINS = (TestsOrigin.OFFICIAL, TestsOrigin.PACKAGE)  # the surest first


class VerdictAgreement(NamedTuple):
    """Agreement on one problem's answers that both kinds of tests judged.

    Of the verdicts that differ, `wrongly_accepted` counts answers that only the consensus accepts, `wrongly_rejected`
    those that it alone rejects.
    """

    problem: int
    answers: int
    agreed: int
    wrongly_accepted: int
    wrongly_rejected: int


def compare_verdicts(session: Session) -> list[VerdictAgreement]:
    """Return the agreement by problem, over all answers of public runs.

    Each answer counts once, with its newest verdict under a consensus and the newest under the surest other origin. It
    is left out if either verdict is a judge error.
    """
    better = aliased(TestSet)
    problem_ids = select(TestSet.problem_id).where(TestSet.origin == TestsOrigin.CONSENSUS).where(
        select(better.id).where(better.problem_id == TestSet.problem_id, better.origin.in_(BETTER_ORIGINS)).exists()
    )  # fmt: skip
    newest = (
        select(VerdictRow.sample_id, Sample.problem_id, TestSet.origin, VerdictRow.verdict)
        .join(TestSet, TestSet.id == VerdictRow.test_set_id)
        .join(Sample, Sample.id == VerdictRow.sample_id)
        .join(Run, Run.id == Sample.run_id)
        .where(
            Run.public, Sample.problem_id.in_(problem_ids), TestSet.origin.in_([TestsOrigin.CONSENSUS, *BETTER_ORIGINS])
        )
        .ext(distinct_on(VerdictRow.sample_id, TestSet.origin))
        .order_by(VerdictRow.sample_id, TestSet.origin, VerdictRow.judged_at.desc(), VerdictRow.id.desc())
        .cte("newest")
    )
    ours, others = newest.alias("ours"), newest.alias("others")
    place = case({origin.value: rank for rank, origin in enumerate(BETTER_ORIGINS)}, value=others.c.origin)
    pairs = (
        select(ours.c.problem_id, ours.c.verdict.label("ours"), others.c.verdict.label("theirs"))
        .join(others, others.c.sample_id == ours.c.sample_id)
        .where(ours.c.origin == TestsOrigin.CONSENSUS, others.c.origin.in_(BETTER_ORIGINS))
        .ext(distinct_on(ours.c.sample_id))
        .order_by(ours.c.sample_id, place)
        .subquery()
    )
    accepted, right = (column == Verdict.ACCEPTED for column in (pairs.c.ours, pairs.c.theirs))
    rows = session.execute(
        select(
            pairs.c.problem_id,
            func.count(),
            func.count().filter(accepted == right),
            func.count().filter(accepted, ~right),
            func.count().filter(~accepted, right),
        )
        .where(pairs.c.ours != Verdict.JUDGE_ERROR, pairs.c.theirs != Verdict.JUDGE_ERROR)
        .group_by(pairs.c.problem_id)
        .order_by(pairs.c.problem_id)
    )
    return [VerdictAgreement(*row) for row in rows]
