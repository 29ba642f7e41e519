"""What audits of published problems read."""

from sqlalchemy import select

from app.db.session import Session
from app.db.tables import CellRow, Problem, ProtocolRow, Run
from app.domain.states import ProblemState, RunOrigin


def pass_rates(session: Session) -> dict[str, dict[int, dict[int, float]]]:
    """protocol slug -> run -> problem -> pass rate, of our own public runs and published problems."""
    rows = session.execute(
        select(ProtocolRow.slug, CellRow.run_id, CellRow.problem_id, CellRow.c, CellRow.n)
        .join(Run, Run.id == CellRow.run_id)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .join(Problem, Problem.id == CellRow.problem_id)
        .where(
            CellRow.n > 0, CellRow.item == 0, Run.public, Run.origin == RunOrigin.OWN,
            Problem.state == ProblemState.PUBLISHED, Problem.canary.is_(False),
        )
    )  # fmt: skip
    found: dict[str, dict[int, dict[int, float]]] = {}
    for protocol, run_id, problem_id, c, n in rows:
        found.setdefault(protocol, {}).setdefault(run_id, {})[problem_id] = c / n
    return found
