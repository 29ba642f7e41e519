"""Consensus jobs: setters' answers to a problem, leased to be run in the sandbox, and the suite or reason they give."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from app.db.kernel.leases import Lease, Leased, new_lease
from app.db.kernel.session import Session
from app.db.problems import problems as problem_store
from app.db.problems import texts
from app.db.runs.setting import given as given_store
from app.db.runs.setting import rounds as round_store
from app.db.runs.setting import settings as store
from app.db.tables import Problem, ProblemVersion, Setting
from app.domain.imports import ImportedProgram
from app.domain.judging.several import MULTIPLE_ANSWERS, values_may_differ
from app.domain.problems import Form, ProblemSpec
from app.domain.setting.answers import Answer, Piece, Role
from app.domain.setting.bounds import BOUNDS, Bounds
from app.domain.setting.given import as_answers, as_wrong
from app.domain.setting.made import Made, Proving
from app.domain.setting.prompts import owed
from app.domain.setting.vendors import OPERATOR
from app.domain.states import SettingState
from app.domain.testgen.grammars.grammar import Grammar
from app.domain.testgen.statements.statement import grammar_of
from app.services.problems import publish, testgen
from app.services.runs.setting import rounds
from app.services.runs.setting.bounds import judged, judging

_CHECKER_FLAGS = {MULTIPLE_ANSWERS, "float_tolerance"}  # flags of problems that need a checker of their own
_MAX_REASON_CHARS = 400
_MAX_ATTEMPTS = 2  # that a busy machine may spoil before the problem is held


@dataclass(frozen=True, slots=True)
class PlayJob:
    """A problem, whose tests are its samples, and its setters' answers.

    `has_checker`: outputs are compared by a built-in checker. `samples` maps each answer of a setter to its sample.
    `wrong` are programs that a person knows to be wrong, `earlier` solutions that went back and that their setters have
    replaced.
    """

    setting_id: int
    lease: Lease
    problem: ProblemSpec
    answers: tuple[Answer, ...]
    samples: Mapping[Piece, int]
    has_checker: bool
    most_s: float  # seconds of judging
    wrong: tuple[Proving, ...] = ()
    earlier: tuple[Answer, ...] = ()
    constraints: Grammar | None = None  # as read from the statement

    @property
    def helped(self) -> bool:
        """True if a person added to it."""
        return bool(self.wrong) or any(answer.piece.vendor == OPERATOR for answer in self.answers)


def claim(
    session: Session, now: datetime, duration: timedelta, most_s: float = 600.0, bounds: Bounds = BOUNDS
) -> PlayJob | None:
    """Lease the next problem whose setters have answered, with seconds of judging; None when there is none.

    Problems that ended their worker each time, and those whose setters did not answer when asked again, are held on the
    way.
    """
    while True:
        lease = new_lease(now, duration, Leased.SETTINGS)
        setting = store.claim(session, lease, now)
        if setting is None:
            return None
        problem = problem_store.locked(session, setting.problem_id)
        if setting.attempts > store.MOST_ATTEMPTS:
            _hold(session, setting, problem, "by our fault: playing them ended its worker each time", {}, now)
        elif setting.round and not round_store.brought_an_answer(session, setting):
            _hold(session, setting, problem, setting.rounds[-1]["reason"], setting.evidence, now)
        else:
            seconds = judging(session, setting, bounds, most_s, now)
            if isinstance(seconds, float):
                return _job(session, setting, problem, lease, seconds)
            if seconds is None:
                setting.attempts -= 1
                store.free(session, setting, setting.evidence)
                return None
            _hold(session, setting, problem, seconds, setting.evidence, now)


def _job(session: Session, setting: Setting, problem: Problem, lease: Lease, most_s: float) -> PlayJob:
    version = session.get_one(ProblemVersion, setting.problem_version_id)
    statement = texts.statement(session, version.id)
    roles = owed(statement.form)
    by_piece = {
        Piece(answer.vendor, answer.setter, *roles[answer.item]): answer
        for answer in store.said(session, version.id)
        if answer.item < len(roles)
    }
    last = {answer.sample for answer in by_piece.values()}
    earlier = tuple(
        Answer(Piece(old.vendor, old.setter, *roles[old.item]), old.text)
        for old in store.gone_back(session, setting)
        if old.sample not in last and old.item < len(roles) and roles[old.item][0] is Role.SOLUTION
    )
    pieces = given_store.of_text(session, version.id)
    # An interactive statement shows dialogues, not an interactor's input.
    samples = () if statement.form is Form.INTERACTIVE else statement.examples
    spec = ProblemSpec(
        str(problem.id), Form(version.form), samples, statement.limits,
        entry=statement.entry,
    )  # fmt: skip
    answers = (*(Answer(piece, answer.text) for piece, answer in by_piece.items()), *as_answers(pieces))
    return PlayJob(
        setting.id, lease, spec, answers, {piece: answer.sample for piece, answer in by_piece.items()},
        _is_compared(problem, statement.text, spec), most_s, as_wrong(pieces), earlier,
        grammar_of(statement.text, spec.entry, [test.input for test in samples]),
    )  # fmt: skip


def _is_compared(problem: Problem, statement: str, spec: ProblemSpec) -> bool:
    """Return True if outputs are compared as words, or returned values by their types, fractions within a tolerance.

    A maintainer may have decided that one value is right, whatever the statement seems to say.
    """
    if spec.entry is None:
        return not _CHECKER_FLAGS & set(problem.flags)
    return MULTIPLE_ANSWERS in problem.waived or not values_may_differ(problem.flags, statement, spec.entry.returns)


def record(session: Session, job: PlayJob, result: Made, now: datetime) -> bool:
    """Store the suite, send answers back, or hold the problem with the reason, if the lease still holds.

    A job that found no suite by a passing fault of ours runs once more: on a busy machine seconds may have run out, or
    a language did not work. The workers prove the suite like any other before the problem is published.
    """
    setting = store.held(session, job.setting_id, job.lease.token)
    if setting is None:
        return False
    problem = problem_store.locked(session, setting.problem_id)
    judged(setting, result.judge_s)
    if result.reason is not None:
        if result.passing and setting.attempts < _MAX_ATTEMPTS:
            store.free(session, setting, result.evidence)
            return True
        # A person's addition is never sent, so a failure because of it is for that person to review.
        if not job.helped and rounds.go_back(session, setting, result, job.samples, result.reason, now):
            store.free(session, setting, result.evidence)
        else:
            _hold(session, setting, problem, result.reason, result.evidence, now)
        return True
    source, name = problem_store.names_of(session, {problem.id})[problem.id]
    programs = [
        ImportedProgram(program.name, program.language, program.code, reference=program.right)
        for program in (*result.programs, *job.wrong)
    ]
    setters = {setter["setter"]: setter["vendor"] for setter in result.facts["setters"]}
    stored = testgen.store_suite(session, f"{source}/{name}", result.problem, programs, result.facts, now, setters)
    store.end(
        session, setting, SettingState.STORED, now, test_set_id=stored.test_set_id, evidence=dict(result.evidence)
    )
    return True


def _hold(
    session: Session, setting: Setting, problem: Problem, reason: str, evidence: Mapping[str, Any], now: datetime
) -> None:
    rounds_note = ", and its setters were asked again" + (f" {setting.round} times" if setting.round > 1 else "")
    words = f"{reason[:_MAX_REASON_CHARS]}{rounds_note if setting.round else ''}"
    store.end(session, setting, SettingState.HELD, now, reason=words, evidence=dict(evidence))
    publish.settle(session, problem, now)
