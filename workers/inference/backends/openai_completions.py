"""The format of OpenAI's completions (`/completions`): a base model continues a text.

The prompt is the text of the messages, each as it is, an empty line between two: a one-shot prompt of one message is
sent to the character. No names of roles are added, and no template is applied.
"""

import json
from typing import Any

from app.domain.asking.completions import EndpointSpec, InferenceRequest
from workers.inference.backends import Backend, HttpCall
from workers.inference.backends._answers import Pieces, parser
from workers.inference.backends._chat import as_read, check_ended, chosen, first, framed, keep
from workers.inference.backends._reading import Cut, Reading, joined, refusal, unthink
from workers.inference.backends._request import bearer, url


def _build(endpoint: EndpointSpec, request: InferenceRequest) -> HttpCall:
    prompt = "\n\n".join(message.content for message in request.prompt.messages)
    body = {"model": endpoint.remote_name, "prompt": prompt} | framed(endpoint, request)
    return HttpCall(url(endpoint.base_url, "/completions"), bearer(endpoint), json.dumps(body).encode())


def _join(pieces: Pieces) -> dict[str, Any]:
    whole: dict[str, Any] = {}
    texts, reason = [], None
    for piece in pieces:
        keep(whole, piece)
        choice = first(piece)
        reason = choice.get("finish_reason") or reason
        texts.append(choice.get("text"))
    check_ended(reason)
    return whole | {"object": "text_completion", "choices": [{"text": joined(texts), "finish_reason": reason}]}


def _read(data: dict[str, Any]) -> Reading:
    choice = chosen(data)
    text = choice.get("text")
    if text is None and "text" in choice:
        text = ""
    if not isinstance(text, str):
        raise Cut("answered a choice without a text")
    return as_read(data, choice, unthink(text))


BACKEND = Backend("openai_completions", _build, parser(_join, _read), refusal)
