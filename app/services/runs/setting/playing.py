"""Setters' answers to a problem, taken to be played in the sandbox, and what came of it: a suite, or a reason."""

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
from app.services.runs.setting import bounds as limits
from app.services.runs.setting import rounds

_OPEN = {MULTIPLE_ANSWERS, "float_tolerance"}  # flags of problems that no plain comparison judges
_LONGEST = 400  # characters of a reason
_MOST_PLAYS = 2  # that a busy machine may spoil before a problem is held for that


@dataclass(frozen=True, slots=True)
class PlayJob:
    """A problem, whose tests are its samples, and what setters answered; `has_checker`: words, or values, are compared.

    `samples` says whose text each answer of a setter is. `wrong` are programs that a person knows to be wrong,
    `earlier` solutions that went back and that their setters have replaced.
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
    constraints: Grammar | None = None  # what could be read from the statement

    @property
    def helped(self) -> bool:
        """Whether a person added to it."""
        return bool(self.wrong) or any(answer.piece.vendor == OPERATOR for answer in self.answers)


def claim(
    session: Session, now: datetime, duration: timedelta, most_s: float = 600.0, bounds: Bounds = BOUNDS
) -> PlayJob | None:
    """Lease the next problem whose setters have answered, for so many seconds of judging; None when there is none.

    Held on the way are those that ended their worker each time, and those whose setters said nothing when asked again.
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
            seconds = limits.judging(session, setting, bounds, most_s, now)
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
    said = {
        Piece(said.vendor, said.setter, *roles[said.item]): said
        for said in store.said(session, version.id)
        if said.item < len(roles)
    }
    last = {one.sample for one in said.values()}
    earlier = tuple(
        Answer(Piece(gone.vendor, gone.setter, *roles[gone.item]), gone.text)
        for gone in store.gone_back(session, setting)
        if gone.sample not in last and gone.item < len(roles) and roles[gone.item][0] is Role.SOLUTION
    )
    pieces = given_store.of_text(session, version.id)
    # A statement shows talks, not what an interactor reads.
    samples = () if statement.form is Form.INTERACTIVE else statement.examples
    spec = ProblemSpec(
        str(problem.id), Form(version.form), samples, statement.limits,
        entry=statement.entry,
    )  # fmt: skip
    answers = (*(Answer(piece, one.text) for piece, one in said.items()), *as_answers(pieces))
    return PlayJob(
        setting.id, lease, spec, answers, {piece: one.sample for piece, one in said.items()},
        _is_compared(problem, statement.text, spec), most_s, as_wrong(pieces), earlier,
        grammar_of(statement.text, spec.entry, [test.input for test in samples]),
    )  # fmt: skip


def _is_compared(problem: Problem, statement: str, spec: ProblemSpec) -> bool:
    """Whether words are compared, or returned values by their types: fractions within a tolerance.

    Of values a maintainer may have said that one is right, whatever a statement seems to say.
    """
    if spec.entry is None:
        return not _OPEN & set(problem.flags)
    return MULTIPLE_ANSWERS in problem.waived or not values_may_differ(problem.flags, statement, spec.entry.returns)


def record(session: Session, job: PlayJob, made: Made, now: datetime) -> bool:
    """Store the suite, let answers go back, or hold the problem with the reason, if the lease still holds.

    What found no suite by a passing fault of ours is played once more: the machine may have been busy, so that seconds
    ran out or a language did not work. The suite is proven by the workers like any other before the problem is
    published.
    """
    setting = store.held(session, job.setting_id, job.lease.token)
    if setting is None:
        return False
    problem = problem_store.locked(session, setting.problem_id)
    limits.judged(setting, made.judge_s)
    if made.reason is not None:
        if made.passing and setting.attempts < _MOST_PLAYS:
            store.free(session, setting, made.evidence)
            return True
        # What a person added is sent to nobody, and what falls short by it is that person's to look at.
        if not job.helped and rounds.go_back(session, setting, made, job.samples, made.reason, now):
            store.free(session, setting, made.evidence)
        else:
            _hold(session, setting, problem, made.reason, made.evidence, now)
        return True
    source, name = problem_store.names_of(session, {problem.id})[problem.id]
    programs = [
        ImportedProgram(one.name, one.language, one.code, reference=one.right) for one in (*made.programs, *job.wrong)
    ]
    setters = {one["setter"]: one["vendor"] for one in made.facts["setters"]}
    stored = testgen.store_suite(session, f"{source}/{name}", made.problem, programs, made.facts, now, setters)
    store.end(session, setting, SettingState.STORED, now, test_set_id=stored.test_set_id, evidence=dict(made.evidence))
    return True


def _hold(
    session: Session, setting: Setting, problem: Problem, reason: str, evidence: Mapping[str, Any], now: datetime
) -> None:
    asked = ", and its setters were asked again" + (f" {setting.round} times" if setting.round > 1 else "")
    words = f"{reason[:_LONGEST]}{asked if setting.round else ''}"
    store.end(session, setting, SettingState.HELD, now, reason=words, evidence=dict(evidence))
    publish.settle(session, problem, now)
