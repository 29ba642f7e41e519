"""Derived items from a published problem to their boards: made once all is solved, asked of nobody before."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from fakes import model_server
from fakes.model_server import Asked, ModelServer, Say
from pipeline.flow import LEASE, NOW, answer_all, decided, judge_one, offer, standing
from sqlalchemy import Connection, func, select, update
from support.batches import COUNTING as CODE
from support.batches import batch, counting
from support.servers import Servers, rolled_back

from app.db.kernel.session import Session, SessionMaker
from app.db.tables import (
    Derivation,
    DerivedItem,
    Endpoint,
    ExposureRow,
    Model,
    ProgramRow,
    ProtocolRow,
    Run,
    Sample,
    Source,
    VerdictRow,
)
from app.domain.asking.protocols import HOUSE
from app.domain.boards.named_boards import board_of
from app.domain.deriving.items import DerivedItemKind, DerivedItemSpec
from app.domain.imports import ImportedModel, ImportedProgram
from app.domain.scenarios.execution import SCENARIO as EXECUTION
from app.domain.scenarios.execution_input import SCENARIO as EXECUTION_INPUT
from app.domain.scenarios.hack import SCENARIO as HACK
from app.domain.scenarios.test_output import SCENARIO as TEST_OUTPUT
from app.services.boards import board_views
from app.services.boards.cubes import CubeStore
from app.services.boards.query import parse_query
from app.services.problems import derivations
from app.services.runs import grade, imports, plan, sample_views
from workers import tasks
from workers.context import Context, now

PROTOCOLS = (HOUSE, *EXECUTION.protocols[:2], EXECUTION_INPUT.protocols[0], TEST_OUTPUT.protocols[0])
DERIVED = DerivedItemSpec(
    DerivedItemKind.EXECUTION, {"code": "def total(xs):\n    return sum(xs)", "call": "total(xs = [2])"}, 2, program=0
)


def solve(session: Session) -> None:
    imports.store_batch(session, batch(counting()), NOW)
    standing(session, "tern")
    assert answer_all(session) == 1
    assert judge_one(session)
    plan.plan_samples(session, NOW)


@pytest.fixture(scope="module")
def solved(servers: Servers) -> Iterator[Connection]:
    """A problem that a model has solved, with which tests begin."""
    with servers.arranged(solve) as connection:
        yield connection


@pytest.fixture
def session(solved: Connection) -> Iterator[Session]:
    with rolled_back(solved) as sessions, sessions() as made:
        yield made


def asked_of(session: Session) -> set[str]:
    """The protocols that samples are of."""
    rows = select(ProtocolRow.slug).join(Run, Run.protocol_id == ProtocolRow.id).join(Sample, Sample.run_id == Run.id)
    return set(session.scalars(rows))


@pytest.mark.sandbox
def test_what_is_derived_is_asked_once_the_problem_is_solved(ctx: Context, tmp_path: Path) -> None:
    order: list[str] = []

    def answer(asked: Asked) -> Say:
        words = asked.last_message
        found = re.findall(r"assert total\(xs = \[([\d, -]*)\]\) == \?\?", words)
        if sought := re.findall(r"assert total\(\?\?\) == (\d+)", words):
            order.append("execution_input")
            return model_server.message(f"[ANSWER]\nassert total(xs = [{sought[-1]}]) == {sought[-1]}\n[/ANSWER]")
        order.append("codegen" if not found else "execution" if "[PYTHON]" in words else "test_output")
        if not found:
            return model_server.message(f"```python\n{CODE}```")
        value = sum(max(0, int(each)) for each in found[-1].split(",") if each.strip())
        line = f"assert total(xs = [{found[-1]}]) == {value}"
        return model_server.message(f"[ANSWER]\n{line}\n[/ANSWER]" if "[PYTHON]" in words else f"```\n{line}\n```")

    with ModelServer(answer) as server:
        ctx.commit(imports.store_batch, batch(counting()), now())
        tern = plan.BundledModel(ImportedModel("tern", "Tern", "Demo"), server.url)
        for protocol in PROTOCOLS:
            ctx.commit(plan.register_demo, (tern,), protocol, now())
        tasks.plan_runs()
        with ctx.sessions() as session:
            assert asked_of(session) == {"house"}
            (endpoint,) = session.scalars(select(Endpoint.id)).all()
        tasks.infer_slice(endpoint)
        tasks.plan_runs()
        with ctx.sessions() as session:
            assert session.scalar(select(func.count()).select_from(Derivation)) == 0, "it is not judged yet"
        tasks.grade_answers()
        tasks.plan_runs()
        tasks.derive_items()
        tasks.derive_items()
        tasks.plan_runs()
        with ctx.sessions() as session:
            assert asked_of(session) == {protocol.slug for protocol in PROTOCOLS}
            shown = session.scalars(select(DerivedItem).where(DerivedItem.kind == "execution")).all()
            assert len(shown) == 6
            assert {item.program_id for item in shown} == set(session.scalars(select(ProgramRow.id)))
            assert all(item.measured["steps"] <= 1000 for item in shown)
        tasks.infer_slice(endpoint)
        tasks.grade_answers()
        tasks.aggregate()
    assert order[0] == "codegen"
    counts = Counter(order)
    inputs = counts.pop("execution_input")
    assert counts == {"codegen": 1, "execution": 12, "test_output": 2}
    assert 1 <= inputs <= 6
    with ctx.sessions() as session:
        for protocol in PROTOCOLS[1:]:
            query = parse_query([("protocol", protocol.slug)], board_of(protocol) or "")
            (row,) = board_views.board(session, query, CubeStore(tmp_path)).rows
            assert (row.score, row.n_problems, row.coverage) == (100.0, 1, 1.0)
        assert session.scalar(select(func.count()).select_from(ExposureRow)), (
            "what was sent stands in the ledger of sendings"
        )
        assert session.scalar(select(func.count()).select_from(VerdictRow)) == 15 + inputs
        sample = session.scalars(select(Sample.id).order_by(Sample.id.desc())).first()
        assert sample_views.sample(session, sample or 0).prompt is None, "this source's statements are shown to nobody"


@pytest.mark.sandbox
def test_a_wrong_program_is_broken_by_what_its_validator_lets_in(ctx: Context) -> None:
    """From an imported validator and known-wrong program to verdicts: right, illegal, and no hack at all."""
    said = ["[-1]", "[5]", "[1, 2]"]
    validator = "import json\n(xs,) = json.loads(input())\nassert all(x >= 0 for x in xs)\n"
    wrong = "class Solution:\n    def total(self, xs):\n        # forgets one\n        return sum(xs[1:] and xs)\n"
    right = "class Solution:\n    def total(self, xs):\n        return sum(xs)\n"  # little can be planted in it
    programs = (ImportedProgram("ref_1", "python", right), ImportedProgram("wrong_1", "python", wrong, reference=False))
    problem = replace(counting(), programs=programs, validator=ImportedProgram("validate", "python", validator))
    three = replace(HACK.protocols[0], slug="three", sampling=replace(HOUSE.sampling, n=3))

    def answer(asked: Asked) -> Say:
        breaks = "### Wrong program" in asked.last_message
        assert not breaks or "forgets" not in asked.last_message
        return model_server.message(f"```input\n{said.pop()}\n```" if breaks else f"```python\n{right}```")

    with ModelServer(answer) as server:
        ctx.commit(imports.store_batch, batch(problem), now())
        tern = plan.BundledModel(ImportedModel("tern", "Tern", "Demo"), server.url)
        for protocol in (HOUSE, three):
            ctx.commit(plan.register_demo, (tern,), protocol, now())
        for turn in range(2):
            tasks.plan_runs()
            with ctx.sessions() as session:
                (endpoint,) = session.scalars(select(Endpoint.id)).all()
                assert asked_of(session) == ({"house", "three"} if turn else {"house"})
            tasks.infer_slice(endpoint)
            tasks.grade_answers()
            tasks.plan_runs()
            tasks.derive_items()
    assert not said
    with ctx.sessions() as session:
        found = session.execute(
            select(Sample.answer, VerdictRow.verdict)
            .join(VerdictRow, VerdictRow.sample_id == Sample.id)
            .join(Run, Run.id == Sample.run_id)
            .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
            .where(ProtocolRow.slug == "three")
        )
        assert {(answer or "").strip(): verdict for answer, verdict in found} == {
            "[5]": "accepted", "[-1]": "wrong_answer", "[1, 2]": "wrong_answer",
        }  # fmt: skip


def test_a_model_is_not_sent_a_solution_while_it_is_to_solve_the_problem(session: Session) -> None:
    """Whoever else has solved it: a model that came later is asked for programs first."""
    job = derivations.claim(session, NOW, LEASE)
    assert job is not None
    assert [program.code for program in job.programs] == [CODE, "print(1)\n"], "a reference, and an accepted answer"
    assert derivations.record(session, job, [DERIVED, replace(DERIVED, program=1)], NOW)
    assert not derivations.record(session, job, [DERIVED], NOW), "its lease is over"
    first, second = session.scalars(select(DerivedItem).order_by(DerivedItem.number)).all()
    assert (first.program_id is None, first.sample_id is None) == (False, True)
    assert (second.program_id is None, second.sample_id is None) == (True, False)
    execution = EXECUTION.protocols[0]
    for slug in ("tern", "plover"):
        standing(session, slug, protocol=execution)
    of_tern = select(func.count()).select_from(Sample).where(Sample.item == 1)
    assert session.scalar(of_tern) == 2, "nobody else is to solve it"
    standing(session, "godwit")
    standing(session, "godwit", protocol=execution)
    assert session.scalar(of_tern) == 2, "the one that came later solves it first"
    assert plan.sweep(session, NOW).endpoints
    while answer_all(session):
        pass
    while judge_one(session):
        pass
    plan.plan_samples(session, NOW)
    assert session.scalar(of_tern) == 3


def test_what_one_model_may_be_asked_says_nothing_of_what_another_may(sessions: SessionMaker) -> None:
    with sessions() as session:
        imports.store_batch(session, batch(counting(0), counting(1)), NOW)
        standing(session, "tern")
        answer_all(session)
        while judge_one(session):
            pass
        plan.plan_samples(session, NOW)
        while (job := derivations.claim(session, NOW, LEASE)) is not None:
            assert derivations.record(session, job, [DERIVED, replace(DERIVED, expected=3)], NOW)
        standing(session, "godwit")
        for slug in ("godwit", "tern"):  # the first is still to solve them
            plan.register_demo(session, (offer(slug),), EXECUTION.protocols[0], NOW)
        plan.plan_samples(session, NOW)
        asked = (
            select(Model.slug, func.count()).join(Run, Run.model_id == Model.id).join(Sample, Sample.run_id == Run.id)
        )
        asked = asked.join(ProtocolRow, ProtocolRow.id == Run.protocol_id).group_by(Model.slug)
        found = session.execute(asked.where(ProtocolRow.slug == "house-execution")).all()
        assert [tuple(row) for row in found] == [("tern", 4)]


def test_an_item_that_is_gone_waits_and_stops_nobody_else(session: Session) -> None:
    """Other tests make other items, and until they have there is nothing to ask."""
    job = derivations.claim(session, NOW, LEASE)
    assert job is not None
    assert derivations.record(session, job, [DERIVED], NOW)
    standing(session, "tern", protocol=EXECUTION.protocols[0])
    session.delete(session.scalars(select(DerivedItem)).one())
    imports.store_batch(session, batch(counting(1)), NOW)
    plan.plan_samples(session, NOW)
    assert answer_all(session) == 1, "the new problem's program"
    waiting = session.scalars(select(Sample).where(Sample.state == "pending")).one()
    assert waiting.not_before == NOW + timedelta(hours=1)
    assert (waiting.error_owner, waiting.inference_attempts) == ("us", 0)
    assert "asks 0 items" in (waiting.error or "")


def test_nothing_is_derived_before_everybody_has_solved_it(sessions: SessionMaker) -> None:
    with sessions() as session:
        imports.store_batch(session, batch(counting()), NOW)
        standing(session, "tern", "plover")
        plan.plan_samples(session, NOW)
        assert plan.sweep(session, NOW).derivations == 0
        answer_all(session)
        assert judge_one(session)
        plan.plan_samples(session, NOW)
        assert derivations.claim(session, NOW, LEASE) is None, "one answer is not judged"
        assert judge_one(session)
        plan.plan_samples(session, NOW)
        assert plan.sweep(session, NOW).derivations == 1
        assert derivations.claim(session, NOW, LEASE) is not None
        assert derivations.claim(session, NOW, LEASE) is None, "somebody has it"


def test_a_problem_yields_its_items_once(session: Session) -> None:
    job = derivations.claim(session, NOW, LEASE)
    assert job is not None
    assert derivations.record(session, job, [DERIVED], NOW)
    assert derivations.claim(session, NOW + 2 * LEASE, LEASE) is None
    assert not derivations.record(session, job, [DERIVED], NOW)
    assert len(session.scalars(select(DerivedItem)).all()) == 1


def test_an_answer_waits_for_what_other_tests_yield(session: Session) -> None:
    """Until the problem has yielded its items again there is nothing to compare with; then it is judged."""
    job = derivations.claim(session, NOW, LEASE)
    assert job is not None
    assert derivations.record(session, job, [DERIVED], NOW)
    standing(session, "tern", protocol=EXECUTION.protocols[0])
    answer_all(session, "[ANSWER]\nassert total(xs = [2]) == 2\n[/ANSWER]")
    session.delete(session.scalars(select(DerivedItem)).one())
    derivation = session.scalars(select(Derivation)).one()
    derivation.derived_at = None
    session.flush()
    for attempt in range(3):
        later = NOW + timedelta(hours=attempt)
        waiting = grade.claim(session, later, LEASE, ())
        assert waiting is not None
        assert grade.record(session, waiting, decided(waiting), later)
    asked = select(Sample.state).where(Sample.answer == "2")
    assert session.scalars(asked).one() == "stuck"
    again = derivations.claim(session, NOW, LEASE)
    assert again is not None
    assert derivations.record(session, again, [DERIVED], NOW)
    assert session.scalars(asked).one() == "answered"
    waiting = grade.claim(session, NOW, LEASE, ())
    assert waiting is not None
    assert decided(waiting).verdict == "accepted"


def test_programs_that_only_prove_tests_are_not_shown(sessions: SessionMaker) -> None:
    with sessions() as session:
        imports.store_batch(session, batch(counting()), NOW)
        (program,) = session.scalars(select(ProgramRow)).all()
        session.delete(program)
        session.flush()
        session.add(ProgramRow(problem_id=program.problem_id, kind="reference", name="x", language="python", code=CODE,
                            code_sha256="0" * 64, origin="x", secret=True))  # fmt: skip
        session.flush()
        plan.plan_samples(session, NOW)
        job = derivations.claim(session, NOW, LEASE)
        assert job is not None
        assert job.programs == ()


def test_what_no_such_protocol_covers_yields_nothing(sessions: SessionMaker) -> None:
    """A suite's items show solutions themselves: deriving of them would only take time."""
    with sessions() as session:
        imports.store_batch(session, batch(counting()), NOW)
        session.execute(update(Source).values(slug="house-coco"))
        session.expire_all()
        plan.plan_samples(session, NOW)
        assert derivations.claim(session, NOW, LEASE) is None
        session.execute(update(Source).values(slug="house"))
        session.expire_all()
        plan.plan_samples(session, NOW)
        assert derivations.claim(session, NOW, LEASE) is not None
