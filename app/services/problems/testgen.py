"""Suites made here: stored as a problem's tests, and proven by the workers like any others."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from app.db.kernel.session import Session
from app.db.problems import problems as store
from app.db.tables import Problem, ProblemVersion, ProofState
from app.domain.consensus.vendors import normalize_vendor
from app.domain.errors import InvalidInput, NotFound
from app.domain.imports import ImportedProgram
from app.domain.problems import ProblemSpec, TestsOrigin
from app.domain.reasons import Reason
from app.services.problems import publishing

_BROUGHT_BY = "testgen"


class StoredSuite(NamedTuple):
    """The test set of a suite, and whether it is a new one."""

    test_set_id: int
    new: bool


def store_suite(
    session: Session,
    name: str,
    spec: ProblemSpec,
    programs: Sequence[ImportedProgram],
    evidence: Mapping[str, Any],
    now: datetime,
    setters: Mapping[str, str] = MappingProxyType({}),
) -> StoredSuite:
    """Offer the tests of `spec` to the problem `name` ("source/id"), with the programs that are to prove them.

    `setters` maps the models whose programs agreed on the answers, if these are a consensus, to their vendors.

    A published problem keeps its tests until the new ones are proven. Raises NotFound for an unknown problem,
    InvalidInput when the tests are not of its form.
    """
    problem = _problem(session, name)
    if problem.current_version_id is None:
        raise InvalidInput(f"{name} has no statement yet; tests can be stored once it has one")
    version = session.get_one(ProblemVersion, problem.current_version_id)
    _check_form(name, version, spec)
    origin = TestsOrigin.CONSENSUS if setters else TestsOrigin.REFERENCES
    # Setters' programs prove their suite, and are never shown or sent.
    brought_by = origin.value if setters else _BROUGHT_BY
    publishing.add_programs(session, problem, programs, brought_by, secret=bool(setters))
    test_set_id, new = store.add_test_set(
        session,
        problem.id,
        spec,
        {
            "origin": origin,
            "setters": sorted(setters),
            "vendors": sorted({normalize_vendor(vendor) for vendor in setters.values()}),
            "brought_by": brought_by,
            "proof": ProofState.WAITING,
            "proof_detail": {publishing.SUITE_FACTS: dict(evidence)},
        },
    )
    publishing.offer_test_set(session, problem, test_set_id, Reason("made"), now)
    publishing.update_state(session, problem, now)
    return StoredSuite(test_set_id, new)


def _check_form(name: str, version: ProblemVersion, spec: ProblemSpec) -> None:
    if version.form != spec.form:
        raise InvalidInput(f"{name} is of form {version.form}, but the tests are of form {spec.form}")
    if spec.entry is None or version.entry is None:
        return
    declared, size = len(version.entry.get("params") or ()), len(spec.entry.params)
    if declared != size:
        raise InvalidInput(f"{name} takes {declared} arguments, but the tests have {size}")


def outcome(session: Session, name: str) -> str:
    """Return the problem's state and hold reason as text for people. Raises NotFound."""
    problem = _problem(session, name)
    return f"{problem.state}: {problem.hold_reason}" if problem.hold_reason else str(problem.state)


def _problem(session: Session, name: str) -> Problem:
    slug, _, external_id = name.partition("/")
    source = store.source_by_slug(session, slug)
    problem = None if source is None else store.find(session, source.id, external_id)
    if problem is None:
        raise NotFound(f"unknown problem {name!r}; name it as source/id")
    return problem
