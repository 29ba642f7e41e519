"""The formats that vLLM itself serves, answered by it; and its engine killed under all of them."""

import asyncio
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from support.asking import now
from support.engines import kill
from support.real_engines import Place
from support.waiting import patience

from app.domain.asking.completions import (
    Completion,
    EndpointSpec,
    FailureOwner,
    FinishReason,
    InferenceRequest,
    Message,
    Prompt,
    Retry,
)
from app.domain.asking.protocols import Sampling
from app.domain.asking.weights import Weights
from workers.inference.backends import Backend, HttpCall, named_backend
from workers.inference.gpu.engine_server import EngineServer, ServerPlace
from workers.inference.gpu.engines.vllm import ENGINE
from workers.inference.gpu.guard import TAG
from workers.inference.wire import CallFailure, ask_once, open_endpoint

pytestmark = [pytest.mark.slow, pytest.mark.timeout(2400)]
FORMATS = ("openai_chat", "vllm", "openai_completions", "openai_responses", "anthropic")
PROMPT = Prompt((Message("system", "be terse"), Message("user", "import os")))
LONG = 900  # tokens; some seconds


@contextmanager
def serving(place: Place, weights: Path, folder: Path) -> Iterator[EngineServer]:
    """vLLM with these weights, ready."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment["OMP_NUM_THREADS"] = "1"
    home = ServerPlace("one", folder, place.devices, place.command(ENGINE), environment=environment)
    server = EngineServer(ENGINE, Weights(str(weights), "tiny", dtype="float32", max_running=16), home)
    server.start()
    try:
        server.wait(patience(300))
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="module")
def server(
    places: Callable[[str], Place], tiny_weights: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[EngineServer]:
    with serving(places(ENGINE.name), tiny_weights, tmp_path_factory.mktemp("servers")) as made:
        yield made


async def ask(
    server: EngineServer, name: str, *, stream: bool, tokens: int, model: str = "tiny"
) -> Completion | CallFailure:
    backend = replace(named_backend(name), build=_with_bearer(named_backend(name), server.key))
    endpoint = EndpointSpec(1, name, server.url, model, server.key, trusted=True, extra={"stream": stream})
    request = InferenceRequest(1, PROMPT, Sampling(max_tokens=tokens), 7)
    async with open_endpoint(backend, endpoint, (), 1) as way:
        found = await ask_once(way, backend, endpoint, request, timeout_s=120.0, clock=now)
    assert isinstance(found, Completion | CallFailure)
    return found


def _with_bearer(backend: Backend, key: str) -> Callable[[EndpointSpec, InferenceRequest], HttpCall]:
    """The same request with the key as a bearer token, the only way in which vLLM takes it."""

    def build(endpoint: EndpointSpec, request: InferenceRequest) -> HttpCall:
        call = backend.build(endpoint, request)
        assert isinstance(call, HttpCall)
        return replace(call, headers={**call.headers, "authorization": f"Bearer {key}"})

    return build


@pytest.mark.parametrize("stream", [False, True], ids=["plain", "streamed"])
@pytest.mark.parametrize("name", FORMATS)
def test_the_engine_answers_in_every_format_it_serves(server: EngineServer, name: str, stream: bool) -> None:
    found = asyncio.run(ask(server, name, stream=stream, tokens=24))
    assert isinstance(found, Completion), found
    assert found.text
    assert (found.finish_reason, found.usage.answer, found.served_model) == (FinishReason.LENGTH, 24, "tiny")
    assert (found.usage.input or 0) > 3
    assert (found.first_token_ms is not None) is stream
    refused = asyncio.run(ask(server, name, stream=stream, tokens=5000))
    assert isinstance(refused, CallFailure)
    assert (refused.retry, refused.owner) == (Retry.RUN, FailureOwner.VENDOR)
    assert "5000" in refused.reason
    unknown = asyncio.run(ask(server, name, stream=stream, tokens=24, model="nobody"))
    assert isinstance(unknown, CallFailure)
    assert unknown.retry is Retry.STOP


@pytest.mark.parametrize("stream", [False, True], ids=["plain", "streamed"])
def test_several_answers_are_those_that_it_gives_one_by_one(server: EngineServer, stream: bool) -> None:
    async def drawn(seed: int, answers: int) -> list[Completion | CallFailure]:
        backend = named_backend("vllm")
        endpoint = EndpointSpec(1, "vllm", server.url, "tiny", server.key, trusted=True, extra={"stream": stream})
        request = InferenceRequest(1, PROMPT, Sampling(n=3, temperature=0.9, max_tokens=24), seed, answers=answers)
        async with open_endpoint(backend, endpoint, (), 1) as way:
            found = await ask_once(way, backend, endpoint, request, timeout_s=120.0, clock=now)
        return list(found) if isinstance(found, tuple) else [found]

    together = asyncio.run(drawn(7, 3))
    alone = [asyncio.run(drawn(seed, 1))[0] for seed in (7, 8, 9)]
    assert [getattr(each, "text", each) for each in together] == [getattr(each, "text", each) for each in alone]
    assert len({each.text for each in together if isinstance(each, Completion)}) == 3
    counts = [each.usage for each in together if isinstance(each, Completion)]
    assert sum(each.answer or 0 for each in counts) == 3 * 24, "shares of one count"
    assert sum(each.input or 0 for each in counts) == sum(
        each.usage.input or 0 for each in alone[:1] if isinstance(each, Completion)
    )


def test_when_its_engine_is_killed_no_format_takes_the_pieces_for_an_answer(
    places: Callable[[str], Place], tiny_weights: Path, tmp_path: Path
) -> None:
    async def all_at_once(server: EngineServer) -> list[Completion | CallFailure]:
        core = _core(server)
        asked = [ask(server, name, stream=stream, tokens=LONG) for name in FORMATS for stream in (False, True)]
        under_way = [asyncio.ensure_future(each) for each in asked]
        await asyncio.sleep(0.7)
        assert not any(each.done() for each in under_way)
        kill(core)
        return list(await asyncio.gather(*under_way))

    weights = _without_an_end(tiny_weights, tmp_path / "weights")
    with serving(places(ENGINE.name), weights, tmp_path / "servers") as server:
        heard = asyncio.run(all_at_once(server))
    for found in heard:
        assert isinstance(found, CallFailure), found
        assert (found.retry, found.owner) == (Retry.LATER, FailureOwner.VENDOR)


def _without_an_end(weights: Path, folder: Path) -> Path:
    """The same weights, which go on until the limit: they know no token that ends an answer."""
    shutil.copytree(weights, folder)
    for name in ("config.json", "generation_config.json", "tokenizer_config.json"):
        file = folder / name
        known = json.loads(file.read_text())
        file.write_text(json.dumps({key: value for key, value in known.items() if not key.startswith("eos_token")}))
    return folder


def _core(server: EngineServer) -> int:
    """The process of this server's engine."""
    wanted = f"{TAG}={json.loads(server.home.record.read_text())['tag']}".encode()
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if "EngineCor" in (place / "comm").read_text() and wanted in (place / "environ").read_bytes().split(b"\0"):
                return int(place.name)
        except OSError:
            continue
    raise AssertionError("the server has no engine")
