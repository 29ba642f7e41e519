"""A suite made here becomes a problem's tests: offered, proven by the workers, and then the problem is published."""

from dataclasses import replace

import pytest
from pipeline.flow import NOW
from sqlalchemy import select
from support.batches import SUM, WRONG, batch, problem, sum_tests

from app.db.session import Session
from app.db.tables import Problem, Program, TestSet
from app.domain.errors import InvalidInput, NotFound
from app.domain.imports import ImportedProgram
from app.domain.problems import Entry, Form, Limits, Param, ProblemSpec, Test
from app.domain.states import ProblemState
from app.services import imports, testgen
from workers import tasks
from workers.context import Context, now

MADE = ProblemSpec("sum", Form.STDIN, sum_tests(5), Limits(1000, 128, 1024))
PROGRAMS = (ImportedProgram("ref.py", "python", SUM), ImportedProgram("wrong.py", "python", WRONG, reference=False))
EVIDENCE = {"validity": 1.0, "mutation_score": 0.9, "survived": ["initial:3"]}
BARE = replace(problem(0, shipped=False), tests=(), programs=())


@pytest.mark.sandbox
def test_a_problem_without_tests_is_published_once_its_suite_is_proven(ctx: Context) -> None:
    ctx.commit(imports.store_batch, batch(BARE), now())
    with ctx.sessions() as session:
        assert session.scalars(select(Problem.state)).one() == ProblemState.HELD
    assert ctx.commit(testgen.store_suite, "house/sum-0", MADE, PROGRAMS, EVIDENCE, now())
    assert not ctx.commit(testgen.store_suite, "house/sum-0", MADE, PROGRAMS, EVIDENCE, now())
    tasks.prove_tests()
    assert ctx.commit(testgen.outcome, "house/sum-0") == "published"
    with ctx.sessions() as session:
        made = session.scalars(select(TestSet)).one()
        assert (made.origin, made.proof, made.proof_detail["references"]) == ("generated", "proven", 1)
        assert made.proof_detail["made"] == EVIDENCE
        assert set(session.scalars(select(Program.origin))) == {"generated"}


@pytest.mark.sandbox
def test_what_is_published_keeps_its_tests_until_others_are_proven(ctx: Context) -> None:
    ctx.commit(imports.store_batch, batch(problem(0)), now())
    with ctx.sessions() as session:
        before = session.scalars(select(Problem.current_test_set_id)).one()
    refuted = replace(MADE, tests=(Test("1 1\n", "3\n"),))
    for made, kept in ((refuted, True), (MADE, False)):
        ctx.commit(testgen.store_suite, "house/sum-0", made, PROGRAMS, EVIDENCE, now())
        with ctx.sessions() as session:
            assert session.scalars(select(Problem.current_test_set_id)).one() == before
        tasks.prove_tests()
        with ctx.sessions() as session:
            assert (session.scalars(select(Problem.current_test_set_id)).one() == before) is kept
        assert ctx.commit(testgen.outcome, "house/sum-0") == "published"


def test_tests_of_something_else_are_refused(session: Session) -> None:
    called = Entry("f", "Solution", (Param("a", "int"),), "int")
    function = replace(BARE, external_id="f", form=Form.FUNCTION, entry=called)
    imports.store_batch(session, batch(BARE, function), NOW)
    two = Entry("f", "Solution", (Param("a", "int"), Param("b", "int")), "int")
    pairs = ProblemSpec("f", Form.FUNCTION, (Test([1, 2], 3),), entry=two)
    for name, made, words in (
        ("house/f", MADE, "of form function, the tests are of form stdin"),
        ("house/f", pairs, "called with 1 arguments, the tests have 2"),
    ):
        with pytest.raises(InvalidInput, match=words):
            testgen.store_suite(session, name, made, PROGRAMS, EVIDENCE, NOW)
    for name in ("house/nothing", "nowhere/sum-0", "sum-0", ""):
        with pytest.raises(NotFound, match="no problem"):
            testgen.store_suite(session, name, MADE, PROGRAMS, EVIDENCE, NOW)
