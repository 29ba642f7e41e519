"""What settings have used of their bounds: by their setters' samples, and by the plays of what these answered."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import ColumnElement, and_, case, func, or_, select, text, update
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.sql import literal
from sqlalchemy.types import BigInteger

from app.db.kernel.session import Session
from app.db.runs.setting.order import of_setters
from app.db.tables import Run, Sample, Setting
from app.domain.setting.bounds import Amounts
from app.domain.states import SampleState


def take_turn(session: Session) -> None:
    """Be alone with the bounds until the transaction ends: two who ask for what is left would both get it."""
    session.execute(text("SELECT pg_advisory_xact_lock(hashtext('setting'))"))


def of_text(session: Session, version_id: int, token: str) -> tuple[Amounts, Amounts]:
    """What the making of a text's tests has used, and the most that what is under way may take besides.

    What was taken under this lease is not counted yet. A call under way is used already, and so is one that was lost
    with its worker.
    """
    return _counted(session, Sample.problem_version_id == version_id, Setting.problem_version_id == version_id, token)


def of_day(session: Session, since: datetime, token: str) -> tuple[Amounts, Amounts]:
    """The same of all texts since the day began."""
    today = func.coalesce(Sample.answered_at, Sample.first_tried_at) >= since
    return _counted(session, or_(today, Sample.state == SampleState.INFERRING), Setting.played_at >= since, token)


def _counted(
    session: Session, which: ColumnElement[bool], whose: ColumnElement[bool], token: str
) -> tuple[Amounts, Amounts]:
    ours = func.coalesce(Sample.lease_token == token, False)
    under_way = and_(Sample.state == SampleState.INFERRING, Sample.lease_token.is_not(None), ~ours)
    judge_s, judging_s = session.execute(
        select(func.coalesce(func.sum(Setting.judge_s), 0), func.coalesce(func.sum(Setting.reserved_s), 0)).where(whose)
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
        .where(Run.protocol_id.in_(of_setters()), which)
    ).one()
    return (
        Amounts(int(calls), int(read), Decimal(usd), judge_s),
        Amounts(0, int(tokens_kept), Decimal(usd_kept), judging_s),
    )


def reserve(session: Session, tokens: dict[int, int]) -> None:
    """Keep with samples that were taken the most tokens that asking for each may take."""
    if tokens:
        ids, most = (literal(list(each), ARRAY(BigInteger)) for each in (tokens.keys(), tokens.values()))
        rows = func.unnest(ids, most).table_valued("sample", "tokens").render_derived()
        session.execute(
            update(Sample)
            .where(Sample.id == rows.c.sample)
            .values(reserved_tokens=rows.c.tokens)
            .execution_options(synchronize_session=False)
        )


def free_of_text(session: Session, version_id: int, now: datetime) -> Setting | None:
    """The setting of a text while nobody plays it, locked; None where somebody does or has it locked."""
    free = or_(Setting.lease_until.is_(None), Setting.lease_until <= now)
    return session.scalar(
        select(Setting).where(Setting.problem_version_id == version_id, free).with_for_update(skip_locked=True),
        execution_options={"populate_existing": True},
    )
