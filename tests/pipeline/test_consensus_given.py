"""What a person adds to a held problem is kept, weighed with what setters answered, and shown or sent to nobody."""

import pytest
from pipeline.flow import LEASE, NOW
from sqlalchemy import select
from support.consensus import MINUTE, add_setter, asked, fresh, ranked, samples_of, says, setting_of, settle
from support.setters import BRUTE, FROM_ZERO, KADANE, fenced

from app.db.kernel.session import Session
from app.db.tables import AdditionRow, AuditEntry, Problem, ProblemVersion, ProgramRow, TestSet
from app.domain.consensus.answers import SetterRole, last_block
from app.domain.consensus.prompts import setter_tasks
from app.domain.consensus.result import ConsensusResult
from app.domain.consensus.rounds import MOST_ROUNDS
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.domain.problems import Form
from app.domain.reasons import text_reason
from app.domain.states import ConsensusState, ProblemState
from app.services.runs.consensus import consensus_jobs, held_problems
from app.services.runs.consensus.held_problems import AdditionRequest
from workers import tasks
from workers.context import Context, now

NAME = "atcoder/best"


def addition(
    kind: str = "reference", body: str = KADANE, language: str = "python", reason: str = "I know it"
) -> AdditionRequest:
    return AdditionRequest(NAME, kind, language, body, reason)


def disputed(session: Session) -> Problem:
    """Held, since its two setters' programs contradict each other."""
    problem = fresh(session)
    ranked(session, "tern", "Tern Labs")
    for vendor in ("a", "b"):
        add_setter(session, f"of-{vendor}", vendor)
    settle(session, problem)
    asked(session, lambda name: says(name.removeprefix("of-")))
    job = consensus_jobs.claim(session, NOW, LEASE)
    assert job is not None
    evidence = {"legal": 5, "answers": [{"setter": "of-a", "state": "contradicted", "witness": "1\n1\n"}]}
    assert consensus_jobs.record(
        session, job, ConsensusResult(text_reason("they contradict each other"), job.problem, (), {}, evidence), NOW
    )
    assert problem.state == ProblemState.HELD
    return problem


@pytest.fixture
def problem(session: Session) -> Problem:
    return disputed(session)


def test_maintainers_see_the_evidence(session: Session, problem: Problem) -> None:
    [shown] = held_problems.untested_problems(session)
    assert (shown.problem, shown.reason, shown.counts) == (NAME, "they contradict each other", {"legal": 5})
    assert shown.answers[0]["witness"] == "1\n1\n"
    assert set(shown.drawn) == {"a", "b"}


def test_what_is_added_is_played_with_the_answers_that_are_there(session: Session, problem: Problem) -> None:
    assert held_problems.add(session, addition(), NOW, "ann@example.org") == ProblemState.CHECKED
    assert setting_of(session, problem).state == ConsensusState.ASKING
    entry = session.scalars(select(AuditEntry).where(AuditEntry.action == "setting.add")).one()
    assert (entry.actor, entry.subject, entry.reason) == ("ann@example.org", NAME, "I know it")
    assert KADANE not in str(entry.after)
    assert asked(session, now=NOW + MINUTE) == [], "nobody is asked anew"
    job = consensus_jobs.claim(session, NOW, LEASE)
    assert job is not None
    [own] = [answer for answer in job.answers if answer.answer_id.vendor == "operator"]
    assert own.answer_id.role is SetterRole.SOLUTION
    found = last_block(own.text)
    assert found is not None
    assert (found.tag, found.code.strip()) == ("python", KADANE.strip())
    assert len(job.answers) > 2
    assert all(KADANE not in (sample.response or "") for sample in samples_of(session, problem) if sample.item > 7)


def test_each_kind_has_its_part(session: Session, problem: Problem) -> None:
    for kind, body in (("wrong", FROM_ZERO), ("input", "1\n~~~~ 7\n"), ("checker", "import sys\nsys.exit(42)")):
        assert held_problems.add(session, addition(kind, body), NOW)
        consensus = setting_of(session, problem)
        consensus.state, consensus.reason = ConsensusState.HELD, text_reason("again")
        settle(session, problem)
    assert held_problems.untested_problems(session)[0].given == {"wrong": 1, "input": 1, "checker": 1}
    held_problems.add(session, addition("reference", KADANE, reason="and one more"), NOW)
    job = consensus_jobs.claim(session, NOW, LEASE)
    assert job is not None
    own = {answer.answer_id.role: answer for answer in job.answers if answer.answer_id.vendor == "operator"}
    assert own.keys() == {SetterRole.SOLUTION, SetterRole.HACK, SetterRole.CHECKER}
    found = last_block(own[SetterRole.HACK].text)
    assert found is not None
    assert found.code == "1\n~~~~ 7\n", "whatever it holds"
    assert [(one.name, one.code, one.right) for one in job.wrong] == [("operator wrong 0", FROM_ZERO, False)]


