"""CoCo-Bench's shape (arXiv 2504.20673, appendix D): an opening with examples, what it is about, and a closing.

A question is the task, worked examples of it, and then the item in the same parts; what the answer is to hold, and
nothing besides, is said last. The words are this project's own; changing any of them is a new prompt revision.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.domain.asking.completions import Message, Prompt
from app.domain.asking.extraction import Extraction, extract_code
from app.domain.asking.protocols import HOUSE_COCO, Covers, Protocol, Sampling
from app.domain.asking.reasoning import without_reasoning
from app.domain.problems import Form, Statement
from app.domain.scenarios._showing import fence

NAMES = {"python": "Python", "java": "Java", "cpp": "C++", "sql": "SQL"}
_COMPILED = re.compile(r"\s*(?:class|public|import|#include|using|struct|template|static|/[/*])")
CODE, CALLED = "The code:", "The code, of which {name} is called:"
SHIFTED = "def shifted(numbers, by):\n    return [n + by for n in numbers]"
GREET = 'def greet(name):\n    return name + "!"'
GREEDY = Sampling(temperature=0.0, top_p=1.0, max_tokens=8192)


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a question: its heading, and text, which is fenced where it is code or a value of this language."""

    heading: str
    text: str
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Shot:
    """An example: the parts of the question, and its answer as it is to be given."""

    parts: Sequence[Part]
    answer: str


def question(opening: str, shots: Sequence[Shot], parts: Sequence[Part], closing: str) -> Prompt:
    """One message of these pieces."""
    pieces = [opening]
    for number, shot in enumerate(shots, start=1):
        pieces += [f"### Example {number}", *map(_shown, shot.parts), f"Answer:\n{shot.answer}"]
    pieces += ["### Question", *map(_shown, parts), closing]
    return Prompt((Message("user", "\n\n".join(pieces)),))


def _shown(part: Part) -> str:
    return f"{part.heading}\n{part.text if part.language is None else fence(part.text, part.language)}"


def code_of(statement: Statement) -> tuple[str, str]:
    """(language, code) that a problem shows; both empty where it shows none."""
    codes = statement.starter_code
    return next(((name, codes[name]) for name in NAMES if codes.get(name, "").strip()), ("", ""))


def shown(statement: Statement) -> Part:
    """The code of a problem, and what of it is called."""
    language, code = code_of(statement)
    name = statement.entry.name if statement.entry is not None and language != "sql" else ""
    return Part(CALLED.format(name=name) if name else CODE, code, language)


def given(statement: Statement, language: str, values: Any) -> str:
    """The input of a call, an argument a line, with its name where that is known; text as it is."""
    if not isinstance(values, list):
        return str(values).strip("\n")
    params = statement.entry.params if statement.entry is not None else ()
    names = [param.name for param in params] if len(params) == len(values) else [""] * len(values)
    return "\n".join(
        f"{name} = {spelt(language, value)}" if name else spelt(language, value)
        for name, value in zip(names, values, strict=True)
    )


def code_in(text: str) -> Extraction:
    """The program in an answer, in whichever of the set's languages: the first that it is fenced as, else bare code."""
    found = [extract_code(text, name) for name in ("python", "java", "cpp")]
    best = next((one for one in found if one.code is not None and one.followed_format), found[0])
    if (
        best.code is None
        and _COMPILED.match(answer := without_reasoning(text))
        and answer.rstrip().endswith((";", "}"))
    ):
        return Extraction(answer.strip() + "\n", followed_format=False)
    return next((one for one in found if one.code is not None), best) if best.code is None else best


def spelt(language: str, value: Any) -> str:
    """A value as the language writes it: Python its own way, the others as JSON."""
    return repr(value) if language == "python" else json.dumps(value, ensure_ascii=False)


def protocols(slug: str, title: str, scenario: str, task: str, *, style: str = "coco") -> tuple[Protocol, Protocol]:
    """A protocol over the set's items of one task, greedy, and the same over those of the house league."""
    covers = Covers(sources=("coco",), forms=(Form.STDIN, Form.FUNCTION, Form.CLASS), tags=(task,))
    of_set = Protocol(slug, f"CoCo-Bench, {title}", scenario, style, sampling=GREEDY, covers=covers)
    house = replace(covers, sources=(HOUSE_COCO,))
    return of_set, replace(of_set, slug=f"house-{slug}", title=f"House league, {title}", covers=house)
