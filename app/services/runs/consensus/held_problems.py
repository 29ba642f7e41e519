"""Problems held because setters made no tests: the evidence, and how a maintainer adds to it and tries again."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.problems.problems import names_of, sha256_of
from app.db.runs.consensus import additions as store
from app.db.runs.consensus import consensuses
from app.db.tables import ProblemVersion
from app.domain.audit_reason import check_reason
from app.domain.consensus.additions import AdditionKind, parse_addition
from app.domain.errors import Conflict, InvalidInput
from app.domain.problems import Form
from app.domain.states import ConsensusState, ProblemState
from app.services.problems import publishing, quarantine
from app.services.runs.consensus import setter_answers
from app.services.runs.models import refuse_rivals


@dataclass(frozen=True, slots=True)
class UntestedProblem:
    """Evidence on a problem whose tests could not be made; for maintainers alone.

    `answers` gives the outcome of each answer of setters, with the input that shows it. `missed` gives, by
    reference, the number of inputs on which it was too slow or failed, how many were dropped for that, and the
    smallest.
    """

    problem: str
    reason: str
    drawn: tuple[str, ...]
    counts: Mapping[str, Any]
    dropped: Mapping[str, Any]
    answers: tuple[Mapping[str, Any], ...]
    missed: Mapping[str, Mapping[str, Any]]
    given: Mapping[str, int]
    places: Mapping[tuple[str, str, int], int]  # of answers, by setter, role and ordinal


_COUNTS = ("legal", "answered", "truths", "disputed", "large", "answered_large", "dissent")


def untested_problems(session: Session) -> list[UntestedProblem]:
    """Return every held problem that setters made no tests for, newest first."""
    rows = consensuses.held_consensuses(session)
    names = names_of(session, {row.problem_id for row in rows})
    problems = []
    for row in rows:
        kinds = [addition.kind.value for addition in store.of_text(session, row.problem_version_id)]
        problems.append(
            UntestedProblem(
                "/".join(names[row.problem_id]), row.reason or "", tuple(row.drawn),
                {name: row.evidence[name] for name in _COUNTS if name in row.evidence},
                dict(row.evidence.get("dropped") or {}), tuple(row.evidence.get("answers") or ()),
                dict(row.evidence.get("missed") or {}),
                {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)},
                setter_answers.answer_ids(session, row.problem_version_id),
            )
        )  # fmt: skip
    return problems


@dataclass(frozen=True, slots=True)
class AdditionRequest:
    """A maintainer's addition to a held problem ("source/id"), with its reason."""

    problem: str
    kind: str
    language: str
    body: str
    reason: str


def add(session: Session, request: AdditionRequest, now: datetime, actor: str = "operator") -> str:
    """Store a person's program, input or checker, and let the consensus run again; return the problem's state.

    The request is weighed with the setters' answers, and never shown or sent. Raises InvalidInput, also for a checker
    of returned values, which no suite runs; NotFound; and Conflict if the problem is not held because setters made no
    tests, if it has the piece already, or if the person belongs to an organisation with rows on boards, which would
    speak for two vendors.
    """
    refuse_rivals(session, actor)
    addition, reason = parse_addition(request.kind, request.language, request.body), check_reason(request.reason)
    problem = quarantine.find(session, request.problem)
    version_id = problem.current_version_id
    consensus = None if version_id is None else consensuses.of_text(session, version_id)
    if (
        consensus is None
        or version_id is None
        or consensus.state != ConsensusState.HELD
        or problem.state != ProblemState.HELD
        or problem.current_test_set_id is not None
    ):
        raise Conflict(f"{request.problem} is not waiting for tests by setters")
    version = session.get_one(ProblemVersion, version_id)
    if addition.kind is AdditionKind.CHECKER and version.form in (Form.FUNCTION, Form.CLASS):
        raise InvalidInput(
            "a returned value is compared by its type, and no checker is run: import the problem with tests of its own",
            pointer="/kind",
        )
    if not store.add(session, version_id, addition, actor, now):
        raise Conflict(f"{request.problem} already has this {addition.kind}")
    consensuses.retry_held(session, consensus)
    publishing.update_state(session, problem, now)
    logs.write_audit(
        session, now, actor, "setting.add", request.problem, reason,
        after={"kind": addition.kind, "language": addition.language, "sha256": sha256_of(addition.body)},
    )  # fmt: skip
    return str(problem.state)
