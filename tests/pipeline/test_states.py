"""A change of state happens once: who saw the old state and comes second changes nothing."""

from datetime import timedelta

import pytest
from pipeline.flow import NOW
from sqlalchemy import select, update
from support.batches import batch, problem

from app.db.kernel.session import Session
from app.db.problems import problems as problem_store
from app.db.runs import runs as run_store
from app.db.tables import Endpoint, Problem, Submission
from app.db.vendors import submissions
from app.domain.asking.protocols import HOUSE
from app.domain.errors import Conflict
from app.domain.imports import ImportedModel
from app.domain.states import ProblemState, SubmissionState
from app.services.runs import imports


def behind_its_back(session: Session, row: Problem | Submission, state: str) -> None:
    """Another worker moves the row; this one still believes what it has read."""
    table = type(row)
    before = row.state
    session.execute(
        update(table).where(table.id == row.id).values(state=state).execution_options(synchronize_session=False)
    )
    assert row.state == before


def test_a_problem_that_was_withdrawn_meanwhile_stays_so(session: Session) -> None:
    imports.store_batch(session, batch(problem(0, shipped=False)), NOW)
    row = session.scalars(select(Problem)).one()
    behind_its_back(session, row, ProblemState.WITHDRAWN)
    problem_store.move(session, row, ProblemState.CHECKED)
    assert row.state == ProblemState.WITHDRAWN
    with pytest.raises(Conflict):
        problem_store.move(session, row, ProblemState.PUBLISHED)


def submission(session: Session) -> Submission:
    model = run_store.ensure_model(session, ImportedModel("orion", "Orion", "Acme"), NOW)
    values = {"backend": "openai_chat", "remote_name": "orion", "base_url": "https://93.184.216.34/v1",
              "max_concurrency": 1}  # fmt: skip
    endpoint: Endpoint = run_store.ensure_endpoint(session, model.id, values)
    order = Submission(
        public_id="sub_1",
        organisation_id=run_store.ensure_organisation(session, "acme", "Acme").id,
        endpoint_id=endpoint.id,
        protocol_id=run_store.ensure_protocol(session, HOUSE).id,
        configuration={},
        continuous=True,
        visibility="public",
        state=SubmissionState.QUEUED,
        state_since=NOW,
        owner="us",
        created_at=NOW,
    )
    session.add(order)
    session.flush()
    return order


def test_an_order_that_was_cancelled_meanwhile_stays_so(session: Session) -> None:
    row = submission(session)
    behind_its_back(session, row, SubmissionState.CANCELLED)
    submissions.move(session, row, SubmissionState.PREFLIGHT, NOW + timedelta(hours=1))
    assert (row.state, row.state_since) == (SubmissionState.CANCELLED, NOW)
    with pytest.raises(Conflict):
        submissions.move(session, row, SubmissionState.PREFLIGHT, NOW)
