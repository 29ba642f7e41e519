"""Consensus jobs: setters' answers to a problem, leased to be run in the sandbox, and the suite or reason they give."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from app.db.kernel.leases import Lease, LeaseKind, new_lease
from app.db.kernel.session import Session
from app.db.problems import problems as problem_store
from app.db.problems import texts
from app.db.runs.consensus import additions as addition_store
from app.db.runs.consensus import consensuses as store
from app.db.runs.consensus import rounds as round_store
from app.db.tables import ConsensusRow, Problem, ProblemVersion
from app.domain.consensus.additions import as_answers, as_wrong_programs
from app.domain.consensus.answers import AnswerId, SetterAnswer, SetterRole
from app.domain.consensus.limits import CONSENSUS_LIMITS, ConsensusLimits
from app.domain.consensus.prompts import setter_tasks
from app.domain.consensus.result import ConsensusResult, ProvingProgram
from app.domain.consensus.vendors import OPERATOR
from app.domain.imports import ImportedProgram
from app.domain.judging.multiple_answers import MULTIPLE_ANSWERS, values_may_differ
from app.domain.problems import Form, ProblemSpec, Statement, Test
from app.domain.reasons import Reason, cut_reason, text_reason
from app.domain.states import ConsensusState
from app.domain.testgen.grammars.grammar import Grammar
from app.domain.testgen.statements.statement import grammar_of
from app.services.problems import publishing, testgen
from app.services.runs.consensus import rounds
from app.services.runs.consensus.consensus_budget import count_judging, reserve_judging

_CHECKER_FLAGS = {MULTIPLE_ANSWERS, "float_tolerance"}  # flags of problems that need a checker of their own
_MAX_REASON_CHARS = 400
_MAX_ATTEMPTS = 2  # that a busy machine may spoil before the problem is held


@dataclass(frozen=True, slots=True)
class ConsensusJob:
    """A problem, whose tests are its samples, and its setters' answers.

    `has_checker`: outputs are compared by a built-in checker. `samples` maps each answer of a setter to its sample.
    `wrong` are programs that a person knows to be wrong, `earlier` solutions that went back and that their setters have
    replaced.
    """

    setting_id: int
    lease: Lease
    problem: ProblemSpec
    answers: tuple[SetterAnswer, ...]
    samples: Mapping[AnswerId, int]
    has_checker: bool
    most_s: float  # seconds of judging
    wrong: tuple[ProvingProgram, ...] = ()
    earlier: tuple[SetterAnswer, ...] = ()
    constraints: Grammar | None = None  # as read from the statement

    @property
    def helped(self) -> bool:
        """True if a person added to it."""
        return bool(self.wrong) or any(answer.answer_id.vendor == OPERATOR for answer in self.answers)


def claim(
    session: Session,
    now: datetime,
    duration: timedelta,
    most_s: float = 600.0,
    bounds: ConsensusLimits = CONSENSUS_LIMITS,
) -> ConsensusJob | None:
    """Lease the next problem whose setters have answered, with seconds of judging; None when there is none.

    Problems that ended their worker each time, and those whose setters did not answer when asked again, are held on the
    way.
    """
    while True:
        lease = new_lease(now, duration, LeaseKind.CONSENSUSES)
        consensus = store.claim(session, lease, now)
        if consensus is None:
            return None
        problem = problem_store.lock_problem(session, consensus.problem_id)
        if consensus.attempts > store.MAX_CONSENSUS_ATTEMPTS:
            _hold(session, consensus, problem, Reason("build_ended_worker"), {}, now)
        elif consensus.round and not _has_something_new(session, consensus):
            _hold(session, consensus, problem, rounds.last_reason(consensus), consensus.evidence, now)
        else:
            seconds = reserve_judging(session, consensus, bounds, most_s, now)
            if isinstance(seconds, float):
                return _job(session, consensus, problem, lease, seconds)
            if seconds is None:
                consensus.attempts -= 1
                store.release(session, consensus, consensus.evidence)
                return None
            _hold(session, consensus, problem, seconds, consensus.evidence, now)


def _has_something_new(session: Session, consensus: ConsensusRow) -> bool:
    """Return whether a setter has answered in the last round, or a person has added something."""
    if round_store.has_new_answer(session, consensus):
        return True
    return bool(addition_store.of_text(session, consensus.problem_version_id))


def is_fresh_waiting(session: Session, now: datetime) -> bool:
    """Return whether a fresh problem's suite should be built before other work: one is, at a time."""
    return store.is_fresh_waiting(session, now)


