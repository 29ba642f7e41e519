"""Every engine that is found can be told what the service asks of it."""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from app.domain.asking.weights import Weights
from app.domain.registry import discover
from workers.inference.gpu.engine_server import EngineServer, ServerPlace
from workers.inference.gpu.engines import Engine, ServerAddress
from workers.inference.gpu.gauges import Gauges, read_gauges
from workers.inference.gpu.weight_files import adapter_rank

ENGINES = discover("workers.inference.gpu.engines", "ENGINE", Engine)
BIND = ServerAddress(8000, "a-secret", Path("/keys/tiny.yaml"))


def pairs(words: tuple[str, ...]) -> set[tuple[str, str]]:
    return set(itertools.pairwise(words))


def test_three_engines_are_found() -> None:
    assert sorted(ENGINES) == ["sglang", "transformers", "vllm"]


@pytest.mark.parametrize("engine", ENGINES.values(), ids=lambda engine: engine.name)
class TestEngine:
    def test_it_is_told_what_to_serve_and_where(self, engine: Engine) -> None:
        weights = Weights("/w", "tiny", dtype="bfloat16", max_length=2048, max_running=8, seed=7)
        assert engine.lacks(weights) is None
        flags = pairs((*engine.settings(weights, parallel=1, cpu=False), *engine.address(BIND)))
        for name, value in {"path": "/w", "name": "tiny", "dtype": "bfloat16", "max_length": "2048",
                            "max_running": "8", "seed": "7", "host": "127.0.0.1", "port": "8000"}.items():  # fmt: skip
            assert (engine.flags[name], value) in flags

    def test_its_settings_hold_no_secret_and_its_key_reaches_it(self, engine: Engine) -> None:
        words = (*engine.settings(Weights("/w", "tiny"), parallel=2, cpu=True), *engine.address(BIND))
        assert BIND.key not in " ".join(words), "every user of the machine reads command lines"
        variables = engine.variables(BIND, Weights("/w", "tiny"), cpu=True)
        assert (BIND.key in variables.values()) is not (str(BIND.key_file) in words)
        assert BIND.key not in repr(BIND)

    def test_what_it_has_no_flag_for_is_said(self, engine: Engine) -> None:
        full = Weights("/w", "tiny", quantisation="awq", memory=0.8, reasoning_parser="qwen3")
        lacking = engine.lacks(full)
        assert (lacking is None) == ({"quantisation", "memory", "reasoning_parser"} <= set(engine.flags))

    @pytest.mark.parametrize("settings", [{"adapter": "/a"}, {"replicas": 2}, {"deterministic": True}], ids=str)
    def test_what_it_can_do_it_is_told_and_what_it_cannot_is_said(
        self, engine: Engine, settings: dict[str, Any]
    ) -> None:
        weights, plain = Weights("/w", "tiny", **settings), Weights("/w", "tiny")
        [name] = settings
        told = engine.settings(weights, parallel=1, cpu=False), engine.variables(BIND, weights, cpu=False)
        usual = engine.settings(plain, parallel=1, cpu=False), engine.variables(BIND, plain, cpu=False)
        in_turn = engine.name == "transformers" and name == "deterministic"
        assert (engine.lacks(weights) == name) is (told == usual and not in_turn)

    def test_it_is_asked_in_the_format_whose_settings_it_takes(self, engine: Engine) -> None:
        assert engine.backend == ("sglang" if engine.name == "sglang" else "vllm")

    def test_what_it_counts_is_found_in_its_words(self, engine: Engine) -> None:
        text = "\n".join(f'{name}{{rank="{rank}"}} 0.5' for name in engine.gauges.values() for rank in (0, 1))
        gauges = read_gauges("# HELP x\n" + text + "\nodd\nother NaN\n", engine.gauges)
        assert gauges.running == 1.0
        assert gauges.cache in (0.5, None)
        assert read_gauges("", engine.gauges) == Gauges()


def test_a_file_with_the_key_is_for_us_alone(tmp_path: Path) -> None:
    bind = ServerAddress(8000, "a-secret", tmp_path / "tiny.yaml")
    bind.key_file.write_text("an older one")
    bind.key_file.chmod(0o644)
    bind.write_key()
    assert bind.key_file.read_text() == 'api-key: "a-secret"\n'
    assert bind.key_file.stat().st_mode & 0o777 == 0o600


def test_several_devices_share_the_weights() -> None:
    vllm = ENGINES["vllm"]
    assert ("--tensor-parallel-size", "2") in pairs(vllm.settings(Weights("/w", "t"), parallel=2, cpu=False))
    assert "--tensor-parallel-size" not in vllm.settings(Weights("/w", "t"), parallel=1, cpu=False)


def test_an_adapter_has_the_name_that_requests_use() -> None:
    adapted = Weights("/w", "t", adapter="/a")
    flags = pairs(ENGINES["vllm"].settings(adapted, parallel=1, cpu=False, rank=32))
    assert {("--lora-modules", "t=/a"), ("--served-model-name", "t-base"), ("--max-lora-rank", "32")} <= flags
    assert ENGINES["sglang"].lacks(adapted) == "adapter"


@pytest.mark.parametrize(("rank", "allowed"), [(4, 8), (16, 16), (33, 64), (10_000, None), ("many", None)])
def test_an_engine_allows_for_the_rank_of_an_adapter(tmp_path: Path, rank: Any, allowed: int | None) -> None:
    (tmp_path / "adapter_config.json").write_text(json.dumps({"r": rank}))
    assert adapter_rank(Weights("/w", "t", adapter=str(tmp_path))) == allowed
    assert adapter_rank(Weights("/w", "t")) is None


@pytest.mark.parametrize(
    ("devices", "replicas", "parallel"), [("0123", 2, 2), ("0123", 4, 1), ("012", 2, 0), ("", 1, 1)]
)
def test_copies_share_the_devices_of_a_worker(tmp_path: Path, devices: str, replicas: int, parallel: int) -> None:
    server = EngineServer(
        ENGINES["vllm"], Weights(str(tmp_path), "t", replicas=replicas), ServerPlace("w", tmp_path, tuple(devices))
    )
    flags = pairs(server.flags()) if parallel else set()
    assert server.refusal() == (None if parallel else "2 copies cannot share 3 devices")
    assert (("--data-parallel-size", str(replicas)) in flags) is (parallel > 0 and replicas > 1)
    assert (("--tensor-parallel-size", str(parallel)) in flags) is (parallel > 1)
