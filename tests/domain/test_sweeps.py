"""A sweep is the base but for its sampling; presets are sampled as was published."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.asking.decoding_sweeps import SweepGrid, sweep
from app.domain.asking.protocols import BUILT_IN_PROTOCOLS, FRESH, PRESETS, Sampling
from app.domain.errors import InvalidInput
from app.domain.scenarios import scenarios

NAMED = {protocol.slug: protocol for protocol in PRESETS}


def test_every_combination_is_a_protocol_named_after_its_values() -> None:
    made = sweep(FRESH, SweepGrid(temperature=[0.0, 0.45], top_p=[1.0], top_k=[None, 20], max_tokens=[4096]))
    assert [protocol.slug for protocol in made] == [
        "fresh-t0-p1-k0-m4096", "fresh-t0-p1-k20-m4096", "fresh-t0-45-p1-k0-m4096", "fresh-t0-45-p1-k20-m4096",
    ]  # fmt: skip
    assert made[3].sampling == Sampling(n=1, temperature=0.45, top_p=1.0, max_tokens=4096, top_k=20)
    assert made[0].title == f"{FRESH.title} (temperature 0.0, top-p 1.0, top-k off, tokens 4096)"
    assert {(protocol.covers, protocol.style, protocol.language) for protocol in made} == {
        (FRESH.covers, FRESH.style, FRESH.language)
    }


@given(st.lists(st.floats(0, 2), min_size=1, max_size=8), st.lists(st.integers(1, 10**6), max_size=8))
def test_other_values_have_other_names_and_fingerprints(heats: list[float], ceilings: list[int]) -> None:
    made = sweep(FRESH, SweepGrid(temperature=heats, max_tokens=ceilings))
    wanted = len(set(heats)) * (len(set(ceilings)) or 1)
    assert len(made) == len({protocol.slug for protocol in made}) == wanted
    assert len({protocol.fingerprint for protocol in made}) == wanted


@pytest.mark.parametrize(
    "grid",
    [
        SweepGrid(),
        SweepGrid(temperature=[2.1]),
        SweepGrid(temperature=[float("nan")]),
        SweepGrid(top_p=[0.0]),
        SweepGrid(top_k=[0]),
        SweepGrid(max_tokens=[0]),
        SweepGrid(max_tokens=range(1, 66)),
    ],
)
def test_a_grid_that_makes_no_sense_is_refused(grid: SweepGrid) -> None:
    with pytest.raises(InvalidInput):
        sweep(FRESH, grid)


def test_a_name_that_would_be_too_long_is_refused() -> None:
    with pytest.raises(InvalidInput, match="longer"):
        sweep(replace(FRESH, slug="x" * 60), SweepGrid(temperature=[0.1]))


@pytest.mark.parametrize("sampling", [Sampling(n=0), Sampling(repetition_penalty=0), Sampling(stop=("",)),
                                      Sampling(stop=("x",) * 17), Sampling(seed=-1)])  # fmt: skip
def test_what_nobody_samples_with_is_refused(sampling: Sampling) -> None:
    with pytest.raises(InvalidInput):
        sampling.check()


def test_presets_are_sampled_as_was_published() -> None:
    assert (NAMED["livecodebench"].sampling.n, NAMED["livecodebench"].sampling.temperature) == (10, 0.2)
    assert NAMED["livecodebench"].sampling.top_p == 0.95
    for slug, tokens in (("codeelo-4k", 4096), ("codeelo-32k", 32768)):
        for name, language in ((slug, "cpp"), (f"{slug}-python", "python")):
            drawn = NAMED[name].sampling
            assert (drawn.temperature, drawn.top_p, drawn.top_k, drawn.repetition_penalty) == (0.7, 0.8, 20, 1.1)
            assert (drawn.n, drawn.max_tokens, NAMED[name].language) == (8, tokens, language)
    for slug in ("bigcodebench", "coco", "code3"):
        assert (NAMED[slug].sampling.temperature, NAMED[slug].sampling.n) == (0.0, 1)
    assert NAMED["code3"].locale == "zh"


ASKED = [protocol for protocol in BUILT_IN_PROTOCOLS if not (protocol.imported or protocol.recorded)]


def test_a_scenario_can_ask_under_every_shipped_protocol() -> None:
    for protocol in ASKED:
        scenarios()[protocol.scenario].check(protocol)
        protocol.sampling.check()
