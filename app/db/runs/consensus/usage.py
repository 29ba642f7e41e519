"""Usage of the consensus limits, by setters' samples and by building suites from them."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import ColumnElement, and_, case, func, or_, select, text, update
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.sql import literal
from sqlalchemy.types import BigInteger

from app.db.kernel.session import Session
from app.db.runs.consensus.asking_order import setter_protocols
from app.db.tables import ConsensusRow, Run, Sample
from app.domain.consensus.limits import ConsensusUsage
from app.domain.states import SampleState


def lock_bounds(session: Session) -> None:
    """Lock the limits until the transaction ends, or two transactions could both take what is left."""
    session.execute(text("SELECT pg_advisory_xact_lock(hashtext('setting'))"))


def of_text(session: Session, version_id: int, token: str) -> tuple[ConsensusUsage, ConsensusUsage]:
    """Return the usage for a text, and the most that work under way may still add.

    Work under this lease is not counted yet. A call under way counts as used, and so does one lost with its worker.
    """
    return _usage(
        session, Sample.problem_version_id == version_id, ConsensusRow.problem_version_id == version_id, token
    )


def of_day(session: Session, since: datetime, token: str) -> tuple[ConsensusUsage, ConsensusUsage]:
    """Return the same as `of_text` for all texts since `since`, the start of the day."""
    today = func.coalesce(Sample.answered_at, Sample.first_tried_at) >= since
    return _usage(session, or_(today, Sample.state == SampleState.INFERRING), ConsensusRow.played_at >= since, token)


def _usage(
    session: Session, which: ColumnElement[bool], whose: ColumnElement[bool], token: str
) -> tuple[ConsensusUsage, ConsensusUsage]:
    ours = func.coalesce(Sample.lease_token == token, False)
    under_way = and_(Sample.state == SampleState.INFERRING, Sample.lease_token.is_not(None), ~ours)
    judge_s, judging_s = session.execute(
        select(
            func.coalesce(func.sum(ConsensusRow.judge_s), 0), func.coalesce(func.sum(ConsensusRow.reserved_s), 0)
        ).where(whose)
    ).one()
    tokens = (func.coalesce(part, 0) for part in (Sample.tokens_input, Sample.tokens_reasoning, Sample.tokens_answer))
    calls, read, usd, tokens_kept, usd_kept = session.execute(
        select(
            func.coalesce(func.sum(Sample.requests + case((under_way, 1), else_=0)), 0),
            func.coalesce(func.sum(sum(tokens, start=literal(0))), 0),
            func.coalesce(func.sum(Sample.cost_usd), 0),
            func.coalesce(func.sum(case((under_way, Sample.reserved_tokens))), 0),
            func.coalesce(func.sum(case((under_way, Sample.reserved_usd))), 0),
        )
        .join(Run, Run.id == Sample.run_id)
        .where(Run.protocol_id.in_(setter_protocols()), which)
    ).one()
    return (
        ConsensusUsage(int(calls), int(read), Decimal(usd), judge_s),
        ConsensusUsage(0, int(tokens_kept), Decimal(usd_kept), judging_s),
    )


def reserve(session: Session, tokens: dict[int, int]) -> None:
    """Store with claimed samples the most tokens that each call may take."""
    if tokens:
        ids, most = (literal(list(column), ARRAY(BigInteger)) for column in (tokens.keys(), tokens.values()))
        rows = func.unnest(ids, most).table_valued("sample", "tokens").render_derived()
        session.execute(
            update(Sample)
            .where(Sample.id == rows.c.sample)
            .values(reserved_tokens=rows.c.tokens)
            .execution_options(synchronize_session=False)
        )


def lock_free_consensus(session: Session, version_id: int, now: datetime) -> ConsensusRow | None:
    """Return the unleased consensus of a text, locked; None if it is leased or locked."""
    free = or_(ConsensusRow.lease_until.is_(None), ConsensusRow.lease_until <= now)
    return session.scalar(
        select(ConsensusRow)
        .where(ConsensusRow.problem_version_id == version_id, free)
        .with_for_update(skip_locked=True),
        execution_options={"populate_existing": True},
    )
