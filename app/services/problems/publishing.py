"""Publication: updating a problem's state whenever a fact about it changed."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from app.db.boards import cell_counts
from app.db.kernel import logs, revision
from app.db.kernel.leases import Lease, LeaseKind, new_lease
from app.db.kernel.session import Session
from app.db.problems import problems as store
from app.db.problems import proofs, texts
from app.db.rejudging import proposals
from app.db.runs import samples
from app.db.runs.consensus import consensuses
from app.db.runs.results import QUARANTINE_MARK
from app.db.runs.speeds import TIMES
from app.db.tables import Contest, Problem, ProblemVersion, ProgramKind, ProofState, Source, TestSet
from app.domain.imports import ImportedProgram
from app.domain.judging.multiple_answers import MULTIPLE_ANSWERS, values_may_differ
from app.domain.judging.speed import SLOWEST
from app.domain.problems import CheckerKind, Form, ProblemSpec, TestsOrigin
from app.domain.publishing.holds import (
    MAX_PROOF_ATTEMPTS,
    Hold,
    ProofOutcome,
    Publication,
    PublicationFacts,
    WaitDecision,
    admit,
    needs_image,
)
from app.domain.publishing.origins import Origin
from app.domain.publishing.tags import split_tags
from app.domain.reasons import Reason, reason_from_json, reason_to_json
from app.domain.rejudging.scope import RejudgingScope, ScopeKind
from app.domain.states import ConsensusState, ProblemState
from app.domain.unittests.reference import BESIDE_KEY, COVERAGE_KEY

FLAGGED = "flagged"  # its own pages took it off the boards, and may put it back
SUITE_FACTS = "made"  # facts of a suite from when it was made, stored beside its proof
_CALLED_FORMS = (Form.FUNCTION, Form.CLASS)
PROOF_PAUSE = timedelta(seconds=30)
_FINAL_STATES = {ProblemState.PUBLISHED, ProblemState.WITHDRAWN, ProblemState.CATALOGUED}


def decide(session: Session, problem: Problem, now: datetime) -> Publication | WaitDecision | Hold:
    """Decide if a problem may be published as it is now."""
    return admit(_dossier(session, problem, now), now)


def update_state(session: Session, problem: Problem, now: datetime, announced: str = "problem.added") -> ProblemState:
    """Publish the problem, hold it with its reason, or leave it waiting; return its state.

    `announced` is the kind of the ledger line for a publication.
    """
    state = ProblemState(problem.state)
    if state is ProblemState.PUBLISHED:
        _name_topics(problem)
    if state in _FINAL_STATES:
        return state
    decision = decide(session, problem, now)
    if isinstance(decision, Hold):
        _hold(session, problem, decision.reason)
    elif isinstance(decision, Publication):
        if state is ProblemState.FOUND:
            store.move(session, problem, ProblemState.CHECKED)
        if FLAGGED in problem.audit_flags:  # its pages withdrew what had taken it off the boards, or a maintainer did
            problem.audit_flags = {
                key: value for key, value in problem.audit_flags.items() if key not in (QUARANTINE_MARK, FLAGGED)
            }
            announced = "problem.released"
        store.move(session, problem, ProblemState.PUBLISHED)
        _name_topics(problem)
        announce(session, problem, now, announced, Reason("published"))
        revision.mark_axes_changed(session)
    elif state is ProblemState.HELD or (state is ProblemState.FOUND and decision.checked):
        store.move(session, problem, ProblemState.CHECKED)  # its hold is gone, or it lacks only its tests
    return ProblemState(problem.state)


def would_update_state(session: Session, problem: Problem, now: datetime) -> bool:
    """Return True if an update would change the state of a problem that is not published."""
    decision = decide(session, problem, now)
    if not isinstance(decision, WaitDecision) or problem.state == ProblemState.HELD:
        return True
    return decision.checked and problem.state == ProblemState.FOUND


def _hold(session: Session, problem: Problem, reason: str) -> None:
    if problem.state == ProblemState.HELD:
        problem.hold_reason = reason
    else:
        store.move(session, problem, ProblemState.HELD, hold_reason=reason)


def recheck_published(session: Session, problem: Problem, now: datetime) -> None:
    """Take a published problem off the boards if its changed flags or proof hold it back.

    It returns when its pages take the flags back, by a maintainer's waiver, or by a proof that succeeds.
    """
    if problem.state != ProblemState.PUBLISHED:
        return
    dossier = _dossier(session, problem, now)
    decision = admit(dossier, now)
    proof = None if dossier.proof is None else str(ProofState.PROVEN)
    without = admit(replace(dossier, flags=(), talks=False, needs_image=False, proof=proof), now)
    if isinstance(decision, Hold) and decision != without:
        mark = reason_to_json(decision.reason)
        problem.audit_flags = {**problem.audit_flags, FLAGGED: list(problem.flags), QUARANTINE_MARK: mark}
        store.move(session, problem, ProblemState.HELD, hold_reason=decision.reason)
        announce(session, problem, now, "problem.quarantined", decision.reason)
        revision.mark_axes_changed(session)


def _name_topics(problem: Problem) -> None:
    """Set a published problem's topics in our vocabulary; its tags stay the source's own."""
    topics = [topic.value for topic in split_tags(problem.tags or ()).topics]
    if problem.topics != topics:
        problem.topics = topics


def announce(
    session: Session,
    problem: Problem,
    now: datetime,
    kind: str,
    reason: str,
    before: int | None = None,
    after: int | None = None,
) -> None:
    """Add a public line about a problem; canaries, which guard the judge, have none."""
    if not problem.canary:
        source = session.get_one(Source, problem.source_id)
        logs.write_ledger(session, now, kind, f"{source.slug}/{problem.external_id}", reason, before, after)


def _dossier(session: Session, problem: Problem, now: datetime) -> PublicationFacts:
    version = session.get(ProblemVersion, problem.current_version_id) if problem.current_version_id else None
    test_set = session.get(TestSet, problem.current_test_set_id) if problem.current_test_set_id else None
    contest = session.get(Contest, problem.contest_id) if problem.contest_id else None
    consensus = consensuses.of_text(session, version.id) if version and test_set is None else None
    failed = consensus is not None and consensus.state == ConsensusState.HELD
    source = session.get_one(Source, problem.source_id)
    can_be_set = (
        version is not None
        and not failed
        and test_set is None
        and consensuses.allows_setters(problem, version)
        and consensuses.has_enough_vendors(session, demo=source.demo)
    )
    flags = [*problem.flags, *([version.form] if version and version.form == Form.INTERACTIVE else [])]
    if version is not None and can_be_set and _values_may_differ(problem, version):
        flags.append(MULTIPLE_ANSWERS)
    return PublicationFacts(
        released_on=problem.released_on,
        contest_ends_at=contest.ends_at if contest else None,
        has_statement=version is not None and bool(version.statement.strip()),
        public_samples=len(version.examples) if version else 0,
        flags=flags,
        # A form that comes from a package rather than a page is certain.
        talks=version is not None and version.form == Form.INTERACTIVE and version.origin != Origin.PAGE,
        proof=test_set.proof if test_set else None,
        proof_reason=_read_reason(test_set.proof_detail.get("reason")) if test_set else None,
        checker=CheckerKind(test_set.checker_kind) if test_set else None,
        has_interactor=test_set is not None and test_set.interactor is not None,
        has_entry=version is None or version.entry is not None or version.form not in _CALLED_FORMS,
        returns=version is not None and version.form in _CALLED_FORMS,
        proof_attempts=_ended_attempts(test_set, now) if test_set else 0,
        needs_image="image" in problem.flags and version is not None and needs_image(version.statement),
        unknown_limits=_unknown_limits(version) if version and source.states_limits else (),
        being_set=can_be_set and source.send_statements,
        unsent=can_be_set and not source.send_statements,
        set_reason=consensus.reason if consensus is not None and failed else None,
        audit=None if FLAGGED in problem.audit_flags else _stored_audit(problem),
        waived=problem.waived,
        margin=source.margin,
    )


def _stored_audit(problem: Problem) -> str | None:
    return _read_reason(problem.audit_flags.get(QUARANTINE_MARK))


def _read_reason(stored: Any) -> str | None:
    return None if stored is None else reason_from_json(stored)


def _values_may_differ(problem: Problem, version: ProblemVersion) -> bool:
    entry = texts.read_entry(version.entry)
    return entry is not None and values_may_differ(problem.flags, version.statement, entry.returns)


def _unknown_limits(version: ProblemVersion) -> list[str]:
    limits = {"time": version.time_ms, "memory": version.memory_mb}
    return [name for name, value in limits.items() if value is None]


def _ended_attempts(test_set: TestSet, now: datetime) -> int:
    """Return the number of proof attempts that have ended; an attempt whose lease ran out ended its worker."""
    under_way = test_set.lease_token is not None and test_set.lease_until is not None and test_set.lease_until > now
    return test_set.attempts - under_way


def use_texts(session: Session, problem: Problem, reason: str, now: datetime) -> None:
    """Put in use the best texts among those seen; answers to a replaced text no longer count.

    If a source returns to an earlier text, the answers to it count again.
    """
    session.flush()
    change = texts.put_in_use(session, problem.id)
    has_text = problem.current_version_id is not None
    if not change.begun:
        return
    problem.current_version_id = texts.main_version(session, problem.id)
    if has_text:
        revision.mark_axes_changed(session)
    if change.replaced:
        if problem.current_test_set_id is not None:
            samples.judge_again(session, problem.id, problem.current_test_set_id)
        cell_counts.mark_problem(session, problem.id)
        if problem.state == ProblemState.PUBLISHED:
            announce(session, problem, now, "problem.corrected", reason)
    session.flush()


def offer_test_set(session: Session, problem: Problem, test_set_id: int, reason: str, now: datetime) -> None:
    """Use a new test set if allowed: a published problem keeps its tests until better ones are proven."""
    current = session.get(TestSet, problem.current_test_set_id) if problem.current_test_set_id else None
    offered = session.get_one(TestSet, test_set_id)
    good = {ProofState.PROVEN, ProofState.SHIPPED}
    # A site's own tests need no proof by a program to replace tests that are not its own.
    its_own = offered.origin == TestsOrigin.OFFICIAL and (current is None or current.origin != TestsOrigin.OFFICIAL)
    equal = offered.proof == ProofState.UNPROVEN and (current is None or current.proof not in good or its_own)
    if problem.state != ProblemState.PUBLISHED or offered.proof in good or equal:
        use_test_set(session, problem, test_set_id, reason, now)


def use_test_set(session: Session, problem: Problem, test_set_id: int, reason: str, now: datetime) -> None:
    """Make a test set the current one, or propose that if a board counts verdicts of the present tests."""
    if problem.current_test_set_id == test_set_id:
        return
    if problem.state == ProblemState.PUBLISHED and proposals.counts_in_public(session, problem.id):
        _propose_tests(session, problem, test_set_id, reason, now)
    else:
        switch_tests(session, problem, test_set_id, reason, now)


def _propose_tests(session: Session, problem: Problem, test_set_id: int, reason: str, now: datetime) -> None:
    """Propose to judge the problem's stored answers by other tests and then use these, unless that is open already."""
    if proposals.is_open_for(session, test_set_id):
        return
    source = session.get_one(Source, problem.source_id)
    scope = RejudgingScope(ScopeKind.PROBLEM, f"{source.slug}/{problem.external_id}", test_set_id)
    words = Reason("other_tests", {"what": session.get_one(TestSet, test_set_id).origin}, reason)
    rejudging = proposals.add(session, scope, words, "system", now)
    logs.write_audit(session, now, "system", "rejudging.propose", str(rejudging.id), words, after=str(scope))


