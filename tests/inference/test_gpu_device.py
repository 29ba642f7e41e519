"""A device between its slices: what a server that dies then leaves behind."""

import json
from pathlib import Path

import pytest
from support.engines import Bench, alive, guard_of, kill, nothing_left
from support.waiting import until

from app.domain.asking.completions import EndpointSpec, FailedSample, FailureOwner, Retry, SampleOutcome
from app.domain.asking.weights import DueWeights, Weights
from workers.inference.gpu.device import Device
from workers.inference.gpu.engines.vllm import ENGINE

WELL: tuple[list[SampleOutcome], ...] = (
    [FailedSample(1, "answered 400: too long", Retry.LATER, FailureOwner.VENDOR, requests=1, own=True)],
    [FailedSample(1, "its run was paused", Retry.LATER, FailureOwner.US, counts=False, requests=1)],
    [],
)
HANGS: list[SampleOutcome] = [
    FailedSample(1, "did not answer within 600 s", Retry.LATER, FailureOwner.VENDOR, requests=1)
]


def test_a_server_that_is_well_and_answers_nobody_in_a_slice_is_begun_anew(tmp_path: Path) -> None:
    """An engine may hang behind a front that says it is well."""
    bench = Bench(tmp_path)
    device = Device(ENGINE, bench.home)
    chosen = DueWeights(1, Weights(str(bench.weights), "tiny"))
    assert device.serve(chosen) is not None
    for came in (*WELL, HANGS):
        device.begin(EndpointSpec(1, "vllm", "", "tiny"))
        assert all(isinstance(each, FailedSample) and each.owner is FailureOwner.US for each in device.ours(came))
        hangs = came is HANGS
        assert device.end() is hangs, came
        assert (device.alive, device.report()["restarts"]) == (not hangs, int(hangs)), came
    device.close()


@pytest.mark.parametrize("who", ["guard", "api", "core"])
def test_a_server_that_dies_without_work_is_cleared_away(tmp_path: Path, who: str) -> None:
    bench = Bench(tmp_path)
    device = Device(ENGINE, bench.home)
    chosen = DueWeights(1, Weights(str(bench.weights), "tiny"))
    assert device.serve(chosen) is not None
    notes = bench.notes
    until(lambda: json.loads(bench.home.record.read_text())["segments"], "the guard's look at what it uses")
    kill(guard_of(notes) if who == "guard" else notes[who])
    until(lambda: not device.alive, "the server's end")
    for _ in range(3):
        device.look()
    assert nothing_left(notes) == []
    assert (device.report()["state"], device.report()["restarts"]) == ("failed", 1)
    if device.serve(chosen) is None:  # beside others: a port that was free a moment before may be another's now
        assert "Address already in use" in device.report()["trouble"], device.report()
        assert device.serve(chosen) is not None, "and it is served again"
    assert device.alive
    device.close()
    assert not alive(bench.notes["api"])
