"""A run says what most of its missing answers met, whose fault it is, and in whose words, on page and API."""

import pytest
from factories import World
from httpx import Client

from app.domain.states import RunState, SampleState


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
