"""The format of OpenAI's completions (`/completions`): a base model continues a text.

The prompt is the text of the messages, each as it is, an empty line between two: a one-shot prompt of one message is
sent to the character. No names of roles are added, and no template is applied.
"""

import json
from collections.abc import Mapping
from typing import Any

from app.domain.asking.completions import EndpointSpec, InferenceRequest
from workers.inference.backends import Backend, HttpCall
from workers.inference.backends._answers import Pieces, parser
from workers.inference.backends._chat import StreamedChoice, as_read, check_ended, chosen, first, framed, keep
from workers.inference.backends._reading import Cut, Reading, refusal
from workers.inference.backends._request import bearer, url


def _build(endpoint: EndpointSpec, request: InferenceRequest) -> HttpCall:
    prompt = "\n\n".join(message.content for message in request.prompt.messages)
    body = {"model": endpoint.remote_name, "prompt": prompt} | framed(endpoint, request)
    return HttpCall(url(endpoint.base_url, "/completions"), bearer(endpoint), json.dumps(body).encode())


def _join(pieces: Pieces) -> dict[str, Any]:
    whole: dict[str, Any] = {}
    joined = StreamedChoice()
    for piece in pieces:
        keep(whole, piece)
        choice = first(piece)
        joined.add({**choice, "delta": {"content": _text(choice)}})
    check_ended(joined.reason)
    choice = joined.whole(0)
    text = choice.pop("message")["content"] or ""
    return whole | {"object": "text_completion", "choices": [choice | {"text": text}]}


def _text(choice: Mapping[str, Any]) -> str:
    """The text of a choice. Raises Cut for what is no text."""
    text = choice.get("text")
    if not isinstance(text, str | None):
        raise Cut("answered a choice without a text")
    return text or ""


def _read(data: dict[str, Any]) -> Reading:
    choice = chosen(data)
    if "text" not in choice:
        raise Cut("answered a choice without a text")
    return as_read(data, choice, _text(choice))


BACKEND = Backend("openai_completions", _build, parser(_join, _read), refusal)
