"""Waits of submissions under way, in words, and whose turn it is."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from app.db.kernel.session import Session
from app.db.runs import sample_failures
from app.db.vendors.asking_progress import asking_progress
from app.domain.reasons import Reason
from app.domain.states import SubmissionState
from app.services.runs import judge_state

FAILING: Final = "endpoint_failing"
# An endpoint that answered so recently is at work, whatever it failed before.
_ANSWERED_LATELY: Final = timedelta(minutes=2)
# So long an endpoint has for its first answer before it is its vendor's turn to look at it.
_QUIET: Final = timedelta(minutes=1)


class Wait(NamedTuple):
    """The owner of the next step, and why nothing moves; no reason if all goes on."""

    owner: str
    reason: str | None


def find_wait(session: Session, state: str, run_id: int | None, now: datetime) -> Wait:
    """Return what a submission in this state waits for."""
    if state == SubmissionState.JUDGING:
        grading = judge_state.grading_state(session, now)
        return Wait("us", None if grading.ready else Reason("nothing_judged", cause=grading.public.reason or ""))
    if state != SubmissionState.GENERATING or run_id is None:
        return Wait("us", None)
    progress = asking_progress(session, run_id)
    if progress.samples == 0:
        return Wait("us", Reason("nothing_yet"))
    trouble = find_endpoint_trouble(session, run_id, now)
    if trouble is not None:
        return Wait("vendor", trouble)
    since = progress.first_at
    if since is not None and (progress.answered_at is None or progress.answered_at < since):
        params: dict[str, str | int] = {"n": progress.under_way, "at": f"{since:%Y-%m-%d %H:%M:%S} UTC"}
        return Wait("vendor" if since <= now - _QUIET else "us", Reason("endpoint_silent", params))
    askers = [worker for worker in judge_state.workers(session, now) if worker.queue == "infer"]
    if askers and not progress.under_way and all(worker.silent or worker.hindrance for worker in askers):
        told = next((worker.hindrance for worker in askers if worker.hindrance), None)
        return Wait("us", Reason("nothing_asked", cause=told or Reason("no_asker")))
    return Wait("us", None)


def find_endpoint_trouble(session: Session, run_id: int | None, now: datetime) -> Reason | None:
    """Return how a run's endpoint fails its requests; None if it does not, or has answered one lately."""
    met = None if run_id is None else sample_failures.commonest_failures(session, [run_id]).get(run_id)
    if run_id is None or met is None or met.owner != "vendor":
        return None
    answered_at = asking_progress(session, run_id).answered_at
    if answered_at is not None and answered_at > now - _ANSWERED_LATELY:
        return None
    return Reason(FAILING, {"n": met.samples}, met.reason)
