"""How long a request is asked again that an endpoint fails, and when its failure is the model's own. Pure.

In a vendor's own order a request that its endpoint fails for as long as our patience lasts is the verdict no_answer.
Anywhere else it is missing coverage.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from app.domain.asking.completions import Failed, FailureOwner, Outcome, Retry
from app.domain.states import MAX_INFERENCE_ATTEMPTS


@dataclass(frozen=True, slots=True)
class Patience:
    """So many attempts in so long a time: the waits between them fill it.

    It begins with the first attempt, and anew with every fault of ours. `least` failures of the endpoint's own within
    it make the missing answer the model's own: what was hardly asked says nothing.
    """

    attempts: int
    span: timedelta
    least: int
    first_wait: timedelta
    longest_wait: timedelta

    def wait(self, attempts: int) -> timedelta:
        """How long a sample waits after so many counted attempts."""
        times: int = 4 ** min(attempts, 10)
        return min(self.longest_wait, self.first_wait * times)


# One for everybody: verdicts depend on it, so it is no setting of an installation.
PATIENCE = Patience(
    attempts=MAX_INFERENCE_ATTEMPTS,
    span=timedelta(hours=6),
    least=3,
    first_wait=timedelta(seconds=5),
    longest_wait=timedelta(hours=2),
)

# How long a vendor's order may wait for its answer to a problem, from the later of order and publication, whatever it
# waits for. What is answered later counts like a problem that it was sent before: by then others' answers are public.
# Far longer than a large order takes at a slow endpoint, or a fault of ours.
LONGEST_WAIT: Final = timedelta(days=14)

# How the reason of a failure begins that a control request shows to be our network's.
OUR_NETWORK: Final = "our network failed: "


def judged_by_control(outcomes: Iterable[Outcome], reached: bool | None) -> Iterator[Outcome]:
    """Outcomes of a slice, each failure with whose it is shown to be by a request to another host.

    `reached` says whether that host answered; None where none was asked. Where it did not, our network failed: what the
    endpoint seemed to fail is asked again, and counts as nothing.
    """
    for outcome in outcomes:
        if reached is None or not isinstance(outcome, Failed) or not _may_be_own(outcome):
            yield outcome
        elif reached:
            yield replace(outcome, own=outcome.own is not False)
        else:
            reason = f"{OUR_NETWORK}{outcome.reason}"
            yield replace(
                outcome, reason=reason, retry=Retry.LATER, owner=FailureOwner.US, counts=False, own=False
            )  # fmt: skip


def needs_control(outcomes: Iterable[Outcome]) -> bool:
    """Whether one of these is a failure that may be the endpoint's or our network's."""
    return any(isinstance(outcome, Failed) and _may_be_own(outcome) for outcome in outcomes)


def _may_be_own(failed: Failed) -> bool:
    asked_again_or_refused = failed.retry in (Retry.LATER, Retry.NEVER)
    return asked_again_or_refused and failed.owner is FailureOwner.VENDOR and (failed.requests > 0 or failed.shared)
