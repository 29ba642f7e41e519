"""Who is asked about a problem without tests, and when: ranked models, then setters of two vendors, then nobody."""

from datetime import date

import pytest
from pipeline.flow import LANGUAGES, LEASE, NOW
from sqlalchemy import delete, func, select
from support.consensus import MINUTE, add_setter, asked, fresh, ranked, samples_of, says, setting_of, settle

from app.db.kernel.session import Session
from app.db.runs import runs as run_store
from app.db.tables import Endpoint, ExposureRow, ProofState, Run, Sample, Submission, TestSet
from app.domain.consensus.prompts import setter_tasks
from app.domain.problems import Form
from app.domain.states import ConsensusState, ProblemState, SampleState, SubmissionState
from app.services.rejudging import grading_queue
from app.services.runs import plan
from app.services.runs.consensus import setters

ROLES = len(setter_tasks(Form.STDIN))
HEAD_START = 30 * MINUTE


def of(name: str, asked_of: list[str]) -> int:
    return sum(line.startswith(f"{name} ") for line in asked_of)


def test_nothing_is_asked_before_there_are_setters_of_two_vendors(session: Session) -> None:
    problem = fresh(session)
    ranked(session, "tern", "Tern Labs")
    add_setter(session, "first", "Acme")
    assert settle(session, problem) == ProblemState.HELD
    assert problem.hold_reason == "no full tests: 2 public samples only"
    add_setter(session, "second", " ACME ")
    assert problem.state == ProblemState.HELD, "two setters of one vendor are one vendor"
    assert asked(session) == []
    add_setter(session, "third", "Birds")
    assert problem.state == ProblemState.CHECKED, "what was held for want of tests has them made now"
    settle(session, problem)
    names = asked(session, says)
    assert {name.split()[0] for name in names} == {"tern", "first", "second", "third"}
    assert of("tern", names) == 1
    assert of("first", names) == ROLES
    assert setting_of(session, problem).state == ConsensusState.ASKING
    sent = session.execute(select(Endpoint.remote_name, func.count()).join(ExposureRow).group_by(Endpoint.remote_name))
    assert {row[0] for row in sent} == {"tern", "first", "second", "third"}, "setting prompts are sendings"


@pytest.mark.parametrize("state", [SubmissionState.GENERATING, SubmissionState.PUBLISHED])
def test_an_order_is_asked_early_only_once_it_has_ended(session: Session, state: SubmissionState) -> None:
    """It would wait for tests that may never come; a continuous one goes on after its end as any standing run."""
    problem = fresh(session)
    ranked(session, "tern", "Tern Labs")
    run = session.scalars(select(Run)).one()
    session.add(
        Submission(
            public_id="sub_1", organisation_id=run_store.ensure_organisation(session, "tern", "Tern").id, run_id=run.id,
            endpoint_id=run.endpoint_id, protocol_id=run.protocol_id, continuous=True, visibility="public", state=state,
            state_since=NOW, owner="us", created_at=NOW,
        )
    )  # fmt: skip
    add_setter(session, "first", "a")
    add_setter(session, "second", "b")
    settle(session, problem)
    asked_of = {sample.run_id for sample in samples_of(session, problem)}
    assert asked_of, "setters are"
    assert (run.id in asked_of) is (state == SubmissionState.PUBLISHED)


def test_setters_are_asked_nothing_once_there_are_tests(session: Session) -> None:
    problem = fresh(session)
    add_setter(session, "first", "a")
    add_setter(session, "second", "b")
    settle(session, problem)
    assert samples_of(session, problem)
    session.execute(delete(Sample))
    tests = session.scalars(select(TestSet)).one()
    tests.proof, problem.current_test_set_id = ProofState.WAITING, tests.id
    plan.plan_samples(session, NOW)
    assert problem.state == ProblemState.CHECKED
    assert samples_of(session, problem) == []


