"""How an answer came is on its page, on its run's, in the API and in exports: time, names, tokens, cost, engine."""

import json
from typing import Any

import pytest
from factories import NOW, World
from httpx import Client

from app.db.boards import export
from app.db.tables import Endpoint, Serving
from app.domain.reasons import Reason
from app.domain.states import RunOrigin, RunState

FACTS: dict[str, Any] = {
    "first_token_ms": 420.0, "served_model": "tern-2026", "fingerprint": "fp_<7>", "tokens_cached": 40,
    "tokens_reasoning": 30, "cost_usd": 0.0125,
}  # fmt: skip


@pytest.fixture
def sample(world: World) -> int:
    """An answer with all its facts, one cut off at another system, and the way in which the weights were served."""
    run = world.run(world.model("tern"))
    answer = world.answer(run, world.problem("a"), **FACTS)
    cut: dict[str, Any] = {
        "served_model": "tern-2026",
        "fingerprint": "fp_8",
        "first_token_ms": 800.0,
        "finish_reason": "length",
    }
    world.answer(run, world.problem("b"), **cut)
    body = {
        "engine": "vllm", "version": "0.32.0", "weights": "/data/secret/tern", "dtype": "bfloat16",
        "quantisation": None, "parallel": 2,
        "flags": ["--model", "/data/secret/tern", "--chat-template=/data/secret/t.jinja", "--seed", "0"],
    }  # fmt: skip
    world.session.add(Serving(run_id=run.id, fingerprint="f", body=body, first_at=NOW))
    world.aggregate()
    return answer.id


def test_an_answer_s_page_says_when_it_began_and_what_gave_it(client: Client, sample: int) -> None:
    page = client.get(f"/en/samples/{sample}").text
    for words in ("Time to first token", "0.42 s", "tern-2026", "fp_&lt;7&gt;", "$0.01250", "Reasoning tokens"):
        assert words in page
    told = client.get(f"/api/v1/samples/{sample}").json()
    assert (told["first_token_ms"], told["fingerprint"], told["served_model"]) == (420.0, "fp_<7>", "tern-2026")
    assert "系统指纹" in client.get(f"/zh/samples/{sample}").text


def test_a_run_says_how_its_answers_came_and_how_its_weights_were_served(client: Client, sample: int) -> None:
    assert sample
    [run] = client.get("/api/v1/models/tern").json()["runs"]
    asked = run["asked"]
    assert asked["tokens"] == {"input": 200, "cached": 40, "reasoning": 30, "answer": 100}
    assert (asked["answers"], asked["cost_usd"], asked["unpriced"], asked["first_token_ms"]) == (2, 0.0125, 1, 610.0)
    assert list(asked["finish"].items()) == [("length", 1), ("stop", 1)]
    assert {(name["model"], name["fingerprint"], name["answers"]) for name in asked["served"]} == {
        ("tern-2026", "fp_8", 1), ("tern-2026", "fp_<7>", 1),
    }  # fmt: skip
    [serving] = asked["servings"]
    assert (serving["facts"]["engine"], serving["facts"]["dtype"]) == ("vllm", "bfloat16")
    page = client.get("/en/models/tern").text
    flags = "--model tern --chat-template=t.jinja --seed 0"
    for words in ("How 2 answers came", "fp_&lt;7&gt;", "0.61 s", "vllm", "0.32.0", "bfloat16", flags):
        assert words in page
    assert "secret" not in page + json.dumps(run), "the folders of a machine are nobody's business"
    assert "获取详情" in client.get("/zh/models/tern").text


def test_a_run_whose_endpoint_was_stopped_is_paused_with_the_reason(world: World, client: Client) -> None:
    """By a 402 for example: nothing is asked until somebody pays, and readers would wait for nothing."""
    model = world.model("tern")
    run, over = world.run(model), world.run(model, trial=2, state=RunState.RETIRED)
    endpoint = Endpoint(
        backend="openai-chat", base_url="https://tern.example/v1", remote_name="tern", model_id=model.id,
        max_concurrency=4, stopped_at=NOW, stopped_reason=Reason("answered_with", {"n": 402}, "no <money> left"),
    )  # fmt: skip
    world.session.add(endpoint)
    world.session.flush()
    run.endpoint_id = over.endpoint_id = endpoint.id
    world.aggregate()
    runs = client.get("/api/v1/models/tern").json()["runs"]
    told = {each["id"]: (each["state"], each["state_reason"]) for each in runs}
    assert told == {run.id: ("paused", "answered 402: no <money> left"), over.id: ("retired", None)}
    for language, words in (("en", "This run is paused: "), ("zh", "该评测任务已暂停：")):
        page = client.get(f"/{language}/models/tern").text
        assert words in page
        assert page.count("no &lt;money&gt; left") == 1
    endpoint.stopped_at = endpoint.stopped_reason = None
    world.session.commit()
    [open_run] = [each for each in client.get("/api/v1/models/tern").json()["runs"] if each["id"] == run.id]
    assert (open_run["state"], open_run["state_reason"]) == ("active", None)


def test_a_run_of_a_file_was_not_asked(world: World, client: Client) -> None:
    world.imported(world.run(world.model("gull"), origin=RunOrigin.IMPORTED), world.problem("a"), 1, 1)
    world.aggregate()
    [run] = client.get("/api/v1/models/gull").json()["runs"]
    assert run["asked"] is None


def test_exports_have_what_an_answer_s_page_has(world: World, sample: int) -> None:
    assert sample
    first, *_ = export.sample_rows(world.session)
    exported = {name: first[name] for name in FACTS}
    assert exported == FACTS | {"cost_usd": "0.0125"}
