"""What is left to derive: the problems for which a plan would begin a derivation now, and those begun and not done."""

from datetime import UTC, datetime

from sqlalchemy import func, select

from app.db.kernel.session import Session
from app.db.tables import Derivation
from app.domain.scenarios import Need, scenarios, shipped_protocols
from app.services.problems import derivations


def count_underived(session: Session) -> int:
    """Their number; what is begun to count them is taken back."""
    asked = [each for each in shipped_protocols().values() if not each.imported]
    with session.begin_nested() as tried:
        derivations.begin(
            session, [each.covers for each in asked if Need.DERIVED in scenarios()[each.scenario].needs],
            datetime.now(UTC),
        )  # fmt: skip
        left = session.scalar(select(func.count()).where(Derivation.derived_at.is_(None))) or 0
        tried.rollback()
    return left
