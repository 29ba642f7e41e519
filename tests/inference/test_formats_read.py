"""Shapes that one provider alone sends: what they amount to."""

import json
from typing import Any

import pytest

from app.domain.asking.completions import Completion, FinishReason, Usage
from workers.inference.backends import Refusal, UnreadableResponse, named_backend


def read(name: str, body: Any) -> Completion:
    found = named_backend(name).parse(json.dumps(body).encode(), 1.0)
    assert isinstance(found, Completion), found
    return found


def events(*pieces: Any) -> bytes:
    return b"".join(b"data: " + json.dumps(piece).encode() + b"\n\n" for piece in pieces)


def test_a_prompt_that_google_blocks_is_answered_with_nothing() -> None:
    said = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": 11}}
    for found in (read("google", said), named_backend("google").parse(events(said), 1.0)):
        assert isinstance(found, Completion)
        assert (found.text, found.finish_reason, found.usage.input) == ("", FinishReason.CONTENT_FILTER, 11)


def test_google_does_not_say_why_it_stopped() -> None:
    said = {"candidates": [{"content": {"parts": [{"text": "x"}]}, "finishReason": "FINISH_REASON_UNSPECIFIED"}]}
    found = named_backend("google").parse(json.dumps(said).encode(), 1.0)
    assert found == UnreadableResponse("answered without a finish reason")


@pytest.mark.parametrize("status", ["in_progress", "queued", "cancelled", "failed"])
def test_a_response_that_is_not_done_is_no_answer(status: str) -> None:
    said = {"status": status, "output": [], "usage": {"input_tokens": 1}}
    found = named_backend("openai_responses").parse(json.dumps(said).encode(), 1.0)
    assert found == UnreadableResponse(f"broke its answer off (status '{status}')")


def test_items_that_the_last_event_leaves_out_came_before_it() -> None:
    item = {"type": "message", "content": [{"type": "output_text", "text": "print(1)"}]}
    last = {"status": "completed", "output": [], "usage": {"input_tokens": 3, "output_tokens": 2}}
    body = events({"type": "response.output_item.done", "item": item}, {"type": "response.completed", "response": last})
    found = named_backend("openai_responses").parse(body, 1.0)
    assert isinstance(found, Completion)
    assert (found.text, found.usage) == ("print(1)", Usage(3, None, None, 2))


def test_a_refusal_in_words_is_an_answer() -> None:
    said = {"status": "completed", "output": [{"type": "message", "content": [{"type": "refusal", "refusal": "No."}]}],
            "usage": {"input_tokens": 1}}  # fmt: skip
    assert (read("openai_responses", said).text, read("openai_responses", said).finish_reason) == (
        "No.", FinishReason.STOP,
    )  # fmt: skip


def test_blocks_that_nobody_can_read_are_passed_over() -> None:
    said = {"content": [{"type": "redacted_thinking", "data": "x"}, {"type": "text", "text": "a"}, 7,
                        {"type": "text", "text": "b"}], "stop_reason": "model_context_window_exceeded",
            "usage": {"input_tokens": 5}}  # fmt: skip
    found = read("anthropic", said)
    assert (found.text, found.reasoning, found.finish_reason, found.usage) == ("ab", "", FinishReason.LENGTH, Usage(5))


def test_sglang_counts_reasoning_beside_the_details() -> None:
    usage = {"prompt_tokens": 9, "completion_tokens": 30, "total_tokens": 39, "reasoning_tokens": 20}
    said = {"choices": [{"message": {"content": "x"}, "finish_reason": "stop"}], "usage": usage}
    assert read("sglang", said).usage == Usage(9, None, 20, 10)


@pytest.mark.parametrize(
    ("body", "meant"),
    [
        ({"type": "error", "error": {"type": "invalid_request_error", "message": "Your credit balance is too low to "
          "access the API."}}, Refusal("Your credit balance is too low to access the API.", exhausted=True)),
        ({"error": {"code": 400, "message": "API key not valid. Please pass a valid API key.",
                    "status": "INVALID_ARGUMENT"}},
         Refusal("API key not valid. Please pass a valid API key.", of_key=True)),
        ([{"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}}], Refusal("overloaded")),
        ({"error": {"code": 429, "message": "Quota exceeded for a minute", "status": "RESOURCE_EXHAUSTED"}},
         Refusal("Quota exceeded for a minute")),
        ({"error": {"message": "The input token count (9) exceeds the maximum number of tokens allowed (8)."}},
         Refusal("The input token count (9) exceeds the maximum number of tokens allowed (8).", of_prompt=True)),
        ({"error": {"code": "UNAVAILABLE", "status": "down"}}, Refusal("UNAVAILABLE")),
    ],
)  # fmt: skip
def test_error_bodies_of_other_formats_become_refusals(body: Any, meant: Refusal) -> None:
    for name in ("anthropic", "google", "openai_responses"):
        assert named_backend(name).parse_error(json.dumps(body).encode()) == meant
