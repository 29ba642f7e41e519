"""The OpenAI-compatible wire format: what is sent, and every known shape of what comes back."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from fakes import model_server

from app.domain.asking.completions import (
    Completion,
    EndpointSpec,
    FinishReason,
    InferenceRequest,
    Message,
    Prompt,
    Usage,
)
from app.domain.asking.protocols import Sampling
from app.domain.errors import InvalidInput
from workers.inference.backends import HttpCall, Refusal, UnreadableResponse
from workers.inference.backends.openai_chat import BACKEND

PROMPT = Prompt((Message("system", "be terse"), Message("user", "你好 \ud83d")))


def sent(
    extra: Mapping[str, Any] | None = None,
    configuration: Mapping[str, Any] | None = None,
    base_url: str = "https://example.org/v1",
    secret: str | None = "sk-1",
) -> tuple[str, Mapping[str, str], dict[str, Any]]:
    endpoint = EndpointSpec(1, "openai_chat", base_url, "gpt-x", secret, extra=extra or {})
    request = InferenceRequest(5, PROMPT, Sampling(1, 0.2, 0.95, 4096), 77, configuration or {})
    call = BACKEND.call(endpoint, request)
    assert isinstance(call, HttpCall)
    return call.url, call.headers, json.loads(call.body)


def body_of(endpoint: EndpointSpec, sampling: Sampling) -> dict[str, Any]:
    call = BACKEND.call(endpoint, InferenceRequest(1, PROMPT, sampling, 0))
    assert isinstance(call, HttpCall)
    return dict(json.loads(call.body))


def parsed(content: Any, **fields: Any) -> Completion:
    completion = BACKEND.parse(model_server.message(content, **fields).body, 12.5)
    assert isinstance(completion, Completion)
    return completion


def test_the_request_says_exactly_what_the_protocol_says() -> None:
    url, headers, body = sent()
    assert url == "https://example.org/v1/chat/completions"
    assert headers["authorization"] == "Bearer sk-1"
    assert body == {
        "model": "gpt-x",
        "messages": [{"role": "system", "content": "be terse"}, {"role": "user", "content": "你好 \ud83d"}],
        "temperature": 0.2,
        "top_p": 0.95,
        "max_tokens": 4096,
        "seed": 77,
        "n": 1,
        "stream": False,
    }


@pytest.mark.parametrize(
    ("extra", "max_tokens", "streams"),
    [
        ({}, 16_384, False),
        ({}, 16_385, True),
        ({"stream": True}, 10, True),
        ({"stream": False}, 99_999, False),
    ],
)
def test_long_answers_are_streamed_unless_the_endpoint_says_otherwise(
    extra: Mapping[str, Any], max_tokens: int, streams: bool
) -> None:
    endpoint = EndpointSpec(1, "openai_chat", "https://h", "m", extra=extra)
    body = body_of(endpoint, Sampling(max_tokens=max_tokens))
    assert body["stream"] is streams
    assert body.get("stream_options") == ({"include_usage": True} if streams else None)


@pytest.mark.parametrize(
    ("base", "url"),
    [
        ("https://h/v1/", "https://h/v1/chat/completions"),
        ("https://h", "https://h/chat/completions"),
        ("https://h/v1/chat/completions", "https://h/v1/chat/completions"),
        ("https://h/openai?api-version=2", "https://h/openai/chat/completions?api-version=2"),
    ],
)
def test_the_address_may_be_given_in_any_usual_form(base: str, url: str) -> None:
    assert sent(base_url=base)[0] == url


def test_without_a_secret_nothing_is_authorised() -> None:
    assert "authorization" not in sent(secret=None)[1]


def test_effort_and_thinking_budgets_pass_through() -> None:
    configuration = {"reasoning_effort": "high", "thinking": {"type": "enabled", "budget_tokens": 8000}}
    body = sent(configuration=configuration)[2]
    assert {name: body[name] for name in configuration} == configuration


def test_an_endpoint_may_rename_the_ceiling_and_leave_fields_out() -> None:
    body = sent({"max_tokens_field": "max_completion_tokens", "omit": ["temperature", "top_p"]})[2]
    assert body["max_completion_tokens"] == 4096
    assert not {"max_tokens", "temperature", "top_p"} & set(body)


def test_what_else_the_protocol_says_of_sampling_is_sent_where_it_says_it() -> None:
    endpoint = EndpointSpec(1, "openai_chat", "https://h", "m")
    sampling = Sampling(top_k=20, repetition_penalty=1.1, stop=("###",))
    body = body_of(endpoint, sampling)
    assert (body["top_k"], body["repetition_penalty"], body["stop"]) == (20, 1.1, ["###"])


@pytest.mark.parametrize("name", ["temperature", "max_tokens", "messages", "model", "n", "stream", "seed", "stop",
                                  "top_k", "repetition_penalty"])  # fmt: skip
def test_a_configuration_cannot_change_the_protocol(name: str) -> None:
    with pytest.raises(InvalidInput, match=name):
        sent(configuration={name: 1})


def test_the_model_cannot_be_left_out() -> None:
    with pytest.raises(InvalidInput, match="model"):
        sent(extra={"omit": ["model"]})


def test_a_call_shows_no_secret() -> None:
    endpoint = EndpointSpec(1, "openai_chat", "https://h", "m", "sk-hidden")
    call = BACKEND.build(endpoint, InferenceRequest(1, PROMPT, Sampling(), 0))
    assert "sk-hidden" not in repr(call) + repr(endpoint)


def test_chat_response_becomes_a_completion() -> None:
    said = model_server.message("hello")
    completion = BACKEND.parse(said.body, 12.5)
    assert completion == Completion(
        "hello", "", FinishReason.STOP, Usage(11, None, None, 7), 12.5, "fake-model-1", said.body
    )


def test_final_text_and_reasoning_are_told_apart() -> None:
    cases: list[tuple[Any, dict[str, Any], str, str]] = [
        ("answer", {"reasoning": "hm"}, "answer", "hm"),
        ("answer", {"reasoning_content": "hm"}, "answer", "hm"),
        ("answer", {"reasoning": None, "reasoning_content": "hm"}, "answer", "hm"),
        ("answer", {"reasoning": {"no": "text"}}, "answer", ""),
        ("<think>hm</think>\n\nanswer", {}, "answer", "hm"),
        ("\n<think>\nhm\n</think>answer", {}, "answer", "\nhm\n"),
        ("hm</think>\nanswer", {}, "answer", "hm"),
        ("<think>hm", {}, "", "hm"),
        ("<think></think>answer", {}, "answer", ""),
        ("<Thinking effort=1>hm</Thinking>answer", {}, "answer", "hm"),
        ("[THINK]hm[/THINK]answer", {}, "answer", "hm"),
        ("<think>Print '</think>'.\n</think>answer", {}, "answer", "Print '</think>'.\n"),
        ("<think>Print '</think>'.", {}, "", "Print '</think>'."),
        ("```python\nprint('</think>')\n```", {}, "```python\nprint('</think>')\n```", ""),
        ("```python\nwrong\n</think>\n```\nb\n```", {}, "```\nb\n```", "```python\nwrong\n"),
        ("<think>b</think>answer", {"reasoning": "a"}, "answer", "ab"),
        ("print('</think>')", {"reasoning": "hm"}, "print('</think>')", "hm"),
        ("print('<think>x</think>')", {}, "print('<think>x</think>')", ""),
        (None, {"reasoning": "hm"}, "", "hm"),
        (None, {"usage": {"completion_tokens": 1}}, "", ""),
        (None, {"refusal": "I will not."}, "I will not.", ""),
        ([{"type": "text", "text": "one "}, {"type": "text", "text": "two"}], {}, "one two", ""),
        (["one ", "two"], {}, "one two", ""),
        ([{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, "a"], {}, "a", "hm"),
        ([{"type": "reasoning", "text": "hm"}, {"type": "image_url"}, {"type": "text", "text": "a"}], {}, "a", "hm"),
        ("nul\x00 and half \ud83d", {}, "nul\ufffd and half \ufffd", ""),
        ("whole \U0001f600", {}, "whole \U0001f600", ""),
    ]  # fmt: skip
    for content, fields, text, reasoning in cases:
        completion = parsed(content, **fields)
        assert (completion.text, completion.reasoning) == (text, reasoning), (content, fields, text, reasoning)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("stop", FinishReason.STOP),
        ("STOP", FinishReason.STOP),
        ("eos", FinishReason.STOP),
        ("eos_token", FinishReason.STOP),
        ("sensitive", FinishReason.CONTENT_FILTER),
        ("length", FinishReason.LENGTH),
        ("model_length", FinishReason.LENGTH),
        ("content_filter", FinishReason.CONTENT_FILTER),
        ("tool_calls", FinishReason.OTHER),
    ],
)
def test_finish_reason_of_a_chat_response_is_read(said: str, meant: FinishReason) -> None:
    assert parsed("x", finish_reason=said).finish_reason is meant


@pytest.mark.parametrize(
    ("usage", "meant"),
    [
        ({"prompt_tokens": 5}, Usage(input=5)),
        (
            {
                "prompt_tokens": 50,
                "completion_tokens": 30,
                "total_tokens": 80,
                "prompt_tokens_details": {"cached_tokens": 40},
                "completion_tokens_details": {"reasoning_tokens": 20},
            },
            Usage(50, 40, 20, 10),
        ),
        (
            {
                "prompt_tokens": 50,
                "completion_tokens": 10,
                "total_tokens": 80,
                "completion_tokens_details": {"reasoning_tokens": 20},
            },
            Usage(50, None, 20, 10),
        ),
        ({"completion_tokens": 5, "completion_tokens_details": {"reasoning_tokens": 9}}, Usage(None, None, 9, 0)),
        ({"prompt_tokens": -1, "completion_tokens": "7"}, Usage()),
        ({"prompt_tokens": True, "completion_tokens": 10**30, "prompt_tokens_details": None}, Usage()),
    ],
    ids=["prompt", "within", "beside", "odd", "wrong", "absurd"],
)
def test_tokens_of_a_chat_response_are_read_by_kind(usage: dict[str, Any], meant: Usage) -> None:
    assert parsed("x", usage=usage).usage == meant


def test_a_count_of_absurdly_many_digits_is_unknown_and_the_answer_counts() -> None:
    body = model_server.message("x", usage={"prompt_tokens": 7, "completion_tokens": 12345}).body
    assert body.count(b"12345") == 1
    completion = BACKEND.parse(body.replace(b"12345", b"9" * 5000), 12.5)
    assert isinstance(completion, Completion)
    assert completion.usage == Usage(input=7)


def test_what_is_no_completion_says_why() -> None:
    for body, words in [
        (b"", "no JSON"),
        (b"null", "no JSON"),
        (b"\xff\xfe\x00", "no JSON"),
        (b"  <html>", "HTML"),
        (b"[]", "without a choice"),
        (b'{"choices": {}}', "without a choice"),
        (b'{"choices": [7]}', "without a choice"),
        (b'{"choices": [{"text": "old format"}]}', "without a message"),
        (b'{"choices": [{"message": {"content": 7}}]}', "no text"),
        (b'{"error": {"message": "overloaded"}}', "overloaded"),
        (b'{"choices": [{"message": {"content": "x"}}]}', "without a finish reason"),
        (b'{"choices": [{"message": {"content": "x"}, "finish_reason": ""}]}', "without a finish reason"),
        (b'{"choices": [{"message": {"content": "x"}, "finish_reason": "abort"}]}', "broke its answer off"),
        (b'{"choices": ' + b"[" * 200_000, "no JSON"),
        (b"9" * 10_000, "no JSON"),
    ]:
        found = BACKEND.parse(body, 1.0)
        assert isinstance(found, UnreadableResponse), (body, words)
        assert words in found.reason, (body, words)


def test_error_body_of_a_chat_response_becomes_a_refusal() -> None:
    for body, meant in [
        (b'{"error": {"message": "bad\\n key", "code": "x"}}', Refusal("bad key")),
        (b'{"error": "plain words"}', Refusal("plain words")),
        (b'{"detail": "not here"}', Refusal("not here")),
        (b'{"message": "gateway"}', Refusal("gateway")),
        (b'{"error": {"message": "no money", "code": "insufficient_quota"}}', Refusal("no money", exhausted=True)),
        (b'{"error": {"message": "Insufficient Balance"}}', Refusal("Insufficient Balance", exhausted=True)),
        (b'{"error": {"message": "quota of this minute", "code": "rate_limit"}}', Refusal("quota of this minute")),
        (b"<html>", Refusal("")),
        (b'{"error": [1]}', Refusal("")),
        (b"[]", Refusal("")),
    ]:
        assert BACKEND.parse_error(body) == meant, (body, meant)
