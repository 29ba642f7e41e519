"""The self_repair prompt: the question, the program and its failure; what is read of the answer."""

import hashlib
from dataclasses import replace
from typing import Any

import pytest

from app.domain.asking.extraction import Extraction
from app.domain.asking.feedback import Feedback
from app.domain.asking.protocols import FRESH, HOUSE
from app.domain.errors import InvalidInput
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Form, Limits, Statement, Test
from app.domain.scenarios import Item, Parent, house_protocols, prompt_sha256
from app.domain.scenarios.self_repair import SCENARIO

V = Verdict
PROTOCOL = SCENARIO.protocols[0]
STDIN = Statement(
    problem="house/sum",
    locale="en",
    form=Form.STDIN,
    title="Sum of a line",
    text="Print the sum of the numbers.\n",
    starter_code={},
    examples=(Test("1 2 3\n", "6\n", visible=True),),
    limits=Limits(1500, 128),
)
CODE = "print(sum(map(int, input().split())) + 1)\n"
WRONG = Feedback(V.WRONG_ANSWER, 1, "1 2 3\n", "6\n", "7\n", "wrong answer")


def asked(feedback: Feedback = WRONG, code: str | None = CODE, statement: Statement = STDIN, **changes: Any) -> str:
    prompt = SCENARIO.ask(statement, replace(PROTOCOL, **changes), Item(parent=Parent(code, feedback)))
    assert [message.role for message in prompt.messages] == ["system", "user"]
    return prompt.messages[1].content


def told(feedback: Feedback, **changes: Any) -> str:
    return asked(feedback, **changes).split("### How it failed\n\n")[1].split("\n\n### Format")[0]


def test_a_prompt_in_full() -> None:
    assert asked() == (
        "### Question\n\n# Sum of a line\n\nPrint the sum of the numbers.\n\n"
        "Example 1\nInput:\n```\n1 2 3\n```\nOutput:\n```\n6\n```\n\n"
        "Limits per test: 1.5 seconds, 128 MB of memory.\n\n"
        "### Program\n\n```python\nprint(sum(map(int, input().split())) + 1)\n```\n\n"
        "### How it failed\n\nThe program gives a wrong answer on this test.\n\n"
        "Input:\n```\n1 2 3\n```\n\nOutput:\n```\n7\n```\n\nExpected:\n```\n6\n```\n\n"
        "### Format\n\n"
        "First say in at most three sentences what is wrong. Then write the whole mended program, not only what "
        "changes, once and in one fence, as here.\n\n"
        "```python\n# your code\n```\n\n"
        "### Answer (use the format above, with its fence)"
    )


@pytest.mark.parametrize(
    ("language", "locale", "digest"),
    [
        ("python", "en", "5adc52102eb586be"),
        ("python", "zh", "dcb093572aaf1cf4"),
        ("cpp", "en", "0fd2da67f30afdc7"),
        ("cpp", "zh", "bfb663c4abbe6340"),
    ],
)
def test_its_words_are_pinned(language: str, locale: str, digest: str) -> None:
    """Another digest is another prompt revision of the protocols that use it."""
    protocol = replace(PROTOCOL, language=language, locale=locale)
    parts = [
        prompt_sha256(SCENARIO.ask(STDIN, protocol, Item(parent=Parent(code, replace(WRONG, verdict=verdict)))))
        for verdict in V
        for code in (CODE, None)
    ]
    parts.append(prompt_sha256(SCENARIO.ask(STDIN, protocol, Item(parent=Parent(CODE, Feedback(V.TIME_LIMIT))))))
    parts.append(prompt_sha256(SCENARIO.ask(STDIN, protocol, Item(parent=Parent(CODE, replace(WRONG, got="[...]"))))))
    assert digest_of(parts) == digest


def digest_of(parts: list[str]) -> str:
    return hashlib.sha256("".join(parts).encode()).hexdigest()[:16]


