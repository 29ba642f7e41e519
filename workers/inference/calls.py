"""Calls of a slice: which requests share one, and what is known of each until its answers are there."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from app.domain.asking.completions import EndpointSpec, Failed, InferenceRequest, Retry
from app.domain.asking.protocols import Sampling
from workers.inference.backends import Backend
from workers.inference.wire import Trouble

_MOST_TOKENS: Final = 65_536  # that one call may ask for: so much is lost with it, and read at once


@dataclass(slots=True)
class Call:
    """Requests that are sent as one, and each answered for itself."""

    requests: tuple[InferenceRequest, ...]
    sent: int = 0
    failures: int = 0
    refusals: int = 0
    trouble: Trouble | None = None  # the last counted one
    sent_at: float = 0.0
    shown: bool = False  # one of its failures is shown to be the endpoint's own
    ours: bool = False  # one of them was ours
    shared: bool = False  # it was sent, and another one has that in its count

    @property
    def request(self) -> InferenceRequest:
        """What is sent."""
        first, answers = self.requests[0], len(self.requests)
        return first if answers == 1 else replace(first, answers=answers)

    @property
    def run(self) -> int:
        """The run that all of its requests are of."""
        return self.requests[0].run_id

    @property
    def own(self) -> bool | None:
        """Whose its failures are shown to be: the endpoint's, or ours; None where it is not known."""
        return False if self.ours else self.shown or None

    def failed(self, trouble: Trouble) -> None:
        """One more failure."""
        if trouble.rate_limited:
            self.refusals += 1
        else:
            self.failures += 1
            self.trouble = trouble

    def singles(self) -> "list[Call]":
        """Each of its requests alone, with what all have met; what was sent is counted with the first."""
        if len(self.requests) == 1:
            return [self]
        first, *others = self.requests
        rest = [replace(self, requests=(each,), sent=0, shared=self.shared or self.sent > 0) for each in others]
        return [replace(self, requests=(first,)), *rest]

    def outcome(self, trouble: Trouble, not_before: datetime | None) -> Failed:
        """The failure of its one request.

        A 429, a refused run and a stopped endpoint say nothing of the sample: they use up none of its attempts.
        """
        alone_to_blame = not (trouble.rate_limited or trouble.retry in (Retry.STOP, Retry.RUN))
        return replace(
            self.uncounted(trouble), not_before=not_before, counts=self.trouble is not None or alone_to_blame,
            own=self.own if self.sent or self.shared else None, shared=self.shared,
        )  # fmt: skip

    def uncounted(self, trouble: Trouble) -> Failed:
        """Its one request is handed back with all its attempts left."""
        (request,) = self.requests
        reason, retry, owner = trouble.reason, trouble.retry, trouble.owner
        return Failed(request.sample_id, reason, retry, owner, counts=False, requests=self.sent)


def most_answers(backend: Backend, endpoint: EndpointSpec, sampling: Sampling) -> int:
    """How many answers one call of this sampling may ask for: no more than are asked for at once.

    Engines refuse several greedy answers, which would all be the same.
    """
    if backend.several is None or sampling.temperature <= 0:
        return 1
    wanted = int(endpoint.extra.get("answers", backend.answers))
    return max(1, min(wanted, endpoint.max_concurrency, _MOST_TOKENS // sampling.max_tokens))


def together(requests: Iterable[InferenceRequest], most: Callable[[Sampling], int]) -> Iterator[Call]:
    """The requests in calls of at most as many as their sampling lets share one, in their order.

    Neighbours share a call that ask the same and whose seeds count up by one: so does an engine that is given the
    first, and each answer has the seed that it would have alone.
    """
    call: list[InferenceRequest] = []
    for request in requests:
        if call and (len(call) >= most(request.sampling) or not _follows(call[0], len(call), request)):
            yield Call(tuple(call))
            call = []
        call.append(request)
    if call:
        yield Call(tuple(call))


def _follows(first: InferenceRequest, place: int, request: InferenceRequest) -> bool:
    same = request.run_id == first.run_id and request.prompt == first.prompt and request.sampling == first.sampling
    return same and request.seed == first.seed + place and request.configuration == first.configuration
