"""CodeElo's prompt style, and its board."""

from dataclasses import fields, replace

import pytest
from domain.test_codegen import FUNCTION, STDIN

from app.domain.asking.protocols import ANY_LANGUAGE, CHOSEN_LANGUAGE_KEY, OTHER_LANGUAGE, PRESETS
from app.domain.boards.named_boards import board_of
from app.domain.errors import InvalidInput
from app.domain.problems import Form, Statement
from app.domain.scenarios import Item, prompt_sha256, scenarios

CODEGEN = scenarios()["codegen"]
BY_SLUG = {protocol.slug: protocol for protocol in PRESETS}
CPP, PYTHON, OPEN = (BY_SLUG[f"codeelo-4k{suffix}"] for suffix in ("", "-python", "-open"))


def asked(statement: Statement, language: str = "cpp", locale: str = "en") -> str:
    [message] = CODEGEN.ask(statement, replace(CPP, language=language, locale=locale), Item()).messages
    assert message.role == "user"
    return message.content


def test_one_message_invites_reasoning_and_names_the_language() -> None:
    for locale, thinks in (("en", "step by step"), ("zh", "逐步思考")):
        text = asked(replace(STDIN, locale=locale), locale=locale)
        assert thinks in text.partition("```")[0]
        assert "C++" in text
        assert "```cpp\n// your code\n```" in text
        assert STDIN.text.strip() in text
    assert "flush" in asked(replace(STDIN, form=Form.INTERACTIVE))
    assert "flush" not in asked(STDIN)
    assert "class Solution" in asked(FUNCTION, language="python")


def test_the_prompts_are_pinned() -> None:
    digests = [prompt_sha256(CODEGEN.ask(STDIN, protocol, Item()))[:16] for protocol in (CPP, PYTHON, OPEN)]
    assert digests == PINNED


PINNED = ["7b9a04c491766c4a", "2711b66eba313b97", "c904dd1174d5a996"]


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_a_prompt_that_leaves_the_language_open_names_none(locale: str) -> None:
    [message] = CODEGEN.ask(replace(STDIN, locale=locale), replace(OPEN, locale=locale), Item()).messages
    before = message.content.partition(STDIN.title)[0]
    assert "```language" in before
    assert not [name for name in ("C++", "cpp", "Python", "python") if name in before]
    assert "flush" in CODEGEN.ask(replace(STDIN, form=Form.INTERACTIVE), OPEN, Item()).messages[0].content
    with pytest.raises(InvalidInput, match="asked for in one language; codeelo-open"):
        CODEGEN.ask(FUNCTION, OPEN, Item())
    for wrong in (replace(OPEN, language="python"), replace(CPP, language=ANY_LANGUAGE)):
        with pytest.raises(InvalidInput, match="codegen has no"):
            CODEGEN.ask(STDIN, wrong, Item())


def test_tags_are_never_in_a_prompt() -> None:
    assert not {"tags", "topics"} & {field.name for field in fields(Statement)}, "prompts are made of statements"


@pytest.mark.parametrize(
    ("text", "code", "language", "followed"),
    [
        ("```python\nprint(1)\n```", "print(1)\n", "python", True),
        ("```C++17\nint main() {}\n```", "int main() {}\n", "cpp", True),
        ("First\n```python\nprint(1)\n```\nNo, faster:\n```cpp\nint main() {}\n```", "int main() {}\n", "cpp", True),
        ("```python\nprint(1)\n```\nRun it:\n```bash\npython3 a.py\n```", "print(1)\n", "python", True),
        ("```java\nclass Main {}\n```", None, "other", False),
        ("```python\nprint(1)\n```\n```kotlin\nfun main() {}\n```", None, "other", False),
        ("```\n#include <cstdio>\nint main() { return 0; }\n```", None, "cpp", False),
        ("```\nprint(1)\n```", None, "python", False),
        ("print(1)", None, "python", False),
        ("<think>```python\nprint(1)\n```</think>I do not know.", None, None, False),
        ("", None, None, False),
    ],
)
def test_an_answer_chooses_its_language(text: str, code: str | None, language: str | None, followed: bool) -> None:
    found = CODEGEN.extract(text, OPEN)
    assert (found.language, found.followed_format) == (language, followed)
    assert (found.code is None) == (language in (None, "other"))
    assert code is None or found.code == code


def test_an_answer_is_judged_in_the_language_it_chose() -> None:
    assert [OPEN.judging_language({CHOSEN_LANGUAGE_KEY: chosen}) for chosen in ("cpp", "python", OTHER_LANGUAGE)] == [
        "cpp",
        "python",
        "python",
    ]
    assert OPEN.judging_language({}) == "python", "without a program any language will do"
    assert CPP.judging_language({CHOSEN_LANGUAGE_KEY: "python"}) == "cpp"


@pytest.mark.parametrize(
    "text",
    [
        "First I add them.\n```cpp\nint wrong;\n```\nNo: long is needed.\n```cpp\nint main() {}\n```",
        "<think>```cpp\nint no;\n```</think>\n```cpp\nint main() {}\n```\nDone.",
    ],
)
def test_the_program_is_the_last_one_after_the_reasoning(text: str) -> None:
    assert CODEGEN.extract(text, CPP).code == "int main() {}\n"


def test_its_protocols_are_on_its_board() -> None:
    boards = {slug: board_of(protocol) for slug, protocol in BY_SLUG.items()}
    assert {slug for slug, board in boards.items() if board == "codeelo"} == {
        "codeelo-4k", "codeelo-4k-python", "codeelo-4k-open", "codeelo-32k", "codeelo-32k-python", "codeelo-32k-open",
        "house-codeelo", "house-codeelo-open",
    }  # fmt: skip
    assert boards["livecodebench"] == "codegen"
