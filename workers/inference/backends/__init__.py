"""Back ends: one file each, holding one BACKEND constant."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from app.domain.asking.completions import Completion, EndpointSpec, InferenceRequest


@dataclass(frozen=True, slots=True)
class HttpCall:
    """One POST, ready to send; the headers may carry the secret, so they are kept out of its repr."""

    url: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A successful HTTP response that is no completion, and why, in words."""

    reason: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """What an error response says: text for people, and what it is about.

    `exhausted` is about money or quota spent; `of_prompt` about this prompt alone, such as one that is too long.
    """

    message: str
    exhausted: bool = False
    of_prompt: bool = False


@dataclass(frozen=True, slots=True)
class Backend:
    """One wire format, as pure functions; the client does the sending, the limits and the retries.

    `build(endpoint, request)` raises InvalidInput where the endpoint's or the run's settings cannot be
    sent. `parse(body, latency_ms)` reads the body of a 2xx response. `parse_error(body)` reads any other
    one. Neither trusts the body: it may be anything.
    """

    name: str
    build: Callable[[EndpointSpec, InferenceRequest], HttpCall]
    parse: Callable[[bytes, float], Completion | Unreadable]
    parse_error: Callable[[bytes], Refusal]
