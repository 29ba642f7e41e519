"""Tokens of an answer of which nothing came: a failure of the endpoint, but of weights of our own."""

from typing import Any

import pytest
from fakes.dialects import DIALECTS
from fakes.model_server import ModelServer, Say, as_json, streamed
from fakes.recordings import TEXT, USAGE
from support.asking import LOOPBACK, endpoint, now, only_failure, requests
from support.exchanges import ask

from app.domain.asking.completions import Completion, FailureOwner, FinishReason, Retry
from app.domain.asking.protocols import Sampling
from workers.inference import client
from workers.inference.limiter import Paces
from workers.inference.wire import CallFailure


def lost(name: str) -> list[Say]:
    """An answer of which the tokens are counted and nothing came, whole and as a stream."""
    blank: dict[str, tuple[dict[str, Any], list[dict[str, Any]]]] = {
        "openai_completions": (
            {"choices": [{"text": "", "finish_reason": "stop"}], "usage": USAGE},
            [{"choices": [{"text": "", "finish_reason": "stop"}], "usage": USAGE}],
        ),
        "openai_responses": (
            {"status": "completed", "output": [], "usage": {"output_tokens": 40}},
            [{"type": "response.completed", "response": {"status": "completed", "usage": {"output_tokens": 40}}}],
        ),
        "anthropic": (
            {"content": [], "stop_reason": "end_turn", "usage": {"output_tokens": 40}},
            [{"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 40}}],
        ),
        "google": (
            {"candidates": [{"finishReason": "STOP"}], "usageMetadata": {"candidatesTokenCount": 40}},
            [{"candidates": [{"finishReason": "STOP"}], "usageMetadata": {"candidatesTokenCount": 40}}],
        ),
    }
    whole, events = blank.get(name, (
        {"choices": [{"message": {"content": [{"type": "unheard_of", "words": TEXT}]}, "finish_reason": "stop"}],
         "usage": USAGE},
        [{"choices": [{"delta": {"content": [{"type": "unheard_of", "words": TEXT}]}, "finish_reason": "stop"}],
          "usage": USAGE}],
    ))  # fmt: skip
    return [as_json(whole), streamed(*events, "[DONE]")]


@pytest.mark.parametrize("name", DIALECTS)
def test_tokens_of_which_nothing_came_are_a_failure_but_of_weights_of_our_own(name: str) -> None:
    for found, _ in ask(name, *lost(name)):
        assert isinstance(found, CallFailure)
        assert (found.reason, found.replied) == ("counted 40 tokens of an answer and sent none of it", True)
    for found, _ in ask(name, *lost(name), own=True):
        assert isinstance(found, Completion), "an engine of our own loses nothing: the model wrote nothing that shows"
        assert (found.text, found.finish_reason) == ("", FinishReason.STOP)


def test_a_stop_that_is_all_that_was_written_is_an_empty_answer() -> None:
    """The stop is left out, and its tokens are counted: as many as it has bytes at most, beside those of every end."""
    for stop, is_answer in (("#" * 37, True), ("#" * 36, False)):
        for found, _ in ask("openai_chat", *lost("openai_chat"), sampling=Sampling(stop=("\n", stop))):
            assert isinstance(found, Completion) is is_answer


def test_it_is_asked_again_like_any_failure_and_is_shown_to_be_the_endpoints_own() -> None:
    paces = Paces(backoff_s=0.01)
    for say in lost("openai_chat"):
        with ModelServer(say) as server:
            asked = endpoint(server.url), requests(1)
            found = client.ask(*asked, deadline_s=30.0, clock=now, allow=LOOPBACK, paces=paces)
            failed = only_failure(list(found))
        assert (failed.requests, failed.counts, failed.own) == (4, True, True)
        assert (failed.retry, failed.owner) == (Retry.LATER, FailureOwner.VENDOR)
