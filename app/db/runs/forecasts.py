"""Token usage of past answers, for forecasts."""

from typing import NamedTuple

from sqlalchemy import ColumnElement, func, select

from app.db.kernel.session import Session
from app.db.runs.due_work import is_text_in_use
from app.db.tables import ProtocolRow, Run, Sample


class TokenSums(NamedTuple):
    """Number of answers with known usage, and the sums of their tokens."""

    answers: int
    input: int
    cached: int
    output: int


def tokens_of_protocol(session: Session, protocol_id: int, model_id: int | None = None) -> TokenSums:
    """Return the token usage of answers under a protocol, of one model only if it is given."""
    where = [Run.protocol_id == protocol_id] + ([] if model_id is None else [Run.model_id == model_id])
    return _token_sums(session, *where)


def tokens_of_scenario(session: Session, scenario: str) -> TokenSums:
    """Return the token usage of answers under all protocols of a scenario."""
    return _token_sums(session, ProtocolRow.body["scenario"].astext == scenario)


def _token_sums(session: Session, *where: ColumnElement[bool]) -> TokenSums:
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
    return TokenSums(*(int(number) for number in row))


def count_answered(session: Session, run_id: int, most: int) -> int:
    """Return the number of a run's answers, of the first `most` samples of each item of the texts in use."""
    query = select(func.count()).where(
        Sample.run_id == run_id, Sample.ordinal < most, Sample.answered_at.is_not(None), is_text_in_use()
    )
    return session.scalar(query) or 0
