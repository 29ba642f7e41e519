"""Unittests that cannot be judged outside a program: their proof says so once, and then every program is counted."""

import json
from dataclasses import replace

import pytest
from factories import World
from pipeline.flow import LANGUAGES, LEASE, NOW, answer_all, judge_one, standing
from sqlalchemy import select, update
from support.batches import batch, problem

from app.db.kernel.session import Session
from app.db.tables import CellRow, Model, Problem, Run, TestSet, VerdictRow
from app.domain.asking.protocols import HOUSE, ProtocolScope
from app.domain.exports import ExportTable
from app.domain.imports import ImportedProgram
from app.domain.problems import Entry, Form, Test
from app.services.boards.export import Format, lines
from app.services.problems import publishing
from app.services.runs import grade, imports
from workers import tasks
from workers.context import Context, now

HALF = "from fractions import Fraction\ndef half(n): return Fraction(n, 2)\n"
LIAR = "class A:\n    def __eq__(self, other): return type(other) is not object\ndef half(n): return A()\n"
TESTS = """
import unittest
class T(unittest.TestCase):
    def test_a(self): self.assertEqual(half(1), 0.5)
    def test_b(self): self.assertEqual(half(2), 1)
"""
PROTOCOL = replace(HOUSE, slug="beside", covers=ProtocolScope(sources=("house",), forms=(Form.UNITTEST,)))
ASKED = replace(
    problem(0, shipped=False),
    form=Form.UNITTEST,
    entry=Entry("half"),
    tests=(Test(TESTS, None),),
    programs=(ImportedProgram("reference", "python", HALF),),
)


@pytest.mark.sandbox
def test_a_program_is_counted_whatever_it_returns(ctx: Context) -> None:
    ctx.commit(imports.store_batch, batch(ASKED), now())
    tasks.prove_tests()
    with ctx.sessions() as session:
        detail = session.scalars(select(TestSet.proof_detail)).one()
        assert detail["beside"] == {"0": ["T.test_a", "T.test_b"]}
    counted = {"half": (HALF, (1, 1)), "liar": (LIAR, (1, 0)), "zero": ("def half(n): return 0", (1, 0))}
    with ctx.sessions.begin() as session:
        world, asked = World(session), session.scalars(select(Problem)).one()
        for name, (code, _counts) in counted.items():
            world.answer(world.run(name, protocol=PROTOCOL), asked, None, program=code)
    tasks.grade_answers()
    tasks.aggregate()
    with ctx.sessions() as session:
        cells = session.execute(
            select(Model.slug, CellRow.n, CellRow.c)
            .join(Run, Run.id == CellRow.run_id)
            .join(Model, Model.id == Run.model_id)
        )
        assert {slug: (n, c) for slug, n, c in cells} == {name: counts for name, (_code, counts) in counted.items()}
        assert session.scalars(select(VerdictRow.in_process)).all() == [True] * 3
        exported = [json.loads(line) for line in lines(session, ExportTable.SAMPLES, Format.JSONL)]
        assert [line["in_process"] for line in exported] == [True] * 3
    with ctx.sessions.begin() as session:
        session.execute(update(TestSet).values(proof="waiting"))
        job = publishing.claim_proof(session, now(), LEASE)
        assert job is not None
        assert job.problem.tests[0].expected == {"beside": ["T.test_a", "T.test_b"]}, "what was decided stays"


def test_answers_wait_for_a_proof_that_is_to_come(session: Session) -> None:
    """Of a published problem whose tests are proven again."""
    imports.store_batch(session, batch(problem(0)), NOW)
    standing(session, "tern")
    assert answer_all(session) == 1
    session.execute(update(TestSet).values(proof="waiting"))
    assert grade.claim(session, NOW, LEASE, LANGUAGES) is None
    session.execute(update(TestSet).values(attempts=3))
    assert judge_one(session), "no proof is to come any more"
