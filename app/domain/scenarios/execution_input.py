"""execution_input: a function and a value become a call of it that returns that value; any such call is right.

Its items are derived from published problems, like those of execution. The call is run in the sandbox. The shape is
known from CoCo-Bench's reverse code understanding, the words are this project's own.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.asking.completions import Message, Prompt
from app.domain.asking.extraction import Extraction
from app.domain.asking.literals import last_assertion, tagged_answer
from app.domain.asking.protocols import FRESH, HOUSE, Protocol, ProtocolScope
from app.domain.asking.reasoning import without_reasoning
from app.domain.judging.preimages import call_in
from app.domain.problems import Form, Statement
from app.domain.scenarios import GradedBy, Item, Need, Scenario, derived_items


@dataclass(frozen=True, slots=True)
class _InputPhrases:
    """Phrases of the prompt in one locale."""

    task: str
    form: str


_WORDS: Mapping[str, _InputPhrases] = {
    "en": _InputPhrases(
        task=(
            "You are given Python code and an assertion that calls one of its functions. Replace ?? by arguments for "
            "which the assertion holds when exactly this code is run, whether or not the code seems right to you. Any "
            "such arguments will do. Name each argument, and write its value as a literal: no names, no calls, no "
            "operators."
        ),
        form=(
            "Write nothing but the completed assertion, between the tags [ANSWER] and [/ANSWER], as in these examples."
        ),
    ),
    "zh": _InputPhrases(
        task=(
            "下面给出一段 Python 代码和一条调用其中某个函数的断言。请把 ?? 换成能使该断言在按原样运行这段代码时"
            "成立的参数，无论你是否认为代码正确。满足条件的任何参数都可以。请写出每个参数的名称，值必须写成字面量："
            "不要出现变量名、函数调用或运算符。"
        ),
        form="只写出补全后的断言，放在 [ANSWER] 和 [/ANSWER] 标签之间，如以下示例所示，不要写其他内容。",
    ),
}
_SHOTS = (
    ('def greet(name: str) -> str:\n    return name + "!"', "greet", 'name = "Ada"', '"Ada!"'),
    (
        "def count(numbers: List[int], least: int) -> int:\n"
        "    return len([number for number in numbers if number >= least])",
        "count",
        "numbers = [4, 1, 4], least = 3",
        "2",
    ),
)


def _render_question(code: str, name: str, output: str) -> str:
    return f"[PYTHON]\n{code}\nassert {name}(??) == {output}\n[/PYTHON]"


def _prompt(statement: Statement, protocol: Protocol, item: Item) -> Prompt:  # noqa: ARG001  # the code says it all
    """Return one message: the task, its examples, and the code with the assertion."""
    words = _WORDS[protocol.locale]
    parts = [f"{words.task} {words.form}"]
    for code, name, given, output in _SHOTS:
        parts += [_render_question(code, name, output), f"[ANSWER]\nassert {name}({given}) == {output}\n[/ANSWER]"]
    parts.append(_render_question(item.facts["code"], item.facts["name"], item.facts["output"]))
    return Prompt((Message("user", "\n\n".join(parts)),))


def _extract(text: str, protocol: Protocol) -> Extraction:  # noqa: ARG001  # the same in every language of words
    """Return the call in the last tags, of an assertion or by itself; else that of an assertion without tags."""
    answer = without_reasoning(text)
    tags = tagged_answer(answer)
    inside, closed = (answer, False) if tags is None else tags
    stated = last_assertion(inside)
    if stated is None:
        return Extraction(None if tags is None else call_in(inside), followed_format=False)
    call = call_in(stated.left)
    return Extraction(call, followed_format=closed and call is not None)


def _protocol(slug: str, title: str, like: Protocol) -> Protocol:
    covers = ProtocolScope(like.covers.kinds, like.covers.sources, (Form.FUNCTION,))
    return Protocol(slug, title, "execution_input", "direct", sampling=like.sampling, covers=covers)


SCENARIO = Scenario(
    name="execution_input",
    styles=("direct",),
    languages=("python",),
    locales=tuple(_WORDS),
    graded_by=GradedBy.INPUT,
    needs=frozenset({Need.DERIVED}),
    items=derived_items,
    prompt=_prompt,
    extract=_extract,
    titles={"en": "Input prediction", "zh": "输入预测"},
    protocols=(
        _protocol("house-execution-input", "House league: an input for what code returns", HOUSE),
        _protocol("fresh-execution-input", "Fresh contest problems: an input for what code returns", FRESH),
    ),
)