def test_what_cannot_be_added_is_refused(session: Session, problem: Problem) -> None:
    for bad in (
        addition("proof"), addition(language="rust"), addition(body=" \n"), addition(body="x" * (300 << 10)),
        addition("checker", "int main() {}", "cpp"), addition(reason=" "), addition(body="a\0b"),
    ):  # fmt: skip
        with pytest.raises(InvalidInput):
            held_problems.add(session, bad, NOW)
    with pytest.raises(NotFound):
        held_problems.add(session, AdditionRequest("atcoder/none", "input", "python", "1\n", "why"), NOW)
    held_problems.add(session, addition(), NOW)
    with pytest.raises(Conflict, match="not waiting"):
        held_problems.add(session, addition("input", "1\n1\n"), NOW)
    assert len(session.scalars(select(AdditionRow)).all()) == 1


def test_no_setter_is_called_operator(session: Session) -> None:
    with pytest.raises(InvalidInput):
        add_setter(session, "sly", " OPERATOR ")


@pytest.mark.slow
@pytest.mark.sandbox
def test_a_persons_program_settles_what_setters_dispute(ctx: Context) -> None:
    """One vendor's brute force and solutions say something else: held; a vouched program ends it, and all is stored."""
    lie = fenced(FROM_ZERO.replace("end < -1", "end < -3"))
    extra = " + (n == 3 and row[0] == 0))"
    wrong = fenced(BRUTE.strip()[:-1] + extra)
    with ctx.sessions.begin() as session:
        problem = fresh(session)
        ranked(session, "tern", "Tern Labs")
        for vendor in ("a", "b"):
            add_setter(session, f"of-{vendor}", vendor)
        settle(session, problem)
        problem_id = problem.id
        told = {"of-a": {}, "of-b": {"brute": wrong, "solution_2": lie}}
        asked(session, lambda name: says(name.removeprefix("of-"), **told[name]))
    tasks.build_suites()
    for _round in range(MOST_ROUNDS):
        with ctx.sessions.begin() as session:
            assert asked(session, lambda name: says(name.removeprefix("of-"), **told[name]), now=now())
        tasks.build_suites()
    with ctx.sessions.begin() as session:
        problem = session.get_one(Problem, problem_id)
        assert problem.state == ProblemState.HELD
        held_problems.add(session, addition(), NOW)
    tasks.build_suites()
    tasks.prove_tests()
    with ctx.sessions() as session:
        problem = session.get_one(Problem, problem_id)
        consensus = setting_of(session, problem)
        assert (consensus.reason, problem.state) == (None, ProblemState.PUBLISHED), consensus.evidence
        suite = session.scalars(select(TestSet).where(TestSet.origin == "consensus")).one()
        assert (suite.vendors, suite.setters) == (["a", "b"], ["of-a", "of-b"])
        assert suite.proof_detail["made"]["operator"] == 1
        kept = session.scalars(select(ProgramRow).where(ProgramRow.name.startswith("operator"))).one()
        assert kept.secret


def test_a_persons_piece_is_weighed_though_no_setter_had_anything_new(session: Session, problem: Problem) -> None:
    """As of setters that replay a file: a round began, and nobody answered in it."""
    setting_of(session, problem).round = 1
    session.flush()
    held_problems.add(session, addition(), NOW)
    job = consensus_jobs.claim(session, NOW + MINUTE, LEASE)
    assert job is not None
    ours = [str(answer.answer_id) for answer in job.answers if answer.answer_id.vendor == "operator"]
    assert ours == ["operator solution 0"]


@pytest.mark.parametrize("form", [Form.FUNCTION, Form.CLASS])
def test_a_checker_of_returned_values_is_refused_in_words(session: Session, problem: Problem, form: Form) -> None:
    """None is run for them: it would be kept, and never asked."""
    session.get_one(ProblemVersion, problem.current_version_id).form = form
    session.flush()
    with pytest.raises(InvalidInput, match="compared by its type"):
        held_problems.add(session, addition("checker"), NOW)
    assert session.scalars(select(AdditionRow)).all() == []
    assert problem.state == ProblemState.HELD


def test_what_is_asked_for_is_what_the_guide_says() -> None:
    asked_for = {role for form in Form for role, _ordinal in setter_tasks(form)}
    assert asked_for == set(SetterRole)
    assert setter_tasks(Form.CLASS) == ()
    assert (SetterRole.CHECKER, 0) not in setter_tasks(Form.FUNCTION)