def test_each_failure_has_its_feedback() -> None:
    for feedback, words in [
        (
            Feedback(V.COMPILE_ERROR, error="SyntaxError: '(' was never closed"),
            "The program does not compile.\n\nMessage:\n```\nSyntaxError: '(' was never closed\n```",
        ),
        (
            Feedback(V.TIME_LIMIT, 1, "1 2 3\n", "6\n"),
            "The program takes longer than the time limit on this test.\n\nInput:\n```\n1 2 3\n```",
        ),
        (
            Feedback(V.RUNTIME_ERROR, 1, "1 2 3\n", "6\n", error="ValueError: no"),
            "The program ends with a runtime error on this test.\n\nInput:\n```\n1 2 3\n```\n\n"
            "Message:\n```\nValueError: no\n```",
        ),
        (
            Feedback(V.RUNTIME_ERROR, error="KeyError"),
            "The program ends with a runtime error on a test that is not shown.\n\nMessage:\n```\nKeyError\n```",
        ),
        (Feedback(V.WRONG_ANSWER), "The program gives a wrong answer on a test that is not shown."),
        (Feedback(V.MEMORY_LIMIT), "The program needs more memory than the limit on a test that is not shown."),
        (Feedback(V.OUTPUT_LIMIT), "The program prints far more than any right answer on a test that is not shown."),
        (Feedback(V.NO_ANSWER), "There was nothing to run."),
    ]:
        assert told(feedback) == words, (feedback, words)


def test_what_was_cut_says_so_and_a_word_of_the_judge_is_told() -> None:
    assert told(replace(WRONG, input="1 [...] 3")).endswith("\n\nLong texts are shortened where they have [...].")
    assert told(replace(WRONG, error="wrong answer at call 2, pop")).endswith("wrong answer at call 2, pop\n```")


def test_an_answer_without_a_program_is_said_to_have_none() -> None:
    assert "### Program\n\nThe answer held no program.\n\n" in asked(Feedback(V.NO_ANSWER), code=None)
    assert "The answer held no program." in asked(Feedback(V.NO_ANSWER), code=" \n")


def test_a_program_cannot_close_its_fence() -> None:
    assert "````python\nprint('''\n```\n''')\n````" in asked(code="print('''\n```\n''')")


def test_chinese_words_around_a_chinese_statement() -> None:
    user = asked(locale="zh", statement=replace(STDIN, locale="zh", title="一行之和", text="输出这些数的和。"))
    assert "### 失败情况\n\n程序在下面的测试上给出了错误的答案。\n\n输入：\n```\n1 2 3\n```" in user
    assert "test" not in user
    hidden = asked(Feedback(V.TIME_LIMIT), locale="zh")
    assert "程序在一个未公开的测试上超出了时间限制。" in hidden


def test_a_function_is_asked_with_its_starter_code() -> None:
    starter = "class Solution:\n    def total(self, xs):\n        ..."
    user = asked(statement=replace(STDIN, form=Form.FUNCTION, starter_code={"python": starter}))
    assert user.endswith(f"```python\n{starter}\n```\n\n### Answer (use the format above, with its fence)")
    with pytest.raises(InvalidInput, match="starter code"):
        asked(statement=replace(STDIN, form=Form.FUNCTION))


@pytest.mark.parametrize(
    ("text", "extraction"),
    [
        (f"It adds one too many.\n\n```python\n{CODE}```\n", Extraction(CODE, followed_format=True)),
        (f"```text\n{CODE}```\n", Extraction(CODE, followed_format=False)),
        ("I am sorry, but I cannot help with that.", Extraction(None, followed_format=False)),
        ("", Extraction(None, followed_format=False)),
        ("```python\nprint(1", Extraction("print(1", followed_format=True)),
    ],
)
def test_answers_right_misplaced_refused_empty_and_cut(text: str, extraction: Extraction) -> None:
    assert SCENARIO.extract(text, PROTOCOL) == extraction


def test_only_a_first_item_with_a_parent_is_asked() -> None:
    with pytest.raises(InvalidInput):
        SCENARIO.ask(STDIN, PROTOCOL, Item())
    with pytest.raises(InvalidInput):
        SCENARIO.ask(STDIN, PROTOCOL, Item(1, parent=Parent(CODE, WRONG)))


def test_its_protocols_continue_those_of_codegen() -> None:
    by_parent = {protocol.prerequisite: protocol for protocol in SCENARIO.protocols}
    assert by_parent["house"].covers == HOUSE.covers
    assert by_parent["fresh"].covers == FRESH.covers
    assert by_parent["house"] in house_protocols()
    assert by_parent["fresh"] not in house_protocols()
    assert house_protocols()[0] == HOUSE
