"""The exact request of each format for one prompt, and where its settings stand."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from app.domain.asking.completions import EndpointSpec, InferenceRequest, Message, Prompt
from app.domain.asking.protocols import Sampling
from app.domain.errors import InvalidInput
from workers.inference.backends import HttpCall, named_backend

PROMPT = Prompt((Message("system", "be terse"), Message("user", "你好"), Message("assistant", "```python")))
SAMPLING = Sampling(temperature=0.2, top_p=0.95, max_tokens=4096)
CHAT = [
    {"role": "system", "content": "be terse"},
    {"role": "user", "content": "你好"},
    {"role": "assistant", "content": "```python"},
]


def sent(
    name: str,
    sampling: Sampling = SAMPLING,
    configuration: Mapping[str, Any] | None = None,
    prompt: Prompt = PROMPT,
    **endpoint: Any,
) -> HttpCall:
    spec = replace(EndpointSpec(1, name, "https://example.org/v1", "m-1", "sk-1"), **endpoint)
    call = named_backend(name).call(spec, InferenceRequest(5, prompt, sampling, 77, configuration or {}))
    assert isinstance(call, HttpCall)
    return call


def body(name: str, *args: Any, **settings: Any) -> dict[str, Any]:
    return dict(json.loads(sent(name, *args, **settings).body))


@pytest.mark.parametrize(
    ("name", "extra"),
    [("openai_chat", {}), ("vllm", {"include_reasoning": True}),
     ("sglang", {"separate_reasoning": True, "stream_reasoning": True})],
)  # fmt: skip
def test_chat_request_has_the_fields_of_its_format(name: str, extra: dict[str, Any]) -> None:
    call = sent(name)
    assert call.url == "https://example.org/v1/chat/completions"
    assert json.loads(call.body) == {
        "model": "m-1", "messages": CHAT, "temperature": 0.2, "top_p": 0.95, "max_tokens": 4096, "seed": 77, "n": 1,
        "stream": False, **extra,
    }  # fmt: skip


@pytest.mark.parametrize("name", ["vllm", "sglang"])
def test_an_engines_chat_template_is_told_how_to_think(name: str) -> None:
    settings = {"enable_thinking": False, "chat_template_kwargs": {"language": "en"}, "reasoning_effort": "low"}
    said = body(name, configuration=settings)
    assert said["chat_template_kwargs"] == {"enable_thinking": False, "language": "en"}
    assert said["reasoning_effort"] == "low"
    assert settings["chat_template_kwargs"] == {"language": "en"}, "a run's configuration stays as it is"
    turned = dict(reversed(settings.items()))
    assert body(name, configuration=turned)["chat_template_kwargs"] == said["chat_template_kwargs"]
    for odd in ({"chat_template_kwargs": "x", "thinking": True}, {"enable_thinking": {"a": 1}}, {"thinking": [1]}):
        with pytest.raises(InvalidInput, match="must be one plain value"):
            body(name, configuration=odd)


def test_a_text_to_be_continued() -> None:
    call = sent("openai_completions", replace(SAMPLING, stop=("###",), top_k=20))
    assert call.url == "https://example.org/v1/completions"
    assert json.loads(call.body) == {
        "model": "m-1", "prompt": "be terse\n\n你好\n\n```python", "temperature": 0.2, "top_p": 0.95,
        "max_tokens": 4096, "top_k": 20, "stop": ["###"], "seed": 77, "n": 1, "stream": False,
    }  # fmt: skip


def test_a_one_shot_prompt_is_sent_to_the_character() -> None:
    text = "### Question:\n1 + 1\n\n### Answer:\n2\n\n### Question:\n2 + 2\n\n### Answer:\n"
    assert body("openai_completions", prompt=Prompt((Message("user", text),)))["prompt"] == text


def test_request_to_openai_responses_has_the_fields_of_its_format() -> None:
    call = sent("openai_responses", configuration={"reasoning_effort": "high", "reasoning_summary": "auto",
                                                   "verbosity": "low"})  # fmt: skip
    assert (call.url, call.headers["authorization"]) == ("https://example.org/v1/responses", "Bearer sk-1")
    assert json.loads(call.body) == {
        "model": "m-1", "input": CHAT, "temperature": 0.2, "top_p": 0.95, "max_output_tokens": 4096, "store": False,
        "stream": False, "reasoning": {"effort": "high", "summary": "auto"}, "text": {"verbosity": "low"},
    }  # fmt: skip


def test_request_to_anthropic_has_the_fields_of_its_format() -> None:
    call = sent("anthropic", replace(SAMPLING, top_k=20, stop=("###",)), {"effort": "high", "thinking_budget": 2048})
    assert call.url == "https://example.org/v1/messages"
    assert (call.headers["x-api-key"], call.headers["anthropic-version"]) == ("sk-1", "2023-06-01")
    assert "authorization" not in call.headers
    assert json.loads(call.body) == {
        "model": "m-1", "system": "be terse", "messages": CHAT[1:], "temperature": 0.2, "top_p": 0.95,
        "max_tokens": 4096, "top_k": 20, "stop_sequences": ["###"], "stream": False,
        "thinking": {"type": "enabled", "budget_tokens": 2048}, "output_config": {"effort": "high"},
    }  # fmt: skip
    assert body("anthropic", configuration={"thinking": "adaptive"})["thinking"] == {"type": "adaptive"}
    fewer = body("anthropic", extra={"omit": ["temperature", "top_p"]}, prompt=Prompt((Message("user", "x"),)))
    assert not {"temperature", "top_p", "system", "thinking"} & set(fewer)


def test_request_to_google_has_the_fields_of_its_format() -> None:
    call = sent("google", replace(SAMPLING, top_k=20, stop=("###",)), base_url="https://example.org/v1beta/")
    assert call.url == "https://example.org/v1beta/models/m-1:generateContent"
    assert call.headers["x-goog-api-key"] == "sk-1"
    assert json.loads(call.body) == {
        "systemInstruction": {"parts": [{"text": "be terse"}]},
        "contents": [{"role": "user", "parts": [{"text": "你好"}]},
                     {"role": "model", "parts": [{"text": "```python"}]}],
        "generationConfig": {"temperature": 0.2, "topP": 0.95, "maxOutputTokens": 4096, "topK": 20,
                             "stopSequences": ["###"], "seed": 77},
    }  # fmt: skip
    thinking = body("google", configuration={"thinking_budget": 512})["generationConfig"]["thinkingConfig"]
    assert thinking == {"thinkingBudget": 512, "includeThoughts": True}
    settings = {"include_thoughts": False, "thinking_level": "low"}
    thinking = body("google", configuration=settings)["generationConfig"]["thinkingConfig"]
    assert thinking == {"thinkingLevel": "low", "includeThoughts": False}
    tuned = sent(
        "google", remote_name="tunedModels/täst", base_url="https://example.org/v1?a=b", extra={"stream": True}
    )
    assert tuned.url == "https://example.org/v1/tunedModels/t%C3%A4st:streamGenerateContent?a=b&alt=sse"


@pytest.mark.parametrize("name", ["openai_responses", "anthropic", "vllm", "sglang", "openai_completions"])
def test_long_answers_are_streamed_in_every_format(name: str) -> None:
    assert body(name, replace(SAMPLING, max_tokens=16_384))["stream"] is False
    assert body(name, replace(SAMPLING, max_tokens=16_385))["stream"] is True
    assert body(name, extra={"stream": True})["stream"] is True


@pytest.mark.parametrize(
    ("name", "field"),
    [("openai_responses", "top_k"), ("openai_responses", "stop"), ("openai_responses", "repetition_penalty"),
     ("anthropic", "repetition_penalty"), ("google", "repetition_penalty")],
)  # fmt: skip
def test_what_a_format_cannot_carry_is_refused(name: str, field: str) -> None:
    set_to: dict[str, Any] = {"top_k": 20, "stop": ("#",), "repetition_penalty": 1.1}
    with pytest.raises(InvalidInput, match=f"the protocol sets {field}, which the back end {name} cannot send"):
        sent(name, replace(SAMPLING, **{field: set_to[field]}))
