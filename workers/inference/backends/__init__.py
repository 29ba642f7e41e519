"""Back ends: one file each, holding one BACKEND constant."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Final

from app.domain.asking.completions import Completion, EndpointSpec, InferenceRequest, Prompt
from app.domain.asking.protocols import Sampling
from app.domain.errors import InvalidInput
from app.domain.registry import discover, named

_ANY_EVENT: Final = re.compile(rb"\ndata:")
# What a protocol decides, by whatever name a format has for it.
_OF_PROTOCOL: Final = frozenset({
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
class Recorded:
    """An answer that needs no call: the body that `parse` reads."""

    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A successful HTTP response that is no completion, and why, in words.

    `empty` is what it would be as an answer, where the only fault is that nothing came of tokens that were counted.
    """

    reason: str
    empty: Completion | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Refusal:
    """What an error response says: text for people, and what it is about.

    `exhausted` is about money or quota spent, `of_key` about the key, which is not accepted; `of_prompt` about this
    prompt alone, such as one that is too long.
    """

    message: str
    exhausted: bool = False
    of_prompt: bool = False
    of_key: bool = False


@dataclass(frozen=True, slots=True)
class Backend:
    """One wire format, as pure functions; the client does the sending, the limits and the retries.

    `build(endpoint, request)` raises InvalidInput where the endpoint's or the run's settings cannot be
    sent. `parse(body, latency_ms)` reads the body of a 2xx response. `parse_error(body)` reads any other
    one. Neither trusts the body: it may be anything.

    `several(body, latency_ms, answers)` reads a response that was to hold so many answers to one request, in their
    order: as many as are there, at least one and none beyond. None where the format has no place for them. `answers`
    is how many a request asks for, unless the endpoint's own `answers` says otherwise.

    `settings` names what a run's configuration may hold, each with its place in a request. `token` matches, within 64
    bytes, what shows in a stream that the model has begun to write; a line break stands before the first line. `locate`
    is for a back end that reads answers from this machine in place of calling anybody: it makes an endpoint's address
    of what an operator names, or of that address again, and raises InvalidInput where no answers are there. Vendors
    cannot register such an endpoint. Its `build` raises NotFound where it has no answer to a request, which is missing
    coverage.
    """

    name: str
    build: Callable[[EndpointSpec, InferenceRequest], HttpCall | Recorded]
    parse: Callable[[bytes, float], Completion | Unreadable]
    parse_error: Callable[[bytes], Refusal]
    settings: Mapping[str, str] = field(default_factory=dict)
    token: re.Pattern[bytes] = _ANY_EVENT
    locate: Callable[[str], str] | None = None
    several: Callable[[bytes, float, int], Sequence[Completion | Unreadable]] | None = None
    answers: int = 1

    def call(self, endpoint: EndpointSpec, request: InferenceRequest) -> HttpCall | Recorded:
        """What is sent for a request. Raises InvalidInput as `build`, and for a setting that is not allowed.

        Its pointer says whose it is: `/extra` of the endpoint, any other of the run.
        """
        self.check(request.configuration)
        return self.build(endpoint, request)

    def check(self, configuration: Mapping[str, Any]) -> None:
        """Raise InvalidInput for a setting that is not allowed, with those that are."""
        for name in configuration:
            if name not in self.settings:
                raise InvalidInput(self._refusal(name), pointer=f"/configuration/{name}")

    def check_run(self, endpoint: EndpointSpec, sampling: Sampling, configuration: Mapping[str, Any]) -> None:
        """Raise InvalidInput for what every request of such a run would be refused for before it is sent."""
        if self.locate is None:
            self.call(endpoint, InferenceRequest(0, Prompt(()), sampling, 0, configuration))
        else:
            self.check(configuration)
            self.locate(endpoint.base_url)

    def _refusal(self, name: str) -> str:
        allowed = sorted(self.settings)
        takes = f"takes {', '.join(allowed)}" if allowed else "takes none"
        if name.lower() in _OF_PROTOCOL:
            return f"the protocol sets the field {name!r}; it cannot be changed: the back end {self.name} {takes}"
        near = get_close_matches(name.lower(), allowed, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        return f"the back end {self.name} has no setting {name!r}: it {takes}{hint}"


def backends() -> dict[str, Backend]:
    """All there are, by name."""
    return discover(__name__, "BACKEND", Backend)


def named_backend(name: str) -> Backend:
    """The back end of that name. Raises NotFound, naming those there are."""
    return named(backends(), name, "back end")


def check_run(endpoint: EndpointSpec, sampling: Sampling, configuration: Mapping[str, Any]) -> None:
    """As `Backend.check_run`, of the endpoint's own back end."""
    named_backend(endpoint.backend).check_run(endpoint, sampling, configuration)
