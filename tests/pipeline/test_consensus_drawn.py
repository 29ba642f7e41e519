"""Of three vendors two are asked about a problem, by a draw that is written down; the next where one does not speak."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from pipeline.flow import LEASE, NOW
from sqlalchemy import Connection, select
from support.consensus import MINUTE, Says, add_setter, asked, fresh, ranked, samples_of, says, setting_of, settle
from support.servers import Servers, rolled_back

from app.db.kernel.session import Session
from app.db.tables import AuditEntry, Endpoint, Problem, ProtocolRow, Run, Sample, Setter
from app.domain.consensus.draw import MAX_SILENCE, pick_vendors
from app.domain.states import ProblemState, SampleState
from app.services.runs import plan
from app.services.runs.consensus import consensus_jobs, setters

VENDORS = ("a", "b", "c")
FIRST, SECOND = pick_vendors("atcoder/best", VENDORS)
[THIRD] = set(VENDORS) - {FIRST, SECOND}


def says_well(name: str) -> Says:
    return says(name.removeprefix("of-"))


def begin(session: Session) -> None:
    problem = fresh(session)
    ranked(session, "tern", "Tern Labs")
    for vendor in VENDORS:
        add_setter(session, f"of-{vendor}", vendor)
    settle(session, problem)


@pytest.fixture(scope="module")
def begun(servers: Servers) -> Iterator[Connection]:
    """A problem whose tests setters of three vendors may make, with which tests begin."""
    with servers.arranged(begin) as connection:
        yield connection


@pytest.fixture
def session(begun: Connection) -> Iterator[Session]:
    with rolled_back(begun) as sessions, sessions() as made:
        yield made


@pytest.fixture
def problem(session: Session) -> Problem:
    """That problem."""
    return session.scalars(select(Problem)).one()


def setters_asked(session: Session, problem: Problem) -> set[str]:
    """The vendors that have a sample of the problem."""
    runs = {sample.run_id for sample in samples_of(session, problem)}
    slugs = session.scalars(
        select(ProtocolRow.slug).join(Run, Run.protocol_id == ProtocolRow.id).where(Run.id.in_(runs))
    )
    return {slug.removeprefix("setting-of-") for slug in slugs if slug.startswith("setting-")}


def vendors_played(session: Session, hours: float = 0) -> set[str]:
    job = consensus_jobs.claim(session, NOW + timedelta(hours=hours), LEASE)
    assert job is not None
    return {answer.answer_id.vendor for answer in job.answers}


def test_two_are_asked_and_the_draw_is_written_down(session: Session, problem: Problem) -> None:
    assert setting_of(session, problem).drawn == [FIRST, SECOND]
    names = asked(session, says_well)
    assert {name.split()[0] for name in names} == {"tern", f"of-{FIRST}", f"of-{SECOND}"}
    assert setters_asked(session, problem) == {FIRST, SECOND}
    assert vendors_played(session) == {FIRST, SECOND}


def test_who_comes_later_changes_no_draw(session: Session, problem: Problem) -> None:
    for vendor in ("d", "e", "f"):
        add_setter(session, f"of-{vendor}", vendor)
    plan.plan_samples(session, NOW)
    assert setting_of(session, problem).drawn == [FIRST, SECOND]


def test_in_place_of_a_removed_one_the_next_is_asked(session: Session, problem: Problem) -> None:
    asked(session, says_well, only=f"of-{SECOND}")
    setters.remove(session, f"of-{FIRST}", "it lies", NOW)
    plan.plan_samples(session, NOW)
    assert setting_of(session, problem).drawn == list(pick_vendors("atcoder/best", {SECOND, THIRD}))
    asked(session, says_well)
    assert vendors_played(session) == {SECOND, THIRD}


def test_in_place_of_a_silent_one_the_next_is_asked(session: Session, problem: Problem) -> None:
    asked(session, says_well, only=f"of-{SECOND}")
    plan.plan_samples(session, NOW + MAX_SILENCE - MINUTE)
    assert setting_of(session, problem).drawn == [FIRST, SECOND]
    plan.plan_samples(session, NOW + MAX_SILENCE)
    consensus = setting_of(session, problem)
    assert (set(consensus.drawn), consensus.silent) == ({SECOND, THIRD}, [FIRST])
    asked(session, says_well, now=NOW + MAX_SILENCE)
    assert vendors_played(session, 1) == {SECOND, THIRD}


def test_who_gave_up_is_silent_at_once_and_stays_where_nobody_is_left(session: Session, problem: Problem) -> None:
    asked(session, says_well, only=f"of-{SECOND}")
    silent = session.scalars(
        select(Sample).join(Run).join(ProtocolRow).where(ProtocolRow.slug == f"setting-of-{FIRST}")
    )
    for sample in silent:
        sample.state = SampleState.GAVE_UP
        sample.lease_token = sample.lease_until = None
    session.flush()
    setters.remove(session, f"of-{THIRD}", "it is not wanted", NOW)
    plan.plan_samples(session, NOW)
    assert set(setting_of(session, problem).drawn) == {FIRST, SECOND}, "nobody is left"
    add_setter(session, "of-d", "d")
    plan.plan_samples(session, NOW)
    assert set(setting_of(session, problem).drawn) == {SECOND, "d"}


@pytest.mark.parametrize("weights", [False, True])
def test_vendors_whose_setters_have_the_same_weights_are_one_voice(
    session: Session, problem: Problem, *, weights: bool
) -> None:
    """They were added before anybody looked."""
    vendors = select(Setter.vendor).where(Setter.removed_at.is_(None)).order_by(Setter.name)
    theirs = select(Run.endpoint_id).join(Setter, Setter.run_id == Run.id).where(Setter.vendor.in_(("b", "c")))
    for endpoint in session.scalars(select(Endpoint).where(Endpoint.id.in_(theirs))):
        if weights:
            endpoint.weights, endpoint.base_url = "/models/orion", ""
        else:
            endpoint.remote_name = "one"
    session.flush()
    plan.plan_samples(session, NOW)
    assert session.scalars(vendors).all() == ["a", "b", "b"]
    assert set(setting_of(session, problem).drawn) == {"a", "b"}
    joined = session.scalars(select(AuditEntry).where(AuditEntry.action == "setter.joined")).one()
    assert (joined.subject, joined.before, joined.after) == ("of-c", {"vendor": "c"}, {"vendor": "b"})
    setters.remove(session, "of-a", "it is silent", NOW)
    plan.plan_samples(session, NOW)
    plan.plan_samples(session, NOW)
    assert problem.state == ProblemState.HELD, "one voice makes no tests"
