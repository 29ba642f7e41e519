"""Grading: which answers to judge by which tests, and storing the verdicts."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.db.kernel.leases import Lease, LeaseKind, new_lease
from app.db.kernel.session import Session
from app.db.problems import problems as problem_store
from app.db.runs import runs as run_store
from app.db.runs import samples, verdicts
from app.db.tables import Problem, ProtocolRow, Run
from app.domain.asking.completions import FailureOwner
from app.domain.judging.grading_order import GradingOrder
from app.domain.judging.hacks import HackRun
from app.domain.judging.non_program_answers import AnswerRun, Truth, judge_answer
from app.domain.judging.verdicts import GradeResult, Verdict
from app.domain.problems import ProblemSpec
from app.domain.reasons import cut_reason
from app.domain.states import MAX_GRADING_ATTEMPTS, SampleState
from app.services.runs import grader_revisions, items

# After a failure of the judge an answer waits, longer each time: the machine's fault may pass.
JUDGE_ERROR_PAUSE = timedelta(seconds=30)
_PAUSE_FACTOR = 20


@dataclass(frozen=True, slots=True)
class GradingJob:
    """One leased answer and what to judge it by; `rejudging_id` is set if it is judged again."""

    sample_id: int
    lease: Lease
    test_set_id: int
    version_id: int
    answer: str | None
    language: str
    time_factor: float
    attempts: int
    rejudging_id: int | None = None
    truth: Truth | None = None  # decides an answer that is not a program
    calibrated: bool = True  # True if the problem's preamble stands before the program

    def decide(self, problem: Callable[[], ProblemSpec]) -> GradeResult | AnswerRun | HackRun:
        """Return the verdict if nothing has to be run for it, else what to run.

        `problem` is called only if tests decide.
        """
        if self.truth is not None:
            return judge_answer(self.answer, self.truth)
        spec = problem()
        return AnswerRun(spec if self.calibrated else spec.without_preamble(), self.answer, self.language)


def claim(
    session: Session,
    now: datetime,
    duration: timedelta,
    languages: Collection[str],
    turn: GradingOrder = GradingOrder.PLANNED,
) -> GradingJob | None:
    """Lease the next answer in one of the languages, or None. One at a time: how long a judging takes is not known.

    `turn` chooses among them. A program in a language that no judge here offers stays queued.
    """
    lease = new_lease(now, duration, LeaseKind.SAMPLES)
    claimed = samples.claim_for_grading(session, lease, now, items.gradable_answers(languages), turn=turn)
    if not claimed:
        return None
    [sample] = claimed
    run = session.get_one(Run, sample.run_id)
    protocol = run_store.read_protocol(session.get_one(ProtocolRow, run.protocol_id).body)
    test_set_id = session.get_one(Problem, sample.problem_id).current_test_set_id
    assert test_set_id is not None  # claimed only if there is one
    desk = items.PromptBuilder(session)
    return GradingJob(
        sample_id=sample.id,
        lease=lease,
        test_set_id=test_set_id,
        version_id=sample.problem_version_id,
        answer=sample.answer,
        language=desk.language(protocol, sample),
        time_factor=protocol.time_factor,
        attempts=sample.attempts,
        truth=desk.truth(protocol, sample.id),
        calibrated=protocol.calibrated,
    )


def spec(session: Session, job: GradingJob) -> ProblemSpec:
    """Return the problem as the judge needs it."""
    return problem_store.problem_spec(session, job.test_set_id, job.version_id)


def record(session: Session, job: GradingJob, result: GradeResult, now: datetime) -> bool:
    """Store a verdict; False when the lease no longer holds. A judge error is no verdict: it is tried again."""
    if result.verdict is Verdict.JUDGE_ERROR:
        spent = job.attempts >= MAX_GRADING_ATTEMPTS
        return samples.record(
            session,
            job.sample_id,
            job.lease.token,
            SampleState.GRADING,
            SampleState.STUCK if spent else SampleState.ANSWERED,
            {
                "error": cut_reason(result.message, 2000),
                "error_owner": FailureOwner.US,
                "not_before": None if spent else now + JUDGE_ERROR_PAUSE * _PAUSE_FACTOR ** (job.attempts - 1),
            },
        )
    # New tests may have come during judging; then the answer is judged again.
    current = problem_store.lock_tests(session, job.version_id) == job.test_set_id
    moved = samples.record(
        session,
        job.sample_id,
        job.lease.token,
        SampleState.GRADING,
        SampleState.GRADED if current else SampleState.ANSWERED,
        {**samples.VERDICT_VALUES, **({} if current else {"grading_attempts": 0})},
    )
    if moved:
        verdicts.add(session, job.sample_id, job.test_set_id, result, now)
        grader_revisions.note_revision(session, result.grader_revision, now)
    return moved
