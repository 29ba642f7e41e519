"""The bundled model server: OpenAI's chat interface over transformers, small and plain.

Run as `python -m workers.inference.gpu.server --model DIR --served-model-name NAME --host H --port N`. It is for small
models, rare ones and machines without a GPU: waiting requests are answered together, one batch after another. torch and
transformers are imported when it starts, and by nothing else in this project. It refuses unsupported requests with 400;
it never answers something else than what was asked.
"""

import argparse
import json
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from uuid import uuid4

from workers.inference.gpu.batches import BatchQueue, GenerationRequest
from workers.inference.gpu.decoding import Decoder

_MAX_BODY_BYTES: Final = 64 << 20
_MAX_CHOICES: Final = 128
_KEY_VARIABLE: Final = "TIDEMARK_SERVER_KEY"
_KNOWN_FIELDS: Final = frozenset(
    {"model", "messages", "max_tokens", "max_completion_tokens", "temperature", "top_p", "top_k", "repetition_penalty",
     "seed", "stop", "n", "stream", "chat_template_kwargs", "include_reasoning"}
)  # fmt: skip


class RequestRefused(Exception):
    """A request that is refused, with its HTTP status."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


class LoadedModel:
    """Weights in memory."""

    def __init__(self, options: argparse.Namespace) -> None:
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        self._name = options.served_model_name
        kind = "auto" if options.dtype == "auto" else getattr(torch, options.dtype)
        self._tokenizer = AutoTokenizer.from_pretrained(options.model)
        if options.chat_template:
            with open(options.chat_template, encoding="utf-8") as file:  # noqa: PTH123
                self._tokenizer.chat_template = file.read()
        model = AutoModelForCausalLM.from_pretrained(options.model, dtype=kind)
        model = model.to("cuda" if torch.cuda.is_available() else "cpu").eval()
        model.generation_config = _end_tokens_only(model.generation_config)
        own = getattr(model.config, "max_position_embeddings", None)
        self._longest = options.max_model_len or own or 4096
        self._seed = options.seed
        self._batches = BatchQueue(Decoder(model, self._tokenizer).make, options.max_num_seqs)
        self._batches.start()
        self._counting, self.tokens = threading.Lock(), 0

    def answer(self, body: dict[str, Any]) -> dict[str, Any]:
        """Return a chat completion. Raises Refused."""
        self._check(body)
        prompt = self._tokenizer.apply_chat_template(
            plain_messages(body["messages"]), add_generation_prompt=True, return_dict=True,
            **(body.get("chat_template_kwargs") or {}),
        )["input_ids"]  # fmt: skip
        prompt_tokens = len(prompt)
        room = self._longest - prompt_tokens
        if room < 1:
            raise RequestRefused(400, f"the prompt has {prompt_tokens} tokens, and the model takes {self._longest}")
        limit = body.get("max_completion_tokens") or body.get("max_tokens") or room
        request = self._wanted(tuple(prompt), min(limit, room), body)
        choices = self._batches.answer(
            [replace(request, seed=request.seed + number) for number in range(body.get("n", 1))]
        )
        completion_tokens = sum(choice.tokens for choice in choices)
        with self._counting:
            self.tokens += completion_tokens
        return {
            "id": f"chatcmpl-{uuid4().hex}", "object": "chat.completion",
            "model": self._name,
            "choices": [
                {"index": number, "message": {"role": "assistant", "content": choice.text},
                 "finish_reason": "stop" if choice.ended else "length"}
                for number, choice in enumerate(choices)
            ],
            "usage": {"prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens,
                      "total_tokens": prompt_tokens + completion_tokens},
        }  # fmt: skip

    def _check(self, body: dict[str, Any]) -> None:
        if body.get("model") != self._name:
            raise RequestRefused(404, f"there is no model {body.get('model')!r}")
        unknown = sorted(name for name in body if name not in _KNOWN_FIELDS and body[name] is not None)
        if unknown or body.get("stream"):
            raise RequestRefused(400, f"this server cannot do {', '.join(unknown) or 'streams'}")
        choices, messages = body.get("n", 1), body.get("messages")
        if not isinstance(choices, int) or not 1 <= choices <= _MAX_CHOICES:
            raise RequestRefused(400, f"n is 1 to {_MAX_CHOICES}")
        if not isinstance(body.get("chat_template_kwargs") or {}, dict):
            raise RequestRefused(400, "chat_template_kwargs is an object")
        if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
            raise RequestRefused(400, "messages is a list of objects")
        for name in ("max_tokens", "max_completion_tokens"):
            if body.get(name) is not None and (not isinstance(body[name], int) or body[name] < 1):
                raise RequestRefused(400, f"{name} is a positive number")

    def _wanted(self, prompt: tuple[int, ...], most: int, body: dict[str, Any]) -> GenerationRequest:
        """Return how to sample an answer; missing fields have the defaults of OpenAI's interface. Raises Refused."""
        fields = {name: value for name, value in body.items() if value is not None}
        stop = fields.get("stop", [])
        wanted = GenerationRequest(
            prompt, most, int(fields.get("seed", self._seed)), float(fields.get("temperature", 1.0)),
            float(fields.get("top_p", 1.0)), max(0, int(fields.get("top_k", 0))),
            float(fields.get("repetition_penalty", 1.0)), (stop,) if isinstance(stop, str) else tuple(map(str, stop)),
        )  # fmt: skip
        if not (wanted.temperature >= 0 and 0 < wanted.top_p <= 1 and wanted.repetition > 0 and all(wanted.stop)):
            raise RequestRefused(
                400, "temperature is 0 or more, top_p at most 1, repetition_penalty above 0, stop no empty word"
            )
        return wanted

    def metrics(self) -> str:
        """Return its metrics in Prometheus' text format."""
        return (
            f"tidemark_server_running {self._batches.running}\ntidemark_server_waiting {self._batches.waiting}\n"
            f"tidemark_server_tokens_total {self.tokens}\n"
        )


