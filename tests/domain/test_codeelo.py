"""CodeElo's prompt style, and its board."""

from dataclasses import replace

import pytest
from domain.test_codegen import FUNCTION, STDIN

from app.domain.asking.protocols import PRESETS
from app.domain.boards.named import board_of
from app.domain.problems import Form, Statement
from app.domain.scenarios import Item, prompt_sha256, scenarios

CODEGEN = scenarios()["codegen"]
BY_SLUG = {protocol.slug: protocol for protocol in PRESETS}
CPP, PYTHON = BY_SLUG["codeelo-4k"], BY_SLUG["codeelo-4k-python"]


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
    digests = [prompt_sha256(CODEGEN.ask(STDIN, protocol, Item()))[:16] for protocol in (CPP, PYTHON)]
    assert digests == PINNED


PINNED = ["7b9a04c491766c4a", "2711b66eba313b97"]


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
        "codeelo-4k", "codeelo-4k-python", "codeelo-32k", "codeelo-32k-python",
    }  # fmt: skip
    assert boards["livecodebench"] == "codegen"
