"""The bundled server with a tiny random model that is made here; needs the optional packages of `gpu`."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.domain.asking.weights import Weights
from workers.inference.gpu.engines.transformers import ENGINE
from workers.inference.gpu.life import Home, Server

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
CHAT = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}<assistant>"


def tiny_llama(folder: Path) -> None:
    """Weights nobody has trained, and a tokenizer trained on this file."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=400, special_tokens=["<s>", "</s>"], initial_alphabet=alphabet)
    tokenizer.train_from_iterator([Path(__file__).read_text()], trainer)
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>")
    fast.chat_template = CHAT
    fast.save_pretrained(folder)
    config = LlamaConfig(
        vocab_size=len(fast), hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2,
        max_position_embeddings=256, bos_token_id=0, eos_token_id=1,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(folder)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    for name in ("torch", "transformers", "tokenizers"):
        pytest.importorskip(name, reason=f"{name} is not installed: pip install '.[gpu]'")
    folder = tmp_path_factory.mktemp("tiny")
    tiny_llama(folder)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "OMP_NUM_THREADS": "1"}
    home = Home("cpu", tmp_path_factory.mktemp("servers"), environment=environment)
    made = Server(ENGINE, Weights(str(folder), "tiny", dtype="float32"), home)
    made.start()
    yield made
    made.stop()


def ask(server: Server, text: str = "Add two numbers.", **body: Any) -> httpx.Response:
    asked = {"model": "tiny", "messages": [{"role": "user", "content": text}], "max_tokens": 12, **body}
    headers = {"authorization": f"Bearer {server.key}"}
    return httpx.post(f"{server.url}/chat/completions", json=asked, headers=headers, timeout=60)


def test_it_serves_and_answers_as_asked(server: Server) -> None:
    served = server.wait(180)
    assert served.max_length == 256
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


def test_what_it_cannot_do_it_refuses(server: Server) -> None:
    server.wait(180)
    assert ask(server, logprobs=True).status_code == 400
    assert ask(server, stream=True).status_code == 400
    assert ask(server, n=0).status_code == 400
    assert ask(server, model="other").status_code == 404
    assert ask(server, "word " * 400).status_code == 400
    assert httpx.post(f"{server.url}/chat/completions", json={}).status_code == 401
