"""One model does not buy rows with settings that mean nothing, nor answers with sampling of its own."""

import pytest
from factories import World
from httpx import Client
from support.vendors import Vendor

ALLOWED = "chat_template_kwargs, enable_thinking, reasoning, reasoning_effort, thinking, thinking_budget, verbosity"


@pytest.mark.parametrize(
    "name", ["variant", "best_of", "top_k", "min_p", "stop", "repetition_penalty", "temperature", "seed", "Variant"]
)
def test_a_setting_that_the_format_does_not_name_is_refused_with_those_it_does(vendor: Vendor, name: str) -> None:
    vendor.model()
    endpoint = vendor.endpoint("https://93.184.216.34/v1")
    answer = vendor.post("/submissions", {"endpoint": endpoint, "continuous": True, "configuration": {name: 1}})
    assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json")
    assert answer.json()["errors"][0]["pointer"] == f"/configuration/{name}"
    assert name in answer.json()["detail"]
    assert ALLOWED in answer.json()["detail"]
    assert vendor.get("/submissions")["data"] == []


def test_texts_that_differ_in_white_space_buy_one_row(world: World, client: Client) -> None:
    problem, model = world.problem("a"), world.model("orion")
    for trial, effort in enumerate(("think hard", " think  hard", "think\thard\n"), start=1):
        world.answer(world.run(model, configuration={"effort": effort}, trial=trial), problem)
    world.count()
    world.session.commit()
    body = client.get("/api/v1/boards/codegen").json()
    assert [(row["configuration"], row["trials"]) for row in body["rows"]] == [("think hard", 3)]
