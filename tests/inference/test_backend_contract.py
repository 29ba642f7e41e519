"""What every back end promises of the calls it builds and the bodies it reads, checked for each one that is found."""

import json
import random

import pytest
from fakes.dialects import DIALECTS

from app.domain.asking.completions import Completion, EndpointSpec, InferenceRequest, Message, Prompt
from app.domain.asking.configuration import SETTING_TYPES
from app.domain.asking.protocols import Sampling
from app.domain.errors import InvalidInput
from app.domain.registry import discover
from workers.inference.backends import Backend, HttpCall, Refusal, UnreadableResponse, backends

BACKENDS = discover("workers.inference.backends", "BACKEND", Backend)
CALLING = [each for each in BACKENDS.values() if each.locate is None]

EACH = pytest.mark.parametrize("backend", BACKENDS.values(), ids=BACKENDS)
EACH_CALLING = pytest.mark.parametrize("backend", CALLING, ids=lambda backend: backend.name)
REQUEST = InferenceRequest(1, Prompt((Message("user", "sum two numbers"),)), Sampling(), seed=3)


def spec(backend: Backend) -> EndpointSpec:
    return EndpointSpec(1, backend.name, "https://models.example.org/v1", "model-7", "sk-hidden")


def test_the_first_back_end_is_there() -> None:
    assert "openai_chat" in BACKENDS


def test_every_format_is_spoken_by_the_fake_endpoint() -> None:
    assert {each.name for each in CALLING} == set(DIALECTS)


@EACH_CALLING
def test_a_call_goes_to_the_endpoint_and_names_the_model(backend: Backend) -> None:
    call = backend.call(spec(backend), REQUEST)
    assert isinstance(call, HttpCall)
    assert call.url.startswith("https://models.example.org/")
    assert "model-7" in call.url + json.dumps(json.loads(call.body))
    assert "sk-hidden" in "".join(call.headers.values())
    assert "sk-hidden" not in repr(call) + call.url + call.body.decode()
    assert backend.call(spec(backend), REQUEST) == call


@EACH_CALLING
def test_what_the_protocol_decides_is_sent_as_it_says(backend: Backend) -> None:
    sampling = Sampling(temperature=0.31, top_p=0.87, max_tokens=4097)
    call = backend.call(spec(backend), InferenceRequest(1, REQUEST.prompt, sampling, 3))
    assert isinstance(call, HttpCall)
    for value in ("0.31", "0.87", "4097", json.dumps("sum two numbers")):
        assert value in call.body.decode()


@EACH
def test_no_body_makes_it_raise(backend: Backend) -> None:
    chance = random.Random(20_26)
    bodies = [b"", b"{}", b"null", b"[1]", b'"x"', b"{" * 50_000, b"<html>", b"\x00\xff", b'{"choices": null}']
    bodies += [chance.randbytes(200) for _ in range(50)]
    for body in bodies:
        assert isinstance(backend.parse(body, 1.0), Completion | UnreadableResponse)
        assert isinstance(backend.parse_error(body), Refusal)


@EACH
def test_a_setting_that_is_not_allowed_is_refused_with_those_that_are(backend: Backend) -> None:
    with pytest.raises(InvalidInput, match=f"back end {backend.name} has no setting 'colour'") as refused:
        backend.check_run(spec(backend), Sampling(), {"colour": "red"})
    assert refused.value.pointer == "/configuration/colour"
    assert all(name in str(refused.value) for name in backend.settings)
    for name in backend.settings:
        with pytest.raises(InvalidInput, match=f"did you mean {name}\\?"):
            backend.check({f"{name}_": 1})


def test_every_setting_of_a_back_end_has_a_type_and_no_other_name() -> None:
    assert {name for backend in backends().values() for name in backend.settings} == set(SETTING_TYPES)


@EACH
@pytest.mark.parametrize("name", ["temperature", "top_k", "topK", "max_tokens", "maxOutputTokens", "stop", "seed", "n"])
def test_no_setting_changes_what_the_protocol_decides(backend: Backend, name: str) -> None:
    with pytest.raises(InvalidInput, match=f"the protocol sets the field '{name}'"):
        backend.check({name: 1})


@EACH_CALLING
def test_settings_are_sent_and_leave_the_rest_as_it_is(backend: Backend) -> None:
    plain = backend.call(spec(backend), REQUEST)
    assert isinstance(plain, HttpCall)
    for name in backend.settings:
        request = InferenceRequest(1, REQUEST.prompt, REQUEST.sampling, 3, {name: "value-9"})
        call = backend.call(spec(backend), request)
        assert isinstance(call, HttpCall)
        assert (call.url, call.headers) == (plain.url, plain.headers)
        assert b"value-9" in call.body
        for field, value in json.loads(plain.body).items():
            sent = json.loads(call.body)[field]
            assert sent == value or (isinstance(value, dict) and value.items() <= sent.items())


@EACH_CALLING
def test_a_protocol_is_asked_whole_or_refused_at_once(backend: Backend) -> None:
    """No format leaves out in silence what a protocol sets, but a seed, which is best effort."""
    for sampling, sent in (
        (Sampling(top_k=23), "23"), (Sampling(repetition_penalty=1.13), "1.13"), (Sampling(stop=("#!#",)), "#!#"),
    ):  # fmt: skip
        request = InferenceRequest(1, REQUEST.prompt, sampling, 3)
        try:
            call = backend.call(spec(backend), request)
        except InvalidInput as refused:
            answers = str(refused), refused.pointer
        else:
            assert isinstance(call, HttpCall)
            answers = call.body.decode(), "/protocol"
        assert sent in answers[0] or f"which the back end {backend.name} cannot send" in answers[0]
        assert answers[1] == "/protocol"
