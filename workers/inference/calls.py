"""Calls of a slice: the requests that share one, and the known facts about each until its answers arrive."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from app.domain.asking.completions import EndpointSpec, FailedSample, InferenceRequest, Retry
from app.domain.asking.protocols import Sampling
from workers.inference.backends import Backend
from workers.inference.wire import CallFailure

_MAX_TOKENS: Final = 65_536  # that one call may ask for: they are lost together, and read at once


@dataclass(slots=True)
class EndpointCall:
    """Requests that are sent as one, each with an outcome of its own."""

    requests: tuple[InferenceRequest, ...]
    sent: int = 0
    failures: int = 0
    refusals: int = 0
    last_failure: CallFailure | None = None  # the last counted one
    sent_at: float = 0.0
    is_endpoints: bool = False  # one of its failures is shown to be the endpoint's own
    is_ours: bool = False  # one of its failures was ours
    shared: bool = False  # it was sent, and another call counts that request

    @property
    def request(self) -> InferenceRequest:
        """The request to send."""
        first, answers = self.requests[0], len(self.requests)
        return first if answers == 1 else replace(first, answers=answers)

    @property
    def run(self) -> int:
        """The run that all its requests belong to."""
        return self.requests[0].run_id

    @property
    def own(self) -> bool | None:
        """True if its failures are shown to be the endpoint's own, False if ours, None if unknown."""
        return False if self.is_ours else self.is_endpoints or None

    def count_failure(self, trouble: CallFailure) -> None:
        """Count one more failure."""
        if trouble.rate_limited:
            self.refusals += 1
        else:
            self.failures += 1
            self.last_failure = trouble

    def split(self) -> "list[EndpointCall]":
        """Split it into one call per request, each with the same failures; what was sent is counted with the first."""
        if len(self.requests) == 1:
            return [self]
        first, *others = self.requests
        rest = [replace(self, requests=(request,), sent=0, shared=self.shared or self.sent > 0) for request in others]
        return [replace(self, requests=(first,)), *rest]

    def outcome(self, trouble: CallFailure, not_before: datetime | None) -> FailedSample:
        """Return the failure of its one request.

        A 429, a refused run and a stopped endpoint say nothing about the sample: they use up none of its attempts.
        """
        alone_to_blame = not (trouble.rate_limited or trouble.retry in (Retry.STOP, Retry.RUN))
        return replace(
            self.uncounted_failure(trouble), not_before=not_before,
            counts=self.last_failure is not None or alone_to_blame, own=self.own if self.sent or self.shared else None,
            shared=self.shared,
        )  # fmt: skip

    def uncounted_failure(self, trouble: CallFailure) -> FailedSample:
        """Return a failure that hands back its one request with all its attempts left."""
        (request,) = self.requests
        reason, retry, owner = trouble.reason, trouble.retry, trouble.owner
        return FailedSample(request.sample_id, reason, retry, owner, counts=False, requests=self.sent)


def max_answers(backend: Backend, endpoint: EndpointSpec, sampling: Sampling) -> int:
    """Return how many answers one call of this sampling may ask for, at most the endpoint's concurrency.

    Engines refuse several greedy answers, which would all be the same.
    """
    if backend.several is None or sampling.temperature <= 0:
        return 1
    wanted = int(endpoint.extra.get("answers", backend.answers))
    return max(1, min(wanted, endpoint.max_concurrency, _MAX_TOKENS // sampling.max_tokens))


def group_requests(requests: Iterable[InferenceRequest], most: Callable[[Sampling], int]) -> Iterator[EndpointCall]:
    """Group the requests into calls, in their order; `most` gives the largest group for a sampling.

    Neighbours share a call if they ask the same and their seeds count up by one: an engine that is given the first seed
    counts in the same way, and each answer has the seed that it would have alone.
    """
    call: list[InferenceRequest] = []
    for request in requests:
        if call and (len(call) >= most(request.sampling) or not _follows(call[0], len(call), request)):
            yield EndpointCall(tuple(call))
            call = []
        call.append(request)
    if call:
        yield EndpointCall(tuple(call))


def _follows(first: InferenceRequest, place: int, request: InferenceRequest) -> bool:
    same = request.run_id == first.run_id and request.prompt == first.prompt and request.sampling == first.sampling
    return same and request.seed == first.seed + place and request.configuration == first.configuration