def switch_tests(session: Session, problem: Problem, test_set_id: int, reason: str, now: datetime) -> None:
    """Make another test set the current one; answers it has not judged are judged by it."""
    old = problem.current_test_set_id
    problem.current_test_set_id = test_set_id
    session.flush()
    if old is not None:
        before, after = session.get_one(TestSet, old), session.get_one(TestSet, test_set_id)
        if (before.origin, before.vendors) != (after.origin, after.vendors):
            revision.mark_axes_changed(session)
        announce(session, problem, now, "problem.retested", reason, before=old, after=test_set_id)
        samples.judge_again(session, problem.id, test_set_id)
        cell_counts.mark_problem(session, problem.id)


def add_programs(
    session: Session, problem: Problem, programs: Iterable[ImportedProgram], origin: str, *, secret: bool = False
) -> bool:
    """Store the programs that are to prove a problem's tests; a known one stays as it is. Return True if any is new.

    `secret` ones are neither shown nor sent.
    """
    return store.add_programs(
        session,
        problem.id,
        (
            {
                "kind": ProgramKind.REFERENCE if program.reference else ProgramKind.WRONG,
                "name": program.name,
                "language": program.language,
                "code": program.code,
                "code_sha256": store.sha256_of(program.code),
                "origin": origin,
                "secret": secret,
            }
            for program in programs
        ),
    )


