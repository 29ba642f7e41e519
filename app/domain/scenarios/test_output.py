"""test_output: a statement, a signature and an input become the output that a right program gives; nothing is run.

Its items are derived from published problems: their public tests, whose outputs the prompt leaves out. The shape is
known from LiveCodeBench, the words are this project's own.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.asking.completions import Message, Prompt
from app.domain.asking.extraction import Extraction
from app.domain.asking.literals import asserted_value, literal_as_json
from app.domain.asking.protocols import FRESH, HOUSE, Protocol, ProtocolScope
from app.domain.asking.reasoning import without_reasoning
from app.domain.errors import InvalidInput
from app.domain.problems import Form, Statement
from app.domain.scenarios import GradedBy, Item, Need, Scenario, derived_items
from app.domain.scenarios._rendering import fence

_FENCE = re.compile(r"^`{3,}[^`\n]*$", re.MULTILINE)
_EXAMPLES = re.compile(r"^[^\w\n]*(?:examples?|示例|样例)[^\S\n]*\d*[^\w\n]*$", re.IGNORECASE | re.MULTILINE)
_AFTER_EXAMPLES = re.compile(
    r"^[^\w\n]*(?:constraints?|follow[- ]up|notes?|提示|限制|约束|数据范围|进阶)[^\w\n]*$", re.IGNORECASE | re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class _OutputPhrases:
    """Phrases of the prompt in one locale."""

    system: str
    question: str
    signature: str
    test: str
    task: str
    answer: str


_WORDS: Mapping[str, _OutputPhrases] = {
    "en": _OutputPhrases(
        system=(
            "You are an expert Python programmer who helps to test programs. You are given a programming problem and "
            "the input of a test, and work out the output that every correct solution must give for it."
        ),
        question="### Question",
        signature="### Function",
        test="### Test",
        task=(
            "Complete this assertion: put the correct output in the place of ??, as a Python literal without names, "
            "calls or operators. Write the whole assertion in one fence."
        ),
        answer="### Answer",
    ),
    "zh": _OutputPhrases(
        system=(
            "你是一位帮助测试程序的 Python 编程专家。你会得到一道编程题和一个测试的输入，"
            "请求出任何正确解法对该输入必须给出的输出。"
        ),
        question="### 题目",
        signature="### 函数",
        test="### 测试",
        task=(
            "请补全下面的断言：把 ?? 换成正确的输出，写成 Python 字面量，不要出现变量名、函数调用或运算符。"
            "请把完整的断言放在一个代码块中。"
        ),
        answer="### 答案",
    ),
}


def without_examples(text: str) -> str:
    """Return a statement without its examples, whose outputs would reveal answers."""
    begin = _EXAMPLES.search(text)
    if begin is None:
        return text.strip()
    after = _AFTER_EXAMPLES.search(text, begin.end())
    return f"{text[: begin.start()].rstrip()}\n\n{text[after.start() :] if after else ''}".strip()


def _prompt(statement: Statement, protocol: Protocol, item: Item) -> Prompt:
    """Return two messages: the system line, and the question with the input of a test."""
    words = _WORDS[protocol.locale]
    starter = statement.starter_code.get(protocol.language)
    if not starter:
        raise InvalidInput(f"{statement.problem}: there is no signature in {protocol.language}")
    parts = (
        words.question,
        f"# {statement.title}",
        without_examples(statement.text),
        words.signature,
        fence(starter.rstrip(), "python"),
        words.test,
        words.task,
        fence(f"assert {item.facts['call']} == ??", "python"),
        words.answer,
    )
    return Prompt((Message("system", words.system), Message("user", "\n\n".join(parts))))


def _extract(text: str, protocol: Protocol) -> Extraction:  # noqa: ARG001  # one language
    """Return the right side of the last assertion; else the whole last fence, if that is a value."""
    answer = without_reasoning(text)
    side = asserted_value(_FENCE.sub("", answer))
    fences = _FENCE.split(answer)
    fenced = len(fences) > 1
    if side is not None:
        value = literal_as_json(side)
        return Extraction(value, followed_format=fenced and value is not None)
    inside = fences[-2] if len(fences) > 2 else ""
    return Extraction(literal_as_json(inside), followed_format=False)


def _protocol(slug: str, title: str, like: Protocol) -> Protocol:
    covers = ProtocolScope(like.covers.kinds, like.covers.sources, (Form.FUNCTION,))
    return Protocol(slug, title, "test_output", "lcb-assert", sampling=like.sampling, covers=covers)


SCENARIO = Scenario(
    name="test_output",
    styles=("lcb-assert",),
    languages=("python",),
    locales=tuple(_WORDS),
    graded_by=GradedBy.VALUE,
    needs=frozenset({Need.DERIVED}),
    items=derived_items,
    prompt=_prompt,
    extract=_extract,
    titles={"en": "Test output prediction", "zh": "测试输出预测"},
    protocols=(
        _protocol("house-test-output", "House league: outputs of tests", HOUSE),
        _protocol("fresh-test-output", "Fresh contest problems: outputs of tests", FRESH),
    ),
)
