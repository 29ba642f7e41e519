"""Vendors' declarations of when their models were made, and those that wait for a maintainer."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select, update

from app.db.kernel.session import Session
from app.db.tables import Declaration, Model, Organisation
from app.domain.states import DeclarationState


class PendingDeclaration(NamedTuple):
    """A waiting declaration, with its model and organisation."""

    declaration: Declaration
    model: Model
    organisation: Organisation


def replace_pending(session: Session, row: Declaration, now: datetime) -> None:
    """Add a waiting declaration, and mark one of the same model that still waits as replaced."""
    earlier = (Declaration.model_id == row.model_id, Declaration.state == DeclarationState.WAITING)
    session.execute(update(Declaration).where(*earlier).values(state=DeclarationState.REPLACED, decided_at=now))
    session.add(row)
    session.flush()


def pending_declarations(session: Session) -> list[PendingDeclaration]:
    """Return the waiting declarations, oldest first."""
    query = (
        select(Declaration, Model, Organisation)
        .join(Model, Model.id == Declaration.model_id)
        .join(Organisation, Organisation.id == Model.organisation_id)
        .where(Declaration.state == DeclarationState.WAITING)
    )
    return [PendingDeclaration(*row) for row in session.execute(query.order_by(Declaration.id))]


def pending_of_model(session: Session, model_id: int) -> Declaration | None:
    """Return the waiting declaration of a model."""
    return session.scalar(
        select(Declaration).where(Declaration.model_id == model_id, Declaration.state == DeclarationState.WAITING)
    )


def lock_declaration(session: Session, number: int) -> tuple[Declaration, Model] | None:
    """Return a declaration and its model, both locked, so that two maintainers decide in turn."""
    row = session.execute(
        select(Declaration, Model)
        .join(Model, Model.id == Declaration.model_id)
        .where(Declaration.id == number)
        .with_for_update()
        .execution_options(populate_existing=True)
    ).first()
    return None if row is None else (row[0], row[1])
