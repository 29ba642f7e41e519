"""Promises of when orders are done: renewed by each sweep, kept in the row."""

from collections.abc import Sequence
from datetime import datetime

from app.db.kernel.session import Session
from app.db.tables import Submission
from app.db.vendors import order_pace
from app.db.vendors import submissions as store
from app.domain.asking.eta import RATE_WINDOW, events_per_second
from app.domain.asking.promises import OrderPace, Promise, next_promise
from app.domain.states import SubmissionState

_PROMISED_STATES = (SubmissionState.GENERATING, SubmissionState.JUDGING)


def renew_promises(session: Session, submissions: Sequence[Submission], now: datetime) -> None:
    """Store what is promised of these submissions now; those that are not asked or judged have no promise."""
    runs = {row.run_id: row for row in submissions if row.run_id is not None and row.state in _PROMISED_STATES}
    since = now - RATE_WINDOW
    counts = store.progress_by_run(session, runs) if runs else {}
    answers = order_pace.answers_by_run(session, runs, since) if runs else {}
    verdicts = order_pace.verdicts_by_run(session, runs, since) if runs else {}
    retried = order_pace.retried_by_run(session, runs) if runs else {}
    for row in submissions:
        if row.run_id not in runs:
            row.promise = None if row.state not in _PROMISED_STATES else row.promise
            continue
        rates = [
            events_per_second(*found[row.run_id], now) if row.run_id in found else None for found in (answers, verdicts)
        ]
        left = counts[row.run_id]
        pace = OrderPace(left.waiting, left.judging, retried.get(row.run_id, 0), *rates)
        earlier = None if row.promise is None else Promise.from_json(row.promise)
        promise = next_promise(earlier, pace, now) if left.total else None
        if promise != earlier:
            row.promise = None if promise is None else promise.to_json()
    session.flush()
