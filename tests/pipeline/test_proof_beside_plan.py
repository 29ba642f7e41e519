"""Planning takes seconds: meanwhile proofs are recorded, and what was published is changed."""

from collections.abc import Iterator

import pytest
from pipeline.flow import LEASE, NOW, standing
from sqlalchemy import select, text
from support.batches import batch, problem

from app.db.kernel.session import SessionMaker, make_engine, make_sessionmaker
from app.db.problems import problems as problem_store
from app.db.tables import Problem, Sample
from app.domain.publishing.holds import ProofOutcome
from app.domain.states import ProblemState
from app.services.problems import publishing
from app.services.runs import imports, plan

AT_ONCE = text("SET LOCAL lock_timeout = '1s'")


@pytest.fixture
def committing(fresh_database: str) -> Iterator[SessionMaker]:
    engine = make_engine(fresh_database)
    yield make_sessionmaker(engine)
    engine.dispose()


def test_a_proof_waits_for_nobody_who_plans(committing: SessionMaker) -> None:
    with committing.begin() as session:
        imports.store_batch(session, batch(problem(0), problem(1, shipped=False)), NOW)
        standing(session, "tern")
    with committing.begin() as session:
        plan.update_waiting_problems(session, NOW)
    with committing() as planning:
        assert plan.plan_samples(planning, NOW) is not None
        with committing.begin() as proving:
            proving.execute(AT_ONCE)
            job = publishing.claim_proof(proving, NOW, LEASE)
            assert job is not None
            assert publishing.record_proof(proving, job, ProofOutcome(True, None, 1, 1), NOW)
        planning.commit()
    with committing() as session:
        assert session.scalars(select(Problem.state)).all() == [ProblemState.PUBLISHED] * 2


def test_a_problem_whose_answers_are_being_planned_may_be_changed(committing: SessionMaker) -> None:
    with committing.begin() as session:
        standing(session, "tern")
        imports.store_batch(session, batch(problem(0)), NOW)
    with committing() as planning:
        assert plan.plan_samples(planning, NOW)
        with committing.begin() as changing:
            changing.execute(AT_ONCE)
            [number] = changing.scalars(select(Problem.id))
            problem_store.lock_problem(changing, number).tags = ["changed"]
        planning.commit()
    with committing() as session:
        assert session.scalars(select(Problem.tags)).all() == [["changed"]]
        assert session.scalars(select(Sample.problem_id)).all() == [number]