def add_validator(session: Session, problem: Problem, validator: ImportedProgram, origin: str) -> None:
    """Store the program that accepts a problem's legal inputs; a known one stays as it is."""
    values = {
        "kind": ProgramKind.VALIDATOR, "name": validator.name, "language": validator.language,
        "code": validator.code, "code_sha256": store.sha256_of(validator.code), "origin": origin, "secret": True,
    }  # fmt: skip
    store.add_programs(session, problem.id, [values])


@dataclass(frozen=True, slots=True)
class ProofJob:
    """A test set and the programs to try on it."""

    test_set_id: int
    lease: Lease
    problem: ProblemSpec
    programs: tuple[ImportedProgram, ...]


def _job(session: Session, problem: Problem, test_set_id: int, lease: Lease) -> ProofJob | None:
    if problem.current_version_id is None:
        return None
    by_models = session.get_one(TestSet, test_set_id).origin == TestsOrigin.CONSENSUS
    return ProofJob(
        test_set_id,
        lease,
        store.problem_spec(session, test_set_id, problem.current_version_id),
        tuple(
            ImportedProgram(
                program.name, program.language, program.code, reference=program.kind == ProgramKind.REFERENCE
            )
            for program in store.programs(session, problem.id)
            # Models' programs prove no tests from a surer origin: these judge the models.
            if by_models or program.origin != TestsOrigin.CONSENSUS
        ),
    )


