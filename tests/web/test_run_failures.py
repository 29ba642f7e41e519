"""A run says what most of its missing answers met, whose fault it is, and in whose words, on page and API."""

import pytest
from factories import NOW, World
from httpx import Client

from app.db.runs.sample_failures import CommonFailure
from app.domain.states import RunState, SampleState
from app.services.operations import progress


@pytest.mark.parametrize(("path", "fault"), [("/en", "Endpoint error:"), ("/zh", "接口端点故障：")])
def test_the_commonest_failure_of_a_run_is_on_its_model_s_page(
    world: World, client: Client, path: str, fault: str
) -> None:
    run = world.run(world.model("tern"))
    run.state, run.state_reason = RunState.FAILED, "answered 400: unknown field effort"
    said = ("answered 503: <b>loading</b>", "answered 503: <b>loading</b>", "answered 500: oops")
    for number, words in enumerate(said):
        problem = world.problem(f"p{number}")
        state = SampleState.GAVE_UP if number else SampleState.PENDING
        world.answer(run, problem, None, state=state, error=words, error_owner="vendor")
    world.answer(run, world.problem("right"))
    world.aggregate()
    page = client.get(f"{path}/models/tern").text
    assert "answered 503: &lt;b&gt;loading&lt;/b&gt;" in page
    assert "answered 500" not in page
    assert fault in page
    assert "answered 400: unknown field effort" in page
    [shown] = client.get("/api/v1/models/tern").json()["runs"]
    assert shown["failure"] == {"reason": said[0], "owner": "vendor", "samples": 2}
    assert (shown["state"], shown["state_reason"]) == ("failed", "answered 400: unknown field effort")


def test_our_own_words_on_a_runs_failure_are_for_maintainers(world: World, client: Client) -> None:
    run = world.run(world.model("tern"))
    words = "no weights at /data/weights/tern"
    world.answer(run, world.problem("a"), None, state=SampleState.PENDING, error=words, error_owner="us")
    world.aggregate()
    for path in ("/en/models/tern", "/zh/models/tern", "/api/v1/models/tern", f"/api/v1/runs/{run.id}"):
        page = client.get(path)
        assert page.status_code == 200, path
        assert "/data/weights" not in page.text, path
    assert "maintainers see the details" in client.get("/en/models/tern").text
    assert client.get(f"/api/v1/runs/{run.id}").json()["failure"]["owner"] == "us"
    assert progress.run_progress(world.session, run.id, NOW).failure == CommonFailure(words, "us", 1)
