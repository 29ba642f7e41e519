"""The bug_fix prompt, and what is read of answers to it."""

from dataclasses import replace

import pytest

from app.domain.deriving.items import DerivedItemKind, DerivedItemSpec
from app.domain.problems import Form, Limits, Statement, Test
from app.domain.scenarios import Material, house_protocols, prompt_sha256, solving_scenarios
from app.domain.scenarios.bug_fix import SCENARIO

STATEMENT = Statement(
    "house/sum", "en", Form.STDIN, "Sum of a line", "Print the sum.\n", {}, (Test("1 2\n", "3\n"),), Limits(1500, 128)
)
CODE = "xs = map(int, input().split())\nprint(sum(xs) + 1)\n"
(ITEM,) = SCENARIO.items(Material(STATEMENT, derived=(DerivedItemSpec(DerivedItemKind.BUG_FIX, {"code": CODE}, None),)))
HOUSE = SCENARIO.protocols[0]


def test_the_prompt_in_full() -> None:
    system, user = SCENARIO.ask(STATEMENT, HOUSE, ITEM).messages
    assert (system.role, user.role) == ("system", "user")
    assert system.content == (
        "You are an expert Python programmer who mends programs. You are given a programming problem and a Python "
        "program for it in which one line is wrong. You find that line and mend it."
    )
    assert user.content == (
        "### Question\n\n# Sum of a line\n\nPrint the sum.\n\n"
        "Example 1\nInput:\n```\n1 2\n```\nOutput:\n```\n3\n```\n\n"
        "Limits per test: 1.5 seconds, 128 MB of memory.\n\n"
        f"### Program with a bug\n\n```python\n{CODE}```\n\n"
        "Exactly one line of this program is wrong; the others are right. Write the whole mended program, not only the "
        "line that changes, once and in one fence.\n\n### Answer"
    )


@pytest.mark.parametrize(("locale", "digest"), [("en", "255744385d7eea75"), ("zh", "3d1cf0b25a4a1b91")])
def test_its_words_are_pinned(locale: str, digest: str) -> None:
    """Another digest is another prompt revision of the protocols that use it."""
    assert prompt_sha256(SCENARIO.ask(STATEMENT, replace(HOUSE, locale=locale), ITEM))[:16] == digest


def test_the_program_goes_round_and_no_answer_is_none() -> None:
    mended = CODE.replace(" + 1", "")
    read = SCENARIO.extract(f"The last line adds one.\n```python\n{mended}```", HOUSE)
    assert (read.code, read.followed_format) == (mended, True)
    assert SCENARIO.extract("I cannot help with that.", HOUSE).code is None
    assert SCENARIO.extract("", HOUSE).code is None
    assert SCENARIO.truth(ITEM) is None, "the problem's tests decide"


def test_it_shows_a_solution_and_solves_nothing() -> None:
    """Else nobody who is asked to mend a program could be asked what others of the problem return."""
    assert "bug_fix" not in solving_scenarios()
    assert "house-bug-fix" in {each.slug for each in house_protocols()}
