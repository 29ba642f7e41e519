"""Alerts over what is not asked: workers that went silent, engines that fail, a control host that does not answer."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from factories import NOW, World
from httpx import Client
from support.signing_in import sign_in

from app.db.operations import heartbeats
from app.db.tables import Endpoint, Run, Sample
from app.domain.asking.completions import FailedSample, FailureOwner, Retry
from app.domain.asking.retry_policy import attribute_failures
from app.domain.states import SampleState
from app.services.operations import alerts

LONG_AGO = NOW - timedelta(minutes=10)
FAILED = FailedSample(1, "no answer in 60 s", Retry.LATER, FailureOwner.VENDOR, requests=1)


def waiting(world: World, *, weights: str | None = None, **values: Any) -> tuple[Run, Sample]:
    """A request that is due at an endpoint elsewhere, or at weights of our own."""
    model = world.model("orion")
    world.session.flush()
    made = Endpoint(model_id=model.id, backend="openai_chat", remote_name="orion-1", max_concurrency=1, weights=weights,
                    base_url="" if weights else "https://orion.example/v1")  # fmt: skip
    world.session.add(made)
    run = world.run(model)
    world.session.flush()
    run.endpoint_id = made.id
    sample = world.answer(run, world.problem("a"), None, program=None, response="", state=SampleState.PENDING,
                          answered_at=None, **values)  # fmt: skip
    world.session.flush()
    return run, sample


def found(world: World) -> Mapping[str, str]:
    world.session.flush()
    return alerts.find_causes(world.session, NOW)


def test_inference_workers_that_are_gone_alarm_while_something_waits(world: World, client: Client) -> None:
    world.workers()
    heartbeats.record_heartbeat(world.session, "infer@test/0", "infer", LONG_AGO)
    assert found(world) == {}, "nobody waits for them"
    run, _ = waiting(world)
    words = "no inference worker has been heard of since 2026-11-01 11:50Z; requests waiting: 1"
    assert found(world) == {"asking:silent": words.replace("2026-11-01 11:50", f"{LONG_AGO:%Y-%m-%d %H:%M}")}
    alerts.update_alerts(world.session, NOW)
    sign_in(world, client)
    assert "no inference worker has been heard of since" in client.get("/en/ops").text
    heartbeats.record_heartbeat(world.session, "infer@other/0", "infer", NOW)
    assert found(world) == {}, "another host asks"
    heartbeats.record_heartbeat(world.session, "infer@other/0", "infer", LONG_AGO)
    run.state = "paused"
    assert found(world) == {}


@pytest.mark.parametrize(
    ("at", "said", "words"),
    [
        (LONG_AGO, {"state": "busy"}, f"GPU worker box.a was last heard of {LONG_AGO:%Y-%m-%d %H:%M}Z; "
         "requests waiting for weights of our own: 1"),
        (NOW, {"state": "failed", "trouble": "out of memory"}, "GPU worker box.a serves nothing: out of memory"),
        (NOW, {"state": "failed"}, "GPU worker box.a serves nothing: it does not say why"),
        (NOW, {"state": "busy"}, None),
    ],
)  # fmt: skip
def test_gpu_workers_that_are_gone_or_fail_alarm_while_weights_wait(
    world: World, at: Any, said: dict[str, Any], words: str | None
) -> None:
    world.workers()
    heartbeats.record_heartbeat(world.session, "gpu@box", "gpu.box.a", at, {"device": "cuda", "engine": "vllm"} | said)
    assert found(world) == {}, "nobody waits for it"
    waiting(world, weights="/models/orion")
    assert found(world) == ({} if words is None else {"gpu:box.a": words})


def test_a_control_host_that_does_not_answer_alarms_until_something_gets_through(world: World) -> None:
    world.workers()
    [ours] = attribute_failures([FAILED], reached=False)
    assert isinstance(ours, FailedSample)
    run, sample = waiting(world, error=ours.reason, error_owner="us")
    assert "TIDEMARK_CONTROL_URL" in found(world)["control"]
    assert "requests waiting: 1;" in found(world)["control"]
    sample.not_before = NOW + timedelta(hours=1)
    assert list(found(world)) == ["control"], "it rests meanwhile"
    sample.error = FAILED.reason
    assert found(world) == {}
    sample.error, run.state = ours.reason, "paused"
    assert found(world) == {}
