"""What fell short goes back to its setters, twice at most: as children of their answers, with their own answers and
what was found, and the setting is played again with what came."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from pipeline.flow import LEASE, NOW, VAULT, waiting
from sqlalchemy import Connection, select, update
from support.consensus import MINUTE, add_setter, asked, fresh, ranked, samples_of, says, setting_of, settle
from support.servers import Servers, rolled_back
from support.setters import BRUTE, fenced

from app.db.kernel.session import Session, SessionMaker
from app.db.runs.runs import read_protocol
from app.db.tables import Problem, ProtocolRow, Run, Sample
from app.domain.asking.completions import FailedSample, FailureOwner, InferenceRequest, Retry
from app.domain.consensus.answers import AnswerId, SetterRole
from app.domain.consensus.prompts import setter_tasks
from app.domain.consensus.result import ConsensusResult
from app.domain.consensus.rounds import AnswerOutcome
from app.domain.problems import Form
from app.domain.reasons import text_reason
from app.domain.states import ConsensusState, ProblemState, SampleState
from app.services.runs import inference, plan
from app.services.runs.consensus import consensus_jobs, setters
from app.services.runs.consensus.consensus_jobs import ConsensusJob
from app.services.runs.items import PromptBuilder

WITNESS = {"input": "2\n-1 -1\n", "said": "0\n"}
REASON = "programs contradict each other on 1 small inputs, and nothing says who is right"


def begin(session: Session) -> None:
    problem = fresh(session)
    ranked(session, "tern", "Tern Labs")
    for name, vendor in (("one", "a"), ("two", "b")):
        add_setter(session, name, vendor)
    settle(session, problem)
    asked(session, lambda name: says(vendor_of(name)))


def begun(session: Session) -> Problem:
    return session.scalars(select(Problem)).one()


@pytest.fixture(scope="module")
def asked_for(servers: Servers) -> Iterator[Connection]:
    """A problem whose tests two setters are to make, with which tests begin."""
    with servers.arranged(begin) as connection:
        yield connection


@pytest.fixture
def session(asked_for: Connection) -> Iterator[Session]:
    with rolled_back(asked_for) as sessions, sessions() as made:
        yield made


def vendor_of(name: str) -> str:
    return {"one": "a", "two": "b"}[name]


def finding(setter: str, role: SetterRole, word: str = "contradicted", **shows: str) -> AnswerOutcome:
    return AnswerOutcome(AnswerId(vendor_of(setter), setter, role), word, "nothing says who is right", shows or WITNESS)


def played(session: Session, *findings: AnswerOutcome, ours: bool = False, now: object = NOW) -> ConsensusJob:
    """Play it: there is no suite, and this was found."""
    assert isinstance(now, type(NOW))
    job = consensus_jobs.claim(session, now, LEASE)
    assert job is not None
    evidence = {"answers": [str(one.answer_id) for one in findings]}
    made = ConsensusResult(
        text_reason(REASON), job.problem, (), {"setters": []}, evidence, findings=findings, ours=ours
    )
    assert consensus_jobs.record(session, job, made, now)
    session.expire_all()
    return job


def children(session: Session, problem: Problem) -> list[Sample]:
    return [sample for sample in samples_of(session, problem) if sample.parent_id is not None]


def prompt_of(session: Session, sample: Sample) -> str:
    run = session.get_one(Run, sample.run_id)
    protocol = read_protocol(session.get_one(ProtocolRow, run.protocol_id).body)
    return PromptBuilder(session).prompt(protocol, sample).messages[-1].content


def text_of(job: ConsensusJob, setter: str, role: SetterRole) -> str:
    return next(
        answer.text for answer in job.answers if (answer.answer_id.setter, answer.answer_id.role) == (setter, role)
    )


def test_what_fell_short_goes_back_with_the_evidence_and_is_played_again(session: Session) -> None:
    problem = begun(session)
    played(session, finding("one", SetterRole.BRUTE), finding("two", SetterRole.SOLUTION, "agrees"))
    consensus = setting_of(session, problem)
    assert (consensus.state, consensus.round, problem.state) == (ConsensusState.ASKING, 1, ProblemState.CHECKED)
    (child,) = children(session, problem)
    parent = session.get_one(Sample, child.parent_id)
    assert (child.run_id, child.item, child.ordinal) == (parent.run_id, parent.item, 1)
    assert consensus_jobs.claim(session, NOW, LEASE) is None, "its answer is awaited"
    content = prompt_of(session, child)
    assert content.startswith("ROLE: brute\nPROBLEM: Best Stretch\nROUND: 1\n")
    for words in (BRUTE.strip(), WITNESS["input"].strip(), "nothing says who is right"):
        assert words in content
    better = fenced("print(1)\n")
    assert asked(session, lambda _: lambda _request: better) == [f"one setting {child.item}"]
    job = consensus_jobs.claim(session, NOW, LEASE)
    assert job is not None
    assert text_of(job, "one", SetterRole.BRUTE) == better, "the newest answer of each"
    assert text_of(job, "two", SetterRole.BRUTE) != better
    assert len(job.answers) == len({answer.answer_id for answer in job.answers})


def test_after_two_rounds_the_problem_is_held_with_the_reason(session: Session) -> None:
    problem = begun(session)
    for turn in (1, 2):
        played(session, finding("one", SetterRole.BRUTE), finding("two", SetterRole.BRUTE))
        assert setting_of(session, problem).round == turn
        assert len(asked(session, lambda _: lambda _request: fenced("print(1)"))) == 2
    played(session, finding("one", SetterRole.BRUTE), finding("two", SetterRole.BRUTE))
    consensus = setting_of(session, problem)
    assert (consensus.state, problem.state) == (ConsensusState.HELD, ProblemState.HELD)
    assert problem.hold_reason == f"no full tests: {REASON}, and its setters were asked again 2 times"
    assert consensus.evidence == {"answers": ["one brute 0", "two brute 0"]}
    assert sorted(child.ordinal for child in children(session, problem)) == [1, 1, 2, 2]
    second = next(child for child in children(session, problem) if child.ordinal == 2)
    assert session.get_one(Sample, second.parent_id).ordinal == 1
    assert "print(1)" in prompt_of(session, second)
    assert "ROUND: 2\n" in prompt_of(session, second)


@pytest.mark.parametrize("ours", [False, True])
def test_where_nothing_may_go_back_it_is_held_at_once(session: Session, ours: bool) -> None:
    problem = begun(session)
    played(session, finding("one", SetterRole.BRUTE, "refuted" if ours else "agrees"), ours=ours)
    assert problem.hold_reason == f"no full tests: {REASON}"
    assert children(session, problem) == []


def test_nobody_is_shown_what_another_vendor_wrote(sessions: SessionMaker) -> None:
    with sessions() as session:
        problem = fresh(session)
        ranked(session, "tern", "Tern Labs")
        for name, vendor in (("one", "a"), ("two", "b")):
            add_setter(session, name, vendor)
        settle(session, problem)

        def marked(name: str) -> object:
            def say(request: InferenceRequest) -> str:
                assert request.subject is not None
                return fenced(f"# MARK-{name}-{request.subject.item}")

            return say

        asked(session, marked)  # type: ignore[arg-type]
        played(
            session,
            *(finding(name, role) for name in ("one", "two") for role in (SetterRole.BRUTE, SetterRole.VALIDATOR)),
        )
        items = [role for role, _ in setter_tasks(Form.STDIN)]
        assert len(children(session, problem)) == 4
        for child in children(session, problem):
            parent = session.get_one(Sample, child.parent_id)
            marks = {word for word in prompt_of(session, child).split() if word.startswith("MARK-")}
            assert marks == {f"{parent.answer or ''}".split()[1]}, items[child.item]


def gives_up(session: Session) -> None:
    """Let every endpoint that is due say that there is no such answer, as recorded setters do."""
    for endpoint_id in waiting(session):
        work = inference.open_slice(session, endpoint_id, NOW, LEASE, VAULT)
        assert work is not None
        outcomes = [
            FailedSample(sample, "there are no later rounds", Retry.NEVER, FailureOwner.US) for sample in work.requests
        ]
        inference.record_all(session, work, outcomes, NOW)
        inference.close_slice(session, work)
    session.expire_all()


def test_setters_without_later_rounds_are_not_waited_for(session: Session) -> None:
    problem = begun(session)
    played(session, finding("one", SetterRole.BRUTE))
    gives_up(session)
    assert [child.state for child in children(session, problem)] == [SampleState.GAVE_UP]
    assert plan.sweep(session, NOW).consensuses == 1
    assert consensus_jobs.claim(session, NOW, LEASE) is None, "nothing new came, so there is nothing to play"
    assert problem.hold_reason == f"no full tests: {REASON}, and its setters were asked again"


def test_who_kept_silent_is_not_asked_once_more(session: Session) -> None:
    problem = begun(session)
    played(session, finding("one", SetterRole.BRUTE), finding("two", SetterRole.BRUTE))
    asked(session, lambda _: lambda _request: fenced("print(1)"), only="two")
    session.execute(update(Sample).where(Sample.state == SampleState.INFERRING).values(
        state=SampleState.GAVE_UP, lease_token=None, lease_until=None
    ))  # fmt: skip
    played(session, finding("one", SetterRole.BRUTE), finding("two", SetterRole.BRUTE))
    assert sorted((child.ordinal, child.state) for child in children(session, problem)) == [
        (1, "answered"), (1, "gave_up"), (2, "pending")
    ]  # fmt: skip


def test_a_later_round_is_waited_for_as_long_as_the_first(session: Session) -> None:
    began = NOW + timedelta(hours=5)
    played(session, finding("one", SetterRole.BRUTE), finding("two", SetterRole.BRUTE), now=began)
    asked(session, lambda _: lambda _request: fenced("print(1)"), now=began, only="two")
    assert consensus_jobs.claim(session, began + timedelta(hours=2) - MINUTE, LEASE) is None
    assert consensus_jobs.claim(session, began + timedelta(hours=2), LEASE) is not None


def test_a_late_player_begins_no_round(session: Session) -> None:
    problem = begun(session)
    late = consensus_jobs.claim(session, NOW, LEASE)
    assert late is not None
    played(session, finding("one", SetterRole.BRUTE), now=NOW + LEASE + MINUTE)
    made = ConsensusResult(
        text_reason(REASON), late.problem, (), {"setters": []}, {}, findings=(finding("two", SetterRole.BRUTE),)
    )
    assert not consensus_jobs.record(session, late, made, NOW + LEASE + MINUTE)
    assert len(children(session, problem)) == 1
    assert setting_of(session, problem).round == 1


def test_a_removed_setter_is_not_asked_again(session: Session) -> None:
    problem = begun(session)
    add_setter(session, "three", "c")
    played(session, finding("one", SetterRole.BRUTE))
    setters.remove(session, "one", "it lies", NOW)
    settle(session, problem)
    assert {line.split()[0] for line in asked(session)} == {"three"}
    assert session.scalars(select(Sample.state).where(Sample.parent_id.is_not(None))).all() == [SampleState.PENDING]


def test_what_a_setter_replaced_is_tried_again_as_known_wrong(session: Session) -> None:
    """Solutions alone, in every round: what refuted one may have fallen itself, so the play finds out anew."""
    first = played(session, finding("one", SetterRole.SOLUTION, "refuted"), finding("two", SetterRole.BRUTE))
    assert first.earlier == ()
    asked(session, lambda _: lambda _request: fenced("print(1)"))
    second = played(session, finding("one", SetterRole.SOLUTION, "refuted"))
    replaced = text_of(first, "one", SetterRole.SOLUTION)
    assert [(str(one.answer_id), one.text) for one in second.earlier] == [("one solution 0", replaced)]


def test_an_answer_that_was_not_replaced_is_played_as_it_stands_alone(session: Session) -> None:
    played(session, finding("one", SetterRole.SOLUTION, "refuted"), finding("two", SetterRole.SOLUTION, "refuted"))
    asked(session, lambda _: lambda _request: fenced("print(1)"), only="two")
    job = consensus_jobs.claim(session, NOW + timedelta(hours=3), LEASE)
    assert job is not None
    assert [one.answer_id.setter for one in job.earlier] == ["two"]
    assert AnswerId("a", "one", SetterRole.SOLUTION, 0) in {answer.answer_id for answer in job.answers}