def plain_messages(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the messages with each content as one text: a template may print a list as it is. Raises Refused."""
    return [message | {"content": _text(message.get("content"))} for message in messages]


def _text(content: Any) -> str:
    parts = content if isinstance(content, list) else [content]
    values = [part.get("text") if isinstance(part, dict) and part.get("type") == "text" else part for part in parts]
    texts = [text for text in values if isinstance(text, str)]
    if len(texts) < len(parts):
        raise RequestRefused(400, "a message's content is a text, or a list of parts of type text")
    return "".join(texts)


def _end_tokens_only(own: Any) -> Any:
    """Return a configuration with the tokens that begin and end an answer, and nothing else from the weights' file.

    The protocol alone decides how answers are sampled; other settings in that file would change it silently.
    """
    tokens = {name: getattr(own, name, None) for name in ("bos_token_id", "eos_token_id", "pad_token_id")}
    return type(own)(**tokens)


class Handler(BaseHTTPRequestHandler):
    """The HTTP interface of a model, for clients that have the key."""

    model: LoadedModel
    key: str
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        return

    def do_GET(self) -> None:
        if self.path == "/version":
            import transformers

            self._say(200, {"version": transformers.__version__})
        elif self.path == "/metrics":
            self._send(200, self.model.metrics().encode(), "text/plain")
        elif self.path == "/health":
            self._say(200, {})
        else:
            self._fail(404, "there is nothing here")

    def do_POST(self) -> None:
        try:
            body = self.rfile.read(min(int(self.headers.get("content-length", "0")), _MAX_BODY_BYTES))
            if self.key and self.headers.get("authorization") != f"Bearer {self.key}":
                raise RequestRefused(401, "wrong key")
            if self.path != "/v1/chat/completions":
                raise RequestRefused(404, "there is nothing here")
            request = json.loads(body)
            if not isinstance(request, dict):
                raise RequestRefused(400, "the body is no object")
            self._say(200, self.model.answer(request))
        except RequestRefused as refused:
            self._fail(refused.status, str(refused))
        except (ValueError, TypeError) as wrong:
            self._fail(400, f"the request cannot be read: {wrong}")
        except Exception as error:  # one request must not end the server
            self._fail(500, f"{type(error).__name__}: {error}")

    def _fail(self, status: int, words: str) -> None:
        self._say(status, {"error": {"message": words[:500], "type": "error"}})

    def _say(self, status: int, value: Any) -> None:
        self._send(status, json.dumps(value).encode(), "application/json")

    def _send(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def benchmark(model: LoadedModel, body: dict[str, Any], times: int, at_once: int) -> float:
    """Return tokens a second without a client: the same request repeated, each time with another seed."""
    with ThreadPoolExecutor(at_once) as pool:
        list(pool.map(model.answer, [body] * at_once))  # warm-up
        started, before = time.perf_counter(), model.tokens
        list(pool.map(model.answer, [{**body, "seed": seed} for seed in range(times)]))
    return float(model.tokens - before) / (time.perf_counter() - started)


def main(arguments: list[str]) -> int:
    """Serve until told to stop."""
    parser = argparse.ArgumentParser(prog="python -m workers.inference.gpu.server")
    for flag in ("--model", "--served-model-name"):
        parser.add_argument(flag, required=True)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--dtype", default="auto")
    parser.add_argument("--max-model-len", type=int)
    parser.add_argument("--max-num-seqs", type=int, default=1, help="answers in a batch")
    parser.add_argument("--chat-template")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--benchmark", type=int, help="answer the request on standard input so often, and serve nothing"
    )
    options = parser.parse_args(arguments)
    if options.benchmark:
        speed = benchmark(LoadedModel(options), json.load(sys.stdin), options.benchmark, options.max_num_seqs)
        json.dump({"tokens_per_s": speed}, sys.stdout)
        return 0
    handler = type("Bound", (Handler,), {"model": LoadedModel(options), "key": os.environ.get(_KEY_VARIABLE, "")})
    ThreadingHTTPServer.request_queue_size = 512
    ThreadingHTTPServer((options.host, options.port), handler).serve_forever()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
