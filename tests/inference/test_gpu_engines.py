"""Every engine that is found can be told what the service asks of it."""

import itertools

import pytest

from app.domain.asking.weights import Weights
from app.domain.registry import discover
from workers.inference.gpu.engines import Bind, Engine
from workers.inference.gpu.gauges import Gauges, read_gauges

ENGINES = discover("workers.inference.gpu.engines", "ENGINE", Engine)
BIND = Bind(8000, "a-secret")


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
        settings = engine.settings(Weights("/w", "tiny"), parallel=2, cpu=True)
        assert BIND.key not in settings
        assert BIND.key in (*engine.address(BIND), *engine.variables(BIND, cpu=True).values())
        assert BIND.key not in repr(BIND)

    def test_what_it_has_no_flag_for_is_said(self, engine: Engine) -> None:
        full = Weights("/w", "tiny", quantisation="awq", memory=0.8, reasoning_parser="qwen3")
        lacking = engine.lacks(full)
        assert (lacking is None) == ({"quantisation", "memory", "reasoning_parser"} <= set(engine.flags))

    def test_it_is_asked_in_the_format_whose_settings_it_takes(self, engine: Engine) -> None:
        assert engine.backend == ("sglang" if engine.name == "sglang" else "vllm")

    def test_what_it_counts_is_found_in_its_words(self, engine: Engine) -> None:
        text = "\n".join(f'{name}{{rank="{rank}"}} 0.5' for name in engine.gauges.values() for rank in (0, 1))
        gauges = read_gauges("# HELP x\n" + text + "\nodd\nother NaN\n", engine.gauges)
        assert gauges.running == 1.0
        assert gauges.cache in (0.5, None)
        assert read_gauges("", engine.gauges) == Gauges()


def test_several_devices_share_the_weights() -> None:
    vllm = ENGINES["vllm"]
    assert ("--tensor-parallel-size", "2") in pairs(vllm.settings(Weights("/w", "t"), parallel=2, cpu=False))
    assert "--tensor-parallel-size" not in vllm.settings(Weights("/w", "t"), parallel=1, cpu=False)
