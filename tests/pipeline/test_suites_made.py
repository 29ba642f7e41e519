"""A suite made here becomes a problem's tests: offered, proven by the workers, and then the problem is published."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from pipeline.flow import NOW, answer_all, judge_one, standing
from sqlalchemy import select
from support.batches import SUM, WRONG, batch, problem, sum_tests
from support.waiting import until

from app.db.kernel.session import Session
from app.db.tables import Problem, ProgramRow, Rejudging, TestSet
from app.domain.errors import InvalidInput, NotFound
from app.domain.imports import ImportedProgram, ImportedStatement
from app.domain.problems import Entry, Form, Limits, Param, ProblemSpec, Test
from app.domain.states import ProblemState
from app.services.problems import testgen
from app.services.runs import imports
from workers import tasks
from workers.context import Context, now

ROOT = Path(__file__).resolve().parents[2]
MADE = ProblemSpec("sum", Form.STDIN, sum_tests(5), Limits(1000, 128, 1024))
PROGRAMS = (ImportedProgram("ref.py", "python", SUM), ImportedProgram("wrong.py", "python", WRONG, reference=False))
EVIDENCE = {"validity": 1.0, "mutation_score": 0.9, "survived": ["initial:3"]}
BARE = replace(problem(0, shipped=False), tests=(), programs=())


@pytest.mark.sandbox
def test_a_problem_without_tests_is_published_once_its_suite_is_proven(ctx: Context) -> None:
    ctx.commit(imports.store_batch, batch(BARE), now())
    with ctx.sessions() as session:
        assert session.scalars(select(Problem.state)).one() == ProblemState.HELD
    stored = [ctx.commit(testgen.store_suite, "house/sum-0", MADE, PROGRAMS, EVIDENCE, now()) for _each in range(2)]
    assert [each.new for each in stored] == [True, False]
    assert len({each.test_set_id for each in stored}) == 1
    tasks.prove_tests()
    assert ctx.commit(testgen.outcome, "house/sum-0") == "published"
    with ctx.sessions() as session:
        made = session.scalars(select(TestSet)).one()
        assert (made.origin, made.setters, made.brought_by) == ("references", [], "testgen")
        assert (made.proof, made.proof_detail["references"]) == ("proven", 1)
        assert made.proof_detail["made"] == EVIDENCE
        assert set(session.scalars(select(ProgramRow.origin))) == {"testgen"}


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


ADD = Entry("add", None, (Param("a", "int"), Param("b", "int")), "int")
STATEMENT = "Return a plus b.\n\nConstraints:\n\n-99 <= a, b <= 99\n"


@pytest.mark.slow
@pytest.mark.sandbox
def test_who_makes_tests_that_are_only_proposed_is_told(ctx: Context, tmp_path: Path) -> None:
    """A board counts verdicts of the present tests: the verb names the rejudging and where it is decided."""
    text = ImportedStatement("Add", STATEMENT, {"python": "def add(a, b):\n"})
    given = replace(
        problem(0), form=Form.FUNCTION, entry=ADD, tests=(Test([1, 2], 3),), programs=(), statements={"en": text}
    )
    ctx.commit(imports.store_batch, batch(given), now())
    with ctx.sessions.begin() as session:
        standing(session, "tern")
        assert answer_all(session, now=now()) == 1
        assert judge_one(session, now=now())
    tasks.aggregate()
    params = [{"name": "a", "type": "int"}, {"name": "b", "type": "int"}]
    file, program = tmp_path / "p.json", tmp_path / "ref.py"
    entry = {"name": "add", "params": params, "returns": "int"}
    file.write_text(json.dumps({"id": "add", "form": "function", "statement": STATEMENT, "entry": entry}))
    program.write_text("def add(a, b):\n    return a + b\n")
    words = [str(file), "--reference", str(program), "--max", "8", "--into", "house/sum-0"]
    code, printed = run(ctx, "testgen", *words, "--json")
    assert code == 0, printed
    with ctx.sessions() as session:
        row = session.scalars(select(Rejudging)).one()
    assert json.loads(printed)["rejudgings"] == [
        {"id": row.id, "state": "proposed", "problem": "house/sum-0", "test_set": row.scope["test_set"],
         "where": f"/ops/rejudging/{row.id}"}
    ]  # fmt: skip


def run(ctx: Context, *words: str) -> tuple[int, str]:
    """The exit code of a verb and what it printed, while a worker's part is done here."""
    names = {
        "TIDEMARK_DATABASE_URL": ctx.settings.database_url, "TIDEMARK_REDIS_URL": ctx.settings.redis_url,
        "TIDEMARK_STATE": str(ctx.settings.state_dir), "TIDEMARK_SANDBOX_ROOT": str(ctx.settings.sandbox_root),
        "TIDEMARK_SCRATCH_DIR": str(ctx.settings.scratch_dir),
    }  # fmt: skip
    command = [sys.executable, "-m", "app.cli", *words]
    with subprocess.Popen(command, env=os.environ | names, cwd=ROOT, stdout=subprocess.PIPE, text=True) as verb:

        def ended() -> bool:
            tasks.prove_tests()
            return verb.poll() is not None

        until(ended, "the verb's end")
        return verb.wait(), verb.communicate()[0]


def test_tests_of_something_else_are_refused(session: Session) -> None:
    called = Entry("f", "Solution", (Param("a", "int"),), "int")
    function = replace(BARE, external_id="f", form=Form.FUNCTION, entry=called)
    imports.store_batch(session, batch(BARE, function), NOW)
    two = Entry("f", "Solution", (Param("a", "int"), Param("b", "int")), "int")
    pairs = ProblemSpec("f", Form.FUNCTION, (Test([1, 2], 3),), entry=two)
    for name, made, words in (
        ("house/f", MADE, "of form function, but the tests are of form stdin"),
        ("house/f", pairs, "takes 1 arguments, but the tests have 2"),
    ):
        with pytest.raises(InvalidInput, match=words):
            testgen.store_suite(session, name, made, PROGRAMS, EVIDENCE, NOW)
    for name in ("house/nothing", "nowhere/sum-0", "sum-0", ""):
        with pytest.raises(NotFound, match="unknown problem"):
            testgen.store_suite(session, name, MADE, PROGRAMS, EVIDENCE, NOW)
