"""What a run's record says of weights, read from their own files: in a folder, or in the cache of a hub."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from support.engines import Bench

from app.domain.asking.weights import Weights
from workers.inference.gpu.weight_files import WeightFileFacts, read_weight_facts

TEMPLATE = "{{ messages }}"
DIGEST = sha256(TEMPLATE.encode()).hexdigest()
COMMIT = "0a1b2c"
CONFIG = {"max_position_embeddings": 512, "torch_dtype": "bfloat16", "quantization_config": {"quant_method": "awq"}}


def store(folder: Path, config: Any = CONFIG, **files: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(config))
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)
    return folder


@pytest.mark.parametrize(
    "files",
    [
        {"chat_template__jinja": TEMPLATE},
        {"chat_template__json": json.dumps({"chat_template": TEMPLATE})},
        {"tokenizer_config__json": json.dumps({"chat_template": TEMPLATE})},
        {"chat_template__jinja": TEMPLATE, "tokenizer_config__json": json.dumps({"chat_template": "another"})},
    ],
)
def test_a_folder_says_how_its_weights_are_stored(tmp_path: Path, files: dict[str, str]) -> None:
    folder = store(tmp_path / "w", **files)
    assert read_weight_facts(Weights(str(folder), "t"), {}) == WeightFileFacts(None, "bfloat16", "awq", 512, DIGEST)


@pytest.mark.parametrize(
    ("variable", "place"),
    [("HF_HUB_CACHE", "."), ("HF_HOME", "hub"), ("XDG_CACHE_HOME", "huggingface/hub"),
     ("HOME", ".cache/huggingface/hub")],
)  # fmt: skip
def test_weights_of_a_hub_are_found_where_engines_keep_them(tmp_path: Path, variable: str, place: str) -> None:
    kept = tmp_path / place / "models--acme--tiny"
    store(kept / "snapshots" / COMMIT, chat_template__jinja=TEMPLATE)
    (kept / "refs").mkdir()
    (kept / "refs" / "main").write_text(COMMIT)
    found = read_weight_facts(Weights("acme/tiny", "t"), {variable: str(tmp_path)})
    assert found == WeightFileFacts(COMMIT, "bfloat16", "awq", 512, DIGEST)
    assert read_weight_facts(Weights("acme/other", "t"), {variable: str(tmp_path)}) == WeightFileFacts()


def test_a_template_that_is_named_is_the_one_that_counts(tmp_path: Path) -> None:
    folder = store(tmp_path / "w", chat_template__jinja="another")
    file = tmp_path / "own.jinja"
    file.write_text(TEMPLATE)
    for template in (str(file), TEMPLATE):
        for path in (str(folder), "acme/tiny"):
            assert read_weight_facts(Weights(path, "t", template=template), {}).template_sha256 == DIGEST


@pytest.mark.parametrize("config", [[], {"torch_dtype": 7, "max_position_embeddings": "x"}, {"quantization_config": 1}])
def test_files_that_say_nothing_are_unknown(tmp_path: Path, config: Any) -> None:
    folder = store(tmp_path / "w", config, tokenizer_config__json="{not json")
    assert read_weight_facts(Weights(str(folder), "t"), {}) == WeightFileFacts()


def test_the_record_of_a_run_says_what_was_loaded_and_where_its_settings_were_sent(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    (bench.weights / "config.json").write_text(json.dumps(CONFIG))
    server = bench.server()
    try:
        server.start()
        body = server.wait(30).body()
    finally:
        server.stop()
    assert (body["dtype"], body["quantisation"], body["max_length"]) == ("auto (bfloat16)", "awq", 512)
    assert body["sent_as"]["enable_thinking"] == "chat_template_kwargs.enable_thinking"
    assert body["sent_as"]["thinking_budget"] == "chat_template_kwargs.thinking_budget"
