"""Answers as vendors send them: each whole, and as the events of its stream, with what a reader should find in both.

The shapes are those that public endpoints use or were reported to use; the words are ours. `cut` splits a text into the
pieces in which it comes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
Cut = Callable[[str], list[str]]

TEXT = "Naïve, then 快:\n```python\nprint('你好, 🌍')\n```\n"
THOUGHT = "Erst überlegen … 然后。"
USAGE: Json = {"prompt_tokens": 11, "completion_tokens": 40, "total_tokens": 51}
REASONED: Json = USAGE | {"completion_tokens_details": {"reasoning_tokens": 15}}


@dataclass(frozen=True)
class Recording:
    """One answer. `output` is how many tokens of it are counted beside those of the reasoning."""

    whole: Json
    stream: Callable[[Cut], Sequence[Json]]
    text: str = TEXT
    reasoning: str = ""
    finish: str = "stop"
    output: int | None = 40


# --- the chat format ---


def _chat(message: Json, usage: Json = USAGE, finish: str = "stop", **beside: Any) -> Json:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    return {"object": "chat.completion", "model": "m-1", "choices": [choice | beside], "usage": usage}


def _chunk(delta: Json | None = None, **choice: Any) -> Json:
    said = {"index": 0, "delta": delta or {}, "finish_reason": None} | choice
    return {"object": "chat.completion.chunk", "model": "m-1", "choices": [said]}


def _ends(usage: Json = USAGE, finish: str = "stop") -> list[Json]:
    return [_chunk(finish_reason=finish), {"model": "m-1", "choices": [], "usage": usage}]


def _part(text: str) -> Json:
    return {"type": "text", "text": text}


def _thinking(text: str) -> Json:
    return {"type": "thinking", "thinking": [_part(text)]}


_REFERENCE = {"type": "reference", "reference_ids": [1, 2]}
_OPENING = _chunk({"role": "assistant", "content": ""})
_CALL = {"index": 0, "id": "c1", "type": "function", "function": {"name": "run", "arguments": "{}"}}


def _contents(cut: Cut, wrap: Callable[[str], Any] = str) -> list[Json]:
    return [_chunk({"content": wrap(piece)}) for piece in cut(TEXT)]


def _thoughts(cut: Cut, name: str, wrap: Callable[[str], Any] = str) -> list[Json]:
    return [_chunk({name: wrap(piece), "content": None}) for piece in cut(THOUGHT)]


def _early(cut: Cut) -> list[Json]:
    *contents, last = _contents(cut)
    return [*contents, _chunk(finish_reason="stop"), last, _ends()[1]]


def _cumulative(cut: Cut) -> list[Json]:
    pieces = cut(TEXT)
    said = ["".join(pieces[: number + 1]) for number in range(len(pieces))]
    return [_chunk(None, message={"role": "assistant", "content": text}) for text in said]


def _mixed(cut: Cut) -> list[Json]:
    """Thinking in parts, a reference among them, then parts and texts by turns."""
    contents = [[_part(piece)] if number % 2 else piece for number, piece in enumerate(cut(TEXT))]
    return [*(_chunk({"content": [_thinking(piece)]}) for piece in cut(THOUGHT)), _chunk({"content": [_REFERENCE]}),
            *(_chunk({"content": content}) for content in contents)]  # fmt: skip


CHAT: Mapping[str, Recording] = {
    "texts": Recording(_chat({"content": TEXT}), lambda cut: [_OPENING, *_contents(cut), *_ends()]),
    "text parts": Recording(
        _chat({"content": [_part(TEXT[:9]), _part(TEXT[9:])]}),
        lambda cut: [*_contents(cut, lambda piece: [_part(piece)]), *_ends()],
    ),
    "parts of several kinds": Recording(
        _chat({"content": [_thinking(THOUGHT), _REFERENCE, _part(TEXT)]}), lambda cut: [*_mixed(cut), *_ends()],
        reasoning=THOUGHT,
    ),
    "a part that is no list": Recording(
        _chat({"content": _part(TEXT)}), lambda cut: [*_contents(cut, _part), *_ends()]
    ),
    "reasoning": Recording(
        _chat({"content": TEXT, "reasoning": THOUGHT}, REASONED),
        lambda cut: [_OPENING, *_thoughts(cut, "reasoning"), *_contents(cut), *_ends(REASONED)],
        reasoning=THOUGHT, output=25,
    ),
    "reasoning_content": Recording(
        _chat({"content": TEXT, "reasoning_content": THOUGHT}),
        lambda cut: [*_thoughts(cut, "reasoning_content"), *_contents(cut), *_ends()], reasoning=THOUGHT,
    ),
    "reasoning_details": Recording(
        _chat({"content": TEXT, "reasoning_details": [{"type": "reasoning.text", "text": THOUGHT},
                                                      {"type": "reasoning.encrypted", "data": "eA=="}]}),
        lambda cut: [
            *_thoughts(cut, "reasoning_details", lambda piece: [{"type": "reasoning.text", "text": piece}]),
            _chunk({"reasoning_details": [{"type": "reasoning.encrypted", "data": "eA=="}]}), *_contents(cut), *_ends(),
        ],
        reasoning=THOUGHT,
    ),
    "the same reasoning in two places": Recording(
        _chat({"content": TEXT, "reasoning": THOUGHT, "reasoning_details": [{"type": "reasoning.summary",
                                                                             "summary": THOUGHT}]}),
        lambda cut: [
            *(_chunk({"reasoning": piece, "reasoning_details": [{"type": "reasoning.summary", "summary": piece}]})
              for piece in cut(THOUGHT)), *_contents(cut), *_ends(),
        ],
        reasoning=THOUGHT,
    ),
    "tags in the text": Recording(
        _chat({"content": f"<think>{THOUGHT}</think>\n{TEXT}"}),
        lambda cut: [*(_chunk({"content": piece}) for piece in cut(f"<think>{THOUGHT}</think>\n{TEXT}")), *_ends()],
        reasoning=THOUGHT,
    ),
    "the finish reason before the last text": Recording(
        _chat({"content": TEXT}),
        _early,
    ),
    "usage inside of the choice": Recording(
        _chat({"content": TEXT}), lambda cut: [*_contents(cut), _chunk(finish_reason="stop", usage=USAGE)]
    ),
    "the whole message at the end": Recording(
        _chat({"content": TEXT, "reasoning": THOUGHT}),
        lambda cut: [*_thoughts(cut, "reasoning"), *_contents(cut)[:1],
                     _chunk(None, message={"role": "assistant", "content": TEXT}, finish_reason="stop"), _ends()[1]],
        reasoning=THOUGHT,
    ),
    "a message at the end that leaves out": Recording(
        _chat({"content": TEXT}),
        lambda cut: [*_contents(cut), _chunk(None, message={"content": "", "role": "assistant"}),
                     _chunk(None, message={"content": TEXT[:5]}), *_ends()],
    ),
    "messages in place of deltas": Recording(
        _chat({"content": TEXT}),
        lambda cut: [*(_chunk(None, message={"content": piece}) for piece in cut(TEXT)), *_ends()],
    ),
    "messages that grow": Recording(_chat({"content": TEXT}), lambda cut: [*_cumulative(cut), *_ends()]),
    "words of refusal": Recording(
        _chat({"content": None, "refusal": "I will not."}),
        lambda cut: [_OPENING, *(_chunk({"refusal": piece}) for piece in cut("I will not.")), *_ends()],
        text="I will not.",
    ),
    "a part of refusal": Recording(
        _chat({"content": [{"type": "refusal", "refusal": "I will not."}]}),
        lambda cut: [*(_chunk({"content": [{"type": "refusal", "refusal": piece}]}) for piece in cut("I will not.")),
                     *_ends()],
        text="I will not.",
    ),
    "a tool": Recording(
        _chat({"content": None, "tool_calls": [_CALL]}, finish="tool_calls"),
        lambda _: [_OPENING, _chunk({"tool_calls": [_CALL]}), _chunk({"tool_calls": []}), *_ends(finish="tool_calls")],
        text="", finish="other",
    ),
    "cut off in its reasoning": Recording(
        _chat({"content": None, "reasoning": THOUGHT}, finish="length"),
        lambda cut: [*_thoughts(cut, "reasoning"), *_ends(finish="length")],
        text="", reasoning=THOUGHT, finish="length",
    ),
    "choices that nobody asked for": Recording(
        _chat({"content": TEXT}),
        lambda cut: [chunk for piece in _contents(cut) for chunk in (piece, _chunk({"content": "x"}, index=1))]
        + _ends(),
    ),
    "a number left out": Recording(
        _chat({"content": TEXT}),
        lambda cut: [{**chunk, "choices": [{**chunk["choices"][0], "index": None}]} for chunk in _contents(cut)]
        + _ends(),
    ),
}  # fmt: skip


# --- completions ---


def _completion(text: str | None, finish: str = "stop") -> Json:
    choice = {"index": 0, "text": text, "finish_reason": finish, "logprobs": None}
    return {"object": "text_completion", "model": "m-1", "choices": [choice], "usage": USAGE}


def _texts(cut: Cut, text: str = TEXT) -> list[Json]:
    return [_completion(piece, "") | {"usage": None} for piece in cut(text)]


def _text_ends(finish: str = "stop") -> list[Json]:
    return [_completion("", finish) | {"usage": None}, {"model": "m-1", "choices": [], "usage": USAGE}]


def _early_text(cut: Cut) -> list[Json]:
    *texts, last = _texts(cut)
    return [*texts, _completion(None) | {"usage": None}, last | {"usage": USAGE}]


COMPLETIONS: Mapping[str, Recording] = {
    "texts": Recording(_completion(TEXT), lambda cut: [*_texts(cut), *_text_ends()]),
    "tags in the text": Recording(
        _completion(f"<think>{THOUGHT}</think>{TEXT}"),
        lambda cut: [*_texts(cut, f"<think>{THOUGHT}</think>{TEXT}"), *_text_ends()], reasoning=THOUGHT,
    ),
    "the finish reason before the last text": Recording(_completion(TEXT), _early_text),
    "cut off": Recording(
        _completion(TEXT, "length"), lambda cut: [*_texts(cut), *_text_ends("length")], finish="length"
    ),
}  # fmt: skip

# --- responses ---

_COUNTED: Json = {"input_tokens": 11, "output_tokens": 40, "total_tokens": 51,
                  "output_tokens_details": {"reasoning_tokens": 15}}  # fmt: skip


def _message(text: str = TEXT, kind: str = "output_text", name: str = "text") -> Json:
    return {"type": "message", "id": "msg_1", "role": "assistant", "content": [{"type": kind, name: text}]}


def _reasoning(kind: str = "summary") -> Json:
    part = {"type": "summary_text" if kind == "summary" else "reasoning_text", "text": THOUGHT}
    return {"type": "reasoning", "id": "rs_1", "summary": [], kind: [part]}


def _response(*output: Json, status: str = "completed", **beside: Any) -> Json:
    return {"object": "response", "model": "m-1", "status": status, "output": list(output), "usage": _COUNTED} | beside


def _event(kind: str, place: int, **fields: Any) -> Json:
    return {"type": f"response.{kind}", "output_index": place, "item_id": f"i{place}", "content_index": 0} | fields


def _deltas(cut: Cut, item: int = 0, text: str = TEXT, kind: str = "output_text") -> list[Json]:
    return [_event(f"{kind}.delta", item, delta=piece) for piece in cut(text)]


def _responded(*output: Json, **beside: Any) -> list[Json]:
    whole = _response(*output, **beside)
    return [{"type": f"response.{whole['status']}", "response": whole}]


def _summary(cut: Cut) -> list[Json]:
    pieces = [_event("reasoning_summary_text.delta", 0, delta=piece) for piece in cut(THOUGHT)]
    return [{**piece, "content_index": None, "summary_index": 0} for piece in pieces]


def _by_turns(cut: Cut) -> list[Json]:
    """Two messages, whose pieces come mixed, the second one's first."""
    first, second = _deltas(cut, 1, TEXT[:12]), _deltas(cut, 2, TEXT[12:])
    mixed = [piece for pair in zip(second, first, strict=False) for piece in pair]
    return mixed + second[len(first) :] + first[len(second) :]


