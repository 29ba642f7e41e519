"""The codegen prompt: what it shows of a problem, and what makes it another prompt."""

import hashlib
from dataclasses import replace
from typing import Any

import pytest

from app.domain.asking.completions import Message, Prompt
from app.domain.asking.extraction import Extraction, extract_code
from app.domain.asking.protocols import HOUSE
from app.domain.errors import InvalidInput
from app.domain.problems import Form, Limits, Statement, Test
from app.domain.scenarios import Item, prompt_sha256
from app.domain.scenarios._rendering import LANGUAGES
from app.domain.scenarios.codegen import SCENARIO

STDIN = Statement(
    problem="house/sum",
    locale="en",
    form=Form.STDIN,
    title="Sum of a line",
    text="Print the sum of the numbers.\n",
    starter_code={},
    examples=(Test("1 2 3\n", "6\n", visible=True), Test("4\n", "4\n", visible=True)),
    limits=Limits(1500, 128),
)
FUNCTION = replace(
    STDIN,
    form=Form.FUNCTION,
    starter_code={"python": "class Solution:\n    def total(self, xs: List[int]) -> int:\n"},
    examples=(Test([[1, 2], "é"], 3, visible=True),),
)


def asked(statement: Statement = STDIN, **changes: Any) -> tuple[str, str]:
    prompt = SCENARIO.ask(statement, replace(HOUSE, **changes), Item())
    assert [message.role for message in prompt.messages] == ["system", "user"]
    return prompt.messages[0].content, prompt.messages[1].content


def test_a_stdin_prompt_in_full() -> None:
    system, user = asked()
    assert "Python" in system
    assert user == (
        "### Question\n\n# Sum of a line\n\nPrint the sum of the numbers.\n\n"
        "Example 1\nInput:\n```\n1 2 3\n```\nOutput:\n```\n6\n```\n\n"
        "Example 2\nInput:\n```\n4\n```\nOutput:\n```\n4\n```\n\n"
        "Limits per test: 1.5 seconds, 128 MB of memory.\n\n"
        "### Format\n\n"
        "Read the input from standard input and write the answer to standard output, nothing else. "
        "Do not test the program on the examples yourself. Enclose the whole program in one fence, as here.\n\n"
        "```python\n# your code\n```\n\n"
        "### Answer (use the format above, with its fence)"
    )


def test_a_function_prompt_shows_the_starter_code_and_its_arguments() -> None:
    user = asked(FUNCTION)[1]
    assert "```python\nclass Solution:\n    def total(self, xs: List[int]) -> int:\n```" in user
    assert 'Input:\n```\n[1, 2]\n"é"\n```\nOutput:\n```\n3\n```' in user
    assert "standard input" not in user


def test_cpp_has_its_own_words() -> None:
    system, user = asked(language="cpp")
    assert "C++" in system
    assert "Python" not in system + user
    assert "```cpp\n// your code\n```" in user


def test_every_language_is_asked_for_by_its_name_and_in_its_fence() -> None:
    for language, name in LANGUAGES.items():
        for locale in ("en", "zh"):
            system, user = asked(language=language, locale=locale)
            assert system.count(name) == 2, (language, name)
            assert f"```{language}\n" in user, (language, name)
            assert "your code\n```" in user, (language, name)
        assert ("<?php" in user) == (language == "php"), (language, name)


def test_languages_are_known_by_the_tags_people_give_them() -> None:
    for language, tag in (
        ("typescript", "ts"), ("csharp", "c#"), ("csharp", "cs"), ("kotlin", "kt"), ("ruby", "rb"), ("php", "php"),
        ("scala", "scala"), ("c", "c"), ("java", "java"),
    ):  # fmt: skip
        both = f"```{tag}\nright\n```\n```text\nother\n```"
        assert extract_code(both, language) == Extraction("right\n", followed_format=True), (language, tag)


@pytest.mark.parametrize("style", ["lcb-one-shot-base", "code3-zh"])
def test_a_style_is_asked_in_the_languages_it_is_written_for(style: str) -> None:
    assert SCENARIO.languages_in(style) == ("python", "cpp")
    with pytest.raises(InvalidInput, match="codegen has no 'kotlin': it has python, cpp"):
        SCENARIO.check(replace(HOUSE, style=style, language="kotlin"))


def test_chinese_words_around_a_chinese_statement() -> None:
    system, user = asked(replace(STDIN, locale="zh", title="一行之和", text="输出这些数的和。"), locale="zh")
    assert "编程" in system
    assert user.startswith("### 题目\n\n# 一行之和\n\n输出这些数的和。\n\n示例 1\n输入：\n```\n1 2 3\n```")
    assert "Example" not in user


def test_an_interactive_prompt_says_to_flush() -> None:
    assert "flush" in asked(replace(STDIN, form=Form.INTERACTIVE))[1]


def test_hidden_fences_in_an_example_do_not_break_out() -> None:
    user = asked(replace(STDIN, examples=(Test("a\n```\nb\n", "x", visible=True),)))[1]
    assert "````\na\n```\nb\n````" in user


@pytest.mark.parametrize(
    ("statement", "changes", "item", "words"),
    [
        (STDIN, {"language": "cobol"}, 0, "cobol"),
        (STDIN, {"locale": "fr"}, 0, "fr"),
        (STDIN, {"style": "codeelo"}, 0, "codeelo"),
        (STDIN, {}, 1, "item 1"),
        (FUNCTION, {"language": "cpp"}, 0, "no starter code for cpp"),
        (replace(FUNCTION, form=Form.UNITTEST, starter_code={}), {}, 0, "unittest"),
    ],
)
def test_what_cannot_be_asked_says_why(statement: Statement, changes: dict[str, Any], item: int, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        SCENARIO.ask(statement, replace(HOUSE, **changes), Item(item))


def test_a_unittest_prompt_shows_what_is_to_be_completed() -> None:
    user = asked(replace(FUNCTION, form=Form.UNITTEST, starter_code={"python": "def task_func(xs):\n"}))[1]
    assert "```python\ndef task_func(xs):\n```" in user
    assert "standard input" not in user


def test_a_protocol_may_bring_its_own_system_prompt_or_none() -> None:
    plain = SCENARIO.ask(STDIN, HOUSE, Item()).messages
    own = SCENARIO.ask(STDIN, replace(HOUSE, system="Be brief."), Item()).messages
    assert own == (Message("system", "Be brief."), plain[1])
    assert SCENARIO.ask(STDIN, replace(HOUSE, system=""), Item()).messages == plain[1:]


def test_the_digest_is_of_what_is_sent() -> None:
    prompt = SCENARIO.ask(STDIN, HOUSE, Item())
    assert prompt_sha256(prompt) == prompt_sha256(SCENARIO.ask(STDIN, HOUSE, Item()))
    known = Prompt((Message("user", "é"),))
    canonical = rb'{"messages":[{"content":"\u00e9","role":"user"}]}'
    assert prompt_sha256(known) == hashlib.sha256(canonical).hexdigest()
    others = [
        SCENARIO.ask(replace(STDIN, title="Sum"), HOUSE, Item()),
        SCENARIO.ask(STDIN, replace(HOUSE, language="cpp"), Item()),
        Prompt((prompt.messages[1], prompt.messages[0])),
        Prompt(()),
    ]
    assert len({prompt_sha256(other) for other in (prompt, *others)}) == 5


def test_a_lone_surrogate_has_a_digest_too() -> None:
    assert len(prompt_sha256(Prompt((Message("user", "\ud83d"),)))) == 64
