"""The HTTP side of the demo endpoint, as a plain ASGI application."""

import asyncio
import hashlib
import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

from scrapers.suites.house import DatedContest, DemoModel, League
from workers.demo.harbour import HarbourSite
from workers.demo.items import items_by_prompt
from workers.demo.phrases import tokens
from workers.demo.questions import QuestionIndex
from workers.demo.replies import Reply, is_busy, item_reply, manner_of, reply, shorten

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

MAX_REQUEST_BYTES = 1 << 20
RETRY_AFTER_S = 1
_MAX_REMEMBERED = 10_000


class _RefusedRequest(Exception):
    """A request that gets an error: status, message, and further headers."""

    def __init__(self, status: int, words: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(words)
        self.status, self.words, self.headers = status, words, headers or {}


@dataclass(frozen=True, slots=True)
class _ChatRequest:
    """A parsed chat request; `last` is its last message."""

    model: DemoModel
    prompt: str
    last: str
    seed: int
    effort: str | None
    most_tokens: int


class DemoServer:
    """An ASGI server of `/v1/models` and `/v1/chat/completions` that answers as the demo models do.

    All other paths are those of the bundled contest site, with `contests`.
    """

    def __init__(
        self,
        league: League,
        models: Sequence[DemoModel],
        contests: Sequence[DatedContest] = (),
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._models = {model.slug: model for model in models}
        self._index, self._items = QuestionIndex(league), items_by_prompt(league.items)
        self._released = {slug: contest.starts_at for contest in league.contests for slug in contest.problems}
        self._released |= {slug: dated.starts_at for dated in contests for slug in dated.contest.problems}
        self._site = HarbourSite(league, contests, clock)
        self._refused: OrderedDict[str, None] = OrderedDict()  # requests that were refused once

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        """Serve one ASGI connection."""
        if scope["type"] != "http":
            return
        if scope["method"] == "GET" and (page := self._site.answer(scope["path"], _etag_of(scope))) is not None:
            await _send(send, page.status, page.headers, page.body)
            return
        status, headers = 200, dict[str, str]()
        try:
            body = await self._answer(scope["method"], scope["path"], receive)
        except _RefusedRequest as refused:
            error = {"message": refused.words, "type": "demo_error", "code": str(refused.status)}
            status, headers, body = refused.status, dict(refused.headers), {"error": error}
        payload = json.dumps(body, ensure_ascii=False).encode()
        await _send(send, status, {"content-type": "application/json", **headers}, payload)

    async def _answer(self, method: str, path: str, receive: Receive) -> dict[str, Any]:
        routes = {"/v1/models": "GET", "/v1/chat/completions": "POST", "/healthz": "GET"}
        if path not in routes:
            raise _RefusedRequest(404, f"there is nothing at {path}")
        if method != routes[path]:
            raise _RefusedRequest(405, f"{path} takes {routes[path]}", {"allow": routes[path]})
        if path == "/healthz":
            return {"status": "ok"}
        if path == "/v1/models":
            return {"object": "list", "data": [_entry(model) for model in self._models.values()]}
        return await self._chat(self._read(await _body(receive)))

    def _read(self, body: bytes) -> _ChatRequest:
        try:
            request = json.loads(body)
            slug, messages = str(request["model"]), request["messages"]
            texts = [_text(message["content"]) for message in messages]
            seed = int(request.get("seed") or 0)
            most = int(request.get("max_tokens") or request.get("max_completion_tokens") or MAX_REQUEST_BYTES)
            effort = request.get("reasoning_effort")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as wrong:
            raise _RefusedRequest(400, f"not a chat request: {type(wrong).__name__}: {wrong}") from wrong
        if request.get("stream"):
            raise _RefusedRequest(400, "this endpoint does not stream")
        if slug not in self._models:
            raise _RefusedRequest(404, f"there is no model {slug!r}; there are {', '.join(self._models)}")
        prompt, last = "\n\n".join(texts), texts[-1] if texts else ""
        return _ChatRequest(
            self._models[slug], prompt, last, seed, None if effort is None else str(effort), max(1, most)
        )

    async def _chat(self, call: _ChatRequest) -> dict[str, Any]:
        self._admit(call)
        answer = shorten(self._reply(call), self._reasoning(call), call.most_tokens)
        await asyncio.sleep(answer.delay_s)
        return _completion(call, answer, self._reasoning(call))

    def _admit(self, call: _ChatRequest) -> None:
        """Refuse the first attempt of some requests; a second attempt is served."""
        key = hashlib.sha256(f"{call.model.slug}\0{call.effort}\0{call.seed}\0{call.prompt}".encode()).hexdigest()
        if key in self._refused or not is_busy(call.model, call.effort, key):
            return
        self._refused[key] = None
        if len(self._refused) > _MAX_REMEMBERED:
            self._refused.popitem(last=False)
        raise _RefusedRequest(429, "too many requests, please try again", {"retry-after": str(RETRY_AFTER_S)})

    def _reply(self, call: _ChatRequest) -> Reply:
        if (item := self._items.get(call.last)) is not None:
            return item_reply(call.model, call.effort, item, call.seed)
        question = self._index.find_question(call.prompt)
        released_at = None if question is None else self._released.get(question.problem.slug)
        return reply(call.model, call.effort, question, call.seed, released_at)

    def _reasoning(self, call: _ChatRequest) -> str:
        return manner_of(call.model, call.effort).reasoning


def _etag_of(scope: Mapping[str, Any]) -> str | None:
    """Return the ETag of the copy that the client has."""
    return next((value.decode("latin-1") for name, value in scope["headers"] if name == b"if-none-match"), None)


async def _send(send: Send, status: int, headers: Mapping[str, str], body: bytes) -> None:
    length = {} if status == HTTPStatus.NOT_MODIFIED else {"content-length": str(len(body))}
    raw = [(name.encode(), value.encode()) for name, value in {**headers, **length}.items()]
    await send({"type": "http.response.start", "status": int(status), "headers": raw})
    await send({"type": "http.response.body", "body": body})


async def _body(receive: Receive) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise _RefusedRequest(400, "the request was cut off")
        body += message.get("body", b"")
        if len(body) > MAX_REQUEST_BYTES:
            raise _RefusedRequest(413, "the request is too large")
        if not message.get("more_body"):
            return bytes(body)


def _text(content: Any) -> str:
    """Return a message's text, given as one string or as a list of parts."""
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content)


def _entry(model: DemoModel) -> dict[str, Any]:
    return {"id": model.slug, "object": "model", "owned_by": model.organisation}


def _completion(call: _ChatRequest, answer: Reply, reasoning: str) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": answer.text}
    thought = answer.thought if reasoning != "none" else ""
    if reasoning == "field" and thought:
        message["reasoning_content"] = thought
    elif reasoning == "tag" and thought:
        # Cut off in its thoughts, the model did not close the tag.
        message["content"] = f"<think>\n{thought}\n</think>\n\n{answer.text}" if answer.text else f"<think>\n{thought}"
    content, thinking, prompt = tokens(answer.text), tokens(thought), tokens(call.prompt)
    digest = hashlib.sha256(f"{call.model.slug}\0{call.seed}\0{call.prompt}".encode()).hexdigest()
    return {
        "id": f"chatcmpl-{digest[:24]}",
        "object": "chat.completion",
        "model": call.model.slug,
        "choices": [{"index": 0, "message": message, "finish_reason": answer.finish}],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": content + thinking,
            "total_tokens": prompt + content + thinking,
            "completion_tokens_details": {"reasoning_tokens": thinking},
        },
    }
