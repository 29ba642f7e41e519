"""Weights that we serve: how they are stored, what is refused, and whose turn it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.asking.weights import (
    DueWeights,
    ServingSetup,
    Weights,
    WeightsRotation,
    check_weights,
    dump_weights,
    load_weights,
)
from app.domain.errors import InvalidInput

A, B, C = (Weights(f"/weights/{name}", name) for name in "abc")


def test_weights_are_read_as_they_were_stored() -> None:
    weights = Weights("/w", "tiny", "float16", "awq", 4096, 32, 0.8, "/t.jinja", "qwen3", 3)
    stored = {**dump_weights(weights), "of_a_later_version": 1}
    assert load_weights("/w", stored) == weights
    assert "path" not in stored
    assert weights.is_folder
    assert not Weights("org/model", "m").is_folder


@pytest.mark.parametrize(
    "wrong",
    [
        Weights("--trust-remote-code", "m"), Weights("/w", " "), Weights("/w\n", "m"), Weights("/w", "m" * 501),
        Weights("/w", "m", dtype="-x"), Weights("/w", "m", max_running=0), Weights("/w", "m", max_running=1025),
        Weights("/w", "m", max_length=0), Weights("/w", "m", memory=0.0), Weights("/w", "m", memory=1.1),
    ],
)  # fmt: skip
def test_what_could_be_taken_for_a_flag_or_makes_no_sense_is_refused(wrong: Weights) -> None:
    check_weights(A)
    check_weights(Weights("org/model", "m", max_length=1, memory=1.0))
    with pytest.raises(InvalidInput):
        check_weights(wrong)


def test_a_fingerprint_changes_with_anything() -> None:
    served = ServingSetup("vllm", "1", "/w", "auto", None, None, 256, 1, None, "0", ("--x",))
    assert served.fingerprint == ServingSetup(**{**served.body(), "flags": ("--x",)}).fingerprint
    assert served.fingerprint != ServingSetup(**{**served.body(), "flags": ("--y",)}).fingerprint


def ids(turns: WeightsRotation, waiting: list[DueWeights], warm: Weights | None, now: float) -> int | None:
    chosen = turns.choose(waiting, warm, now)
    return None if chosen is None else chosen.endpoint_id


def test_a_worker_stays_with_the_weights_it_has_until_others_waited_too_long() -> None:
    turns = WeightsRotation(stay_s=100)
    waiting = [DueWeights(1, A), DueWeights(2, B)]
    assert ids(turns, waiting, None, 0) == 1
    assert ids(turns, waiting, A, 50) == 1
    assert ids(turns, waiting, A, 100) == 1
    assert ids(turns, waiting, A, 101) == 2
    assert ids(turns, waiting, B, 150) == 2  # A waits since 100, when it was served last
    assert ids(turns, [DueWeights(1, A)], B, 151) == 1
    assert ids(turns, [], B, 152) is None


def test_who_is_served_by_another_worker_is_not_overdue_and_comes_after_who_is_not() -> None:
    turns = WeightsRotation(stay_s=100)
    waiting = [DueWeights(1, A), DueWeights(2, B, servers=1), DueWeights(3, C)]
    ids(turns, waiting[:2], A, 0)
    assert ids(turns, waiting[:2], A, 500) == 1
    assert ids(turns, waiting[1:], None, 500) == 3
    assert ids(turns, waiting[1:2], None, 501) == 2


def test_what_could_not_be_served_rests_twice_as_long_each_time() -> None:
    turns = WeightsRotation()
    waiting = [DueWeights(1, A)]
    assert turns.record_failure(1, 0.0) == 5
    assert ids(turns, waiting, None, 4) is None
    assert ids(turns, waiting, None, 5) == 1
    assert turns.record_failure(1, 5.0) == 15
    assert turns.record_failure(1, 15.0, longest_s=10) == 25
    turns.record_success(1)
    assert ids(turns, waiting, None, 16) == 1
    assert turns.record_failure(1, 16.0) == 21


@given(st.lists(st.integers(0, 40), min_size=20, max_size=60))
def test_nobody_waits_for_ever(steps: list[int]) -> None:
    turns, now, warm = WeightsRotation(stay_s=30), 0.0, None
    waiting = [DueWeights(number, weights) for number, weights in enumerate((A, B, C))]
    last = dict.fromkeys(range(3), 0.0)
    for step in steps:
        now += step
        chosen = turns.choose(waiting, warm, now)
        assert chosen is not None
        warm, last[chosen.endpoint_id] = chosen.weights, now
        assert all(now - since <= 3 * (30 + 40) for since in last.values())
