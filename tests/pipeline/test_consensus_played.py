"""What setters answered is played in a grading worker: a suite is stored and proven, or the problem is held."""

from dataclasses import asdict
from datetime import date, timedelta

import pytest
from factories import World
from pipeline.flow import LEASE, NOW
from sqlalchemy import select, update
from support.consensus import MINUTE, Says, add_setter, asked, fresh, ranked, samples_of, says, setting_of, settle
from support.facts import facts_may_change
from support.setters import FROM_ZERO, fenced

from app.db.kernel.session import Session
from app.db.tables import ConsensusRow, Problem, ProblemVersion, ProgramKind, ProgramRow, Sample, Source, TestSet
from app.domain.consensus.result import ConsensusResult, ProvingProgram
from app.domain.consensus.rounds import MOST_ROUNDS
from app.domain.problems import Entry, Param, ProblemSpec, Test
from app.domain.publishing.holds import UNSENT_REASON
from app.domain.reasons import text_reason
from app.domain.states import ConsensusState, ProblemState, SampleState
from app.services.problems import quarantine
from app.services.runs import plan
from app.services.runs.consensus import consensus_jobs, setters
from workers import tasks
from workers.context import Context, now

OLD = date(2026, 9, 1)
SUITE = (Test("1\n1\n", "1\n"), Test("2\n1 -1\n", "1\n"))


def begun(session: Session, *vendors: str) -> Problem:
    problem = fresh(session)
    ranked(session, "tern", "Tern Labs")
    for vendor in vendors:
        add_setter(session, f"of-{vendor}", vendor)
    settle(session, problem)
    return problem


def says_well(name: str) -> Says:
    return says(name.removeprefix("of-"))


def made(reason: str | None = None, problem: ProblemSpec | None = None) -> ConsensusResult:
    assert problem is not None
    suite = ProblemSpec(problem.id, problem.form, SUITE, problem.limits)
    programs = (
        ProvingProgram("a 0", "python", "print(1)\n", right=True),
        ProvingProgram("b 0", "python", "print(2)\n", right=False),
    )
    return ConsensusResult(
        None if reason is None else text_reason(reason),
        suite,
        programs,
        {"legal": 9, "setters": [{"setter": "a", "vendor": "a"}]},
        {"legal": 9, "answers": [{"witness": "1\n1\n"}]},
    )


def test_it_is_played_once_everybody_has_answered(session: Session) -> None:
    problem = begun(session, "a", "b")
    assert consensus_jobs.claim(session, NOW, LEASE) is None
    asked(session, says_well)
    assert plan.sweep(session, NOW).consensuses == 1
    job = consensus_jobs.claim(session, NOW, LEASE)
    assert job is not None
    assert {(answer.answer_id.vendor, answer.answer_id.role) for answer in job.answers} >= {
        ("a", "brute"),
        ("b", "validator"),
    }
    assert job.has_checker
    assert [test.visible for test in job.problem.tests] == [True, True]
    assert consensus_jobs.claim(session, NOW, LEASE) is None, "it is leased"
    assert consensus_jobs.record(session, job, made(problem=job.problem), NOW)
    assert not consensus_jobs.record(session, job, made(problem=job.problem), NOW), "twice does nothing twice"
    suite = session.scalars(select(TestSet).where(TestSet.origin == "consensus")).one()
    told = {"legal": 9, "setters": [{"setter": "a", "vendor": "a"}]}
    assert (suite.proof, suite.proof_detail["made"]) == ("waiting", told), "no witness is told of a suite"
    kinds = session.execute(
        select(ProgramRow.kind, ProgramRow.origin, ProgramRow.secret).where(ProgramRow.problem_id == problem.id)
    ).all()
    assert sorted(map(tuple, kinds)) == [
        (ProgramKind.REFERENCE, "consensus", True), (ProgramKind.WRONG, "consensus", True),
    ]  # fmt: skip
    consensus = setting_of(session, problem)
    assert (consensus.state, consensus.test_set_id) == (ConsensusState.STORED, suite.id)
    assert problem.state == ProblemState.CHECKED, "its proof is to come"


