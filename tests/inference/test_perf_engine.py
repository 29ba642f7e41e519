"""The measurement of weights that we serve, over a program that stands in for the bundled server."""

import json
import os
import shlex
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from support.rules import ROOT

from workers.inference.gpu.server import benchmark

STAND_IN = """
import json, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

if "--benchmark" in sys.argv:
    assert json.load(sys.stdin)["max_tokens"] == 64
    print(json.dumps({"tokens_per_s": 123.0}))
    sys.exit()

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *_): pass
    def do_GET(self): self.say({})
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        made = asked["max_tokens"]
        choice = {"index": 0, "message": {"content": "x"}, "finish_reason": "length"}
        self.say({"choices": [choice], "usage": {"prompt_tokens": 9, "completion_tokens": made}})
    def say(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

port = int(sys.argv[sys.argv.index("--port") + 1])
ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
"""


def test_tokens_a_second_stand_beside_the_engines_own_benchmark(tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text(STAND_IN)
    command = shlex.join([sys.executable, str(tmp_path / "engine.py")])
    done = subprocess.run(
        [sys.executable, "-m", "app.cli", "perf", "inference", "--weights", str(tmp_path), "--requests", "20",
         "--engine-command", command, "--json"],
        cwd=ROOT, capture_output=True, text=True, check=False, env=os.environ,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    [row] = json.loads(done.stdout)["rows"]
    assert (row["name"], row["bare"], row["budget"]) == ("inference.transformers.tokens_per_s", 123.0, None)
    assert row["value"] > 64


class Counting:
    """A model that says how it was asked, and answers only as many at once as there are to be."""

    def __init__(self, at_once: int) -> None:
        self.tokens = 0
        self.seeds = list[Any]()
        self.together = threading.Barrier(at_once, timeout=20)

    def answer(self, body: dict[str, Any]) -> None:
        self.together.wait()
        self.tokens += 7
        self.seeds.append(body.get("seed"))


def test_the_bundled_servers_benchmark_warms_up_and_counts_the_rest() -> None:
    model = Counting(2)
    assert benchmark(model, {"messages": []}, 6, 2) > 0  # type: ignore[arg-type]  # the part of a model that it uses
    assert model.seeds[:2] == [None, None]
    assert sorted(model.seeds[2:]) == [0, 1, 2, 3, 4, 5]
