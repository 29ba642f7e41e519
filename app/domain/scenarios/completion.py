"""completion: a function's first lines, or its task in words, become the function, checked by unittests.

The shape is BigCodeBench's. Style `complete` shows imports, signature and docstring; style `instruct` shows the task in
words, which end with the same first lines without their docstring. An answer is sanitised: examples of use, prints and
prose are no part of the program. The words are this project's own; changing any of them is a new prompt revision of the
protocols that use them.

Under a `calibrated` protocol the task's imports and constants stand before a program, so that it may leave them out.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from app.domain.asking.completions import Message, Prompt
from app.domain.asking.extraction import Extraction, extract_code
from app.domain.asking.protocols import HOUSE_BIGCODE, Protocol, ProtocolScope, Sampling
from app.domain.asking.reasoning import without_reasoning
from app.domain.asking.sanitising import extract_bare_program, sanitise_program
from app.domain.errors import InvalidInput
from app.domain.problems import Form, Statement
from app.domain.scenarios import GradedBy, Item, Material, Scenario
from app.domain.scenarios._rendering import fence

_ENTRY: Final = "task_func"  # name of the function in every task of BigCodeBench
_WORDS: Mapping[str, str] = {
    "complete": (
        "Below are the first lines of a Python program: its imports, and a function with the description of what it "
        "does. Write the whole self-contained program, with the function completed and with everything it needs, in "
        "one fenced block of code."
    ),
    "instruct": (
        "Write a self-contained Python program that does what is asked below, with everything it needs, in one fenced "
        "block of code."
    ),
}


def _items(material: Material) -> tuple[Item, ...]:
    """Return one item if the problem has first lines to complete."""
    return (Item(),) if material.statement.starter_code.get("python") else ()


def _prompt(statement: Statement, protocol: Protocol, item: Item) -> Prompt:
    """Return one message. Raises InvalidInput if there is nothing to complete."""
    starter = statement.starter_code.get(protocol.language, "").strip("\n")
    if item.number != 0 or not starter.strip():
        raise InvalidInput(f"{statement.problem}: there is nothing to complete as item {item.number}")
    task = fence(starter, protocol.language) if protocol.style == "complete" else statement.text.strip()
    return Prompt((Message("user", f"{_WORDS[protocol.style]}\n\n{task}"),))


def _extract(text: str, protocol: Protocol) -> Extraction:
    """Return the sanitised program; for an answer without a fence, the part that begins like a program."""
    extraction = extract_code(text, protocol.language)
    code = extract_bare_program(without_reasoning(text)) if extraction.code is None else extraction.code
    return Extraction(None if code is None else sanitise_program(code, _ENTRY), extraction.followed_format)


def _protocol(style: str, *, calibrated: bool) -> Protocol:
    end, words = ("", "") if calibrated else ("-uncalibrated", ", uncalibrated")
    return Protocol(
        slug=f"bcb-{style}{end}",
        title=f"BigCodeBench {style.title()}: Python, greedy{words}",
        scenario="completion",
        style=style,
        sampling=Sampling(temperature=0.0, top_p=1.0, max_tokens=8192),
        covers=ProtocolScope(sources=("bigcodebench",), forms=(Form.UNITTEST,)),
        calibrated=calibrated,
    )


def _house(style: str) -> Protocol:
    """Return the same protocol over the house league's tasks in the set's form."""
    like = _protocol(style, calibrated=True)
    covers = replace(like.covers, sources=(HOUSE_BIGCODE,))
    title = f"House league, {style.title()}: Python, greedy"
    return replace(like, slug=f"house-bcb-{style}", title=title, covers=covers)


def _published(subset: str, style: str) -> Protocol:
    part = "" if subset == "full" else "-hard"
    words = "" if subset == "full" else " Hard"
    return Protocol(
        slug=f"bcb{part}-{style}-published",
        title=f"BigCodeBench{words} {style.title()}, published results",
        scenario="completion",
        style=style,
        imported=True,
    )


# Published boards: their percentages over all tasks of a subset together.
PUBLISHED: Mapping[tuple[str, str], Protocol] = {
    (subset, style): _published(subset, style) for subset in ("full", "hard") for style in _WORDS
}

SCENARIO = Scenario(
    name="completion",
    styles=tuple(_WORDS),
    languages=("python",),
    locales=("en",),
    graded_by=GradedBy.TESTS,
    items=_items,
    prompt=_prompt,
    extract=_extract,
    titles={"en": "BigCodeBench", "zh": "BigCodeBench 题集"},
    protocols=(
        *(_protocol(style, calibrated=calibrated) for calibrated in (True, False) for style in _WORDS),
        *map(_house, _WORDS),
        *PUBLISHED.values(),
    ),
)
