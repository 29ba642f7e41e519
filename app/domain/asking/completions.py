"""Requests to a model endpoint and its replies, as values."""

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
    """The exact text sent. `sha256` in the database is over its canonical JSON."""

    messages: tuple[Message, ...]


class FinishReason(StrEnum):
    """The reason why a model stopped. Truncation is an outcome of its own, not an empty answer."""

    STOP = "stop"
    LENGTH = "length"
    CONTENT_FILTER = "content_filter"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens by kind, of one call or of many; None if the endpoint does not report them."""

    input: int | None = None
    cached: int | None = None
    reasoning: int | None = None
    answer: int | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """One answer: final text, reasoning, and what the endpoint reported about it.

    `raw` is the response body as received, also for a stream. `joined` is the single body that a stream's pieces amount
    to; it is stored instead of a stream that is too long to keep. `first_token_ms` is known for streams only.
    `fingerprint` is the endpoint's statement of what it ran. `answers` is how many answers the call gave; `usage` is
    this answer's share of the call.
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


MAX_ANSWER_S = 14_400  # highest limit that can be set: within the six hours of the retry policy


@dataclass(frozen=True, slots=True)
class EndpointSpec:
    """An endpoint to ask: the back end's name, base URL, remote model name and secret.

    `timeout_s` limits the time of one answer if the operator or vendor set a limit.
    """

    id: int
    backend: str
    base_url: str
    remote_name: str
    secret: str | None = field(default=None, repr=False)
    max_concurrency: int = 16
    timeout_s: float | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    trusted: bool = False  # the bundled demo endpoint or our own weights; others pass the address guard
    own: bool = False  # our own weights
    limits_tokens: bool = True  # requests name the protocol's limit; without it an answer may fill the context


@dataclass(frozen=True, slots=True)
class SampleKey:
    """Key of a sample: problem (by source and the source's own name), scenario, item and ordinal."""

    source: str
    problem: str
    scenario: str
    item: int
    ordinal: int


@dataclass(frozen=True, slots=True)
class InferenceRequest:
    """One sample to draw: its row, prompt, sampling and the run's configuration (such as effort).

    `subject` is for recorded answers; endpoints never see it. `run_answered` says that the run had an answer before.
    `answers` is the number of samples that the request is sent for, of which this is the first.
    """

    sample_id: int
    prompt: Prompt
    sampling: Sampling
    seed: int
    configuration: Mapping[str, Any] = field(default_factory=dict)
    run_id: int = 0
    run_answered: bool = False
    subject: SampleKey | None = None
    answers: int = 1


# Raises InvalidInput if every request of a run would be refused before it is sent, given endpoint, sampling and
# configuration. Request formats belong to the adapters, so services receive the check as a callable.
RunCheck = Callable[[EndpointSpec, Sampling, Mapping[str, Any]], None]


class FailureOwner(StrEnum):
    """The party at fault for a failure. Our failures never count against the model."""

    VENDOR = "vendor"
    US = "us"


def public_reason(words: str, owner: str | None) -> str:
    """Return the text of a failure for public pages: our own texts name folders and programs, so they are hidden."""
    return words if owner == FailureOwner.VENDOR else "the judge, the machine or the network on our side failed"


class Retry(StrEnum):
    """Consequence of a failure for the next attempt.

    LATER: try this sample again at `not_before`. NEVER: this sample gives up. RUN: the endpoint refuses what this run
    asks (a field, a setting); the run fails with that reason. STOP: the endpoint cannot be used at all (bad key, wrong
    URL); it is stopped, and its runs wait.
    """

    LATER = "later"
    NEVER = "never"
    RUN = "run"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class AnsweredSample:
    """A sample that has its completion, after `requests` requests; a shared request counts for one of its samples."""

    sample_id: int
    completion: Completion
    requests: int = 1


@dataclass(frozen=True, slots=True)
class FailedSample:
    """A sample without a completion, and what to do about it.

    `own` is True if the failure is shown to be the endpoint's, since it replied, and False if it is shown to be ours.
    `shared` says that the sample was sent in a request that is counted for another sample.
    """

    sample_id: int
    reason: str
    retry: Retry
    owner: FailureOwner
    not_before: datetime | None = None
    counts: bool = True  # against the sample's attempts (a 429 does not)
    requests: int = 0  # sent for it in this slice
    own: bool | None = None
    shared: bool = False


@dataclass(frozen=True, slots=True)
class RetryNotice:
    """A failure of a sample that is retried soon: not an outcome yet, but worth showing."""

    sample_id: int
    reason: str
    owner: FailureOwner


SampleOutcome = AnsweredSample | FailedSample
