"""Asking a fake endpoint: the plain values that tests of the inference client start from."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from ipaddress import ip_network

from fakes.model_server import ModelServer

from app.domain.asking.completions import EndpointSpec, FailedSample, InferenceRequest, Message, Prompt, SampleOutcome
from app.domain.asking.protocols import Sampling
from workers.inference.client import ask

LOOPBACK = (ip_network("127.0.0.0/8"),)
SECRET = "sk-very-secret-0123456789"


def now() -> datetime:
    return datetime.now(UTC)


def endpoint(url: str, *, concurrency: int = 8, timeout_s: float = 60.0, trusted: bool = False) -> EndpointSpec:
    return EndpointSpec(1, "openai_chat", url, "m", SECRET, concurrency, timeout_s, trusted=trusted)


def requests(count: int) -> list[InferenceRequest]:
    return [
        InferenceRequest(number, Prompt((Message("user", f"question {number}"),)), Sampling(), seed=number)
        for number in range(count)
    ]


def outcomes(
    server: ModelServer, count: int = 1, *, deadline_s: float = 60.0, **settings: float
) -> list[SampleOutcome]:
    spec = endpoint(server.url, concurrency=int(settings.pop("concurrency", 8)), **settings)  # type: ignore[arg-type]  # bool is a float here
    return list(ask(spec, requests(count), allow=LOOPBACK, deadline_s=deadline_s, clock=now))


def only_failure(found: Sequence[SampleOutcome]) -> FailedSample:
    (outcome,) = found
    assert isinstance(outcome, FailedSample)
    assert SECRET not in repr(outcome)
    return outcome


def ids(found: Iterable[SampleOutcome]) -> Counter[int]:
    return Counter(each.sample_id for each in found)
