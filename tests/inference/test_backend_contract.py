"""What every back end promises, checked for each one that is found."""

import json
import random

import pytest

from app.domain.asking.completions import Completion, EndpointSpec, InferenceRequest, Message, Prompt
from app.domain.asking.protocols import Sampling
from app.domain.registry import discover
from workers.inference.backends import Backend, Refusal, Unreadable

BACKENDS = discover("workers.inference.backends", "BACKEND", Backend)

REQUEST = InferenceRequest(1, Prompt((Message("user", "sum two numbers"),)), Sampling(), seed=3)


def test_the_first_back_end_is_there() -> None:
    assert "openai_chat" in BACKENDS


@pytest.mark.parametrize("backend", BACKENDS.values(), ids=BACKENDS)
def test_a_call_goes_to_the_endpoint_and_names_the_model(backend: Backend) -> None:
    endpoint = EndpointSpec(1, backend.name, "https://models.example.org/v1", "model-7", "sk-hidden")
    call = backend.build(endpoint, REQUEST)
    assert call.url.startswith("https://models.example.org/")
    assert "model-7" in call.url + json.dumps(json.loads(call.body))
    assert "sk-hidden" in "".join(call.headers.values())
    assert "sk-hidden" not in repr(call) + call.url + call.body.decode()
    assert backend.build(endpoint, REQUEST) == call


@pytest.mark.parametrize("backend", BACKENDS.values(), ids=BACKENDS)
def test_no_body_makes_it_raise(backend: Backend) -> None:
    chance = random.Random(20_26)
    bodies = [b"", b"{}", b"null", b"[1]", b'"x"', b"{" * 50_000, b"<html>", b"\x00\xff", b'{"choices": null}']
    bodies += [chance.randbytes(200) for _ in range(50)]
    for body in bodies:
        assert isinstance(backend.parse(body, 1.0), Completion | Unreadable)
        assert isinstance(backend.parse_error(body), Refusal)
