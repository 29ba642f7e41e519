"""What answers took until now, for a forecast of what others will take."""

from typing import NamedTuple

from sqlalchemy import ColumnElement, func, select

from app.db.kernel.session import Session
from app.db.runs.wanted import of_text_in_use
from app.db.tables import ProtocolRow, Run, Sample


class Taken(NamedTuple):
    """Tokens of answers whose usage is known: how many answers, and the sums of what they read and wrote."""

    answers: int
    input: int
    cached: int
    output: int


def of_protocol(session: Session, protocol_id: int, model_id: int | None = None) -> Taken:
    """What answers under a protocol took, those of one model alone where one is given."""
    where = [Run.protocol_id == protocol_id] + ([] if model_id is None else [Run.model_id == model_id])
    return _taken(session, *where)


def of_scenario(session: Session, scenario: str) -> Taken:
    """What answers took under all protocols of a scenario."""
    return _taken(session, ProtocolRow.body["scenario"].astext == scenario)


def _taken(session: Session, *where: ColumnElement[bool]) -> Taken:
    written = Sample.tokens_answer + func.coalesce(Sample.tokens_reasoning, 0)
    sums = (func.sum(Sample.tokens_input), func.sum(Sample.tokens_cached), func.sum(written))
    row = session.execute(
        select(func.count(), *(func.coalesce(number, 0) for number in sums))
        .select_from(Sample)
        .join(Run, Run.id == Sample.run_id)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .where(*where, Sample.answered_at.is_not(None))
        .where(Sample.tokens_input.is_not(None), Sample.tokens_answer.is_not(None))
    ).one()
    return Taken(*(int(number) for number in row))


def answered(session: Session, run_id: int, most: int) -> int:
    """How many samples of a run have their answer, of the first `most` of each item of the texts in use."""
    query = select(func.count()).where(
        Sample.run_id == run_id, Sample.ordinal < most, Sample.answered_at.is_not(None), of_text_in_use()
    )
    return session.scalar(query) or 0