_BEGUN = {"type": "response.created", "response": _response(status="in_progress", usage=None)}
_ADDED = _event("content_part.added", 0, part={"type": "output_text", "text": ""})

RESPONSES: Mapping[str, Recording] = {
    "pieces alone": Recording(
        _response(_message()), lambda cut: [_BEGUN, _ADDED, *_deltas(cut), *_responded()], output=25
    ),
    "pieces, then the text": Recording(
        _response(_message()),
        lambda cut: [_BEGUN, *_deltas(cut), _event("output_text.done", 0, text=TEXT), *_responded()], output=25,
    ),
    "the text alone": Recording(
        _response(_message()), lambda _: [_BEGUN, _event("output_text.done", 0, text=TEXT), *_responded()], output=25
    ),
    "the part alone": Recording(
        _response(_message()),
        lambda _: [_event("content_part.done", 0, part=_message()["content"][0]), *_responded()], output=25,
    ),
    "an item without its content": Recording(
        _response(_reasoning(), _message()),
        lambda cut: [_BEGUN, *_summary(cut), _event("output_item.done", 0, item=_reasoning() | {"summary": []}),
                     *_deltas(cut, 1), _event("output_text.done", 1, text=""),
                     _event("output_item.done", 1, item=_message() | {"content": []}), *_responded()],
        reasoning=THOUGHT, output=25,
    ),
    "items, left out at the end": Recording(
        _response(_reasoning("content"), _message()),
        lambda cut: [*_deltas(cut), _event("output_item.done", 0, item=_reasoning("content")),
                     _event("output_item.done", 1, item=_message()), *_responded(output=None)],
        reasoning=THOUGHT, output=25,
    ),
    "the whole at the end": Recording(
        _response(_reasoning(), _message()),
        lambda cut: [_BEGUN, *_deltas(cut)[:1], *_responded(_reasoning(), _message())], reasoning=THOUGHT, output=25,
    ),
    "less at the end than before": Recording(
        _response(_reasoning("content"), _message()),
        lambda cut: [*_deltas(cut, 0, THOUGHT, "reasoning_text"), *_deltas(cut, 1),
                     *_responded(_message(TEXT[:7]))],
        reasoning=THOUGHT, output=25,
    ),
    "two messages by turns": Recording(
        _response(_message(TEXT[:12]), _message(TEXT[12:])), lambda cut: [*_by_turns(cut), *_responded()], output=25
    ),
    "words of refusal": Recording(
        _response(_message("I will not.", "refusal", "refusal")),
        lambda cut: [*_deltas(cut, 0, "I will not.", "refusal"), *_responded()], text="I will not.", output=25,
    ),
    "cut off": Recording(
        _response(_message(), status="incomplete", incomplete_details={"reason": "max_output_tokens"}),
        lambda cut: [_BEGUN, *_deltas(cut),
                     *_responded(status="incomplete", incomplete_details={"reason": "max_output_tokens"})],
        finish="length", output=25,
    ),
    "a text beside no items": Recording(
        _response(output_text=TEXT), lambda cut: [_BEGUN, *_deltas(cut)[:1], *_responded(output_text=TEXT)], output=25
    ),
    "a content that is a text": Recording(
        _response(_message() | {"content": TEXT}),
        lambda _: [_event("output_item.done", 0, item=_message() | {"content": TEXT}), *_responded()], output=25,
    ),
    "a tool": Recording(
        _response({"type": "function_call", "name": "run", "arguments": "{}"}),
        lambda _: [_event("output_item.done", 0, item={"type": "function_call", "name": "run"}), *_responded()],
        text="", finish="other", output=25,
    ),
}  # fmt: skip
