"""Scenarios: how a problem becomes prompts, answers and checks; one file each, found by the registry."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from app.domain.asking.completions import Prompt
from app.domain.asking.extraction import Extraction
from app.domain.asking.protocols import Protocol, Style
from app.domain.problems import Statement


class GradedBy(StrEnum):
    """What decides an answer of a scenario."""

    TESTS = "tests"  # run the extracted program on the problem's tests
    VALUE = "value"  # compare the extracted value, nothing is run


@dataclass(frozen=True, slots=True)
class Scenario:
    """How problems are asked, as pure functions of values.

    `items(statement)` numbers what is asked of one problem, from 0 without gaps.
    `prompt(statement, protocol, item)` is the exact text sent; it raises InvalidInput where the scenario
    cannot ask this statement under this protocol. `extract(text, protocol)` reads an answer's final text
    (never its reasoning) and cannot fail: an answer without code is an Extraction whose code is None.
    """

    name: str
    styles: tuple[Style, ...]
    languages: tuple[str, ...]
    locales: tuple[str, ...]
    graded_by: GradedBy
    items: Callable[[Statement], tuple[int, ...]]
    prompt: Callable[[Statement, Protocol, int], Prompt]
    extract: Callable[[str, Protocol], Extraction]


def prompt_sha256(prompt: Prompt) -> str:
    """Digest of exactly what is sent: SHA-256 over the prompt's canonical JSON, in hexadecimal."""
    body = {"messages": [{"role": message.role, "content": message.content} for message in prompt.messages]}
    return hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
