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
from app.db.runs.setting import settings as store
from app.db.tables import Problem, ProblemVersion, Setting
from app.domain.imports import ImportedProgram
from app.domain.problems import Form, ProblemSpec
from app.domain.setting.answers import Answer, Piece
from app.domain.setting.given import as_answers, as_wrong
from app.domain.setting.made import Made, Proving
from app.domain.setting.prompts import owed
from app.domain.states import SettingState
from app.services.problems import publish, testgen

_OPEN = {"multiple_answers", "float_tolerance"}  # flags of problems that no plain comparison judges
_NO_CHECKER = "several answers may be right, and setters of two vendors agree on no checker"


@dataclass(frozen=True, slots=True)
class PlayJob:
    """A problem, whose tests are its samples, and what setters answered; `has_checker` where words are compared.
    `wrong` are programs that a person knows to be wrong."""

    setting_id: int
    lease: Lease
    problem: ProblemSpec
    answers: tuple[Answer, ...]
    has_checker: bool
    wrong: tuple[Proving, ...] = ()


def claim(session: Session, now: datetime, duration: timedelta) -> PlayJob | None:
    """Lease the next problem whose setters have answered; None when there is none.

    Those that ended their worker each time are held on the way.
    """
    while True:
        lease = new_lease(now, duration, Leased.SETTINGS)
        setting = store.claim(session, lease, now)
        if setting is None:
            return None
        problem = problem_store.locked(session, setting.problem_id)
        if setting.attempts <= store.MOST_ATTEMPTS:
            return _job(session, setting, problem, lease)
        _hold(session, setting, problem, "by our fault: playing them ended its worker each time", {}, now)


def _job(session: Session, setting: Setting, problem: Problem, lease: Lease) -> PlayJob:
    version = session.get_one(ProblemVersion, setting.problem_version_id)
    statement = texts.statement(session, version.id)
    roles = owed(statement.form)
    answers = tuple(
        Answer(Piece(said.vendor, said.setter, *roles[said.item]), said.text)
        for said in store.said(session, version.id)
        if said.item < len(roles)
    )
    pieces = given_store.of_text(session, version.id)
    spec = ProblemSpec(
        str(problem.id), Form(version.form), statement.examples, statement.limits,
        entry=problem_store.read_entry(version.entry),
    )  # fmt: skip
    has_checker = not _OPEN & set(problem.flags)
    return PlayJob(setting.id, lease, spec, (*answers, *as_answers(pieces)), has_checker, as_wrong(pieces))


def record(session: Session, job: PlayJob, made: Made, now: datetime) -> bool:
    """Store the suite, or hold the problem with the reason, if the lease still holds.

    The suite is proven by the workers like any other before the problem is published.
    """
    setting = store.held(session, job.setting_id, job.lease.token)
    if setting is None:
        return False
    problem = problem_store.locked(session, setting.problem_id)
    reason = made.reason
    if reason is None and not (job.has_checker or made.chose_checker):
        reason = _NO_CHECKER
    if reason is not None:
        _hold(session, setting, problem, reason, made.evidence, now)
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
    store.end(session, setting, SettingState.HELD, now, reason=reason, evidence=dict(evidence))
    publish.settle(session, problem, now)
