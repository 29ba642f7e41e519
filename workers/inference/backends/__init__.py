"""Back ends: one file each, holding one BACKEND constant."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Final

from app.domain.asking.completions import Completion, EndpointSpec, InferenceRequest, Prompt
from app.domain.asking.protocols import Sampling
from app.domain.errors import InvalidInput
from app.domain.registry import discover, find_plugin

_ANY_EVENT: Final = re.compile(rb"\ndata:")
# Fields that the protocol decides, under the names of all formats.
_PROTOCOL_FIELDS: Final = frozenset({
    "model", "messages", "prompt", "input", "contents", "system", "temperature", "top_p", "topp", "top_k", "topk",
    "max_tokens", "max_completion_tokens", "max_output_tokens", "maxoutputtokens", "seed", "n", "stop",
    "stop_sequences", "stopsequences", "repetition_penalty", "stream", "best_of", "min_p",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class HttpCall:
    """One POST, ready to send; the headers may carry the secret, so they are kept out of its repr."""

    url: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class RecordedBody:
    """A recorded answer, which needs no call: the body that `parse` reads."""

    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class UnreadableResponse:
    """A successful HTTP response that is no completion, with the reason in words.

    `empty` is the response as an answer, if its only fault is that counted tokens left no text.
    """

    reason: str
    empty: Completion | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error response: its message for people, and its subject.

    `exhausted` is about spent money or quota, `of_key` about a key that is not accepted; `of_prompt` about this prompt
    alone, such as one that is too long.
    """

    message: str
    exhausted: bool = False
    of_prompt: bool = False
    of_key: bool = False


@dataclass(frozen=True, slots=True)
class Backend:
    """One wire format, as pure functions; the client does the sending, the limits and the retries.

    `build(endpoint, request)` raises InvalidInput if the endpoint's or the run's settings cannot be sent. `parse(body,
    latency_ms)` reads the body of a 2xx response. `parse_error(body)` reads any other one. Neither trusts the body: it
    may be anything.

    `several(body, latency_ms, answers)` reads a response to a request for that many answers, in their order: as many as
    there are, at least one and none beyond. None if the format has no place for them. `answers` is how many a request
    asks for, unless the endpoint's own `answers` says otherwise.

    `settings` names what a run's configuration may hold, each with its place in a request. `token` matches, within 64
    bytes, what shows in a stream that the model has begun to write; the first line is preceded by a line break.
    `locate` is for a back end that reads answers from this machine instead of calling an endpoint: it turns an
    operator's name for them, or an address it returned, into an endpoint's address, and raises InvalidInput if there
    are no answers. Vendors cannot register such an endpoint. Its `build` raises NotFound if it has no answer to a
    request, which is missing coverage.
    """

    name: str
    build: Callable[[EndpointSpec, InferenceRequest], HttpCall | RecordedBody]
    parse: Callable[[bytes, float], Completion | UnreadableResponse]
    parse_error: Callable[[bytes], Refusal]
    settings: Mapping[str, str] = field(default_factory=dict)
    token: re.Pattern[bytes] = _ANY_EVENT
    locate: Callable[[str], str] | None = None
    several: Callable[[bytes, float, int], Sequence[Completion | UnreadableResponse]] | None = None
    answers: int = 1

    def call(self, endpoint: EndpointSpec, request: InferenceRequest) -> HttpCall | RecordedBody:
        """Return the call for a request. Raises InvalidInput as `build`, and for a setting that is not allowed.

        The error's pointer names the owner: `/extra` for the endpoint, any other for the run.
        """
        self.check(request.configuration)
        return self.build(endpoint, request)

    def check(self, configuration: Mapping[str, Any]) -> None:
        """Raise InvalidInput for a setting that is not allowed, listing those that are."""
        for name in configuration:
            if name not in self.settings:
                raise InvalidInput(self._refusal(name), pointer=f"/configuration/{name}")

    def check_run(self, endpoint: EndpointSpec, sampling: Sampling, configuration: Mapping[str, Any]) -> None:
        """Raise InvalidInput if every request of such a run would be refused before it is sent."""
        if self.locate is None:
            self.call(endpoint, InferenceRequest(0, Prompt(()), sampling, 0, configuration))
        else:
            self.check(configuration)
            self.locate(endpoint.base_url)

    def _refusal(self, name: str) -> str:
        allowed = sorted(self.settings)
        takes = f"takes {', '.join(allowed)}" if allowed else "takes none"
        if name.lower() in _PROTOCOL_FIELDS:
            return f"the protocol sets the field {name!r}; it cannot be changed: the back end {self.name} {takes}"
        near = get_close_matches(name.lower(), allowed, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        return f"the back end {self.name} has no setting {name!r}: it {takes}{hint}"


def backends() -> dict[str, Backend]:
    """Return all back ends, by name."""
    return discover(__name__, "BACKEND", Backend)


def named_backend(name: str) -> Backend:
    """Return the back end of that name. Raises NotFound, listing all names."""
    return find_plugin(backends(), name, "back end")


def check_run(endpoint: EndpointSpec, sampling: Sampling, configuration: Mapping[str, Any]) -> None:
    """Check a run by the endpoint's own back end, as `Backend.check_run`."""
    named_backend(endpoint.backend).check_run(endpoint, sampling, configuration)
