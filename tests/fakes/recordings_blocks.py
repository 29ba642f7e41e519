"""Answers as vendors of other formats send them, like those of `recordings`: blocks of messages, parts of Google's."""

from collections.abc import Mapping
from typing import Any

from fakes.recordings import TEXT, THOUGHT, Cut, Json, Recording

# --- messages ---


def _message(*content: Json, stop: str = "end_turn") -> Json:
    return {"type": "message", "role": "assistant", "model": "m-1", "content": list(content), "stop_reason": stop,
            "usage": {"input_tokens": 11, "output_tokens": 40}}  # fmt: skip


def _begun(*content: Json) -> Json:
    begun = _message(*content) | {"stop_reason": None, "usage": {"input_tokens": 11, "output_tokens": 1}}
    return {"type": "message_start", "message": begun}


def _start(block: Json, number: int | None = 0) -> Json:
    return {"type": "content_block_start", "index": number, "content_block": block}


def _deltas(cut: Cut, kind: str, text: str, number: int | None = 0) -> list[Json]:
    return [
        {"type": "content_block_delta", "index": number, "delta": {"type": f"{kind}_delta", kind: piece}}
        for piece in cut(text)
    ]


def _end(stop: str = "end_turn") -> list[Json]:
    return [{"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 40}},
            {"type": "message_stop"}]  # fmt: skip


_TEXT = {"type": "text", "text": TEXT}
_EMPTY = {"type": "text", "text": ""}
_THINKING = {"type": "thinking", "thinking": THOUGHT, "signature": "c2ln"}
_SECRET = {"type": "redacted_thinking", "data": "eA=="}
_NO_THOUGHT = {"type": "thinking", "thinking": "", "signature": ""}
_TOOL = {"type": "tool_use", "id": "t1", "name": "run", "input": {}}

MESSAGES: Mapping[str, Recording] = {
    "blocks": Recording(
        _message(_THINKING, _SECRET, _TEXT),
        lambda cut: [_begun(), {"type": "ping"}, _start(_NO_THOUGHT), *_deltas(cut, "thinking", THOUGHT),
                     *_deltas(cut, "signature", "c2ln"), {"type": "content_block_stop", "index": 0},
                     _start(_SECRET, 1), _start(_EMPTY, 2), {"type": "ping"}, *_deltas(cut, "text", TEXT, 2), *_end()],
        reasoning=THOUGHT,
    ),
    "a text that begins with its block": Recording(
        _message(_TEXT),
        lambda cut: [_begun(), _start({"type": "text", "text": TEXT[:9]}), *_deltas(cut, "text", TEXT[9:]), *_end()],
    ),
    "one number for all blocks": Recording(
        _message(_THINKING, _TEXT),
        lambda cut: [_begun(), _start(_NO_THOUGHT), *_deltas(cut, "thinking", THOUGHT), _start(_EMPTY),
                     *_deltas(cut, "text", TEXT), *_end()],
        reasoning=THOUGHT,
    ),
    "two texts under one number": Recording(
        _message({"type": "text", "text": TEXT[:9]}, {"type": "text", "text": TEXT[9:]}),
        lambda cut: [_begun(), _start(_EMPTY), *_deltas(cut, "text", TEXT[:9]), _start(_EMPTY),
                     *_deltas(cut, "text", TEXT[9:]), *_end()],
    ),
    "blocks that never begin": Recording(
        _message(_THINKING, _TEXT),
        lambda cut: [_begun(), *_deltas(cut, "thinking", THOUGHT, None), *_deltas(cut, "text", TEXT, None), *_end()],
        reasoning=THOUGHT,
    ),
    "a message that begins whole": Recording(_message(_TEXT), lambda _: [_begun(_TEXT), *_end()]),
    "a tool": Recording(
        _message(_TOOL, stop="tool_use"), lambda _: [_begun(), _start(_TOOL), *_end("tool_use")], text="",
        finish="other",
    ),
    "a refusal on the way": Recording(
        _message(stop="refusal"), lambda _: [_begun(), *_end("refusal")], text="", finish="content_filter"
    ),
    "cut off in thoughts that are not shown": Recording(
        _message(_SECRET, stop="max_tokens"), lambda _: [_begun(), _start(_SECRET), *_end("max_tokens")], text="",
        finish="length",
    ),
}  # fmt: skip

# --- generateContent ---

_COUNTED = {"promptTokenCount": 11, "candidatesTokenCount": 40, "thoughtsTokenCount": 15, "totalTokenCount": 66}


def _generated(*parts: Json, reason: str | None = "STOP", **beside: Any) -> Json:
    candidate: Json = {"content": {"role": "model", "parts": list(parts)}, "index": 0}
    candidate |= {"finishReason": reason} if reason else {}
    return {"candidates": [candidate], "modelVersion": "m-1", "usageMetadata": _COUNTED} | beside


def _chunks(cut: Cut, text: str, reason: str | None = None, **part: Any) -> list[Json]:
    return [_generated({"text": piece, **part}, reason=reason, usageMetadata=None) for piece in cut(text)]


_BLOCKED: Json = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "modelVersion": "m-1", "candidates": [],
                  "usageMetadata": {"promptTokenCount": 11, "totalTokenCount": 11}}  # fmt: skip
_RUN = {"functionCall": {"name": "run", "args": {}}}

GENERATED: Mapping[str, Recording] = {
    "thoughts and texts": Recording(
        _generated({"text": THOUGHT, "thought": True}, {"text": TEXT[:9]}, {"text": TEXT[9:], "thoughtSignature": "x"}),
        lambda cut: [*_chunks(cut, THOUGHT, thought=True), *_chunks(cut, TEXT),
                     _generated({"text": "", "thoughtSignature": "x"})],
        reasoning=THOUGHT,
    ),
    "the finish reason in every piece": Recording(
        _generated({"text": TEXT}),
        lambda cut: [*_chunks(cut, TEXT, "STOP"), _generated(reason="FINISH_REASON_UNSPECIFIED")],
    ),
    "counts one by one": Recording(
        _generated({"text": TEXT}),
        lambda cut: [_generated({"text": ""}, reason=None, usageMetadata={"thoughtsTokenCount": 15}),
                     *_chunks(cut, TEXT), _generated(usageMetadata={"promptTokenCount": 11}),
                     {"usageMetadata": {"candidatesTokenCount": 40}}],
    ),
    "several parts in a piece": Recording(
        _generated({"text": TEXT}),
        lambda cut: [_generated(*({"text": piece} for piece in cut(TEXT))), {"candidates": []}],
    ),
    "a prompt that is blocked": Recording(
        _BLOCKED, lambda _: [_BLOCKED], text="", finish="content_filter", output=None
    ),
    "a tool": Recording(
        _generated(_RUN, reason="UNEXPECTED_TOOL_CALL"), lambda _: [_generated(_RUN, reason="UNEXPECTED_TOOL_CALL")],
        text="", finish="other",
    ),
}  # fmt: skip