def test_the_newest_problem_is_played_first(session: Session) -> None:
    """A fresh contest does not wait for what setters make of years before it."""
    world = World(session, now=NOW)
    older, newest = (fresh(session, name, day, world=world) for name, day in (("a", OLD), ("b", date(2026, 10, 31))))
    for vendor in ("a", "b"):
        add_setter(session, f"of-{vendor}", vendor)
    for problem in (older, newest):
        settle(session, problem)
    asked(session, says_well)
    jobs = [consensus_jobs.claim(session, NOW, LEASE) for _problem in range(2)]
    assert [job is not None for job in jobs] == [True, True]
    assert jobs[0] is not None
    assert jobs[0].problem.id == str(newest.id)


def test_a_problem_without_a_suite_is_held_with_the_reason_and_evidence(session: Session) -> None:
    problem = begun(session, "a", "b")
    asked(session, says_well)
    job = consensus_jobs.claim(session, NOW, LEASE)
    assert job is not None
    assert consensus_jobs.record(session, job, made("programs contradict each other", job.problem), NOW)
    assert problem.state == ProblemState.HELD
    assert problem.hold_reason == "no full tests: programs contradict each other"
    assert setting_of(session, problem).evidence["answers"] == [{"witness": "1\n1\n"}]
    settle(session, problem)
    assert problem.state == ProblemState.HELD, "nothing is asked again by itself"
    assert asked(session, says_well, now=NOW + MINUTE) == []


def test_where_several_answers_may_be_right_setters_must_agree_on_a_checker(session: Session) -> None:
    problem = begun(session, "a", "b")
    asked(session, says_well)
    for flag in ("multiple_answers", "float_tolerance"):
        problem.flags = [flag]
        session.flush()
        with session.begin_nested() as case:
            job = consensus_jobs.claim(session, NOW, LEASE)
            assert job is not None, flag
            assert not job.has_checker, flag
            case.rollback()


ECHO = asdict(Entry("echo", "Solution", (Param("x", "integer[]"),), "integer[]"))


SEVERAL: tuple[tuple[str, list[str]], ...] = (
    ("If there are several answers, return any of them.", []),
    ("Return the values in any order.", []),
    ("如果有多个答案，返回任意一个。", []),
    ("Return the values.", ["multiple_answers"]),
)


def test_functions_with_several_right_values_are_held_before_anybody_is_asked(session: Session) -> None:
    """No program of a suite compares values: whatever setters answered, nothing would come of it."""
    problems = functions(session, *SEVERAL)
    for problem, (statement, _flags) in zip(problems, SEVERAL, strict=True):
        assert problem.state == ProblemState.HELD, statement
        assert problem.hold_reason == "several answers are right, and no checker knows them", statement
        assert samples_of(session, problem) == [], "no ranked model either"
    assert session.scalars(select(ConsensusRow)).all() == []
    assert asked(session, says_well) == []
    for problem in problems:
        quarantine.release(session, problem, "operator", "only one is right", NOW)
        assert problem.state == ProblemState.CHECKED
    plan.plan_samples(session, NOW)
    assert {setting_of(session, problem).state for problem in problems} == {ConsensusState.ASKING}
    while asked(session, says_well):
        pass
    for _problem in problems:
        job = consensus_jobs.claim(session, NOW, LEASE)
        assert job is not None
        assert job.has_checker, "as the maintainer says"


def test_other_functions_go_their_way(session: Session) -> None:
    [problem] = functions(session, ("Return the values. The jobs may be done in any turn.", []))
    assert problem.state == ProblemState.CHECKED


def test_a_functions_examples_are_calls_though_a_site_shows_them_as_text(session: Session) -> None:
    [problem] = functions(session, ("Return the values, each as it is.", []))
    version = session.get_one(ProblemVersion, problem.current_version_id)
    with facts_may_change(session):
        version.examples = [
            {"input": "[1, 2]\n", "expected": "[1, 2]\n"}, {"input": "see the picture", "expected": "[]"},
        ]  # fmt: skip
        session.flush()
    while asked(session, says_well):
        pass
    job = consensus_jobs.claim(session, NOW, LEASE)
    assert job is not None
    assert [(test.input, test.expected) for test in job.problem.tests] == [([[1, 2]], [1, 2])]


def functions(session: Session, *texts: tuple[str, list[str]]) -> list[Problem]:
    """Functions that came without tests, by statement and flags, as far as they come by themselves, where there are
    setters."""
    world, problems = World(session, now=NOW), []
    ranked(session, "tern", "Tern Labs")
    for vendor in ("a", "b"):
        add_setter(session, f"of-{vendor}", vendor)
    for number, (statement, flags) in enumerate(texts):
        problem = fresh(session, f"echo-{number}", world=world)
        version = session.get_one(ProblemVersion, problem.current_version_id)
        with facts_may_change(session):
            facts = {"form": "function", "entry": ECHO, "statement": statement}
            session.execute(update(ProblemVersion).where(ProblemVersion.id == version.id).values(**facts))
        session.refresh(version)
        problem.flags = flags
        settle(session, problem)
        problems.append(problem)
    return problems