def test_nobody_is_asked_before_the_contest_is_over(session: Session) -> None:
    problem = fresh(session, day=date(2026, 11, 1))
    add_setter(session, "first", "a")
    add_setter(session, "second", "b")
    assert settle(session, problem) == ProblemState.FOUND
    assert samples_of(session, problem) == []


def test_a_vendors_setters_wait_for_its_ranked_models(session: Session) -> None:
    problem = fresh(session)
    ranked(session, "tern", "  TERN labs")
    ranked(session, "gull", "Gull")
    add_setter(session, "first", "Tern Labs")
    add_setter(session, "second", "Acme")
    assert settle(session, problem) == ProblemState.CHECKED
    names = asked(session, says, only="gull")
    assert of("first", names) == 0, "tern has not answered yet"
    assert (of("second", names), of("tern", names), of("gull", names)) == (ROLES, 1, 1)
    for sample in samples_of(session, problem):  # tern is under way; nobody else was asked again
        assert sample.state in (SampleState.INFERRING, SampleState.PENDING, SampleState.ANSWERED)
    assert asked(session, now=NOW + MINUTE) == []


# Of each an organisation of models and a vendor of setters, which are one.
ALIKE = (
    ("Яндекс", "Яндекс"),
    ("ÉCOLE", "École"),
    ("Straße", "STRASSE"),
    ("Cafe\u0301", "Café"),
    ("Ac\u200bme\u00a0AI", "acme ai"),
)


def test_a_vendor_is_known_by_its_name_in_any_letters(session: Session) -> None:
    """As setters and boards know it; a database by itself tells large from small in English alone."""
    for number, (organisation, vendor) in enumerate(ALIKE):
        add_setter(session, f"setter-{number}", vendor)
        ranked(session, f"model-{number}", organisation)
    add_setter(session, "second", "Borealis")
    settle(session, fresh(session))
    early = asked(session)
    assert of("second", early) == ROLES
    for number, names in enumerate(ALIKE):
        assert (of(f"model-{number}", early), of(f"setter-{number}", early)) == (1, 0), names


def test_what_ranked_models_answered_lets_their_vendors_setters_begin(session: Session) -> None:
    problem = fresh(session)
    ranked(session, "tern", "Tern Labs")
    add_setter(session, "first", "tern labs")
    add_setter(session, "second", "acme")
    settle(session, problem)
    asked(session, says)
    asked(session, says)
    waiting = [sample for sample in samples_of(session, problem) if sample.state != SampleState.ANSWERED]
    assert waiting == []


def test_setters_are_asked_once_the_head_start_of_others_is_over(session: Session) -> None:
    problem = fresh(session)
    ranked(session, "tern", "Tern Labs")
    add_setter(session, "first", "Tern Labs")
    add_setter(session, "second", "Acme")
    settle(session, problem)
    asked(session, only="second")  # tern's endpoint takes its sample and says nothing
    assert of("first", asked(session, now=NOW + HEAD_START - MINUTE)) == 0
    assert of("first", asked(session, now=NOW + HEAD_START)) == ROLES


def test_answers_wait_for_their_tests(session: Session) -> None:
    problem = fresh(session)
    ranked(session, "tern", "Tern Labs")
    add_setter(session, "first", "a")
    add_setter(session, "second", "b")
    settle(session, problem)
    asked(session, says)
    assert {sample.state for sample in samples_of(session, problem)} == {SampleState.ANSWERED}
    assert grading_queue.claim(session, NOW, LEASE, LANGUAGES) is None


def test_what_is_held_again_is_asked_of_nobody(session: Session) -> None:
    problem = fresh(session)
    ranked(session, "tern", "Tern Labs")
    add_setter(session, "first", "a")
    add_setter(session, "second", "b")
    settle(session, problem)
    setters.remove(session, "second", "it lies", NOW)
    settle(session, problem)
    assert problem.state == ProblemState.HELD
    assert asked(session) == []
