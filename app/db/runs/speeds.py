"""What accepted answers took, beside what the fastest reference program took where the tests were proven."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import func, select

from app.db.kernel.session import Session
from app.db.tables import Problem, ProblemVersion, Proof, Sample, TestSet, VerdictRow
from app.domain.judging.verdicts import Verdict
from app.domain.states import ProblemState

TIMES: Final = "times"  # in a proof's detail, by language: `app.domain.judging.speed.Timed`


class SpeedFact(NamedTuple):
    """CPU milliseconds on each problem that both sides are known for: the reference's, the median accepted answer's."""

    run: int
    reference: Sequence[float]
    own: Sequence[float]


def speeds(session: Session, run_ids: Sequence[int], language: str) -> list[SpeedFact]:
    """Of each run, the published problems it solved with the tests, the judge and the limits of the reference's proof.

    Only what counts into cells counts here: the text in use, the current tests, no verdict a program could forge.
    """
    timed = TestSet.proof_detail[(TIMES, language)]
    reference = timed["cpu_ms"].as_float()
    solved = (
        select(
            Sample.run_id,
            reference.label("reference"),
            func.percentile_cont(0.5).within_group(VerdictRow.cpu_ms).label("own"),
        )
        .join(Problem, Problem.id == Sample.problem_id)
        .join(TestSet, TestSet.id == Problem.current_test_set_id)
        .join(VerdictRow, (VerdictRow.sample_id == Sample.id) & (VerdictRow.test_set_id == TestSet.id))
        .join(ProblemVersion, ProblemVersion.id == Sample.problem_version_id)
        .where(
            Sample.run_id.in_(run_ids),
            Problem.state == ProblemState.PUBLISHED,
            Problem.canary.is_(False),
            TestSet.proof == Proof.PROVEN,
            reference > 0,
            timed["grader_revision"].as_string() == VerdictRow.grader_revision,
            timed["limit_mode"].as_string() == VerdictRow.limit_mode,
            VerdictRow.counts,
            VerdictRow.verdict == Verdict.ACCEPTED,
            VerdictRow.in_process.is_(False),
            ProblemVersion.in_use,
        )
        .group_by(Sample.run_id, Sample.problem_id, TestSet.id)
        .subquery()
    )
    rows = session.execute(
        select(solved.c.run_id, func.array_agg(solved.c.reference), func.array_agg(solved.c.own)).group_by(
            solved.c.run_id
        )
    )
    return [SpeedFact(*row) for row in rows]
