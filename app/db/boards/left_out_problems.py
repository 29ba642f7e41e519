"""Counts of problems that a protocol's boards lack, by reason."""

from sqlalchemy import func, select

from app.db.boards.cells import ProtocolFact
from app.db.kernel.session import Session
from app.db.sources.scope import in_scope
from app.db.tables import ImportedResult, Problem, Run, Sample, Source
from app.domain.states import ProblemState

HELD, WITHDRAWN, UNDATED = "held", "withdrawn", "undated"
_REASONS = {ProblemState.HELD.value: HELD, ProblemState.WITHDRAWN.value: WITHDRAWN}


def count_absent(session: Session, protocol: ProtocolFact) -> dict[str, int]:
    """Count the held and withdrawn problems of the protocol's sources, by reason.

    For a protocol of files, count the problems of public runs that are on no board.
    """
    scope = protocol.protocol
    query = select(Problem.state, func.count()).where(Problem.canary.is_(False)).group_by(Problem.state)
    if scope.imported or scope.recorded:
        table = ImportedResult if scope.imported else Sample
        problem_ids = select(table.problem_id).join(Run, Run.id == table.run_id)
        query = query.where(Problem.id.in_(problem_ids.where(Run.protocol_id == protocol.id, Run.public)))
        on_board = (
            Problem.state != ProblemState.WITHDRAWN if scope.imported else Problem.state == ProblemState.PUBLISHED
        )
        query = query.where(~on_board | Problem.released_on.is_(None))
    else:
        query = query.join(Source, Source.id == Problem.source_id)
        query = query.where(Problem.state.in_(tuple(_REASONS)), in_scope(scope.covers))
    counts: dict[str, int] = {}
    for state, count in session.execute(query).all():
        # A file's problem may be known and not yet published; one in the right state has no date.
        missing = HELD if scope.recorded and state != ProblemState.PUBLISHED else UNDATED
        reason = _REASONS.get(state, missing)
        counts[reason] = counts.get(reason, 0) + count
    return {reason: counts[reason] for reason in (HELD, WITHDRAWN, UNDATED) if reason in counts}
