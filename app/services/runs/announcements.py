"""Lines of the public ledger about models and their runs."""

from collections.abc import Iterable
from datetime import datetime

from app.db.boards.trials import configuration_label
from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.operations import ledger as store
from app.db.tables import Run

SCORE_ADDED, SCORE_WITHDRAWN, SCORE_VOIDED = "score.added", "score.withdrawn", "score.voided"
SUBMISSION_UNANSWERED = "order.unanswered"


def last_run(session: Session) -> int:
    """Return the number of the newest run, to tell later which ones are new."""
    return store.last_run(session)


def announce_runs(
    session: Session, run_ids: Iterable[int], reason: str, now: datetime, *, of_file: bool = False
) -> None:
    """Add a line for each public model with new runs, with their protocols: it was added, or got another score.

    With `of_file`, ranks of other files may change too: a file changes what is wanted of them.
    """
    session.flush()
    for slug, model in store.shown_models(session, set(run_ids)).items():
        kind = SCORE_ADDED if model.announced else store.MODEL_ADDED
        after = {"protocol": ", ".join(model.protocols)}
        logs.write_ledger(session, now, kind, slug, reason, after=after, moves_scores=of_file)


def announce_unanswered(session: Session, model_id: int, protocol_id: int, reason: str, now: datetime) -> None:
    """Add a line for a public submission that ends without any answer."""
    subject, protocol = store.model_and_protocol_slugs(session, model_id, protocol_id)
    logs.write_ledger(session, now, SUBMISSION_UNANSWERED, subject, reason, after={"protocol": protocol})


def announce_withdrawal(session: Session, run: Run, protocol: str, reason: str, now: datetime) -> None:
    """Add a line for a public run that leaves its board."""
    before = {"protocol": protocol, "configuration": configuration_label(run.configuration)}
    for slug in store.shown_models(session, {run.id}):
        logs.write_ledger(session, now, SCORE_WITHDRAWN, slug, reason, before)
