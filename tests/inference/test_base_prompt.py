"""What a base model is sent: the prompt to the character, as a text to go on with."""

import json

from app.domain.asking.completions import EndpointSpec, InferenceRequest
from app.domain.problems import Form, Limits, Statement
from app.domain.scenarios import Item
from app.domain.scenarios.codegen import SCENARIO
from workers.inference.backends import HttpCall
from workers.inference.backends.openai_completions import BACKEND

STATEMENT = Statement("house/one", "en", Form.STDIN, "One", "Print 1.", {}, (), Limits())


def test_a_one_shot_prompt_is_continued_and_stopped_at_its_fence() -> None:
    protocol = next(each for each in SCENARIO.protocols if each.slug == "fresh-base")
    prompt = SCENARIO.ask(STATEMENT, protocol, Item())
    spec = EndpointSpec(1, "openai_completions", "http://127.0.0.1:9/v1", "base", trusted=True)
    call = BACKEND.call(spec, InferenceRequest(1, prompt, protocol.sampling, 1))
    assert isinstance(call, HttpCall)
    body = json.loads(call.body)
    assert body["prompt"] == prompt.messages[0].content
    assert body["prompt"].endswith("```python\n")
    assert body["stop"] == ["```", "\n###"]
