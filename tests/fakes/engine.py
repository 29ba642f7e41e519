"""A model server built as vLLM is: an API process, an engine core, and a shared segment; only the model is missing.

Run with vLLM's flags. It answers the code of `FAKE_ANSWER` (the league's sum by default) and logs every request's
message to `FAKE_LOG`, one line each, before it answers.

* The engine core is a process of its own; when it dies, requests fail with 500 and the API process ends soon after.
* When the API process is killed, the engine core lives on and keeps the segment, as vLLM's does.
* `FAKE_DELAY` is what an answer takes, and `FAKE_FIRST_DELAY` the first one, in seconds.
* `FAKE_START` is what happens at the start: `ok`, `die`, `mute` (healthy, but no token), `slow` (2 s).
* `FAKE_CONTEXT` is the most tokens of an answer; a request with a larger limit is refused, as by vLLM. With `0` every
  request for more than one token is.
* `FAKE_ALONE=1` answers one choice, however many are asked for; else choice k of a request says that it has its seed
  and k, as vLLM's do.
* `FAKE_DEAF=1` ignores SIGTERM; a prompt with the word `poison` ends the engine core.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import threading
import time
from _multiprocessing import SemLock, sem_unlink  # type: ignore[import-not-found]  # no part of the typed library
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing import resource_tracker, shared_memory
from pathlib import Path
from typing import Any

ANSWER = "```python\nprint(sum(map(int, open(0).read().split())))\n```"


def core() -> None:
    """The engine core: holds a segment and a semaphore, and says how they are called."""
    held = shared_memory.SharedMemory(create=True, size=4096)
    resource_tracker.unregister(held._name, "shared_memory")  # type: ignore[attr-defined]  # as if it were killed
    if os.environ.get("FAKE_DEAF"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    semaphore = SemLock(0, 1, 1, f"/{held.name.lstrip('/')}", False)  # as of a process that was killed: it has its name
    print(held.name.lstrip("/"), flush=True)
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(1)
    time.sleep(120)  # it lives on, as vLLM's does; but a test that fails must not leave it for ever
    held.unlink()
    sem_unlink(semaphore.name)


class Api:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.key = os.environ.get("VLLM_API_KEY", "")
        self.start = os.environ.get("FAKE_START", "ok")
        self.tokens = self.running = 0
        self.first = True  # no request for an answer came yet
        self.lock = threading.Lock()
        self.core = subprocess.Popen([sys.executable, __file__, "--core"], stdout=subprocess.PIPE, text=True)
        assert self.core.stdout is not None
        self.segment = self.core.stdout.readline().strip()
        threading.Thread(target=self._follow, daemon=True).start()
        ours = [name for name in os.environ if name.startswith("TIDEMARK_") and name != "TIDEMARK_SERVER"]
        note = {"api": os.getpid(), "core": self.core.pid, "segment": self.segment, "flags": sys.argv[1:]}
        seen = {"devices": os.environ.get("CUDA_VISIBLE_DEVICES"), "offline": os.environ.get("HF_HUB_OFFLINE")}
        path = Path(os.environ["FAKE_NOTES"])
        fresh = path.with_suffix(f".{os.getpid()}")
        fresh.write_text(json.dumps({**note, **seen, "secrets": ours}))
        fresh.replace(path)

    def _follow(self) -> None:
        self.core.wait()
        time.sleep(0.5)
        os._exit(1)

    def answer(self, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        asked = str(body["messages"][-1]["content"])
        if body["model"] != self.options.served_model_name:
            return 404, {"error": {"message": "no such model"}}
        if self.core.poll() is not None or self.start == "mute":
            return 500, {"error": {"message": "engine core is gone"}}
        context = int(os.environ.get("FAKE_CONTEXT", "1000000"))
        if body.get("max_tokens", 2 if context == 0 else 1) > max(1, context):
            return 400, {"error": {"message": f"max_tokens is too large: the context has room for {context}"}}
        if body.get("max_tokens") != 1:
            with self.lock, Path(os.environ["FAKE_LOG"]).open("a") as log:
                fields = {
                    name: body.get(name) for name in ("seed", "n", "stream", "enable_thinking", "chat_template_kwargs")
                }
                log.write(json.dumps({**fields, "asked": asked[-200:]}) + "\n")
                self.running += 1
                first, self.first = self.first, False
            if "poison" in asked:
                self.core.kill()
            slow_s = os.environ.get("FAKE_FIRST_DELAY") if first else None
            time.sleep(float(slow_s or os.environ.get("FAKE_DELAY", "0.02")))
            with self.lock:
                self.running -= 1
        if self.core.poll() is not None:
            return 500, {"error": {"message": "engine core died"}}
        choices = 1 if os.environ.get("FAKE_ALONE") else body.get("n", 1)
        made = choices * (1 if body.get("max_tokens") == 1 else 12)
        self.tokens += made
        text = os.environ.get("FAKE_ANSWER", ANSWER)
        said = [f"Seed {body.get('seed', 0) + number}.\n{text}" for number in range(choices)]
        return 200, {
            "id": "chatcmpl-1", "object": "chat.completion", "model": body["model"],
            "choices": [{"index": number, "message": {"role": "assistant", "content": each}, "finish_reason": "stop"}
                        for number, each in enumerate(said)],
            "usage": {"prompt_tokens": 9, "completion_tokens": made, "total_tokens": 9 + made},
        }  # fmt: skip

    def metrics(self) -> str:
        name = f'{{model_name="{self.options.served_model_name}",engine="0"}}'
        return (
            f"# TYPE vllm:num_requests_running gauge\nvllm:num_requests_running{name} {self.running}\n"
            f"vllm:num_requests_waiting{name} 0.0\nvllm:kv_cache_usage_perc{name} 0.25\n"
            f"vllm:generation_tokens_total{name} {self.tokens}\n"
        )


def begin() -> None:
    """What `FAKE_START` and `FAKE_DEAF` ask for."""
    if os.environ.get("FAKE_START") == "die":
        sys.exit("no kernel image is available for this device")
    if os.environ.get("FAKE_START") == "slow":
        time.sleep(2)
    if os.environ.get("FAKE_DEAF"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    else:
        signal.signal(signal.SIGTERM, told)


def told(*_: object) -> None:
    """Asked to end: say so, and do."""
    Path(os.environ["FAKE_NOTES"]).with_suffix(".told").touch()
    os._exit(0)


def serve(options: argparse.Namespace) -> None:
    begin()
    api = Api(options)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            return

        def do_GET(self) -> None:
            if self.path == "/metrics":
                self._say(200, api.metrics().encode())
            elif self.path == "/version":
                self._say(200, b'{"version": "0.0-fake"}')
            else:
                self._say(200 if self.path == "/health" else 404, b"")

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            if api.key and self.headers.get("authorization") != f"Bearer {api.key}":
                self._say(401, b'{"error": {"message": "wrong key"}}')
                return
            status, answer = api.answer(body)
            self._say(status, json.dumps(answer).encode())

        def _say(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    ThreadingHTTPServer.daemon_threads = True
    ThreadingHTTPServer.request_queue_size = 128
    ThreadingHTTPServer((options.host, options.port), Handler).serve_forever()


if __name__ == "__main__":
    if sys.argv[1:] == ["--core"]:
        core()
    parser = argparse.ArgumentParser()
    for flag in ("--model", "--served-model-name", "--host"):
        parser.add_argument(flag, required=True)
    parser.add_argument("--port", type=int, required=True)
    serve(parser.parse_known_args()[0])