def test_a_late_or_lost_player_writes_nothing_and_a_deadly_one_is_held(session: Session) -> None:
    problem = begun(session, "a", "b")
    asked(session, says_well)
    now = NOW
    first = consensus_jobs.claim(session, now, LEASE)
    for _attempt in range(2):
        now += LEASE + MINUTE
        again = consensus_jobs.claim(session, now, LEASE)
        assert again is not None
        assert first is not None
        assert not consensus_jobs.record(session, first, made(problem=first.problem), now), "its lease ran out"
    assert consensus_jobs.claim(session, now + LEASE + MINUTE, LEASE) is None
    assert "by our fault" in str(problem.hold_reason)


def test_what_may_not_be_sent_begins_no_setting(session: Session) -> None:
    """Nobody is asked, and nobody waits for answers; once it may be sent, all goes on."""
    problem = fresh(session)
    ranked(session, "tern", "Tern Labs")
    for vendor in ("a", "b"):
        add_setter(session, f"of-{vendor}", vendor)
    source = session.get_one(Source, problem.source_id)
    source.send_statements = False
    session.flush()
    settle(session, problem)
    assert (problem.state, problem.hold_reason) == (ProblemState.HELD, UNSENT_REASON)
    assert session.scalars(select(ConsensusRow)).all() == []
    source.send_statements = True
    plan.plan_samples(session, NOW)
    assert problem.state == ProblemState.CHECKED
    assert setting_of(session, problem).state == ConsensusState.ASKING
    asked(session, says_well)
    source.send_statements = False
    plan.plan_samples(session, NOW)
    assert (problem.state, problem.hold_reason) == (ProblemState.HELD, UNSENT_REASON), "nor goes one on"
    assert consensus_jobs.claim(session, NOW + timedelta(hours=3), LEASE) is None


def test_a_silent_setter_is_waited_for_so_long_and_a_removed_one_not_at_all(session: Session) -> None:
    begun(session, "a", "b", "c")
    asked(session, says_well, only="of-a")
    assert plan.sweep(session, NOW).consensuses == 0
    setters.remove(session, "of-c", "it is silent", NOW)
    assert plan.sweep(session, NOW + timedelta(hours=1)).consensuses == 0
    job = consensus_jobs.claim(session, NOW + timedelta(hours=2), LEASE)
    assert job is not None
    assert {answer.answer_id.vendor for answer in job.answers} == {"a"}


@pytest.mark.slow
@pytest.mark.sandbox
@pytest.mark.parametrize("lies", [False, True])
def test_a_fresh_problem_gets_its_tests_and_is_published_by_itself(ctx: Context, lies: bool) -> None:
    """Contest over, answers kept, suite played and proven, published, answers judged: no call by hand."""
    brute = {"brute": fenced("input()\nprint(sum(map(int, input().split())))")} if lies else {}
    with ctx.sessions.begin() as session:
        problem_id = begun(session, "a", "b").id
        wrong = {"solution_2": fenced(FROM_ZERO)}
        told = {"of-a": wrong, "of-b": wrong | brute}
        asked(session, lambda name: says(name.removeprefix("of-"), **told[name]))
    tasks.build_suites()
    for _round in range(MOST_ROUNDS if lies else 0):
        with ctx.sessions.begin() as session:
            assert asked(session, lambda name: says(name.removeprefix("of-"), **told[name]), now=now())
        tasks.build_suites()
    tasks.prove_tests()
    tasks.grade_answers()
    with ctx.sessions() as session:
        problem = session.get_one(Problem, problem_id)
        consensus = setting_of(session, problem)
        judged = session.scalars(select(Sample.state).where(Sample.state == SampleState.GRADED)).all()
        if lies:
            assert (problem.state, consensus.state) == (ProblemState.HELD, ConsensusState.HELD)
            assert judged == []
            return
        assert consensus.reason is None
        assert (problem.state, consensus.state) == (ProblemState.PUBLISHED, ConsensusState.STORED), problem.hold_reason
        assert len(judged) == 1, "the ranked model's answer has waited for its tests"
