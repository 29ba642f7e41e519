"""The codegen prompt for base models: a solved problem, the question, and an open fence."""

from dataclasses import replace

import pytest

from app.domain.asking.extraction import Extraction
from app.domain.asking.protocols import FRESH
from app.domain.problems import Form, Limits, Statement, Test
from app.domain.scenarios import Item, prompt_sha256
from app.domain.scenarios.codegen import SCENARIO

PROTOCOL, *_OTHERS = SCENARIO.protocols
STDIN = Statement(
    "house/sum", "en", Form.STDIN, "Sum of a line", "Print the sum of the numbers.\n", {},
    (Test("1 2 3\n", "6\n", visible=True),), Limits(1500, 128),
)  # fmt: skip
STARTERS = {"python": "class Solution:\n    def total(self, xs):\n        ...", "cpp": "class Solution {\n};"}
FUNCTION = replace(STDIN, form=Form.FUNCTION, starter_code=STARTERS, examples=(Test([[1, 2]], 3, visible=True),))
FORMAT = (
    "### Format\n\nRead the input from standard input and write the answer to standard output, nothing else. Do not "
    "test the program on the examples yourself. Enclose the whole program in one fence, as here.\n\n"
    "```python\n# your code\n```\n\n### Answer (use the format above, with its fence)\n\n"
)


def test_a_stdin_prompt_in_full() -> None:
    (message,) = SCENARIO.ask(STDIN, PROTOCOL, Item()).messages
    assert message.role == "user"
    assert message.content == (
        "### Question\n\n# Empty Berths\n\nA harbour has `n` berths, and ships lie at `m` of them. Print how many "
        "berths are empty.\n\nThe input is one line with `n` and `m` (0 ≤ m ≤ n ≤ 1000).\n\n"
        "Example 1\nInput:\n```\n5 2\n```\nOutput:\n```\n3\n```\n\nLimits per test: 2 seconds, 256 MB of memory.\n\n"
        f"{FORMAT}```python\nn, m = map(int, input().split())\nprint(n - m)\n```\n\n"
        "### Question\n\n# Sum of a line\n\nPrint the sum of the numbers.\n\n"
        "Example 1\nInput:\n```\n1 2 3\n```\nOutput:\n```\n6\n```\n\n"
        "Limits per test: 1.5 seconds, 128 MB of memory.\n\n"
        f"{FORMAT}```python\n"
    )


@pytest.mark.parametrize(
    ("form", "language", "locale", "digest"),
    [
        (Form.STDIN, "python", "en", "939d007ddc2e6ebf"),
        (Form.STDIN, "cpp", "zh", "ddcdad63e3b5b946"),
        (Form.FUNCTION, "python", "en", "4eaa1dcb7be31406"),
        (Form.FUNCTION, "cpp", "zh", "1b6859379e6549f3"),
    ],
)
def test_its_words_are_pinned(form: Form, language: str, locale: str, digest: str) -> None:
    """Another digest is another prompt revision of the protocols that use it."""
    statement = STDIN if form is Form.STDIN else FUNCTION
    prompt = SCENARIO.ask(statement, replace(PROTOCOL, language=language, locale=locale), Item())
    assert prompt_sha256(prompt)[:16] == digest


def test_a_function_has_an_example_of_its_form() -> None:
    (message,) = SCENARIO.ask(FUNCTION, PROTOCOL, Item()).messages
    assert message.content.count("class Solution:") == 3, "twice as starter code, once solved"
    assert "input()" not in message.content
    assert message.content.endswith("```python\n")


@pytest.mark.parametrize(
    ("text", "extraction"),
    [
        ("print(1)\n", Extraction("print(1)\n", followed_format=True)),
        ("print(1)\n```\n\n### Question\n\n# Another", Extraction("print(1)\n", followed_format=True)),
        ("print(1)```", Extraction("print(1)\n", followed_format=True)),
        ("    x = '```'\n", Extraction("    x = '```'\n", followed_format=True)),
        ("print(1)\n### Question", Extraction("print(1)\n", followed_format=True)),
        ("```python\nprint(1)\n```", Extraction("print(1)\n", followed_format=False)),
        ("print(", Extraction("print(\n", followed_format=True)),
        ("\n```\nprint(1)\n```", Extraction("print(1)\n", followed_format=False)),
        ("", Extraction(None, followed_format=False)),
        ("```", Extraction(None, followed_format=False)),
        (" \n### Question", Extraction(None, followed_format=False)),
    ],
)
def test_the_program_is_how_the_text_goes_on(text: str, extraction: Extraction) -> None:
    assert SCENARIO.extract(text, PROTOCOL) == extraction


def test_it_stops_where_the_program_would_end() -> None:
    assert PROTOCOL.sampling.stop == ("```", "\n###")
    assert PROTOCOL.covers == FRESH.covers
    assert PROTOCOL.fingerprint != FRESH.fingerprint
