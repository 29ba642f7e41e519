"""Answers that were judged by tests models agreed on, and by better ones of the same problem."""

from typing import NamedTuple

from sqlalchemy import case, func, select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.orm import aliased

from app.db.kernel.session import Session
from app.db.tables import Run, Sample, TestSet, VerdictRow
from app.domain.judging.verdicts import Verdict
from app.domain.problems import TestsOrigin

BETTER = (TestsOrigin.OFFICIAL, TestsOrigin.PACKAGE)  # the surest first


class Compared(NamedTuple):
    """The answers to a problem that both kinds of tests judged, and how many verdicts say the same; of the others, how
    many only the consensus accepts, and how many only it rejects."""

    problem: int
    answers: int
    agreed: int
    wrongly_accepted: int
    wrongly_rejected: int


def compared(session: Session) -> list[Compared]:
    """By problem, each answer of public runs once: its newest verdict under a consensus beside the newest under the
    surest of the other origins. Where either is a judge's error, the answer is left out."""
    better = aliased(TestSet)
    both = select(TestSet.problem_id).where(TestSet.origin == TestsOrigin.CONSENSUS).where(
        select(better.id).where(better.problem_id == TestSet.problem_id, better.origin.in_(BETTER)).exists()
    )  # fmt: skip
    newest = (
        select(VerdictRow.sample_id, Sample.problem_id, TestSet.origin, VerdictRow.verdict)
        .join(TestSet, TestSet.id == VerdictRow.test_set_id)
        .join(Sample, Sample.id == VerdictRow.sample_id)
        .join(Run, Run.id == Sample.run_id)
        .where(Run.public, Sample.problem_id.in_(both), TestSet.origin.in_([TestsOrigin.CONSENSUS, *BETTER]))
        .ext(distinct_on(VerdictRow.sample_id, TestSet.origin))
        .order_by(VerdictRow.sample_id, TestSet.origin, VerdictRow.judged_at.desc(), VerdictRow.id.desc())
        .cte("newest")
    )
    ours, others = newest.alias("ours"), newest.alias("others")
    place = case({origin.value: rank for rank, origin in enumerate(BETTER)}, value=others.c.origin)
    pairs = (
        select(ours.c.problem_id, ours.c.verdict.label("ours"), others.c.verdict.label("theirs"))
        .join(others, others.c.sample_id == ours.c.sample_id)
        .where(ours.c.origin == TestsOrigin.CONSENSUS, others.c.origin.in_(BETTER))
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
    return [Compared(*row) for row in rows]