def _job(session: Session, consensus: ConsensusRow, problem: Problem, lease: Lease, most_s: float) -> ConsensusJob:
    version = session.get_one(ProblemVersion, consensus.problem_version_id)
    statement = texts.statement(session, version.id)
    roles = setter_tasks(statement.form)
    by_answer_id = {
        AnswerId(answer.vendor, answer.setter, *roles[answer.item]): answer
        for answer in store.setter_responses(session, version.id)
        if answer.item < len(roles)
    }
    last = {answer.sample for answer in by_answer_id.values()}
    earlier = tuple(
        SetterAnswer(AnswerId(old.vendor, old.setter, *roles[old.item]), old.text)
        for old in store.returned_answers(session, consensus)
        if old.sample not in last and old.item < len(roles) and roles[old.item][0] is SetterRole.SOLUTION
    )
    additions = addition_store.of_text(session, version.id)
    samples = _samples(statement)
    spec = ProblemSpec(
        str(problem.id), Form(version.form), samples, statement.limits,
        entry=statement.entry,
    )  # fmt: skip
    answers = (
        *(SetterAnswer(answer_id, answer.text) for answer_id, answer in by_answer_id.items()),
        *as_answers(additions),
    )
    return ConsensusJob(
        consensus.id, lease, spec, answers, {answer_id: answer.sample for answer_id, answer in by_answer_id.items()},
        _is_compared(problem, statement.text, spec), most_s, as_wrong_programs(additions), earlier,
        grammar_of(statement.text, spec.entry, [test.input for test in samples]),
    )  # fmt: skip


def _samples(statement: Statement) -> tuple[Test, ...]:
    """Return the examples that programs must answer. An interactive statement shows dialogues, not an interactor's
    input."""
    if statement.form is Form.FUNCTION:
        return tuple(call for example in statement.examples if (call := example.as_call()) is not None)
    return () if statement.form is Form.INTERACTIVE else statement.examples


def _is_compared(problem: Problem, statement: str, spec: ProblemSpec) -> bool:
    """Return True if outputs are compared as words, or returned values by their types, fractions within a tolerance.

    A maintainer may have decided that one value is right, whatever the statement seems to say.
    """
    if spec.entry is None:
        return not _CHECKER_FLAGS & set(problem.flags)
    return MULTIPLE_ANSWERS in problem.waived or not values_may_differ(problem.flags, statement, spec.entry.returns)


def record(session: Session, job: ConsensusJob, result: ConsensusResult, now: datetime) -> bool:
    """Store the suite, send answers back, or hold the problem with the reason, if the lease still holds.

    A job that found no suite by a passing fault of ours runs once more: on a busy machine seconds may have run out, or
    a language did not work. The workers prove the suite like any other before the problem is published.
    """
    consensus = store.lock_leased(session, job.setting_id, job.lease.token)
    if consensus is None:
        return False
    problem = problem_store.lock_problem(session, consensus.problem_id)
    count_judging(consensus, result.judge_s)
    if result.reason is not None:
        if result.passing and consensus.attempts < _MAX_ATTEMPTS:
            store.release(session, consensus, result.evidence)
            return True
        # A person's addition is never sent, so a failure because of it is for that person to review.
        if not job.helped and rounds.begin_round(session, consensus, result, job.samples, result.reason, now):
            store.release(session, consensus, result.evidence)
        else:
            _hold(session, consensus, problem, result.reason, result.evidence, now)
        return True
    source, name = problem_store.names_of(session, {problem.id})[problem.id]
    programs = [
        ImportedProgram(program.name, program.language, program.code, reference=program.right)
        for program in (*result.programs, *job.wrong)
    ]
    setters = {setter["setter"]: setter["vendor"] for setter in result.facts["setters"]}
    stored = testgen.store_suite(session, f"{source}/{name}", result.problem, programs, result.facts, now, setters)
    store.end(
        session, consensus, ConsensusState.STORED, now, test_set_id=stored.test_set_id, evidence=dict(result.evidence)
    )
    return True


def _hold(
    session: Session, consensus: ConsensusRow, problem: Problem, cause: str | None, evidence: Mapping[str, Any],
    now: datetime,
) -> None:  # fmt: skip
    reason = text_reason(cut_reason(cause or "", _MAX_REASON_CHARS))
    if consensus.round > 1:
        reason = Reason("asked_again_times", {"n": consensus.round}, reason)
    elif consensus.round:
        reason = Reason("asked_again", cause=reason)
    store.end(session, consensus, ConsensusState.HELD, now, reason=reason, evidence=dict(evidence))
    publishing.update_state(session, problem, now)
