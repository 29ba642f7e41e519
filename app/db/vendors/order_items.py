"""Items of an order: each sample of its run with its problem and its verdict."""

from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from sqlalchemy import and_, select

from app.db.kernel.session import Session
from app.db.runs.due_work import is_text_in_use
from app.db.runs.results import is_public
from app.db.tables import Problem, Sample, Source, VerdictRow
from app.domain.states import SampleState


class ItemRow(NamedTuple):
    """A sample with its problem and its counting verdict; None while there is none."""

    id: int
    source: str
    public: bool  # whether pages show the problem's name
    external_id: str
    title: str
    released_on: datetime | None
    item: int
    ordinal: int
    state: str
    attempts: int
    requests: int
    error: str | None
    error_owner: str | None
    not_before: datetime | None
    answered_at: datetime | None
    unanswered: bool
    cost_usd: Decimal | None
    verdict: str | None


def list_items(
    session: Session, run_id: int, after: int | None, limit: int, *, state: SampleState | None, failed: bool
) -> list[ItemRow]:
    """Return samples of a run with ids above `after`, in the order in which they are asked.

    With `failed`, only those whose last request failed and that have no answer.
    """
    columns: list[Any] = [
            Sample.id, Source.slug, is_public(), Problem.external_id, Problem.title, Problem.released_on,
            Sample.item, Sample.ordinal, Sample.state, Sample.inference_attempts, Sample.requests, Sample.error,
            Sample.error_owner, Sample.not_before, Sample.answered_at, Sample.unanswered, Sample.cost_usd,
            VerdictRow.verdict,
    ]  # fmt: skip
    query = (
        select(*columns)
        .join(Problem, Problem.id == Sample.problem_id)
        .join(Source, Source.id == Problem.source_id)
        .outerjoin(
            VerdictRow,
            and_(
                VerdictRow.sample_id == Sample.id,
                VerdictRow.test_set_id == Problem.current_test_set_id,
                VerdictRow.counts,
            ),
        )
        .where(Sample.run_id == run_id, is_text_in_use())
    )
    if after is not None:
        query = query.where(Sample.id > after)
    if state is not None:
        query = query.where(Sample.state == state)
    if failed:
        query = query.where(Sample.error.is_not(None), Sample.answered_at.is_(None))
    rows: Any = session.execute(query.order_by(Sample.id).limit(limit))
    return [ItemRow(*row) for row in rows]
