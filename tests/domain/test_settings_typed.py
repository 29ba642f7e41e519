"""A setting has a type: one value has one spelling, and what it cannot be is refused with words."""

from typing import Any

import pytest

from app.domain.asking.configuration import convert_configuration
from app.domain.errors import InvalidInput

ONE = [
    ({"thinking_budget": 1024}, ["1024", " 1024 ", 1024.0, "1024.0", "1024.00"]),
    ({"enable_thinking": True}, ["true", "True", " TRUE", 1, 1.0, "1", "1.0"]),
    ({"include_thoughts": False}, ["false", "FALSE", 0, "0", 0.0]),
    ({"thinking": True}, ["true", 1, "1.0"]),
    ({"thinking": "enabled"}, ["enabled"]),
]


@pytest.mark.parametrize(("meant", "spellings"), ONE)
def test_one_value_has_one_spelling(meant: dict[str, Any], spellings: list[Any]) -> None:
    [name] = meant
    for spelling in (*meant.values(), *spellings):
        [value] = convert_configuration({name: spelling}).values()
        assert (value, type(value)) == (meant[name], type(meant[name])), spelling


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("thinking_budget", "high", "thinking_budget must be a whole number, not 'high'"),
        ("thinking_budget", True, "thinking_budget must be a whole number, not True"),
        ("thinking_budget", 0.5, "thinking_budget must be a whole number, not 0.5"),
        ("thinking_budget", None, "thinking_budget must be a whole number, not None"),
        ("enable_thinking", 2, "enable_thinking must be true or false, not 2"),
        ("enable_thinking", "on", "enable_thinking must be true or false, not 'on'"),
        ("reasoning_effort", 0.2, "reasoning_effort must be text, not 0.2"),
        ("thinking", 3, "thinking must be true or false or text or an object, not 3"),
        ("chat_template_kwargs", "x", "chat_template_kwargs must be an object, not 'x'"),
        ("chat_template_kwargs", ["x"], r"chat_template_kwargs must be an object, not \['x'\]"),
    ],
)
def test_what_a_setting_cannot_be_is_refused_with_words(name: str, value: Any, words: str) -> None:
    with pytest.raises(InvalidInput, match=words) as refused:
        convert_configuration({name: value})
    assert refused.value.pointer == f"/configuration/{name}"


def test_names_that_nobody_knows_are_left_to_the_back_end() -> None:
    assert convert_configuration({"variant": [1]}) == {"variant": [1]}
