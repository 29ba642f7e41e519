"""Events that no act of a vendor causes: a key that is about to end, and a contest that is judged."""

from datetime import datetime

from app.db.kernel.session import Session
from app.db.vendors import webhooks as store
from app.domain.sources.contest_progress import ContestStep
from app.domain.vendors.webhooks import KEY_NOTICE, OtherEvent
from app.services.operations import contest_progress


def record_news(session: Session, now: datetime) -> None:
    """Record, for organisations with a webhook in use, keys that are about to end and contests judged since it is."""
    told = store.organisations_told(session)
    if not told:
        return
    for key in store.keys_ending(session, told, now, now + KEY_NOTICE):
        assert key.expires_at is not None  # it ends
        data = {"object": "key", "prefix": key.prefix, "expires_at": key.expires_at.isoformat()}
        store.record_event(
            session, key.organisation_id, OtherEvent.KEY_EXPIRING, f"{OtherEvent.KEY_EXPIRING}:{key.prefix}", data, now
        )
    for contest in contest_progress.contests(session, now):
        steps = {step.step: step.since for step in contest.steps}
        if ContestStep.BOARD not in steps:
            continue
        data = {"object": "contest", "contest": contest.contest, "judged_at": steps[ContestStep.BOARD].isoformat()}
        for organisation_id in store.organisations_told_since(session, steps[ContestStep.BOARD]):
            key_text = f"{OtherEvent.CONTEST_JUDGED}:{contest.contest}"
            store.record_event(session, organisation_id, OtherEvent.CONTEST_JUDGED, key_text, data, now)
