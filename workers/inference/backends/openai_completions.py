"""The format of OpenAI's completions (`/completions`): a base model continues a text.

The prompt is the text of the messages, unchanged, with an empty line between two: a one-shot prompt of one message is
sent to the character. No role names are added, and no template is applied.
"""

import json
from collections.abc import Mapping
from typing import Any

from app.domain.asking.completions import EndpointSpec, InferenceRequest
from workers.inference.backends import Backend, HttpCall
from workers.inference.backends._chat import (
    StreamedChoice,
    check_ended,
    first_choice,
    make_reading,
    merge_fields,
    request_fields,
    require_choice,
)
from workers.inference.backends._completion import Pieces, parser
from workers.inference.backends._request import bearer_headers, url
from workers.inference.backends._responses import IncompleteAnswer, ResponseContents, read_refusal


def _build(endpoint: EndpointSpec, request: InferenceRequest) -> HttpCall:
    prompt = "\n\n".join(message.content for message in request.prompt.messages)
    body = {"model": endpoint.remote_name, "prompt": prompt} | request_fields(endpoint, request)
    return HttpCall(url(endpoint.base_url, "/completions"), bearer_headers(endpoint), json.dumps(body).encode())


def _join(pieces: Pieces) -> dict[str, Any]:
    whole: dict[str, Any] = {}
    joined = StreamedChoice()
    for piece in pieces:
        merge_fields(whole, piece)
        choice = first_choice(piece)
        joined.add({**choice, "delta": {"content": _text(choice)}})
    check_ended(joined.reason)
    choice = joined.whole(0)
    text = choice.pop("message")["content"] or ""
    return whole | {"object": "text_completion", "choices": [choice | {"text": text}]}


def _text(choice: Mapping[str, Any]) -> str:
    """Return the text of a choice. Raises IncompleteAnswer if it is no text."""
    text = choice.get("text")
    if not isinstance(text, str | None):
        raise IncompleteAnswer("answered a choice without a text")
    return text or ""


def _read(data: dict[str, Any]) -> ResponseContents:
    choice = require_choice(data)
    if "text" not in choice:
        raise IncompleteAnswer("answered a choice without a text")
    return make_reading(data, choice, _text(choice))


BACKEND = Backend("openai_completions", _build, parser(_join, _read), read_refusal)
