"""review: a problem and a program with one defect become a finding: its category and its line.

Its items are derived from published problems: right programs in which one defect of security, performance, naming or
logic was planted. An answer is one JSON object with the four categories; prose is never interpreted. The shape is known
from CoCo-Bench's code review, the words are this project's own.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from app.domain.asking.completions import Message, Prompt
from app.domain.asking.extraction import Extraction
from app.domain.asking.protocols import FRESH, HOUSE, Protocol, ProtocolScope
from app.domain.asking.reasoning import without_reasoning
from app.domain.judging.defects import Category
from app.domain.problems import Form, Statement
from app.domain.scenarios import GradedBy, Item, Need, Scenario, derived_items
from app.domain.scenarios._rendering import fence, question

_MAX_ANSWER_CHARS = 20_000  # characters of an answer that are read
_MAX_STARTS = 20  # places, from the last, at which an object may begin
_FENCE = re.compile(r"```(?:json)?[ \t]*\n(.*?)\n?```", re.DOTALL)
_UNREADABLE = (ValueError, RecursionError)


@dataclass(frozen=True, slots=True)
class _ReviewPhrases:
    """Phrases of the prompt in one locale, except those of the question."""

    system: str
    program: str
    task: str
    kinds: tuple[tuple[Category, str], ...]
    form: str
    answer: str


_WORDS: Mapping[str, _ReviewPhrases] = {
    "en": _ReviewPhrases(
        system=(
            "You are an expert Python programmer who reviews programs. You are given a programming problem and a "
            "Python program for it in which one defect was planted. You find it."
        ),
        program="### Program, with numbered lines",
        task="Exactly one defect was planted in a good and correct program. It is of one of these categories:",
        kinds=(
            (Category.SECURITY, "input is trusted in a way that lets whoever gives it run code"),
            (Category.PERFORMANCE, "a line does much more work than it needs to"),
            (Category.NAMING, "a variable has a name that says nothing about what it holds"),
            (Category.LOGIC, "a line makes the program give wrong answers"),
        ),
        form=(
            "Answer with one JSON object and nothing else. Its keys are the four categories, and each value is a list "
            "of line numbers: for the defect's category the number of a line on which it is seen, for the others an "
            "empty list. This answer would name a logic defect on line 12:"
        ),
        answer="### Answer",
    ),
    "zh": _ReviewPhrases(
        system=(
            "你是一位擅长代码评审的 Python 编程专家。"
            "你会得到一道编程题和一个为它写的 Python 程序，其中被植入了一处缺陷。请把它找出来。"
        ),
        program="### 程序（带行号）",
        task="在一个良好且正确的程序中恰好植入了一处缺陷，它属于下列类别之一：",
        kinds=(
            (Category.SECURITY, "对输入的信任使提供输入的人能够执行代码"),
            (Category.PERFORMANCE, "某一行做了远多于所需的工作"),
            (Category.NAMING, "某个变量的名称没有说明它保存的内容"),
            (Category.LOGIC, "某一行使程序给出错误的答案"),
        ),
        form=(
            "请只回答一个 JSON 对象，不要写其他内容。它的键是上述四个类别，每个值都是行号的列表："
            "缺陷所属的类别写出能看到该缺陷的一行的行号，其他类别写空列表。下面的回答表示第 12 行有一处逻辑缺陷："
        ),
        answer="### 答案",
    ),
}
_EXAMPLE = json.dumps({category.value: [12] if category is Category.LOGIC else [] for category in Category})


def _prompt(statement: Statement, protocol: Protocol, item: Item) -> Prompt:
    """Return two messages: the system line, and the question with the program, its lines numbered."""
    words = _WORDS[protocol.locale]
    lines = item.facts["code"].rstrip("\n").split("\n")
    width = len(str(len(lines)))
    parts = (
        *question(statement, protocol.locale),
        words.program,
        fence("\n".join(f"{number:>{width}} | {line}" for number, line in enumerate(lines, start=1))),
        words.task,
        "\n".join(f"- {category.value}: {meaning}" for category, meaning in words.kinds),
        words.form,
        fence(_EXAMPLE, "json"),
        words.answer,
    )
    return Prompt((Message("system", words.system), Message("user", "\n\n".join(parts))))


def _extract(text: str, protocol: Protocol) -> Extraction:  # noqa: ARG001  # the same in every language of words
    """Return the object that is the whole answer, or its only fence; else the last object in it that can be repaired.

    Repair reads a missing category as an empty list, and one line number as a list of it.
    """
    answer = without_reasoning(text).strip()[-_MAX_ANSWER_CHARS:]
    fenced = _FENCE.fullmatch(answer)
    whole = _parse_object(answer if fenced is None else fenced[1])
    if whole is not None and _is_strict(whole):
        return Extraction(json.dumps(whole), followed_format=True)
    for candidate in _find_objects(answer):
        if (repaired := _repair_review(candidate)) is not None:
            return Extraction(json.dumps(repaired), followed_format=False)
    return Extraction(None, followed_format=False)


def _parse_object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except _UNREADABLE:
        return None
    return value if isinstance(value, dict) else None


def _find_objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the objects in a text, from the last."""
    decoder = json.JSONDecoder()
    starts = [place for place, character in enumerate(text) if character == "{"]
    for start in reversed(starts[-_MAX_STARTS:]):
        try:
            value, _end = decoder.raw_decode(text, start)
        except _UNREADABLE:
            continue
        yield value


def _is_strict(review: Mapping[str, Any]) -> bool:
    return set(review) == set(Category) and all(_is_lines(lines) for lines in review.values())


def _is_lines(value: object) -> bool:
    return isinstance(value, list) and all(type(line) is int for line in value)


def _repair_review(review: Mapping[str, Any]) -> dict[str, list[int]] | None:
    """Return the repaired object; None if a key is no category, a value no line numbers, or the object is empty."""
    lines = {str(name).strip().lower(): [value] if type(value) is int else value for name, value in review.items()}
    if not lines or not set(lines) <= set(Category) or not all(map(_is_lines, lines.values())):
        return None
    return {category.value: lines.get(category.value, []) for category in Category}


def _protocol(slug: str, title: str, like: Protocol) -> Protocol:
    covers = ProtocolScope(like.covers.kinds, like.covers.sources, (Form.STDIN, Form.FUNCTION, Form.CLASS))
    return Protocol(slug, title, "review", "one-defect", sampling=like.sampling, covers=covers)


SCENARIO = Scenario(
    name="review",
    styles=("one-defect",),
    languages=("python",),
    locales=tuple(_WORDS),
    graded_by=GradedBy.FINDING,
    needs=frozenset({Need.DERIVED}),
    items=derived_items,
    prompt=_prompt,
    extract=_extract,
    titles={"en": "Code review", "zh": "代码评审"},
    protocols=(
        _protocol("house-review", "House league: find one planted defect", HOUSE),
        _protocol("fresh-review", "Fresh contest problems: find one planted defect", FRESH),
    ),
)
