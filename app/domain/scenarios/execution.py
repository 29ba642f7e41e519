"""execution: a function and a call become the value that it returns, compared as a value; nothing is run.

Its items are derived from published problems: short right programs, on inputs that are in no test. Style direct asks
for the completed assertion at once, after two examples; style cot lets the answer go through the code first, after one.
The shape is known from LiveCodeBench, the words are this project's own.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.asking.completions import Message, Prompt
from app.domain.asking.extraction import Extraction
from app.domain.asking.literals import asserted_value, literal_as_json, tagged_answer
from app.domain.asking.protocols import FRESH, HOUSE, Protocol, ProtocolScope
from app.domain.asking.reasoning import without_reasoning
from app.domain.problems import Form, Statement
from app.domain.scenarios import GradedBy, Item, Need, Scenario, derived_items


@dataclass(frozen=True, slots=True)
class _Shot:
    """Example: the question, the reasoning, and the answer."""

    code: str
    call: str
    thought: tuple[str, ...]
    value: str


@dataclass(frozen=True, slots=True)
class _ExecutionPhrases:
    """Phrases of the prompts in one locale."""

    task: str
    direct: str
    cot: str
    shots: tuple[_Shot, ...]


_GREET = 'def greet(name: str) -> str:\n    return name + "!"'
_LAST = "def last(numbers: List[int]) -> int:\n    return numbers[-1]"
_EVENS = (
    "def evens(numbers: List[int]) -> List[int]:\n    kept = []\n    for number in numbers:\n"
    "        if number % 2 == 0:\n            kept.append(number)\n    return kept"
)
_WORDS: Mapping[str, _ExecutionPhrases] = {
    "en": _ExecutionPhrases(
        task=(
            "You are given Python code and an assertion that calls one of its functions. Replace ?? by the value that "
            "the call returns when exactly this code is run, whether or not the code seems right to you. Write the "
            "value as a literal: no names, no calls, no operators."
        ),
        direct=(
            "Write nothing but the completed assertion, between the tags [ANSWER] and [/ANSWER], as in these examples."
        ),
        cot=(
            "First go through the run step by step between the tags [THOUGHT] and [/THOUGHT]. Then write the completed "
            "assertion between the tags [ANSWER] and [/ANSWER], as in this example."
        ),
        shots=(
            _Shot(_GREET, 'greet(name = "Ada")', (), '"Ada!"'),
            _Shot(_LAST, "last(numbers = [4, 8, 1])", (), "1"),
            _Shot(
                _EVENS,
                "evens(numbers = [3, 4, 6])",
                (
                    "evens is called with [3, 4, 6]; kept begins as [].",
                    "3 % 2 is 1, so 3 is passed over.",
                    "4 % 2 is 0, so kept becomes [4].",
                    "6 % 2 is 0, so kept becomes [4, 6].",
                    "The loop is over, and [4, 6] is returned.",
                ),
                "[4, 6]",
            ),
        ),
    ),
    "zh": _ExecutionPhrases(
        task=(
            "下面给出一段 Python 代码和一条调用其中某个函数的断言。请把 ?? 换成按原样运行这段代码时该调用返回的值，"
            "无论你是否认为代码正确。值必须写成字面量：不要出现变量名、函数调用或运算符。"
        ),
        direct="只写出补全后的断言，放在 [ANSWER] 和 [/ANSWER] 标签之间，如以下示例所示，不要写其他内容。",
        cot=(
            "请先在 [THOUGHT] 和 [/THOUGHT] 标签之间逐步写出运行过程，"
            "再在 [ANSWER] 和 [/ANSWER] 标签之间写出补全后的断言，如以下示例所示。"
        ),
        shots=(
            _Shot(_GREET, 'greet(name = "Ada")', (), '"Ada!"'),
            _Shot(_LAST, "last(numbers = [4, 8, 1])", (), "1"),
            _Shot(
                _EVENS,
                "evens(numbers = [3, 4, 6])",
                (
                    "以 [3, 4, 6] 调用 evens，kept 初始为 []。",
                    "3 % 2 等于 1，跳过 3。",
                    "4 % 2 等于 0，kept 变为 [4]。",
                    "6 % 2 等于 0，kept 变为 [4, 6]。",
                    "循环结束，返回 [4, 6]。",
                ),
                "[4, 6]",
            ),
        ),
    ),
}


def _render_question(code: str, call: str) -> str:
    return f"[PYTHON]\n{code}\nassert {call} == ??\n[/PYTHON]"


def _prompt(statement: Statement, protocol: Protocol, item: Item) -> Prompt:  # noqa: ARG001  # the code says it all
    """Return one message: the task, its examples, and the code with the assertion."""
    words, thinks = _WORDS[protocol.locale], protocol.style == "cot"
    parts = [f"{words.task} {words.cot}" if thinks else f"{words.task} {words.direct}"]
    for shot in words.shots:
        if bool(shot.thought) is thinks:
            parts.append(_render_question(shot.code, shot.call))
            if thinks:
                steps = "\n".join(f"{number}. {step}" for number, step in enumerate(shot.thought, start=1))
                parts.append(f"[THOUGHT]\n{steps}\n[/THOUGHT]")
            parts.append(f"[ANSWER]\nassert {shot.call} == {shot.value}\n[/ANSWER]")
    parts.append(_render_question(item.facts["code"], item.facts["call"]))
    return Prompt((Message("user", "\n\n".join(parts)),))


def _extract(text: str, protocol: Protocol) -> Extraction:  # noqa: ARG001  # the same in every style
    """Return the right side of the assertion in the last tags; else the value in them, or an untagged assertion."""
    answer = without_reasoning(text)
    tags = tagged_answer(answer)
    if tags is None:
        side = asserted_value(answer)
        return Extraction(None if side is None else literal_as_json(side), followed_format=False)
    inside, closed = tags
    side = asserted_value(inside)
    value = literal_as_json(inside if side is None else side)
    return Extraction(value, followed_format=closed and side is not None and value is not None)


def _protocol(slug: str, title: str, style: str, like: Protocol) -> Protocol:
    covers = ProtocolScope(like.covers.kinds, like.covers.sources, (Form.FUNCTION,))
    return Protocol(slug, title, "execution", style, sampling=like.sampling, covers=covers)


SCENARIO = Scenario(
    name="execution",
    styles=("direct", "cot"),
    languages=("python",),
    locales=tuple(_WORDS),
    graded_by=GradedBy.VALUE,
    needs=frozenset({Need.DERIVED}),
    items=derived_items,
    prompt=_prompt,
    extract=_extract,
    titles={"en": "Code execution", "zh": "代码执行"},
    protocols=(
        _protocol("house-execution", "House league: what code returns, at once", "direct", HOUSE),
        _protocol("house-execution-cot", "House league: what code returns, step by step", "cot", HOUSE),
        _protocol("fresh-execution", "Fresh contest problems: what code returns, at once", "direct", FRESH),
        _protocol("fresh-execution-cot", "Fresh contest problems: what code returns, step by step", "cot", FRESH),
    ),
)
