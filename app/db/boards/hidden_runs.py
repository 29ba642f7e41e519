"""Runs that are not public, as their board would have them."""

from sqlalchemy import select

from app.db.boards import cells, run_registrations, trials
from app.db.boards.cells import ProtocolFact
from app.db.kernel.session import Session
from app.db.runs import models
from app.db.tables import CellRow, Model, Organisation, Run
from app.domain.cube.facts import Cell, RunFact


def hidden_run(session: Session, protocol: ProtocolFact, run_id: int) -> RunFact:
    """Return a run as if it were public and stood for its model and configuration."""
    query = (
        select(Run, Model, Organisation)
        .join(Model, Model.id == Run.model_id)
        .outerjoin(Organisation, Organisation.id == Model.organisation_id)
        .where(Run.id == run_id)
    )
    run, model, vendor = session.execute(query).one()
    registration = run_registrations.registrations(session, [run_id])[run_id]
    beyond = run_id in trials.surplus_runs(session, protocol.id)
    tuned_from = models.base_slugs(session, [model]).get(model.id, "")
    return cells.describe_run(run, model, protocol.protocol, vendor, registration, (True, beyond), tuned_from).fact


def cells_of_run(session: Session, run_id: int) -> list[Cell]:
    """Return the cells of one run, public or not."""
    columns = (
        CellRow.run_id, CellRow.problem_id, CellRow.n, CellRow.c, CellRow.pending, CellRow.judge_errors, CellRow.item,
    )  # fmt: skip
    return [Cell(*row) for row in session.execute(select(*columns).where(CellRow.run_id == run_id))]
