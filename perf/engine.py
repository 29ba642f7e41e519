"""Tokens per second of weights that we serve, beside the engine's own benchmark."""

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from app.domain.asking.completions import AnsweredSample, EndpointSpec, InferenceRequest, Message, Prompt
from app.domain.asking.protocols import Sampling
from app.domain.asking.weights import Weights
from app.domain.errors import Unavailable
from app.domain.registry import discover, find_plugin
from perf.figures import PerfFigure, informative_figure
from workers.inference.client import ask_in_batches
from workers.inference.gpu.engine_server import EngineServer, ServerPlace
from workers.inference.gpu.engines import Engine

_TOKENS, _AT_ONCE = 64, 16
_SAMPLING: Final = Sampling(temperature=0.7, top_p=1.0, max_tokens=_TOKENS)
_PROMPT: Final = "Read the numbers of the first line and print their sum. " * 5
_READY_S, _DEADLINE_S = 900.0, 600.0
# vLLM's `bench serve`; it also works in a build that is installed under another name.
_BENCH: Final = (
    "from vllm.benchmarks.serve import add_cli_args, main\n"
    "from vllm.utils.argparse_utils import FlexibleArgumentParser\n"
    "parser = FlexibleArgumentParser(); add_cli_args(parser); main(parser.parse_args())"
)


def measure(
    weights: Path, engine_name: str, command: Sequence[str], devices: Sequence[str], requests: int
) -> list[PerfFigure]:
    """Ask the weights in a folder for `requests` answers of at most 64 tokens, 16 at once, and return the rate.

    `command` replaces the engine's own program; without `devices` the processor serves. An engine without a benchmark
    of its own has nothing beside its figure. Raises NotFound for an unknown engine, Unavailable if it does not serve or
    answers nothing.
    """
    engine = find_plugin(discover("workers.inference.gpu.engines", "ENGINE", Engine), engine_name, "engine")
    with tempfile.TemporaryDirectory(prefix="tm-perf-") as folder:
        home = ServerPlace("perf", Path(folder), tuple(devices), tuple(command), environment=dict(os.environ))
        server = EngineServer(engine, Weights(str(weights.resolve()), "perf", max_running=_AT_ONCE), home)
        own_rate = _measure_bundled(server, requests) if engine.name == "transformers" else None
        server.start()
        try:
            server.wait(_READY_S)
            our_rate = _measure_client(server, requests)
            if engine.name == "vllm":
                own_rate = _measure_vllm(server, requests, Path(folder))
        finally:
            server.stop()
    return [informative_figure(f"inference.{engine.name}.tokens_per_s", our_rate, "tokens/s", own_rate)]


def _measure_client(server: EngineServer, requests: int) -> float:
    """Return the tokens per second of the service's own client."""
    streams = {} if server.engine.streams else {"stream": False}
    spec = EndpointSpec(
        1, server.engine.backend, server.url, server.weights.name, server.key, _AT_ONCE, trusted=True, own=True,
        extra={"answers": 1, **streams},
    )  # fmt: skip
    prompt = Prompt((Message("user", _PROMPT),))
    batch_requests = [InferenceRequest(number, prompt, _SAMPLING, number) for number in range(requests)]
    started, tokens = time.perf_counter(), 0
    for batch in ask_in_batches(spec, batch_requests, deadline_s=_DEADLINE_S, clock=lambda: datetime.now(UTC)):
        usages = [outcome.completion.usage for outcome in batch if isinstance(outcome, AnsweredSample)]
        tokens += sum((usage.answer or 0) + (usage.reasoning or 0) for usage in usages)
    if not tokens:
        raise Unavailable(f"the {server.engine.name} server answered none of {requests} requests")
    return tokens / (time.perf_counter() - started)


def _measure_bundled(server: EngineServer, requests: int) -> float:
    """Return the tokens per second of the bundled server's benchmark, which asks one request after another."""
    program = server.home.command or server.engine.program
    messages = [{"role": "user", "content": _PROMPT}]
    body = {"model": server.weights.name, "messages": messages, "max_tokens": _TOKENS, "temperature": 0.7}
    output = _run([*program, *server.flags(), "--port", "0", "--benchmark", str(requests)], {}, json.dumps(body))
    return float(json.loads(output)["tokens_per_s"])


def _measure_vllm(server: EngineServer, requests: int, folder: Path) -> float:
    """Return the tokens per second of vLLM's `bench serve` against the same server, with equally many requests."""
    python = (server.home.command or server.engine.program)[0]
    result_file = folder / "bench.json"
    _run(
        [python, "-c", _BENCH, "--backend", "openai-chat", "--base-url", server.url.removesuffix("/v1"),
         "--endpoint", "/v1/chat/completions", "--model", server.weights.name, "--tokenizer", server.weights.path,
         "--dataset-name", "random", "--random-input-len", "80", "--random-output-len", str(_TOKENS), "--ignore-eos",
         "--num-prompts", str(requests), "--max-concurrency", str(_AT_ONCE), "--temperature", "0.7",
         "--save-result", "--result-dir", str(folder), "--result-filename", result_file.name],
        {"OPENAI_API_KEY": server.key, "HF_HUB_OFFLINE": "1"},
    )  # fmt: skip
    return float(json.loads(result_file.read_text(encoding="utf-8"))["output_throughput"])


def _run(command: Sequence[str], environment: Mapping[str, str], stdin: str = "") -> str:
    process = subprocess.run(
        command, input=stdin, capture_output=True, text=True, check=False, timeout=_DEADLINE_S + _READY_S,
        env={**os.environ, **environment},
    )  # fmt: skip
    if process.returncode != 0:
        raise Unavailable(f"the engine's own benchmark failed: {process.stderr.strip()[-500:]}")
    return process.stdout
