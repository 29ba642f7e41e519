"""Lines of the public ledger about models and their runs."""

from collections.abc import Iterable
from datetime import datetime

from app.db.boards.trials import configuration_label
from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.operations import ledger as store
from app.db.tables import Endpoint, Run, Submission
from app.domain.reasons import Reason

SCORE_ADDED, SCORE_WITHDRAWN, SCORE_VOIDED = "score.added", "score.withdrawn", "score.voided"
SUBMISSION_UNANSWERED, SUBMISSION_REGISTERED = "order.unanswered", "order.registered"
UNNAMED = "unnamed"  # the subject of a line about a submission of which only the number is public


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


def announce_registration(session: Session, order: Submission, now: datetime) -> None:
    """Add a line for a submission, before its first prompt; without a name if it is private or under an embargo.

    So each submission is counted in public, whatever comes of it.
    """
    if order.visibility != "public" or order.embargo_until is not None:
        logs.write_ledger(session, now, SUBMISSION_REGISTERED, UNNAMED, "")
        return
    model = session.get_one(Endpoint, order.endpoint_id).model_id
    subject, protocol = store.model_and_protocol_slugs(session, model, order.protocol_id)
    window = [None if edge is None else edge.isoformat() for edge in (order.window_start, order.window_end)]
    after = {"protocol": protocol, "configuration": configuration_label(order.configuration), "from": window[0],
             "to": window[1]}  # fmt: skip
    reason = Reason("submission", {"what": order.public_id})
    logs.write_ledger(session, now, SUBMISSION_REGISTERED, subject, reason, after=after)


def announce_unanswered(session: Session, model_id: int, protocol_id: int, reason: str, now: datetime) -> None:
    """Add a line for a public submission that ends without any answer."""
    subject, protocol = store.model_and_protocol_slugs(session, model_id, protocol_id)
    logs.write_ledger(session, now, SUBMISSION_UNANSWERED, subject, reason, after={"protocol": protocol})


def announce_withdrawal(session: Session, run: Run, protocol: str, reason: str, now: datetime) -> None:
    """Add a line for a public run that leaves its board."""
    before = {"protocol": protocol, "configuration": configuration_label(run.configuration)}
    for slug in store.shown_models(session, {run.id}):
        logs.write_ledger(session, now, SCORE_WITHDRAWN, slug, reason, before)
