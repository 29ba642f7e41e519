"""The bundled server with a tiny random model, in the environment of the real engines."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from support.environments import CLEAN
from support.real_engines import Place
from support.rules import ROOT
from support.tiny_llama import LENGTH

from app.domain.asking.weights import Weights
from workers.inference.gpu.engine_server import EngineServer, ServerPlace
from workers.inference.gpu.engines.transformers import ENGINE

pytestmark = [pytest.mark.slow, pytest.mark.timeout(2400)]


@pytest.fixture(scope="module")
def server(
    places: Callable[[str], Place], tiny_weights: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[EngineServer]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    place = places(ENGINE.name)
    home = ServerPlace(
        "one", tmp_path_factory.mktemp("servers"), place.devices, place.command(ENGINE), environment=environment
    )
    made = EngineServer(ENGINE, Weights(str(tiny_weights), "tiny", dtype="float32"), home)
    made.start()
    yield made
    made.stop()


def ask(server: EngineServer, text: str = "Add two numbers.", **body: Any) -> httpx.Response:
    asked = {"model": "tiny", "messages": [{"role": "user", "content": text}], "max_tokens": 12, **body}
    headers = {"authorization": f"Bearer {server.key}"}
    return httpx.post(f"{server.url}/chat/completions", json=asked, headers=headers, timeout=60)


def test_it_serves_and_answers_as_asked(server: EngineServer) -> None:
    served = server.wait(180)
    assert served.max_length == LENGTH
    assert served.version is not None
    first, second = (ask(server, seed=3, temperature=1.0).json() for _ in range(2))
    assert first["choices"] == second["choices"], "a seed is kept"
    assert ask(server, seed=4).json()["choices"] != first["choices"]
    assert first["usage"]["completion_tokens"] <= 12
    assert first["choices"][0]["finish_reason"] in ("length", "stop")
    several = ask(server, n=3, seed=1).json()["choices"]
    assert [choice["index"] for choice in several] == [0, 1, 2]
    assert len({choice["message"]["content"] for choice in several}) > 1
    assert ask(server, temperature=0).json()["choices"] == ask(server, temperature=0, seed=9).json()["choices"]
    gauges = server.gauges()
    assert gauges is not None
    assert gauges.tokens is not None
    assert gauges.tokens > 12


def test_an_answer_is_the_same_alone_and_in_a_batch(server: EngineServer) -> None:
    """Greedy and drawn, long and short, cut by words and by a limit, one or several."""
    server.wait(180)
    bodies: list[dict[str, Any]] = [
        {"text": "word " * number, "max_tokens": 3 + number * 2, "seed": number,
         "temperature": (0, 0.5, 1.0)[number % 3]}
        | ({"top_k": 20} if number % 2 else {"top_p": 0.8}) | ({"repetition_penalty": 1.2} if number % 5 else {})
        | ({} if number % 4 else {"stop": ["e", "zz"]}) | ({} if number % 6 else {"n": 3})
        for number in range(16)
    ]  # fmt: skip
    alone = [ask(server, **body).json() for body in bodies]
    with ThreadPoolExecutor(len(bodies)) as pool:
        together = [answer.json() for answer in pool.map(lambda body: ask(server, **body), bodies)]
    assert [each["choices"] for each in together] == [each["choices"] for each in alone]
    assert [each["usage"] for each in together] == [each["usage"] for each in alone]
    assert {choice["finish_reason"] for each in alone for choice in each["choices"]} == {"stop", "length"}
    seeds = [ask(server, **{**bodies[6], "n": 1, "seed": 6 + number}).json()["choices"][0] for number in (1, 2)]
    assert [each["message"] for each in seeds] == [each["message"] for each in alone[6]["choices"][1:]]


def test_tokens_are_drawn_as_transformers_draws_them(places: Callable[[str], Place]) -> None:
    script = ROOT / "tests" / "support" / "same_draws.py"
    done = subprocess.run(
        [places(ENGINE.name).python, str(script)], capture_output=True, text=True, check=False, timeout=600, env=CLEAN
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["cut"], found["repeated"]) == (0, 0)
    assert 0 < found["deviation"] < 4


def test_the_weights_own_file_changes_nothing_of_how_answers_are_sampled(
    server: EngineServer, places: Callable[[str], Place], tiny_weights: Path, tmp_path: Path
) -> None:
    """Such as what many models on hubs bring: the protocol alone decides."""
    server.wait(180)
    folder = tmp_path / "weights"
    shutil.copytree(tiny_weights, folder)
    own = json.loads((folder / "generation_config.json").read_text())
    own |= {"do_sample": True, "temperature": 0.01, "top_k": 1, "top_p": 0.1, "repetition_penalty": 5.0, "min_p": 0.9,
            "no_repeat_ngram_size": 1, "typical_p": 0.2, "suppress_tokens": list(range(3, 1500))}  # fmt: skip
    (folder / "generation_config.json").write_text(json.dumps(own))
    place = places(ENGINE.name)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    home = ServerPlace("two", tmp_path / "servers", place.devices, place.command(ENGINE), environment=environment)
    other = EngineServer(ENGINE, Weights(str(folder), "tiny", dtype="float32"), home)
    other.start()
    try:
        other.wait(180)
        for body in ({"temperature": 0.8, "seed": 5}, {"temperature": 0}, {"seed": 6}, {"top_p": 0.9, "seed": 7}):
            assert ask(other, **body).json()["choices"] == ask(server, **body).json()["choices"], body
    finally:
        other.stop()


def test_what_it_cannot_do_it_refuses(server: EngineServer) -> None:
    server.wait(180)
    assert ask(server, logprobs=True).status_code == 400
    assert ask(server, stream=True).status_code == 400
    assert ask(server, n=0).status_code == 400
    assert ask(server, temperature=-1).status_code == 400
    assert ask(server, top_p=0).status_code == 400
    assert ask(server, stop=[""]).status_code == 400
    assert ask(server, model="other").status_code == 404
    assert ask(server, "word " * 1200).status_code == 400
    assert httpx.post(f"{server.url}/chat/completions", json={}).status_code == 401
