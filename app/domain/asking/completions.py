"""What is asked of a model endpoint and what comes back, as values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from app.domain.asking.protocols import Sampling


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message; `role` is system, user or assistant."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """The exact text sent; `sha256` in the database is over its canonical JSON."""

    messages: tuple[Message, ...]


class FinishReason(StrEnum):
    """Why the model stopped. Truncation is its own outcome, not an empty answer."""

    STOP = "stop"
    LENGTH = "length"
    CONTENT_FILTER = "content_filter"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call by kind; None where the endpoint does not say."""

    input: int | None = None
    cached: int | None = None
    reasoning: int | None = None
    answer: int | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """One answer: final text, reasoning apart, and what the endpoint said about it.

    `raw` is the body as it came, a stream's too, and `joined` the one body that a stream's pieces amount to, which
    stands in for a stream that is too long to keep. `first_token_ms` is known of streams alone. `fingerprint` is the
    endpoint's word on what it ran. `answers` is how many answers the call gave; `usage` is this one's share of it.
    """

    text: str
    reasoning: str
    finish_reason: FinishReason
    usage: Usage
    latency_ms: float
    served_model: str
    raw: bytes
    first_token_ms: float | None = None
    fingerprint: str = ""
    joined: bytes = field(default=b"", repr=False, compare=False)
    answers: int = 1


LONGEST_ANSWER_S = 14_400  # that anybody may name: within the six hours of our patience


@dataclass(frozen=True, slots=True)
class EndpointSpec:
    """Where and how to ask: the back end's name, base URL, remote model name and secret.

    `timeout_s` is the longest that one answer may take, where somebody named it.
    """

    id: int
    backend: str
    base_url: str
    remote_name: str
    secret: str | None = field(default=None, repr=False)
    max_concurrency: int = 16
    timeout_s: float | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    trusted: bool = False  # the bundled demo endpoint or weights of our own; others pass the address guard
    own: bool = False  # weights of our own
    limits_tokens: bool = True  # requests name the protocol's limit; without it an answer may fill the context


@dataclass(frozen=True, slots=True)
class Subject:
    """What a sample is of: a problem by its source and that source's own name, a scenario, and its place in it."""

    source: str
    problem: str
    scenario: str
    item: int
    ordinal: int


@dataclass(frozen=True, slots=True)
class InferenceRequest:
    """One sample to be drawn: its row, prompt, sampling and the run's configuration (such as effort).

    `subject` is for answers that were recorded; no endpoint is told. `run_answered`: its run had an answer before.
    `answers`: it is sent for so many samples at once, of which it is the first.
    """

    sample_id: int
    prompt: Prompt
    sampling: Sampling
    seed: int
    configuration: Mapping[str, Any] = field(default_factory=dict)
    run_id: int = 0
    run_answered: bool = False
    subject: Subject | None = None
    answers: int = 1


# Raises InvalidInput for a run whose every request would be refused before it is sent: where it would be asked, how the
# protocol samples, and its configuration. Formats are an adapter's business, so services are given this.
RunCheck = Callable[[EndpointSpec, Sampling, Mapping[str, Any]], None]


class FailureOwner(StrEnum):
    """Whose fault a failure is; ours is never the model's."""

    VENDOR = "vendor"
    US = "us"


def public_words(words: str, owner: str | None) -> str:
    """A failure's words as anybody may read them: our own name folders and programs, and are for maintainers."""
    return words if owner == FailureOwner.VENDOR else "the judge, the machine or the network on our side failed"


class Retry(StrEnum):
    """What a failure means for the next attempt.

    LATER: try this sample again at `not_before`. NEVER: this sample gives up.
    RUN: what this run asks is refused as it is (a field, a setting): the run has failed, and says why.
    STOP: the endpoint cannot be used at all (bad key, wrong URL): it is stopped, and its runs wait.
    """

    LATER = "later"
    NEVER = "never"
    RUN = "run"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Answered:
    """A sample that has its completion, after so many requests; one for several samples counts with one of them."""

    sample_id: int
    completion: Completion
    requests: int = 1


@dataclass(frozen=True, slots=True)
class Failed:
    """A sample without a completion, and what to do about it.

    `own`: True where it is shown to be the endpoint's own, since that replied; False where it is shown to be ours.
    `shared`: it was sent, in a request that is counted with another sample.
    """

    sample_id: int
    reason: str
    retry: Retry
    owner: FailureOwner
    not_before: datetime | None = None
    counts: bool = True  # whether this attempt counts against the sample's budget (a 429 does not)
    requests: int = 0  # sent for it in this slice
    own: bool | None = None
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Noted:
    """A failure of a sample that is tried again soon: no outcome yet, but worth showing."""

    sample_id: int
    reason: str
    owner: FailureOwner


Outcome = Answered | Failed
