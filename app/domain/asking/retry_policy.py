"""Retry policy for requests that an endpoint fails, and when a failure counts against the model. Pure.

In a vendor's own submission, a request that its endpoint fails for the whole span of the policy gets the verdict
no_answer. Elsewhere it is missing coverage.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from app.domain.asking.completions import FailedSample, FailureOwner, Retry, SampleOutcome
from app.domain.reasons import Reason
from app.domain.states import MAX_INFERENCE_ATTEMPTS


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Number of attempts and the span that their waits fill.

    The span begins with the first attempt, and again after every failure of ours. A missing answer counts against the
    model only if the endpoint itself failed `min_failures` times within the span: a few attempts prove nothing.
    """

    attempts: int
    span: timedelta
    min_failures: int
    first_wait: timedelta
    longest_wait: timedelta

    def wait_after(self, attempts: int) -> timedelta:
        """Return how long a sample waits after this many counted attempts."""
        times: int = 4 ** min(attempts, 10)
        return min(self.longest_wait, self.first_wait * times)


# The same on every installation, since verdicts depend on it.
RETRY_POLICY = RetryPolicy(
    attempts=MAX_INFERENCE_ATTEMPTS,
    span=timedelta(hours=6),
    min_failures=3,
    first_wait=timedelta(seconds=5),
    longest_wait=timedelta(hours=2),
)

# The longest time from a vendor's submission, or from a problem's publication if that is later, to the answer. A later
# answer counts as one to a problem that the vendor was served before, since other answers are public by then. It is far
# longer than a large submission at a slow endpoint, or a failure of ours, takes.
MAX_SUBMISSION_WAIT: Final = timedelta(days=14)

OUR_NETWORK: Final = "our_network"  # the code of a failure that a control request attributes to our network


def attribute_failures(outcomes: Iterable[SampleOutcome], reached: bool | None) -> Iterator[SampleOutcome]:
    """Yield the outcomes of a slice, attributing each failure by a control request to another host.

    `reached` says whether that host answered; None if it was not asked. If it did not answer, our network failed: the
    samples are asked again, and the failures do not count.
    """
    for outcome in outcomes:
        if reached is None or not isinstance(outcome, FailedSample) or not _may_be_endpoint_failure(outcome):
            yield outcome
        elif reached:
            yield replace(outcome, own=outcome.own is not False)
        else:
            reason = Reason(OUR_NETWORK, cause=outcome.reason)
            yield replace(
                outcome, reason=reason, retry=Retry.LATER, owner=FailureOwner.US, counts=False, own=False
            )  # fmt: skip


def needs_control(outcomes: Iterable[SampleOutcome]) -> bool:
    """Return whether an outcome is a failure that may be the endpoint's or our network's."""
    return any(isinstance(outcome, FailedSample) and _may_be_endpoint_failure(outcome) for outcome in outcomes)


def _may_be_endpoint_failure(failed: FailedSample) -> bool:
    asked_again_or_refused = failed.retry in (Retry.LATER, Retry.NEVER)
    return asked_again_or_refused and failed.owner is FailureOwner.VENDOR and (failed.requests > 0 or failed.shared)
