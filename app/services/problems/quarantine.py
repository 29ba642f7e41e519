"""Quarantine of problems: audits, waivers, withdrawals, and readers' reports."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.db.kernel import logs, revision
from app.db.kernel.session import Session
from app.db.problems import audits as store
from app.db.problems import disputes, texts
from app.db.problems import problems as problem_store
from app.db.runs.results import QUARANTINE_MARK, REJECTION_MARK
from app.db.tables import Dispute, DisputeState, Problem, ProblemVersion, Source, TestSet
from app.domain.errors import Conflict, InvalidInput, NotFound, RateLimited
from app.domain.imports import ImportedProgram
from app.domain.problems import Form, ProblemSpec
from app.domain.publishing.audits import Discrimination, discriminations
from app.domain.publishing.holds import Hold
from app.domain.reasons import Reason, reason_to_json
from app.domain.states import ProblemState
from app.domain.testgen.fresh_inputs import fresh_inputs
from app.services.problems import publishing

MAX_DISPUTE_CHARS = 4000
_MAX_OPEN_PER_PROBLEM, _MAX_NEW_PER_DAY = 10, 200


def audit(session: Session, now: datetime) -> int:
    """Quarantine problems that better models surely do worse on, with the evidence; return their number.

    The finding must hold without the rows of any one vendor: else a vendor could remove a problem that it fails with
    models that pass and fail as it pleases.
    """
    suspects: dict[int, tuple[str, Discrimination]] = {}
    for protocol, runs, problems, rates in store.pass_rates(session):
        suspected = _suspects(problems, rates)
        vendors = store.organisations_of_runs(session, runs) if suspected else {}
        for vendor in set(vendors.values()):
            without_vendor = _suspects(problems, rates[[vendors.get(run) != vendor for run in runs]])
            suspected = {
                problem_id: measure for problem_id, measure in suspected.items() if problem_id in without_vendor
            }
        for problem_id, measure in suspected.items():
            suspects.setdefault(problem_id, (protocol, measure))
    for problem_id, (protocol, measure) in sorted(suspects.items()):
        sizes = {"value": f"{measure.value:.2f}", "upper": f"{measure.upper:.2f}"}
        reason = Reason("hold.audit", cause=Reason("discrimination", sizes))
        evidence = {"protocol": protocol, "value": measure.value, "upper": measure.upper, "rows": measure.rows}
        quarantine(session, problem_store.lock_problem(session, problem_id), reason, {"discrimination": evidence}, now)
    return len(suspects)


def _suspects(problems: Sequence[int], rates: NDArray[np.float64]) -> dict[int, Discrimination]:
    """Return the problems (columns) that better rows surely do worse on, among those that any row answered."""
    answered = np.flatnonzero((~np.isnan(rates)).any(axis=0))
    measured = zip(answered.tolist(), discriminations(rates[:, answered]), strict=True)
    return {problems[at]: measure for at, measure in measured if measure is not None and measure.is_negative}


# Programs of one problem that are compared with one another, newest first.
_MAX_COMPARED = 6


@dataclass(frozen=True, slots=True)
class ProgramComparison:
    """A problem, accepted programs of it named by their samples, and inputs that no test has."""

    problem_id: int
    problem: ProblemSpec
    programs: tuple[ImportedProgram, ...]
    inputs: list[Any]


# Problems whose accepted programs are read in one statement: a thousand runs may have an answer to each.
_IDS_AT_ONCE = 50


def next_problem_ids(session: Session, first: int) -> range:
    """Return the ids of the next problems to look at together, from `first` on; empty if there are no more."""
    return store.next_ids(session, first, _IDS_AT_ONCE)


def next_comparison(session: Session, ids: range) -> ProgramComparison | None:
    """Return the first problem among these ids whose accepted programs were not compared yet, and mark it compared."""
    problem = store.lock_next_to_compare(session, ids)
    if problem is None or problem.current_version_id is None or problem.current_test_set_id is None:
        return None
    accepted = store.accepted_programs(session, problem.id)
    problem.audit_flags = {**problem.audit_flags, store.AGREED: len({sample.code for sample in accepted})}
    spec = problem_store.problem_spec(session, problem.current_test_set_id, problem.current_version_id)
    statement = session.get_one(ProblemVersion, problem.current_version_id).statement
    detail = session.get_one(TestSet, problem.current_test_set_id).proof_detail.get(publishing.SUITE_FACTS) or {}
    inputs = [test.input for test in spec.tests]
    return ProgramComparison(
        problem.id,
        spec,
        tuple(
            ImportedProgram(f"sample {sample.sample_id}", sample.language, sample.code)
            for sample in accepted[:_MAX_COMPARED]
        ),
        fresh_inputs(statement, spec.entry, inputs, detail.get("grammar"), seed=problem.id),
    )


def record_disagreement(
    session: Session,
    job: ProgramComparison,
    test_input: str,
    programs: Sequence[str],
    answers: Sequence[str],
    now: datetime,
) -> None:
    """Quarantine a problem because two accepted programs disagree.

    Its tests let a wrong program pass, or its text allows both answers.
    """
    reason = Reason("hold.disagree", cause=f"{programs[0]} and {programs[1]}")
    evidence = {"input": test_input, "programs": list(programs), "answers": list(answers)}
    problem = problem_store.lock_problem(session, job.problem_id)
    quarantine(session, problem, reason, {"disagreement": evidence}, now)


def quarantine(session: Session, problem: Problem, reason: Reason, evidence: Mapping[str, Any], now: datetime) -> None:
    """Take a published problem off every board, with the evidence against it; one that was cleared stays."""
    if problem.state != ProblemState.PUBLISHED or "audit" in problem.waived:
        return
    problem.audit_flags = {**problem.audit_flags, **evidence, QUARANTINE_MARK: reason_to_json(reason)}
    problem_store.move(session, problem, ProblemState.HELD, hold_reason=reason)
    publishing.announce(session, problem, now, "problem.quarantined", reason)
    revision.mark_axes_changed(session)


def find(session: Session, name: str) -> Problem:
    """Return the problem of a name such as atcoder/abc100_a, locked. Raises NotFound."""
    slug, _, external_id = name.partition("/")
    source = None if "\0" in name else problem_store.source_by_slug(session, slug)
    problem = problem_store.find(session, source.id, external_id) if source is not None else None
    if problem is None:
        raise NotFound(f"unknown problem {name}")
    return problem


def release(session: Session, problem: Problem, actor: str, reason: str, now: datetime) -> ProblemState:
    """Waive what holds a problem back, if a person may; return its new state, held if it needs more than that.

    Raises Conflict, naming what it needs, if no waiver helps.
    """
    before, waived = _state_record(problem), list(problem.waived)
    if problem.state != ProblemState.HELD:
        raise Conflict(f"{_problem_name(session, problem)} is not held")
    event = "problem.released" if QUARANTINE_MARK in problem.audit_flags else "problem.added"
    decision = publishing.decide(session, problem, now)
    while isinstance(decision, Hold) and decision.waiver is not None:
        problem.waived = [*problem.waived, decision.waiver]
        if decision.waiver == Form.INTERACTIVE:
            texts.mark_not_interactive(session, problem.id)
        decision = publishing.decide(session, problem, now)
    if isinstance(decision, Hold) and problem.waived == waived:
        raise Conflict(f"{_problem_name(session, problem)}: {decision.reason}: this hold cannot be waived")
    state = publishing.update_state(session, problem, now, announced=event)
    logs.write_audit(
        session, now, actor, "problem.release", _problem_name(session, problem), reason, before, _state_record(problem)
    )
    return state


def withdraw(session: Session, problem: Problem, actor: str, reason: str, now: datetime) -> None:
    """Withdraw a problem for good: a held one is rejected, a published one leaves a line in the ledger."""
    before = _state_record(problem)
    was_public = problem.state == ProblemState.PUBLISHED or QUARANTINE_MARK in problem.audit_flags
    if not was_public:
        problem.audit_flags = {**problem.audit_flags, REJECTION_MARK: True}
    problem_store.move(session, problem, ProblemState.WITHDRAWN)
    if was_public:
        publishing.announce(session, problem, now, "problem.withdrawn", reason)
        revision.mark_axes_changed(session)
    logs.write_audit(
        session, now, actor, "problem.withdraw", _problem_name(session, problem), reason, before, _state_record(problem)
    )


def add_dispute(session: Session, name: str, text: str, now: datetime) -> int:
    """Store a reader's report about a published problem; return its number.

    Raises NotFound, InvalidInput for a text too short or too long, RateLimited when there are many reports.
    """
    problem = find(session, name)
    body = " ".join(text.split()) if text.isprintable() else "\n".join(_printable(line) for line in text.splitlines())
    if not 10 <= len(body.strip()) <= MAX_DISPUTE_CHARS:
        raise InvalidInput(f"a report must have 10 to {MAX_DISPUTE_CHARS} characters", pointer="/text")
    public = problem.state == ProblemState.PUBLISHED or (
        problem.state == ProblemState.HELD and QUARANTINE_MARK in problem.audit_flags
    )
    if not public or problem.canary:
        raise NotFound("there is no such problem")
    if (
        disputes.open_count(session, problem.id) >= _MAX_OPEN_PER_PROBLEM
        or disputes.count_since(session, now) >= _MAX_NEW_PER_DAY
    ):
        raise RateLimited("too many reports are open; please try again tomorrow")
    return disputes.add(session, problem.id, body.strip(), now)


def answer_dispute(session: Session, number: int, actor: str, answer: str, now: datetime, *, upheld: bool) -> Dispute:
    """Answer a report in public, and return it. Raises NotFound, or Conflict when it was answered."""
    dispute = disputes.lock_dispute(session, number)
    if dispute is None:
        raise NotFound(f"there is no report {number}")
    if dispute.state != DisputeState.OPEN:
        raise Conflict(f"report {number} has already been answered")
    dispute.state = DisputeState.UPHELD if upheld else DisputeState.REJECTED
    dispute.answer, dispute.answered_at = answer, now
    logs.write_audit(session, now, actor, "dispute.answer", str(number), answer, "open", dispute.state)
    return dispute


def _printable(line: str) -> str:
    return "".join(letter for letter in line if letter.isprintable())


def _state_record(problem: Problem) -> dict[str, Any]:
    return {"state": problem.state, "hold_reason": problem.hold_reason, "waived": list(problem.waived)}


def _problem_name(session: Session, problem: Problem) -> str:
    return f"{session.get_one(Source, problem.source_id).slug}/{problem.external_id}"
