"""Prompt shape of CoCo-Bench (arXiv 2504.20673, appendix D): an opening with examples, the item, and a closing.

A question is the task, worked examples of it, and then the item in the same parts; the required form of the answer is
stated last. The words are this project's own; changing any of them is a new prompt revision.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.domain.asking.completions import Message, Prompt
from app.domain.asking.extraction import Extraction, extract_code
from app.domain.asking.protocols import HOUSE_COCO, Protocol, ProtocolScope, Sampling
from app.domain.asking.reasoning import without_reasoning
from app.domain.problems import Form, Statement
from app.domain.scenarios._rendering import fence

NAMES = {"python": "Python", "java": "Java", "cpp": "C++", "sql": "SQL"}
_COMPILED = re.compile(r"\s*(?:class|public|import|#include|using|struct|template|static|/[/*])")
CODE, CALLED = "The code:", "The code, of which {name} is called:"
SHIFTED = "def shifted(numbers, by):\n    return [n + by for n in numbers]"
GREET = 'def greet(name):\n    return name + "!"'
GREEDY = Sampling(temperature=0.0, top_p=1.0, max_tokens=8192)


@dataclass(frozen=True, slots=True)
class QuestionPart:
    """Part of a question: its heading, and text, which is fenced if it is code or a value of this language."""

    heading: str
    text: str
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Shot:
    """Example: the parts of the question, and its answer in the required form."""

    parts: Sequence[QuestionPart]
    answer: str


def question(opening: str, shots: Sequence[Shot], parts: Sequence[QuestionPart], closing: str) -> Prompt:
    """Return one message of these parts."""
    pieces = [opening]
    for number, shot in enumerate(shots, start=1):
        pieces += [f"### Example {number}", *map(_render_part, shot.parts), f"Answer:\n{shot.answer}"]
    pieces += ["### Question", *map(_render_part, parts), closing]
    return Prompt((Message("user", "\n\n".join(pieces)),))


def _render_part(part: QuestionPart) -> str:
    return f"{part.heading}\n{part.text if part.language is None else fence(part.text, part.language)}"


def code_of(statement: Statement) -> tuple[str, str]:
    """Return (language, code) that a problem shows; both empty if it shows none."""
    codes = statement.starter_code
    return next(((name, codes[name]) for name in NAMES if codes.get(name, "").strip()), ("", ""))


def code_part(statement: Statement) -> QuestionPart:
    """Return the part that shows a problem's code and names the function that is called."""
    language, code = code_of(statement)
    name = statement.entry.name if statement.entry is not None and language != "sql" else ""
    return QuestionPart(CALLED.format(name=name) if name else CODE, code, language)


def render_input(statement: Statement, language: str, values: Any) -> str:
    """Return the input of a call, an argument a line, with its name if known; text unchanged."""
    if not isinstance(values, list):
        return str(values).strip("\n")
    params = statement.entry.params if statement.entry is not None else ()
    names = [param.name for param in params] if len(params) == len(values) else [""] * len(values)
    return "\n".join(
        f"{name} = {render_literal(language, value)}" if name else render_literal(language, value)
        for name, value in zip(names, values, strict=True)
    )


def code_in(text: str) -> Extraction:
    """Return the program in an answer, in any of the set's languages: the first one it is fenced as, else bare code."""
    extractions = [extract_code(text, name) for name in ("python", "java", "cpp")]
    best = next((found for found in extractions if found.code is not None and found.followed_format), extractions[0])
    if (
        best.code is None
        and _COMPILED.match(answer := without_reasoning(text))
        and answer.rstrip().endswith((";", "}"))
    ):
        return Extraction(answer.strip() + "\n", followed_format=False)
    return next((found for found in extractions if found.code is not None), best) if best.code is None else best


def render_literal(language: str, value: Any) -> str:
    """Return a value as the language writes it: a Python literal for Python, JSON for the others."""
    return repr(value) if language == "python" else json.dumps(value, ensure_ascii=False)


def protocols(slug: str, title: str, scenario: str, task: str, *, style: str = "coco") -> tuple[Protocol, Protocol]:
    """Return a greedy protocol over the set's items of one task, and the same over those of the house league."""
    covers = ProtocolScope(sources=("coco",), forms=(Form.STDIN, Form.FUNCTION, Form.CLASS), tags=(task,))
    of_set = Protocol(slug, f"CoCo-Bench, {title}", scenario, style, sampling=GREEDY, covers=covers)
    house = replace(covers, sources=(HOUSE_COCO,))
    return of_set, replace(of_set, slug=f"house-{slug}", title=f"House league, {title}", covers=house)