def claim_proof(session: Session, now: datetime, duration: timedelta) -> ProofJob | None:
    """Lease the next test set that waits for its proof."""
    lease = new_lease(now, duration, LeaseKind.TEST_SETS)
    test_set = proofs.claim(session, lease, now, MAX_PROOF_ATTEMPTS)
    if test_set is None:
        return None
    return _job(session, session.get_one(Problem, test_set.problem_id), test_set.id, lease)


def prove_all_again(session: Session, form: Form) -> int:
    """Queue new proofs for the tests of this form, because judges have other packages; return their number.

    Published problems stay so until their proof fails.
    """
    return proofs.prove_all_again(session, form)


def canary_jobs(session: Session, now: datetime) -> list[ProofJob]:
    """Return the canaries, which no program can pass, with programs that try."""
    return [
        job
        for problem in store.canaries(session)
        if problem.current_test_set_id is not None
        and (job := _job(session, problem, problem.current_test_set_id, new_lease(now, timedelta(0)))) is not None
    ]


def record_proof(session: Session, job: ProofJob, outcome: ProofOutcome, now: datetime) -> bool:
    """Store a proof's outcome if the lease still holds, then update the problem's state."""
    test_set = session.get(TestSet, job.test_set_id, with_for_update=True, populate_existing=True)
    if test_set is None or test_set.lease_token != job.lease.token:
        return False
    if not outcome.ours:
        stands = ProofState.PROVEN if outcome.references else ProofState.UNPROVEN
        test_set.proof = stands if outcome.proven else ProofState.REFUTED
    detail = {name: value for name, value in test_set.proof_detail.items() if name == SUITE_FACTS}
    test_set.proof_detail = {
        **detail,
        "reason": None if outcome.reason is None else reason_to_json(outcome.reason),
        "references": outcome.references,
        "wrong": outcome.wrong,
        "at": now.isoformat(),
        TIMES: {language: time._asdict() for language, time in outcome.times.items()},
        **({BESIDE_KEY: dict(outcome.beside)} if outcome.beside else {}),
        **({SLOWEST: outcome.slowest_ms} if outcome.slowest_ms is not None else {}),
        **({COVERAGE_KEY: outcome.covered._asdict()} if outcome.covered is not None else {}),
    }
    # After a failure of the judge the proof waits a little: the machine's fault may pass.
    test_set.lease_token, test_set.lease_until = None, now + PROOF_PAUSE if outcome.ours else None
    session.flush()
    problem = store.lock_problem(session, test_set.problem_id)
    newer = problem.current_test_set_id is None or test_set.id > problem.current_test_set_id
    if outcome.proven and newer:
        offer_test_set(session, problem, test_set.id, Reason("proven"), now)
    if test_set.proof == ProofState.REFUTED and problem.current_test_set_id == test_set.id:
        recheck_published(session, problem, now)
    update_state(session, problem, now)
    return True
